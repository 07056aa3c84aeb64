"""Jaccard similarity."""

from certus.data import Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Result, averaged
from certus.metrics.classification._shares import JACCARD
from certus.metrics.multilabel._rows import Average, Instead

__all__ = ["jaccard"]


@metric(
    "Jaccard",
    aliases=("jaccard", "jaccard_score", "IoU"),
    source="Godbole & Sarawagi (2004), PAKDD, LNCS 3056:22-30, doi:10.1007/978-3-540-24775-3_5",
)
def jaccard(data: Multilabel, *, average: Average = "samples", undefined: Instead = "nan") -> Result:
    """Common labels of truth and prediction, among all that a sample has or is predicted to have.

    ::

        Jaccard of a sample = labels both true and predicted / labels true or predicted

    It is 0/0 where there are neither. The multilabel "accuracy" of Godbole & Sarawagi (2004) is this.

    Parameters
    ----------
    average
        ``"samples"``: the mean over samples of the metric of their labels. ``"macro"``: the mean over labels of the
        metric of their samples. ``"weighted"``: the same, each label weighted by its true samples. ``"micro"``: the
        metric of all cells of the table. None: each label by itself.
    undefined
        What a sample or a label with 0/0 counts as: ``"nan"``, ``"skip"`` (left out of the average) or a number, such
        as scikit-learn's 0.0.

    Returns
    -------
    Mean, Ratio, Cells or Proportion
        One value per sample; averages over labels are functions of the four cells of each label, whose samples are the
        independent units.

    Examples
    --------
    One of two, and two of three.

    >>> import certus
    >>> true, predicted = [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [1, 1, 1]]
    >>> round(certus.multilabel.jaccard(true, predicted).value, 4)
    0.5833
    >>> certus.multilabel.jaccard(true, predicted, average="micro").value
    0.6
    """
    return averaged(data, JACCARD, average, undefined)
