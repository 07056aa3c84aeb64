"""Calinski-Harabasz index."""

import math

import numpy as np

from certus.data import Clustered
from certus.metrics._declare import metric
from certus.metrics.clustering._centroids import Centroids, centroid_influence, undefined
from certus.metrics.clustering._distances import only_rows
from certus.statistic import Influence

__all__ = ["calinski_harabasz"]


@metric(
    "CalinskiHarabasz",
    aliases=("calinski_harabasz", "calinski_harabasz_score", "CH"),
    bounds=(0.0, math.inf),
    source="Caliński & Harabasz (1974), Commun. Stat. 3(1):1-27, doi:10.1080/03610927408827101",
    weighted=False,
)
def calinski_harabasz(data: Clustered) -> Influence:
    """Dispersion of the clusters' centroids over that of the samples about them, each per degree of freedom.

    With k clusters of sizes n_c, centroids m_c, and m the mean of all n samples::

        CH = (sum n_c |m_c - m|^2 / (k - 1)) / (sum |x - m_c|^2 / (n - k))

    The data are centred first. It is infinite where all samples lie on their centroids, and undefined where these also
    coincide, of a single cluster, and where each sample is a cluster.

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
    Centroids 1/2 and 9/2 about 5/2: (2 * 4 + 2 * 4) / 1 over (4 * 1/4) / 2.

    >>> import certus
    >>> certus.clustering.calinski_harabasz([[0], [1], [4], [5]], [0, 0, 1, 1]).value
    32.0
    """
    rows = only_rows(data, "the Calinski-Harabasz index")
    why = data.why_undefined()
    if why:
        return undefined(data, why)
    parts = Centroids(rows, data.labels, len(data.sizes))
    value = _value(parts)
    if math.isnan(value):
        return undefined(data, "all samples are equal")
    between = np.square(parts.centred).sum(1) - np.square(parts.left).sum(1)
    inside = np.square(parts.left).sum(1)
    n, k = data.n, parts.clusters
    # Of a quotient of two sums; the samples' part in the means adds nothing to first order.
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = between.sum() / inside.sum()
        influence = (n - k) / (k - 1) * (between - ratio * inside) / inside.mean()
    return centroid_influence(data, rows, value, influence, _value)


def _value(parts: Centroids) -> float:
    n, k = parts.total, parts.clusters
    weights = 1.0 if parts.weights is None else parts.weights
    inside = float((weights * np.square(parts.left).sum(1)).sum())
    between = float((parts.sizes * np.square(parts.centroids).sum(1)).sum())
    if inside == 0:
        return math.inf if between > 0 else math.nan
    return between * (n - k) / (inside * (k - 1))
