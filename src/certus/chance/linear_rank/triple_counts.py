"""Sums of three numbers, one of each of three lists: how many are at least so large, one by one or read off."""

import math
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats

__all__ = ["TripleCounts"]

_Indices: TypeAlias = NDArray[np.int64]

_PLACES = 1024
"""Places at which all pairs are counted."""

_STRATA = 512
"""Parts of each list, of which one number stands for all."""

_APART = 64
"""Of the second and the third list so many numbers, the furthest apart, are taken one by one."""

_SAFE = 3.0
"""The error was never more than 0.9 of the sum of what the nearest places show and one for each goal."""


class TripleCounts:
    """Counts of the triples of three ascending lists, of one length, with a sum of at least some goal.

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

    def read(self, x: float) -> tuple[int, float]:
        """The same and a bound of the error: pairs of the last two are read off between places where they are counted.

        The numbers that lie far apart make steps, and are taken one by one.
        """
        first, second, third = self._lists
        dense, alone = _parted(second)
        total = _counted(first, third, x - alone)
        denser, alone = _parted(third)
        total += _counted(first, dense, x - alone)
        goals, whole = _split(x - first, dense, denser)
        places, cubics, counts, apart = self._table
        before = np.clip(np.searchsorted(places, goals, side="right") - 1, 0, len(places) - 2)
        along = (goals - places[before]) / (places[before + 1] - places[before])
        found = np.zeros(len(goals))
        for coefficient in cubics:
            found = found * along + coefficient[before]
        found = np.clip(found, counts[before + 1], counts[before])
        total += whole * len(dense) * len(denser) + round(math.fsum(found.tolist()))
        return total, float(apart[before].sum())

    @cached_property
    def _table(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Places, cubics from each to the next, the pairs from each on, and how far a count read there may be off."""
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
        number = np.arange(len(places))
        around = np.clip(number[:-1] - 1, 0, len(places) - 4)[:, None] + np.arange(4)
        cubics = _cubics(places, counts, around, number[:-1])
        # How far each count is from the cubic through two on either side, which lie twice as far apart.
        inner = number[3:-3]
        apart = np.full(len(places), math.inf)
        around = inner[:, None] + np.array([-3, -1, 1, 3])
        apart[inner] = abs(_cubics(places, counts, around, inner)[-1] - counts[inner])
        near = np.array([np.roll(apart, shift) for shift in range(-3, 3)]).max(axis=0)
        # What is read off is held between the counts of the two places, too.
        return places, cubics, counts, np.minimum(_SAFE * near + 2, -np.diff(counts, append=0.0))


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


def _cubics(places: Floats, values: Floats, through: _Indices, start: _Indices) -> Floats:
    """Coefficients, a row a power from the third down, of the cubics through four points each.

    They are cubics of the distance from the start, over that from there to the next place.
    """
    along = (places[through] - places[start][:, None]) / (places[start + 1] - places[start])[:, None]
    powers = along[:, :, None] ** np.arange(3, -1, -1)
    return np.ascontiguousarray(np.linalg.solve(powers, values[through][:, :, None])[:, :, 0].T)
