"""Average precision over more items than the engine can walk through: its moments, and its ends."""

import math
from fractions import Fraction
from functools import cached_property

import numpy as np
from scipy import special

from certus.arrays import Floats
from certus.chance.additive.pieces import random_ranks
from certus.chance.distribution import Answer, Distribution, Moments
from certus.chance.replicates import Replicates
from certus.errors import DataError

DEEPEST = 25_000_000
"""Ranks that the engine walks through at most."""

_DRAWS_AT_ONCE = 1 << 24
"""Numbers that are drawn at most."""


def _forced(count: int, n_others: int) -> float:
    """The sum of ``i / (others + i)`` for i from 1 to `count`: what hits add that stand behind all other items."""
    if count * 10_000 < n_others:  # the terms as powers of i / n_others, the first four; the fifth is below rounding
        i = count * (count + 1)
        powers = (Fraction(i, 2), Fraction(i * (2 * count + 1), 6), Fraction(i * i, 4))
        fourth = Fraction(i * (2 * count + 1) * (3 * count * count + 3 * count - 1), 30)
        return float(
            sum((-1) ** k * power / Fraction(n_others) ** (k + 1) for k, power in enumerate((*powers, fourth)))
        )
    if n_others < 10_000:
        return count - n_others * float(special.digamma(n_others + count + 1.0) - special.digamma(n_others + 1.0))
    start, end = n_others + 0.5, n_others + count + 0.5  # digamma(x + 1/2) is ln x + 1/24 x^-2 but for x^-4
    return count - n_others * (math.log1p(count / start) + (end**-2 - start**-2) / 24)


class LongAveragePrecision(Distribution):
    """Average precision of too many ranks to walk through, from random rankings; moments and support are exact."""

    _method = "Monte Carlo"

    def __init__(self, n: int, m: int, divisor: int, depth: int, moments: Moments) -> None:
        self._n, self._m, self._divisor, self._depth = n, m, divisor, depth
        self._given_moments = moments

    def _replicates(self) -> Replicates:
        return Replicates.of(self)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value; of the least, what hits at the lowest ranks give."""
        m, n_others = self._m, self._n - self._m
        highest = float(min(m, self._depth)) / self._divisor
        if self._depth <= n_others:
            return 0.0, highest
        return _forced(self._depth - n_others, n_others) / self._divisor, highest

    @property
    def _moments(self) -> Moments:
        return self._given_moments

    @cached_property
    def _rankings(self) -> Replicates:
        return Replicates.of(self, self._m + 1.0, self.support())

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        return self._rankings._log_side(x, upper=upper, atom=atom)

    def _log_pmf(self, x: float) -> Answer:
        return self._rankings._log_pmf(x)

    def _inverse(self, q: float, *, upper: bool) -> float:
        return self._rankings._inverse(q, upper=upper)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        if self._m**2 > self._n or self._m * size > _DRAWS_AT_ONCE or math.log2(self._n) > 62:
            raise DataError(
                f"{self._m:,} hits among {self._n:,} items are too many to draw, so probabilities are out of reach",
                "give a cutoff, or use mean() and var(), which are exact",
            )
        ranks = random_ranks(self._n, self._m, size, generator)
        gains = np.where(ranks <= self._depth, np.arange(1, self._m + 1) / ranks, 0.0)
        return np.asarray(gains.sum(axis=1) / self._divisor)
