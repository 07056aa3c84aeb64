"""The counts of pairs of labels as a square table."""

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data.classes import MOST_CLASSES
from certus.data.codes import Coded
from certus.data.layouts import Four

__all__ = ["expanded", "four_sums", "pair_counts"]


def pair_counts(
    true: Coded, predicted: Coded, weights: NDArray[np.float64] | None
) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...], NDArray[Any] | None, NDArray[np.float64] | None]:
    """The labels of truth and prediction, how many samples have which pair of them, and the squares of weights.

    There are no counts where there are too many labels for a table of them.
    """
    counts: NDArray[Any]
    squares: NDArray[np.float64] | None = None
    try:
        if weights is None:
            rows, columns, counts = kernels.count_pairs(true.values, predicted.values, most=MOST_CLASSES)
        else:
            rows, columns, counts, squares = kernels.sum_pairs(
                true.values, predicted.values, np.ascontiguousarray(weights), most=MOST_CLASSES
            )
    except ValueError:  # more labels than that
        first, second = (column.label_of(kernels.code_numbers(column.values)[0]) for column in (true, predicted))
        return first, second, None, None
    return true.label_of(rows), predicted.label_of(columns), counts, squares


def four_sums(
    true: NDArray[np.int32], predicted: NDArray[np.int32], weights: NDArray[np.float64] | None, classes: int
) -> Four:
    """tp, fp, fn and tn of each class from single samples, for more classes than a table has."""
    right = true == predicted
    wrong = ~right
    tp, fp, fn = (
        np.bincount(codes[some], None if weights is None else weights[some], classes)
        for codes, some in ((true, right), (predicted, wrong), (true, wrong))
    )
    if weights is None:
        return tp, fp, fn, len(true) - tp - fp - fn
    tn = np.maximum(weights.sum() - tp - fp - fn, 0.0)
    tn[four_sums(true, predicted, None, classes)[3] == 0] = 0.0
    return tp, fp, fn, tn


def expanded(
    table: NDArray[Any], rows: tuple[Hashable, ...], columns: tuple[Hashable, ...], classes: tuple[Hashable, ...]
) -> NDArray[Any]:
    """The table with a row and a column for each class."""
    if rows == classes == columns:
        return table
    whole = np.zeros((len(classes), len(classes)), dtype=table.dtype)
    place = {label: index for index, label in enumerate(classes)}
    whole[np.ix_([place[label] for label in rows], [place[label] for label in columns])] = table
    return whole
