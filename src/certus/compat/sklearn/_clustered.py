"""Metrics of samples and their clusters."""

import math
from numbers import Integral
from typing import Any

import numpy as np

from certus import clustering
from certus.compat.sklearn._clustering import codes_of_labels
from certus.compat.sklearn._input import Array, check_finite, check_lengths, column, numbers
from certus.compat.sklearn._parameters import ARRAY, NONE, SPARSE, Kind, among, checked, is_sparse, within
from certus.data import Clustered
from certus.metrics.clustering.centroids import Centroids, scatter_of
from certus.metrics.clustering.distances import coefficients
from certus.metrics.clustering.pairwise import NAMES, OF_TRUTH_VALUES

__all__ = ["calinski_harabasz_score", "davies_bouldin_score", "silhouette_samples", "silhouette_score"]

_RANDOM = Kind(
    lambda value: value is None or isinstance(value, Integral | np.random.RandomState),
    "an int in the range [0, 4294967295], an instance of 'numpy.random.mtrand.RandomState' or None",
)
_silhouette = checked(
    X=(ARRAY, SPARSE),
    labels=(ARRAY,),
    metric=(
        among("str", str, *sorted({*NAMES, "nan_euclidean"})),
        Kind(callable, "a callable"),
    ),
    sample_size=(within(1, math.inf, "[)", of=Integral), NONE),
    random_state=(_RANDOM,),
)
_of_rows = checked(X=(ARRAY,), labels=(ARRAY,))


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
    rows, given = _checked(X, labels)
    if sample_size is not None:
        chosen = _generator(random_state).permutation(len(rows))[:sample_size]
        rows = rows[np.ix_(chosen, chosen)] if metric == "precomputed" else rows[chosen]
        given = given[chosen]
    return float(np.mean(_samples(rows, given, metric, kwds)))


@_silhouette
def silhouette_samples(X: Any, labels: Any, *, metric: Any = "euclidean", **kwds: Any) -> Array:
    """`certus.clustering.silhouette_samples`."""
    return _samples(*_checked(X, labels), metric, kwds)


@_of_rows
def calinski_harabasz_score(X: Any, labels: Any) -> float:
    """`certus.clustering.calinski_harabasz`; 1 where all samples lie on their centroids."""
    data = _data(*_checked(X, labels), "euclidean", {})
    statistic: Any = clustering.calinski_harabasz.compute(data)
    return float(statistic.value) if math.isfinite(statistic.value) else 1.0


@_of_rows
def davies_bouldin_score(X: Any, labels: Any) -> float:
    """`certus.clustering.davies_bouldin`, pairs of centroids that coincide being left out."""
    data = _data(*_checked(X, labels), "euclidean", {})
    parts = Centroids(data.scaled, data.labels, len(data.sizes))
    scatter = scatter_of(parts)
    if np.isfinite(scatter.ratios).all():
        return float(scatter.ratios.mean())
    worst = []
    for width, centroid in zip(scatter.wide, parts.centroids, strict=True):
        apart = np.sqrt(np.square(parts.centroids - centroid).sum(1))
        worst.append(float(((scatter.wide + width)[apart > 0] / apart[apart > 0]).max(initial=0.0)))
    return float(np.mean(worst))


def _checked(X: Any, labels: Any) -> tuple[Array, Array]:
    """Rows of numbers and a label for each, checked as scikit-learn checks them."""
    rows = numbers(X.toarray() if is_sparse(X) else X, name="X", ndim=2)
    given = column(labels, "labels")
    check_finite(given, "y")
    check_lengths(rows, given)
    return rows, given


def _data(rows: Array, given: Array, metric: Any, parameters: dict[str, Any]) -> Clustered:
    data = Clustered.of(rows, codes_of_labels(given), metric=metric, metric_params=parameters)
    if data.why_undefined():
        raise ValueError(f"Number of labels is {len(data.sizes)}. Valid values are 2 to n_samples - 1 (inclusive)")
    return data


def _samples(rows: Array, given: Array, metric: Any, parameters: dict[str, Any]) -> Array:
    if metric == "precomputed":
        own = np.abs(rows.diagonal())
        slack = 100 * np.finfo(rows.dtype).eps if rows.dtype.kind == "f" else 0
        if (own > slack).any():
            raise ValueError(
                "The precomputed distance matrix contains non-zero elements on the diagonal. "
                "Use np.fill_diagonal(X, 0)."
            )
        rows = rows.astype(np.float64)
        np.fill_diagonal(rows, 0.0)
        parameters = {}
    elif metric in OF_TRUTH_VALUES:
        rows = rows != 0
    return coefficients(_data(rows, given, "euclidean" if metric == "nan_euclidean" else metric, parameters))


def _generator(random_state: Any) -> np.random.RandomState:
    if random_state is None:
        return np.random.mtrand._rand  # the one that np.random.seed sets
    return random_state if isinstance(random_state, np.random.RandomState) else np.random.RandomState(random_state)
