"""Counts of samples in cells, and what is known of how they were counted."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.statistic import Contributions

__all__ = [
    "CellCounts",
    "Codes",
    "Four",
    "Places",
    "four_cells",
    "places_beside",
    "places_of_class",
    "places_of_pairs",
    "places_of_right",
    "two_by_two",
]

Four: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""tp, fp, fn and tn of each class."""
Codes: TypeAlias = NDArray[np.integer[Any]]
Places: TypeAlias = Callable[[Codes, Codes, int], NDArray[np.int64]]
"""From true and predicted class of samples, and the number of classes, to the cell that each sample fills."""


class CellCounts(NamedTuple):
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


def four_cells(tables: NDArray[Any]) -> Four:
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
    filled = tables > 0
    if not filled.all() and (np.rint(tables) != tables).any():
        tn[four_cells(filled.astype(np.int64))[3] == 0] = 0.0
    return tp, fp, fn, np.maximum(tn, 0.0)


def two_by_two(four: Four, index: int | None) -> NDArray[Any]:
    """``[[tn, fp], [fn, tp]]`` of a class from the cells of all; None is a class that no sample has."""
    tp, fp, fn, tn = four
    if index is None:
        samples = tp[:1] + fp[:1] + fn[:1] + tn[:1]
        return np.array([[samples.sum(), 0], [0, 0]], dtype=tp.dtype)
    return np.array([[tn[index], fp[index]], [fn[index], tp[index]]])


def places_of_pairs(true: Codes, predicted: Codes, classes: int) -> NDArray[np.int64]:
    """The cell of the square table, numbered along its rows; a single class has an empty one beside it."""
    return true.astype(np.int64) * max(2, classes) + predicted


def places_of_class(index: int, true: Codes, predicted: Codes, classes: int) -> NDArray[np.int64]:
    """The cell of ``[[tn, fp], [fn, tp]]``."""
    del classes
    return np.asarray(2 * (true == index).astype(np.int64) + (predicted == index))


def places_of_right(true: Codes, predicted: Codes, classes: int) -> NDArray[np.int64]:
    """The cell of ``[wrong, right]``."""
    del classes
    return np.asarray(true == predicted, dtype=np.int64)


def places_beside(
    row: int,
    column: int,
    beside: Literal["true", "pred", "all"] | None,
    true: Codes,
    predicted: Codes,
    classes: int,
) -> NDArray[np.int64]:
    """0 for one cell, 1 for the others of its row, of its column or of the whole table, 2 for the rest."""
    del classes
    near = true == row if beside == "true" else predicted == column if beside == "pred" else np.ones(true.shape, bool)
    return np.where((true == row) & (predicted == column), 0, np.where(near, 1, 2))
