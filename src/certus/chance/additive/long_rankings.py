"""Average precision over more items than the engine can walk through: its moments, and its ends."""

import math
from fractions import Fraction
from typing import NoReturn

import numpy as np
from scipy import special

from certus.arrays import Floats
from certus.chance.additive.pieces import random_ranks
from certus.chance.distribution import Distribution, Moments
from certus.chance.replicates import Replicates
from certus.errors import DataError

DEEPEST = 25_000_000
"""Ranks that the engine walks through at most."""

_DRAWN = 1 << 24
"""Numbers that are drawn at most."""


def _forced(count: int, others: int) -> float:
    """The sum of ``i / (others + i)`` for i from 1 to `count`: what hits add that stand behind all other items."""
    if count * 10_000 < others:  # the terms as powers of i / others, the first four; the fifth is below rounding
        i = count * (count + 1)
        powers = (Fraction(i, 2), Fraction(i * (2 * count + 1), 6), Fraction(i * i, 4))
        fourth = Fraction(i * (2 * count + 1) * (3 * count * count + 3 * count - 1), 30)
        return float(sum((-1) ** k * each / Fraction(others) ** (k + 1) for k, each in enumerate((*powers, fourth))))
    if others < 10_000:
        return count - others * float(special.digamma(others + count + 1.0) - special.digamma(others + 1.0))
    start, end = others + 0.5, others + count + 0.5  # digamma(x + 1/2) is ln x + 1/24 x^-2 but for x^-4
    return count - others * (math.log1p(count / start) + (end**-2 - start**-2) / 24)


class LongAveragePrecision(Distribution):
    """Average precision of a ranking too long for its probabilities; moments, support and random values are exact."""

    _method = "moments"

    def __init__(self, n: int, m: int, divisor: int, depth: int, known: Moments) -> None:
        self._n, self._m, self._divisor, self._depth = n, m, divisor, depth
        self._known = known

    def _replicates(self) -> Replicates:
        return Replicates.of(self)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value; of the least, what hits at the lowest ranks give."""
        m, others = self._m, self._n - self._m
        most = float(min(m, self._depth)) / self._divisor
        if self._depth <= others:
            return 0.0, most
        return _forced(self._depth - others, others) / self._divisor, most

    @property
    def _moments(self) -> Moments:
        return self._known

    def _refuse(self, *_: object, **_asked: object) -> NoReturn:
        raise DataError(
            f"probabilities of average precision over {self._depth:,} ranks are out of reach, the most is {DEEPEST:,}",
            "give a cutoff, or use mean() and var(), which are exact",
        )

    _log_side = _log_pmf = _inverse = _refuse

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        if self._m**2 > self._n or self._m * size > _DRAWN or math.log2(self._n) > 62:
            self._refuse()
        ranks = random_ranks(self._n, self._m, size, generator)
        gains = np.where(ranks <= self._depth, np.arange(1, self._m + 1) / ranks, 0.0)
        return np.asarray(gains.sum(axis=1) / self._divisor)
