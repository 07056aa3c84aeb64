"""Likelihood ratios of a positive and of a negative prediction."""

from typing import Annotated, Literal, TypeAlias

from certus.data import Labels
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.metrics.classification._average import Result, averaged
from certus.metrics.classification._shares import NEGATIVE_LIKELIHOOD, POSITIVE_LIKELIHOOD

__all__ = ["negative_likelihood_ratio", "positive_likelihood_ratio"]

_SOURCE = "Deeks & Altman (2004), BMJ 329:168-169, doi:10.1136/bmj.329.7458.168"
_ANY = (0.0, float("inf"))
_Undefined: TypeAlias = Annotated[float, Between(0)] | Literal["nan"]


@metric("LR+", aliases=("positive_likelihood_ratio",), bounds=_ANY, source=_SOURCE)
def positive_likelihood_ratio(data: Labels, *, undefined: _Undefined = "nan") -> Result:
    """How many times likelier a positive prediction is for a positive sample than for a negative one.

    ::

        LR+ = recall / FPR = (tp / (tp + fn)) / (fp / (fp + tn))

    It turns the odds before the prediction into those after it; 1 is an uninformative prediction. It is infinite where
    positives but no negatives are predicted to be positive, and 0/0 where there are no positives, no negatives, or no
    predicted positives.

    Parameters
    ----------
    undefined
        What 0/0 counts as: ``"nan"`` or a number.

    Returns
    -------
    Cells
        A function of the confusion matrix, at least 0.

    Raises
    ------
    DataError
        There are more than two classes, or the positive one is not known.

    Examples
    --------
    Recall 3/4 over a false positive rate of 1/4.

    >>> import certus
    >>> y_true, y_pred = [1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 0, 0, 0]
    >>> certus.classification.positive_likelihood_ratio(y_true, y_pred).value
    3.0
    """
    return averaged(data, POSITIVE_LIKELIHOOD, "binary", undefined)


@metric("LR-", aliases=("negative_likelihood_ratio",), better="lower", bounds=_ANY, source=_SOURCE)
def negative_likelihood_ratio(data: Labels, *, undefined: _Undefined = "nan") -> Result:
    """How many times likelier a negative prediction is for a positive sample than for a negative one. Lower is better.

    ::

        LR- = FNR / specificity = (fn / (tp + fn)) / (tn / (fp + tn))

    It is infinite where positives but no negatives are predicted to be negative, and 0/0 where there are no positives,
    no negatives, or no predicted negatives.

    Parameters
    ----------
    undefined
        What 0/0 counts as: ``"nan"`` or a number.

    Returns
    -------
    Cells
        A function of the confusion matrix, at least 0.

    Raises
    ------
    DataError
        There are more than two classes, or the positive one is not known.

    Examples
    --------
    A false negative rate of 1/4 over a specificity of 1/2.

    >>> import certus
    >>> y_true, y_pred = [1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 1, 0, 0]
    >>> certus.classification.negative_likelihood_ratio(y_true, y_pred).value
    0.5
    """
    return averaged(data, NEGATIVE_LIKELIHOOD, "binary", undefined)
