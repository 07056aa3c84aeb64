"""Equivalence and non-inferiority: tests that a difference is smaller than a margin."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from certus.core.errors import DataError, MetricNameError
from certus.core.readable import Readable
from certus.core.registry import Registry
from certus.inference.estimate import Estimate
from certus.inference.interval import Interval, Limits, OwnInterval, Request, Side
from certus.inference.intervals import student
from certus.inference.intervals.bounded import constant_beyond
from certus.inference.search import ROUNDING
from certus.inference.tests.declare import TESTS
from certus.inference.tests.means import DEFAULT_TEST, PairedDifferences, own_interval
from certus.inference.tests.result import Paired, estimate_of, no_interval
from certus.statistic import Mean, Ratio

TOLERANCE = 1e-12
NO_SPREAD = "the units do not vary, so the error of the difference cannot be estimated"
_FLIPS = (DEFAULT_TEST, "permutation")
"""Tests of a mean difference that need symmetric differences against a margin."""
MARGIN_TESTS = Registry(
    "margin test",
    dict.fromkeys(TESTS),
    {"student": "t", "tost": "t", "delta": "t", "sign-flip": "permutation", "bets": "betting"},
)


@dataclass(frozen=True, slots=True)
class Equivalence(Readable):
    """Result of two one-sided tests against a margin.

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
        The interval of the same test at level ``2 level - 1``: its lower limit lies above the lower end of the margin
        if and only if `p_lower` is at most ``1 - level``, and so for the upper one. NaN where the data do not give any.
    level
        One less the significance level of each test.
    method, method_note
        The test, and how the p-values were computed.
    verdict
        ``"equivalent"``; ``"not inferior"``, ``"not superior"``, where just one side is shown; ``"not shown"``.
    reason
        Why there are no p-values; empty where there are.
    """

    margin: tuple[float, float]
    p_lower: float
    p_upper: float
    p: float
    interval: Interval
    level: float
    method: str
    method_note: str
    verdict: str
    reason: str = ""

    @property
    def equivalent(self) -> bool:
        """True if the difference is significantly within the margin."""
        return _is_significant(self.p, _alpha(self.level))

    @property
    def non_inferior(self) -> bool:
        """True if a is significantly better than b minus the margin."""
        return _is_significant(self.p_lower, _alpha(self.level))

    def __str__(self) -> str:
        low, high = self.margin
        if self.reason:
            return f"no test against the margin {low:g} to {high:g}: {self.reason}"
        return (
            f"{self.verdict} with margin {low:g} to {high:g}: p = {self.p:.4g} (below {self.p_lower:.4g}, "
            f"above {self.p_upper:.4g}; {self.method}, {self.method_note}); "
            f"{100 * self.interval.level:g}% interval {self.interval}"
        )


def equivalence(
    difference: Paired | Estimate,
    margin: float | tuple[float, float],
    *,
    test: str | None = None,
    assume: Literal["symmetric"] | None = None,
    level: float = 0.95,
) -> Equivalence:
    """Test, twice one-sided, that a difference is smaller than a margin.

    A large p-value of a test for a difference does not show that there is none. Here the nulls are that the difference
    is as large as the margin, so that a small p-value shows that it is smaller. Of a metric of which lower values are
    better, give the difference b - a, or read `p_upper` as that of non-inferiority.

    Of means the tests hold for every number of units and every distribution: of values that are all 0 or 1 they are
    exact, of others they are bets between the bounds of the metric. Where bounds are not known, they hold as long as
    values stay within a range guessed from those observed, and the interval's `reason` says so; fewer than 20 units
    show nothing then, unless all values lie in [0, 1]. Of other forms the test is that of the difference itself, of the
    value at the margin instead of 0, and approximate. Two tests at level 0.95 decide as the 90 % interval does, and
    generally as that at ``2 level - 1``. `certus.compare` tests each side at half of what its level leaves, 0.025 by
    default, so that the 95 % interval of the row decides.

    Parameters
    ----------
    difference
        The difference, from `paired`, `difference` or `paired_scores`.
    margin
        The largest difference that does not matter, above 0; or a pair, from below 0 to above 0.
    test
        None takes, where the permutation test found a difference of means, ``"betting"``; otherwise the test that found
        the difference. A test in which predictions trade places has no such form, and gives no p-value. By name there
        are ``"betting"`` and ``"permutation"`` for means, and

        - ``"t"``: the distance to the margin over the standard error of the form.

        Where all units agree and the metric is not bounded, so that nothing shows a spread, p is ``2^-n``: that of n
        units which all lie on one side of the margin, n being those of the smallest stratum. Of a bounded metric it is
        the probability that all units miss a share of others large enough to reach the margin.
    assume
        ``"symmetric"``: the differences of units are symmetric around their mean. The test of means is then that of
        the sign flips of the differences moved by the margin, which is narrower, and wrong where rare losses or a skew
        break the assumption.
    level
        One less the significance level of each of the two tests.

    Returns
    -------
    Equivalence

    Raises
    ------
    DataError
        The margin or the level is no such number.
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
    not shown with margin -0.03 to 0.03: p = 0.8416 (below 0.8416, above 0.8249; betting, bets); \
90% interval [-0.3941, 0.3921]
    >>> print(equivalence(found, 0.03, assume="symmetric"))
    equivalent with margin -0.03 to 0.03: p = 0.01562 (below 0.01562, above 0.01562; permutation, lattice); \
90% interval [-0.0100, 0.0100]
    """
    if not 0.5 < level < 1:
        raise DataError(f"is {level}", "it must lie between 0.5 and 1", argument="level")
    check_assume(assume)
    if assume is not None and test is not None:
        raise MetricNameError("decides about the test, which is given", "leave one of them out", argument="assume")
    is_flipped = isinstance(difference, Paired) and difference.method in _FLIPS
    if test is None and is_flipped and _is_linear(difference, estimate_of(difference)):
        test = "permutation" if assume else "betting"
    return against_margin(difference, margin, _alpha(level), test)


def check_assume(assume: object) -> None:
    """Refuse an unknown assumption."""
    if assume not in (None, "symmetric"):
        raise MetricNameError(f"is {assume!r}", "it must be 'symmetric', or left out", argument="assume")


def against_margin(
    difference: Paired | Estimate, margin: float | tuple[float, float], alpha: float, test: str | None = None
) -> Equivalence:
    """`equivalence` at a significance level `alpha` that is exact to its last digit."""
    low, high = _margin(margin)
    estimate = estimate_of(difference)
    name, interval_of_test = _test(difference, estimate, test)
    request = Request(1 - 2 * alpha, estimate.bounds, estimate.replicates, estimate.seed)
    reason = estimate.reason or (
        "" if interval_of_test.tail_probability is not None else interval_of_test.limits(request).reason
    )
    limits, lower, upper, method_note = Limits.undefined(reason), math.nan, math.nan, ""
    if not reason:
        (lower, lower_note), (upper, upper_note) = (
            _p_beyond(interval_of_test, *end, request) for end in ((low, "greater"), (high, "less"))
        )
        method_note = " and ".join(dict.fromkeys(filter(None, (lower_note, upper_note))))
        if math.isnan(lower + upper):
            limits, lower, upper, method_note, reason = Limits.undefined(lower_note), math.nan, math.nan, "", lower_note
        else:
            limits = interval_of_test.limits(request)
            limits = limits._replace(
                low=limit_agreeing_with_p(limits.low, low, lower, alpha),
                high=-limit_agreeing_with_p(-limits.high, -high, upper, alpha),
            )
    verdict = {(True, True): "equivalent", (True, False): "not inferior", (False, True): "not superior"}.get(
        (_is_significant(lower, alpha), _is_significant(upper, alpha)), "not shown"
    )
    interval = Interval(limits.low, limits.high, 1 - 2 * alpha, interval_of_test.name, limits.reason)
    p = max(lower, upper)
    return Equivalence((low, high), lower, upper, p, interval, 1 - alpha, name, method_note, verdict, reason)


def _p_beyond(interval: OwnInterval, shift: float, side: Side, request: Request) -> tuple[float, str]:
    """P-value of the hypothesis that the difference is `shift` or beyond; 0 if the metric cannot differ so much."""
    lowest, greatest = request.bounds
    if interval.tail_probability is None or not lowest <= shift <= greatest:
        return 0.0, "beyond the bounds of the metric"
    return interval.tail_probability(shift, side, request)


def limit_agreeing_with_p(limit: float, margin: float, p: float, alpha: float) -> float:
    """Move a numerically found lower limit to the side of the margin that its p-value implies."""
    if math.isnan(limit):
        return limit
    return max(limit, math.nextafter(margin, math.inf)) if _is_significant(p, alpha) else min(limit, margin)


def _alpha(level: float) -> float:
    """Significance level, without the rounding error of ``1 - level``."""
    return round(1 - level, 15)


def _is_significant(p: float, alpha: float) -> bool:
    """True if the p-value is at most alpha, up to rounding."""
    return p <= alpha * (1 + ROUNDING)


def _margin(margin: float | tuple[float, float]) -> tuple[float, float]:
    """Check the margin and return its lower and upper end."""
    low, high = margin if isinstance(margin, tuple | list) else (-margin, margin)
    if not -math.inf < low < 0 < high < math.inf:
        raise DataError(f"is {margin}", "give a number above 0, or a pair from below 0 to above 0", argument="margin")
    return float(low), float(high)


def _is_linear(difference: Paired | Estimate, estimate: Estimate) -> bool:
    """True for arithmetic means, also over clusters if the values are known."""
    statistic = estimate.statistic
    if isinstance(statistic, Mean):
        return statistic.scale == "linear" and not statistic.total
    return isinstance(statistic, Ratio) and isinstance(difference, Paired) and difference.values is not None


def _test(difference: Paired | Estimate, estimate: Estimate, method: str | None) -> tuple[str, OwnInterval]:
    """Name of the test against a margin, and the interval that inverts it."""
    interval, statistic = estimate.own_interval, estimate.statistic
    name = "" if interval is None else difference.method if isinstance(difference, Paired) else interval.name
    asked_name = None if method is None else MARGIN_TESTS.find(method) or method
    linear = _is_linear(difference, estimate)
    if interval is not None and asked_name in (None, name):
        return name, interval
    by_name = ("permutation", "betting") if linear else ()
    offered = tuple(dict.fromkeys((*filter(None, (name,)), *by_name, "t")))
    if asked_name is not None and asked_name not in offered:
        raise MetricNameError(f"no test against a margin is named {method!r} here", f"there are {', '.join(offered)}")
    if isinstance(statistic, Mean | Ratio) and linear and asked_name != "t":
        values = difference.values if isinstance(difference, Paired) else None
        if isinstance(statistic, Ratio):
            sample = PairedDifferences.from_sums(statistic.numerators, statistic.denominators, statistic.unit, values)
        else:
            sample = PairedDifferences.from_sums(statistic.values, np.ones(statistic.n), statistic.unit, values)
        chosen = asked_name or "betting"
        return chosen, own_interval(sample, chosen)
    law = student.Student(estimate.value, *student.error_and_freedom(statistic, estimate.bounds))
    if law.error > TOLERANCE * max(abs(law.centre), 1.0):
        return "t", law.own_interval("t", law.centre)
    units = min(getattr(statistic, "sizes", (statistic.n,)))
    return "t", no_interval("t", NO_SPREAD)._replace(tail_probability=partial(_constant_beyond, law, units))


def _constant_beyond(
    student: student.Student, units: int, shift: float, side: Side, _request: Request
) -> tuple[float, str]:
    """P-value against a shift if all units agree; NaN for a single unit."""
    if math.isnan(student.error):
        return math.nan, "a single unit, alone or in its stratum, has no variance"
    return constant_beyond(student.centre, units, shift, side, (-math.inf, math.inf))
