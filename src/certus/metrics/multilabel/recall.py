"""Recall."""

from certus.data import Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Result, averaged
from certus.metrics.classification._shares import RECALL
from certus.metrics.multilabel._rows import Average, Instead

__all__ = ["recall"]


@metric(
    "Recall",
    aliases=("recall", "recall_score"),
    source="Tsoumakas, Katakis & Vlahavas (2010), Data Mining and Knowledge Discovery Handbook, 667-685, "
    "doi:10.1007/978-0-387-09823-4_34",
)
def recall(data: Multilabel, *, average: Average = "samples", undefined: Instead = "nan") -> Result:
    """Share of the labels of a sample that are predicted.

    ::

        recall of a sample = right labels / true labels

    It is 0/0 for a sample without any label, and for a label that no sample has.

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
    Of the first sample one of two labels is predicted, of the second both.

    >>> import certus
    >>> true, predicted = [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [1, 1, 1]]
    >>> certus.multilabel.recall(true, predicted).value
    0.75
    >>> round(certus.multilabel.recall(true, predicted, average="macro").value, 4)
    0.8333
    """
    return averaged(data, RECALL, average, undefined)
