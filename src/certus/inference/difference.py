"""The difference of two systems, by the form of their statistics."""

import dataclasses
import math
from collections.abc import Callable, Mapping

import numpy as np

from certus.errors import CertusError, MetricNameError
from certus.inference import cells, forms_paired, swaps
from certus.inference.difference_tests import bootstrap_test, mcnemar_test, score_test, t_test
from certus.inference.estimate import Estimate
from certus.inference.forms import form_of
from certus.inference.interval import DEFAULT_REPLICATES, Request, checked_level
from certus.inference.jointcells import joint_cells
from certus.inference.paired import method_of, usual_interval
from certus.inference.paired import paired as of_values
from certus.inference.paired_result import (
    TESTS,
    Alternative,
    Found,
    Paired,
    check_alternative,
    of_difference,
    undefined,
)
from certus.inference.signflip import sign_flip
from certus.statistic import (
    Bounds,
    Cells,
    Independent,
    Influence,
    Mean,
    Plugin,
    Proportion,
    Ratio,
    Resample,
    Statistic,
)

__all__ = ["UNBOUNDED", "difference"]

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


def difference(
    a: Statistic,
    b: Statistic,
    *,
    paired: bool = True,
    method: str | None = None,
    alternative: Alternative = "two-sided",
    interval: str | None = None,
    level: float = 0.95,
    bounds: Bounds = UNBOUNDED,
    unit: str | None = None,
    resample: Resample | None = None,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Paired:
    """Compare two systems by what a metric gave for each, chosen by the form of that and never by the metric.

    Parameters
    ----------
    a, b
        The same metric of two systems. Paired, unit i of both is the same unit: the same query, sample or group.
    paired
        False: the systems were run on units that have nothing to do with each other, such as two test sets.
    method
        The test; None takes the first that the form has.

        - Means: ``"permutation"``, ``"t"``, ``"bootstrap-t"``, ``"wilcoxon"``, ``"sign"``, as `paired` has them. Of
          geometric means they are of the logarithms, and the permutation test is that of the geometric means too.
        - Ratios of sums: ``"permutation"`` (units trade places), ``"t"`` (linearised).
        - Functions of cell counts: ``"permutation"`` (the predictions of a sample, or of a whole group, trade places;
          exact where the choices can be listed), ``"t"`` (the delta method on the joint table: normal, or Student's
          with groups), and for differences of shares such as accuracy ``"mcnemar"`` (exact) and ``"mid-p"``.
        - Values with influence functions (AUC, AP): ``"t"`` with Satterthwaite's degrees of freedom; of two AUC it is
          DeLong's comparison with Student's quantile.
        - Functions of weighted units: ``"bootstrap"``, ``"t"`` (jackknife).
        - Not paired: ``"t"`` (Welch, the squared errors added), for proportions before that ``"score"``.
    alternative
        ``"two-sided"``; ``"greater"``: a has the higher value; ``"less"``: b has.
    interval
        The interval method of the difference, one of ``difference.methods``; None takes the usual one of its form.
    level
        The level of the interval.
    bounds
        Least and greatest possible value of the metric.
    unit
        What a unit is called; None: as in the statistics.
    resample
        Bootstrap replicates of the difference, where they are known, for values with influence functions.
    replicates, seed
        For the tests that draw at random.

    Returns
    -------
    Paired
        Equal systems have a difference of exactly 0 and p = 1, for every form and test. A value that is undefined or
        infinite gives a difference of NaN, with the reason.

    Raises
    ------
    CertusError
        The two are not of one form, the form cannot be compared, or it does not say which units are shared.
    DataError
        The units do not pair up.
    MetricNameError
        The form has no such test or interval.

    Examples
    --------
    >>> from certus.statistic import Ratio
    >>> found = difference(Ratio([3, 4, 2], [5, 5, 5]), Ratio([2, 3, 2], [4, 5, 6]))
    >>> round(found.difference.value, 4), found.p
    (0.1333, 0.25)
    >>> print(difference(Proportion(45, 50), Proportion(30, 40), paired=False))
    difference 0.1500 [-0.0068, 0.3121]  95% limits of both combined, 90 samples
    p = 0.05778 (score test, normal)
    """
    check_alternative(alternative)
    request = Request(checked_level(level), of_difference(bounds), replicates, seed)
    asked = _Asked(method, alternative, interval, bounds, unit or a.unit, resample, request)
    if not paired:
        return _independent(a, b, asked)
    for form, compare in _FORMS.items():
        if isinstance(a, form) and isinstance(b, form):
            if form is not Cells:
                forms_paired.check_pairs(a.n, b.n, a.unit)
            return _missing(a, b, asked) or compare(a, b, asked)
    if isinstance(a, Proportion) and isinstance(b, Proportion):
        raise CertusError(
            "counts alone do not say which samples two systems share; compare the predictions themselves with "
            "certus.compare, or give paired=False for two test sets"
        )
    missing = _missing(a, b, asked)
    if missing is not None:
        return missing
    kinds = " and ".join(dict.fromkeys(form_of(each).name for each in (a, b)))
    raise CertusError(f"there is no paired comparison of {kinds}")


@dataclasses.dataclass(frozen=True)
class _Asked:
    """What the comparison is asked for."""

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


def _missing(a: Statistic, b: Statistic, asked: _Asked) -> Paired | None:
    """No comparison where a value is undefined or infinite."""
    for name, each in (("a", a), ("b", b)):
        why = each.why or ("" if math.isfinite(each.value) else "the value is infinite")
        if why:
            return undefined(f"{name}: {why}", a.n, asked.unit, asked.method or "", asked.alternative)
    return None


def _means(a: Mean, b: Mean, asked: _Asked) -> Paired:
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


def _ratios(a: Ratio, b: Ratio, asked: _Asked) -> Paired:
    name = asked.test("permutation", "t")
    statistic = forms_paired.of_ratios(a, b)
    estimate = asked.estimate(dataclasses.replace(statistic, unit=asked.unit), "influence")
    if name == "t":
        return asked.found(estimate, name, t_test(statistic, _size(a, b), asked.request.bounds, asked.alternative))
    if np.array_equal(a.denominators, b.denominators):
        apart = (a.numerators - b.numerators) * np.sign(a.denominators.sum())
        return asked.found(estimate, name, _flipped(apart, statistic.value, asked.alternative))
    return asked.found(estimate, name, swaps.swap_ratios(a, b, asked.alternative, asked.request))


def _flipped(apart: "np.ndarray[tuple[int], np.dtype[np.float64]]", value: float, alternative: Alternative) -> Found:
    """Ratios of one denominator: units that trade places change the sign of their difference."""
    apart = np.where(np.abs(apart) <= 1e-12 * np.abs(apart).max(initial=0.0), 0.0, apart)
    if not apart.any():
        return 1.0, value, "no differences", 0.0, ""
    sign = -1.0 if alternative == "less" or (alternative == "two-sided" and apart.sum() < 0) else 1.0
    p, how, error = sign_flip(sign * apart)
    twice = 2 if alternative == "two-sided" else 1
    return min(twice * p, 1.0), value, how, twice * error, ""


def _cells(a: Cells, b: Cells, asked: _Asked) -> Paired:
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


def _influence(a: Influence, b: Influence, asked: _Asked) -> Paired:
    name = asked.test("t")
    statistic = forms_paired.of_influence(a, b, asked.resample)
    estimate = asked.estimate(dataclasses.replace(statistic, unit=asked.unit), "influence")
    return asked.found(estimate, name, t_test(statistic, _size(a, b), asked.request.bounds, asked.alternative))


def _plugins(a: Plugin, b: Plugin, asked: _Asked) -> Paired:
    name = asked.test("bootstrap", "t")
    statistic = forms_paired.of_plugins(a, b)
    estimate = asked.estimate(statistic)
    if name == "t":
        return asked.found(estimate, name, t_test(statistic, _size(a, b), asked.request.bounds, asked.alternative))
    return asked.found(estimate, name, bootstrap_test(statistic, asked.alternative, asked.request))


def _independent(a: Statistic, b: Statistic, asked: _Asked) -> Paired:
    missing = _missing(a, b, asked)
    if missing is not None:
        return missing
    statistic = Independent(a, b, asked.bounds, asked.unit)
    by_score = score_test(statistic, asked.alternative)
    name = asked.test(*(("t",) if by_score is None else ("score", "t")))
    found = t_test(statistic, _size(a, b), asked.bounds, asked.alternative)
    return asked.found(asked.estimate(statistic), name, by_score if name == "score" and by_score else found)


def _size(a: Statistic, b: Statistic) -> float:
    return abs(a.value) + abs(b.value)


_FORMS: Mapping[type, Callable[..., Paired]] = {
    Mean: _means,
    Ratio: _ratios,
    Cells: _cells,
    Influence: _influence,
    Plugin: _plugins,
}
