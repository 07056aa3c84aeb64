"""Shared parts of the metrics of tables: the columns they look at, and samples that have no value."""

from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.data import MultilabelScores
from certus.metrics.check import Between, Doc
from certus.metrics.classification.average import Result
from certus.metrics.classification.per_sample import mean_without, per_sample
from certus.statistic import Mean, Ratio
from certus.statistic.common import Bounds

Average: TypeAlias = Annotated[
    Literal["samples", "macro", "micro", "weighted"] | None,
    Doc(
        '``"samples"``: the mean over samples of the metric of their labels. ``"macro"``: the mean over labels of the '
        'metric of their samples. ``"weighted"``: the same, each label weighted by its true samples. ``"micro"``: the '
        "metric of all cells of the table. None: each label by itself."
    ),
]
"""Average over a table."""
Instead: TypeAlias = Annotated[float, Between(0, 1)] | Literal["nan", "skip"]
"""Value of a sample that has none."""
Undefined: TypeAlias = Annotated[
    Instead,
    Doc(
        'What a sample or a label with 0/0 counts as: ``"nan"``, ``"skip"`` (left out of the average) or a number, '
        "such as scikit-learn's 0.0."
    ),
]
"""The same for a sample or a label."""
Ties: TypeAlias = Literal["last", "average", "best", "worst"]
"""Where labels with one score stand."""
Averages: TypeAlias = Annotated[Result, Doc(forms=("Mean", "Ratio", "TableFunction", "Proportion"))]
"""A metric of samples or of labels."""


def chosen(table: NDArray[Any], columns: NDArray[np.intp]) -> NDArray[Any]:
    """The chosen columns of a table, in C or Fortran order; the table itself where all are chosen."""
    if not np.array_equal(columns, np.arange(table.shape[1])):
        table = table[:, columns]
    return table if table.flags.c_contiguous or table.flags.f_contiguous else np.ascontiguousarray(table)


def measured(
    data: MultilabelScores,
    measure: Literal["precision", "loss", "coverage", "one_error"],
    ties: Ties | Literal["whole", "half", "none"],
    none_true: float | str,
    all_true: float | str,
    *,
    offset: int = 0,
    bounds: Bounds | None = None,
) -> Mean | Ratio:
    """The mean of a ranking measure of each sample, plus the offset; conventions for samples without a value."""
    true = chosen(data.true, data.selected)
    values = kernels.label_measure(measure, true, chosen(data.scores, data.selected), ties=ties) + offset
    empty = np.flatnonzero(np.isnan(values))
    if not len(empty):
        return per_sample(values, data, bounds=bounds)
    skipped = np.zeros(len(values), dtype=np.bool_)
    full = true[empty].any(axis=1)
    for rows, instead in ((empty[~full], none_true), (empty[full], all_true)):
        if instead == "skip":
            skipped[rows] = True
        elif not isinstance(instead, str):
            values[rows] = instead
    return mean_without(values, data, skipped, bounds)
