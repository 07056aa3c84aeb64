"""Distributions on evenly spaced values, asked by index; no list of all values is made."""

import math
from abc import abstractmethod
from fractions import Fraction
from functools import cached_property

import numpy as np

from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import Finite
from certus.chance.probability import Answer, log_rest
from certus.core.arrays import Floats, sinking_products
from certus.transform.quantile import RELATIVE_TOLERANCE, quantile

TABLE = 1 << 22
"""Most values a table for random numbers may have; with more, each number is a quantile of its own."""


class Lattice(Distribution):
    """A distribution on the values ``(offset + step * index) / unit`` for whole indices from `low` to `high`.

    A law says how probable one index is (`_atom`), and all indices from one upwards (`_upper`) and downwards
    (`_lower`); those are asked inside the support only. `_central` gives the mean and the second to fourth central
    moment of the index, as exact fractions.
    """

    def __init__(self, low: int, high: int, unit: int, offset: int = 0, step: int = 1) -> None:
        self._low = low
        self._high = high
        self._unit = unit
        self._offset = offset
        self._step = step

    @abstractmethod
    def _upper(self, index: int) -> Answer:
        """Log of P(index or more), with error and method, for low < index <= high."""

    @abstractmethod
    def _lower(self, index: int) -> Answer:
        """Log of P(index or less), with error and method, for low <= index < high."""

    @abstractmethod
    def _atom(self, index: int) -> Answer:
        """Log of P(index), with error and method, for low <= index <= high."""

    @property
    @abstractmethod
    def _central(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Mean and second to fourth central moment of the index."""

    def _value(self, index: int) -> float:
        return (self._offset + self._step * index) / self._unit

    def _indices(self, x: float) -> tuple[int, int]:
        """The first index with a value of at least x, and the last with one of at most x."""
        position = min(max((x * self._unit - self._offset) / self._step, self._low - 1.0), self._high + 1.0)
        slack = min(
            max(
                RELATIVE_TOLERANCE * (self._high - self._low),
                4 * np.finfo(float).eps * (abs(position) + abs(self._offset / self._step)),
            ),
            0.49,
        )
        return math.ceil(position - slack), math.floor(position + slack)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return self._value(self._low), self._value(self._high)

    @cached_property
    def _moments(self) -> KnownMoments:
        mean, second, third, fourth = self._central
        mean, var = (self._offset + self._step * mean) / self._unit, second * self._step**2 / self._unit**2
        if not second:
            return KnownMoments(float(mean), 0.0, math.nan, math.nan)
        shape = float(third) / float(second) ** 1.5, float(fourth / second**2 - 3)
        return KnownMoments(float(mean), float(var), *shape)

    def _enumerate(self, limit: int) -> Finite | None:
        if self._high - self._low >= limit:
            return None
        indices = range(self._low, self._high + 1)
        values = np.array([self._value(index) for index in indices])
        order = np.argsort(values)
        return Finite(values[order], self._log_masses(indices)[order], self.method)

    def _log_masses(self, indices: range) -> Floats:
        """Log P(index) of each."""
        return np.array([self._atom(index)[0] for index in indices])

    def _upper_tail(self, index: int) -> Answer:
        if index <= self._low:
            return 0.0, 0.0, self.method
        return self._upper(index) if index <= self._high else (-math.inf, 0.0, self.method)

    def _lower_tail(self, index: int) -> Answer:
        if index >= self._high:
            return 0.0, 0.0, self.method
        return self._lower(index) if index >= self._low else (-math.inf, 0.0, self.method)

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        first, last = self._indices(x)
        if upper:
            return self._upper_tail(first if atom else last + 1)
        return self._lower_tail(last if atom else first - 1)

    def _log_pmf(self, x: float) -> Answer:
        first, last = self._indices(x)
        if first > last or last < self._low or first > self._high:
            return -math.inf, 0.0, self.method
        return self._atom(first)

    def _inverse(self, q: float, *, upper: bool) -> float:
        mean, second, third, _ = (float(moment) for moment in self._central)
        start = mean, math.sqrt(second), third / second**1.5 if second else 0.0

        def logs(position: float) -> tuple[float, float]:
            index = math.floor(position)
            if index < mean:
                log = self._lower_tail(index)[0]
                return log, log_rest(log)
            log = self._upper_tail(index + 1)[0]
            return log_rest(log), log

        index = quantile(logs, q, not upper, (self._low, self._high), start, math.floor, width=0.5)
        return self._value(round(index))

    @cached_property
    def _table(self) -> tuple[int, Floats]:
        """The first index of the table, and P(index or less) along it."""
        lowest, highest = self._low, self._high
        if highest - lowest >= TABLE:
            mean, reach = self._central[0], 12 * math.isqrt(math.ceil(self._central[1]))
            lowest, highest = max(lowest, math.floor(mean) - reach), min(highest, math.ceil(mean) + reach)
        if highest - lowest >= TABLE:
            return lowest, np.empty(0)
        return lowest, np.cumsum(self._masses(lowest, highest))

    def _masses(self, lowest: int, highest: int) -> Floats:
        """P(index), from the lowest to the highest, up to a factor."""
        return np.exp([self._atom(index)[0] for index in range(lowest, highest + 1)])

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        lowest, sums = self._table
        shares = generator.random(size)
        if not len(sums):
            return np.array([self._quantile(share, upper=False) for share in shares.tolist()])
        indices = np.searchsorted(sums, shares * sums[-1], side="right")
        indices = np.minimum(indices, len(sums) - 1)
        return np.asarray((self._offset + self._step * (lowest + indices)) / self._unit)


def along(ratios: Floats, start: int) -> Floats:
    """Masses up to a factor, from the ratios of neighbours, multiplied up outwards from a probable one."""
    down = sinking_products(1 / ratios[:start][::-1])[::-1]
    return np.concatenate([down, [1.0], sinking_products(ratios[start:])])


def central_moments(factorial: list[Fraction]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Mean and second to fourth central moment, from the first four factorial moments E X(X-1)...(X-r+1)."""
    first, second, third, fourth_factorial = factorial
    mean, square, cube, fourth = (
        first,
        second + first,
        third + 3 * second + first,
        fourth_factorial + 6 * third + 7 * second + first,
    )
    return (
        mean,
        square - mean**2,
        cube - 3 * mean * square + 2 * mean**3,
        fourth - 4 * mean * cube + 6 * mean**2 * square - 3 * mean**4,
    )
