"""The derivative of a function of cells, and the variance that it gives its value."""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.inference.clusters import LEAST_FREEDOM, cluster_error_of_parts, freedom_of_parts
from certus.inference.intervals.memo import once_for_each, once_for_small_tables
from certus.statistic import TableFunction
from certus.statistic.common import mean_of, sum_by_code, sums_of_parts
from certus.statistic.contributions import Parts
from certus.statistic.table_function import CellPositions, Through

ROUNDING = 1e-12
"""A derivative of at most this part of the largest one, by a filled or an empty cell, is 0 but for rounding."""
FEWEST_OF_GROUPS = 10.0
"""Where errors are in very few groups, the fourth moment leaves hardly any degrees of freedom; fewer are not taken.

Near a perfect value they made the limits of one error several times as wide as those of four.
"""


def slopes_at(statistic: TableFunction, table: Floats) -> Floats:
    """The derivative at a table by each of its cells that is not empty; 0 by the others."""
    flat = table.reshape(-1)
    cells = np.flatnonzero(flat)
    derivatives = gradient(statistic, flat, cells)
    if len(cells) == len(flat):
        slopes = derivatives
    else:
        slopes = np.zeros(len(flat))
        slopes[cells] = derivatives
    # The sum is 0 but for rounding, since the function does not change with the scale of the table.
    offset = (flat * slopes).sum() / flat.sum()
    if len(cells) == len(flat):
        slopes -= offset
    else:
        slopes[cells] -= offset
    return slopes.reshape(table.shape)


def variance(statistic: TableFunction, slopes: Floats) -> float:
    """The variance of the value to first order, given the derivatives."""
    return _by_units(statistic, slopes)[0]


@once_for_each
def freedom(statistic: TableFunction) -> float:
    """The degrees of freedom of the variance: infinitely many where the cells are multinomial."""
    if statistic.parts is None or statistic.n < 2:
        return math.inf
    return _by_units(statistic, slopes_at(statistic, statistic.counts))[1]


def _by_units(statistic: TableFunction, slopes: Floats) -> tuple[float, float]:
    if statistic.parts is None:
        amounts = statistic.counts if statistic.squares is None else statistic.squares
        return float((amounts * slopes**2).sum()), math.inf
    weighted = statistic.squares is not None
    units = statistic.parts.in_parts(slopes.reshape(-1), statistic.n)
    mean = sums_of_parts([sums] for sums, _ in units())[0] / statistic.n

    def terms() -> Iterator[tuple[Floats, Floats]]:
        for sums, masses in units():
            there = masses > 0
            yield (sums - mean)[there], masses[there]

    error, freedom = cluster_error_of_parts(terms, weighted=weighted)
    fewest = LEAST_FREEDOM if weighted else FEWEST_OF_GROUPS
    return error**2, min(freedom, freedom_of_parts(lambda: (sums - mean for sums, _ in units()), fewest))


def by_unit(statistic: TableFunction, parts: Parts, slopes: Floats) -> Floats:
    """The contributions of the units to the error of the value, in increasing order."""
    sums = np.sort(parts.by_unit(slopes.reshape(-1), statistic.n))
    return np.asarray(sums - mean_of(sums))


def clustered(statistic: TableFunction) -> bool:
    """True if units fill several cells."""
    return statistic.contributions is not None and statistic.squares is None


class Effective(NamedTuple):
    """The table in samples of equal weight."""

    units: Floats
    """A table of counts: as many samples of equal weight in each row as its weights are worth."""
    weight: Floats
    """The weight of one of them, by row, by cell or for the whole table."""


def effective(statistic: TableFunction) -> Effective:
    """The number of samples of equal weight that the weights of each row are worth."""
    counts, squares = statistic.counts, statistic.squares
    if squares is None:
        weights = None if statistic.parts is None else statistic.parts.weights
        single = np.ones((1,) * counts.ndim)
        if weights is None:
            return Effective(counts, single)
        single *= (weights**2).sum() / weights.sum()
        return Effective(counts / single, single)
    weight = np.full((1,) * counts.ndim, squares.sum() / counts.sum())
    if counts.ndim == 2 or statistic.places is not None:
        rows, squared = (_by_row(table, statistic.places) for table in (counts, squares))
        ratio = squared / np.where(rows > 0, rows, 1)
        # Squares of weights below 1e-154 are 0; a row of those is worth one sample at least.
        weight = np.where(rows > 0, np.where(ratio > 0, ratio, rows), weight)
    return Effective(counts / weight, weight)


def _by_row(table: Floats, positions: CellPositions | None) -> Floats:
    """For each cell, or for all of a row at once, the sum of its row."""
    if positions is None:
        return np.asarray(table.sum(axis=1, keepdims=True))
    sums: Floats = sum_by_code(positions.rows, table, positions.size)[positions.rows]
    return sums


BLOCK = 1 << 20
"""Numbers in the tables that the function is given at a time: 8 MB."""

STEP = 1e-3
"""Part of a count by which it is changed."""


@once_for_small_tables
def _reduced(table: Floats, view: Callable[[Floats], Any]) -> Any:
    return view(table)


def _of_table(statistic: TableFunction, function: Callable[[Floats], Any], table: Floats) -> Any:
    """The function of one table."""
    table = table.reshape(statistic.counts.shape)
    return function.finish(_reduced(table, function.reduce)) if isinstance(function, Through) else function(table)


def values(statistic: TableFunction, tables: Floats) -> Floats:
    """The function of tables, each given as a row of its cells; NaN where it is undefined."""
    cells = statistic.counts
    with np.errstate(divide="ignore", invalid="ignore"):
        if tables.size == cells.size:
            results = _of_table(statistic, statistic.function, tables)
        else:
            results = statistic.function(tables.reshape(-1, *cells.shape))
    return np.asarray(results, dtype=np.float64).reshape(-1)


def gradient(statistic: TableFunction, table: Floats, nonempty: NDArray[np.int64]) -> Floats:
    """The derivative of the function at `table` (its cells in a row) by each of the cells `filled`."""
    if statistic.gradient is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = np.asarray(_of_table(statistic, statistic.gradient, table), dtype=np.float64).reshape(-1)
        size = np.abs(slopes)
        if size.size and size.min() > ROUNDING * (largest := size.max()) and largest < np.inf:
            return slopes[nonempty]
        return np.where(size <= ROUNDING * size.max(where=size < np.inf, initial=0.0), 0.0, slopes)[nonempty]
    steps = STEP * table[nonempty]
    derivatives = np.empty(len(nonempty))
    offsets, factors = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([1.0, -8.0, 8.0, -1.0]) / 12
    block = max(1, BLOCK // (4 * len(table)))
    for first in range(0, len(nonempty), block):
        block_cells = nonempty[first : first + block]
        block_steps = steps[first : first + block]
        changed = np.broadcast_to(table, (len(block_cells), 4, len(table))).copy()
        changed[np.arange(len(block_cells)), :, block_cells] += block_steps[:, np.newaxis] * offsets
        derivatives[first : first + block] = (values(statistic, changed).reshape(-1, 4) * factors).sum(
            axis=1
        ) / block_steps
    return derivatives
