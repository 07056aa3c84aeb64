"""F-beta."""

from typing import Annotated

from certus.data import Labels, Multilabel
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.metrics.classification._average import Average, Result, Undefined, averaged
from certus.metrics.classification._shares import fbeta_share

__all__ = ["fbeta"]


@metric(
    "Fbeta",
    aliases=("fbeta", "fbeta_score"),
    at="beta",
    source="van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7",
)
def fbeta(
    data: Labels | Multilabel,
    *,
    beta: Annotated[float, Between(0, most=1e6)],
    average: Average = "binary",
    undefined: Undefined = "nan",
) -> Result:
    """Weighted harmonic mean of precision and recall.

    ::

        Fbeta = (1 + beta^2) precision recall / (beta^2 precision + recall)
              = (1 + beta^2) tp / ((1 + beta^2) tp + fp + beta^2 fn)

    It is 0 where precision and recall are 0, and 0/0 where there are neither positives nor predicted ones. F1 is
    ``beta=1``.

    Parameters
    ----------
    beta
        How much recall counts, relative to precision: 2 twice as much, 0.5 half as much.
    average
        How classes are averaged.
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.

    Returns
    -------
    Proportion, Cells or Mean
        A function of the confusion matrix, in [0, 1].

    Raises
    ------
    DataError
        The data have not the classes that the average is for.

    Examples
    --------
    Precision 1 and recall 1/2: 5 (1/2) / (4 + 1/2).

    >>> import certus
    >>> round(certus.classification.fbeta([1, 1, 0], [1, 0, 0], beta=2).value, 4)
    0.5556
    """
    return averaged(data, fbeta_share(beta), average, undefined)
