"""Derivatives of a function of cell counts."""

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.statistic import Cells

__all__ = ["BLOCK", "gradient", "values"]

BLOCK = 1 << 20
"""Numbers in the tables that the function is given at a time: 8 MB."""

STEP = 1e-3
"""Part of a count by which it is changed."""


def values(statistic: Cells, tables: Floats) -> Floats:
    """The function of tables, each given as a row of its cells; NaN where it is undefined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(statistic.function(tables.reshape(-1, *statistic.counts.shape)), dtype=np.float64)


def gradient(statistic: Cells, table: Floats, filled: NDArray[np.int64]) -> Floats:
    """The derivative of the function at `table` (its cells in a row) by each of the cells `filled`.

    Without a formula of the statistic's own it is found by differences of fourth order over a thousandth of each count:
    right to about 1e-10 of the largest derivative in tables of thousands of units. That takes four values of the
    function for each cell, in blocks of bounded memory: for functions of hundreds of classes a formula is faster.
    """
    if statistic.gradient is not None:
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = statistic.gradient(table.reshape(statistic.counts.shape))
        return np.asarray(slopes, dtype=np.float64).reshape(-1)[filled]
    steps = STEP * table[filled]
    found = np.empty(len(filled))
    offsets, factors = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([1.0, -8.0, 8.0, -1.0]) / 12
    block = max(1, BLOCK // (4 * len(table)))
    for first in range(0, len(filled), block):
        cells = filled[first : first + block]
        some = steps[first : first + block]
        changed = np.broadcast_to(table, (len(cells), 4, len(table))).copy()
        changed[np.arange(len(cells)), :, cells] += some[:, np.newaxis] * offsets
        found[first : first + block] = (values(statistic, changed).reshape(-1, 4) * factors).sum(axis=1) / some
    return found
