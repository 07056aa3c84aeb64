"""Laws on whole numbers, made from the ratios of neighbouring probabilities.

A ratio of two neighbours is a rational function with four factors, right to a few units in the last place whatever
the population; logarithms of factorials of a billion would have lost seven digits. So probabilities are products of
ratios outwards from the mode, divided by their sum.

Laws of a count over a window that holds all but a stated part of the mass are made likewise: products of ratios of
neighbours, outward from the mode, divided by their sum. Each probability is right to about the square root of the
window's length times 1e-16. Differences of log-gamma values would lose eight digits at populations of ten million.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats, sinking_products
from certus.errors import CertusError
from certus.inference.special import preload

CUT = 1e-16
"""Mass that a window leaves out on either side, at most."""

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
        """``P(X < start + i)`` for i from 0 to the length of the window."""
        return np.concatenate(([0.0], np.minimum(np.cumsum(self.mass), 1.0)))

    @functools.cached_property
    def from_on(self) -> Floats:
        """``P(X >= start + i)`` for i from 0 to the length of the window."""
        return np.concatenate((np.minimum(np.cumsum(self.mass[::-1]), 1.0)[::-1], [0.0]))

    def below(self, x: NDArray[np.int64]) -> Floats:
        """``P(X < x)``."""
        return self.up_to[np.clip(x - self.start, 0, len(self.mass))]

    def at_least(self, x: NDArray[np.int64]) -> Floats:
        """``P(X >= x)``."""
        return self.from_on[np.clip(x - self.start, 0, len(self.mass))]

    @functools.cached_property
    def support(self) -> NDArray[np.int64]:
        """The numbers of the window."""
        return np.arange(self.start, self.last + 1, dtype=np.int64)

    def at_zero(self) -> float:
        """``P(X = 0)``."""
        return float(self.mass[0]) if self.start == 0 else 0.0


def beta_binomial(trials: int, a: float, b: float, shift: int = 0) -> CountLaw:
    """`shift` and the successes in `trials` trials whose probability of success has the law Beta(a, b)."""
    first, last = _window(trials, a, b)
    if last - first >= LONGEST:
        raise CertusError(
            f"the number of relevant items among {trials} unchecked ones stays open over {last - first + 1} values",
            f"the exact sum takes at most {LONGEST}: check more items",
        )
    mode = _mode(trials, a, b, first, last)
    up = np.arange(mode, last, dtype=np.float64)  # x -> x + 1
    ratios = (trials - up) * (a + up) / ((up + 1) * (b + trials - up - 1))
    above = sinking_products(ratios)
    down = np.arange(mode, first, -1, dtype=np.float64)  # x -> x - 1
    below = sinking_products(down * (b + trials - down) / ((trials - down + 1) * (a + down - 1)))
    mass = np.concatenate((below[::-1], [1.0], above))
    whole = first == 0 and last == trials
    return CountLaw(shift + first, mass / mass.sum(), 0.0 if whole else 2 * CUT, 2e-16 * math.sqrt(len(mass)))


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


def _window(trials: int, a: float, b: float) -> tuple[int, int]:
    """The first and last count outside which lies at most `CUT` on either side."""
    if trials <= 4096:
        return 0, trials
    special = preload()
    # Half of CUT for the rate, half for the count given the rate: Bernstein's inequality for the binomial law.
    low = float(special.betaincinv(a, b, CUT / 4))
    high = float(special.betainccinv(a, b, CUT / 4))
    low = low if special.betainc(a, b, low) <= CUT / 2 else 0.0
    high = high if special.betaincc(a, b, high) <= CUT / 2 else 1.0
    return (
        max(0, math.floor(trials * low - _deviation(trials, low))),
        min(trials, math.ceil(trials * high + _deviation(trials, high))),
    )


def _deviation(trials: int, rate: float) -> float:
    third = -math.log(CUT / 2) / 3
    return third + math.sqrt(third * (third + 6 * trials * rate * (1 - rate)))


def _mode(trials: int, a: float, b: float, first: int, last: int) -> int:
    """The count at which the products start: the mode, or the end of the window where the law is highest."""
    if a <= 1:
        return first
    if b <= 1:
        return last
    return min(max(math.floor((trials + 1) * (a - 1) / (a + b - 2)), first), last)


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
