"""Functions of a contingency table as the form `TableFunction`, with all its cells or those not empty."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats, Ints
from certus.data import Partition
from certus.statistic import Contributions, TableFunction

STEP = 1e-100
"""The imaginary step of a derivative: nothing is subtracted, so it may be as small as this."""
MOST_CELLS = 4096
"""Tables of up to this many cells are held whole, so that an interval knows of cells that happen to be empty."""


@dataclass(frozen=True, eq=False)
class Grid:
    """The cells that a table is held by: their clusters, by row and then by column. Each row and column has one."""

    rows: Ints
    columns: Ints

    @cached_property
    def _starts(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        order = np.argsort(self.columns, kind="stable")
        return (
            np.flatnonzero(np.diff(self.rows, prepend=-1)),
            order,
            np.flatnonzero(np.diff(self.columns[order], prepend=-1)),
        )

    def margins(self, tables: Floats) -> tuple[Floats, Floats]:
        """Row sums and column sums of tables with any leading axes."""
        rows, order, columns = self._starts
        return np.add.reduceat(tables, rows, axis=-1), np.add.reduceat(tables[..., order], columns, axis=-1)

    def shares(self, tables: Floats) -> "Shares":
        """The tables as shares of all samples."""
        shares = tables / tables.sum(-1, keepdims=True)
        return Shares(self, shares, *self.margins(shares))

    def table(self, indices: Ints, values: NDArray[Any]) -> Floats:
        """The table with these values in the cells of these indices and 0 in the others."""
        table = np.zeros(len(self.rows))
        table[indices] = values
        return table


@dataclass(frozen=True, eq=False)
class Shares:
    """Cells, rows and columns of a table as shares of all samples."""

    grid: Grid
    cells: Floats
    rows: Floats
    columns: Floats

    @property
    def of_row(self) -> Floats:
        """The share of the row that each cell is in."""
        return self.rows[..., self.grid.rows]

    @property
    def of_column(self) -> Floats:
        """The share of the column that each cell is in."""
        return self.columns[..., self.grid.columns]


def grid_of(partition: Partition, *, all_cells: bool = False) -> tuple[Grid, Ints]:
    """The cells that a table is stored by, and the indices of the nonempty ones among them."""
    height, width = partition.shape
    if all_cells or height * width <= MOST_CELLS:
        rows, columns = (axis.ravel() for axis in np.indices((height, width)))
        return Grid(rows, columns), partition.rows * width + partition.columns
    if not partition.identical:
        return Grid(partition.rows, partition.columns), np.arange(len(partition.rows))
    # Nothing but agreement: an empty cell in each row, or there would be no room for doubt.
    rows = np.repeat(np.arange(height), 2)
    columns = np.stack([partition.columns, np.roll(partition.columns, -1)], axis=1).ravel()
    return Grid(rows, columns), 2 * np.arange(height)


def cells_of(
    partition: Partition,
    function: Callable[[Shares], Any],
    by_shares: Callable[[Shares], Floats],
    *,
    value: float | None = None,
    undefined: float | None = None,
    reason: str = "",
    curved: bool = True,
    smooth: bool = True,
    fillable: bool = True,
    limit: Callable[[Shares], Any] | None = None,
) -> TableFunction:
    """A function of the shares of a table; `value` where it is known exactly, `reason` why it is undefined."""
    grid, cell_indices = grid_of(partition)
    squares = partition.squares
    is_unweighted = partition.weights is None and partition.groups is None
    return TableFunction(
        grid.table(cell_indices, partition.counts),
        partial(_of_tables, grid, function, undefined),
        gradient=partial(_gradient, grid, by_shares),
        squares=None if squares is None or partition.groups is not None else grid.table(cell_indices, squares),
        contributions=None if is_unweighted else partial(_contributions, partition, cell_indices),
        unit=partition.unit,
        n=partition.units,
        exact_value=value,
        undefined_reason=reason,
        curved=curved,
        smooth=smooth,
        fillable=fillable and len(grid.rows) == math.prod(partition.shape),
        limit=None if limit is None else partial(_of_tables, grid, limit, None),
    )


def _of_tables(grid: Grid, function: Callable[[Shares], Any], undefined: float | None, tables: Floats) -> Floats:
    values = np.asarray(function(grid.shares(tables)))
    return values if undefined is None else np.where(np.isnan(values), undefined, values)


def _gradient(grid: Grid, by_shares: Callable[[Shares], Floats], table: Floats) -> Floats:
    shares = grid.shares(table)
    slopes = by_shares(shares)
    slopes = np.where(shares.cells > 0, slopes, 0.0)
    return np.asarray((slopes - (slopes * shares.cells).sum()) / table.sum())


def _contributions(partition: Partition, cell_indices: Ints) -> Contributions:
    units = np.arange(partition.n) if partition.groups is None else partition.groups
    return Contributions(cell_indices[partition.cells], units, partition.weights)


def slopes_of(function: Callable[[Any], Any], parts: Any) -> list[float]:
    """The derivatives of a function by each field of a named tuple."""
    steps = STEP * 1j * np.eye(len(parts))
    return [float(np.imag(function(type(parts)(*(parts + step)))) / STEP) for step in steps]
