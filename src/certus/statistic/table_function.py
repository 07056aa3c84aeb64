"""A smooth function of the cell counts of a table, and what units contribute to these counts."""

import math
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.statistic.cached import constant
from certus.statistic.common import Bounds, set_fields, sum_by_code, undefined_reason_of

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
        """Number of rows; each row adds one unit's amount to one table cell."""

    def by_unit(self, slopes: Floats, n: int) -> Floats:
        """Weighted sum of `slopes` over the cells that a unit's rows fill, for each of n units."""

    def masses(self, n: int) -> Floats:
        """Number of rows, or their total weight, for each of n units, up to a common factor."""

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """Function that yields two columns block by block: sum of slopes and number of rows, by unit."""

    def tables(self, amounts: Floats, cells: int) -> Floats:
        """Tables in which unit i counts ``amounts[t, i]`` times in table t; one row of cells for each table."""

    def by_group(self, groups: Codes, cells: int) -> Tables:
        """Tables of groups of units; `groups` holds a code for each unit."""

    def over(self, clusters: Codes) -> "Parts":
        """Contributions with clusters as the units; `clusters` holds a code for each unit."""

    def rows(self) -> "Contributions":
        """Contributions row by row: unit and cell of each."""


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
        """Amount that each row adds to its table cell; None if every row adds 1."""
        return self.amounts

    @property
    def size(self) -> int:
        """Number of rows; each row adds one unit's amount to one table cell."""
        return len(self.units)

    @property
    def _filled_amounts(self) -> Floats:
        """Amount that each row adds; ones if none are stored."""
        return np.ones(len(self.units)) if self.amounts is None else self.amounts

    def by_unit(self, slopes: Floats, n: int) -> Floats:
        """Weighted sum of `slopes` over the cells that a unit's rows fill, for each of n units."""
        slope = slopes[self.cells]
        return sum_by_code(self.units, slope if self.amounts is None else slope * self.amounts, n)

    def masses(self, n: int) -> Floats:
        """Number of rows, or their total weight, for each of n units, up to a common factor."""
        return sum_by_code(self.units, self._filled_amounts, n)

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """Function that yields two columns block by block: sum of slopes and number of rows, by unit."""
        columns = [(self.by_unit(slopes, n), self.masses(n))]
        return lambda: columns

    def tables(self, amounts: Floats, cells: int) -> Floats:
        """Tables in which unit i counts ``amounts[t, i]`` times in table t; one row of cells for each table."""
        stacked = np.empty((len(amounts), cells))
        for table, times in zip(stacked, amounts, strict=True):
            repeats = times[self.units]
            table[:] = sum_by_code(self.cells, repeats if self.amounts is None else repeats * self.amounts, cells)
        return stacked

    def by_group(self, groups: Codes, cells: int) -> Tables:
        """Function that gives a table for each group of units; `groups` holds a code for each unit."""
        amounts, row_groups = self._filled_amounts, groups[self.units]
        order = np.argsort(row_groups, kind="stable")
        starts = np.searchsorted(row_groups[order], np.arange(int(groups.max()) + 2))

        def tables(first: int, end: int) -> Floats:
            rows = order[starts[first] : starts[end]]
            cell_indices = (row_groups[rows] - first) * cells + self.cells[rows]
            return sum_by_code(cell_indices, amounts[rows], (end - first) * cells).reshape(-1, cells)

        return tables

    def over(self, clusters: Codes) -> Self:
        """Contributions with clusters as the units; `clusters` holds a code for each unit."""
        return replace(self, units=clusters[self.units])

    def rows(self) -> "Contributions":
        """Contributions row by row: unit and cell of each."""
        return self


class CellPositions(NamedTuple):
    """Row and column of each stored cell in a sparse square table, and its number of rows."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    size: int


def cell_counts(counts: ArrayLike) -> Floats:
    """Counts, or sums of weights, as float64."""
    table = np.ascontiguousarray(counts, dtype=np.float64)
    if not table.min(initial=0.0) >= 0:
        raise DataError("a cell count is negative or NaN", "each must be at least 0")
    return table


@dataclass(frozen=True)
class TwoStepFunction:
    """A function of tables, ``finish(reduce(tables))``; functions with an equal `reduce` share that step."""

    reduce: Callable[[Floats], Any]
    finish: Callable[[Any], Any]

    def __call__(self, tables: Floats) -> Any:
        """The values of the tables."""
        return self.finish(self.reduce(tables))


@dataclass(frozen=True, eq=False)
class TableFunction:
    """A smooth function of the cell counts of a table.

    Parameters
    ----------
    counts
        How many units fell into each cell, or the sums of their weights; any shape.
    function
        ``function(tables) -> values``: of tables with any leading axes, ``(..., *counts.shape)``, one value each; NaN
        where it is undefined. The tables need not hold whole numbers, and the value does not change when a table is
        multiplied by a number.
    gradient
        ``gradient(table) -> table``: the derivative by each cell; None differentiates `function` numerically.
    squares
        Sums of squared weights, where units fill one cell each and have weights; None where each has weight 1.
    contributions
        Where a unit fills several cells (clusters of samples; several labels of one sample): which. None where each
        fills one cell, so that the counts are multinomial. With `squares` they are needed by the bootstrap only.
    unit
        What one unit is, in the singular.
    n
        Number of units, needed with `squares` or `contributions`; otherwise the sum of the counts.
    exact_value
        The function of the counts, where it is known already (from whole numbers, without rounding).
    undefined_reason
        Why the value is undefined, where more can be said than that it is.
    curved
        The curvature of `function` tells how far the value is off on average. Not so where the value has its bias taken
        off by amounts that the function holds for constants (chance, pairs of a sample with itself), nor where the
        function has kinks.
    fillable
        The cells that happen to be empty may be filled in other samples as well as any others, and the function is one
        of shares alone, so that intervals can allow for the cells not seen.
    limit
        What `function` tends to as tables grow, where it holds constants of this number of samples, such as chance:
        what limits are limits for. None: the function itself.
    ratio
        The function is a ratio without an upper bound: it bends little on the logarithm, on which its limits are
        taken, so that the bias of the value is not theirs.
    bounds
        Least and greatest possible value, where they are narrower than the metric's.
    by_chance
        The value is 0 where rows and columns are independent, and asks of each class only how often it is in the row,
        in the column and in both, as Cohen's kappa does.
    places
        Where the counts, in a row, are those of some cells of a square table and all its others are empty: which.

    Examples
    --------
    >>> odds = TableFunction([[20, 5], [10, 15]], lambda t: t[..., 0, 0] * t[..., 1, 1] / (t[..., 0, 1] * t[..., 1, 0]))
    >>> odds.value, odds.n
    (6.0, 50)
    """

    counts: Floats
    function: Callable[[Floats], Any]
    _: KW_ONLY
    gradient: Callable[[Floats], Floats] | None = None
    squares: Floats | None = None
    contributions: Callable[[], Parts] | None = None
    unit: str = "sample"
    n: int = -1
    exact_value: float | None = None
    undefined_reason: str = ""
    curved: bool = True
    unseen: tuple[float, float] = (0.0, 0.0)
    smooth: bool = True
    fillable: bool = False
    limit: Callable[[Floats], Any] | None = None
    ratio: bool = False
    bounds: Bounds | None = None
    by_chance: bool = False
    places: CellPositions | None = None

    def __post_init__(self) -> None:
        set_fields(self, counts=cell_counts(self.counts))
        if self.squares is not None:
            set_fields(self, squares=np.ascontiguousarray(self.squares, dtype=np.float64))
        if self.n < 0:
            set_fields(self, n=round(float(self.counts.sum())))

    @property
    def size(self) -> int:
        """Number of cells of the table, also those that a sparse table does not store."""
        return self.counts.size if self.places is None else self.places.size**2

    @cached_property
    def parts(self) -> Parts | None:
        """Contributions of the units to the cells, if known."""
        return None if self.contributions is None else self.contributions()

    def over(self, parts: Parts, n: int, unit: str) -> "TableFunction":
        """Copy with n other independent units, such as clusters, for the same counts."""
        facts: dict[str, Any] = {"squares": None, "contributions": constant(parts), "n": n, "unit": unit}
        return replace(self, exact_value=self.value, **facts)

    def within(self, bounds: Bounds | None) -> "TableFunction":
        """Copy with narrower bounds."""
        return replace(self, bounds=bounds, exact_value=self.value)

    @cached_property
    def value(self) -> float:
        """The function of the counts; NaN where `reason` says so."""
        if self.exact_value is not None:
            return self.exact_value
        return float(self.function(self.counts)) if self.n else math.nan

    @property
    def reason(self) -> str:
        """Reason why the value is undefined; empty if it is defined."""
        default_reason = undefined_reason_of(self.n, self.value, self.unit)
        return self.undefined_reason or default_reason if default_reason and self.n else default_reason
