"""Entropy of a labelling, joint entropy of two labellings, and conditional entropy."""

from functools import partial
from operator import attrgetter
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from certus.arrays import Floats
from certus.data import Partition
from certus.metrics._declare import metric
from certus.metrics.check import Doc
from certus.metrics.clustering._table import OfTable
from certus.metrics.clustering.entropies import Information, information_cells

_COVER = "Cover & Thomas (2006), Elements of Information Theory, 2nd ed., sections 2.1 and 2.2"
_INF = float("inf")

Labelling: TypeAlias = Annotated[
    Literal["true", "pred"], Doc('Whose entropy: that of the ``"true"`` labels or of the predicted ones, ``"pred"``.')
]


@metric("Entropy", words=("熵",), better=None, bounds=(0.0, _INF), source=_COVER)
def entropy(partition: Partition, *, of: Labelling = "true") -> OfTable:
    """Uncertainty about the label of a sample drawn at random, in nats.

    With p the shares of the labels::

        H = -sum p(i) log(p(i))

    It is 0 where all samples have one label, and log(k) where k labels are equally frequent; divide by log(2) for bits.
    Of small samples it is too small on average, by about (k - 1) / (2 n).

    Examples
    --------
    Two labels, equally frequent: log(2).

    >>> import certus
    >>> labels = [0, 0, 1, 1]
    >>> round(certus.clustering.entropy(labels, labels).value, 4)
    0.6931
    """
    sizes = partition.true_sizes if of == "true" else partition.pred_sizes
    value = _entropy(sizes.astype(np.float64)) if partition.n else None
    slopes = Information(0.0, 1.0, 0.0) if of == "true" else Information(0.0, 0.0, 1.0)
    return information_cells(partition, attrgetter(of), slopes, value=value)


@metric("JointEntropy", better=None, bounds=(0.0, _INF), source=_COVER)
def joint_entropy(partition: Partition) -> OfTable:
    """Uncertainty about both labels of a sample drawn at random, in nats.

    With p the shares of the cells of the contingency table::

        H(true, pred) = -sum p(i, j) log(p(i, j)) = H(true) + H(pred) - MI

    Examples
    --------
    Cells of 2, 1 and 1 of four samples: 1.5 log(2).

    >>> import certus
    >>> round(certus.clustering.joint_entropy([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    1.0397
    """
    value = _entropy(partition.counts.astype(np.float64)) if partition.n else None
    return information_cells(partition, _joint, Information(-1.0, 1.0, 1.0), value=value)


def _joint(x: Information) -> Any:
    return x.true + x.pred - x.mutual


@metric("ConditionalEntropy", better="lower", bounds=(0.0, _INF), source=_COVER)
def conditional_entropy(partition: Partition, *, of: Labelling = "true") -> OfTable:
    """Uncertainty about one label of a sample that the other leaves, in nats.

    ::

        H(true | pred) = -sum p(i, j) log(p(i, j) / p(j)) = H(true) - MI

    It is computed as a sum over cells without negative terms: exactly 0 where the other label determines it.

    Parameters
    ----------
    of
        ``"true"``: the true label's, given the predicted one. ``"pred"``: the other way round.

    Examples
    --------
    The truth leaves open how one of two clusters is split: half of log(2).

    >>> import certus
    >>> round(certus.clustering.conditional_entropy([0, 0, 1, 1], [0, 0, 1, 2], of="pred").value, 4)
    0.3466
    >>> certus.clustering.conditional_entropy([0, 0, 1, 1], [0, 0, 1, 2]).value
    0.0
    """
    value = None
    if partition.n:
        counts = partition.counts.astype(np.float64)
        condition_sizes = (
            partition.pred_sizes[partition.columns] if of == "true" else partition.true_sizes[partition.rows]
        )
        value = float((counts / counts.sum() * np.log(condition_sizes / counts)).sum()) + 0.0
    slopes = Information(-1.0, 1.0, 0.0) if of == "true" else Information(-1.0, 0.0, 1.0)
    return information_cells(partition, partial(_conditional, of), slopes, value=value)


def _conditional(labelling: str, x: Information) -> Any:
    return np.maximum(0.0, (x.true if labelling == "true" else x.pred) - x.mutual)


def _entropy(counts: Floats) -> float:
    """Entropy of counts, none of which is 0: a sum without negative terms."""
    return float((counts / counts.sum() * np.log(counts.sum() / counts)).sum()) + 0.0
