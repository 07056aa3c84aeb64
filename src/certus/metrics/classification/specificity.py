"""Specificity."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, Undefined, averaged
from certus.metrics.classification._shares import SPECIFICITY

__all__ = ["specificity"]


@metric(
    "Specificity",
    aliases=("Selectivity", "TNR", "specificity"),
    source="Altman & Bland (1994), BMJ 308:1552, doi:10.1136/bmj.308.6943.1552",
)
def specificity(data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan") -> Result:
    """Share of the negative samples that are predicted to be negative.

    ::

        specificity = tn / (tn + fp)

    It is 0/0 where there are no negatives. Another name is true negative rate.

    Parameters
    ----------
    average
        How classes are averaged.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.

    Returns
    -------
    Proportion, Cells or Mean
        One trial per negative, if the classes are not averaged; else a function of the confusion matrix.

    Raises
    ------
    DataError
        The data have not the classes that the average is for.

    Examples
    --------
    Of three negatives two are recognised.

    >>> import certus
    >>> round(certus.classification.specificity([0, 0, 0, 1], [0, 0, 1, 1]).value, 4)
    0.6667
    """
    return averaged(data, SPECIFICITY, average, undefined)
