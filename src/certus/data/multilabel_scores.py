"""Several labels a sample, and a score for each of them."""

from collections.abc import Hashable
from dataclasses import dataclass
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
from certus.data.columns import axes, ordered_matrix
from certus.data.index import check_index
from certus.errors import MetricNameError, called
from certus.statistic.common import plural

__all__ = ["MultilabelScores"]


@dataclass(frozen=True, eq=False, repr=False)
class MultilabelScores:
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
        """The labels and scores of samples; the keywords are those of `Multilabel.of`.

        Raises
        ------
        DataError
            The tables do not pair up, the truth holds anything but 0 and 1, or a score is NaN.
        """
        if pos_label is not None:
            raise MetricNameError(
                f"{called('pos_label')} is {pos_label!r}, but in a table of labels 1 is positive; leave it out"
            )
        true, scores = indicators(y_true, "y_true"), ordered_matrix(other, "y_score")
        check_same_labels(true, scores, "y_score")
        check_columns(y_true, other, "y_score")
        check_index(y_true=y_true, y_score=other, sample_weight=sample_weight, groups=groups)
        weights, clusters, kept = kept_samples(true, scores, "y_score", sample_weight, groups)
        classes = names_of_columns(y_true, true.shape[1])
        return cls(classes, true[kept], scores[kept], selected_columns(labels, classes), weights, clusters)

    def __len__(self) -> int:
        return len(self.true)

    def __repr__(self) -> str:
        return f"<MultilabelScores: {plural(len(self), 'sample')}, {plural(len(self.classes), 'label')}>"
