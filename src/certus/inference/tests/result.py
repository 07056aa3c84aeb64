"""The findings of a comparison of two systems."""

import math
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from certus.errors import DataError
from certus.inference.estimate import Estimate
from certus.inference.interval import Interval
from certus.inference.tests.declare import TESTS
from certus.readable import Readable
from certus.statistic import Influence
from certus.statistic.common import Bounds

Alternative = Literal["two-sided", "greater", "less"]

LimitsFor = Literal["guaranteed", "symmetric"]
"""Limits that hold for every number of units and distribution, or where differences are symmetric around their mean."""

Found = tuple[float, float, str, float, str]
"""p, the statistic, how p was computed, its error, why there is none."""


class Finding(Protocol):
    """The names that the result of every test shares.

    Attributes
    ----------
    p
        The p-value, or one for each comparison; NaN where there is none.
    error
        Bound or estimate of the error of p; 0 where it is exact up to rounding.
    statistic
        The number that the test is based on.
    method
        The name of the test.

    Notes
    -----
    Results of two systems also have the `difference` (of `RatioTest` the `ratio`) as an estimate and its `interval`;
    those with drawn p-values have limits of p, `p_interval`.
    """

    @property
    def p(self) -> Any:
        """The p-value."""

    @property
    def error(self) -> Any:
        """The error of p."""

    @property
    def statistic(self) -> Any:
        """The number that the test is based on."""

    @property
    def method(self) -> str:
        """The name of the test."""


@dataclass(frozen=True)
class Paired(Readable):
    """The findings of a comparison of two systems.

    Attributes
    ----------
    difference
        The value of a less that of b, with its interval.
    p
        The p-value; NaN where `reason` says so.
    statistic
        What the test is based on, in its usual form.
    method, alternative
        The test and its side.
    how
        How the p-value was computed, such as ``"lattice"`` for an exact permutation test.
    error
        Bound or estimate of the error of p; 0 where it is exact up to rounding.
    wins, ties, losses
        On how many units a is above, equal to and below b; None where units have no values of their own.
    effect
        Mean difference over the standard deviation of the differences (Cohen's d_z); NaN where that is 0 or where units
        have no values of their own.
    reason
        Why there is no p-value; empty where there is one.
    values
        The range taken for the values of both systems where their bounds are not known; None where units have no
        values.
    """

    difference: Estimate
    p: float
    statistic: float
    method: str
    alternative: Alternative
    how: str
    error: float
    wins: int | None
    ties: int | None
    losses: int | None
    effect: float
    reason: str = ""
    values: Bounds | None = None

    def interval(self, level: float | None = None, method: str | None = None) -> Interval:
        """The interval of the difference, see `Estimate.interval`; by default that of the test."""
        return self.difference.interval(level, method)

    def __str__(self) -> str:
        how = f", {self.how}" if self.how else ""
        shown = f"p = {self.p:.4g} ({TESTS[self.method]}{how})" if not self.reason else f"no p-value: {self.reason}"
        lines = [f"difference {self.difference}", shown]
        if self.wins is not None:
            effect = "" if math.isnan(self.effect) else f"; effect size {self.effect:.3f}"
            lines.append(f"a above b on {self.wins}, equal on {self.ties}, below on {self.losses}{effect}")
        return "\n".join(lines)


def estimate_of(found: Paired | Estimate) -> Estimate:
    """The difference of what a paired test found, or the estimate itself."""
    if isinstance(found, Paired):
        return found.difference
    if not isinstance(found, Estimate):
        raise DataError(
            f"found is {type(found).__name__}", "give what paired() or difference() returned, or an Estimate"
        )
    return found


def of_difference(bounds: Bounds) -> Bounds:
    """Between which bounds a difference of two values of a metric lies.

    Examples
    --------
    >>> of_difference((0.0, 1.0))
    (-1.0, 1.0)
    """
    least, greatest = bounds
    if not least <= greatest:
        raise DataError(f"is {bounds}", "give the least and the greatest value of the metric", argument="bounds")
    return float(least) - float(greatest), float(greatest) - float(least)


def undefined(reason: str, n: int, unit: str, method: str, alternative: Alternative) -> Paired:
    """No difference, for the reason given."""
    nothing = Estimate(Influence(math.nan, (n,), (math.nan,), undefined_reason=reason, unit=unit), metric="difference")
    return Paired(nothing, math.nan, math.nan, method, alternative, "", 0.0, None, None, None, math.nan, reason)
