"""Exact distributions: given by all values, on evenly spaced values asked by index, and on another scale."""

import math
from abc import abstractmethod
from fractions import Fraction
from functools import cached_property

import numpy as np

from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.probability import Answer, log_rest
from certus.core.arrays import Floats, sinking_products
from certus.transform.quantile import RELATIVE_TOLERANCE, quantile


class Finite(Distribution):
    """A distribution of which every value and its probability are known."""

    _exact = True

    def __init__(self, values: Floats, logs: Floats, method: str) -> None:
        self.values = values
        self.logs = logs
        self._method = method

    def __len__(self) -> int:
        """Number of possible values."""
        return len(self.values)

    def _enumerate(self, limit: int) -> "Finite | None":
        return self if len(self) <= limit else None

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return float(self.values[0]), float(self.values[-1])

    @cached_property
    def chances(self) -> Floats:
        """The probability of each value."""
        return np.exp(self.logs)

    @cached_property
    def _moments(self) -> KnownMoments:
        mean = math.fsum((self.values * self.chances).tolist())
        central = (math.fsum(((self.values - mean) ** power * self.chances).tolist()) for power in (2, 3, 4))
        return KnownMoments.central(mean, *central)

    @cached_property
    def _cumulative_logs(self) -> tuple[Floats, Floats]:
        """-inf and log P(X <= each value); log P(X >= each value) and -inf."""
        lower = np.insert(np.logaddexp.accumulate(self.logs), 0, -math.inf)
        upper = np.append(np.logaddexp.accumulate(self.logs[::-1])[::-1], -math.inf)
        lower[-1] = upper[0] = 0.0
        return lower, upper

    def _index_range(self, x: float) -> tuple[int, int]:
        """Numbers of values below x, and at or below it."""
        low, high = self.support()
        # A sum of constants is rounded too.
        slack = max(RELATIVE_TOLERANCE * (high - low), 4 * np.finfo(float).eps * max(abs(low), abs(high)))
        return (
            int(np.searchsorted(self.values, x - slack, side="left")),
            int(np.searchsorted(self.values, x + slack, side="right")),
        )

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        # Values at x are in front of the second place, and behind the first.
        return float(self._cumulative_logs[upper][self._index_range(x)[upper != atom]]), 0.0, self._method

    def _log_pmf(self, x: float) -> Answer:
        first, last = self._index_range(x)
        here = self.logs[first:last]
        return float(np.logaddexp.reduce(here)) if len(here) else -math.inf, 0.0, self._method

    def _inverse(self, q: float, *, upper: bool) -> float:
        # A q that is a rounded probability gives its x back.
        logs = self._cumulative_logs[upper][1:]
        reached = logs <= math.log(q) + RELATIVE_TOLERANCE if upper else logs >= math.log(q) - RELATIVE_TOLERANCE
        return float(self.values[int(reached.argmax()) if reached.any() else -1])

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        steps = np.cumsum(self.chances)
        indices = np.searchsorted(steps, generator.random(size) * steps[-1], side="right")
        return np.asarray(self.values[np.minimum(indices, len(self.values) - 1)])


def constant(value: float, method: str = "constant") -> Finite:
    """The distribution of what is always the same."""
    return Finite(np.array([value]), np.zeros(1), method)


def merged(
    values: Floats, chances: Floats, tolerance: float = RELATIVE_TOLERANCE, add: np.ufunc = np.add
) -> tuple[Floats, Floats]:
    """Ascending values with their chances or, added by `np.logaddexp`, logs; one value where rounding makes several."""
    order = np.argsort(values, kind="stable")
    values, chances = values[order], chances[order]
    starts = np.flatnonzero(np.diff(values, prepend=-math.inf) > tolerance * (values[-1] - values[0]))
    return values[starts], add.reduceat(chances, starts)


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
        rounding = 4 * np.finfo(float).eps * (abs(position) + abs(self._offset / self._step))
        slack = min(max(RELATIVE_TOLERANCE * (self._high - self._low), rounding), 0.49)
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
    mean, second, third, fourth = factorial
    fourth += 6 * third + 7 * second + mean
    third += 3 * second + mean
    second += mean
    central = second - mean**2, third - 3 * mean * second + 2 * mean**3
    return mean, *central, fourth - 4 * mean * third + 6 * mean**2 * second - 3 * mean**4


class Scaled(Distribution):
    """The distribution of ``factor * X + shift``, for a factor above 0."""

    def __init__(self, law: Distribution, factor: float, shift: float = 0.0) -> None:
        self.law, self.factor, self.shift = law, factor, shift
        self._method, self._exact = law.method, law.exact

    def _rescale(self, x: float) -> float:
        return self.factor * x + self.shift

    def _enumerate(self, limit: int) -> Finite | None:
        law = self.law._enumerate(limit)
        return None if law is None else Finite(self.factor * law.values + self.shift, law.logs, law.method)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        low, high = self.law.support()
        return self._rescale(low), self._rescale(high)

    @property
    def _moments(self) -> KnownMoments:
        law = self.law
        return KnownMoments(self._rescale(law.mean()), self.factor**2 * law.var(), law.skewness(), law.kurtosis())

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        return self.law._log_side((x - self.shift) / self.factor, upper=upper, atom=atom)

    def _log_pmf(self, x: float) -> Answer:
        return self.law._log_pmf((x - self.shift) / self.factor)

    def _inverse(self, q: float, *, upper: bool) -> float:
        return self._rescale(self.law._inverse(q, upper=upper))

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        return self.factor * self.law._draw(size, generator) + self.shift
