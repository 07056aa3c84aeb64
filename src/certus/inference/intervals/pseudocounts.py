"""Tables of counts made less sparse: what the methods for few units add to the cells."""

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats

__all__ = ["added", "sparse", "square", "uniform"]

FEW = 50
"""Fewer units than this are few."""

SPARSE = 5.0
"""A class with fewer units than this rightly predicted, missed, or falsely predicted makes a table sparse."""

SPREAD = 20
"""In tables of more classes than this the pseudo-errors of a class fall on one other class, not on all of them."""


def square(table: Floats) -> bool:
    """Whether rows and columns can be the same classes, in one table or in a stack of them, such as one a label."""
    return table.ndim >= 2 and table.shape[-2] == table.shape[-1] >= 2


def sparse(table: Floats) -> bool:
    """Whether a table holds too few units for the plain delta method.

    That is fewer than 50 in all or, in a square table, a class with fewer than 5 units rightly predicted, missed or
    falsely predicted: the derivative then says that the class adds nothing to the variance, or too little.
    """
    if table.sum() < FEW:
        return True
    if not square(table):
        return table.size <= 4 and bool(table.min() < SPARSE)
    if table.ndim > 2:
        return any(map(sparse, table))
    right, rows, columns = np.diagonal(table), table.sum(axis=1), table.sum(axis=0)
    least = np.minimum(right, np.minimum(rows, columns) - right)
    return bool(least.min(where=rows + columns > 0, initial=np.inf) < SPARSE)


def uniform(table: Floats) -> float:
    """The same count for each cell: 1/2 (Jeffreys's prior) in up to 4 cells, 2 shared out among more of them."""
    return min(0.5, 2 / table.size)


def added(table: Floats) -> Floats:
    """Pseudo-counts for a square table: half a unit for each class, and one more for all classes together.

    The half unit of a class is divided into right and wrong as all units of the table are, the last one evenly. What is
    wrong is spread evenly over the other classes. Half a unit keeps a class of few units, all of which happened to be
    right (or wrong), from counting as known, and changes it little; the last unit does the same for a table without any
    error. The usual 1/2 in every cell would in a table of many classes outweigh the data. A class that has no units, in
    its row or in its column, gets none. Each table of a stack has its own pseudo-counts.
    """
    if table.ndim > 2:
        return np.stack([added(each) for each in table])
    present = _present(table)
    k, n = len(present), float(table.sum())
    if not k:
        return np.zeros_like(table)
    wrong = (n - float(np.trace(table)) + 0.5) / (n + 1)
    right_each = (1 - wrong) / 2 + 1 / (2 * k)
    wrong_each = wrong / 2 + 1 / (2 * k)
    extra = np.zeros_like(table)
    if k <= SPREAD:
        extra[np.ix_(present, present)] = wrong_each / max(k - 1, 1)
    else:
        extra[present, np.roll(present, -1)] = wrong_each
    extra[present, present] = right_each
    return extra


def _present(table: Floats) -> NDArray[np.intp]:
    """The classes that a square table has any units of."""
    return np.flatnonzero(table.sum(axis=0) + table.sum(axis=1))
