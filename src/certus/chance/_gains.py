"""Grades as gains, ranks as discounts: what the laws of DCG and nDCG are made of."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from certus.chance._distribution import Floats, whole
from certus.chance._harmonic import MOST
from certus.errors import DataError

__all__ = ["Ranks", "best", "gains_of", "ranks"]

_SINGLE = 20_000
"""So many ranks have each their own discount; those behind share the mean of ranks that differ by less than 1e-5."""
_WIDTH = 5e-4


class Ranks(NamedTuple):
    """The discounts of the ranks that are looked at, and how many ranks have each."""

    discounts: Floats
    weights: Floats
    depth: int

    @property
    def grouped(self) -> bool:
        """Whether some ranks share a discount."""
        return len(self.discounts) < self.depth


def gains_of(grades: Iterable[int] | Mapping[int, int], gain: str) -> dict[float, int]:
    """How many items have each gain.

    Raises
    ------
    DataError
        If there is no item, a grade or a number is not whole, or the gain has no such name.
    """
    if gain not in ("linear", "exp"):
        raise DataError(f"gain is {gain!r}; it must be 'linear' or 'exp'")
    if isinstance(grades, Mapping):
        pairs = [(grade, whole(count, f"the number of items of grade {grade!r}")) for grade, count in grades.items()]
    else:
        pairs = list(Counter(grades).items())
    gains: dict[float, int] = {}
    for grade, count in pairs:
        if isinstance(grade, bool) or not isinstance(grade, int | np.integer):
            raise DataError(f"grades has {grade!r}; a grade is a whole number")
        if grade > 1000:
            raise DataError(f"grades has {grade}; a grade is at most 1000")
        worth = float(max(grade, 0)) if gain == "linear" else 2.0 ** max(grade, 0) - 1
        if count:
            gains[worth] = gains.get(worth, 0) + count
    items = sum(gains.values())
    if not 1 <= items <= MOST:
        raise DataError(f"grades has {items} items; there must be at least one and at most 1e30")
    return gains


def ranks(items: int, cutoff: int | None) -> Ranks:
    """The discounts of the ranks, all of them or the first `cutoff`."""
    depth = items if cutoff is None else min(items, whole(cutoff, "cutoff", 1))
    single = min(depth, _SINGLE)
    each, weights = 1 / np.log2(np.arange(2.0, single + 2)), np.ones(single)
    if depth > single:
        steps = math.ceil(math.log(depth / single) / _WIDTH)
        edges = np.unique(np.append(np.floor(single * np.exp(np.arange(steps) * _WIDTH)), float(depth)))
        low, high = edges[:-1] + 1.5, edges[1:] + 1.5
        centre, half = (low + high) / 2, (high - low) / (2 * math.sqrt(3))
        shared = (1 / np.log2(centre - half) + 1 / np.log2(centre + half)) / 2
        each, weights = np.append(each, shared), np.append(weights, high - low)
    return Ranks(each, weights, depth)


def best(gains: Mapping[float, int], of: Ranks) -> float:
    """The greatest sum: the items in decreasing order of gain."""
    ends = np.cumsum(of.weights)
    sums = np.append(0.0, np.cumsum(of.discounts * of.weights))
    total, start = 0.0, 0.0
    for gain, count in sorted(gains.items(), reverse=True):
        stop = min(start + count, float(ends[-1]))
        first, last = (np.interp(place, np.append(0.0, ends), sums) for place in (start, stop))
        total += gain * float(last - first)
        start = stop
    return total
