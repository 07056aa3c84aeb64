"""Several labels a sample: truth and prediction as tables of 0 and 1, with scores, or with grades."""

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from certus.data._label_cells import LabelCells, LabelContributions, column_sums
from certus.data.codes import check_index
from certus.data.columns import Floats, axes, float_matrix, ordered_matrix
from certus.data.layouts import Four, Stacked
from certus.data.sampled import Sampled, kept_samples, renumber_groups
from certus.data.tables import (
    CellCounts,
    check_columns,
    check_same_labels,
    dense,
    indicators,
    names_of_columns,
    selected_columns,
    tables_of_labels,
)
from certus.errors import DataError, MetricNameError
from certus.statistic import Contributions
from certus.statistic.common import plural


class _Tables(Sampled):
    """Two tables with one row per sample and one column per label."""

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_score")
    shapes: ClassVar[str] = "two tables with a row for each sample and a column for each label"

    classes: tuple[Hashable, ...]

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """True if both are tables."""
        return axes(y_true) == 2 and axes(other) == 2

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
        """The validated tables; the keywords mean what they do for `Labels.of`, but `pos_label` is refused."""
        if pos_label is not None:
            raise cls._unknown(pos_label)
        true, predicted = cls._read(y_true, other)
        name = cls.arguments[1]
        check_same_labels(true, predicted, name)
        check_columns(y_true, other, name)
        check_index(**{"y_true": y_true, name: other, "sample_weight": sample_weight, "groups": groups})
        weights, clusters, mask = kept_samples(sample_weight, groups, **{"y_true": true, name: predicted})
        classes = names_of_columns(y_true, true.shape[1])
        make: Any = cls
        return cast(
            Self, make(classes, true[mask], predicted[mask], selected_columns(labels, classes), weights, clusters)
        )

    @staticmethod
    @abstractmethod
    def _read(y_true: Any, other: Any) -> tuple[Any, Any]:
        """The two tables, each checked by itself."""

    @staticmethod
    def _unknown(pos_label: Any) -> Exception:
        return MetricNameError(
            f"is {pos_label!r}, but in a table of labels 1 is positive", "leave it out", argument="pos_label"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {plural(len(self), 'sample')}, {plural(len(self.classes), 'label')}>"


@dataclass(frozen=True, eq=False, repr=False)
class Multilabel(_Tables):
    """Samples with several labels each, true and predicted.

    Truth and prediction are tables with one row per sample and one column per label that hold 0 and 1 (or truth
    values). A sample is the independent unit; its labels are not independent of each other.

    Attributes
    ----------
    classes
        The names of the columns: of the DataFrame if there is one, otherwise their numbers.
    true, predicted
        The tables, bool; sparse (CSR) where one of them was given so.
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
    true: Any
    predicted: Any
    selected: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    @staticmethod
    def _read(y_true: Any, other: Any) -> tuple[Any, Any]:
        return tables_of_labels(y_true, other)

    def __len__(self) -> int:
        return int(self.true.shape[0])

    @cached_property
    def counts(self) -> NDArray[Any]:
        """``[[tn, fp], [fn, tp]]`` of each label; with weights their sums."""
        return self._tables(self.weights)

    @property
    def four(self) -> Four:
        """tp, fp, fn and tn of each label."""
        return Stacked().four(self.counts)

    @cached_property
    def table(self) -> CellCounts:
        """The four cells of each label, a sample filling one cell of each."""
        return CellCounts(self.counts, None, partial(_of_all, self), self.units, self.unit, Stacked())

    def against_rest(self, index: int) -> CellCounts:
        """One label: ``[[tn, fp], [fn, tp]]``."""
        is_simple_sample = self.weights is None and self.groups is None
        squares = None if self._squares is None else self._squares[index]
        contributions = None if is_simple_sample else partial(_contributions, self, index)
        return CellCounts(self.counts[index], squares, contributions, self.units, self.unit)

    def agreement(self) -> CellCounts:
        """Number of samples with some label wrong, and with all labels right: ``[wrong, right]``."""
        right = self.right
        weights = np.ones(len(self), dtype=np.int64) if self.weights is None else self.weights
        counts = np.array([weights[~right].sum(), weights[right].sum()])
        is_simple_sample = self.weights is None and self.groups is None
        squares = (
            None if self._squares is None else np.array([(weights[~right] ** 2).sum(), (weights[right] ** 2).sum()])
        )
        return CellCounts(
            counts, squares, None if is_simple_sample else partial(_agreement, self), self.units, self.unit
        )

    @property
    def right(self) -> NDArray[np.bool_]:
        """True for samples whose selected labels are all right."""
        return np.asarray(self.wrong == 0)

    @cached_property
    def wrong(self) -> NDArray[np.int64]:
        """Number of wrong labels, among the selected ones, of each sample."""
        return np.asarray((self.true != self.predicted)[:, self.selected].sum(1), dtype=np.int64)

    @property
    def by_sample(self) -> Four:
        """tp, fp, fn and tn of each sample, among the selected labels."""
        true, predicted = self.true[:, self.selected], self.predicted[:, self.selected]
        tp, positives, ones = ((true * predicted).sum(1), predicted.sum(1), true.sum(1))
        return tp, positives - tp, ones - tp, len(self.selected) - ones - positives + tp

    def part(self, kept: NDArray[np.bool_]) -> "Multilabel":
        """Some of the samples."""
        weights = None if self.weights is None else self.weights[kept]
        groups = None if self.groups is None else renumber_groups(self.groups[kept])
        return Multilabel(self.classes, self.true[kept], self.predicted[kept], self.selected, weights, groups)

    @cached_property
    def _squares(self) -> NDArray[np.float64] | None:
        return None if self.weights is None or self.groups is not None else self._tables(self.weights**2)

    @cached_property
    def cells(self) -> LabelCells:
        """The cell that each sample fills, for each label."""
        return LabelCells.from_tables(self.true, self.predicted, self.weights)

    def _tables(self, weights: NDArray[np.float64] | None) -> NDArray[Any]:
        if weights is not None:
            return self.cells.tables(weights[np.newaxis]).reshape(-1, 2, 2)
        tp, predicted, ones = map(column_sums, (self.true * self.predicted, self.predicted, self.true))
        cells = [len(self) - ones - predicted + tp, predicted - tp, ones - tp, tp]
        return np.stack(cells, axis=-1).reshape(-1, 2, 2)


def _of_all(data: Multilabel) -> LabelContributions:
    return LabelContributions(data.cells, data.groups, data.weights, partial(_contributions, data, None))


def _contributions(data: Multilabel, column: int | None) -> Contributions:
    """Each sample's contribution to the cells of one label, or of all labels."""
    chosen = list(range(len(data.classes))) if column is None else [column]
    true, predicted = (dense(table[:, chosen]) for table in (data.true, data.predicted))
    cells = 2 * true.astype(np.int64) + predicted + 4 * np.arange(len(chosen))
    units = np.arange(len(data)) if data.groups is None else data.groups
    weights = None if data.weights is None else np.repeat(data.weights, len(chosen))
    return Contributions(cells.ravel(), np.repeat(units, len(chosen)), weights)


def _agreement(data: Multilabel) -> Contributions:
    units = np.arange(len(data)) if data.groups is None else data.groups
    return Contributions(data.right.astype(np.int64), units, data.weights)


@dataclass(frozen=True, eq=False, repr=False)
class MultilabelScores(_Tables):
    """Samples with several true labels each, and a score for each label.

    Attributes
    ----------
    classes
        The names of the columns: of the DataFrame if there is one, otherwise their numbers.
    true
        Samples by labels, bool.
    scores
        Samples by labels, float32 or float64; infinite scores only order.
    selected
        Indices of the columns that averages run over.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.

    Examples
    --------
    >>> data = MultilabelScores.of([[1, 0], [1, 1]], [[0.9, 0.2], [0.4, 0.7]])
    >>> data.true.tolist()
    [[True, False], [True, True]]
    """

    classes: tuple[Hashable, ...]
    true: NDArray[np.bool_]
    scores: NDArray[np.float32] | NDArray[np.float64]
    selected: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    @staticmethod
    def _read(y_true: Any, other: Any) -> tuple[Any, Any]:
        return indicators(y_true, "y_true"), ordered_matrix(other, "y_score")

    def __len__(self) -> int:
        return len(self.true)


@dataclass(frozen=True, eq=False, repr=False)
class LabelGrades(_Tables):
    """Grades of several labels (documents, items) for each sample, and the scores by which they are ranked.

    Attributes
    ----------
    classes
        The names of the columns: of the DataFrame if there is one, otherwise their numbers.
    grades
        Samples by labels, finite, float32 or float64.
    scores
        Samples by labels, float32 or float64; infinite scores only order.
    selected
        Indices of the columns that are ranked.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.

    Examples
    --------
    >>> LabelGrades.of([[3, 0, 1]], [[0.9, 0.5, 0.5]])
    <LabelGrades: 1 sample, 3 labels>
    """

    classes: tuple[Hashable, ...]
    grades: Floats
    scores: Floats
    selected: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    @staticmethod
    def _read(y_true: Any, other: Any) -> tuple[Any, Any]:
        grades = float_matrix(y_true, "y_true", infinite=False, order="either")
        return grades, ordered_matrix(other, "y_score")

    @staticmethod
    def _unknown(pos_label: Any) -> Exception:
        del pos_label
        return DataError("has no meaning for grades", "leave it out", argument="pos_label")

    def __len__(self) -> int:
        return len(self.grades)
