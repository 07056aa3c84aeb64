"""Searches for the least whole number at which a condition holds."""

import math
from collections.abc import Callable

from certus.inference.special import normal_quantile

MAX_SECANTS = 12
"""Secants after which halving takes over."""


def first_true(holds: Callable[[int], bool], low: int, high: int, guess: int | None = None, step: int = 1) -> int:
    """The least whole number above `low` at which an increasing condition holds; it holds at `high`, not at `low`."""
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
    """The greatest whole number up to `high` at which a decreasing condition holds, as it does at `low`."""
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
    """The least whole number above `low` at which an increasing probability exceeds the target, as it does at `high`.

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
