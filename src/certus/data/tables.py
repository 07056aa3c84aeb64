"""Counts of samples in cells, and what is known of how they were counted."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.statistic import Contributions

__all__ = [
    "Table",
    "four_cells",
    "off_diagonal",
    "places_beside",
    "places_of_class",
    "places_of_pairs",
    "places_of_right",
    "two_by_two",
]


class Table(NamedTuple):
    """Counted cells and what an interval method has to know about how they were counted.

    ``counts`` may have any shape; the rest is as the form `certus.statistic.Cells` takes it.
    """

    counts: NDArray[Any]
    squares: NDArray[np.float64] | None
    contributions: Callable[[], Contributions] | None
    n: int
    unit: str

    @property
    def exact(self) -> bool:
        """Whether each unit fills one cell and counts once, so that the counts are whole numbers and multinomial."""
        return self.squares is None and self.contributions is None


def four_cells(tables: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """tp, fp, fn and tn of each class against the rest, along the last axis, from square tables ``(..., K, K)``.

    A cell that no sample fills is exactly 0, also where the table holds sums of weights.

    Examples
    --------
    >>> tp, fp, fn, tn = four_cells(np.array([[3, 1, 0], [2, 4, 0], [0, 0, 5]]))
    >>> tp, fp, fn, tn
    (array([3, 4, 5]), array([2, 1, 0]), array([1, 2, 0]), array([ 9,  8, 10]))
    """
    tp = np.diagonal(tables, axis1=-2, axis2=-1)
    if tables.shape[-1] == 2:
        off = np.stack([tables[..., 0, 1], tables[..., 1, 0]], axis=-1)
        return tp, off[..., ::-1], off, tp[..., ::-1]
    if tables.dtype.kind in "iu":
        rows, columns = tables.sum(-1), tables.sum(-2)
        return tp, columns - tp, rows - tp, rows.sum(-1)[..., np.newaxis] - rows - columns + tp
    other = tables.copy()
    places = np.arange(tables.shape[-1])
    other[..., places, places] = 0
    fp, fn = other.sum(-2), other.sum(-1)
    tn = tables.sum((-2, -1))[..., np.newaxis] - fp - fn - tp
    if (np.rint(tables) != tables).any():
        tn[four_cells((tables > 0).astype(np.int64))[3] == 0] = 0.0
    return tp, fp, fn, np.maximum(tn, 0.0)


def two_by_two(table: NDArray[Any], index: int | None, split: Callable[[], tuple[NDArray[Any], ...]]) -> NDArray[Any]:
    """``[[tn, fp], [fn, tp]]`` of a class, `split` giving the four cells of all; None is a class without samples."""
    if index is not None and len(table) == 2:
        return table if index == 1 else table[::-1, ::-1]
    if index is None:
        return np.array([[table.sum(), 0], [0, 0]], dtype=table.dtype)
    tp, fp, fn, tn = (cell[index] for cell in split())
    return np.array([[tn, fp], [fn, tp]])


def off_diagonal(table: NDArray[Any]) -> Any:
    """The sum of a square table without its diagonal."""
    return table.sum(where=~np.eye(len(table), dtype=np.bool_))


def places_of_pairs(classes: int) -> NDArray[np.int64]:
    """The cells of a square table, numbered along its rows; a single class has an empty one beside it."""
    size = max(2, classes)
    return np.arange(size * size).reshape(size, size)


def places_of_class(index: int, classes: int) -> NDArray[np.int64]:
    """The cell of ``[[tn, fp], [fn, tp]]`` that each pair of classes belongs to."""
    is_it = (np.arange(classes) == index).astype(np.int64)
    return np.asarray(2 * is_it[:, np.newaxis] + is_it)


def places_of_right(classes: int) -> NDArray[np.int64]:
    """The cell of ``[wrong, right]`` that each pair of classes belongs to."""
    return np.asarray(np.eye(classes), dtype=np.int64)


def places_beside(
    row: int, column: int, beside: Literal["true", "pred", "all"] | None, classes: int
) -> NDArray[np.int64]:
    """0 for one cell, 1 for the others of its row, of its column or of the whole table, 2 for the rest."""
    places: NDArray[np.int64] = np.full((classes, classes), 1 if beside in (None, "all") else 2)
    if beside == "true":
        places[row] = 1
    elif beside == "pred":
        places[:, column] = 1
    places[row, column] = 0
    return places
