"""Laws that several metrics share when a query's documents are in random order."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from certus.metrics._random_list import RandomList

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["of_gains", "of_hits", "settled"]

Gains = tuple[tuple[int, float], ...]


def settled(shuffled: RandomList, depth: int) -> bool:
    """Whether no group of tied documents stands across a depth, so that it does not matter what they are tied with."""
    return shuffled.ties is None or depth in (0, *np.cumsum(shuffled.ties).tolist())


def of_hits(shuffled: RandomList, rel: int, cutoff: int | None, unit: int) -> "Distribution | None":
    """The hits among the first documents, over a unit; None where ties stand across the cutoff."""
    from certus.chance.finite import constant
    from certus.chance.hits import Hypergeometric

    depth = shuffled.depth(cutoff)
    if not unit:
        return constant(0.0)
    if not settled(shuffled, depth):
        return None
    return Hypergeometric(shuffled.items, shuffled.hits(rel), depth, unit)


def of_gains(
    shuffled: RandomList, cutoff: int | None, gain: str, gains: Gains, *, normalised: bool
) -> "Distribution | None":
    """DCG of the documents in random order, over that of the best ranking if `normalised`; None where it is not known.

    With one gain beside 0 it is a sum over the ranks of the hits, which can also be averaged over queries.
    """
    from certus.chance.additive.additive import Additive
    from certus.chance.additive.pieces import Hits
    from certus.chance.finite import constant
    from certus.chance.linear_rank.gains import ranks
    from certus.chance.linear_rank.law import linear_rank_statistic

    ideal = 1.0
    if normalised:
        best = np.sort(_gains_of(shuffled.judged, gain, gains))[::-1][:cutoff]
        ideal = float((best / np.log2(np.arange(2, len(best) + 2))).sum())
    worth = _gains_of(shuffled.grades, gain, gains)
    worth = worth[worth > 0]
    if not ideal or not len(worth):
        return constant(0.0)
    if shuffled.ties is not None or not np.isfinite([ideal, worth.sum()]).all():
        return None
    n, depth = shuffled.items, shuffled.depth(cutoff)
    if worth.min() == worth.max():
        weights = worth[0] / np.log2(np.arange(2, depth + 2)) / ideal
        return Additive([(1.0, 1, Hits(n, len(worth), "rank", weights))], None, None)
    levels, counts = np.unique(worth, return_counts=True)
    numbers = dict(zip(levels.tolist(), counts.tolist(), strict=True))
    if n > len(worth):
        numbers[0.0] = n - len(worth)
    return linear_rank_statistic(numbers, ranks(n, depth), 1 / ideal)


def _gains_of(grades: NDArray[np.int32], gain: str, gains: Gains) -> NDArray[np.float64]:
    """The gain of each grade, as the kernels have it; infinite where it leaves the floats."""
    with np.errstate(over="ignore"):
        found = np.exp2(grades.astype(np.float64)) - 1 if gain == "exp" else grades.astype(np.float64)
    for grade, value in gains:
        found[grades == grade] = value
    return np.asarray(np.where(grades < 0, 0.0, found))
