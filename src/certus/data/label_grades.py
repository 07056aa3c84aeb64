"""A grade for each of several labels a sample, and a score for each of them."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.data._tables_of_labels import (
    check_columns,
    check_same_labels,
    kept_samples,
    names_of_columns,
    selected_columns,
)
from certus.data.columns import Floats, axes, float_matrix, ordered_matrix
from certus.data.index import check_index
from certus.errors import DataError, called
from certus.statistic.common import plural

__all__ = ["LabelGrades"]


@dataclass(frozen=True, eq=False, repr=False)
class LabelGrades:
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

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_score")

    classes: tuple[Hashable, ...]
    grades: Floats
    scores: Floats
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
        """The grades and scores of samples; the keywords are those of `Multilabel.of`.

        Raises
        ------
        DataError
            The tables do not pair up, a grade is not finite, or a score is NaN.
        """
        if pos_label is not None:
            raise DataError(f"{called('pos_label')} has no meaning for grades; leave it out")
        grades = float_matrix(y_true, "y_true", infinite=False, order="either")
        scores = ordered_matrix(other, "y_score")
        check_same_labels(grades, scores, "y_score")
        check_columns(y_true, other, "y_score")
        check_index(y_true=y_true, y_score=other, sample_weight=sample_weight, groups=groups)
        weights, clusters, kept = kept_samples(grades, scores, "y_score", sample_weight, groups)
        classes = names_of_columns(y_true, grades.shape[1])
        return cls(classes, grades[kept], scores[kept], selected_columns(labels, classes), weights, clusters)

    def __len__(self) -> int:
        return len(self.grades)

    def __repr__(self) -> str:
        return f"<LabelGrades: {plural(len(self), 'sample')}, {plural(len(self.classes), 'label')}>"
