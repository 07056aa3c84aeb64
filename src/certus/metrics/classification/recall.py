"""Recall."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, Undefined, averaged
from certus.metrics.classification._shares import RECALL

__all__ = ["recall"]


@metric(
    "Recall",
    aliases=("TPR", "Sensitivity", "recall", "recall_score", "sensitivity"),
    source="van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7",
)
def recall(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Result:
    """Share of the positive samples that are predicted to be positive.

    ::

        recall = tp / (tp + fn)

    It is 0/0 where there are no positives. Other names are sensitivity and true positive rate.

    Parameters
    ----------
    average
        How classes are averaged.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.

    Returns
    -------
    Proportion, Cells or Mean
        One trial per positive, if the classes are not averaged; else a function of the confusion matrix.

    Raises
    ------
    DataError
        The data have not the classes that the average is for.

    Examples
    --------
    Of four positives three are found.

    >>> import certus
    >>> certus.classification.recall([1, 1, 1, 1, 0], [1, 1, 1, 0, 1]).value
    0.75
    """
    return averaged(data, RECALL, average, undefined)
