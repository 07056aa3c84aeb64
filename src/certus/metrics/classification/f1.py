"""F1."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, Undefined, averaged
from certus.metrics.classification._shares import F1

__all__ = ["f1"]


@metric(
    "F1",
    aliases=("Dice", "f1", "f1_score"),
    source="van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7",
)
def f1(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Result:
    """Harmonic mean of precision and recall.

    ::

        F1 = 2 / (1 / precision + 1 / recall) = 2 tp / (2 tp + fp + fn)

    It is 0 where precision and recall are 0, and 0/0 where there are neither positives nor predicted ones. The macro
    average is the mean of the F1 of each class, not the harmonic mean of macro precision and macro recall.

    Parameters
    ----------
    average
        How classes are averaged.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.

    Returns
    -------
    Proportion, Cells or Mean
        Without an average, a function of the share of tp in ``tp + fp + fn``; else of the confusion matrix.

    Raises
    ------
    DataError
        The data have not the classes that the average is for.

    Examples
    --------
    Precision 2/3 and recall 2/4: 2 / (3/2 + 4/2).

    >>> import certus
    >>> round(certus.classification.f1([1, 1, 1, 1, 0], [1, 1, 0, 0, 1]).value, 4)
    0.5714
    """
    return averaged(data, F1, average, undefined)
