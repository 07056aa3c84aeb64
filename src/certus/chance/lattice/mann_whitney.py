"""The null law of the Mann-Whitney statistic without ties."""

import math
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from certus.arrays import Floats, flush
from certus.chance.distribution import Answer
from certus.chance.lattice.hypergeometric import log_atom
from certus.chance.lattice.lattice import Lattice
from certus.chance.lattice.sinhc import DIRECT, summed_log_sinhc
from certus.transform.inversion import Cumulants, Limits, around, find_tilt, half_turns

FREQUENCIES = 1 << 26
"""Most factors of the characteristic function to multiply."""

EASY = 1 << 20
"""So many factors are multiplied even where the first frequencies seem to be enough."""

SIMULATED = 1 << 23
"""Random values come from random rankings up to this many items, from quantiles beyond."""

TINY = 1e-300


def masses(m: int, n: int) -> list[Floats]:
    """P(U = u), u = 0..a n, for a = 0..m relevant among a + n items: how many of the n stand below each, added up.

    The item on top is relevant with probability a / (a + b); then it has all b others below it, and the rest is a
    random ranking again. Every term is positive, so the smallest probability has all its digits.
    """
    laws = [np.ones(1) for _ in range(m + 1)]
    for b in range(1, n + 1):
        for a in range(1, m + 1):
            law = np.zeros(a * b + 1)
            law[b:] = laws[a - 1] * (a / (a + b))
            law[: a * (b - 1) + 1] += laws[a] * (b / (a + b))
            laws[a] = law
    return laws


class MannWhitney(Lattice):
    """Number of pairs of a relevant and another item in order, for random rankings without ties; over a unit.

    The generating function is a product of m factors (a Gaussian binomial coefficient). It is inverted along a line
    on which the value asked for is the expected one, so that small probabilities keep their digits; the values are
    whole, so a finite Fourier sum takes the place of the integral.

    Parameters
    ----------
    m, n
        Relevant items and others, at least one each.
    unit
        What the number of pairs is divided by.
    """

    _method = "fourier"

    def __init__(self, m: int, n: int, unit: int = 1) -> None:
        self._m, self._n = min(m, n), max(m, n)
        # A search for a quantile in a mixture asks the same again and again.
        self._answers: dict[tuple[int, bool], Answer] = {}
        super().__init__(0, m * n, unit)

    @cached_property
    def _central(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        m, n = self._m, self._n
        second = Fraction(m * n * (m + n + 1), 12)
        powers = fourth_powers(m + n) - fourth_powers(n) - fourth_powers(m)
        return Fraction(m * n, 2), second, Fraction(0), 3 * second**2 - Fraction(powers, 120)

    def between(self, first: int, last: int) -> Answer:
        """Log of P(first <= U <= last), where the two are equal or one lies at an end or outside."""
        if first == last:
            return self._atom(first)
        return self._from(first) if last >= self._high else self._upto(last)

    def _lower(self, index: int) -> Answer:
        return self._upper(self._high - index)

    def _upper(self, index: int) -> Answer:
        if 2 * index < self._high:
            log, error, method = self._inverted(self._high + 1 - index, is_tail=True)
            return math.log1p(-math.exp(log)), error, method
        return self._inverted(index, is_tail=True)

    def _atom(self, index: int) -> Answer:
        return self._inverted(max(index, self._high - index), is_tail=False)

    def _inverted(self, index: int, *, is_tail: bool) -> Answer:
        """P(index), or P(index or more), for an index of at least half the highest."""
        if (index, is_tail) not in self._answers:
            self._answers[index, is_tail] = self._invert(index, is_tail) if self._high else (0.0, 0.0, self._method)
        return self._answers[index, is_tail]

    def _invert(self, index: int, is_tail: bool) -> Answer:
        if index == self._high:
            log = log_atom(self._m + self._n, self._m, self._m, self._m)
            return log, max(math.exp(log) * 1e-15 * (32 - log), TINY), self._method
        deviation = index - self._high / 2
        # Never flat, where tail and aliases would cancel each other.
        flattest = 0.5 / math.sqrt(self._central[1])
        tilt = max(find_tilt(self, min(deviation, self._high / 2 - 0.5), 1e-3, rough=True)[0], flattest)
        log, _, var, _, _ = self.cumulants(tilt)
        easy = EASY / min(self._m, DIRECT) if self._echo > 1e-17 else 0.0
        limits = Limits(lambda work: FREQUENCIES / work, 1e-17, lattice=True, atom=not is_tail, min_terms=easy)
        inversion = around(self, 1.0, deviation - 0.5 * is_tail, tilt, math.sqrt(var)).invert(limits)
        tail = inversion.tail()
        off = 1e-16 * (32 + min(self._m, DIRECT) / 4 + 4 * (abs(log) + tilt * abs(deviation))) * inversion.cancelled
        off += tail.left if inversion.died else tail.bound or 0.0
        if not inversion.complete:
            off += self._echo * inversion.cancelled
        p = math.exp(min(tail.log, 0.0))
        return min(tail.log, 0.0), max(p * off, TINY), self._method

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        items = self._m + self._n
        if items > SIMULATED:
            return super()._draw(size, generator)
        lowest_sum = self._m * (self._m - 1) // 2
        ranks = (generator.choice(items, self._m, replace=False, shuffle=False) for _ in range(size))
        return np.array([int(chosen.sum()) - lowest_sum for chosen in ranks], dtype=np.float64) / self._unit

    @cached_property
    def _table(self) -> tuple[int, Floats]:
        return 0, np.empty(0)

    @cached_property
    def _echo(self) -> float:
        """Size of the characteristic function once more at half a turn: C(N/2, m/2) / C(N, m)."""
        full_turn, half = (
            special.gammaln(a + b + 1) - special.gammaln(a + 1) - special.gammaln(b + 1)
            for a, b in ((self._m, self._n), (self._m // 2, self._n // 2))
        )
        return math.exp(min(half - full_turn, 0.0))

    def range(self) -> tuple[float, float]:
        """Least and greatest U less its mean, for the transform engine."""
        return -self._high / 2, self._high / 2

    def cumulants(self, tilt: float, _rough: bool = False) -> Cumulants:
        """The log of the generating function of U less its mean, and two derivatives; the engine needs no others."""
        log, mean, var = (float(cumulant) for cumulant in summed_log_sinhc(self._m, self._n, abs(tilt)))
        return log, math.copysign(1.0, tilt) * mean, var, math.nan, math.nan

    def tilted(self, tilt: float) -> "_Tilted":
        """U less its mean under a tilt."""
        return _Tilted(self._m, self._n, tilt, self.cumulants(tilt)[0])


class _Tilted(NamedTuple):
    m: int
    n: int
    tilt: float
    log: float

    @property
    def cells(self) -> float:
        return float(min(self.m, DIRECT))

    def characteristic(self, step: float, first: int, count: int) -> tuple[Floats, Floats]:
        block = max(32, (1 << 20) // min(self.m, DIRECT))
        starts = range(first, first + count, block)
        parts = [self._values(step, np.arange(start, min(start + block, first + count))) for start in starts]
        values = np.concatenate(parts)
        return values.real, values.imag

    def _values(self, step: float, numbers: NDArray[np.int64]) -> NDArray[np.complex128]:
        if self.m > DIRECT:
            values, _, _ = summed_log_sinhc(self.m, self.n, self.tilt + 1j * step * numbers)
            return np.asarray(np.exp(values - self.log))
        period = round(2 * math.pi / step)
        lengths = np.arange(1, self.m + 1)
        product = half_turns(numbers, self.m * self.n, period)
        for start in range(0, self.m, 256):
            lower = lengths[start : start + 256]
            upper = self.n + lower
            scale = np.expm1(-self.tilt * lower) / np.expm1(-self.tilt * upper)
            numerators, denominators = (from_one(self.tilt, numbers, sizes, period) for sizes in (upper, lower))
            product *= np.prod(numerators / denominators * scale, axis=1)
            flush(product)
        return np.asarray(product)


def from_one(tilt: float, numbers: np.ndarray, lengths: np.ndarray, period: int) -> np.ndarray:
    """1 - exp(-k (tilt + i angle)) for every frequency and length k."""
    turns = np.outer(numbers, lengths)
    if turns[-1, -1] >= period:
        turns %= period
    angles = turns * (2 * math.pi / period)
    decay = np.exp(-tilt * lengths)
    factors = np.empty(angles.shape, dtype=np.complex128)
    factors.real = -np.expm1(-tilt * lengths) + decay * (2 * np.sin(angles / 2) ** 2)
    factors.imag = decay * np.sin(angles)
    return factors


def fourth_powers(k: Any) -> Any:
    """1 + 2^4 + ... + k^4."""
    total = k * (k + 1) * (2 * k + 1) * (3 * k * k + 3 * k - 1)
    return total // 30 if isinstance(k, int) else total / 30
