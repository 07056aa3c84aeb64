"""Prevalence."""

from typing import Literal

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Result, averaged
from certus.metrics.classification._shares import PREVALENCE

__all__ = ["prevalence"]


@metric(
    "Prevalence",
    aliases=("prevalence",),
    better=None,
    source="Altman & Bland (1994), BMJ 309:102, doi:10.1136/bmj.309.6947.102",
)
def prevalence(data: Labels | Multilabel, *, average: Literal["binary"] | None = "binary") -> Result:
    """Share of the samples that are truly positive; it says nothing about the prediction.

    ::

        prevalence = (tp + fn) / samples

    Parameters
    ----------
    average
        ``"binary"``: of the positive class; None: of each class.

    Returns
    -------
    Proportion or Cells
        One trial per sample.

    Raises
    ------
    DataError
        There are more than two classes, or the positive one is not known.

    Examples
    --------
    >>> import certus
    >>> certus.classification.prevalence([1, 0, 0, 0], [1, 1, 0, 0]).value
    0.25
    """
    return averaged(data, PREVALENCE, average, "nan")
