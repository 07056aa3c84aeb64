"""Verdicts on differences."""

from math import isnan
from typing import Literal

from certus.comparison.row import Verdict

__all__ = ["at_most", "verdict"]


def at_most(p: float | None, alpha: float) -> bool:
    """Whether p is at most alpha, up to the rounding of ``1 - level``; NaN is not."""
    return p is not None and p <= alpha * (1 + 1e-12)


def verdict(
    difference: float,
    p: float,
    equivalent: bool,
    alpha: float,
    better: Literal["higher", "lower"] | None,
) -> Verdict:
    """The verdict that adjusted p-values give on a difference.

    Parameters
    ----------
    difference
        System less baseline.
    p
        The p-value of no difference.
    equivalent
        Whether it is shown to be smaller than the margin. Then it is a tie, even where it is also shown not to be 0:
        the margin says that it does not matter.
    alpha
        p-values up to this are significant.
    better
        Which values of the metric are better.

    Examples
    --------
    >>> verdict(-0.02, 0.001, False, 0.05, "higher"), verdict(-0.02, 0.001, False, 0.05, "lower")
    ('worse', 'better')
    >>> verdict(0.001, 0.01, True, 0.05, "higher"), verdict(0.001, 0.3, False, 0.05, "higher")
    ('tied within the margin', 'not separable')
    """
    if equivalent:
        return "tied within the margin"
    if not at_most(p, alpha) or difference == 0 or isnan(difference):
        return "not separable"
    if better is None:
        return "higher" if difference > 0 else "lower"
    return "better" if (difference > 0) == (better == "higher") else "worse"
