"""How two systems are compared, for each form of statistic."""

import dataclasses
import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from certus.errors import CertusError, MetricNameError
from certus.inference.declare import label
from certus.inference.estimate import Estimate
from certus.inference.forms import form_of
from certus.inference.interval import Limits, OwnInterval, Request, Side
from certus.inference.intervals.bounded import constant_beyond
from certus.inference.tests import differences, exchange
from certus.inference.tests.difference_tests import (
    bootstrap_beyond,
    bootstrap_limits,
    bootstrap_test,
    mcnemar_test,
    no_spread,
    pooled_counts,
    score_beyond,
    score_limits,
    score_test,
)
from certus.inference.tests.joint_student import student_of_cells
from certus.inference.tests.joint_table import joint_cells
from certus.inference.tests.means import EQUAL, FAMILIES, OF_CLUSTERS, Sample, own_interval
from certus.inference.tests.paired import method_of
from certus.inference.tests.paired import paired as of_values
from certus.inference.tests.result import TESTS, Alternative, Found, Paired, undefined
from certus.inference.tests.shares import mcnemar_score, tango_interval
from certus.inference.tests.student import SAME, Student, error_and_freedom
from certus.statistic import Bounds, Cells, Independent, Influence, Mean, Plugin, Ratio, Resample, Statistic

__all__ = ["PAIRS", "Asked", "independent_pair", "missing_of"]

UNBOUNDED = (-math.inf, math.inf)

ALIASES = {
    "delta": "t",
    "delong": "t",
    "student": "t",
    "welch": "t",
    "normal": "t",
    "sign-flip": "permutation",
    "randomization": "permutation",
    "exact": "mcnemar",
    "mcnemar-exact": "mcnemar",
    "mcnemar-mid-p": "mid-p",
    "midp": "mid-p",
}


@dataclasses.dataclass(frozen=True)
class Asked:
    """What a comparison is asked for; see `certus.inference.difference`."""

    method: str | None
    alternative: Alternative
    interval: str | None
    bounds: Bounds
    unit: str
    resample: Resample | None
    request: Request

    def test(self, *offered: str) -> str:
        """The name of the test."""
        if self.method is None:
            return offered[0]
        plain = self.method.lower().replace("_", "-").replace(" ", "-")
        name = plain if plain in offered else ALIASES.get(plain, plain)
        if name not in offered:
            known = "is not for this form of metric" if name in TESTS else "does not exist"
            raise MetricNameError(f"the test {self.method!r} {known}; there are {', '.join(offered)}")
        return name

    def estimate(self, statistic: Statistic, own: OwnInterval) -> Estimate:
        """The difference with the interval of its test, or the one asked for."""
        method = None
        if self.interval is not None and self.interval != own.name:
            method = form_of(statistic, self.request.bounds).method(self.interval)
        return Estimate(
            statistic,
            metric="difference",
            bounds=self.request.bounds,
            level=self.request.level,
            method=method,
            own=own,
            side=self.alternative,
            replicates=self.request.replicates,
            seed=self.request.seed,
        )

    def by_student(
        self,
        statistic: Statistic,
        name: str,
        interval: str,
        student: Student,
        size: float,
        sides: tuple[int, int] | None = None,
        *,
        equal: bool = False,
    ) -> Paired:
        """Student's test, and its interval under the name that the form has for it; `equal` systems have p = 1."""
        found: Found = (1.0, 0.0, "no differences", 0.0, "")
        if student.error > SAME * size:
            own = student.own_interval(interval, statistic.value)
            found = found if equal else student.test(self.alternative)
            return self.found(self.estimate(statistic, own), name, found, sides)
        why = no_spread(statistic, student.error)
        own = OwnInterval(interval, partial(_undefined, why), partial(_no_spread, statistic, student.error, why))
        equal = equal or (statistic.value == 0 and not (math.isnan(student.error) and statistic.n == 1))
        if not equal:
            found = math.nan, math.nan, "", 0.0, why
        return self.found(self.estimate(statistic, own), name, found, sides)

    def found(self, estimate: Estimate, name: str, found: Found, sides: tuple[int, int] | None = None) -> Paired:
        """All that is known of the difference."""
        p, statistic, how, error, why = found
        above, below = (None, None) if sides is None else sides
        ties = None if above is None or below is None else estimate.n - above - below
        return Paired(estimate, p, statistic, name, self.alternative, how, error, above, ties, below, math.nan, why)


def _undefined(why: str, _request: Request) -> Limits:
    return Limits.undefined(why)


def _no_spread(
    statistic: Statistic, error: float, why: str, shift: float, side: Side, _request: Request
) -> tuple[float, str]:
    if math.isnan(error):
        return math.nan, why
    return constant_beyond(statistic.value, min(getattr(statistic, "sizes", (statistic.n,))), shift, side, UNBOUNDED)


def missing_of(a: Statistic, b: Statistic, asked: Asked) -> Paired | None:
    """No comparison where a value is undefined or infinite."""
    for name, each in (("a", a), ("b", b)):
        why = each.why or ("" if math.isfinite(each.value) else "the value is infinite")
        if why:
            return undefined(f"{name}: {why}", a.n, asked.unit, asked.method or "", asked.alternative)
    return None


def _means(a: Mean, b: Mean, asked: Asked) -> Paired:
    if (a.scale, a.total) != (b.scale, b.total):
        raise CertusError("a and b are summed up differently; take the same metric of both")
    request, log = asked.request, a.scale == "log"
    if log and not (np.isfinite(a.scaled).all() and np.isfinite(b.scaled).all()):
        # A geometric mean of 0: only its own value is known.
        name = method_of(asked.method or "permutation")
        return undefined("a value is not positive", a.n, asked.unit, name, asked.alternative)
    found = of_values(
        a.scaled,
        b.scaled,
        asked.method,
        asked.alternative,
        interval=None if log or a.total else asked.interval,
        level=request.level,
        bounds=UNBOUNDED if log else asked.bounds,
        unit=asked.unit,
        replicates=request.replicates,
        seed=request.seed,
    )
    own = found.difference.own
    if own is None or not (log or a.total):
        return found
    if log:
        level = math.sqrt(a.value * b.value)
        scale, back = partial(_of_geometric_means, level), partial(_of_logarithms, level)
        statistic: Statistic = differences.of_geometric_means(a, b)
    else:
        scale, back = partial(_of_totals, a.n), partial(_of_totals, 1 / a.n)
        statistic = Mean(found.difference.statistic.values, unit=asked.unit, total=True)  # type: ignore[union-attr]
    mapped = OwnInterval(own.name, partial(_mapped, own, scale), partial(_mapped_beyond, own, back))
    return dataclasses.replace(found, difference=asked.estimate(statistic, mapped))


def _mapped(own: OwnInterval, scale: Callable[[float], float], request: Request) -> Limits:
    """The limits on the scale of the metric; the bounds hold there."""
    low, high, why = own.limits(dataclasses.replace(request, bounds=UNBOUNDED))
    return Limits(scale(low), scale(high), why).within(request.bounds)


def _mapped_beyond(
    own: OwnInterval, back: Callable[[float], float], shift: float, side: Side, request: Request
) -> tuple[float, str]:
    if own.beyond is None:  # narrowed: tests of means have one
        raise CertusError("the test of the differences has no p-value of other values")
    return own.beyond(back(shift), side, dataclasses.replace(request, bounds=UNBOUNDED))


def _of_totals(n: float, mean: float) -> float:
    return n * mean


def _of_geometric_means(level: float, difference: float) -> float:
    """Of two geometric means whose own geometric mean is `level`, from the difference of the logarithms."""
    with np.errstate(over="ignore"):
        return float(2 * level * np.sinh(difference / 2))


def _of_logarithms(level: float, difference: float) -> float:
    """The inverse of `_of_geometric_means`."""
    return 2 * math.asinh(difference / level / 2)


def _ratios(a: Ratio, b: Ratio, asked: Asked) -> Paired:
    if np.array_equal(a.denominators, b.denominators) and bool((a.denominators >= 0).all()):
        return _clusters(a, b, asked)
    name = asked.test("t", "permutation")
    statistic = differences.of_ratios(a, b)
    difference = dataclasses.replace(statistic, unit=asked.unit)
    if name == "t":
        return asked.by_student(difference, name, "influence", _student(statistic, asked), _size(a, b))
    return asked.found(
        asked.estimate(difference, NOT_INVERTED), name, exchange.swap_ratios(a, b, asked.alternative, asked.request)
    )


def _clusters(a: Ratio, b: Ratio, asked: Asked) -> Paired:
    """Sums over the same sizes: the mean difference over clusters of units."""
    apart = a.numerators - b.numerators
    rounding = EQUAL * np.maximum(np.abs(a.numerators), np.abs(b.numerators))
    sample = Sample.of(np.where(np.abs(apart) <= rounding, 0.0, apart), a.denominators, asked.unit)
    name = asked.test(*OF_CLUSTERS)
    statistic = Ratio(sample.sums, sample.sizes, unit=asked.unit)
    statistic.__dict__["value"] = sample.mean
    nothing: Found = (1.0, 0.0, "no differences", 0.0, "")
    found = FAMILIES[name].test(sample, asked.alternative, asked.request, 0.0) if sample.sums.any() else nothing
    return asked.found(asked.estimate(statistic, own_interval(sample, name)), name, found)


def _cells(a: Cells, b: Cells, asked: Asked) -> Paired:
    joint = joint_cells(a, b)
    sides = joint.sided()
    shares = () if sides is None else ("mcnemar-score", "mcnemar", "mid-p")
    offered = (*shares[:1], "t", "permutation", *shares[1:])
    name = asked.test(*offered, *(() if shares else ("mcnemar", "mid-p")))
    if sides is None and name in ("mcnemar", "mid-p"):
        raise MetricNameError(
            f"the test {asked.method!r} is for a difference of shares, such as accuracy, of independent samples that "
            f"count alike; there are {', '.join(offered)}"
        )
    statistic = joint.statistic(asked.unit)
    equal = np.array_equal(joint.first, joint.second)
    if name == "t":
        of_shares = None if sides is None else sides[:2]
        return asked.by_student(statistic, name, "delta", student_of_cells(joint), _size(a, b), of_shares, equal=equal)
    if sides is None:
        if not joint.exchangeable:
            raise CertusError("the tables of a and b have different cells; give both the same classes with labels=")
        swapped = exchange.swap_cells(joint, asked.alternative, asked.request)
        return asked.found(asked.estimate(statistic, NOT_INVERTED), name, swapped)
    above, below, n = sides
    count = above, below
    if name == "mcnemar-score":
        found, own = mcnemar_score(above, below, asked.alternative), tango_interval(above, below, n)
        return asked.found(asked.estimate(statistic, own), name, found, count)
    # Exchanging predictions changes the sign of a difference of 1, 0 or -1: McNemar's exact test.
    found = mcnemar_test(count, "mid-p" if name == "mid-p" else "mcnemar", asked.alternative)
    own = NOT_INVERTED
    if name != "mid-p":
        signs = np.repeat([1.0, -1.0, 0.0], [above, below, n - above - below])
        own = own_interval(Sample.of(signs, np.ones(n), asked.unit), "permutation")
    if name == "permutation":
        found = (found[0], statistic.value, *found[2:])
    return asked.found(asked.estimate(statistic, own), name, found, count)


def _influence(a: Influence, b: Influence, asked: Asked) -> Paired:
    name = asked.test("t")
    if a.influence is None or b.influence is None:
        why = (
            "a number stands in for an undefined value"
            if math.isnan(sum(a.variances + b.variances))
            else ("a statistic gives no influence values")
        )
        return undefined(why, a.n, asked.unit, name, asked.alternative)
    statistic = differences.of_influence(a, b, asked.resample)
    difference = dataclasses.replace(statistic, unit=asked.unit)
    return asked.by_student(difference, name, "influence", _student(statistic, asked), _size(a, b))


def _plugins(a: Plugin, b: Plugin, asked: Asked) -> Paired:
    name = asked.test("bootstrap", "t")
    statistic = differences.of_plugins(a, b, asked.unit)
    if name == "t":
        return asked.by_student(statistic, name, "jackknife", _student(statistic, asked), _size(a, b))
    own = OwnInterval("bootstrap", partial(bootstrap_limits, statistic), partial(bootstrap_beyond, statistic))
    return asked.found(
        asked.estimate(statistic, own), name, bootstrap_test(statistic, asked.alternative, asked.request)
    )


def independent_pair(a: Statistic, b: Statistic, asked: Asked) -> Paired:
    """The comparison of two systems on units of their own."""
    missing = missing_of(a, b, asked)
    if missing is not None:
        return missing
    statistic = Independent(a, b, asked.bounds, asked.unit)
    counts = pooled_counts(statistic)
    name = asked.test(*(("t",) if counts is None else ("score", "t")))
    if name == "score" and counts is not None:
        own = OwnInterval("score", partial(score_limits, *counts), partial(score_beyond, *counts))
        return asked.found(asked.estimate(statistic, own), name, score_test(*counts, asked.alternative))
    student = Student(statistic.value, *error_and_freedom(statistic, asked.bounds))
    return asked.by_student(statistic, name, "t", student, _size(a, b))


def _student(statistic: Statistic, asked: Asked) -> Student:
    return Student(statistic.value, *error_and_freedom(statistic, asked.request.bounds))


def _size(a: Statistic, b: Statistic) -> float:
    return exchange.size_of(a, b) if isinstance(a, Cells) and isinstance(b, Cells) else abs(a.value) + abs(b.value)


def _no_interval(_request: Request) -> Limits:
    return Limits.undefined("no interval inverts this permutation test; test='t' has one")


NOT_INVERTED = OwnInterval("none", _no_interval)

PAIRS: Mapping[type, Callable[..., Paired]] = {
    Mean: _means,
    Ratio: _ratios,
    Cells: _cells,
    Influence: _influence,
    Plugin: _plugins,
}

label("score", "score test inverted")
label("bootstrap", "bootstrap test inverted")
label("none", "no interval")
