"""Laws that several metrics share when a query's documents are in random order."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from certus.metrics._random_list import RandomList

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["gains_of", "of_hits", "settled"]


def settled(shuffled: RandomList, depth: int) -> bool:
    """Whether no group of tied documents stands across a depth, so that it does not matter what they are tied with."""
    return shuffled.ties is None or depth in (0, *np.cumsum(shuffled.ties).tolist())


def of_hits(shuffled: RandomList, rel: int, cutoff: int | None, unit: int) -> "Distribution | None":
    """The hits among the first documents, over a unit; None where ties stand across the cutoff."""
    from certus.chance._finite import constant
    from certus.chance.hits import Hypergeometric

    depth = shuffled.depth(cutoff)
    if not unit:
        return constant(0.0)
    if not settled(shuffled, depth):
        return None
    return Hypergeometric(shuffled.items, shuffled.hits(rel), depth, unit)


def gains_of(grades: NDArray[np.int32], gain: str, gains: tuple[tuple[int, float], ...]) -> NDArray[np.float64]:
    """The gain of each grade, as the kernels have it; infinite where it leaves the floats."""
    given: Mapping[int, float] = dict(gains)
    with np.errstate(over="ignore"):
        found = np.exp2(grades.astype(np.float64)) - 1 if gain == "exp" else grades.astype(np.float64)
    for grade, value in given.items():
        found[grades == grade] = value
    return np.asarray(np.where(grades < 0, 0.0, found))
