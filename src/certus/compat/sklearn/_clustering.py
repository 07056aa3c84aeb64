"""Metrics of two clusterings, and of samples and their clusters."""

import math
from collections.abc import Callable
from numbers import Integral
from typing import Any, Literal

import numpy as np

from certus import clustering
from certus.compat.sklearn._input import (
    Array,
    array_of,
    check_finite,
    check_lengths,
    column,
    kind_of_target,
    numbers,
    value_of,
)
from certus.compat.sklearn._parameters import (
    ARRAY,
    BOOLEAN,
    NONE,
    SPARSE,
    Kind,
    check_parameters,
    choice,
    is_sparse,
    number_in,
    warn,
)
from certus.data import Clustered, Partition
from certus.metrics import Metric
from certus.metrics.clustering.information import expected
from certus.metrics.clustering.internal import NAMES, OF_TRUTH_VALUES, Centroids, coefficients, scatter_of
from certus.metrics.clustering.pairs import pairs_of

__all__ = [
    "adjusted_mutual_info_score",
    "adjusted_rand_score",
    "calinski_harabasz_score",
    "completeness_score",
    "contingency_matrix",
    "davies_bouldin_score",
    "expected_mutual_information",
    "fowlkes_mallows_score",
    "homogeneity_completeness_v_measure",
    "homogeneity_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "pair_confusion_matrix",
    "rand_score",
    "silhouette_samples",
    "silhouette_score",
    "v_measure_score",
]

_AVERAGE = (choice("str", str, "arithmetic", "geometric", "max", "min"),)
_BETA = (number_in(0.0, math.inf, "[)"),)
_agreement = check_parameters(labels_true=(ARRAY,), labels_pred=(ARRAY,), average_method=_AVERAGE, beta=_BETA)

Average = Literal["arithmetic", "geometric", "max", "min"]


def _agreement_score(name: str, metric: Metric, empty: float = 1.0) -> Callable[[Any, Any], float]:
    """Make scikit-learn's function of that name; `empty` stands for the value of no samples."""

    def score(labels_true: Any, labels_pred: Any) -> float:
        return _value(metric, labels_true, labels_pred, empty)

    score.__name__, score.__qualname__, score.__doc__ = name, name, f"`certus.clustering.{metric.function_name}`."
    return _agreement(score)


rand_score = _agreement_score("rand_score", clustering.rand)
adjusted_rand_score = _agreement_score("adjusted_rand_score", clustering.adjusted_rand)
fowlkes_mallows_score = _agreement_score("fowlkes_mallows_score", clustering.fowlkes_mallows, empty=0.0)
homogeneity_score = _agreement_score("homogeneity_score", clustering.homogeneity)
completeness_score = _agreement_score("completeness_score", clustering.completeness)


@_agreement
def v_measure_score(labels_true: Any, labels_pred: Any, *, beta: float = 1.0) -> float:
    """`certus.clustering.v_measure`."""
    return _value(clustering.v_measure.using(beta=float(beta)), labels_true, labels_pred)


@_agreement
def homogeneity_completeness_v_measure(
    labels_true: Any, labels_pred: Any, *, beta: float = 1.0
) -> tuple[float, float, float]:
    """Homogeneity, completeness and their mean."""
    data = _data(labels_true, labels_pred)
    metrics = (clustering.homogeneity, clustering.completeness, clustering.v_measure.using(beta=float(beta)))
    homogeneous, complete, mean = (_value_or(metric, data, 1.0) for metric in metrics)
    return homogeneous, complete, mean


@_agreement
def normalized_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: Average = "arithmetic"
) -> float:
    """`certus.clustering.normalized_mutual_info`."""
    metric = clustering.normalized_mutual_info.using(average_method=average_method)
    return _value(metric, labels_true, labels_pred)


@_agreement
def adjusted_mutual_info_score(labels_true: Any, labels_pred: Any, *, average_method: Average = "arithmetic") -> float:
    """`certus.clustering.adjusted_mutual_info`."""
    metric = clustering.adjusted_mutual_info.using(average_method=average_method)
    return _value(metric, labels_true, labels_pred)


@check_parameters(labels_true=(ARRAY, NONE), labels_pred=(ARRAY, NONE), contingency=(ARRAY, SPARSE, NONE))
def mutual_info_score(labels_true: Any, labels_pred: Any, *, contingency: Any = None) -> float:
    """`certus.clustering.mutual_info`; fractions in a contingency table are cut off, as scikit-learn does."""
    if contingency is None:
        return _value(clustering.mutual_info, labels_true, labels_pred, empty=0.0)
    table = contingency if hasattr(contingency, "tocoo") else array_of(contingency)
    if table.dtype.kind not in "biu":
        table = table.astype(np.int64)
    return _value_or(clustering.mutual_info, Partition.from_counts(table), 0.0)


@_agreement
def pair_confusion_matrix(labels_true: Any, labels_pred: Any) -> Array:
    """The ordered pairs of samples, apart or together: ``[[apart in both, ...], [..., together in both]]``."""
    pairs = pairs_of(_data(labels_true, labels_pred))
    return np.array([2 * count for count in pairs], dtype=np.int64).reshape(2, 2)


def expected_mutual_information(contingency: Any, n_samples: int) -> float:
    """`certus.clustering.expected_mutual_information` of a table."""
    true, pred = (np.asarray(contingency.sum(axis=axis)).ravel().astype(np.int64) for axis in (1, 0))
    if true.size == 1 or pred.size == 1:
        return 0.0
    return expected(true[true > 0], pred[pred > 0], int(n_samples))


@check_parameters(
    labels_true=(ARRAY, NONE),
    labels_pred=(ARRAY, NONE),
    eps=(number_in(0.0, math.inf, "[)"), NONE),
    sparse=(BOOLEAN,),
    dtype=(ARRAY._replace(accepts=lambda _: True),),
)
def contingency_matrix(
    labels_true: Any, labels_pred: Any, *, eps: float | None = None, sparse: bool = False, dtype: Any = np.int64
) -> Any:
    """Number of samples in each true (row) and predicted (column) cluster; `eps` is added to each count."""
    if eps is not None and sparse:
        raise ValueError("Cannot set 'eps' when sparse=True")
    data = Partition.from_arrays(*(codes_of_labels(np.asarray(labels)) for labels in (labels_true, labels_pred)))
    from scipy.sparse import csr_matrix

    table = csr_matrix((data.counts.astype(dtype), (data.rows, data.columns)), shape=data.shape)
    if sparse:
        return table
    return table.toarray() if eps is None else table.toarray() + eps


def codes_of_labels(labels: Array) -> Array:
    """The labels, those that certus has no codes for as whole numbers in their order."""
    if labels.dtype.kind in "biuUS" and labels.ndim == 1:
        return labels
    return np.unique(labels, return_inverse=True)[1].ravel()


def _data(labels_true: Any, labels_pred: Any) -> Partition:
    """Two clusterings, checked as scikit-learn checks them."""
    true, pred = (array_of(labels) for labels in (labels_true, labels_pred))
    for labels in (true, pred):
        if labels.ndim > 2:
            raise ValueError(f"Found array with dim {labels.ndim}, while dim <= 2 is required.")
        check_finite(labels)
    if "f" in (true.dtype.kind, pred.dtype.kind):
        target_types = kind_of_target(true, "")[0], kind_of_target(pred, "")[0]
        if "continuous" in target_types:
            warn(
                f"Clustering metrics expects discrete values but received {target_types[0]} values for label, and "
                f"{target_types[1]} values for target"
            )
    for name, labels in (("labels_true", true), ("labels_pred", pred)):
        if labels.ndim != 1:
            raise ValueError(f"{name} must be 1D: shape is {labels.shape!r}")
    check_lengths(true, pred)
    return Partition.from_arrays(codes_of_labels(true), codes_of_labels(pred))


def _value(metric: Metric, labels_true: Any, labels_pred: Any, empty: float = 1.0) -> float:
    return _value_or(metric, _data(labels_true, labels_pred), empty)


def _value_or(metric: Metric, data: Partition, empty: float) -> float:
    """The value, and what stands for that of no samples."""
    return value_of(metric, data) if data.n else empty


_RANDOM = Kind(
    lambda value: value is None or isinstance(value, Integral | np.random.RandomState),
    "an int in the range [0, 4294967295], an instance of 'numpy.random.mtrand.RandomState' or None",
)
_silhouette = check_parameters(
    X=(ARRAY, SPARSE),
    labels=(ARRAY,),
    metric=(
        choice("str", str, *sorted({*NAMES, "nan_euclidean"})),
        Kind(callable, "a callable"),
    ),
    sample_size=(number_in(1, math.inf, "[)", base_type=Integral), NONE),
    random_state=(_RANDOM,),
)
_of_rows = check_parameters(X=(ARRAY,), labels=(ARRAY,))


@_silhouette
def silhouette_score(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    sample_size: int | None = None,
    random_state: Any = None,
    **kwds: Any,
) -> float:
    """`certus.clustering.silhouette`, of all samples or of some drawn at random."""
    rows, cluster_labels = _validate_samples(X, labels)
    if sample_size is not None:
        chosen = _generator(random_state).permutation(len(rows))[:sample_size]
        rows = rows[np.ix_(chosen, chosen)] if metric == "precomputed" else rows[chosen]
        cluster_labels = cluster_labels[chosen]
    return float(np.mean(_samples(rows, cluster_labels, metric, kwds)))


@_silhouette
def silhouette_samples(X: Any, labels: Any, *, metric: Any = "euclidean", **kwds: Any) -> Array:
    """`certus.clustering.silhouette_samples`."""
    return _samples(*_validate_samples(X, labels), metric, kwds)


@_of_rows
def calinski_harabasz_score(X: Any, labels: Any) -> float:
    """`certus.clustering.calinski_harabasz`; 1 where all samples lie on their centroids."""
    data = _clustered_data(*_validate_samples(X, labels), "euclidean", {})
    value = value_of(clustering.calinski_harabasz, data)
    return value if math.isfinite(value) else 1.0


@_of_rows
def davies_bouldin_score(X: Any, labels: Any) -> float:
    """`certus.clustering.davies_bouldin`, pairs of centroids that coincide being left out."""
    data = _clustered_data(*_validate_samples(X, labels), "euclidean", {})
    parts = Centroids(data.scaled, data.labels, len(data.sizes))
    scatter = scatter_of(parts)
    if np.isfinite(scatter.ratios).all():
        return float(scatter.ratios.mean())
    worst = []
    for width, centroid in zip(scatter.wide, parts.centroids, strict=True):
        distances = np.sqrt(np.square(parts.centroids - centroid).sum(1))
        worst.append(float(((scatter.wide + width)[distances > 0] / distances[distances > 0]).max(initial=0.0)))
    return float(np.mean(worst))


def _validate_samples(X: Any, labels: Any) -> tuple[Array, Array]:
    """Rows of numbers and a label for each, checked as scikit-learn checks them."""
    rows = numbers(X.toarray() if is_sparse(X) else X, name="X", ndim=2)
    cluster_labels = column(labels, "labels")
    check_finite(cluster_labels, "y")
    check_lengths(rows, cluster_labels)
    return rows, cluster_labels


def _clustered_data(rows: Array, cluster_labels: Array, metric: Any, parameters: dict[str, Any]) -> Clustered:
    data = Clustered.from_arrays(rows, codes_of_labels(cluster_labels), metric=metric, metric_params=parameters)
    if data.undefined_reason_of():
        raise ValueError(f"Number of labels is {len(data.sizes)}. Valid values are 2 to n_samples - 1 (inclusive)")
    return data


def _samples(rows: Array, cluster_labels: Array, metric: Any, parameters: dict[str, Any]) -> Array:
    if metric == "precomputed":
        self_distances = np.abs(rows.diagonal())
        slack = 100 * np.finfo(rows.dtype).eps if rows.dtype.kind == "f" else 0
        if (self_distances > slack).any():
            raise ValueError(
                "The precomputed distance matrix contains non-zero elements on the diagonal. "
                "Use np.fill_diagonal(X, 0)."
            )
        rows = rows.astype(np.float64)
        np.fill_diagonal(rows, 0.0)
        parameters = {}
    elif metric in OF_TRUTH_VALUES:
        rows = rows != 0
    return coefficients(
        _clustered_data(rows, cluster_labels, "euclidean" if metric == "nan_euclidean" else metric, parameters)
    )


def _generator(random_state: Any) -> np.random.RandomState:
    if random_state is None:
        return np.random.mtrand._rand  # the one that np.random.seed sets
    return random_state if isinstance(random_state, np.random.RandomState) else np.random.RandomState(random_state)
