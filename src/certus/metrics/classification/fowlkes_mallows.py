"""Fowlkes-Mallows index."""

from certus.data import Labels
from certus.metrics._declare import metric
from certus.metrics.classification._average import Result, Undefined, averaged
from certus.metrics.classification._shares import FOWLKES_MALLOWS

__all__ = ["fowlkes_mallows"]


@metric(
    "FM",
    aliases=("Fowlkes-Mallows", "fowlkes_mallows"),
    source="Fowlkes & Mallows (1983), JASA 78(383):553-569, doi:10.1080/01621459.1983.10478008",
)
def fowlkes_mallows(data: Labels, *, undefined: Undefined = "nan") -> Result:
    """Geometric mean of precision and recall of the positive class.

    ::

        FM = sqrt(precision recall) = tp / sqrt((tp + fp) (tp + fn))

    It is 0/0 where there are no positives, or nothing is predicted to be positive. The index of two clusterings is
    this one over pairs of samples.

    Parameters
    ----------
    undefined
        What 0/0 counts as: ``"nan"``, ``"skip"`` (the same here) or a number.

    Returns
    -------
    Cells
        A function of the confusion matrix, in [0, 1].

    Raises
    ------
    DataError
        There are more than two classes, or the positive one is not known.

    Examples
    --------
    Precision 1 and recall 1/4.

    >>> import certus
    >>> certus.classification.fowlkes_mallows([1, 1, 1, 1, 0], [1, 0, 0, 0, 0]).value
    0.5
    """
    return averaged(data, FOWLKES_MALLOWS, "binary", undefined)
