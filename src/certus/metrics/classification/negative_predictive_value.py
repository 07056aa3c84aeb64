"""Negative predictive value."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, Undefined, averaged
from certus.metrics.classification._shares import NPV

__all__ = ["negative_predictive_value"]


@metric(
    "NPV",
    aliases=("negative_predictive_value",),
    source="Altman & Bland (1994), BMJ 309:102, doi:10.1136/bmj.309.6947.102",
)
def negative_predictive_value(
    data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan"
) -> Result:
    """Share of the samples predicted to be negative that are.

    ::

        NPV = tn / (tn + fn)

    It is 0/0 where nothing is predicted to be negative.

    Parameters
    ----------
    average
        How classes are averaged.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.

    Returns
    -------
    Proportion, Cells or Mean
        One trial per predicted negative, if the classes are not averaged; else a function of the confusion matrix.

    Raises
    ------
    DataError
        The data have not the classes that the average is for.

    Examples
    --------
    Of four predicted negatives three are right.

    >>> import certus
    >>> certus.classification.negative_predictive_value([0, 0, 0, 1, 1], [0, 0, 0, 0, 1]).value
    0.75
    """
    return averaged(data, NPV, average, undefined)
