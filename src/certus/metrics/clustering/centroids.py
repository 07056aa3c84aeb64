"""Indices from the centroids of clusters, without a true clustering."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.data import Clustered
from certus.metrics._metric import metric
from certus.metrics.check import Doc
from certus.metrics.clustering.distances import of_units, only_rows, undefined
from certus.metrics.spellings import SCIKIT_LEARN
from certus.statistic import Influence
from certus.statistic.common import mean_of, sum_by_code, unit_ranks

Index: TypeAlias = Annotated[
    Influence,
    Doc(
        raises="Another distance than the Euclidean one is asked for.",
    ),
]
"""An index of centroids."""


@dataclass(frozen=True, eq=False)
class Centroids:
    """Samples about the centroid of their cluster: a mean of exact sums, and what rounding left of it."""

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
    resample = partial(_resample, data, rows, function)
    return Influence.of_units(value, data.units, partial(_influence, data, influence, parts), resample, unit=data.unit)


def _influence(data: Clustered, influence: Callable[[Centroids], Floats], parts: Centroids) -> Floats:
    return of_units(data, influence(parts))


def _resample(
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
