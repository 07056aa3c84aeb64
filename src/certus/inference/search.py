"""Searches: the first integer for which a condition holds, and the value whose p-value reaches a level."""

import math
from collections.abc import Callable

from certus.inference.special import normal_quantile

MAX_SECANTS = 12
"""Secants after which halving takes over."""


def first_true(holds: Callable[[int], bool], low: int, high: int, guess: int | None = None, step: int = 1) -> int:
    """First integer after `low` for which an increasing condition holds; it is false at `low`, true at `high`."""
    if guess is not None:
        guess = min(max(guess, low + 1), high)
        step = max(step, 1)
        if guess == high or holds(guess):
            high = guess
            while high - step > low and holds(high - step):
                high, step = high - step, 2 * step
            low = max(low, high - step)
        else:
            low = guess
            while low + step < high and not holds(low + step):
                low, step = low + step, 2 * step
            high = min(high, low + step)
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


def last_true(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Last integer up to `high` for which a decreasing condition holds; it is true at `low`."""
    return first_true(lambda number: not holds(number), low, high + 1) - 1


def first_above(
    probability: Callable[[int], float],
    target: float,
    low: int,
    high: int,
    guess: float,
    spread: float,
    linearize: Callable[[float], float] = normal_quantile,
) -> int:
    """First integer after `low` whose probability, which increases, exceeds the target, as that of `high` does.

    `linearize` makes the probability nearly linear in the number, with the slope 1 / `spread`: secants from the guess
    then need some five steps. Halving follows should they not.
    """
    goal = linearize(target)
    x, previous, n_secants = math.floor(guess), (math.nan, math.nan), 0
    while high - low > 1:
        x = min(max(x, low + 1), high - 1)
        value = probability(x)
        if value > target:
            high = x
        else:
            low = x
        point = (float(x), linearize(value))
        rise, run = point[1] - previous[1], point[0] - previous[0]
        slope = rise / run if run and rise / run > 0 else 1 / max(spread, 1e-300)
        secant = point[0] + (goal - point[1]) / slope
        n_secants += 1
        x = math.floor(secant) + 1 if n_secants < MAX_SECANTS and math.isfinite(secant) else (low + high) // 2
        previous = point
    return high


ROUNDING = 1e-12
"""A p-value above its level by no more than this part is at the level: ``1 - 0.9`` is below ``0.1`` in binary."""
NEAR = 1e-4
"""Relative distance from the level within which a search for a p-value stops."""
MAX_STEPS = 12
"""Steps without a value on the other side, after which the interval is halved."""
NARROW = 1e-6
"""A step of the p-value is found up to this part of the standard error."""


def passes(p: float, tail: float) -> bool:
    """True if a value with this one-sided p-value belongs to the interval."""
    return p > tail * (1 + ROUNDING)


def first_passing(
    p: Callable[[float], float], tail: float, outside: float, inside: float, start: float, scale: float
) -> float:
    """Least value with a p-value above `tail`; accurate to `NEAR` in p or `NARROW` in the value, never below it.

    `p` does not decrease, and may go in steps. `outside` and `inside` are values whose p-values are at most the level
    and above it, `start` is a guess, and `scale` the standard error, over which the normal quantile of p rises by about
    1.
    """
    # The p-value at 0 decides on which side of 0 the value found lies, so that an interval and its test agree.
    target = normal_quantile(tail * (1 + NEAR / 2))
    heights: dict[float, float] = {}
    if outside < 0 < inside:
        heights[0.0] = p(0.0)
        if passes(heights[0.0], tail):
            inside = 0.0
        else:
            outside = 0.0
    point, last, widths = start, start, [inside - outside]
    while inside - outside > NARROW * scale:
        # The ends may lie far out, where a p-value takes long: they are not tried, nor halves from there, without need.
        outside_known = outside in heights or len(widths) > MAX_STEPS
        stuck = outside_known and len(widths) > 3 and widths[-1] > widths[-4] / 2
        if stuck or not outside < point < inside:
            point = outside + (inside - outside) / 2
        if not outside < point < inside:
            break
        heights[point] = height = p(point)
        if passes(height, tail):
            inside = point
            if height <= tail * (1 + NEAR):
                break
        else:
            outside = point
        widths = [0.0] if stuck else widths
        widths.append(inside - outside)
        end_heights = heights.get(outside), heights.get(inside)
        if end_heights[0] is not None and end_heights[1] is not None and end_heights[1] - end_heights[0] <= NEAR * tail:
            break
        point, last = _next(heights, target, last, point, scale), point
    return inside


def _next(heights: dict[float, float], target: float, before: float, last: float, scale: float) -> float:
    """Next trial value by the secant method on normal quantiles of p; the first step assumes slope 1."""
    height = normal_quantile(heights[last]) - target
    step = min(max(height, -8.0), 8.0) * scale
    if before != last and before in heights:
        rise = normal_quantile(heights[last]) - normal_quantile(heights[before])
        slope = rise / (last - before) * scale
        if 0.2 < slope < 5:
            step /= slope
    return last - step
