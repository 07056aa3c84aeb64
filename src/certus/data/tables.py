"""Counts of samples in cells, and what is known of how they were counted."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.data.layouts import WHOLE, Codes, Four, Layout
from certus.statistic import Contributions

__all__ = [
    "CellCounts",
    "Places",
    "places_beside",
    "places_of_class",
    "places_of_pairs",
    "places_of_right",
    "two_by_two",
]

Places: TypeAlias = Callable[[Codes, Codes, int], NDArray[np.int64]]
"""From true and predicted class of samples, and the number of classes, to the cell that each sample fills."""


@dataclass(frozen=True, eq=False)
class CellCounts:
    """Counted cells and what an interval method has to know about how they were counted.

    ``counts`` may have any shape; the rest is as the form `certus.statistic.TableFunction` takes it.
    """

    counts: NDArray[Any]
    squares: NDArray[np.float64] | None
    contributions: Callable[[], Contributions] | None
    n: int
    unit: str
    layout: Layout = WHOLE

    @cached_property
    def four(self) -> Four:
        """tp, fp, fn and tn of each class."""
        return self.layout.four(self.counts.astype(np.float64))

    @property
    def exact(self) -> bool:
        """Whether each unit fills one cell and counts once, so that the counts are whole numbers and multinomial."""
        return self.squares is None and self.contributions is None


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
