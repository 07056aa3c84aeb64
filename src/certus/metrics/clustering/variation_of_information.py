"""Variation of information."""

import numpy as np

from certus.data import Partition
from certus.metrics._declare import metric
from certus.metrics.clustering._information import Information, information_cells
from certus.statistic import Cells

__all__ = ["variation_of_information"]


@metric(
    "VI",
    aliases=("variation_of_information",),
    better="lower",
    bounds=(0.0, float("inf")),
    source="Meilă (2007), J. Multivar. Anal. 98(5):873-895, doi:10.1016/j.jmva.2006.11.013",
)
def variation_of_information(partition: Partition) -> Cells:
    """What each of two clusterings leaves open about the other, in nats: a distance between them.

    ::

        VI = H(true | pred) + H(pred | true) = H(true) + H(pred) - 2 MI

    It is computed as a sum over cells without negative terms: exactly 0 for clusterings that are the same. It is a
    metric in the sense of mathematics, at most log(n); divide by log(2) for bits.

    Returns
    -------
    Cells
        A function of the contingency table, in [0, ∞).

    Examples
    --------
    The truth leaves open how one of two clusters is split: half of log(2).

    >>> import certus
    >>> round(certus.clustering.variation_of_information([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.3466
    """
    value = None
    if partition.n:
        counts = partition.counts.astype(np.float64)
        row, column = partition.true_sizes[partition.rows], partition.pred_sizes[partition.columns]
        value = float((counts / counts.sum() * (np.log(row / counts) + np.log(column / counts))).sum())
    return information_cells(
        partition,
        lambda x: np.maximum(0.0, x.true + x.pred - 2 * x.mutual),
        lambda _: Information(-2.0, 1.0, 1.0),
        value=value,
    )
