"""The null law of the Mann-Whitney statistic without ties."""

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from certus.chance.distribution import Answer, Floats
from certus.chance.lattice.lattice import Lattice
from certus.chance.lattice.sinhc import DIRECT, summed_log_sinhc
from certus.transform.inversion import Cumulants, find_tilt

__all__ = ["MannWhitney", "fourth_powers", "masses"]

FREQUENCIES = 1 << 26
"""Most factors of the characteristic function to multiply."""

EASY = 1 << 20
"""So many factors are multiplied even where the first frequencies seem to be enough."""

SIMULATED = 1 << 23
"""Up to so many items random values come from random rankings; beyond, from quantiles."""

TINY = 1e-300

NOTHING = 44.0
"""exp(-44) is below the rounding of 1."""


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
    """How many pairs of a relevant and another item stand in order, for random rankings without ties; over a unit.

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
        self._known: dict[tuple[int, bool], Answer] = {}
        super().__init__(0, m * n, unit)

    @cached_property
    def _central(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        m, n = self._m, self._n
        second = Fraction(m * n * (m + n + 1), 12)
        powers = fourth_powers(m + n) - fourth_powers(n) - fourth_powers(m)
        return Fraction(m * n, 2), second, Fraction(0), 3 * second**2 - Fraction(powers, 120)

    def between(self, first: int, last: int) -> Answer:
        """For P(first <= U <= last), where the two are one or at least one of them is at its end or beyond."""
        if first == last:
            return self._atom(first)
        return self._from(first) if last >= self._high else self._upto(last)

    def _lower(self, index: int) -> Answer:
        return self._upper(self._high - index)

    def _upper(self, index: int) -> Answer:
        if 2 * index < self._high:
            log, error, method = self._inverted(self._high + 1 - index, summed=True)
            return math.log1p(-math.exp(log)), error, method
        return self._inverted(index, summed=True)

    def _atom(self, index: int) -> Answer:
        return self._inverted(max(index, self._high - index), summed=False)

    def _inverted(self, index: int, *, summed: bool) -> Answer:
        """P(index), or P(index or more), for an index of at least half the highest."""
        if (index, summed) not in self._known:
            self._known[index, summed] = self._invert(index, summed) if self._high else (0.0, 0.0, self._method)
        return self._known[index, summed]

    def _invert(self, index: int, summed: bool) -> Answer:
        centre = self._high / 2
        apart = index - centre
        # Never quite flat, where factors would be 0/0.
        flattest = 0.01 / math.sqrt(self._central[1])
        tilt = max(find_tilt(self, min(index, self._high - 0.5) - centre, 1e-3, rough=True)[0], flattest)
        log, _, spread = summed_log_sinhc(self._m, self._n, tilt)
        reach = self._reach(tilt, apart, float(log), math.sqrt(float(spread)))
        period = self._high + 1 if 2 * reach > self._high else 2 * reach + 1
        steps = min(reach, self._high - index + 1)
        total, size, left = 0.0, 0.0, 1.0
        start, block, work = 0, 32, min(self._m, DIRECT)
        easy = EASY if self._echo > 1e-17 else 0
        while start <= period // 2 and (left > 1e-18 or start * work < easy) and start * work < FREQUENCIES:
            numbers = np.arange(start, min(start + block, period // 2 + 1))
            terms = self._terms(tilt, numbers, period, index, float(log))
            left = float(np.abs(terms).max())
            weights = np.where((numbers == 0) | (2 * numbers == period), 1.0, 2.0)
            if summed:
                steepness = tilt + 2j * math.pi * numbers / period
                terms *= np.expm1(-steepness * steps) / np.expm1(-steepness)
            total += float((terms.real * weights).sum())
            size += float((np.abs(terms) * weights).sum())
            start, block = start + len(numbers), min(2 * block, max(32, (1 << 20) // work))
        off = 1e-16 * (32 + work / 4 + abs(float(log)) + tilt * abs(apart))
        if start <= period // 2:
            off += left + self._echo / (math.sqrt(spread) if summed else 1.0)
        log = min(float(log) - tilt * apart + math.log(max(total, TINY) / period), 0.0)
        return log, max(math.exp(log) * off * size / max(total, TINY), TINY), self._method

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        items = self._m + self._n
        if items > SIMULATED:
            return super()._draw(size, generator)
        least = self._m * (self._m - 1) // 2
        ranks = (generator.choice(items, self._m, replace=False, shuffle=False) for _ in range(size))
        return np.array([int(chosen.sum()) - least for chosen in ranks], dtype=np.float64) / self._unit

    @cached_property
    def _table(self) -> tuple[int, Floats]:
        return 0, np.empty(0)

    @cached_property
    def _echo(self) -> float:
        """How large the characteristic function is once more at half a turn: C(N/2, m/2) / C(N, m)."""
        whole, half = (
            special.gammaln(a + b + 1) - special.gammaln(a + 1) - special.gammaln(b + 1)
            for a, b in ((self._m, self._n), (self._m // 2, self._n // 2))
        )
        return math.exp(min(half - whole, 0.0))

    def cumulants(self, tilt: float, rough: bool = False) -> Cumulants:  # noqa: ARG002
        """For the search of a tilt; those of U less its mean."""
        log, mean, var = (float(each) for each in summed_log_sinhc(self._m, self._n, abs(tilt)))
        return log, math.copysign(1.0, tilt) * mean, var, math.nan, math.nan

    def _reach(self, tilt: float, apart: float, log: float, spread: float) -> int:
        """How far from the index the tilted law has mass (Chernoff's bound)."""
        reaches = []
        for sign, slopes in ((1.0, (3.0, 9.0)), (-1.0, (3.0, 9.0, tilt * spread / 2))):
            bounds = [float(self._high)]
            for slope in slopes:
                above, _, _ = summed_log_sinhc(self._m, self._n, abs(tilt + sign * slope / spread))
                bounds.append((float(above) - log - sign * slope / spread * apart + NOTHING) * spread / slope)
            reaches.append(min(bounds))
        return min(math.ceil(max(reaches)), self._high + 1)

    def _terms(self, tilt: float, numbers: np.ndarray, period: int, index: int, log: float) -> np.ndarray:
        """The characteristic function of the tilted law at the frequencies, turned to the index."""
        if self._m > DIRECT:
            angles = 2 * math.pi * (numbers / period)
            values, _, _ = summed_log_sinhc(self._m, self._n, tilt + 1j * angles)
            return np.asarray(np.exp(values - log - 1j * angles * (index - self._high / 2)))
        # Angles are reduced as whole numbers, so that no digit of a high frequency is lost.
        lengths = np.arange(1, self._m + 1)
        product = np.exp(2j * math.pi * (numbers * ((self._high - index) % period) % period) / period)
        for start in range(0, self._m, 256):
            part = lengths[start : start + 256]
            upper, lower = (self._n + part), part
            scale = np.expm1(-tilt * lower) / np.expm1(-tilt * upper)
            above, below = (_from_one(tilt, numbers, lengths, period) for lengths in (upper, lower))
            product *= np.prod(above / below * scale, axis=1)
        return product


def _from_one(tilt: float, numbers: np.ndarray, lengths: np.ndarray, period: int) -> np.ndarray:
    """1 - exp(-k (tilt + i angle)) for every frequency and length k."""
    angles = np.outer(numbers, lengths) % period * (2 * math.pi / period)
    decay = np.exp(-tilt * lengths)
    return -np.expm1(-tilt * lengths) + decay * (2 * np.sin(angles / 2) ** 2 + 1j * np.sin(angles))


def fourth_powers(k: Any) -> Any:
    """1 + 2^4 + ... + k^4."""
    total = k * (k + 1) * (2 * k + 1) * (3 * k * k + 3 * k - 1)
    return total // 30 if isinstance(k, int) else total / 30
