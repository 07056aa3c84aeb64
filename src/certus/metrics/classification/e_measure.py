"""E measure."""

from typing import Annotated

from certus.data import Labels, Multilabel
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, Undefined, averaged
from certus.metrics.classification._smooth import Share

__all__ = ["e_measure"]


@metric(
    "E",
    aliases=("e_measure",),
    better="lower",
    source="van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7",
)
def e_measure(
    data: Labels | Multilabel,
    *,
    alpha: Annotated[float, Between(0, 1)] = 0.5,
    average: Average = "binary",
    undefined: Undefined = "nan",
) -> Result:
    """Effectiveness lost: one minus the weighted harmonic mean of precision and recall. Lower is better.

    ::

        E = 1 - 1 / (alpha / precision + (1 - alpha) / recall)
          = (alpha fp + (1 - alpha) fn) / (tp + alpha fp + (1 - alpha) fn) = 1 - Fbeta, alpha = 1 / (1 + beta^2)

    It is 1 where precision and recall are 0, and 0/0 where there are neither positives nor predicted ones.

    Parameters
    ----------
    alpha
        Weight of precision; above 1/2 it counts more than recall.
    average
        How classes are averaged.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.

    Returns
    -------
    Cells or Mean
        A function of the confusion matrix, in [0, 1].

    Raises
    ------
    DataError
        The data have not the classes that the average is for.

    Examples
    --------
    Precision 1 and recall 1/2: 1 - 1 / (1/2 + 1).

    >>> import certus
    >>> round(certus.classification.e_measure([1, 1, 0], [1, 0, 0]).value, 4)
    0.3333
    """
    other = 1 - alpha
    return averaged(
        data, Share((0, alpha, other, 0), (1, alpha, other, 0), "true or predicted positive"), average, undefined
    )
