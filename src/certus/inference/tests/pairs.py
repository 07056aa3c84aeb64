"""Two systems as a pair: how they are compared, for each form of statistic."""

import dataclasses
import math
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from certus.errors import CertusError
from certus.inference.declare import form_of
from certus.inference.estimate import Estimate
from certus.inference.interval import Limits, OwnInterval, Request, Side
from certus.inference.intervals.student import Student, error_and_freedom
from certus.inference.tests import differences, exchange
from certus.inference.tests.betting import assumed_range
from certus.inference.tests.declare import named_test, tests_of
from certus.inference.tests.joint_table import JointCells, joint_cells, student_of_cells
from certus.inference.tests.means import DEFAULT_TEST, EQUAL, Sample, found_of, own_interval
from certus.inference.tests.paired import mean_test
from certus.inference.tests.paired import paired as of_values
from certus.inference.tests.result import Alternative, Found, LimitsFor, Paired, undefined
from certus.inference.tests.two_proportions import pooled_counts
from certus.statistic import Influence, Mean, Plugin, Ratio, Statistic, TableFunction
from certus.statistic.common import Bounds, Resample
from certus.statistic.folds import Independent

UNBOUNDED = (-math.inf, math.inf)
OF_SHARES = "is for a difference of shares, such as accuracy, of independent samples that count alike"


@dataclasses.dataclass(frozen=True)
class Asked:
    """The request for a comparison; see `certus.inference.difference`."""

    test: str | None
    alternative: Alternative
    interval: str | None
    bounds: Bounds
    unit: str
    resample: Resample | None
    request: Request
    limits: LimitsFor | None = None

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

    def found(self, estimate: Estimate, name: str, found: Found, counts: tuple[int, int] | None = None) -> Paired:
        """All that is known of the difference."""
        p, statistic, how, error, reason = found
        above, below = (None, None) if counts is None else counts
        ties = None if above is None or below is None else estimate.n - above - below
        return Paired(estimate, p, statistic, name, self.alternative, how, error, above, ties, below, math.nan, reason)

    def compared(self, pair: "Pair") -> Paired:
        """The pair by the test asked for, or by the first that it has."""
        kind = type(pair)
        name = pair.default if self.test is None else named_test(kind, self.test, pair.unavailable)
        found, own = tests_of(kind)[name].function(pair, self)
        return self.found(self.estimate(pair.statistic, own), name, found, pair.counts)


@dataclasses.dataclass(frozen=True, eq=False)
class Pair:
    """Two systems with the difference of their values as a statistic.

    Attributes
    ----------
    a, b
        The statistics of both.
    statistic
        The difference.
    """

    a: Statistic
    b: Statistic
    statistic: Statistic

    called: ClassVar[str] = "this form of metric"
    student_interval: ClassVar[str] = "influence"
    """The name of Student's interval, as the form of the difference has it."""

    @property
    def equal(self) -> bool:
        """True if both systems are known to do the same on every unit."""
        return False

    @property
    def counts(self) -> tuple[int, int] | None:
        """On how many units a is above b, and below, where units have values."""
        return None

    @property
    def unavailable(self) -> Mapping[str, str]:
        """The tests that are not for this pair, and what they are for."""
        return {}

    @property
    def default(self) -> str:
        """The first test that the pair has."""
        return next(name for name in tests_of(type(self)) if name not in self.unavailable)

    @property
    def size(self) -> float:
        """Values, a part of whose size is rounding."""
        return abs(self.a.value) + abs(self.b.value)

    def student(self, asked: Asked) -> Student:
        """The difference as a Student variable."""
        return Student(self.statistic.value, *error_and_freedom(self.statistic, asked.request.bounds))


class RatioPair(Pair):
    """Two ratios of sums."""

    called: ClassVar[str] = "ratios of sums"

    a: Ratio
    b: Ratio


class InfluencePair(Pair):
    """Two values with influence values."""

    called: ClassVar[str] = "values with influence functions"


class PluginPair(Pair):
    """Two functions of weighted units."""

    called: ClassVar[str] = "functions of weighted units"

    statistic: Plugin
    student_interval: ClassVar[str] = "jackknife"


class TwoSamples(Pair):
    """Two values of units that have nothing to do with each other."""

    called: ClassVar[str] = "independent samples"

    statistic: Independent
    student_interval: ClassVar[str] = "t"

    @cached_property
    def proportions(self) -> tuple[int, int, int, int] | None:
        """Successes and trials of two proportions."""
        return pooled_counts(self.statistic)

    @property
    def unavailable(self) -> Mapping[str, str]:
        """The score test is for proportions."""
        return {"score": "is for two proportions"} if self.proportions is None else {}

    def student(self, asked: Asked) -> Student:
        """Welch's combination of the errors of both."""
        return Student(self.statistic.value, *error_and_freedom(self.statistic, asked.bounds))


@dataclasses.dataclass(frozen=True, eq=False)
class TablePair(Pair):
    """Two functions of cells of the same units."""

    called: ClassVar[str] = "functions of a confusion matrix"

    joint: JointCells
    student_interval: ClassVar[str] = "delta"

    @cached_property
    def shares(self) -> tuple[int, int, int] | None:
        """Units on which a alone is right, b alone, and in all, for a difference of shares."""
        return self.joint.sided()

    @property
    def unavailable(self) -> Mapping[str, str]:
        """McNemar's tests are for shares."""
        return {} if self.shares is not None else dict.fromkeys(("mcnemar", "mid-p", "mcnemar-score"), OF_SHARES)

    @property
    def counts(self) -> tuple[int, int] | None:
        """On how many units a alone is right, and b alone."""
        return None if self.shares is None else self.shares[:2]

    @property
    def equal(self) -> bool:
        """True if both fill the same cells."""
        return np.array_equal(self.joint.first, self.joint.second)

    @property
    def size(self) -> float:
        """Functions of shares of the units."""
        return exchange.size_of(self.joint.a, self.joint.b)

    def student(self, _asked: Asked) -> Student:
        """By the delta method over the joint table."""
        return student_of_cells(self.joint)


def missing_of(a: Statistic, b: Statistic, asked: Asked) -> Paired | None:
    """No comparison where a value is undefined or infinite."""
    for name, each in (("a", a), ("b", b)):
        reason = each.reason or ("" if math.isfinite(each.value) else "the value is infinite")
        if reason:
            return undefined(f"{name}: {reason}", a.n, asked.unit, asked.test or "", asked.alternative)
    return None


def _means(a: Mean, b: Mean, asked: Asked) -> Paired:
    if (a.scale, a.total) != (b.scale, b.total):
        raise CertusError("a and b are summed up differently", "take the same metric of both")
    request, log = asked.request, a.scale == "log"
    if log and not (np.isfinite(a.scaled).all() and np.isfinite(b.scaled).all()):
        # A geometric mean of 0: only its own value is known.
        name = mean_test(asked.test or DEFAULT_TEST)
        return undefined("a value is not positive", a.n, asked.unit, name, asked.alternative)
    found = of_values(
        a.scaled,
        b.scaled,
        asked.test,
        asked.alternative,
        limits=None if log else asked.limits,
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
        mean: Any = found.difference.statistic
        statistic = Mean(mean.values, unit=asked.unit, total=True)
    mapped = OwnInterval(own.name, partial(_mapped, own, scale), partial(_mapped_beyond, own, back))
    return dataclasses.replace(found, difference=asked.estimate(statistic, mapped))


def _mapped(own: OwnInterval, scale: Callable[[float], float], request: Request) -> Limits:
    """The limits on the scale of the metric; the bounds hold there."""
    found = own.limits(dataclasses.replace(request, bounds=UNBOUNDED))
    return found._replace(low=scale(found.low), high=scale(found.high)).within(request.bounds)


def _mapped_beyond(
    own: OwnInterval, back: Callable[[float], float], shift: float, side: Side, request: Request
) -> tuple[float, str]:
    if own.beyond is None:  # narrowed: tests of means have one
        raise CertusError("the test of the differences has no p-value of other values")
    return own.beyond(back(shift), side, dataclasses.replace(request, bounds=UNBOUNDED))


def _of_totals(n: float, mean: float) -> float:
    return n * mean


def _of_geometric_means(level: float, difference: float) -> float:
    """Difference of two geometric means whose own geometric mean is `level`, from that of their logarithms."""
    with np.errstate(over="ignore"):
        return float(2 * level * np.sinh(difference / 2))


def _of_logarithms(level: float, difference: float) -> float:
    """The inverse of `_of_geometric_means`."""
    return 2 * math.asinh(difference / level / 2)


def _ratios(a: Ratio, b: Ratio, asked: Asked) -> Paired:
    if np.array_equal(a.denominators, b.denominators) and bool((a.denominators >= 0).all()):
        return _clusters(a, b, asked)
    return asked.compared(RatioPair(a, b, dataclasses.replace(differences.of_ratios(a, b), unit=asked.unit)))


def _clusters(a: Ratio, b: Ratio, asked: Asked) -> Paired:
    """Sums over the same sizes: the mean difference over clusters of units."""
    apart = a.numerators - b.numerators
    rounding = EQUAL * np.maximum(np.abs(a.numerators), np.abs(b.numerators))
    there = a.denominators > 0
    values = assumed_range(*((each.numerators[there] / each.denominators[there]) for each in (a, b)))
    sample = Sample.of(np.where(np.abs(apart) <= rounding, 0.0, apart), a.denominators, asked.unit, values)
    name = mean_test(asked.test, clusters=True, limits=asked.limits)
    statistic = Ratio(sample.sums, sample.sizes, unit=asked.unit)
    statistic.__dict__["value"] = sample.mean
    found = found_of(sample, name, asked.alternative, asked.request)
    made = asked.found(asked.estimate(statistic, own_interval(sample, name)), name, found)
    return dataclasses.replace(made, values=values)


def _cells(a: TableFunction, b: TableFunction, asked: Asked) -> Paired:
    joint = joint_cells(a, b)
    return asked.compared(TablePair(a, b, joint.statistic(asked.unit), joint))


def _influence(a: Influence, b: Influence, asked: Asked) -> Paired:
    if a.influence is None or b.influence is None:
        reason = (
            "a number stands in for an undefined value"
            if math.isnan(sum(a.variances + b.variances))
            else "a statistic gives no influence values"
        )
        name = named_test(InfluencePair, asked.test or "t")
        return undefined(reason, a.n, asked.unit, name, asked.alternative)
    difference = differences.of_influence(a, b, asked.resample)
    return asked.compared(InfluencePair(a, b, dataclasses.replace(difference, unit=asked.unit)))


def _plugins(a: Plugin, b: Plugin, asked: Asked) -> Paired:
    return asked.compared(PluginPair(a, b, differences.of_plugins(a, b, asked.unit)))


def independent_pair(a: Statistic, b: Statistic, asked: Asked) -> Paired:
    """The comparison of two systems on units of their own."""
    missing = missing_of(a, b, asked)
    return missing or asked.compared(TwoSamples(a, b, Independent(a, b, asked.bounds, asked.unit)))


PAIRS: Mapping[type, Callable[..., Paired]] = {
    Mean: _means,
    Ratio: _ratios,
    TableFunction: _cells,
    Influence: _influence,
    Plugin: _plugins,
}
