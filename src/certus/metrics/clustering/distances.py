"""Indices from the distances between samples, without a true clustering."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.data import Clustered
from certus.metrics._declare import metric
from certus.metrics.clustering.centroids import of_units, undefined
from certus.metrics.clustering.pairwise import MeanDistances, extremes, mean_distances, weighted
from certus.metrics.spellings import SCIKIT_LEARN
from certus.statistic import Influence
from certus.statistic.cached import Cached
from certus.statistic.common import mean_of, sum_by_code


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
    cluster::

        s = (b - a) / max(a, b)

    A sample alone in its cluster has 0 (Rousseeuw's convention), as has one with a = b = 0. Distances are computed from
    differences of coordinates, so that it does not matter how far from 0 the data lie. It takes a time that grows with
    the square of the number of samples, and memory for a few of their rows. There must be at least two clusters and one
    of at least two samples; else it is undefined.

    Returns
    -------
    Influence
        The mean of values in [-1, 1], with the influence of each sample: its own value, and what it does to those of
        the others, by the mean distances that it has a part in. The samples' values alone, as if they were independent,
        would give intervals that are too short. The influence takes a second pass over the distances, when an interval
        is asked for; the bootstrap draws influence values.

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
    influence = Cached(partial(_influence, data, parts, values, value))
    return Influence.of_units(value, data.units, influence, partial(_resample, influence, value), unit=data.unit)


def _influence(data: Clustered, parts: MeanDistances, values: Floats, value: float) -> Floats:
    return of_units(data, values - value + _effect_on_others(data, parts))


def _resample(influence: Callable[[], Floats], value: float, replicates: int, seed: int, stratified: bool) -> Floats:
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
    """Effect of each sample on the values of the others, through their mean distances to its cluster.

    One more of a sample j moves a of each other sample of its cluster by (d - a) / (size - 1), d their distance, and b
    of the samples whose nearest other cluster is its own by (d - b) / size. The distances are computed again.
    """
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

    ::

        Dunn = min over pairs in different clusters of d(x, y) / max over pairs in one cluster of d(x, y)

    It is infinite where all samples of each cluster are equal and no two clusters touch, and undefined where they do,
    of a single cluster, and where each sample is a cluster. It takes a time that grows with the square of the number
    of samples.

    Returns
    -------
    Influence
        A value in [0, ∞) without an interval: two pairs of samples decide it, and neither the bootstrap nor an
        expansion says how far a ratio of extremes of these data lies from that of others.

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
