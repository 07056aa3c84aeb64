"""Silhouette coefficient."""

import numpy as np
from numpy.typing import NDArray

from certus.data import Clustered
from certus.metrics._declare import metric
from certus.metrics.classification._samples import per_sample
from certus.metrics.clustering._centroids import undefined
from certus.metrics.clustering._distances import apart
from certus.statistic import Influence, Mean, Ratio

__all__ = ["coefficients", "silhouette"]


@metric(
    "Silhouette",
    aliases=("silhouette", "silhouette_score"),
    bounds=(-1.0, 1.0),
    source="Rousseeuw (1987), J. Comput. Appl. Math. 20:53-65, doi:10.1016/0377-0427(87)90125-7",
    weighted=False,
)
def silhouette(data: Clustered) -> Mean | Ratio | Influence:
    """Mean over samples of how much nearer the own cluster is than the nearest other one.

    With a the mean distance of a sample to the others of its cluster, and b that to the samples of the nearest other
    cluster::

        s = (b - a) / max(a, b)

    A sample alone in its cluster has 0 (Rousseeuw's convention), as has one with a = b = 0. Distances are computed from
    differences of coordinates, so that it does not matter how far from 0 the data lie. It takes a time that grows with
    the square of the number of samples, and memory for a few of their rows. There must be at least two clusters and one
    of at least two samples; else it is undefined.

    Returns
    -------
    Mean
        One value per sample, in [-1, 1]; with groups a `Ratio` of sums over them. The intervals take the samples'
        values for independent.

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
    why = data.why_undefined()
    return undefined(data, why) if why else per_sample(coefficients(data), data)


def coefficients(data: Clustered) -> NDArray[np.float64]:
    """The value of each sample."""
    within, nearest = apart(data)
    largest = np.maximum(within, nearest)
    defined = (largest > 0) & (data.sizes[data.labels] > 1)
    return np.divide(nearest - within, largest, out=np.zeros(data.n), where=defined)
