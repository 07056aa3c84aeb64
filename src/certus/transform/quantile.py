"""The quantiles of a law of which the tails can be computed."""

import math
from collections.abc import Callable

__all__ = ["SAME", "quantile"]

SAME = 1e-12
"""Values that differ by less than this part of the support's width are one value: sums of fractions are rounded."""

_STEPS = 100
_NEARER = 4
_NEAR = 1e-9
"""Relative difference of the tail at which a smooth law's quantile is found."""


def quantile(
    logs: Callable[[float], tuple[float, float]],
    q: float,
    lower: bool,
    support: tuple[float, float],
    moments: tuple[float, float, float],
    least_from: Callable[[float], float | None] | None,
    nearer: Callable[[float, float, float], float] | None = None,
    width: float | None = None,
) -> float:
    """Least x with P(X <= x) >= q (`lower`), or with P(X > x) <= q.

    The secant method on the normal scale, on which a tail is nearly straight, held within a bracket. An atomic law is
    bisected to the rounding of its values, then put on an atom.

    Parameters
    ----------
    logs
        Logs of P(X <= x) and P(X > x).
    support, moments
        Least and greatest value; mean, standard deviation and skewness, to start from.
    least_from
        The least possible value from some x on; None for a law without noticeable atoms.
    nearer
        Gives a value nearer to the quantile than x, from x and the logs of both tails wanted; spares questions.
    width
        How near values are taken for one; None for the rounding of the support. With a width `least_from` is asked at
        the place that was reached.
    """
    from scipy.special import ndtri, ndtri_exp

    def asked(x: float) -> tuple[float, bool]:
        """The place of x on the normal scale, and whether it reaches q."""
        below, above = logs(x)
        z = float(ndtri_exp(below)) if below < above else -float(ndtri_exp(above))
        # A q that is a rounded P(X <= x) gives that x back.
        return z, below >= math.log(q) - 2 * SAME if lower else above <= math.log(q) + 2 * SAME

    goal = float(ndtri(q)) if lower else -float(ndtri(q))
    low, high = support
    mean, std, skewness = moments
    back, width = (SAME * (high - low),) * 2 if width is None else (0.0, width)
    guess = mean + std * (goal + (0.0 if math.isnan(skewness) else skewness * (goal * goal - 1) / 6))
    x = min(max(guess, low + 0.01 * (mean - low)), high - 0.01 * (high - mean))
    wanted = (math.log(q), math.log1p(-q)) if lower else (math.log1p(-q), math.log(q))
    for _ in range(_NEARER):
        if nearer is None:
            break
        before, x = x, min(max(nearer(x, *wanted), low + 0.01 * (x - low)), high - 0.01 * (high - x))
        if abs(x - before) < 0.5 * std:
            break
    last: tuple[float, float] | None = None
    for step in range(_STEPS):
        z, reached = asked(x)
        # An atom at x belongs to P(X <= x); the quantile is the least x that reaches the goal.
        if reached:
            high = x
        else:
            low = x
        if high - low <= width or (least_from is None and abs(z - goal) <= _NEAR * 0.1):
            break
        slope = (z - last[1]) / (x - last[0]) if last is not None and x != last[0] else 1 / std
        last = (x, z)
        move = (goal - z) / slope if slope > 0 and math.isfinite(z) else math.nan
        following = x + move
        # A jump, or a secant that leaves the bracket or hardly moves, is halved.
        if not low < following < high or (least_from is not None and step % 3 == 2):
            following = (low + high) / 2
        x = following
    if least_from is None:
        return x
    found = least_from(high - back)
    return high if found is None else found
