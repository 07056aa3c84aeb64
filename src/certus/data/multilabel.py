"""Several labels a sample: truth and prediction as tables of 0 and 1."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.data._tables_of_labels import (
    check_columns,
    check_same_labels,
    indicators,
    kept_samples,
    names_of_columns,
    selected_columns,
)
from certus.data.columns import axes
from certus.data.index import check_index
from certus.data.layouts import Four, Stacked
from certus.data.tables import CellCounts
from certus.errors import MetricNameError, called
from certus.statistic import Contributions
from certus.statistic.common import plural

__all__ = ["Multilabel"]


@dataclass(frozen=True, eq=False, repr=False)
class Multilabel:
    """Samples with several labels each, true and predicted.

    Truth and prediction are tables with one row per sample and one column per label that hold 0 and 1 (or truth
    values). A sample is the independent unit; its labels are not independent of each other.

    Attributes
    ----------
    classes
        The names of the columns: of the DataFrame if there is one, otherwise their numbers.
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
        """The labels of samples; the keywords are those of `Labels.of`, but `pos_label`, which is refused.

        Raises
        ------
        DataError
            The tables do not pair up, or hold anything but 0 and 1.
        """
        if pos_label is not None:
            raise MetricNameError(
                f"{called('pos_label')} is {pos_label!r}, but in a table of labels 1 is positive; leave it out"
            )
        true, predicted = indicators(y_true, "y_true"), indicators(other, "y_pred")
        check_same_labels(true, predicted, "y_pred")
        check_columns(y_true, other, "y_pred")
        check_index(y_true=y_true, y_pred=other, sample_weight=sample_weight, groups=groups)
        weights, clusters, kept = kept_samples(true, predicted, "y_pred", sample_weight, groups)
        classes = names_of_columns(y_true, true.shape[1])
        return cls(classes, true[kept], predicted[kept], selected_columns(labels, classes), weights, clusters)

    def __len__(self) -> int:
        return len(self.true)

    def __repr__(self) -> str:
        return f"<Multilabel: {plural(len(self), 'sample')}, {plural(len(self.classes), 'label')}>"

    @cached_property
    def counts(self) -> NDArray[Any]:
        """``[[tn, fp], [fn, tp]]`` of each label; with weights their sums."""
        return self._tables(self.weights)

    @property
    def four(self) -> Four:
        """tp, fp, fn and tn of each label."""
        return Stacked().four(self.counts)

    @property
    def units(self) -> int:
        """Number of independent units: groups, or samples."""
        return len(self) if self.groups is None else int(self.groups.max(initial=-1)) + 1

    @property
    def unit(self) -> str:
        """The name of one independent unit."""
        return "sample" if self.groups is None else "group"

    @cached_property
    def table(self) -> CellCounts:
        """The four cells of each label, a sample filling one cell of each."""
        return CellCounts(self.counts, None, partial(_contributions, self, None), self.units, self.unit, Stacked())

    def against_rest(self, index: int) -> CellCounts:
        """One label: ``[[tn, fp], [fn, tp]]``."""
        known = self.weights is None and self.groups is None
        squares = None if self._squares is None else self._squares[index]
        added = None if known else partial(_contributions, self, index)
        return CellCounts(self.counts[index], squares, added, self.units, self.unit)

    def agreement(self) -> CellCounts:
        """Number of samples with some label wrong, and with all labels right: ``[wrong, right]``."""
        right = self.right
        weights = np.ones(len(self), dtype=np.int64) if self.weights is None else self.weights
        counts = np.array([weights[~right].sum(), weights[right].sum()])
        known = self.weights is None and self.groups is None
        squares = (
            None if self._squares is None else np.array([(weights[~right] ** 2).sum(), (weights[right] ** 2).sum()])
        )
        return CellCounts(counts, squares, None if known else partial(_agreement, self), self.units, self.unit)

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
    """The contribution of each sample to the cells of one label, or of all."""
    chosen = list(range(len(data.classes))) if column is None else [column]
    cells = 2 * data.true[:, chosen].astype(np.int64) + data.predicted[:, chosen] + 4 * np.arange(len(chosen))
    units = np.arange(len(data)) if data.groups is None else data.groups
    weights = None if data.weights is None else np.repeat(data.weights, len(chosen))
    return Contributions(cells.ravel(), np.repeat(units, len(chosen)), weights)


def _agreement(data: Multilabel) -> Contributions:
    units = np.arange(len(data)) if data.groups is None else data.groups
    return Contributions(data.right.astype(np.int64), units, data.weights)
