"""Pseudo-counts: what the methods for few units add to the cells of a sparse table."""

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.statistic.common import sum_by_code
from certus.statistic.table_function import CellPositions

FEW_UNITS = 50
"""Fewer units than this are few."""

SPARSE = 5.0
"""A class with fewer units than this rightly predicted, missed, or falsely predicted makes a table sparse."""

SPREAD = 20
"""In tables of more classes than this the pseudo-errors of a class fall on one other class, not on all of them."""


def square(table: Floats, positions: CellPositions | None = None) -> bool:
    """True for a square table, and for a stack of square tables (one for each label)."""
    return positions is not None or (table.ndim >= 2 and table.shape[-2] == table.shape[-1] >= 2)


def sparse(table: Floats, positions: CellPositions | None = None) -> bool:
    """True if a table holds too few units for the plain delta method."""
    if positions is not None:
        return _sparse(*_margins(table, positions)[0])
    if table.sum() < FEW_UNITS:
        return True
    if not square(table):
        return table.size <= 4 and bool(table.min() < SPARSE)
    return any(_sparse(*margins) for margins in _margins(table, None))


def _sparse(right: Floats, rows: Floats, columns: Floats) -> bool:
    """True if some class has hardly any right or wrong units."""
    if rows.sum() < FEW_UNITS:
        return True
    smallest = np.minimum(right, np.minimum(rows, columns) - right)
    return bool(smallest.min(where=rows + columns > 0, initial=np.inf) < SPARSE)


def _margins(table: Floats, positions: CellPositions | None) -> list[tuple[Floats, Floats, Floats]]:
    """Diagonal, row sums and column sums of a square table, or of each in a stack."""
    if positions is not None:
        is_diagonal = positions.rows == positions.columns
        columns_and_codes = (is_diagonal * table, positions.rows), (table, positions.rows), (table, positions.columns)
        right, rows, columns = (sum_by_code(codes, values, positions.size) for values, codes in columns_and_codes)
        return [(right, rows, columns)]
    layers = table.reshape(-1, *table.shape[-2:])
    return [(np.diagonal(layer), layer.sum(axis=1), layer.sum(axis=0)) for layer in layers]


def uniform(table: Floats) -> float:
    """Pseudo-count of each cell: 1/2 (Jeffreys's prior) in up to 4 cells, otherwise 2 divided by their number."""
    return min(0.5, 2 / table.size)


def pseudocounts(table: Floats, positions: CellPositions | None = None) -> Floats:
    """Pseudo-counts for a square table: half a unit for each class, and one more in total.

    The half unit of a class is divided into right and wrong as all units of the table are, the last one evenly. What is
    wrong is spread evenly over the other classes. Half a unit keeps a class of few units, all of which happened to be
    right (or wrong), from counting as known, and changes it little; the last unit does the same for a table without any
    error. The usual 1/2 in every cell would in a table of many classes outweigh the data. A class that has no units, in
    its row or in its column, gets none. Each table of a stack has its own pseudo-counts.
    """
    extra = np.zeros_like(table)
    tables = [extra] if positions is not None else extra.reshape(-1, *table.shape[-2:])
    for view, margins in zip(tables, _margins(table, positions), strict=True):
        _add_pseudocounts(view, positions, *margins)
    return extra


def _add_pseudocounts(
    extra: Floats, positions: CellPositions | None, right: Floats, rows: Floats, columns: Floats
) -> None:
    """Add the pseudo-counts of one square table to `extra`."""
    present = np.flatnonzero(rows + columns)
    k, n = len(present), float(rows.sum())
    if not k:
        return
    wrong = (n - float(right.sum()) + 0.5) / (n + 1)
    right_each = (1 - wrong) / 2 + 1 / (2 * k)
    wrong_each = wrong / 2 + 1 / (2 * k)
    if k <= SPREAD:
        every = np.broadcast_to(present, (k, k))
        _set_cells(extra, positions, every.T.ravel(), every.ravel(), wrong_each / max(k - 1, 1))
    else:
        _set_cells(extra, positions, present, np.roll(present, -1), wrong_each)
    _set_cells(extra, positions, present, present, right_each)


def num_present(table: Floats, positions: CellPositions | None = None) -> int:
    """Number of classes with units in their row or column."""
    _, rows, columns = _margins(table, positions)[0]
    return int(np.count_nonzero(rows + columns))


def by_chance(table: Floats, agreement: float, positions: CellPositions | None = None) -> Floats:
    """As `pseudocounts`, with wrong units as by chance, for a chance-corrected `agreement`."""
    _, rows, columns = _margins(table, positions)[0]
    at_rows, at_columns = np.indices(table.shape) if positions is None else (positions.rows, positions.columns)
    present = rows + columns > 0
    k, n = int(present.sum()), float(rows.sum())
    row, column = ((margin + present / 2) / (n + k / 2) for margin in (rows, columns))
    disagreeing = n - float(rows @ columns) / n
    share = min(max((disagreeing * agreement + 0.5) / (disagreeing + 1), 0.0), 1.0)
    chance = (present[at_rows] * column[at_columns] + row[at_rows] * present[at_columns]) / 2
    diagonal = (at_rows == at_columns) * present[at_rows] * (share / 2 + 1 / (2 * k))
    return np.asarray(diagonal + chance * ((1 - share) / 2 + 1 / (2 * k)))


def _set_cells(
    extra: Floats, positions: CellPositions | None, rows: NDArray[np.intp], columns: NDArray[np.intp], number: float
) -> None:
    """Set the cells with these rows and columns, dense or sparse, to a number."""
    if positions is None:
        extra[rows, columns] = number
    else:
        keys = positions.rows * positions.size + positions.columns
        extra[np.searchsorted(keys, rows * positions.size + columns)] = number
