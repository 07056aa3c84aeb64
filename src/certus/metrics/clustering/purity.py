"""Purity of predicted clusters."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.data import Partition
from certus.metrics._declare import metric
from certus.metrics.clustering._table import Shares, cells_of
from certus.statistic import TableFunction


@metric(
    "Purity",
    source="Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, section 16.3",
)
def purity(partition: Partition) -> TableFunction:
    """Share of the samples that belong to the most frequent true cluster of their predicted one.

    ::

        purity = (1 / n) sum over predicted clusters of max over true clusters of their common samples

    More clusters are always purer, up to 1 where each sample is alone: compare it at one number of clusters only. The
    other way round, ``purity(labels_pred, labels_true)``, it is sometimes called inverse purity.

    Returns
    -------
    TableFunction
        A function of the contingency table, in [0, 1]. Of small samples it is too large on average, for which the
        default interval allows; one by the delta method takes for known which true cluster is the most frequent.

    Examples
    --------
    Three of four samples are of their predicted cluster's main kind.

    >>> import certus
    >>> certus.clustering.purity([0, 0, 1, 1], [0, 0, 0, 1]).value
    0.75
    """
    value = None
    if partition.n:
        order = np.argsort(partition.columns, kind="stable")
        starts = np.flatnonzero(np.diff(partition.columns[order], prepend=-1))
        largest = np.maximum.reduceat(partition.counts[order], starts)
        value = float(largest.sum() / partition.counts.sum())
    return cells_of(partition, _function, _slopes, value=value, curved=False, smooth=False)


def _function(shares: Shares) -> Any:
    return _largest(shares)[1].sum(-1)


def _largest(shares: Shares) -> tuple[NDArray[np.intp], Floats, NDArray[np.intp]]:
    """The cells by column, the largest of each column, and where each column starts."""
    order = np.argsort(shares.grid.columns, kind="stable")
    starts = np.flatnonzero(np.diff(shares.grid.columns[order], prepend=-1))
    return order, np.maximum.reduceat(shares.cells[..., order], starts, axis=-1), starts


def _slopes(shares: Shares) -> Floats:
    """Clusters that are equally frequent share what there is to gain."""
    order, largest, starts = _largest(shares)
    top = (shares.cells == largest[shares.grid.columns]).astype(np.float64)
    return np.asarray(top / np.add.reduceat(top[order], starts)[shares.grid.columns])
