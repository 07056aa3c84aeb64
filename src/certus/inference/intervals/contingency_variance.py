"""The variance of a function of cell counts, and what its units are worth."""

import math
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from certus.arrays import Floats
from certus.inference.clusters import cluster_error, freedom_of_squares
from certus.inference.intervals.contingency_gradient import gradient
from certus.statistic import Cells, Contributions, tally

__all__ = ["Effective", "by_unit", "clustered", "effective", "freedom", "slopes_at", "variance"]

FEWEST_OF_GROUPS = 10.0
"""Where errors are in very few groups, the fourth moment leaves hardly any degrees of freedom; fewer are not taken.

Near a perfect value they made the limits of one error several times as wide as those of four.
"""


def slopes_at(statistic: Cells, table: Floats) -> Floats:
    """The derivative at a table by each of its cells that is not empty; 0 by the others."""
    flat = table.reshape(-1)
    filled = np.flatnonzero(flat)
    slopes = np.zeros(len(flat))
    slopes[filled] = gradient(statistic, flat, filled)
    # The sum is 0 but for rounding, since the function does not change with the scale of the table.
    slopes[filled] -= (flat * slopes).sum() / flat.sum()
    return slopes.reshape(table.shape)


def variance(statistic: Cells, slopes: Floats) -> float:
    """The variance of the value to first order, given the derivatives."""
    return _by_units(statistic, slopes)[0]


def freedom(statistic: Cells) -> float:
    """The degrees of freedom of the variance: infinitely many where the cells are multinomial.

    Units with weights and units that fill several cells have those of `certus.inference.clusters.cluster_error` or, if
    they are fewer, those of `certus.inference.clusters.freedom_of_squares`, of groups at least 10.
    """
    if statistic.parts is None or statistic.n < 2:
        return math.inf
    found = _SEEN.get(statistic)
    if found is None:
        found = _SEEN[statistic] = _by_units(statistic, slopes_at(statistic, statistic.counts))[1]
    return found


_SEEN: WeakKeyDictionary[Cells, float] = WeakKeyDictionary()


def _by_units(statistic: Cells, slopes: Floats) -> tuple[float, float]:
    if statistic.parts is None:
        amounts = statistic.counts if statistic.squares is None else statistic.squares
        return float((amounts * slopes**2).sum()), math.inf
    added, masses = by_unit(statistic, statistic.parts, slopes), _masses(statistic, statistic.parts)
    weighted = statistic.squares is not None
    error, freedom = cluster_error(added[masses > 0], masses[masses > 0], weighted=weighted)
    least = freedom_of_squares(added) if weighted else freedom_of_squares(added, FEWEST_OF_GROUPS)
    return error**2, min(freedom, least)


def _masses(statistic: Cells, contributions: Contributions) -> Floats:
    """How many samples, or what weight, each unit has."""
    _, units, weights = contributions
    return tally(units, np.ones(len(units)) if weights is None else weights, statistic.n)


def by_unit(statistic: Cells, contributions: Contributions, slopes: Floats) -> Floats:
    """What each unit adds to the error of the value."""
    cells, units, weights = contributions
    slope = slopes.reshape(-1)[cells]
    sums: Floats = tally(units, slope if weights is None else slope * weights, statistic.n)
    sums -= sums.mean()
    return sums


def clustered(statistic: Cells) -> bool:
    """Whether units fill several cells."""
    return statistic.contributions is not None and statistic.squares is None


class Effective(NamedTuple):
    """The table in samples of equal weight."""

    units: Floats
    """A table of counts: as many samples of equal weight in each row as its weights are worth."""
    weight: Floats
    """The weight of one of them, by row or for the whole table."""


def effective(statistic: Cells) -> Effective:
    """How many samples of equal weight the weights of each row are worth."""
    counts, squares = statistic.counts, statistic.squares
    if squares is None:
        weights = None if statistic.parts is None else statistic.parts.weights
        single = 1.0 if weights is None else float((weights**2).sum() / weights.sum())
        return Effective(counts / single, np.full((1,) * counts.ndim, single))
    weight = np.full((1,) * counts.ndim, squares.sum() / counts.sum())
    if counts.ndim == 2:
        rows = counts.sum(axis=1, keepdims=True)
        found = squares.sum(axis=1, keepdims=True) / np.where(rows > 0, rows, 1)
        # Squares of weights below 1e-154 are 0; a row of those is worth one sample at least.
        weight = np.where(rows > 0, np.where(found > 0, found, rows), weight)
    return Effective(counts / weight, weight)
