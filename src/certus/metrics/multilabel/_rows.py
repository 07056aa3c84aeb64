"""Shared parts of the metrics of tables: the columns they look at, and samples that have no value."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.data import MultilabelScores
from certus.data.sampled import renumber_groups
from certus.metrics.check import Between, Doc
from certus.metrics.classification.average import Result
from certus.metrics.classification.per_sample import Sampled, per_sample
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
Averages: TypeAlias = Annotated[
    Result,
    Doc(
        "One value per sample; averages over labels are functions of the four cells of each label, whose samples are "
        "the independent units.",
        forms="Mean, Ratio, TableFunction or Proportion",
    ),
]
"""A metric of samples or of labels."""
PerSample: TypeAlias = Annotated[
    Mean | Ratio, Doc("One value per sample, in {bounds}; with weights or groups a ratio of sums.")
]
"""A mean over samples."""


@dataclass(frozen=True, slots=True)
class _Weighted:
    weights: Floats | None
    groups: NDArray[np.int64] | None


def chosen(table: NDArray[Any], columns: NDArray[np.intp]) -> NDArray[Any]:
    """The chosen columns of a table, in C or Fortran order; the table itself where all are chosen."""
    if not np.array_equal(columns, np.arange(table.shape[1])):
        table = table[:, columns]
    return table if table.flags.c_contiguous or table.flags.f_contiguous else np.ascontiguousarray(table)


def mean_of(values: Floats, data: Sampled, skipped: NDArray[np.bool_] | None, bounds: Bounds | None) -> Mean | Ratio:
    """The mean of one value per sample, over those that are not skipped."""
    if skipped is None or not skipped.any():
        return per_sample(values, data, bounds=bounds)
    has_value = ~skipped
    weights = None if data.weights is None else data.weights[has_value]
    groups = None if data.groups is None else renumber_groups(data.groups[has_value])
    return per_sample(values[has_value], _Weighted(weights, groups), bounds=bounds)


def mean_with_default(
    values: Floats, data: Sampled, instead: float | str, bounds: Bounds | None = None
) -> Mean | Ratio:
    """The mean of one value per sample, NaN counting as `instead`."""
    undefined = np.isnan(values)
    if instead == "skip":
        return mean_of(values, data, undefined, bounds)
    return per_sample(values if instead == "nan" else np.where(undefined, instead, values), data, bounds=bounds)


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
    """The mean of a ranking measure of each sample.

    Parameters
    ----------
    data
        Truth and scores.
    measure
        Which measure.
    ties
        How it counts labels with one score.
    none_true, all_true
        What a sample without a value counts as that has no true label, or no false one.
    offset
        What is added to each value.
    bounds
        Least and greatest possible value, where they are narrower than the metric's.
    """
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
    return mean_of(values, data, skipped, bounds)
