"""The counts of pairs of labels as a square table."""

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data._classes import MOST_CLASSES
from certus.data._codes import Coded
from certus.errors import DataError

__all__ = ["counted_pairs", "spread"]


def counted_pairs(
    true: Coded, predicted: Coded, weights: NDArray[np.float64] | None
) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...], NDArray[Any], NDArray[np.float64] | None]:
    """The labels of truth and prediction, how many samples have which pair of them, and the squares of weights."""
    counts: NDArray[Any]
    squares: NDArray[np.float64] | None = None
    try:
        if weights is None:
            rows, columns, counts = kernels.count_pairs(true.values, predicted.values, most=MOST_CLASSES)
        else:
            rows, columns, counts, squares = kernels.sum_pairs(
                true.values, predicted.values, np.ascontiguousarray(weights), most=MOST_CLASSES
            )
    except ValueError as error:
        raise DataError(str(error)) from error
    return true.label_of(rows), predicted.label_of(columns), counts, squares


def spread(
    table: NDArray[Any], rows: tuple[Hashable, ...], columns: tuple[Hashable, ...], classes: tuple[Hashable, ...]
) -> NDArray[Any]:
    """The table with a row and a column for each class."""
    if rows == classes == columns:
        return table
    whole = np.zeros((len(classes), len(classes)), dtype=table.dtype)
    place = {label: index for index, label in enumerate(classes)}
    whole[np.ix_([place[label] for label in rows], [place[label] for label in columns])] = table
    return whole
