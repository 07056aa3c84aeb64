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

from certus.core.lazy import publish
from certus.entry.reports import multilabel as report
from certus.metrics.declaration import functions

__all__ = ["report", *publish(__name__, functions("multilabel"))]
