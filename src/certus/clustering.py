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

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Clustered, Partition
from certus.data.clustered import Distance
from certus.errors import DataError, called
from certus.evaluation.reports import clustering as report
from certus.metrics.clustering.distances import coefficients
from certus.metrics.clustering.entropies import expected
from certus.metrics.faces.clustering import (
    adjusted_mutual_info,
    adjusted_rand,
    calinski_harabasz,
    completeness,
    conditional_entropy,
    davies_bouldin,
    dunn,
    entropy,
    fowlkes_mallows,
    homogeneity,
    joint_entropy,
    mutual_info,
    normalized_mutual_info,
    purity,
    rand,
    silhouette,
    v_measure,
    variation_of_information,
)
from certus.pair_confusion import pair_confusion_of

if TYPE_CHECKING:
    from certus.pair_confusion import PairConfusion

__all__ = [
    "adjusted_mutual_info",
    "adjusted_rand",
    "calinski_harabasz",
    "completeness",
    "conditional_entropy",
    "davies_bouldin",
    "dunn",
    "entropy",
    "expected_mutual_information",
    "fowlkes_mallows",
    "homogeneity",
    "joint_entropy",
    "mutual_info",
    "normalized_mutual_info",
    "pair_confusion",
    "purity",
    "rand",
    "report",
    "silhouette",
    "silhouette_samples",
    "v_measure",
    "variation_of_information",
]


def __dir__() -> list[str]:
    return __all__


def _partition(name: str, data: tuple[Any, ...], contingency: Any, sample_weight: Any, groups: Any) -> Partition:
    """The table, from labels, from counts, or made already."""
    if contingency is not None:
        if data:
            raise DataError(f"{name} was given labels and contingency", "give one of them")
        for other, value in (("sample_weight", sample_weight), ("groups", groups)):
            if value is not None:
                raise DataError("contingency does not say which sample is where", f"leave out {other}, or give labels")
        return Partition.from_counts(contingency)
    if len(data) == 1 and isinstance(data[0], Partition):
        for other, value in (("sample_weight", sample_weight), ("groups", groups)):
            if value is not None:
                raise DataError(f"{other} must be given where the Partition is made, not with it")
        return data[0]
    if len(data) != 2:
        raise DataError(
            f"takes {called('labels_true')} and {called('labels_pred')}, two columns, or contingency=",
            f"it got {len(data)}",
            argument=name,
        )
    return Partition.of(*data, sample_weight=sample_weight, groups=groups)


def pair_confusion(
    labels_true: Any = None, labels_pred: Any = None, *, contingency: Any = None, groups: Any = None
) -> "PairConfusion":
    """Numbers of pairs of samples that are together or apart, in the truth and in the prediction.

    Parameters
    ----------
    labels_true, labels_pred, contingency, groups
        As for the metrics of agreement; labels_true may be a `Partition`.

    Returns
    -------
    PairConfusion
        Four whole numbers of any size, and their shares with intervals.

    Examples
    --------
    >>> pairs = pair_confusion([0, 0, 1, 1], [0, 0, 1, 2])
    >>> pairs.tn, pairs.fp, pairs.fn, pairs.tp
    (4, 0, 1, 1)
    """
    data = tuple(each for each in (labels_true, labels_pred) if each is not None)
    return pair_confusion_of(_partition("pair_confusion", data, contingency, None, groups))


def silhouette_samples(
    X: Any,
    labels: Any,
    *,
    metric: Distance = "euclidean",
    metric_params: Mapping[str, Any] | None = None,
) -> NDArray[np.float64]:
    """The silhouette coefficient of each sample; see `silhouette`.

    Raises
    ------
    DataError
        All samples are in one cluster, or each is one.

    Examples
    --------
    >>> silhouette_samples([[0], [1], [4], [6]], [0, 0, 1, 1]).round(2).tolist()
    [0.8, 0.75, 0.43, 0.64]
    """
    data = Clustered.of(X, labels, metric=metric, metric_params=metric_params)
    why = data.why_undefined()
    if why:
        raise DataError(f"leaves the silhouette undefined: {why}", argument="labels")
    return coefficients(data)


def expected_mutual_information(labels_true: Any = None, labels_pred: Any = None, *, contingency: Any = None) -> float:
    """The mean mutual information, in nats, of random clusterings whose clusters are as large as these.

    Right to about 14 digits. It depends on the sizes of the clusters only: see `adjusted_mutual_info`.

    Examples
    --------
    Of 6 ways to pair 4 samples 2 agree with a given one, which is log(2); 4 share nothing.

    >>> round(expected_mutual_information([0, 0, 1, 1], [0, 1, 0, 1]), 4)
    0.231
    """
    data = tuple(each for each in (labels_true, labels_pred) if each is not None)
    table = _partition("expected_mutual_information", data, contingency, None, None)
    if not table.n:
        raise DataError("there are no samples", "the expected mutual information is undefined")
    return expected(table.true_sizes, table.pred_sizes, table.n)
