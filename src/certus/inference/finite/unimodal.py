"""Laws on whole numbers, made from the ratios of neighbouring probabilities.

A ratio of two neighbours is a rational function with four factors, right to a few units in the last place whatever
the population; logarithms of factorials of a billion would have lost seven digits. So probabilities are products of
ratios outwards from the mode, divided by their sum.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import CertusError

SLACK = 1e-11
"""Probabilities that differ by no more than this part of themselves are equal: exact ties must not hang on rounding."""

NEGLIGIBLE = 1e-24
"""Probabilities of at most this part of the greatest one end a window."""

CUT = 1e-22
"""Mass outside of a window, at most."""

LONGEST = 20_000_000
"""Longest window: 160 MB an array, of which there are about six."""

_DIRECT = 300_000_000
"""Products that a convolution may cost before it is done by Fourier transforms."""


@dataclass(frozen=True, eq=False)
class CountLaw:
    """``P(X = start + i) = mass[i]``; `cut` bounds the mass left out, `error` the absolute error of a probability."""

    start: int
    mass: Floats
    cut: float = 0.0
    error: float = 0.0

    @property
    def last(self) -> int:
        """The last number of the window."""
        return self.start + len(self.mass) - 1

    @functools.cached_property
    def up_to(self) -> Floats:
        """``P(X < start + i)`` for i from 0 to the length of the window, small sums right to their last digits."""
        return np.concatenate(([0.0], np.minimum(np.cumsum(self.mass)[:-1], 1.0), [1.0]))

    @functools.cached_property
    def upper_sums(self) -> Floats:
        """``P(X >= start + i)`` for i from 0 to the length of the window."""
        return np.concatenate(([1.0], np.minimum(np.cumsum(self.mass[:0:-1]), 1.0)[::-1], [0.0]))

    def chances_below(self, x: NDArray[np.int64]) -> Floats:
        """``P(X < x)``."""
        return self.up_to[np.clip(x - self.start, 0, len(self.mass))]

    def chances_from(self, x: NDArray[np.int64]) -> Floats:
        """``P(X >= x)``."""
        return self.upper_sums[np.clip(x - self.start, 0, len(self.mass))]

    @functools.cached_property
    def support(self) -> NDArray[np.int64]:
        """The numbers of the window."""
        return np.arange(self.start, self.last + 1, dtype=np.int64)

    def probability(self, x: int) -> float:
        """``P(X = x)``."""
        return float(self.mass[x - self.start]) if self.start <= x <= self.last else 0.0

    def lower_tail(self, x: int) -> float:
        """``P(X <= x)``."""
        return float(self.up_to[min(max(x + 1 - self.start, 0), len(self.mass))])

    def upper_tail(self, x: int) -> float:
        """``P(X >= x)``."""
        return float(self.upper_sums[min(max(x - self.start, 0), len(self.mass))])

    def interval_probability(self, low: int, high: int) -> float:
        """``P(low <= X <= high)``."""
        return float(self.mass[max(low - self.start, 0) : max(high - self.start + 1, 0)].sum())

    def run(self, low: int, high: int) -> Floats:
        """The probability of each number from `low` to `high`."""
        chances = np.zeros(high - low + 1)
        first, last = max(low, self.start), min(high, self.last)
        if first <= last:
            chances[first - low : last - low + 1] = self.mass[first - self.start : last - self.start + 1]
        return chances


def window(
    ratio: Callable[[Floats], Floats], mode: int, low: int, high: int, scale: float, subject: str = "", shift: int = 0
) -> CountLaw:
    """The law on `low` to `high` whose probabilities of x + 1 and x have the ratio ``ratio(x)``, `shift` added."""
    up = _outwards(lambda step: ratio(mode + step), high - mode, scale, subject)
    down = _outwards(lambda step: 1 / ratio(mode - 1 - step), mode - low, scale, subject)
    mass = np.concatenate([down[::-1], [1.0], up])
    complete = len(mass) == high - low + 1
    return CountLaw(mode - len(down) + shift, mass / mass.sum(), 0.0 if complete else CUT, 2e-16 * math.sqrt(len(mass)))


def _outwards(factor: Callable[[Floats], Floats], steps: int, scale: float, subject: str) -> Floats:
    """The products of the factors of steps 0, 1, ... until they are negligible."""
    parts: list[Floats] = []
    n_steps, last, size = 0, 1.0, 11 * math.ceil(scale) + 16
    while n_steps < steps and (last > NEGLIGIBLE or not parts):
        if n_steps >= LONGEST:
            raise CertusError(
                f"the number of relevant items {subject} stays open over more than {n_steps} values",
                f"the exact sum takes at most {LONGEST}: check more items",
            )
        size = min(size, steps - n_steps, LONGEST)
        products = last * np.cumprod(factor(np.arange(n_steps, n_steps + size, dtype=np.float64)), dtype=np.float64)
        parts.append(products)
        n_steps, last, size = n_steps + size, float(products[-1]), 2 * size
    return np.concatenate(parts) if parts else np.empty(0)


def beta_binomial(trials: int, a: float, b: float, shift: int = 0) -> CountLaw:
    """The law of X with ``P(X = x) = C(T, x) B(x + a, T - x + b) / B(a, b)``, `shift` added."""

    def ratio(x: Floats) -> Floats:
        return (x + a) * (trials - x) / ((x + 1) * (trials - x - 1 + b))

    subject = f"among {trials} unchecked ones"
    return window(
        ratio, beta_binomial_mode(trials, a, b), 0, trials, beta_binomial_spread(trials, a, b), subject, shift
    )


def beta_binomial_mode(trials: int, a: float, b: float) -> int:
    """The likeliest count; an end where that is likeliest, or all counts are alike."""
    if min(a, b) <= 1:
        return 0 if a <= b else trials
    return min(max(math.floor((trials + 1) * ((a - 1) / (a + b - 2))), 0), trials)


def beta_binomial_spread(trials: int, a: float, b: float) -> float:
    """The standard deviation of the count."""
    return math.sqrt(trials * (a / (a + b)) * (b / (a + b)) * ((a + b + trials) / (a + b + 1)))


def total_law(parts: list[tuple[int, float, float, int]]) -> CountLaw:
    """The sum of independent beta-binomial counts, each given as ``(trials, a, b, shift)``; 0 for none."""
    laws = sorted((beta_binomial(*part) for part in parts), key=lambda law: len(law.mass))
    total = CountLaw(0, np.ones(1))
    for law in laws:
        total = _sum(total, law)
    return total


def _sum(x: CountLaw, y: CountLaw) -> CountLaw:
    """Convolves; by Fourier transforms where that is much cheaper, which costs an absolute error of about 1e-15."""
    length = len(x.mass) + len(y.mass) - 1
    if length > LONGEST:
        raise CertusError(
            f"the number of relevant items in the strata stays open over {length} values",
            f"the exact sum takes at most {LONGEST}: check more items",
        )
    error = x.error + y.error
    if len(x.mass) * len(y.mass) <= _DIRECT:
        mass = np.convolve(x.mass, y.mass)
    else:
        size = 1 << (length - 1).bit_length()
        mass = np.fft.irfft(np.fft.rfft(x.mass, size) * np.fft.rfft(y.mass, size), size)[:length]
        # Rounding of the transforms leaves at most about 1e-16 log2(size) |x| |y| on each of the values.
        norms = float(np.linalg.norm(x.mass) * np.linalg.norm(y.mass))
        error += 4e-16 * math.log2(size) * norms * math.sqrt(length)
        mass = np.maximum(mass, 0.0)
    return CountLaw(x.start + y.start, mass / mass.sum(), x.cut + y.cut, error)


NODES = 12
WIDTH = 1 / 8
"""Half the width of a block, in units of its middle."""
SINGLE = 256
_SLICE = 1 << 16


def compress(law: CountLaw) -> tuple[Floats, Floats]:
    """Points and weights with ``sum(weights * f(points))`` close to the expectation of f."""
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
            nodes, expectations = _block(law, first, last)
            points.append(nodes)
            weights.append(expectations)
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
