"""Clustering metrics: call one on two clusterings, or on samples and their clusters.

Metrics of agreement take ``labels_true`` and ``labels_pred``, a label of any kind per sample; the two need not have any
label in common. What every call may be told, beside the parameters of the metric itself:

contingency
    Instead of labels the table of how many samples are in which true (row) and predicted (column) cluster, an array of
    whole numbers or a sparse one of scipy.
sample_weight
    A weight of at least 0 for each sample, for metrics of shares and entropies: a sample of weight 2 counts as two.
groups
    The group each sample belongs to (a patient, a document, a user). Only samples of different groups are taken to be
    independent, so the intervals widen; the values do not change.

Metrics without any truth take ``X``, a row of numbers per sample, and ``labels``; of them `silhouette` and `dunn` may
be told

metric, metric_params
    The distance: ``"euclidean"``, ``"precomputed"`` (X is the table of distances), the name of another one of
    ``scipy.spatial.distance``, or a function of two samples; and what it is told besides.
"""

from certus.core.lazy import publish
from certus.entry.reports import clustering as report
from certus.metrics.declaration import functions
from certus.tasks.clustering.functions import expected_mutual_information, pair_confusion, silhouette_samples

__all__ = [
    "expected_mutual_information",
    "pair_confusion",
    "report",
    "silhouette_samples",
    *publish(__name__, functions("clustering")),
]
