"""Jaccard similarity."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, Undefined, averaged
from certus.metrics.classification._shares import JACCARD

__all__ = ["jaccard"]


@metric(
    "Jaccard",
    aliases=("IoU", "jaccard", "jaccard_score"),
    source="Jaccard (1912), New Phytologist 11(2):37-50, doi:10.1111/j.1469-8137.1912.tb05611.x",
)
def jaccard(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Result:
    """Size of the intersection of true and predicted positives, over that of their union.

    ::

        Jaccard = tp / (tp + fp + fn) = F1 / (2 - F1)

    It is 0/0 where there are neither positives nor predicted ones. For samples with several labels,
    ``average="samples"`` compares the set of true labels of each sample with its predicted one.

    Parameters
    ----------
    average
        How classes are averaged.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.

    Returns
    -------
    Proportion, Cells or Mean
        Without an average one trial per true or predicted positive; else a function of the confusion matrix.

    Raises
    ------
    DataError
        The data have not the classes that the average is for.

    Examples
    --------
    Two samples are both, four are either.

    >>> import certus
    >>> certus.classification.jaccard([1, 1, 1, 0, 0], [1, 1, 0, 1, 0]).value
    0.5
    """
    return averaged(data, JACCARD, average, undefined)
