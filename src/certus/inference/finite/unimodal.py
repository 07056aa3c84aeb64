"""Laws on whole numbers, made from the ratios of neighbouring probabilities.

A ratio of two neighbours is a rational function with four factors, right to a few units in the last place whatever
the population; logarithms of factorials of a billion would have lost seven digits. So probabilities are products of
ratios outwards from the mode, divided by their sum.
"""

import math
from collections.abc import Callable

import numpy as np

from certus.arrays import Floats
from certus.inference.finite.count_law import CountLaw
from certus.inference.special import normal_quantile

__all__ = ["SLACK", "Window", "compress", "first_true", "least_above", "window"]


SLACK = 1e-11
"""Probabilities that differ by no more than this part of themselves are equal: exact ties must not hang on rounding."""

NEGLIGIBLE = 1e-24


class Window:
    """Probabilities of the whole numbers from `first` on; outside of the window they are less than 1e-22 in all."""

    __slots__ = ("_above", "_below", "first", "pmf")

    def __init__(self, first: int, weights: Floats) -> None:
        self.first = first
        self.pmf: Floats = weights / weights.sum()
        self._below: Floats | None = None
        self._above: Floats | None = None

    @property
    def last(self) -> int:
        """The last number of the window."""
        return self.first + len(self.pmf) - 1

    @property
    def below(self) -> Floats:
        """The probability of each number of the window or a smaller one, small sums right to their last digits."""
        if self._below is None:
            self._below = np.minimum(np.cumsum(self.pmf), 1.0)
        return self._below

    @property
    def above(self) -> Floats:
        """The probability of each number of the window or a greater one."""
        if self._above is None:
            self._above = np.minimum(np.cumsum(self.pmf[::-1])[::-1], 1.0)
        return self._above

    def at(self, x: int) -> float:
        """The probability of `x`."""
        return float(self.pmf[x - self.first]) if self.first <= x <= self.last else 0.0

    def at_most(self, x: int) -> float:
        """The probability of `x` or less."""
        return 0.0 if x < self.first else 1.0 if x >= self.last else float(self.below[x - self.first])

    def at_least(self, x: int) -> float:
        """The probability of `x` or more."""
        return 1.0 if x <= self.first else 0.0 if x > self.last else float(self.above[x - self.first])

    def between(self, low: int, high: int) -> float:
        """The probability of `low` to `high`."""
        return float(self.pmf[max(low - self.first, 0) : max(high - self.first + 1, 0)].sum())

    def run(self, low: int, high: int) -> Floats:
        """The probability of each number from `low` to `high`."""
        found = np.zeros(high - low + 1)
        first, last = max(low, self.first), min(high, self.last)
        if first <= last:
            found[first - low : last - low + 1] = self.pmf[first - self.first : last - self.first + 1]
        return found


def window(ratio: Callable[[Floats], Floats], start: int, low: int, high: int, scale: float) -> Window:
    """The law on `low` to `high` whose probabilities of x + 1 and x have the ratio ``ratio(x)``.

    `start` is its mode and `scale` about its standard deviation.
    """
    up = _outwards(lambda step: ratio(start + step), high - start, scale)
    down = _outwards(lambda step: 1 / ratio(start - 1 - step), start - low, scale)
    return Window(start - len(down), np.concatenate([down[::-1], [1.0], up]))


def _outwards(factor: Callable[[Floats], Floats], steps: int, scale: float) -> Floats:
    """The products of the factors of steps 0, 1, ... until they are negligible."""
    parts: list[Floats] = []
    done, last, size = 0, 1.0, 11 * math.ceil(scale) + 16
    while done < steps and (last > NEGLIGIBLE or not parts):
        size = min(size, steps - done)
        factors = factor(np.arange(done, done + size, dtype=np.float64))
        products = last * np.cumprod(factors, dtype=np.float64)
        parts.append(products)
        done, last, size = done + size, float(products[-1]), 2 * size
    return np.concatenate(parts) if parts else np.empty(0)


def first_true(holds: Callable[[int], bool], low: int, high: int, guess: int | None = None, step: int = 1) -> int:
    """The least whole number above `low` of which an increasing condition holds; it does of `high`, not of `low`.

    The search starts at the guess and doubles its steps from there, so that a good guess makes it short.
    """
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
    """The least whole number above `low` of which an increasing chance exceeds the target, as it does of `high`.

    `straight` makes the chance nearly linear in the number, with the slope 1 / `spread`: secants find the place in some
    five steps, from the guess. Halving follows should they not.
    """
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


PATIENCE = 12
"""Secants after which halving takes over."""


NODES = 12
WIDTH = 1 / 8
"""Half the width of a block, in units of its middle."""
SINGLE = 256
_SLICE = 1 << 16


def compress(law: CountLaw) -> tuple[Floats, Floats]:
    """Points and weights with ``sum(weights * f(points))`` close to the expectation of f.

    Counts up to 256 stay as they are. The others are cut into blocks ``[m (1 - 1/8), m (1 + 1/8)]``; in each, f is
    replaced by its interpolation at 12 Chebyshev points, whose weights are the expectations of the Lagrange
    polynomials. A function that is analytic but at 0 and below, such as ``x / (x + y)``, is met to ``15.9**-12``, or
    4e-15, of its size.
    """
    points, weights = [], []
    first = law.start
    while first <= law.last:
        last = min(math.floor(first * (1 + WIDTH) / (1 - WIDTH)), law.last) if first > SINGLE else first
        if last - first < 2 * NODES:
            last = min(first + 2 * NODES, law.last)
            mass = law.mass[first - law.start : last + 1 - law.start]
            points.append(np.arange(first, last + 1, dtype=np.float64))
            weights.append(mass)
        else:
            nodes, found = _block(law, first, last)
            points.append(nodes)
            weights.append(found)
        first = last + 1
    return np.concatenate(points), np.concatenate(weights)


def _block(law: CountLaw, first: int, last: int) -> tuple[Floats, Floats]:
    """Chebyshev points of the first kind, and the expectations of their Lagrange polynomials over a block."""
    middle, half = (first + last) / 2, (last - first) / 2
    angles = (2 * np.arange(NODES) + 1) * (math.pi / (2 * NODES))
    nodes = np.cos(angles)
    # The Lagrange polynomial of node j is (1 + 2 sum_k T_k(node j) T_k(t)) / NODES over k = 1 .. NODES - 1.
    moments = np.zeros(NODES)
    for begin in range(first, last + 1, _SLICE):
        end = min(begin + _SLICE, last + 1)
        t = (np.arange(begin, end, dtype=np.float64) - middle) / half
        mass = law.mass[begin - law.start : end - law.start]
        before, now = np.ones_like(t), t
        moments[0] += mass.sum()
        for k in range(1, NODES):
            moments[k] += mass @ now
            before, now = now, 2 * t * now - before
    scale = np.full(NODES, 2.0)
    scale[0] = 1.0
    polynomials = np.cos(np.outer(angles, np.arange(NODES)))
    return middle + half * nodes, polynomials @ (scale * moments) / NODES
