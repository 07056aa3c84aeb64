"""Grades as gains, ranks as discounts: what the laws of DCG and nDCG are made of."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.chance.laws.average_precision_moments import MOST
from certus.chance.probability import whole
from certus.errors import DataError

_SINGLE = 20_000
"""Up to so many ranks have each their own discount."""
_COUNTED = {0: 5_000_000, 1: 5_000_000, 2: 5_000_000, 3: 1_000_000}
"""The same where so few items have another gain than all others: their ranks are counted."""
_FIRST, _GROWTH, _NODES = 64, 1.5, 5
"""Beyond, the first ranks have, and groups that grow by half are represented by five places each."""


class Ranks(NamedTuple):
    """The discounts of the ranks that are looked at, and how many ranks have each."""

    discounts: Floats
    weights: Floats
    depth: int

    @property
    def grouped(self) -> bool:
        """True if some ranks are treated as one."""
        return len(self.discounts) < self.depth


def gains_of(grades: Iterable[int] | Mapping[int, int], gain: str) -> dict[float, int]:
    """Number of items with each gain."""
    if gain not in ("linear", "exp"):
        raise DataError(f"is {gain!r}", "it must be 'linear' or 'exp'", argument="gain")
    given: Any = grades
    if isinstance(given, Mapping):
        pairs: list[tuple[Any, int]] = [
            (grade, whole(count, f"the number of items of grade {grade!r}")) for grade, count in given.items()
        ]
    elif not isinstance(given, Iterable) or (isinstance(given, np.ndarray) and given.ndim != 1):
        found = f"an array of shape {given.shape}" if isinstance(given, np.ndarray) else repr(given)
        raise DataError(
            f"is {found}", "give one grade for each item, or how many items have each grade", argument="grades"
        )
    else:
        each: list[Any] = list(given)
        if (odd := next((grade for grade in each if not isinstance(grade, int | np.integer)), None)) is not None:
            raise DataError(f"has {odd!r}", "a grade is a whole number", argument="grades")
        pairs = list(Counter(each).items())
    gains: dict[float, int] = {}
    for grade, count in pairs:
        if isinstance(grade, bool) or not isinstance(grade, int | np.integer):
            raise DataError(f"has {grade!r}", "a grade is a whole number", argument="grades")
        most = 1000 if gain == "linear" else 250  # the fourth power of a gain is a float
        if grade > most:
            raise DataError(f"has {grade}", f"with gain {gain!r} a grade is at most {most}", argument="grades")
        worth = float(max(grade, 0)) if gain == "linear" else 2.0 ** max(grade, 0) - 1
        if count:
            gains[worth] = gains.get(worth, 0) + count
    items = sum(gains.values())
    if not 1 <= items <= MOST:
        raise DataError(f"has {items} items", "there must be at least one and at most 1e30", argument="grades")
    return gains


def differing(gains: Mapping[float, int]) -> int:
    """The number of items that have another gain than most."""
    return sum(gains.values()) - max(gains.values())


def ranks(gains: Mapping[float, int], cutoff: int | None) -> Ranks:
    """The discounts of the ranks, all of them or the first `cutoff`."""
    items = sum(gains.values())
    depth = items if cutoff is None else min(items, whole(cutoff, "cutoff", 1))
    return few(depth) if depth > _COUNTED.get(differing(gains), _SINGLE) else every(depth)


def every(depth: int) -> Ranks:
    """Each rank by itself."""
    return Ranks(1 / np.log2(np.arange(2.0, depth + 2)), np.ones(depth), depth)


def few(depth: int) -> Ranks:
    """Some two hundred places and weights with which smooth functions of the discount sum up as over all ranks.

    Gauss's quadrature for a sum over whole numbers: the nodes are the eigenvalues of the Jacobi matrix of the discrete
    Chebyshev polynomials, so that polynomials of the rank up to the ninth degree are summed exactly in every group.
    """
    first = min(depth, _FIRST)
    places, weights = [np.arange(1.0, first + 1)], [np.ones(first)]
    begin = first
    while begin < depth:
        end = min(depth, math.ceil(begin * _GROWTH))
        size = float(end - begin)
        count = min(_NODES, end - begin)
        k = np.arange(1.0, count)
        side = np.sqrt(k * k * (size * size - k * k) / (4 * (4 * k * k - 1)))
        nodes, vectors = np.linalg.eigh(np.diag(side, 1) + np.diag(side, -1))
        places.append(begin + 1 + (size - 1) / 2 + nodes)
        weights.append(size * vectors[0] ** 2)
        begin = end
    return Ranks(1 / np.log2(np.concatenate(places) + 1), np.concatenate(weights), depth)


def best(gains: Mapping[float, int], of: Ranks) -> float:
    """The greatest sum: the items in decreasing order of gain."""
    if not of.grouped:
        counts = (count for _, count in sorted(gains.items(), reverse=True))
        places = [min(place, of.depth) for place in accumulate(counts, initial=0)]
        parts = [kernels.exact_sum(of.discounts[start:stop]) for start, stop in pairwise(places)]
        return math.fsum(gain * part for gain, part in zip(sorted(gains, reverse=True), parts, strict=True))
    ends = np.cumsum(of.weights)
    sums = np.append(0.0, np.cumsum(of.discounts * of.weights))
    total, start = 0.0, 0.0
    for gain, count in sorted(gains.items(), reverse=True):
        stop = min(start + count, float(ends[-1]))
        first, last = (np.interp(place, np.append(0.0, ends), sums) for place in (start, stop))
        total += gain * float(last - first)
        start = stop
    return total
