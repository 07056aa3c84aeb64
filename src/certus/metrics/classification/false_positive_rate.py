"""False positive rate."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, Undefined, averaged
from certus.metrics.classification._shares import FPR

__all__ = ["false_positive_rate"]


@metric(
    "FPR",
    aliases=("Fallout", "false_positive_rate"),
    better="lower",
    source="Fawcett (2006), Pattern Recognit. Lett. 27(8):861-874, doi:10.1016/j.patrec.2005.10.010",
)
def false_positive_rate(
    data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan"
) -> Result:
    """Share of the negative samples that are predicted to be positive.

    ::

        FPR = fp / (fp + tn) = 1 - specificity

    It is 0/0 where there are no negatives. Another name is fall-out.

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
    Of four negatives one is mistaken.

    >>> import certus
    >>> certus.classification.false_positive_rate([0, 0, 0, 0, 1], [0, 0, 0, 1, 1]).value
    0.25
    """
    return averaged(data, FPR, average, undefined)
