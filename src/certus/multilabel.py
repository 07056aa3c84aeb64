"""Metrics of samples with several labels: call one on truth and predictions, or bind its parameters with `using`.

Truth is a table with one row per sample and one column per label that holds 0 and 1; scipy's sparse tables are taken
too. The prediction is such a table (`hamming_loss`, `jaccard`, `subset_accuracy`, `precision`, `recall`, `f1`,
`fbeta`), or a table of scores that ranks the labels of each sample (`label_ranking_average_precision`,
`label_ranking_loss`, `coverage_error`, `one_error`). `ndcg` and `dcg` take grades for truth. What every call may be
told, beside the parameters of the metric itself:

labels
    The columns to look at: names of a DataFrame's columns, or numbers from 0.
sample_weight
    A weight of at least 0 for each sample: a sample of weight 2 counts as two, one of weight 0 not at all.
groups
    The cluster each sample belongs to (a patient, a document, a user). Only samples of different clusters are taken to
    be independent, so the intervals widen; the values do not change.

The labels of a sample are never taken to be independent: the sample, or its group, is the unit of every interval.
"""

from typing import Any

from certus.classification import _estimate as _estimate_of_columns
from certus.data import LabelGrades, Multilabel, MultilabelScores
from certus.errors import DataError, called
from certus.inference import Estimate
from certus.metrics import Metric, register_task
from certus.metrics.multilabel.gains import dcg, ndcg
from certus.metrics.multilabel.label_ranking import (
    coverage_error,
    label_ranking_average_precision,
    label_ranking_loss,
    one_error,
)
from certus.metrics.multilabel.tables import f1, fbeta, hamming_loss, jaccard, precision, recall, subset_accuracy

__all__ = [
    "LabelGrades",
    "Multilabel",
    "MultilabelScores",
    "coverage_error",
    "dcg",
    "f1",
    "fbeta",
    "hamming_loss",
    "jaccard",
    "label_ranking_average_precision",
    "label_ranking_loss",
    "ndcg",
    "one_error",
    "precision",
    "recall",
    "subset_accuracy",
]


def _estimate(
    metric: Metric, *data: Any, labels: Any = None, sample_weight: Any = None, groups: Any = None
) -> Estimate:
    given = {"labels": labels, "sample_weight": sample_weight, "groups": groups}
    if len(data) == 2 and len(metric.takes) == 1:
        # The class itself says best what is wrong with tables of another shape.
        prepared = metric.takes[0].of(*data, **given)  # type: ignore[attr-defined]
        if not len(prepared) and sample_weight is None:
            raise DataError(f"{called('y_true')} has no samples; give a row per sample")
        if not prepared.classes:
            raise DataError(f"{called('y_true')} has no labels; give a column per label")
        return _estimate_of_columns(metric, prepared)
    return _estimate_of_columns(metric, *data, **given)


register_task("multilabel", _estimate)
