"""Layouts of confusion matrices, and the four cells of each class against the rest.

A function of the four cells of every class is the same whether the confusion matrix is held whole, by the cells that
samples fill, or as a table for each label.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.statistic.table_function import CellPositions

Four: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]
"""tp, fp, fn and tn of each class."""
Codes: TypeAlias = NDArray[np.integer[Any]]
MOST_CELLS = 4096
"""Confusion matrices of up to this many cells are held whole."""


def four_cells(tables: NDArray[Any]) -> Four:
    """tp, fp, fn and tn of each class against the rest, along the last axis, from square tables ``(..., K, K)``.

    A cell that no sample fills is exactly 0, also where the table holds sums of weights.
    """
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
    """The four cells of each class, tn computed from the other three.

    ``tn = total - (tp + fp + fn)``, unless that is less than half of the total: `true_negatives` then sums it for these
    classes, at most three, so that no digits cancel and no rounding is left in an empty cell.
    """
    union = tp + fp + fn
    total = tp.sum(-1, keepdims=True) + fn.sum(-1, keepdims=True)
    tn = total - union
    for k in np.flatnonzero((2 * union > total).reshape(-1, tp.shape[-1]).any(axis=0)).tolist():
        tn[..., k] = true_negatives(k)
    return tp, fp, fn, tn


class Layout(Protocol):
    """The meaning of the cells of a table."""

    def four(self, tables: Floats) -> Four:
        """tp, fp, fn and tn of each class, along the last axis, of tables with any leading axes."""
        ...

    def by_cell(self, slopes: Four) -> Floats:
        """The derivative by each cell of the table from those by the four cells of each class."""
        ...


@dataclass(frozen=True)
class Stacked:
    """``[[tn, fp], [fn, tp]]`` for each label, or for a single one."""

    single: bool = False

    def four(self, tables: Floats) -> Four:
        """See `Layout`."""
        stacked = tables[..., np.newaxis, :, :] if self.single else tables
        return stacked[..., 1, 1], stacked[..., 0, 1], stacked[..., 1, 0], stacked[..., 0, 0]

    def by_cell(self, slopes: Four) -> Floats:
        """See `Layout`."""
        tp, fp, fn, tn = slopes
        derivatives = np.stack([tn, fp, fn, tp], axis=-1).reshape(-1, 2, 2)
        return derivatives[0] if self.single else derivatives


@dataclass(frozen=True)
class FullLayout:
    """The confusion matrix with all its cells."""

    def four(self, tables: Floats) -> Four:
        """See `Layout`."""
        return four_cells(tables)

    def by_cell(self, slopes: Four) -> Floats:
        """See `Layout`.

        A sample with true class i and predicted class j is a false negative of i, a false positive of j, and a true
        negative of all others.
        """
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
    """Some cells of a confusion matrix, by true and then by predicted class, in a row; all others are empty.

    Attributes
    ----------
    true, predicted
        The classes of each cell.
    classes
        Their number.
    """

    true: NDArray[np.int64]
    predicted: NDArray[np.int64]
    classes: int

    @classmethod
    def from_counts(cls, counts: NDArray[Any]) -> "SparseLayout | None":
        """The cells of a table of counts that samples fill; None where the table is held whole.

        The diagonal and the cell of each class and the next one are held too, as methods for few samples add errors
        there; of few classes with samples all cells.
        """
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
        here = np.flatnonzero(self.true == self.predicted)
        return here, self.true[here]

    @cached_property
    def _wrong(self) -> tuple["_Sums", "_Sums"]:
        """By true and by predicted class."""
        off = np.flatnonzero(self.true != self.predicted)
        across = off[np.argsort(self.predicted[off], kind="stable")]
        return _Sums.from_cells(off, self.true), _Sums.from_cells(across, self.predicted)

    def four(self, tables: Floats) -> Four:
        """See `Layout`."""
        tp = np.zeros((*tables.shape[:-1], self.classes))
        here, classes = self._diagonal
        tp[..., classes] = tables[..., here]
        fn, fp = (class_sums(tables, np.zeros_like(tp)) for class_sums in self._wrong)

        def true_negatives(k: int) -> Floats:
            return np.asarray(tables[..., (self.true != k) & (self.predicted != k)].sum(-1))

        return unions_checked(tp, fp, fn, true_negatives)

    def by_cell(self, slopes: Four) -> Floats:
        """See `Layout`."""
        tp, fp, fn, tn = slopes
        derivatives = (fn - tn)[self.true] + (fp - tn)[self.predicted]
        here, classes = self._diagonal
        derivatives[here] = (tp - tn)[classes]
        return np.asarray(derivatives + tn.sum(), dtype=np.float64)

    def class_distances(self, classes: int) -> Floats:
        """As for `Whole`."""
        del classes
        return np.asarray(np.abs(self.true - self.predicted), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums of some cells by class."""

    cells: NDArray[np.intp]
    starts: NDArray[np.intp]
    classes: NDArray[np.int64]

    @classmethod
    def from_cells(cls, cells: NDArray[np.intp], codes: NDArray[np.int64]) -> "_Sums":
        starts = np.flatnonzero(np.diff(codes[cells], prepend=-1))
        return cls(cells, starts, codes[cells][starts])

    def __call__(self, tables: Floats, into: Floats) -> Floats:
        if len(self.starts):
            into[..., self.classes] = np.add.reduceat(tables[..., self.cells], self.starts, axis=-1)
        return into
