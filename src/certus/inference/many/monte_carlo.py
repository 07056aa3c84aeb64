"""p-values counted over random draws, or over all there are."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.arrays import Floats
from certus.errors import DataError
from certus.inference.interval import checked_level
from certus.inference.intervals.binomial import clopper_pearson
from certus.statistic.common import whole

__all__ = ["SAME", "check_draws", "p_error", "p_limits", "p_of", "row_order", "unit_rows"]

SAME = 1e-12
"""Statistics that differ by less than this part of the greatest possible one are equal: they were rounded."""


def unit_rows(values: ArrayLike, name: str, column: str) -> Floats:
    """An array of one row per unit and one column per system or comparison, checked.

    Raises
    ------
    DataError
        It has not two dimensions, has no row or no column, or holds NaN or infinity.
    """
    try:
        rows = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} is no array of numbers; give one row per unit and one column per {column}") from error
    if rows.ndim != 2:
        raise DataError(f"{name} has {rows.ndim} dimensions; give one row per unit and one column per {column}")
    if not rows.size:
        raise DataError(f"{name} has {rows.shape[0]} rows and {rows.shape[1]} columns; at least one of each is needed")
    wrong = np.argwhere(~np.isfinite(rows))
    if len(wrong):
        row, place = wrong[0].tolist()
        raise DataError(
            f"{name} holds {rows[row, place]:g} in row {row}, column {place}; every unit needs a finite value for "
            f"every {column}: leave out the units that lack one"
        )
    return rows


def row_order(rows: Floats, sizes: Floats | None = None) -> NDArray[np.intp]:
    """An order of the rows that does not depend on the one given, nor on the sign of a whole column.

    Draws go to rows by their place: in this order they go to the same rows, however the units were given.

    Examples
    --------
    >>> row_order(np.array([[3.0, 1.0], [-1.0, 2.0], [2.0, -1.0]])).tolist()
    [2, 0, 1]
    """
    sides = np.array([1.0 if math.fsum(column) >= 0 else -1.0 for column in rows.T])
    keys = (*(rows * sides).T, *np.abs(rows).T)
    return np.lexsort(keys if sizes is None else (*keys, sizes))


def check_draws(replicates: int, seed: int) -> tuple[int, int]:
    """The number of random draws and the seed.

    Raises
    ------
    DataError
        One of them is no whole number, there are no draws, or the seed is not below 2^64.
    """
    return whole(replicates, "replicates", 1, 2**40), whole(seed, "seed", 0, 2**64 - 1)


def p_of(reached: NDArray[np.uint64], draws: int, *, exact: bool) -> Floats:
    """The p-values from how many draws reached the statistic observed.

    Of random draws the observed one counts as a further one, ``(r + 1) / (R + 1)``, so that the test keeps its level
    with any number of draws (Phipson & Smyth 2010, doi:10.2202/1544-6115.1585).
    """
    counts = np.asarray(reached, dtype=np.float64)
    return counts / draws if exact else (counts + 1) / (draws + 1)


def p_error(p: Floats, draws: int, *, exact: bool) -> Floats:
    """The standard error of p-values that were drawn; 0 for those that were listed."""
    return np.zeros_like(p) if exact else np.sqrt(p * (1 - p) / draws)


def p_limits(p: Floats, draws: int, level: float, *, exact: bool) -> tuple[Floats, Floats]:
    """Clopper-Pearson limits for what the p-values would be if all were listed."""
    tail = (1 - checked_level(level)) / 2
    if exact:
        return p.copy(), p.copy()
    low, high = np.empty_like(p), np.empty_like(p)
    for place, value in np.ndenumerate(p):
        reached = round(float(value) * (draws + 1)) - 1
        low[place], high[place] = clopper_pearson(reached, draws, tail)
    return low, high
