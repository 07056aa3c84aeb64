"""Number of triples, one number from each of three lists, whose sum reaches a goal."""

import math
from functools import cached_property

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.chance.replicates import LEVEL

_PLACES = 1024
"""Places at which all pairs are counted."""

_STRATA = 512
"""Parts of each list; one number stands for all of its part."""

_APART = 64
"""Numbers of the second and the third list, those furthest apart, that are taken one by one."""

_EDGES = 640
"""Squares along each axis at most; from each a random pair of numbers is drawn."""


class TripleCounts:
    """Counts of triples from three ascending lists of one length whose sum reaches a goal.

    Parameters
    ----------
    first, second, third
        The numbers, the one furthest from 0 at one end of each list, where they are least dense.
    """

    def __init__(self, first: Floats, second: Floats, third: Floats) -> None:
        self._lists = first, second, third

    def steps(self, x: float) -> float:
        """Numbers that are passed in counting one by one."""
        first, second, third = self._lists
        goals, _ = _split(x - first, second, third)
        found = 0.0
        for one, other in ((second, third), (third, second)):
            none, every = (np.searchsorted(one, goals - end).astype(np.float64) for end in (other[-1], other[0]))
            found += float((every - none).sum())
        return found

    def counted(self, x: float) -> int:
        """The triples with a sum of at least x."""
        first, second, third = self._lists
        return _counted(second, third, x - first)

    def read(self, x: float) -> int:
        """The same, nearly: pairs of the last two are read off between places where they are counted.

        The numbers that lie far apart make steps, and are taken one by one.
        """
        first, second, third = self._lists
        dense, alone = _parted(second)
        total = _counted(first, third, x - alone)
        denser, alone = _parted(third)
        total += _counted(first, dense, x - alone)
        goals, whole = _split(x - first, dense, denser)
        places, cubics, counts = self._table
        before = np.clip(np.searchsorted(places, goals, side="right") - 1, 0, len(places) - 2)
        along = (goals - places[before]) / (places[before + 1] - places[before])
        found = np.zeros(len(goals))
        for coefficient in cubics:
            found = found * along + coefficient[before]
        found = np.clip(found, counts[before + 1], counts[before])
        return total + whole * len(dense) * len(denser) + round(math.fsum(found.tolist()))

    def off(self, x: float) -> float:
        """Bound, with confidence `LEVEL`, of the distance between the count that is read off and the exact one.

        Another estimate, without bias, has an error with a bound. For each number of the second and the third list, the
        numbers of the first that reach the goal are counted at the corners of squares of such pairs, and at one random
        pair in each square. Within a square the counts lie between those at its corners, so that independent terms have
        known limits; theorem 11 of Maurer & Pontil (2009), COLT, holds for any such terms.
        """
        most, one, other = self._lists
        one, other = (numbers if abs(numbers[0]) > abs(numbers[-1]) else numbers[::-1] for numbers in (one, other))
        edges = np.unique(np.floor((len(one) - 1) * (np.arange(_EDGES + 1) / _EDGES) ** 2).astype(np.int64))
        corners = len(most) - np.searchsorted(most, x - np.add.outer(one[edges], other[edges])).astype(np.float64)
        widths = np.diff(edges)
        sizes = widths.astype(np.float64)
        sizes[-1] += 1  # the last square has its far edge, too
        behind = sizes * (sizes - 1) / (2 * widths)  # places along each square, added up
        weights = np.append(sizes - behind, 0.0) + np.append(0.0, behind)
        quarters = corners[:-1, :-1], corners[:-1, 1:], corners[1:, :-1], corners[1:, 1:]
        room = (np.maximum.reduce(quarters) - np.minimum.reduce(quarters)) * np.outer(sizes, sizes)
        row, column = np.nonzero(room * (np.outer(sizes, sizes) > 1))
        generator = np.random.Generator(np.random.PCG64(0))
        down, right = (np.floor(generator.random(len(at)) * sizes[at]) for at in (row, column))
        sums = one[edges[row] + down.astype(np.int64)] + other[edges[column] + right.astype(np.int64)]
        down, right = down / widths[row], right / widths[column]
        between = [(1 - down) * (1 - right), (1 - down) * right, down * (1 - right), down * right]
        expected = sum(share * corner[row, column] for share, corner in zip(between, quarters, strict=True))
        terms = (len(most) - np.searchsorted(most, x - sums) - expected) * sizes[row] * sizes[column]
        apart = abs(self.read(x) - float((corners * np.outer(weights, weights)).sum()) - float(terms.sum()))
        if len(terms) < 2:
            return apart + float(room.sum())
        log = math.log(8 / (1 - LEVEL))  # on both sides, at two places at once
        spread = math.sqrt(2 * log * len(terms) * float(terms.var(ddof=1)))
        return apart + spread + 14 / 3 * log * float(room[row, column].max()) * len(terms) / (len(terms) - 1)

    @cached_property
    def _table(self) -> tuple[Floats, Floats, Floats]:
        """Places, cubics from each to the next, and the pairs from each on."""
        one, other = (_parted(numbers)[0] for numbers in self._lists[1:])
        turns = np.pi * (np.arange(_STRATA) + 0.5) / _STRATA
        index = ((1 - np.cos(turns)) / 2 * len(one)).astype(np.int64)
        sums = np.add.outer(one[index], other[index]).ravel()
        order = np.argsort(sums)
        shares = np.cumsum(np.multiply.outer(np.sin(turns), np.sin(turns)).ravel()[order])
        # Close to each other towards the ends, where the numbers that are left lie far apart.
        wanted = np.sin(np.pi / 2 * np.sin(np.pi / 2 * np.arange(1, _PLACES - 1) / (_PLACES - 1)) ** 2) ** 2
        places = sums[order][np.searchsorted(shares, wanted * shares[-1])]
        ends = one[0] + other[0], np.nextafter(one[-1] + other[-1], math.inf)
        places = np.unique(np.concatenate([[ends[0]], places, [ends[1]]]))
        counts = kernels.sums_at_least(one, other, places).astype(np.float64)
        number = np.arange(len(places) - 1)
        around = np.clip(number - 1, 0, len(places) - 4)[:, None] + np.arange(4)
        along = (places[around] - places[:-1, None]) / np.diff(places)[:, None]
        powers = along[:, :, None] ** np.arange(3, -1, -1)
        return places, np.linalg.solve(powers, counts[around][:, :, None])[:, :, 0].T, counts


def _counted(one: Floats, other: Floats, goals: Floats) -> int:
    """The pairs that reach each goal, added up."""
    goals, whole = _split(goals, one, other)
    return whole * len(one) * len(other) + int(kernels.sums_at_least(one, other, goals).sum())


def _split(goals: Floats, one: Floats, other: Floats) -> tuple[Floats, int]:
    """The goals that some but not all pairs reach, and how many goals all pairs reach."""
    low, high = one[0] + other[0], one[-1] + other[-1]
    return np.ascontiguousarray(goals[(goals > low) & (goals <= high)]), int((goals <= low).sum())


def _parted(numbers: Floats) -> tuple[Floats, Floats]:
    """The dense numbers, and those at the end that is further from 0."""
    if abs(numbers[-1]) >= abs(numbers[0]):
        return numbers[:-_APART], numbers[-_APART:]
    return numbers[_APART:], numbers[:_APART]
