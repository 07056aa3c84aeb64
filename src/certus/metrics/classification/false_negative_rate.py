"""False negative rate."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, Undefined, averaged
from certus.metrics.classification._shares import FNR

__all__ = ["false_negative_rate"]


@metric(
    "FNR",
    aliases=("Miss", "false_negative_rate"),
    better="lower",
    source="Fawcett (2006), Pattern Recognit. Lett. 27(8):861-874, doi:10.1016/j.patrec.2005.10.010",
)
def false_negative_rate(
    data: Labels | Multilabel, *, average: Average = "binary", undefined: Undefined = "nan"
) -> Result:
    """Share of the positive samples that are predicted to be negative.

    ::

        FNR = fn / (fn + tp) = 1 - recall

    It is 0/0 where there are no positives. Another name is miss rate.

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
    Of four positives one is missed.

    >>> import certus
    >>> certus.classification.false_negative_rate([1, 1, 1, 1, 0], [1, 1, 1, 0, 0]).value
    0.25
    """
    return averaged(data, FNR, average, undefined)
