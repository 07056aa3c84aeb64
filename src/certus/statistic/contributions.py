"""Contributions of units to the cells of a table, for units that fill several cells or have weights."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.statistic.common import sum_by_code

Codes: TypeAlias = NDArray[np.integer[Any]]
Tables: TypeAlias = Callable[[int, int], Floats]
"""From a first and an end group to the tables of the groups between, each as a row of its cells."""

InParts: TypeAlias = Callable[[], Iterable[tuple[Floats, Floats]]]
"""Gives two columns of numbers, part by part, as often as it is called."""


class Parts(Protocol):
    """Contributions of independent units to the cells of a table; each row contributes to one cell."""

    @property
    def weights(self) -> Floats | None:
        """Weights of the rows; None if each is 1."""

    @property
    def size(self) -> int:
        """Number of rows."""

    def by_unit(self, slopes: Floats, n: int) -> Floats:
        """Weighted sum of `slopes` over the cells that a unit's rows fill, for each of n units."""
        ...

    def masses(self, n: int) -> Floats:
        """Number of rows, or their total weight, for each of n units, up to a common factor."""
        ...

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """Function that yields the columns of `by_unit` and `masses` block by block."""
        ...

    def tables(self, amounts: Floats, cells: int) -> Floats:
        """Tables in which unit i counts ``amounts[t, i]`` times in table t; one row of cells for each table."""
        ...

    def by_group(self, groups: Codes, cells: int) -> Tables:
        """Tables of groups of units; `groups` holds a code for each unit."""
        ...

    def over(self, clusters: Codes) -> "Parts":
        """Contributions with clusters as the units; `clusters` holds a code for each unit."""
        ...

    def rows(self) -> "Contributions":
        """Contributions row by row: unit and cell of each."""
        ...


@dataclass(frozen=True, eq=False)
class Contributions:
    """Contributions row by row: row r adds ``amounts[r]`` to the flat cell ``cells[r]`` for unit ``units[r]``.

    Units are numbered from 0, each has a row at least; without amounts each row adds 1. The methods are those of
    `Parts`.

    Examples
    --------
    Three samples of two patients, two of which fill the second cell.

    >>> rows = Contributions(np.array([0, 1, 1]), np.array([0, 1, 0]))
    >>> rows.size, np.bincount(rows.cells).tolist()
    (3, [1, 2])
    """

    cells: Codes
    units: Codes
    amounts: Floats | None = None

    @property
    def weights(self) -> Floats | None:
        """See `Parts`."""
        return self.amounts

    @property
    def size(self) -> int:
        """See `Parts`."""
        return len(self.units)

    @property
    def _filled_amounts(self) -> Floats:
        return np.ones(len(self.units)) if self.amounts is None else self.amounts

    def by_unit(self, slopes: Floats, n: int) -> Floats:
        """See `Parts`."""
        slope = slopes[self.cells]
        return sum_by_code(self.units, slope if self.amounts is None else slope * self.amounts, n)

    def masses(self, n: int) -> Floats:
        """See `Parts`."""
        return sum_by_code(self.units, self._filled_amounts, n)

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """See `Parts`."""
        columns = [(self.by_unit(slopes, n), self.masses(n))]
        return lambda: columns

    def tables(self, amounts: Floats, cells: int) -> Floats:
        """See `Parts`."""
        stacked = np.empty((len(amounts), cells))
        for table, times in zip(stacked, amounts, strict=True):
            repeats = times[self.units]
            table[:] = sum_by_code(self.cells, repeats if self.amounts is None else repeats * self.amounts, cells)
        return stacked

    def by_group(self, groups: Codes, cells: int) -> Tables:
        """See `Parts`."""
        amounts, row_groups = self._filled_amounts, groups[self.units]
        order = np.argsort(row_groups, kind="stable")
        starts = np.searchsorted(row_groups[order], np.arange(int(groups.max()) + 2))

        def tables(first: int, end: int) -> Floats:
            rows = order[starts[first] : starts[end]]
            cell_indices = (row_groups[rows] - first) * cells + self.cells[rows]
            return sum_by_code(cell_indices, amounts[rows], (end - first) * cells).reshape(-1, cells)

        return tables

    def over(self, clusters: Codes) -> Self:
        """See `Parts`."""
        return replace(self, units=clusters[self.units])

    def rows(self) -> "Contributions":
        """See `Parts`."""
        return self
