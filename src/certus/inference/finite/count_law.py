"""Laws of a count over a window of whole numbers that holds all but a stated part of the mass.

Probabilities come from products of ratios of neighbours, outward from the mode, and are then divided by their sum:
each is right to about the square root of the window's length times 1e-16. Differences of log-gamma values would lose
eight digits at populations of ten million.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.errors import CertusError
from certus.inference.special import preload

__all__ = ["CUT", "LONGEST", "CountLaw", "beta_binomial", "total_law"]

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
            f"the number of relevant items among {trials} unchecked ones stays open over {last - first + 1} values; "
            f"the exact sum takes at most {LONGEST}: check more items"
        )
    mode = _mode(trials, a, b, first, last)
    up = np.arange(mode, last, dtype=np.float64)  # x -> x + 1
    ratios = (trials - up) * (a + up) / ((up + 1) * (b + trials - up - 1))
    above = np.cumprod(ratios)
    down = np.arange(mode, first, -1, dtype=np.float64)  # x -> x - 1
    below = np.cumprod(down * (b + trials - down) / ((trials - down + 1) * (a + down - 1)))
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
            f"the number of relevant items in the strata stays open over {length} values; the exact sum takes at most "
            f"{LONGEST}: check more items"
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
