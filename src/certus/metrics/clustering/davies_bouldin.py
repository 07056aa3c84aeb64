"""Davies-Bouldin index."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.data import Clustered
from certus.metrics._declare import metric
from certus.metrics.clustering._centroids import Centroids, centroid_influence, undefined
from certus.metrics.clustering._distances import only_rows
from certus.statistic import Influence, tally

__all__ = ["davies_bouldin", "scatter_of"]

Floats = NDArray[np.float64]


class Scatter(NamedTuple):
    """How wide the clusters are, how far apart their centroids, and which is the worst neighbour of each."""

    wide: Floats
    apart: Floats
    ratios: Floats
    worst: NDArray[np.intp]


@metric(
    "DaviesBouldin",
    aliases=("davies_bouldin", "davies_bouldin_score", "DB"),
    better="lower",
    bounds=(0.0, math.inf),
    source="Davies & Bouldin (1979), IEEE Trans. Pattern Anal. Mach. Intell. 1(2):224-227, "
    "doi:10.1109/TPAMI.1979.4766909",
    weighted=False,
)
def davies_bouldin(data: Clustered) -> Influence:
    """Mean over clusters of how wide they and their worst neighbour are, by how far apart their centroids are.

    With S_c the mean distance of a cluster's samples to its centroid m_c::

        DB = mean over clusters c of max over others d of (S_c + S_d) / |m_c - m_d|

    The dispersion is the mean distance itself, as in scikit-learn (q = 1 of Davies and Bouldin), not the root of the
    mean square. The data are centred first. It is infinite where two centroids coincide and samples lie about them
    (scikit-learn leaves such pairs out), and undefined where they coincide and none does, of a single cluster, and
    where each sample is a cluster.

    Returns
    -------
    Influence
        A function of means with the influence value of each sample, in [0, ∞).

    Raises
    ------
    DataError
        Another distance than the Euclidean one is asked for.

    Examples
    --------
    (1/2 + 1/2) / 4 for both clusters.

    >>> import certus
    >>> certus.clustering.davies_bouldin([[0], [1], [4], [5]], [0, 0, 1, 1]).value
    0.25
    """
    rows = only_rows(data, "the Davies-Bouldin index")
    why = data.why_undefined()
    if why:
        return undefined(data, why)
    parts = Centroids(rows, data.labels, len(data.sizes))
    scatter = scatter_of(parts)
    value = float(scatter.ratios.mean())
    if math.isnan(value):
        return undefined(data, "two clusters lie on one point")
    influence = _influence(parts, scatter) if math.isfinite(value) else np.zeros(data.n)
    return centroid_influence(data, rows, value, influence, lambda parts: float(scatter_of(parts).ratios.mean()))


def scatter_of(parts: Centroids) -> Scatter:
    """Widths, distances and the worst ratio of each cluster."""
    lengths = np.sqrt(np.square(parts.left).sum(1))
    weighted = lengths if parts.weights is None else lengths * parts.weights
    wide = tally(parts.labels, weighted, parts.clusters) / parts.sizes
    k = parts.clusters
    apart, ratios, worst = np.empty(k), np.empty(k), np.empty(k, dtype=np.intp)
    for cluster, centroid in enumerate(parts.centroids):
        distances = np.sqrt(np.square(parts.centroids - centroid).sum(1))
        with np.errstate(divide="ignore", invalid="ignore"):
            here = (wide + wide[cluster]) / distances
        here[cluster] = -np.inf
        worst[cluster] = here.argmax()  # a NaN comes before all numbers
        ratios[cluster], apart[cluster] = here[worst[cluster]], distances[worst[cluster]]
    return Scatter(wide, apart, ratios, worst)


def _influence(parts: Centroids, scatter: Scatter) -> Floats:
    """By the widths of the clusters, and by their centroids, of which the widths are functions too."""
    k, (_, apart, ratios, worst) = parts.clusters, scatter
    by_width = (1 / apart + np.bincount(worst, 1 / apart, k)) / k
    toward = (parts.centroids - parts.centroids[worst]) / apart[:, np.newaxis]
    pull = -(ratios / apart)[:, np.newaxis] * toward / k
    by_centroid = pull.copy()
    np.add.at(by_centroid, worst, -pull)
    lengths = np.sqrt(np.square(parts.left).sum(1))
    with np.errstate(invalid="ignore", divide="ignore"):
        units = np.where(lengths[:, np.newaxis] > 0, parts.left / lengths[:, np.newaxis], 0.0)
    slopes = by_centroid - by_width[:, np.newaxis] * parts.means(units)
    share = (parts.sizes / parts.total)[parts.labels]
    along = (slopes[parts.labels] * parts.left).sum(1)
    return np.asarray((by_width[parts.labels] * (lengths - scatter.wide[parts.labels]) + along) / share)
