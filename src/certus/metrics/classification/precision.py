"""Precision."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, Undefined, averaged
from certus.metrics.classification._shares import PRECISION

__all__ = ["precision"]


@metric(
    "Precision",
    aliases=("PPV", "precision", "precision_score"),
    source="van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7",
)
def precision(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Result:
    """Share of the samples predicted to be positive that are.

    ::

        precision = tp / (tp + fp)

    It is 0/0 where nothing is predicted to be positive.

    Parameters
    ----------
    average
        How classes are averaged.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.

    Returns
    -------
    Proportion, Cells or Mean
        One trial per predicted positive, if the classes are not averaged; else a function of the confusion matrix.

    Raises
    ------
    DataError
        The data have not the classes that the average is for.

    Examples
    --------
    Of three predicted positives two are right.

    >>> import certus
    >>> round(certus.classification.precision([1, 1, 0, 1], [1, 1, 1, 0]).value, 4)
    0.6667
    """
    return averaged(data, PRECISION, average, undefined)
