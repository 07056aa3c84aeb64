"""Functions of a table as the form `Cells`."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Table
from certus.statistic import Cells

__all__ = ["cells_of"]

Floats = NDArray[np.float64]


def cells_of(
    table: Table,
    function: Callable[[Floats], Any],
    gradient: Callable[[Floats], Floats],
    *,
    why: Callable[[], str],
    value: float | None = None,
    undefined: float | str = "nan",
    unseen: tuple[float, float] = (0.0, 0.0),
) -> Cells:
    """The function of the table; `value` is its value, where it is known better, `why` says why it is undefined.

    `unseen` is as of `certus.statistic.Cells`. `undefined` is a number that stands for a value which is undefined, of
    this table or of a resampled one.
    """
    counts = np.asarray(table.counts, dtype=np.float64)
    if value is None:
        value = float(function(counts)) if table.n else math.nan
    missing = math.isnan(value) and table.n > 0
    if not isinstance(undefined, str):
        if missing:
            value, missing = undefined, False
        function = _Filled(function, undefined)
    return Cells(
        counts,
        function,
        gradient=gradient,
        squares=table.squares,
        contributions=table.contributions,
        unit=table.unit,
        n=table.n,
        value=value,
        reason=why() if missing else "",
        unseen=unseen,
    )


class _Filled:
    """A function with a number where it is undefined."""

    def __init__(self, function: Callable[[Floats], Any], number: float) -> None:
        self.function = function
        self.number = number

    def __call__(self, tables: Floats) -> Floats:
        values = np.asarray(self.function(tables))
        return np.where(np.isnan(values), self.number, values)
