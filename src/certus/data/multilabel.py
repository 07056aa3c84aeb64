"""Several labels a sample: truth and prediction as tables of 0 and 1, or scores for each label."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.data._codes import coded, plain
from certus.data._columns import as_array, check_lengths, check_nulls, float_matrix, sample_weights
from certus.data.labels import Table
from certus.errors import DataError
from certus.statistic import Contributions, counted

__all__ = ["Multilabel", "MultilabelScores"]


@dataclass(frozen=True, eq=False, repr=False)
class Multilabel:
    """Which of several labels each sample has and is predicted to have.

    Truth and prediction are tables with one row per sample and one column per label that hold 0 and 1 (or truth
    values). A sample is the independent unit; its labels are not independent of each other.

    Attributes
    ----------
    classes
        The names of the columns: of the DataFrame if there is one, else their numbers.
    true, predicted
        The tables, bool.
    selected
        Indices of the columns that averages run over.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.

    Examples
    --------
    >>> data = Multilabel.of([[1, 0], [1, 1]], [[1, 1], [1, 0]])
    >>> data.counts[0]
    array([[0, 0],
           [0, 2]])
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_pred")

    classes: tuple[Hashable, ...]
    true: NDArray[np.bool_]
    predicted: NDArray[np.bool_]
    selected: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """Whether both are tables."""
        return as_array(y_true, "y_true").ndim == 2 and as_array(other, "y_pred").ndim == 2

    @classmethod
    def of(
        cls,
        y_true: Any,
        other: Any,
        *,
        labels: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Self:
        """The labels of samples; the keywords are those of `Labels.of`, `pos_label` having no meaning here.

        Raises
        ------
        DataError
            The tables do not pair up, or hold anything but 0 and 1.
        """
        del pos_label
        true, predicted = _indicators(y_true, "y_true"), _indicators(other, "y_pred")
        _same_labels(true, predicted, "y_pred")
        weights, clusters, kept = _samples(true, predicted, "y_pred", sample_weight, groups)
        classes = _names(y_true, true.shape[1])
        return cls(classes, true[kept], predicted[kept], _selected(labels, classes), weights, clusters)

    def __len__(self) -> int:
        return len(self.true)

    def __repr__(self) -> str:
        return f"<Multilabel: {counted(len(self), 'sample')}, {counted(len(self.classes), 'label')}>"

    @cached_property
    def counts(self) -> NDArray[Any]:
        """``[[tn, fp], [fn, tp]]`` of each label; with weights their sums."""
        return self._tables(self.weights)

    @property
    def units(self) -> int:
        """Number of independent units: groups, or samples."""
        return len(self) if self.groups is None else int(self.groups.max(initial=-1)) + 1

    @property
    def unit(self) -> str:
        """What one independent unit is."""
        return "sample" if self.groups is None else "group"

    @cached_property
    def table(self) -> Table:
        """The four cells of each label, a sample filling one cell of each."""
        return Table(self.counts, None, partial(_contributions, self, None), self.units, self.unit)

    def against_rest(self, index: int) -> Table:
        """One label: ``[[tn, fp], [fn, tp]]``."""
        known = self.weights is None and self.groups is None
        squares = None if self._squares is None else self._squares[index]
        added = None if known else partial(_contributions, self, index)
        return Table(self.counts[index], squares, added, self.units, self.unit)

    def agreement(self) -> Table:
        """How many samples have some label wrong, and how many have all labels right: ``[wrong, right]``."""
        right = self.right
        weights = np.ones(len(self), dtype=np.int64) if self.weights is None else self.weights
        counts = np.array([weights[~right].sum(), weights[right].sum()])
        known = self.weights is None and self.groups is None
        squares = (
            None if self._squares is None else np.array([(weights[~right] ** 2).sum(), (weights[right] ** 2).sum()])
        )
        return Table(counts, squares, None if known else partial(_agreement, self), self.units, self.unit)

    @property
    def right(self) -> NDArray[np.bool_]:
        """For each sample, whether all of the selected labels are right."""
        return np.asarray((self.true == self.predicted)[:, self.selected].all(1))

    def part(self, kept: NDArray[np.bool_]) -> "Multilabel":
        """Some of the samples."""
        weights = None if self.weights is None else self.weights[kept]
        groups = None if self.groups is None else np.unique(self.groups[kept], return_inverse=True)[1].astype(np.int64)
        return Multilabel(self.classes, self.true[kept], self.predicted[kept], self.selected, weights, groups)

    @cached_property
    def _squares(self) -> NDArray[np.float64] | None:
        return None if self.weights is None or self.groups is not None else self._tables(self.weights**2)

    def _tables(self, weights: NDArray[np.float64] | None) -> NDArray[Any]:
        if weights is None:
            tp, predicted, positives = (
                table.sum(0) for table in (self.true & self.predicted, self.predicted, self.true)
            )
            cells = [len(self) - positives - predicted + tp, predicted - tp, positives - tp, tp]
        else:  # a difference of rounded sums can be less than 0
            cells = [
                weights @ (true & predicted)
                for true in (~self.true, self.true)
                for predicted in (~self.predicted, self.predicted)
            ]
        return np.stack(cells, axis=-1).reshape(-1, 2, 2)


def _contributions(data: Multilabel, column: int | None) -> Contributions:
    """What each sample adds to the cells of one label, or of all."""
    chosen = list(range(len(data.classes))) if column is None else [column]
    cells = 2 * data.true[:, chosen].astype(np.int64) + data.predicted[:, chosen] + 4 * np.arange(len(chosen))
    units = np.arange(len(data)) if data.groups is None else data.groups
    weights = None if data.weights is None else np.repeat(data.weights, len(chosen))
    return Contributions(cells.ravel(), np.repeat(units, len(chosen)), weights)


def _agreement(data: Multilabel) -> Contributions:
    units = np.arange(len(data)) if data.groups is None else data.groups
    return Contributions(data.right.astype(np.int64), units, data.weights)


@dataclass(frozen=True, eq=False, repr=False)
class MultilabelScores:
    """Which of several labels each sample has, and a score for each label.

    Attributes
    ----------
    classes
        The names of the columns: of the DataFrame if there is one, else their numbers.
    true
        Samples by labels, bool.
    scores
        Samples by labels, float32 or float64; infinite scores only order.
    selected
        Indices of the columns that averages run over.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_score")

    classes: tuple[Hashable, ...]
    true: NDArray[np.bool_]
    scores: NDArray[np.float32] | NDArray[np.float64]
    selected: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """Whether both are tables."""
        return as_array(y_true, "y_true").ndim == 2 and as_array(other, "y_score").ndim == 2

    @classmethod
    def of(
        cls,
        y_true: Any,
        other: Any,
        *,
        labels: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Self:
        """The labels and scores of samples; the keywords are those of `Multilabel.of`.

        Raises
        ------
        DataError
            The tables do not pair up, the truth holds anything but 0 and 1, or a score is NaN.
        """
        del pos_label
        true, scores = _indicators(y_true, "y_true"), float_matrix(other, "y_score")
        _same_labels(true, scores, "y_score")
        weights, clusters, kept = _samples(true, scores, "y_score", sample_weight, groups)
        classes = _names(y_true, true.shape[1])
        return cls(classes, true[kept], scores[kept], _selected(labels, classes), weights, clusters)

    def __len__(self) -> int:
        return len(self.true)

    def __repr__(self) -> str:
        return f"<MultilabelScores: {counted(len(self), 'sample')}, {counted(len(self.classes), 'label')}>"


def _indicators(values: Any, name: str) -> NDArray[np.bool_]:
    array = as_array(values, name)
    if array.ndim != 2:
        raise DataError(f"{name} has shape {array.shape}; it must have a row per sample and a column per label")
    check_nulls(array, name)
    if array.dtype == np.bool_:
        return array
    try:
        ones = np.asarray(array == 1, dtype=np.bool_)
        other = np.argwhere(~(ones | np.asarray(array == 0, dtype=np.bool_)))
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must hold 0 and 1 only") from error
    if len(other):
        row, column = other[0].tolist()
        found = array[row, column : column + 1].tolist()[0]
        raise DataError(f"{name} is {found!r} in row {row}, column {column}; it must hold 0 and 1 only")
    return ones


def _same_labels(true: NDArray[Any], other: NDArray[Any], name: str) -> None:
    if true.shape[1] != other.shape[1]:
        raise DataError(
            f"y_true has {true.shape[1]} labels but {name} has {other.shape[1]}; give both the same columns"
        )


def _samples(
    true: NDArray[Any], other: NDArray[Any], name: str, sample_weight: Any, groups: Any
) -> tuple[NDArray[np.float64] | None, NDArray[np.int64] | None, NDArray[np.bool_] | slice]:
    """Weights and groups of the samples that have a weight, and which those are."""
    weights = sample_weights(sample_weight)
    clusters = None if groups is None else coded(groups, "groups").codes
    check_lengths(**{"y_true": true, name: other, "sample_weight": weights, "groups": clusters})
    kept: NDArray[np.bool_] | slice = slice(None)
    if weights is not None and not weights.all():
        kept = weights > 0
        weights = weights[kept]
    if clusters is not None:
        clusters = np.unique(clusters[kept], return_inverse=True)[1].astype(np.int64)
    return weights, clusters, kept


def _names(values: Any, labels: int) -> tuple[Hashable, ...]:
    columns = getattr(values, "columns", None)
    return tuple(range(labels)) if columns is None or len(columns) != labels else tuple(columns)


def _selected(labels: Any, classes: tuple[Hashable, ...]) -> NDArray[np.intp]:
    if labels is None:
        return np.arange(len(classes))
    chosen = [plain(label, "a label of labels") for label in labels]
    for label in chosen:
        if label not in classes:
            raise DataError(f"labels lists {label!r}, but the columns are {', '.join(map(repr, classes))}")
    if not chosen or len(set(chosen)) < len(chosen):
        raise DataError("labels must list each of some columns once")
    return np.array([classes.index(label) for label in chosen], dtype=np.intp)
