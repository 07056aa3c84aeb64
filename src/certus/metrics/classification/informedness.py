"""Informedness."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, SignedUndefined, averaged
from certus.metrics.classification._shares import INFORMEDNESS

__all__ = ["informedness"]


@metric(
    "Informedness",
    aliases=("Youden", "informedness", "youden_j"),
    bounds=(-1.0, 1.0),
    source="Youden (1950), Cancer 3(1):32-35; Powers (2011), J. Mach. Learn. Technol. 2(1):37-63, arXiv:2010.16061",
)
def informedness(
    data: Labels | Multilabel, *, average: Average = "binary", undefined: SignedUndefined = "nan"
) -> Result:
    """How far the prediction is informed about the class, over guessing: Youden's J.

    ::

        informedness = recall + specificity - 1

    0 is what guessing gives, whatever it guesses. It is 0/0 where there are no positives, or no negatives.

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
    Recall 3/4, specificity 1/2.

    >>> import certus
    >>> certus.classification.informedness([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1]).value
    0.25
    """
    return averaged(data, INFORMEDNESS, average, undefined)
