"""The sum of m of N whole numbers, drawn without replacement: the Mann-Whitney statistic with ties is one."""

import math
from fractions import Fraction
from functools import cached_property

import numpy as np

from certus.arrays import Floats
from certus.chance.distribution import Answer, log_rest
from certus.chance.finite import Finite
from certus.chance.lattice.conditional_sum import ConditionalSum
from certus.chance.lattice.hypergeometric import log_remainder
from certus.chance.lattice.lattice import Lattice


class SumWithoutReplacement(Lattice):
    """The sum of m numbers drawn from a population without replacement.

    Parameters
    ----------
    numbers
        The distinct numbers of the population, ascending, at least one.
    counts
        How often each is there.
    m
        How many are drawn, at least 1 and fewer than all.
    offset, unit
        What is added to the sum, and what the whole is divided by.
    """

    _method = "fourier"

    def __init__(self, numbers: list[int], counts: list[int], m: int, offset: int, unit: int) -> None:
        least = numbers[0]
        step = math.gcd(*(number - least for number in numbers)) or 1
        self._numbers = [(number - least) // step for number in numbers]
        self._counts = counts
        self._m = m
        low = _sum_of_first(self._numbers, counts, m)
        high = _sum_of_first(self._numbers[::-1], counts[::-1], m)
        super().__init__(low, high, unit, offset + m * least, step)

    @cached_property
    def _central(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        # Of a sample without replacement, from the population's central sums (all in whole numbers: N times as far
        # from the mean); the fourth is Isserlis's (1931).
        m, items = self._m, sum(self._counts)
        rest = items - m
        total = sum(t * w for t, w in zip(self._counts, self._numbers, strict=True))
        away = [items * w - total for w in self._numbers]
        two, three, four = (sum(t * d**k for t, d in zip(self._counts, away, strict=True)) for k in (2, 3, 4))
        pairs = items * (items - 1)
        second = Fraction(m * rest * two, pairs)
        if items == 2:
            return Fraction(m * total, items), second / items**2, Fraction(0), Fraction(four, 2) / items**4
        third = Fraction(m * rest * (rest - m) * three, pairs * (items - 2))
        if items == 3:
            # The mean of the other two is known when one is drawn: one draw, or one left over.
            fourth = Fraction(four, 3)
        else:
            inner = (items * (items + 1) - 6 * m * rest) * four + 3 * (m - 1) * (rest - 1) * two**2
            fourth = Fraction(m * rest * inner, pairs * (items - 2) * (items - 3))
        return Fraction(m * total, items), second / items**2, third / items**3, fourth / items**4

    def cost(self) -> int:
        """Number of products it takes to list all values; too many to do it where they would underflow."""
        if sum(self._counts) > 900:
            return 1 << 62
        return sum(min(t, self._m) + 1 for t in self._counts) * (self._m + 1) * (self._high + 1)

    def masses(self) -> Floats:
        """P(index) for all indices from 0, group by group."""
        items, m = sum(self._counts), self._m
        share = m / items
        ways = np.zeros((m + 1, self._high + 1))
        ways[0, 0] = 1.0
        for number, count in zip(self._numbers, self._counts, strict=True):
            more = np.zeros_like(ways)
            for x in range(min(count, m) + 1):
                if x * number > self._high:
                    break
                chance = math.comb(count, x) * share**x * (1 - share) ** (count - x)
                more[x:, x * number :] += chance * ways[: m + 1 - x, : self._high + 1 - x * number]
            ways = more
        remainders = log_remainder(np.array([float(items), float(m), float(items - m)]))
        return np.asarray(ways[m] * math.exp(remainders[1] + remainders[2] - remainders[0]))

    @cached_property
    def _drawn(self) -> ConditionalSum:
        return ConditionalSum(np.array(self._numbers), np.array(self._counts), self._m, self._low, self._high)

    def _upper(self, index: int) -> Answer:
        answer, upper = self._drawn.beyond(index)
        return answer if upper else _rest_of(answer)

    def _lower(self, index: int) -> Answer:
        answer, upper = self._drawn.beyond(index + 1)
        return _rest_of(answer) if upper else answer

    def _atom(self, index: int) -> Answer:
        if self._low == self._high:
            return 0.0, 0.0, self._method
        if index in (self._low, self._high):
            return self._lower(index) if index == self._low else self._upper(index)
        return self._drawn.atom(index)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        taken = generator.multivariate_hypergeometric(self._counts, self._m, size=size)
        return np.asarray((self._offset + self._step * (taken @ np.array(self._numbers))) / self._unit)


def enumerated(law: SumWithoutReplacement) -> Finite:
    """The law with all its values listed."""
    found = law.masses()
    found /= math.fsum(found.tolist())
    indices = np.flatnonzero(found)
    return Finite(np.array([law._value(index) for index in indices.tolist()]), np.log(found[indices]), "enumeration")


def _rest_of(answer: Answer) -> Answer:
    log, error, method = answer
    return log_rest(log), error, method


def _sum_of_first(numbers: list[int], counts: list[int], m: int) -> int:
    total = 0
    for number, count in zip(numbers, counts, strict=True):
        total += number * min(count, m)
        m -= min(count, m)
    return total
