"""Cells that samples fill: counts, layouts of confusion matrices, the four cells of each class.

A function of the four cells of every class is the same whether the confusion matrix is held whole, by the cells that
samples fill, or as a table for each label.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.data.classes import MOST_CLASSES
from certus.data.columns import Coded
from certus.statistic.table_function import CellPositions, Parts, cell_counts

Four: TypeAlias = tuple[NDArray[Any], ...]
"""tp, fp, fn and tn of each class."""
Codes: TypeAlias = NDArray[np.integer[Any]]
MOST_CELLS = 4096
"""Confusion matrices of up to this many cells are held whole."""


def four_cells(tables: NDArray[Any]) -> Four:
    """tp, fp, fn and tn of each class against the rest, from square tables; exactly 0 for a cell without samples."""
    tp = np.diagonal(tables, axis1=-2, axis2=-1)
    if tables.shape[-1] == 2:
        off = np.stack([tables[..., 0, 1], tables[..., 1, 0]], axis=-1)
        return tp, off[..., ::-1], off, tp[..., ::-1]
    if tables.dtype.kind in "iu":
        rows, columns = tables.sum(-1), tables.sum(-2)
        return tp, columns - tp, rows - tp, rows.sum(-1)[..., np.newaxis] - rows - columns + tp
    other = tables.copy()
    indices = np.arange(tables.shape[-1])
    other[..., indices, indices] = 0

    def true_negatives(k: int) -> NDArray[Any]:
        remaining = indices[indices != k]
        return np.asarray(tables[..., remaining[:, np.newaxis], remaining].sum((-2, -1)))

    return unions_checked(tp, other.sum(-2), other.sum(-1), true_negatives)


def unions_checked(
    tp: NDArray[Any], fp: NDArray[Any], fn: NDArray[Any], true_negatives: Callable[[int], NDArray[Any]]
) -> Four:
    """The four cells of each class, tn computed from the other three."""
    # It is total - union, summed anew for the at most three classes of which that is less than half, so nothing
    # cancels.
    union = tp + fp + fn
    total = tp.sum(-1, keepdims=True) + fn.sum(-1, keepdims=True)
    tn = total - union
    for k in np.flatnonzero((2 * union > total).reshape(-1, tp.shape[-1]).any(axis=0)).tolist():
        tn[..., k] = true_negatives(k)
    return tp, fp, fn, tn


@dataclass(frozen=True)
class Stacked:
    """``[[tn, fp], [fn, tp]]`` for each label, or for a single one."""

    single: bool = False

    def four(self, tables: Floats) -> Four:
        """tp, fp, fn and tn of each class, along the last axis, of tables with any leading axes."""
        stacked = tables[..., np.newaxis, :, :] if self.single else tables
        return stacked[..., 1, 1], stacked[..., 0, 1], stacked[..., 1, 0], stacked[..., 0, 0]

    def by_cell(self, slopes: Four) -> Floats:
        """The derivative by each cell from those by the four cells of each class."""
        tp, fp, fn, tn = slopes
        derivatives = np.stack([tn, fp, fn, tp], axis=-1).reshape(-1, 2, 2)
        return derivatives[0] if self.single else derivatives


@dataclass(frozen=True)
class FullLayout:
    """The confusion matrix with all its cells."""

    def four(self, tables: Floats) -> Four:
        """tp, fp, fn and tn of each class, along the last axis, of tables with any leading axes."""
        return four_cells(tables)

    def by_cell(self, slopes: Four) -> Floats:
        """The derivative by each cell from those by the four cells of each class."""
        # A sample of true class i and predicted class j is fn of i, fp of j and tn of all others.
        tp, fp, fn, tn = slopes
        derivatives = (fn - tn)[:, np.newaxis] + (fp - tn) + tn.sum()
        derivatives.flat[:: len(tp) + 1] = tp - tn + tn.sum()
        return np.asarray(derivatives, dtype=np.float64)

    def class_distances(self, classes: int) -> Floats:
        """Distance of each cell's true and predicted class, in classes of their order."""
        return np.abs(np.subtract.outer(np.arange(classes), np.arange(classes))).astype(np.float64)


FULL = FullLayout()


@dataclass(frozen=True, eq=False)
class SparseLayout:
    """Some cells of a confusion matrix, by true and then by predicted class, in a row; all others are empty."""

    true: NDArray[np.int64]
    predicted: NDArray[np.int64]
    classes: int
    """Number of classes, of which `true` and `predicted` have those of each cell."""

    @classmethod
    def from_counts(cls, counts: NDArray[Any]) -> "SparseLayout | None":
        """The cells of a table of counts that samples fill; None where the table is held whole."""
        # The diagonal and the cell of each class and the next are held too: methods for few samples add errors there.
        classes = len(counts)
        if classes**2 <= MOST_CELLS:
            return None
        flat = np.flatnonzero(counts)
        there = np.zeros(classes, dtype=np.bool_)
        there[flat // classes] = there[flat % classes] = True
        present = np.flatnonzero(there)
        if len(present) ** 2 <= MOST_CELLS:
            keys = (present[:, np.newaxis] * classes + present).ravel()
        else:
            next_cells = present * classes + np.stack([present, np.roll(present, -1)])
            keys = np.unique(np.concatenate([flat, next_cells.ravel()]))
        return cls(keys // classes, keys % classes, classes)

    @cached_property
    def positions(self) -> CellPositions:
        """The cells, for what has to know which classes they are of."""
        return CellPositions(self.true, self.predicted, self.classes)

    def cells(self, true: Codes, predicted: Codes, classes: int) -> NDArray[np.int64]:
        """The cell that each sample fills."""
        keys = self.true * classes + self.predicted
        return np.searchsorted(keys, true.astype(np.int64) * classes + predicted).astype(np.int64)

    @cached_property
    def _diagonal(self) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """Indices of the stored cells on the diagonal, and the class of each."""
        here = np.flatnonzero(self.true == self.predicted)
        return here, self.true[here]

    @cached_property
    def _wrong(self) -> list[tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64]]]:
        """The cells of mistakes, where each class starts among them and its number: by true and by predicted class."""
        off = np.flatnonzero(self.true != self.predicted)
        across = off[np.argsort(self.predicted[off], kind="stable")]
        sums = []
        for cells, codes in ((off, self.true[off]), (across, self.predicted[across])):
            starts = np.flatnonzero(np.diff(codes, prepend=-1))
            sums.append((cells, starts, codes[starts]))
        return sums

    def four(self, tables: Floats) -> Four:
        """tp, fp, fn and tn of each class, along the last axis, of tables with any leading axes."""
        tp = np.zeros((*tables.shape[:-1], self.classes))
        here, classes = self._diagonal
        tp[..., classes] = tables[..., here]
        fn, fp = np.zeros_like(tp), np.zeros_like(tp)
        for sums, (cells, starts, of_classes) in zip((fn, fp), self._wrong, strict=True):
            if len(starts):
                sums[..., of_classes] = np.add.reduceat(tables[..., cells], starts, axis=-1)

        def true_negatives(k: int) -> Floats:
            return np.asarray(tables[..., (self.true != k) & (self.predicted != k)].sum(-1))

        return unions_checked(tp, fp, fn, true_negatives)

    def by_cell(self, slopes: Four) -> Floats:
        """The derivative by each cell from those by the four cells of each class."""
        tp, fp, fn, tn = slopes
        derivatives = (fn - tn)[self.true] + (fp - tn)[self.predicted]
        here, classes = self._diagonal
        derivatives[here] = (tp - tn)[classes]
        return np.asarray(derivatives + tn.sum(), dtype=np.float64)

    def class_distances(self, classes: int) -> Floats:
        """Distance of each cell's true and predicted class, in classes of their order."""
        del classes
        return np.asarray(np.abs(self.true - self.predicted), dtype=np.float64)


Layout: TypeAlias = FullLayout | Stacked | SparseLayout
"""The meaning of the cells of a table."""

CellFunction: TypeAlias = Callable[[Codes, Codes, int], NDArray[np.int64]]
"""From true and predicted class of samples, and the number of classes, to the cell that each sample fills."""


@dataclass(frozen=True, eq=False)
class CellCounts:
    """Counted cells and what the form `certus.statistic.TableFunction` has to know about how they were counted."""

    counts: NDArray[Any]
    squares: NDArray[np.float64] | None
    contributions: Callable[[], Parts] | None
    n: int
    unit: str
    layout: Layout = FULL

    @cached_property
    def floats(self) -> NDArray[np.float64]:
        """The counts as float64, which all functions of them share."""
        return cell_counts(self.counts)

    @cached_property
    def four(self) -> Four:
        """tp, fp, fn and tn of each class."""
        return self.layout.four(self.floats)

    @property
    def exact(self) -> bool:
        """True if each unit fills one cell and counts once, so that the counts are whole numbers and multinomial."""
        return self.squares is None and self.contributions is None


def two_by_two(four: Four, index: int | None) -> NDArray[Any]:
    """``[[tn, fp], [fn, tp]]`` of a class from the cells of all; None is a class that no sample has."""
    tp, fp, fn, tn = four
    if index is None:
        samples = tp[:1] + fp[:1] + fn[:1] + tn[:1]
        return np.array([[samples.sum(), 0], [0, 0]], dtype=tp.dtype)
    return np.array([[tn[index], fp[index]], [fn[index], tp[index]]])


def cells_of_pairs(true: Codes, predicted: Codes, classes: int) -> NDArray[np.int64]:
    """The cell of the square table, numbered along its rows; a single class has an empty one beside it."""
    return true.astype(np.int64) * max(2, classes) + predicted


def cells_of_class(index: int, true: Codes, predicted: Codes, classes: int) -> NDArray[np.int64]:
    """The cell of ``[[tn, fp], [fn, tp]]``."""
    del classes
    return np.asarray(2 * (true == index).astype(np.int64) + (predicted == index))


def cells_of_right(true: Codes, predicted: Codes, classes: int) -> NDArray[np.int64]:
    """The cell of ``[wrong, right]``."""
    del classes
    return np.asarray(true == predicted, dtype=np.int64)


def cells_beside(
    row: int,
    column: int,
    beside: Literal["true", "pred", "all"] | None,
    true: Codes,
    predicted: Codes,
    classes: int,
) -> NDArray[np.int64]:
    """0 for one cell, 1 for the remaining cells of its row, column or table, 2 for all others."""
    del classes
    near = true == row if beside == "true" else predicted == column if beside == "pred" else np.ones(true.shape, bool)
    return np.where((true == row) & (predicted == column), 0, np.where(near, 1, 2))


def whole_counts(values: Any, name: str) -> tuple[NDArray[np.int64], int]:
    """The counts of a table as whole numbers, and their sum."""
    counts = np.zeros(0, dtype=np.int64)
    try:
        with np.errstate(invalid="ignore"):
            counts = np.asarray(values).astype(np.int64)
        fine = bool((counts == values).all() and (counts >= 0).all())
    except (TypeError, ValueError, OverflowError):
        fine = False
    if not fine:
        raise DataError("must hold whole numbers from 0 to 2**63 - 1", argument=name)
    n = int(counts.sum(dtype=object))
    if n >= 2**63:
        raise DataError(f"the sum of {name} is {n}", "it must be below 2**63")
    return counts, n


def pair_counts(
    true: Coded, predicted: Coded, weights: NDArray[np.float64] | None
) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...], NDArray[Any] | None, NDArray[np.float64] | None]:
    """True and predicted labels, counts and sums of squared weights of pairs; None for too many labels."""
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
        np.bincount(codes[mask], None if weights is None else weights[mask], classes)
        for codes, mask in ((true, right), (predicted, wrong), (true, wrong))
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
    square = np.zeros((len(classes), len(classes)), dtype=table.dtype)
    index_of = {label: index for index, label in enumerate(classes)}
    square[np.ix_([index_of[label] for label in rows], [index_of[label] for label in columns])] = table
    return square
