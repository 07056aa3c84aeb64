"""Markedness."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, SignedUndefined, averaged
from certus.metrics.classification._shares import MARKEDNESS

__all__ = ["markedness"]


@metric(
    "Markedness",
    aliases=("markedness",),
    bounds=(-1.0, 1.0),
    source="Powers (2011), J. Mach. Learn. Technol. 2(1):37-63, arXiv:2010.16061",
)
def markedness(data: Labels | Multilabel, *, average: Average = "binary", undefined: SignedUndefined = "nan") -> Result:
    """How far the prediction marks the class, over chance: informedness with the roles exchanged.

    ::

        markedness = precision + NPV - 1

    It is 0/0 where nothing is predicted to be positive, or nothing negative.

    Parameters
    ----------
    average
        How classes are averaged.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.

    Returns
    -------
    Cells or Mean
        A function of the confusion matrix, in [-1, 1].

    Raises
    ------
    DataError
        The data have not the classes that the average is for.

    Examples
    --------
    Precision 3/4, negative predictive value 1/2.

    >>> import certus
    >>> certus.classification.markedness([1, 1, 1, 0, 0, 1], [1, 1, 1, 1, 0, 0]).value
    0.25
    """
    return averaged(data, MARKEDNESS, average, undefined)
