"""The quantiles of a law of which the tails can be computed."""

import math
from collections.abc import Callable

RELATIVE_TOLERANCE = 1e-12
"""Values that differ by less than this part of the support's width are one value: sums of fractions are rounded."""

_STEPS = 150
"""An atomic law halves its bracket in about a third of them: 40 times for the rounding of the values."""
_NEARER = 4
_NEAR = 1e-9
"""Relative difference of the tail at which a smooth law's quantile is found."""
_CLOSE, _LONGER = 4, 8
_SKEWED = 1.0
"""Skewness beyond which a law is far from normal: its quantiles lie near those of a log-normal law."""


def quantile(
    logs: Callable[[float], tuple[float, float]],
    q: float,
    lower: bool,
    support: tuple[float, float],
    moments: tuple[float, float, float],
    next_value: Callable[[float], float | None] | None,
    nearer: Callable[[float, float, float], float] | None = None,
    width: float | None = None,
) -> float:
    """Least x with P(X <= x) >= q (`lower`), or with P(X > x) <= q.

    The secant method on the normal scale, on which a tail is nearly straight, held within a bracket. An atomic law is
    bisected to the rounding of its values, then put on an atom.
    """
    from scipy.special import ndtri, ndtri_exp

    def evaluate(x: float) -> tuple[float, bool]:
        """The place of x on the normal scale, and whether it reaches q."""
        log_lower, log_upper = logs(x)
        z = float(ndtri_exp(log_lower)) if log_lower < log_upper else -float(ndtri_exp(log_upper))
        # A q that is a rounded P(X <= x) gives that x back.
        return z, log_lower >= math.log(q) - 2 * RELATIVE_TOLERANCE if lower else log_upper <= math.log(
            q
        ) + 2 * RELATIVE_TOLERANCE

    goal = float(ndtri(q)) if lower else -float(ndtri(q))
    low, high = support
    mean = moments[0]
    start = Start(support, moments)
    back, width = (RELATIVE_TOLERANCE * (high - low),) * 2 if width is None else (0.0, width)
    x = min(max(start.quantile(goal), low + 0.01 * (mean - low)), high - 0.01 * (high - mean))
    wanted = (math.log(q), math.log1p(-q)) if lower else (math.log1p(-q), math.log(q))
    for _ in range(_NEARER):
        if nearer is None:
            break
        before, x = x, min(max(nearer(x, *wanted), low + 0.01 * (x - low)), high - 0.01 * (high - x))
        if abs(x - before) < 0.2 * start.unit(x):
            break
    last: tuple[float, float] | None = None
    stride = width
    for step in range(_STEPS):
        z, reached = evaluate(x)
        # An atom at x belongs to P(X <= x); the quantile is the least x that reaches the goal.
        if reached:
            high = x
        else:
            low = x
        if high - low <= width or (next_value is None and abs(z - goal) <= _NEAR * 0.1):
            break
        slope = (z - last[1]) / (x - last[0]) if last is not None and x != last[0] else 1 / start.unit(x)
        last = (x, z)
        move = (goal - z) / slope if slope > 0 and math.isfinite(z) else math.nan
        following = x + move
        if next_value is not None and abs(move) < _CLOSE * width:
            # Right beside the place, most of the bracket is on the other side of it.
            following, stride = (x - stride if reached else x + stride), _LONGER * stride
        elif next_value is not None and step % 3 == 2:
            following = math.nan
        # A jump, or a secant that leaves the bracket or hardly moves, is halved.
        if not low < following < high:
            following = (low + high) / 2
        x = following
    if next_value is None:
        # With less room than rounding has, the quantile is an end of the support, or the upper end of what is left.
        return x if high - low > width else support[0] if high - support[0] <= width else high
    atom = next_value(high - back)
    return high if atom is None else atom


class Start:
    """The law that the search starts from: normal with a term of skewness, or of a very skewed law log-normal.

    The log-normal one starts at the near end of the support.
    """

    def __init__(self, support: tuple[float, float], moments: tuple[float, float, float]) -> None:
        self._mean, self._std, self._skewness = moments
        self._skewed = abs(self._skewness) > _SKEWED  # NaN is not
        self._side = 1.0 if self._skewness > 0 else -1.0
        self._end = support[0 if self._side > 0 else 1]
        room = self._side * (self._mean - self._end)
        self._spread = math.sqrt(math.log1p((self._std / room) ** 2)) if self._skewed else 0.0

    def quantile(self, z: float) -> float:
        """The value at a place on the normal scale."""
        if not self._skewed:
            bend = 0.0 if math.isnan(self._skewness) else self._skewness * (z * z - 1) / 6
            return self._mean + self._std * (z + bend)
        return self._end + (self._mean - self._end) * math.exp(self._spread * (self._side * z - self._spread / 2))

    def unit(self, x: float) -> float:
        """The distance that one unit of the normal scale is at x."""
        return self._spread * abs(x - self._end) if self._skewed else self._std
