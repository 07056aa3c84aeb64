"""Dunn index."""

import math

from certus.data import Clustered
from certus.metrics._declare import metric
from certus.metrics.clustering._centroids import undefined
from certus.metrics.clustering._distances import extremes
from certus.statistic import Influence

__all__ = ["dunn"]


@metric(
    "Dunn",
    aliases=("dunn",),
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
    why = data.why_undefined()
    if why:
        return undefined(data, why)
    within, between = extremes(data)
    if within == between == 0:
        return undefined(data, "all distances that matter are 0")
    units, unit = data.units
    value = between / within if within else math.inf
    return Influence(value, (units,), (math.nan,), unit=unit, unknown="two pairs of samples alone decide the value")
