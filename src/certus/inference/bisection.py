"""Searches for the least whole number at which a condition holds."""

import math
from collections.abc import Callable

from certus.inference.special import normal_quantile

PATIENCE = 12
"""Secants after which halving takes over."""


def first_true(holds: Callable[[int], bool], low: int, high: int, guess: int | None = None, step: int = 1) -> int:
    """The least whole number above `low` at which an increasing condition holds; it holds at `high`, not at `low`."""
    if guess is not None:
        at = min(max(guess, low + 1), high)
        step = max(step, 1)
        if at == high or holds(at):
            high = at
            while high - step > low and holds(high - step):
                high, step = high - step, 2 * step
            low = max(low, high - step)
        else:
            low = at
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


def least_above(
    chance: Callable[[int], float],
    target: float,
    low: int,
    high: int,
    guess: float,
    spread: float,
    straight: Callable[[float], float] = normal_quantile,
) -> int:
    """The least whole number above `low` at which an increasing chance exceeds the target, as it does at `high`."""
    wanted = straight(target)
    x, before, evaluations = math.floor(guess), (math.nan, math.nan), 0
    while high - low > 1:
        x = min(max(x, low + 1), high - 1)
        found = chance(x)
        if found > target:
            high = x
        else:
            low = x
        here = (float(x), straight(found))
        rise, run = here[1] - before[1], here[0] - before[0]
        slope = rise / run if run and rise / run > 0 else 1 / max(spread, 1e-300)
        place = here[0] + (wanted - here[1]) / slope
        evaluations += 1
        x = math.floor(place) + 1 if evaluations < PATIENCE and math.isfinite(place) else (low + high) // 2
        before = here
    return high
