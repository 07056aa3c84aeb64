"""The exact rungs: all values at once, or the sums of two halves that meet in the middle."""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from certus import kernels
from certus.chance.additive.pieces import Hits, Piece
from certus.chance.distribution import SAME
from certus.chance.finite import Finite, merged
from certus.transform.meeting import Sums, interval_probability, lower_tail, next_sum, upper_tail

Term = tuple[float, int, Piece]
"""Factor of a value, number of independent values added, and their source."""


_SAME = 0.1 * SAME
"""Of sums that are added up further."""


class Exact(Protocol):
    """Exact probabilities of a sum."""

    def count(self, x: float) -> tuple[float, float, float]:
        """P(S < x), P(S = x), P(S > x)."""

    def least_from(self, x: float) -> float | None:
        """The least value that is not below x."""


def all_values(terms: Sequence[Term], limit: int) -> Finite | None:
    """The whole law of a sum of terms, if it takes at most `limit` sums."""
    values, chances = np.zeros(1), np.ones(1)
    for scale, count, piece in terms:
        atoms = piece.atoms(limit)
        if atoms is None:
            return None
        here = merged(scale * atoms[0], atoms[1], _SAME)
        for _ in range(count):
            if len(values) * len(here[0]) > limit:
                return None
            values, chances = merged(
                np.add.outer(values, here[0]).ravel(), np.multiply.outer(chances, here[1]).ravel(), _SAME
            )
    with np.errstate(divide="ignore"):
        return Finite(values, np.log(chances), "enumeration")


def halves(terms: Sequence[Term], limit: int) -> Exact | None:
    """Split the ranks of one ranking, or the terms, into two halves with at most `limit` sums."""
    if len(terms) == 1 and terms[0][1] == 1 and isinstance(piece := terms[0][2], Hits):
        ranking_halves = piece.halves(limit)
        return None if ranking_halves is None else _Scaled(ranking_halves, terms[0][0])
    single = [(scale, 1, piece) for scale, count, piece in terms for _ in range(min(count, 65))]
    middle = len(single) // 2
    if middle == 0 or len(single) > 64:
        return None
    first, second = all_values(single[:middle], limit), all_values(single[middle:], limit)
    return None if first is None or second is None else _Pair(first, second)


class _Scaled:
    """The halves of one ranking, times a factor."""

    def __init__(self, halves: kernels.HitHalves, scale: float) -> None:
        self._halves, self._scale = halves, scale

    def count(self, x: float) -> tuple[float, float, float]:
        lower, atom, upper = self._halves.count(x / self._scale)
        return (lower, atom, upper) if self._scale > 0 else (upper, atom, lower)

    def least_from(self, x: float) -> float | None:
        value = self._halves.least_from(x / self._scale)
        return None if value is None else value * self._scale


class _Pair:
    """Two independent laws."""

    def __init__(self, first: Finite, second: Finite) -> None:
        smaller, larger = sorted((first, second), key=len)
        self._smaller, self._larger = Sums(smaller.values, smaller.chances), Sums(larger.values, larger.chances)
        self._slack = SAME * float(sum(law.values[-1] - law.values[0] for law in (first, second)))

    def count(self, x: float) -> tuple[float, float, float]:
        smaller, larger, low, high = (
            self._smaller,
            self._larger,
            x - self._slack,
            math.nextafter(x + self._slack, math.inf),
        )
        return (
            lower_tail(smaller, larger, low),
            interval_probability(smaller, larger, low, high),
            upper_tail(smaller, larger, high),
        )

    def least_from(self, x: float) -> float | None:
        return next_sum(self._smaller, self._larger, x - self._slack)
