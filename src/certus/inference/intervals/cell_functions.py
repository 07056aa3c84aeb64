"""Functions of cell counts: their derivatives and variance, bootstrap replicates and jackknife."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.inference.clusters import LEAST_FREEDOM, cluster_error_of_parts, freedom_of_parts
from certus.inference.interval import Limits, Request
from certus.inference.intervals import resample
from certus.statistic import TableFunction
from certus.statistic.cached import once_for_each
from certus.statistic.common import irregular, mean_of, sum_by_code, sums_of_parts, unit_kinds, unit_ranks
from certus.statistic.table_function import CellPositions, Parts

ROUNDING = 1e-12
"""A derivative of at most this part of the largest one, by a filled or an empty cell, is 0 but for rounding."""
FEWEST_OF_GROUPS = 10.0
"""Where errors are in very few groups, the fourth moment leaves hardly any degrees of freedom; fewer are not taken.

Near a perfect value they made the limits of one error several times as wide as those of four.
"""


def slopes_at(statistic: TableFunction, table: Floats) -> Floats:
    """Derivative by each cell count at a table; 0 for empty cells."""
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
    """Variance of the value to first order (delta method), from the derivatives."""
    return _variance_and_freedom(statistic, slopes)[0]


@once_for_each
def freedom(statistic: TableFunction) -> float:
    """Degrees of freedom of the variance: infinite for multinomial counts."""
    if statistic.parts is None or statistic.n < 2:
        return math.inf
    return _variance_and_freedom(statistic, slopes_at(statistic, statistic.counts))[1]


def _variance_and_freedom(statistic: TableFunction, slopes: Floats) -> tuple[float, float]:
    """Variance of the value by the delta method, and its degrees of freedom."""
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
    """Contribution of each unit to the error of the value, in increasing order."""
    sums = np.sort(parts.by_unit(slopes.reshape(-1), statistic.n))
    return np.asarray(sums - mean_of(sums))


def clustered(statistic: TableFunction) -> bool:
    """True if a unit can fill several cells."""
    return statistic.contributions is not None and statistic.squares is None


class Effective(NamedTuple):
    """Number of samples of equal weight that are as informative as the weighted ones, and their mean weight."""

    units: Floats
    """A table of counts: as many samples of equal weight in each row as its weights are worth."""
    weight: Floats
    """The weight of one of them, by row, by cell or for the whole table."""


def effective(statistic: TableFunction) -> Effective:
    """Effective number of samples, for each row of a table with weights."""
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
    """Sum over the row of each cell, or over all cells if the rows are not known."""
    if positions is None:
        return np.asarray(table.sum(axis=1, keepdims=True))
    sums: Floats = sum_by_code(positions.rows, table, positions.size)[positions.rows]
    return sums


BLOCK = 1 << 20
"""Numbers in the tables that the function is given at a time: 8 MB."""

STEP = 1e-3
"""Part of a count by which it is changed."""


def values(statistic: TableFunction, tables: Floats) -> Floats:
    """Values of the function for several tables, each one row of cells; NaN where undefined."""
    cells = statistic.counts
    with np.errstate(divide="ignore", invalid="ignore"):
        tables = tables.reshape(cells.shape) if tables.size == cells.size else tables.reshape(-1, *cells.shape)
        results = statistic.function(tables)
    return np.asarray(results, dtype=np.float64).reshape(-1)


def gradient(statistic: TableFunction, table: Floats, nonempty: NDArray[np.int64]) -> Floats:
    """Derivative of the function by each of the `nonempty` cells, at a table whose cells are in one row."""
    if statistic.gradient is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = np.asarray(statistic.gradient(table.reshape(statistic.counts.shape)), dtype=np.float64).reshape(-1)
        size = np.abs(slopes)
        if size.size and size.min() > ROUNDING * (largest := size.max()) and largest < np.inf:
            return slopes[nonempty]
        return np.where(size <= ROUNDING * size.max(where=size < np.inf, initial=0.0), 0.0, slopes)[nonempty]
    steps = STEP * table[nonempty]
    derivatives = np.empty(len(nonempty))
    offsets, factors = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([1.0, -8.0, 8.0, -1.0]) / 12
    for block in blocks(len(nonempty), 4 * len(table)):
        cells = nonempty[block]
        changed = np.broadcast_to(table, (len(cells), 4, len(table))).copy()
        changed[np.arange(len(cells)), :, cells] += steps[block, np.newaxis] * offsets
        derivatives[block] = (values(statistic, changed).reshape(-1, 4) * factors).sum(axis=1) / steps[block]
    return derivatives


def blocks(count: int, size: int) -> Iterator[slice]:
    """Slices that divide `count` rows of `size` numbers into blocks of limited memory."""
    step = max(1, BLOCK // size)
    for first in range(0, count, step):
        yield slice(first, min(first + step, count))


MOST_CELLS = 4096
"""Larger tables keep their order: with that number of cells random draws hardly differ from one order to the next."""
MOST_CELLS_WITHOUT_GRADIENT = 256
MOST_SPLITS = 64
"""Cells that look alike after this many of them were told apart keep their order."""
MOST_TRIED = 8
"""Cells that look alike and are tried as the first of them."""
DIGITS = 1e-6
"""Part of the largest derivative by which two of them must differ to count as different."""

Ranks = NDArray[np.int64]


class CellOrder(NamedTuple):
    """An order of the nonempty cells that does not depend on how classes are numbered or systems are ordered."""

    cells: NDArray[np.int64]
    mirrored: bool
    """True if a symmetry of the table changes the sign of the function, so that its law is symmetric around 0."""


def cell_order(statistic: TableFunction, amounts: Floats) -> CellOrder:
    """Sort the nonempty cells so that seeded draws do not depend on how classes and systems are arranged."""
    cells = np.flatnonzero(amounts)
    if len(cells) > MOST_CELLS or (statistic.gradient is None and len(amounts) > MOST_CELLS_WITHOUT_GRADIENT):
        return CellOrder(cells, mirrored=False)
    keys = [amounts, statistic.counts.reshape(-1)]
    if statistic.squares is not None:
        keys.append(statistic.squares.reshape(-1))
    elif statistic.parts is not None:  # cells of equal counts may be filled by few large units or many small ones
        keys.extend(statistic.parts.tables(statistic.parts.masses(statistic.n)[np.newaxis], len(amounts)))
    ranks = unit_kinds(None, *(key[cells] for key in keys))
    if ranks.max(initial=-1) + 1 == len(cells):
        return CellOrder(cells[np.argsort(ranks)], mirrored=False)
    # Exchanged systems have the difference with the other sign.
    value = statistic.value
    signs = (1.0, -1.0) if value == 0 else (1.0 if value > 0 else -1.0,)
    refinements = [_refined(statistic, ranks, cells, sign) for sign in signs]
    mirrored = len(refinements) == 2 and refinements[0][0] == refinements[1][0]
    _, refined = max(refinements, key=lambda refinement: refinement[0])
    return CellOrder(cells[np.argsort(refined, kind="stable")], mirrored)


def _refined(
    statistic: TableFunction, ranks: Ranks, cells: NDArray[np.int64], sign: float
) -> tuple[list[float], Ranks]:
    """Ranks of the cells with ties broken as far as possible, and the derivatives in that order, times `sign`."""
    slopes: list[float] = []
    for _ in range(MOST_SPLITS):
        slopes, ranks = _refine_until_stable(statistic, ranks, cells, sign)
        tied_ranks = np.flatnonzero(np.bincount(ranks) > 1)
        if not len(tied_ranks):
            break
        first = np.flatnonzero(ranks == tied_ranks[0])
        tried = [_put_first(ranks, index) for index in first[:MOST_TRIED].tolist()]
        if len(cells) > 2 and len(first) <= MOST_TRIED:
            steps = [_step(statistic, candidate, cells, sign) for candidate in tried]
            ranks = max(steps, key=lambda candidate: candidate[0])[1]
        else:
            ranks = tried[0]
    return slopes, ranks


def _put_first(ranks: Ranks, index: int) -> Ranks:
    """Ranks in which one cell precedes the others that shared its rank."""
    ranks = 2 * ranks
    ranks[index] -= 1
    return unit_kinds(None, ranks)


def _refine_until_stable(
    statistic: TableFunction, ranks: Ranks, cells: NDArray[np.int64], sign: float
) -> tuple[list[float], Ranks]:
    """Refine the ranks by the derivatives until no more ties are broken."""
    while True:
        slopes, refined = _step(statistic, ranks, cells, sign)
        if refined.max() == ranks.max():
            return slopes, refined
        ranks = refined


def _step(statistic: TableFunction, ranks: Ranks, cells: NDArray[np.int64], sign: float) -> tuple[list[float], Ranks]:
    """Break ties of ranks by the derivatives at two tables that depend on the ranks; also these derivatives, sorted."""
    flat = statistic.counts.reshape(-1)
    total = float(flat.sum())
    numbers = np.zeros(len(flat))
    numbers[cells] = np.sqrt(ranks + 2.0) % 1  # hardly any two sums of roots are equal
    # A maximum over cells sees an empty one only where much is added to it.
    near, far = (
        _slopes(statistic, flat + much * numbers, cells, sign) for much in (total / max(statistic.n, 1), total)
    )
    refined = unit_kinds(None, ranks, near, far)
    order = np.argsort(refined, kind="stable")
    return [*near[order].tolist(), *far[order].tolist()], refined


def _slopes(statistic: TableFunction, table: Floats, cells: NDArray[np.int64], sign: float) -> Floats:
    """Derivatives by the cells as multiples of a rounding unit; 0 where undefined."""
    with np.errstate(all="ignore"):
        slopes = sign * slopes_at(statistic, table.reshape(statistic.counts.shape)).reshape(-1)[cells]
        slopes = np.nan_to_num(slopes, nan=0.0, posinf=0.0, neginf=0.0)
        return np.asarray(np.round(slopes / (DIGITS * (np.abs(slopes).max(initial=0.0) or 1.0))))


def replicates(statistic: TableFunction, request: Request) -> Floats:
    """Bootstrap replicates of the function; counts are multinomial if each unit fills one cell."""
    resample.check_replicates(request)
    flat = statistic.counts.reshape(-1)
    results = np.empty(request.replicates)
    if statistic.parts is None:
        cells, mirrored = cell_order(statistic, flat)
        rng = np.random.default_rng(request.seed)
        for block in blocks(request.replicates, len(flat)):
            tables = np.zeros((block.stop - block.start, len(flat)))
            tables[:, cells] = rng.multinomial(statistic.n, flat[cells] / flat.sum(), len(tables))
            results[block] = values(statistic, tables)
        return np.concatenate([results, -results]) if mirrored else results
    rank = ranks(statistic, statistic.parts)
    for block in blocks(request.replicates, max(len(flat), statistic.n)):
        unit_counts = kernels.resample_counts(
            statistic.n, first=block.start, replicates=block.stop - block.start, seed=request.seed
        )
        results[block] = values(statistic, statistic.parts.tables(unit_counts[:, rank].astype(np.float64), len(flat)))
    return results


def ranks(statistic: TableFunction, parts: Parts) -> NDArray[np.int64]:
    """Rank of each unit by the cells that it fills, so that draws do not depend on the order of the units."""
    flat = statistic.counts.reshape(-1)
    cells = cell_order(statistic, flat).cells
    numbers = np.zeros(len(flat))
    numbers[cells] = irregular(np.arange(len(cells)))
    return unit_ranks(None, parts.by_unit(numbers, statistic.n))


def jackknife(statistic: TableFunction, request: Request) -> Limits:
    """``value +- t(n - 1) SE`` with the jackknife's standard error: each unit is left out in turn."""
    return resample.jackknife(statistic.value, *without_each(statistic), request, rounding=1e-12)


def without_each(statistic: TableFunction) -> tuple[Floats, Floats]:
    """Values with one unit left out, one for each kind of unit, and the size of each kind."""
    flat = statistic.counts.reshape(-1)
    if statistic.parts is None:
        cells = np.flatnonzero(flat)
        results = np.empty(len(cells))
        for block in blocks(len(cells), len(flat)):
            tables = np.broadcast_to(flat, (block.stop - block.start, len(flat))).copy()
            tables[np.arange(len(tables)), cells[block]] -= 1
            results[block] = values(statistic, tables)
        return results, flat[cells]
    groups = resample.groups_left_out(ranks(statistic, statistic.parts))
    of_groups = statistic.parts.by_group(groups, len(flat))
    results = np.empty(int(groups.max()) + 1)
    for block in blocks(len(results), 16 * len(flat)):
        tables = flat - of_groups(block.start, block.stop)
        # What is left of a cell whose units are all taken out is rounding.
        tables[tables <= 1e-12 * flat] = 0.0
        results[block] = values(statistic, tables)
    return results, np.ones(len(results))
