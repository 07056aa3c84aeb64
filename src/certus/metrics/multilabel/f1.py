"""F1."""

from certus.data import Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._average import Result, averaged
from certus.metrics.classification._shares import F1
from certus.metrics.multilabel._rows import Average, Instead

__all__ = ["f1"]


@metric(
    "F1",
    aliases=("f1", "f1_score"),
    source="Tsoumakas, Katakis & Vlahavas (2010), Data Mining and Knowledge Discovery Handbook, 667-685, "
    "doi:10.1007/978-0-387-09823-4_34",
)
def f1(data: Multilabel, *, average: Average = "samples", undefined: Instead = "nan") -> Result:
    """Harmonic mean of the precision and the recall of a sample's labels.

    ::

        F1 of a sample = 2 right labels / (predicted labels + true labels)

    It is 0/0 where there are neither. The macro average is the mean of F1 over labels, not F1 of mean precision and
    mean recall.

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
    2/3 and 4/5.

    >>> import certus
    >>> true, predicted = [[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [1, 1, 1]]
    >>> round(certus.multilabel.f1(true, predicted).value, 4)
    0.7333
    >>> certus.multilabel.f1(true, predicted, average="micro").value
    0.75
    """
    return averaged(data, F1, average, undefined)
