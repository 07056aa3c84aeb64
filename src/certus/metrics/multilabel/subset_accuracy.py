"""Subset accuracy."""

from certus.data import Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._agreement import share_of
from certus.statistic import Cells, Proportion

__all__ = ["subset_accuracy"]


@metric(
    "SubsetAccuracy",
    aliases=("subset_accuracy", "ExactMatch", "accuracy_score"),
    source="Zhu, Ji, Xu & Gong (2005), SIGIR, 274-281, doi:10.1145/1076034.1076082",
)
def subset_accuracy(data: Multilabel) -> Proportion | Cells:
    """Share of the samples whose labels are all right.

    ::

        accuracy = samples whose predicted set of labels is the true one / samples

    A single wrong label makes a sample wrong, so it falls with the number of labels.

    Returns
    -------
    Proportion or Cells
        One trial per sample; a function of the sums of weights, or of the sums per group, where these are given.

    Examples
    --------
    The second sample lacks a label.

    >>> import certus
    >>> certus.multilabel.subset_accuracy([[1, 0], [1, 1]], [[1, 0], [1, 0]]).value
    0.5
    """
    return share_of(data.agreement(), "right")
