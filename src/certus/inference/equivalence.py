"""Equivalence and non-inferiority: a difference shown to be smaller than a margin."""

import math
from dataclasses import dataclass, replace

import numpy as np

from certus.errors import DataError, MetricNameError
from certus.inference import studentized
from certus.inference.estimate import Estimate
from certus.inference.interval import Interval
from certus.inference.paired_result import Paired, estimate_of
from certus.inference.signflip import sign_flip
from certus.statistic import Mean

__all__ = ["Equivalence", "equivalence"]

SAME = 1e-12
METHODS = ("permutation", "t")


@dataclass(frozen=True, slots=True)
class Equivalence:
    """What two one-sided tests against a margin found.

    Attributes
    ----------
    margin
        The differences that do not matter, from the first to the second.
    p_lower
        The p-value of "a is below b by the margin or more". Small: a is not inferior (where higher is better).
    p_upper
        The p-value of "a is above b by the margin or more". Small: a is not superior by as much.
    p
        The larger of the two: that of equivalence.
    interval
        The interval of the difference at level ``1 - 2 alpha``.
    alpha
        The level of each test.
    method, how
        The test, and how the p-values were computed.
    verdict
        ``"equivalent"``; ``"not inferior"``, ``"not superior"``, where just one side is shown; ``"not shown"``.
    why
        Why there are no p-values; empty where there are.
    """

    margin: tuple[float, float]
    p_lower: float
    p_upper: float
    p: float
    interval: Interval
    alpha: float
    method: str
    how: str
    verdict: str
    why: str = ""

    @property
    def equivalent(self) -> bool:
        """Whether the difference is shown to lie within the margin."""
        return self.p <= self.alpha

    @property
    def non_inferior(self) -> bool:
        """Whether a is shown not to lie below b by the margin."""
        return self.p_lower <= self.alpha

    def __str__(self) -> str:
        low, high = self.margin
        if self.why:
            return f"no test against the margin {low:g} to {high:g}: {self.why}"
        return (
            f"{self.verdict} with margin {low:g} to {high:g}: p = {self.p:.4g} (below {self.p_lower:.4g}, "
            f"above {self.p_upper:.4g}; {self.method}, {self.how}); "
            f"{100 * self.interval.level:g}% interval {self.interval}"
        )


def equivalence(
    found: Paired | Estimate,
    margin: float | tuple[float, float],
    *,
    alpha: float = 0.05,
    method: str | None = None,
) -> Equivalence:
    """Two one-sided tests that a difference is smaller than a margin, either way.

    A large p-value of a test for a difference does not show that there is none. Here the nulls are that the difference
    is as large as the margin, so that a small p-value shows that it is smaller. Of a metric of which lower values are
    better, give the difference b - a, or read `p_upper` as that of non-inferiority.

    Parameters
    ----------
    found
        The difference, from `paired`, `difference` or `paired_scores`.
    margin
        The largest difference that does not matter, above 0; or a pair, from below 0 to above 0.
    alpha
        The level of each of the two tests.
    method
        - ``"permutation"``, the default for paired means: the sign-flip test of the differences moved by the margin.
          Its null is that they are symmetric around the margin.
        - ``"t"``, the default for every other form: the distance to the margin over the standard error of the form.

        Where all units agree, so that nothing shows a spread, p is ``2^-n``: that of n units which all lie on one side
        of the margin, n being those of the smallest stratum.

    Returns
    -------
    Equivalence

    Raises
    ------
    DataError
        The margin or alpha is no such number.
    MetricNameError
        The form has no such test.

    References
    ----------
    Schuirmann (1987), J. Pharmacokinet. Biopharm. 15(6):657-680, doi:10.1007/BF01068419.

    Examples
    --------
    >>> from certus.inference import paired
    >>> found = paired([0.50, 0.61, 0.42, 0.58, 0.33, 0.47], [0.51, 0.60, 0.41, 0.59, 0.34, 0.47])
    >>> print(equivalence(found, 0.03))
    equivalent with margin -0.03 to 0.03: p = 0.01562 (below 0.01562, above 0.01562; permutation, lattice); \
90% interval [-0.0100, 0.0100]
    """
    low, high = _margin(margin)
    if not 0 < alpha < 0.5:
        raise DataError(f"alpha is {alpha}; it must lie between 0 and 0.5")
    estimate = estimate_of(found)
    interval = replace(estimate, side="two-sided").interval(1 - 2 * alpha)
    statistic, why = estimate.statistic, estimate.why
    means = isinstance(statistic, Mean) and statistic.scale == "linear"
    name = _method(method, means)
    if why:
        return _result((low, high), (math.nan, math.nan), interval, alpha, name, "", why)
    if isinstance(statistic, Mean) and name == "permutation":
        values = statistic.values * statistic.n if statistic.total else statistic.values
        below, above = _flipped(values - low), _flipped(high - values)
        how = " and ".join(dict.fromkeys((below[1], above[1])))
        return _result((low, high), (below[0], above[0]), interval, alpha, name, how, "")
    error, freedom = studentized.error_and_freedom(statistic, estimate.bounds)
    value = estimate.value
    distances = value - low, high - value
    if math.isnan(error):
        why = "a single unit, alone or in its stratum, does not show its spread"
        return _result((low, high), (math.nan, math.nan), interval, alpha, name, "", why)
    if error <= SAME * max(abs(value), 1.0):
        n = min(getattr(statistic, "sizes", (statistic.n,)))
        ps = [0.5**n if distance > 0 else 1.0 for distance in distances]
        return _result((low, high), (ps[0], ps[1]), interval, alpha, name, "all units agree", "")
    ps = [studentized.t_at_least(distance / error, freedom) for distance in distances]
    return _result((low, high), (ps[0], ps[1]), interval, alpha, name, studentized.described(freedom), "")


def _flipped(values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> tuple[float, str]:
    """P(sum >= that observed) over all signs; 1 where every value is 0."""
    values = np.where(np.abs(values) <= SAME * np.abs(values).max(initial=0.0), 0.0, values)
    if not values.any():
        return 1.0, "no differences"
    found = sign_flip(values)
    return found.p, found.method


def _margin(margin: float | tuple[float, float]) -> tuple[float, float]:
    low, high = margin if isinstance(margin, tuple | list) else (-margin, margin)
    if not -math.inf < low < 0 < high < math.inf:
        raise DataError(f"margin is {margin}; give a number above 0, or a pair from below 0 to above 0")
    return float(low), float(high)


def _method(method: str | None, means: bool) -> str:
    if method is None:
        return "permutation" if means else "t"
    plain = {"student": "t", "tost": "t", "delta": "t", "sign-flip": "permutation"}.get(method.lower(), method.lower())
    offered = METHODS if means else ("t",)
    if plain not in offered:
        raise MetricNameError(f"no test against a margin is named {method!r} here; there are {', '.join(offered)}")
    return plain


def _result(
    margin: tuple[float, float],
    ps: tuple[float, float],
    interval: Interval,
    alpha: float,
    method: str,
    how: str,
    why: str,
) -> Equivalence:
    lower, upper = ps
    shown = lower <= alpha, upper <= alpha
    verdict = {(True, True): "equivalent", (True, False): "not inferior", (False, True): "not superior"}.get(
        shown, "not shown"
    )
    p = math.nan if why else max(ps)
    return Equivalence(margin, lower, upper, p, interval, alpha, method, how, verdict, why)
