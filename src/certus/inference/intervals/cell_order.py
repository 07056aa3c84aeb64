"""An order of the cells of a table that does not depend on how its rows and columns are named or arranged."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.inference.intervals.contingency_variance import slopes_at
from certus.statistic import TableFunction

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
    """Cells in their order."""

    cells: NDArray[np.int64]
    mirrored: bool
    """True if a symmetry of the table changes the sign of the function, so that its law is symmetric around 0."""


def cell_order(statistic: TableFunction, amounts: Floats) -> CellOrder:
    """The cells whose amount is not 0, so that seeded draws fall on the same cells however these are arranged."""
    cells = np.flatnonzero(amounts)
    if len(cells) > MOST_CELLS or (statistic.gradient is None and len(amounts) > MOST_CELLS_WITHOUT_GRADIENT):
        return CellOrder(cells, mirrored=False)
    keys = [amounts, statistic.counts.reshape(-1)]
    if statistic.squares is not None:
        keys.append(statistic.squares.reshape(-1))
    elif statistic.parts is not None:  # cells of equal counts may be filled by few large units or many small ones
        keys.extend(statistic.parts.tables(statistic.parts.masses(statistic.n)[np.newaxis], len(amounts)))
    ranks = _ranks(*(key[cells] for key in keys))
    if ranks.max(initial=-1) + 1 == len(cells):
        return CellOrder(cells[np.argsort(ranks)], mirrored=False)
    # Exchanged systems have the difference with the other sign.
    value = statistic.value
    signs = (1.0, -1.0) if value == 0 else (1.0 if value > 0 else -1.0,)
    found = [_refined(statistic, ranks, cells, sign) for sign in signs]
    mirrored = len(found) == 2 and found[0][0] == found[1][0]
    _, refined = max(found, key=lambda each: each[0])
    return CellOrder(cells[np.argsort(refined, kind="stable")], mirrored)


def _refined(
    statistic: TableFunction, ranks: Ranks, cells: NDArray[np.int64], sign: float
) -> tuple[list[float], Ranks]:
    """The derivatives in the order found, times `sign`, and the rank of each of the cells."""
    seen: list[float] = []
    for _ in range(MOST_SPLITS):
        seen, ranks = _stable(statistic, ranks, cells, sign)
        alike = np.flatnonzero(np.bincount(ranks) > 1)
        if not len(alike):
            break
        first = np.flatnonzero(ranks == alike[0])
        tried = [_first(ranks, place) for place in first[:MOST_TRIED].tolist()]
        if len(cells) > 2 and len(first) <= MOST_TRIED:
            found = [_step(statistic, each, cells, sign) for each in tried]
            ranks = max(found, key=lambda each: each[0])[1]
        else:
            ranks = tried[0]
    return seen, ranks


def _first(ranks: Ranks, place: int) -> Ranks:
    """The ranks with a cell before those that have its rank."""
    ranks = 2 * ranks
    ranks[place] -= 1
    return _ranks(ranks)


def _stable(statistic: TableFunction, ranks: Ranks, cells: NDArray[np.int64], sign: float) -> tuple[list[float], Ranks]:
    while True:
        seen, refined = _step(statistic, ranks, cells, sign)
        if refined.max() == ranks.max():
            return seen, refined
        ranks = refined


def _step(statistic: TableFunction, ranks: Ranks, cells: NDArray[np.int64], sign: float) -> tuple[list[float], Ranks]:
    """The derivatives in their order, and ranks by them where ranks are equal."""
    flat = statistic.counts.reshape(-1)
    total = float(flat.sum())
    numbers = np.zeros(len(flat))
    numbers[cells] = np.sqrt(ranks + 2.0) % 1  # hardly any two sums of roots are equal
    # A maximum over cells sees an empty one only where much is added to it.
    near, far = (
        _slopes(statistic, flat + much * numbers, cells, sign) for much in (total / max(statistic.n, 1), total)
    )
    refined = _ranks(ranks, near, far)
    order = np.argsort(refined, kind="stable")
    return [*near[order].tolist(), *far[order].tolist()], refined


def _slopes(statistic: TableFunction, table: Floats, cells: NDArray[np.int64], sign: float) -> Floats:
    """The derivatives by the cells, rounded: whole numbers; 0 where they are undefined."""
    with np.errstate(all="ignore"):
        slopes = sign * slopes_at(statistic, table.reshape(statistic.counts.shape)).reshape(-1)[cells]
        slopes = np.nan_to_num(slopes, nan=0.0, posinf=0.0, neginf=0.0)
        return np.asarray(np.round(slopes / (DIGITS * (np.abs(slopes).max(initial=0.0) or 1.0))))


def _ranks(*keys: NDArray[np.generic]) -> Ranks:
    """The rank of each cell by the keys, the first of them first; equal cells have one rank."""
    order = np.lexsort(keys[::-1])
    changes = np.zeros(len(order), dtype=np.int64)
    for key in keys:
        ordered = key[order]
        changes[1:] |= ordered[1:] != ordered[:-1]
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.cumsum(changes)
    return ranks
