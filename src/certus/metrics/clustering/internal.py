"""Indices of a clustering without a true one: from the distances between samples, and from centroids."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.core.spelling import suggestion
from certus.data import Clustered
from certus.metrics.check import Doc
from certus.metrics.declaration import metric
from certus.metrics.spellings import SCIKIT_LEARN
from certus.statistic import Influence
from certus.statistic.cached import Cached
from certus.statistic.common import mean_of, sum_by_code, unit_ranks

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


@metric(
    "Silhouette",
    words=("silhouette coefficient", "轮廓系数"),
    spellings=SCIKIT_LEARN("silhouette_score"),
    bounds=(-1.0, 1.0),
    source="Rousseeuw (1987), J. Comput. Appl. Math. 20:53-65, doi:10.1016/0377-0427(87)90125-7",
    weighted=False,
)
def silhouette(data: Clustered) -> Influence:
    """Mean over samples of how much nearer their own cluster is than the nearest other cluster.

    With a the mean distance of a sample to the others of its cluster, and b that to the samples of the nearest other
    cluster: ``s = (b - a) / max(a, b)``.

    A sample alone in its cluster has 0 (Rousseeuw's convention), as has one with a = b = 0. Distances are computed from
    differences of coordinates, so that it does not matter how far from 0 the data lie. It takes a time that grows with
    the square of the number of samples, and memory for a few of their rows. There must be at least two clusters and one
    of at least two samples; else it is undefined.

    Raises
    ------
    DataError
        There is no distance of that name, or it is not finite for two samples.

    Examples
    --------
    Two clusters {0, 1} and {4}: (4 - 1) / 4, (3 - 1) / 3 and 0.

    >>> import certus
    >>> round(certus.clustering.silhouette([[0], [1], [4]], [0, 0, 1]).value, 4)
    0.4722
    >>> certus.clustering.silhouette_samples([[0], [1], [4]], [0, 0, 1]).round(4).tolist()
    [0.75, 0.6667, 0.0]
    """
    reason = data.undefined_reason_of()
    if reason:
        return undefined(data, reason)
    parts = mean_distances(data)
    values = _values(data, parts)
    value = mean_of(values)
    influence = Cached(partial(_influence_of_silhouette, data, parts, values, value))
    return Influence.of_units(
        value, data.units, influence, partial(_resample_silhouette, influence, value), unit=data.unit
    )


def _influence_of_silhouette(data: Clustered, parts: MeanDistances, values: Floats, value: float) -> Floats:
    return of_units(data, values - value + _effect_on_others(data, parts))


def _resample_silhouette(
    influence: Callable[[], Floats], value: float, replicates: int, seed: int, stratified: bool
) -> Floats:
    del stratified  # there is one stratum
    values = influence()
    sums = kernels.resample_sums(np.sort(values)[:, np.newaxis], replicates=replicates, seed=seed)
    return np.asarray(value + sums[:, 0] / len(values))


def coefficients(data: Clustered) -> Floats:
    """The value of each sample."""
    return _values(data, mean_distances(data))


def _values(data: Clustered, parts: MeanDistances) -> Floats:
    largest = np.maximum(parts.intra, parts.nearest)
    return np.divide(parts.nearest - parts.intra, largest, out=np.zeros(data.n), where=_defined(data, largest))


def _defined(data: Clustered, largest: Floats) -> NDArray[np.bool_]:
    return np.asarray((largest > 0) & (data.sizes[data.labels] > 1))


def _effect_on_others(data: Clustered, parts: MeanDistances) -> Floats:
    """Effect of each sample on the values of the others, through their mean distances to its cluster."""
    # One more of j moves a of each other sample of its cluster by (d - a) / (size - 1), b of its neighbours by (d - b)
    # / size.
    intra, nearest, neighbour = parts
    largest = np.maximum(intra, nearest)
    defined = _defined(data, largest)
    by_intra, by_nearest = np.zeros(data.n), np.zeros(data.n)
    near = defined & (intra <= nearest)
    far = defined & ~near
    by_intra[near], by_nearest[near] = -1 / nearest[near], intra[near] / nearest[near] ** 2
    by_intra[far], by_nearest[far] = -nearest[far] / intra[far] ** 2, 1 / intra[far]
    by_intra /= np.maximum(data.sizes[data.labels] - 1, 1)
    by_nearest /= data.sizes[neighbour]
    k = len(data.sizes)
    gone = sum_by_code(data.labels, by_intra * intra, k) + sum_by_code(neighbour, by_nearest * nearest, k)
    effects = by_intra * intra - gone[data.labels] + weighted(data, by_intra, by_nearest, neighbour)
    return np.asarray(effects)


@metric(
    "Dunn",
    bounds=(0.0, math.inf),
    source="Dunn (1974), J. Cybern. 4(1):95-104, doi:10.1080/01969727408546059",
    weighted=False,
)
def dunn(data: Clustered) -> Influence:
    """Least distance between samples of two clusters, over the greatest within a cluster.

    ``Dunn = min over pairs in different clusters of d(x, y) / max over pairs in one cluster of d(x, y)``. It is
    infinite where all samples of each cluster are equal and no two clusters touch, and undefined where they do, of a
    single cluster, and where each sample is a cluster. It takes a time that grows with the square of the number of
    samples.

    Raises
    ------
    DataError
        There is no distance of that name, or it is not finite for two samples.

    Examples
    --------
    From 1 to 4 over from 4 to 6.

    >>> import certus
    >>> certus.clustering.dunn([[0], [1], [4], [6]], [0, 0, 1, 1]).value
    1.5
    """
    reason = data.undefined_reason_of()
    if reason:
        return undefined(data, reason)
    diameter, separation = extremes(data)
    if diameter == separation == 0:
        return undefined(data, "all distances that matter are 0")
    value, reason = separation / diameter if diameter else math.inf, "two pairs of samples alone decide the value"
    return Influence(value, (data.units,), (math.nan,), unit=data.unit, unknown=reason)


def mean_distances(data: Clustered) -> MeanDistances:
    """Distance of each sample to its own and to the nearest other cluster."""
    intra, nearest = (np.empty(data.n) for _ in range(2))
    neighbour = np.empty(data.n, dtype=np.int64)
    if _euclidean(data):
        rows = np.ascontiguousarray(data.scaled[data.order])
        by_cluster = kernels.mean_distances(rows, data.cluster_ends)
        intra[data.order], nearest[data.order], neighbour[data.order] = by_cluster
        return MeanDistances(intra, nearest, neighbour)
    starts = (data.cluster_ends - data.sizes.astype(np.uint64)).astype(np.int64)
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
    """Sums of distances from each sample, weighted by `by_intra` in its cluster, `by_nearest` where it is neighbour."""
    totals = np.empty(data.n)
    if _euclidean(data):
        rows = np.ascontiguousarray(data.scaled[data.order])
        parts = (by_intra[data.order], by_nearest[data.order], neighbour[data.order].astype(np.uint64))
        totals[data.order] = kernels.weighted_distances(rows, data.cluster_ends, *parts)
        return totals
    for rows_here, distances in _blocks(data):
        own_cluster = data.labels[rows_here, np.newaxis]
        counts = np.where(own_cluster == data.labels, by_intra, np.where(own_cluster == neighbour, by_nearest, 0.0))
        totals[rows_here] = np.einsum("ij,ij->i", distances, counts)
    return totals


def extremes(data: Clustered) -> tuple[float, float]:
    """The greatest distance within a cluster and the least between two."""
    if _euclidean(data):
        return kernels.extreme_distances(np.ascontiguousarray(data.scaled[data.order]), data.cluster_ends)
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
        distances = _block_of_distances(values[here], values, measure, parameters)
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


def _block_of_distances(block: NDArray[Any], values: NDArray[Any], measure: Any, parameters: dict[str, Any]) -> Floats:
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


def of_units(data: Clustered, values: Floats) -> Floats:
    """Influence values of samples as those of their units, which are 0 on average."""
    if data.groups is not None:
        values = data.units / data.n * sum_by_code(data.groups, values, data.units)
    return np.asarray(values - mean_of(values))


def undefined(data: Clustered, reason: str) -> Influence:
    """No value, for the reason given."""
    return Influence(math.nan, (data.units,), (math.nan,), undefined_reason=reason, unit=data.unit)


Index: TypeAlias = Annotated[
    Influence,
    Doc(
        raises="Another distance than the Euclidean one is asked for.",
    ),
]
"""An index of centroids."""


@dataclass(frozen=True, eq=False)
class Centroids:
    """Samples about the centroid of their cluster, which is a mean of exact sums and its rounding error."""

    values: Floats
    labels: NDArray[np.int64]
    clusters: int
    weights: Floats | None = None

    @cached_property
    def sizes(self) -> Floats:
        """Number of samples (sum of weights) in each cluster."""
        return np.bincount(self.labels, self.weights, self.clusters).astype(np.float64)

    @cached_property
    def total(self) -> float:
        """Number of samples (sum of weights)."""
        return float(self.sizes.sum())

    @cached_property
    def centred(self) -> Floats:
        """The samples about the mean of all."""
        means, rests = self._means
        return np.asarray((self.values - means[-1]) - rests[-1])

    @cached_property
    def _means(self) -> tuple[Floats, Floats]:
        """Means of clusters and, last, of all samples, with their rounding errors; NaN for an empty cluster."""
        if self.weights is None:
            means, rests = kernels.centroids(np.ascontiguousarray(self.values), self.labels, self.clusters)
            shape = self.clusters + 1, self.values.shape[1]
            return means.reshape(shape), rests.reshape(shape)
        means = self._weighted(self.values, self.values)
        return means, self._weighted(self.values - means[self.labels], self.values - means[-1])

    def _weighted(self, rows: Floats, all_rows: Floats) -> Floats:
        """The mean of each cluster's `rows` and, last, of `all_rows`."""
        weights = np.ones(len(rows)) if self.weights is None else self.weights
        every = np.asarray((all_rows * weights[:, np.newaxis]).sum(0) / self.total)
        return np.concatenate([self.means(rows), every[np.newaxis]])

    def means(self, rows: Floats) -> Floats:
        """The mean of each cluster's rows; NaN of an empty one."""
        weighted = rows if self.weights is None else rows * self.weights[:, np.newaxis]
        columns = [sum_by_code(self.labels, column, self.clusters) for column in weighted.T]
        with np.errstate(invalid="ignore"):
            return np.stack(columns, axis=1) / self.sizes[:, np.newaxis]

    @cached_property
    def centroids(self) -> Floats:
        """Centroid of each cluster, about the mean of all samples."""
        means, rests = self._means
        return np.asarray((means[:-1] - means[-1]) + (rests[:-1] - rests[-1]))

    @cached_property
    def left(self) -> Floats:
        """The samples about the centroid of their cluster."""
        means, rests = self._means
        residuals = np.take(means, self.labels, axis=0)
        np.subtract(self.values, residuals, out=residuals)
        residuals -= np.take(rests, self.labels, axis=0)
        return residuals

    @cached_property
    def squares(self) -> Floats:
        """The squared distance of each sample to the centroid of its cluster."""
        return kernels.centroid_distances(*self._means, np.ascontiguousarray(self.values), self.labels)


def _index(
    data: Clustered,
    name: str,
    function: Callable[[Centroids], float],
    influence: Callable[[Centroids], Floats],
    without_value: str,
) -> Influence:
    """The form of an index of centroids; the bootstrap evaluates `function`."""
    rows = only_rows(data, f"the {name} index")
    if reason := data.undefined_reason_of():
        return undefined(data, reason)
    parts = Centroids(rows, data.labels, len(data.sizes))
    value = function(parts)
    if math.isnan(value):
        return undefined(data, without_value)
    resample = partial(_resample_index, data, rows, function)
    return Influence.of_units(
        value, data.units, partial(_influence_of_index, data, influence, parts), resample, unit=data.unit
    )


def _influence_of_index(data: Clustered, influence: Callable[[Centroids], Floats], parts: Centroids) -> Floats:
    return of_units(data, influence(parts))


def _resample_index(
    data: Clustered,
    rows: Floats,
    function: Callable[[Centroids], float],
    replicates: int,
    seed: int,
    stratified: bool,
) -> Floats:
    del stratified  # there is one stratum
    values = np.empty(replicates)
    order = np.lexsort((data.labels, *rows.T))
    sorted_rows, clusters = rows[order], data.labels[order]
    ranks = unit_ranks(data.groups, *rows.T, data.labels)
    ranks = (ranks if data.groups is None else ranks[data.groups])[order]
    step = max(1, (1 << 22) // data.units)
    for first, last in pairwise([*range(0, replicates, step), replicates]):
        block: Any = kernels.resample_counts(data.units, first=first, replicates=last - first, seed=seed)
        for index, times in enumerate(block, first):
            counts = times[ranks].astype(np.float64)
            there = counts > 0
            labels, codes = np.unique(clusters[there], return_inverse=True)
            resampled = Centroids(sorted_rows[there], codes, len(labels), counts[there])
            values[index] = function(resampled) if 1 < len(labels) < there.sum() else np.nan
    return values


@metric(
    "CalinskiHarabasz",
    aliases=("CH",),
    spellings=SCIKIT_LEARN("calinski_harabasz_score"),
    bounds=(0.0, math.inf),
    source="Caliński & Harabasz (1974), Commun. Stat. 3(1):1-27, doi:10.1080/03610927408827101",
    weighted=False,
)
def calinski_harabasz(data: Clustered) -> Index:
    """Dispersion between clusters divided by dispersion within them, each per degree of freedom.

    With k clusters of sizes n_c, centroids m_c, and m the mean of all n samples: ``CH = (sum n_c |m_c - m|^2 / (k - 1))
    / (sum |x - m_c|^2 / (n - k))``.

    It is infinite where all samples lie on their centroids, and undefined where these also
    coincide, of a single cluster, and where each sample is a cluster.

    Examples
    --------
    Centroids 1/2 and 9/2 about 5/2: (2 * 4 + 2 * 4) / 1 over (4 * 1/4) / 2.

    >>> import certus
    >>> certus.clustering.calinski_harabasz([[0], [1], [4], [5]], [0, 0, 1, 1]).value
    32.0
    """
    return _index(data, "Calinski-Harabasz", _ratio, _influence_of_ratio, "all samples are equal")


def _influence_of_ratio(parts: Centroids) -> Floats:
    n, k, within_clusters = parts.total, parts.clusters, parts.squares
    between_clusters = np.square(parts.centred).sum(1) - within_clusters
    # Of a quotient of two sums; the samples' part in the means adds nothing to first order.
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = kernels.exact_sum(between_clusters) / kernels.exact_sum(within_clusters)
        return np.asarray((n - k) / (k - 1) * (between_clusters - ratio * within_clusters) / mean_of(within_clusters))


def _ratio(parts: Centroids) -> float:
    n, k = parts.total, parts.clusters
    within_clusters = kernels.exact_sum(parts.squares if parts.weights is None else parts.weights * parts.squares)
    between_clusters = kernels.exact_sum(parts.sizes * np.square(parts.centroids).sum(1))
    if within_clusters == 0:
        return math.inf if between_clusters > 0 else math.nan
    return between_clusters * (n - k) / (within_clusters * (k - 1))


class Scatter(NamedTuple):
    """Widths of the clusters, distances between their centroids, and the worst neighbour of each."""

    wide: Floats
    separations: Floats
    ratios: Floats
    worst: NDArray[np.intp]


@metric(
    "DaviesBouldin",
    aliases=("DB",),
    spellings=SCIKIT_LEARN("davies_bouldin_score"),
    better="lower",
    bounds=(0.0, math.inf),
    source="Davies & Bouldin (1979), IEEE Trans. Pattern Anal. Mach. Intell. 1(2):224-227, "
    "doi:10.1109/TPAMI.1979.4766909",
    weighted=False,
)
def davies_bouldin(data: Clustered) -> Index:
    """Mean over clusters of how wide they and their worst neighbour are, by how far apart their centroids are.

    With S_c the mean distance of a cluster's samples to its centroid m_c: ``DB = mean over clusters c of max over
    others d of (S_c + S_d) / |m_c - m_d|``.

    The dispersion is the mean distance itself, as in scikit-learn (q = 1 of Davies and Bouldin), not the root of the
    mean square. It is infinite where two centroids coincide and samples lie about them
    (scikit-learn leaves such pairs out), and undefined where they coincide and none does, of a single cluster, and
    where each sample is a cluster.

    Examples
    --------
    (1/2 + 1/2) / 4 for both clusters.

    >>> import certus
    >>> certus.clustering.davies_bouldin([[0], [1], [4], [5]], [0, 0, 1, 1]).value
    0.25
    """
    return _index(data, "Davies-Bouldin", _mean_ratio, _influence_of_scatter, "two clusters lie on one point")


def _mean_ratio(parts: Centroids) -> float:
    return mean_of(scatter_of(parts).ratios)


def scatter_of(parts: Centroids) -> Scatter:
    """Widths, distances and the worst ratio of each cluster."""
    lengths = np.sqrt(parts.squares)
    weighted = lengths if parts.weights is None else lengths * parts.weights
    wide = sum_by_code(parts.labels, weighted, parts.clusters) / parts.sizes
    k = parts.clusters
    separations, ratios, worst = np.empty(k), np.empty(k), np.empty(k, dtype=np.intp)
    for cluster, centroid in enumerate(parts.centroids):
        distances = np.sqrt(np.square(parts.centroids - centroid).sum(1))
        with np.errstate(divide="ignore", invalid="ignore"):
            here = (wide + wide[cluster]) / distances
        here[cluster] = -np.inf
        worst[cluster] = here.argmax()  # a NaN comes before all numbers
        ratios[cluster], separations[cluster] = here[worst[cluster]], distances[worst[cluster]]
    return Scatter(wide, separations, ratios, worst)


def _influence_of_scatter(parts: Centroids) -> Floats:
    """By the widths of the clusters, and by their centroids, of which the widths are functions too."""
    scatter = scatter_of(parts)
    if not np.isfinite(scatter.ratios).all():
        return np.zeros(len(parts.labels))
    k, (_, separations, ratios, worst) = parts.clusters, scatter
    by_width = (1 / separations + np.bincount(worst, 1 / separations, k)) / k
    toward = (parts.centroids - parts.centroids[worst]) / separations[:, np.newaxis]
    pull = -(ratios / separations)[:, np.newaxis] * toward / k
    by_centroid = pull.copy()
    np.add.at(by_centroid, worst, -pull)
    lengths = np.sqrt(parts.squares)
    with np.errstate(invalid="ignore", divide="ignore"):
        units = np.where(lengths[:, np.newaxis] > 0, parts.left / lengths[:, np.newaxis], 0.0)
    slopes = by_centroid - by_width[:, np.newaxis] * parts.means(units)
    share = (parts.sizes / parts.total)[parts.labels]
    along = (slopes[parts.labels] * parts.left).sum(1)
    return np.asarray((by_width[parts.labels] * (lengths - scatter.wide[parts.labels]) + along) / share)
