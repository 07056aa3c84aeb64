"""Homogeneity, completeness, and their mean, the V-measure."""

from typing import Annotated, Any

import numpy as np

from certus.data import Partition
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.metrics.clustering._information import Information, information_cells, information_of
from certus.statistic import Cells

__all__ = ["completeness", "homogeneity", "v_measure"]

SOURCE = "Rosenberg & Hirschberg (2007), EMNLP-CoNLL 2007:410-420"


def _weighted(partition: Partition, of_true: float, of_pred: float) -> Cells:
    """Mutual information over a weighted mean of the two entropies; 1 where that is 0."""

    def function(x: Information) -> Any:
        scale = of_true * x.true + of_pred * x.pred
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(scale > 0, np.minimum(1.0, x.mutual / scale), 1.0)

    def slopes(x: Information) -> Information:
        scale = of_true * x.true + of_pred * x.pred
        ratio = x.mutual / scale
        return Information(1 / scale, -ratio / scale * of_true, -ratio / scale * of_pred)

    value = None
    if partition.n:
        height, width = partition.shape
        cells = len(partition.rows)
        # Each predicted cluster within one true one (or the other way round) is perfect, without rounding.
        perfect = (not of_true or cells == width) and (not of_pred or cells == height)
        value = 1.0 if perfect else float(function(information_of(partition)))
    return information_cells(partition, function, slopes, value=value)


@metric("Homogeneity", aliases=("homogeneity", "homogeneity_score"), source=SOURCE)
def homogeneity(partition: Partition) -> Cells:
    """How far each predicted cluster holds samples of a single true one.

    ::

        homogeneity = 1 - H(true | pred) / H(true) = MI / H(true)

    It is exactly 1 where every predicted cluster lies within a true one, and where there is a single true one.

    Returns
    -------
    Cells
        A function of the contingency table, in [0, 1].

    Examples
    --------
    >>> import certus
    >>> certus.clustering.homogeneity([0, 0, 1, 1], [0, 0, 1, 2]).value
    1.0
    """
    return _weighted(partition, 1.0, 0.0)


@metric("Completeness", aliases=("completeness", "completeness_score"), source=SOURCE)
def completeness(partition: Partition) -> Cells:
    """How far the samples of each true cluster are in a single predicted one.

    ::

        completeness = 1 - H(pred | true) / H(pred) = MI / H(pred)

    It is exactly 1 where every true cluster lies within a predicted one, and where there is a single predicted one.

    Returns
    -------
    Cells
        A function of the contingency table, in [0, 1].

    Examples
    --------
    log(2) of 1.5 log(2).

    >>> import certus
    >>> round(certus.clustering.completeness([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.6667
    """
    return _weighted(partition, 0.0, 1.0)


@metric("V", aliases=("v_measure", "v_measure_score", "VMeasure"), source=SOURCE)
def v_measure(partition: Partition, *, beta: Annotated[float, Between(0, most=1e6)] = 1.0) -> Cells:
    """Weighted harmonic mean of homogeneity and completeness.

    ::

        V = (1 + beta) homogeneity completeness / (beta homogeneity + completeness)
          = (1 + beta) MI / (H(true) + beta H(pred))

    With beta 1 it is the normalised mutual information with the arithmetic average. It is 0 where nothing is shared,
    and 1 where both have a single cluster.

    Parameters
    ----------
    beta
        Above 1 completeness counts more, below 1 homogeneity.

    Returns
    -------
    Cells
        A function of the contingency table, in [0, 1].

    Examples
    --------
    The harmonic mean of 1 and 2/3.

    >>> import certus
    >>> round(certus.clustering.v_measure([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.8
    """
    return _weighted(partition, 1 / (1 + beta), beta / (1 + beta))
