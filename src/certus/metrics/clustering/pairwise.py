"""Distances between samples: Euclidean ones by the kernels, others through scipy, a block of rows at a time."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.data import Clustered
from certus.errors import DataError
from certus.spelling import suggestion

BLOCK = 1 << 21
"""Distances held at a time: 16 MB."""

ROUNDING = 1e-12
"""A distance this much below 0, as a part of the greatest one, is 0."""
OTHER_NAMES = {"manhattan": "cityblock", "l1": "cityblock", "l2": "euclidean"}
OF_TRUTH_VALUES = ("dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
NAMES = (
    *("euclidean", "precomputed", "haversine", "braycurtis", "canberra", "chebyshev", "cityblock", "correlation"),
    *("cosine", "hamming", "jensenshannon", "mahalanobis", "minkowski", "seuclidean", "sqeuclidean", "manhattan", "l1"),
    *("l2", *OF_TRUTH_VALUES),
)


class MeanDistances(NamedTuple):
    """Mean distances from each sample to its own and to the nearest other cluster."""

    intra: Floats
    """Mean distance to the other samples of its cluster; 0 where there are none."""
    nearest: Floats
    """Mean distance to the samples of the nearest other cluster."""
    neighbour: NDArray[np.int64]
    """Index of that cluster."""


def mean_distances(data: Clustered) -> MeanDistances:
    """Distance of each sample to its own and to the nearest other cluster."""
    intra, nearest = (np.empty(data.n) for _ in range(2))
    neighbour = np.empty(data.n, dtype=np.int64)
    if _euclidean(data):
        rows = np.ascontiguousarray(data.scaled[data.order])
        by_cluster = kernels.mean_distances(rows, data.ends)
        intra[data.order], nearest[data.order], neighbour[data.order] = by_cluster
        return MeanDistances(intra, nearest, neighbour)
    starts = (data.ends - data.sizes.astype(np.uint64)).astype(np.int64)
    for rows_here, distances in _blocks(data):
        sums = np.add.reduceat(distances[:, data.order], starts, axis=1)
        row_indices, own_cluster = np.arange(len(sums)), data.labels[rows_here]
        intra[rows_here] = sums[row_indices, own_cluster] / np.maximum(data.sizes[own_cluster] - 1, 1)
        means = sums / data.sizes
        means[row_indices, own_cluster] = np.inf
        neighbour[rows_here] = means.argmin(axis=1)
        nearest[rows_here] = means[row_indices, neighbour[rows_here]]
    return MeanDistances(intra, nearest, neighbour)


def weighted(data: Clustered, by_intra: Floats, by_nearest: Floats, neighbour: NDArray[np.int64]) -> Floats:
    """Weighted sum of the distances from each sample to the others.

    That is `by_intra` of a sample of the same cluster, `by_nearest` of one whose neighbour it is, otherwise 0.
    """
    totals = np.empty(data.n)
    if _euclidean(data):
        rows = np.ascontiguousarray(data.scaled[data.order])
        parts = (by_intra[data.order], by_nearest[data.order], neighbour[data.order].astype(np.uint64))
        totals[data.order] = kernels.weighted_distances(rows, data.ends, *parts)
        return totals
    for rows_here, distances in _blocks(data):
        own_cluster = data.labels[rows_here, np.newaxis]
        counts = np.where(own_cluster == data.labels, by_intra, np.where(own_cluster == neighbour, by_nearest, 0.0))
        totals[rows_here] = np.einsum("ij,ij->i", distances, counts)
    return totals


def extremes(data: Clustered) -> tuple[float, float]:
    """The greatest distance within a cluster and the least between two."""
    if _euclidean(data):
        return kernels.extreme_distances(np.ascontiguousarray(data.scaled[data.order]), data.ends)
    diameter, separation = 0.0, np.inf
    for rows_here, distances in _blocks(data):
        is_same_cluster = data.labels[rows_here][:, np.newaxis] == data.labels
        diameter = max(diameter, float(distances[is_same_cluster].max()))
        separation = min(separation, float(distances[~is_same_cluster].min(initial=np.inf)))
    return diameter, separation


def only_rows(data: Clustered, name: str) -> Floats:
    """The coordinates, for a metric of centroids."""
    if not _euclidean(data):
        raise DataError(
            f"is {data.metric!r}",
            f"{name} is made of centroids and Euclidean distances, leave it out",
            argument="metric",
        )
    return data.scaled


def _euclidean(data: Clustered) -> bool:
    return isinstance(data.metric, str) and OTHER_NAMES.get(data.metric, data.metric) == "euclidean"


def _blocks(data: Clustered) -> Iterator[tuple[slice, Floats]]:
    """The distances of some samples to all, for all samples in turn."""
    step = max(1, BLOCK // max(data.n, 1))
    is_precomputed = data.metric == "precomputed"
    values, measure, parameters = (data.values, None, {}) if is_precomputed else _measure(data)
    for first in range(0, data.n, step):
        here = slice(first, min(first + step, data.n))
        if measure is None:
            yield here, values[here]
            continue
        distances = _distances(values[here], values, measure, parameters)
        # what rounding leaves of a distance of 0 may be below it
        fine = np.isfinite(distances) & (distances >= -ROUNDING * np.abs(distances).max(initial=0.0))
        if not fine.all():
            row, column = np.argwhere(~fine)[0].tolist()
            name = data.metric if isinstance(data.metric, str) else getattr(data.metric, "__name__", "given")
            raise DataError(
                f"the {name} distance of samples {row + first} and {column} is {distances[row, column]:g}",
                "it must be finite and at least 0",
            )
        yield here, np.maximum(distances, 0.0, out=distances)


def _distances(block: NDArray[Any], values: NDArray[Any], measure: Any, parameters: dict[str, Any]) -> Floats:
    from scipy.spatial.distance import cdist

    try:
        return np.array(cdist(block, values, measure, **parameters), dtype=np.float64)
    except (TypeError, ValueError) as error:
        if not isinstance(measure, str):
            raise  # an error of the caller's own function is best seen as it is
        message = str(error).partition("\n")[0]
        names = ", ".join(parameters) or "none"
        raise DataError(f"metric_params ({names}) do not suit the distance {measure!r}: {message}") from None


def _measure(data: Clustered) -> tuple[NDArray[Any], Any, dict[str, Any]]:
    """The rows as the distance takes them, what scipy is to compute, and with which parameters."""
    values, parameters = data.values, dict(data.metric_params)
    if not isinstance(data.metric, str):
        return values, data.metric, parameters
    name = OTHER_NAMES.get(data.metric, data.metric)
    if data.metric not in NAMES:
        raise DataError(
            f"is {data.metric!r}, which is not a distance", suggestion(data.metric, NAMES), argument="metric"
        )
    if name == "haversine":
        if values.shape[1] != 2:
            raise DataError(
                f"has {values.shape[1]} columns", "haversine distances need latitude and longitude", argument="X"
            )
        return values, _haversine, parameters
    if name in OF_TRUTH_VALUES:
        if not ((values == 0) | (values == 1)).all():
            raise DataError(f"must hold 0 and 1 only for the distance {name!r}", argument="X")
        return values.astype(np.bool_), name, parameters
    # What scipy would take from each block must come from all samples.
    if name == "seuclidean" and "V" not in parameters:
        parameters["V"] = values.var(axis=0, ddof=1)
    if name == "mahalanobis" and "VI" not in parameters:
        try:
            parameters["VI"] = np.linalg.inv(np.atleast_2d(np.cov(values.T))).T
        except np.linalg.LinAlgError:
            raise DataError(
                "the covariance of the columns of X has no inverse, which Mahalanobis distances need",
                "leave out columns that follow from others, or give metric_params={'VI': ...}",
            ) from None
    return values, name, parameters


def _haversine(first: Floats, second: Floats) -> float:
    """The angle between two places on a sphere, latitude and longitude in radians."""
    half = np.sin((first - second) / 2) ** 2
    return float(2 * np.arcsin(min(1.0, np.sqrt(half[0] + np.cos(first[0]) * np.cos(second[0]) * half[1]))))
