"""How two systems are compared, for each form of statistic."""

import dataclasses
import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from certus.errors import CertusError, MetricNameError
from certus.inference import cells, forms_paired, swaps
from certus.inference.difference_tests import bootstrap_test, mcnemar_test, score_test, t_test
from certus.inference.estimate import Estimate
from certus.inference.forms import form_of
from certus.inference.interval import Request
from certus.inference.jointcells import joint_cells
from certus.inference.paired import method_of
from certus.inference.paired import paired as of_values
from certus.inference.paired_result import TESTS, Alternative, Found, Paired, undefined
from certus.inference.signflip import sign_flip
from certus.inference.usual import usual_interval
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

    def estimate(self, statistic: Statistic, usual: str | None = None) -> Estimate:
        """The difference with the interval method asked for."""
        form = form_of(statistic, self.request.bounds)
        method = form.method(usual if self.interval is None else self.interval)
        return Estimate(
            statistic, metric="difference", bounds=self.request.bounds, level=self.request.level, method=method
        )

    def found(self, estimate: Estimate, name: str, found: Found, sides: tuple[int, int] | None = None) -> Paired:
        """All that is known of the difference."""
        p, statistic, how, error, why = found
        above, below = (None, None) if sides is None else sides
        ties = None if above is None or below is None else estimate.n - above - below
        return Paired(estimate, p, statistic, name, self.alternative, how, error, above, ties, below, math.nan, why)


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
    request, name = asked.request, method_of(asked.method or "permutation")
    log = a.scale == "log"
    if log and not (np.isfinite(a.scaled).all() and np.isfinite(b.scaled).all()):
        # A geometric mean of 0: only its own value is known.
        return undefined("a value is not positive", a.n, asked.unit, name, asked.alternative)
    found = of_values(
        a.scaled,
        b.scaled,
        name,
        asked.alternative,
        interval=None if log else asked.interval,
        level=request.level,
        bounds=UNBOUNDED if log else asked.bounds,
        unit=asked.unit,
        replicates=request.replicates,
        seed=request.seed,
    )
    if log:
        return dataclasses.replace(found, difference=asked.estimate(forms_paired.of_geometric_means(a, b)))
    if a.total:
        total = Mean(found.difference.statistic.values, unit=asked.unit, total=True)  # type: ignore[union-attr]
        return dataclasses.replace(found, difference=asked.estimate(total, usual_interval(total.values)))
    return found


def _ratios(a: Ratio, b: Ratio, asked: Asked) -> Paired:
    name = asked.test("permutation", "t")
    statistic = forms_paired.of_ratios(a, b)
    estimate = asked.estimate(dataclasses.replace(statistic, unit=asked.unit), "influence")
    if name == "t":
        return asked.found(estimate, name, t_test(statistic, _size(a, b), asked.request.bounds, asked.alternative))
    if np.array_equal(a.denominators, b.denominators):
        apart = (a.numerators - b.numerators) * np.sign(a.denominators.sum())
        return asked.found(estimate, name, _flipped(apart, statistic.value, asked.alternative))
    return asked.found(estimate, name, swaps.swap_ratios(a, b, asked.alternative, asked.request))


def _flipped(apart: NDArray[np.float64], value: float, alternative: Alternative) -> Found:
    """Ratios of one denominator: units that trade places change the sign of their difference."""
    apart = np.where(np.abs(apart) <= 1e-12 * np.abs(apart).max(initial=0.0), 0.0, apart)
    if not apart.any():
        return 1.0, value, "no differences", 0.0, ""
    sign = -1.0 if alternative == "less" or (alternative == "two-sided" and apart.sum() < 0) else 1.0
    p, how, error = sign_flip(sign * apart)
    twice = 2 if alternative == "two-sided" else 1
    return min(twice * p, 1.0), value, how, twice * error, ""


def _cells(a: Cells, b: Cells, asked: Asked) -> Paired:
    name = asked.test("permutation", "t", "mcnemar", "mid-p")
    joint = joint_cells(a, b)
    statistic = joint.statistic(asked.unit)
    usual = cells.default(statistic, UNBOUNDED)
    estimate = asked.estimate(statistic, usual)
    sides = joint.sided()
    if name in ("mcnemar", "mid-p"):
        if sides is None:
            raise MetricNameError(
                f"the test {asked.method!r} is for a difference of shares, such as accuracy, of independent samples "
                "that count alike; there are permutation, t"
            )
        return asked.found(estimate, name, mcnemar_test(sides, name, asked.alternative), sides)
    if name == "t":
        found = t_test(statistic, _size(a, b), asked.request.bounds, asked.alternative)
    elif sides is not None:  # the exchanges of all pairs of cells are one binomial number
        found = mcnemar_test(sides, "mcnemar", asked.alternative)
        found = (found[0], statistic.value, *found[2:])
    else:
        if not joint.exchangeable:
            raise CertusError("the tables of a and b have different cells; give both the same classes with labels=")
        found = swaps.swap_cells(joint, asked.alternative, asked.request)
    return asked.found(estimate, name, found, sides)


def _influence(a: Influence, b: Influence, asked: Asked) -> Paired:
    name = asked.test("t")
    if a.influence is None or b.influence is None:
        why = (
            "a number stands in for an undefined value"
            if math.isnan(sum(a.variances + b.variances))
            else ("a statistic gives no influence values")
        )
        return undefined(why, a.n, asked.unit, name, asked.alternative)
    statistic = forms_paired.of_influence(a, b, asked.resample)
    estimate = asked.estimate(dataclasses.replace(statistic, unit=asked.unit), "influence")
    return asked.found(estimate, name, t_test(statistic, _size(a, b), asked.request.bounds, asked.alternative))


def _plugins(a: Plugin, b: Plugin, asked: Asked) -> Paired:
    name = asked.test("bootstrap", "t")
    statistic = forms_paired.of_plugins(a, b, asked.unit)
    estimate = asked.estimate(statistic)
    if name == "t":
        return asked.found(estimate, name, t_test(statistic, _size(a, b), asked.request.bounds, asked.alternative))
    return asked.found(estimate, name, bootstrap_test(statistic, asked.alternative, asked.request))


def independent_pair(a: Statistic, b: Statistic, asked: Asked) -> Paired:
    """The comparison of two systems on units of their own."""
    missing = missing_of(a, b, asked)
    if missing is not None:
        return missing
    statistic = Independent(a, b, asked.bounds, asked.unit)
    by_score = score_test(statistic, asked.alternative)
    name = asked.test(*(("t",) if by_score is None else ("score", "t")))
    found = t_test(statistic, _size(a, b), asked.bounds, asked.alternative)
    return asked.found(asked.estimate(statistic), name, by_score if name == "score" and by_score else found)


def _size(a: Statistic, b: Statistic) -> float:
    return swaps.size_of(a, b) if isinstance(a, Cells) and isinstance(b, Cells) else abs(a.value) + abs(b.value)


PAIRS: Mapping[type, Callable[..., Paired]] = {
    Mean: _means,
    Ratio: _ratios,
    Cells: _cells,
    Influence: _influence,
    Plugin: _plugins,
}
