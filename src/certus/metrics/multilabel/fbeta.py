"""F-beta."""

from typing import Annotated

from certus.data import Multilabel
from certus.metrics._check import Between
from certus.metrics._declare import metric
from certus.metrics.classification._average import Result, averaged
from certus.metrics.classification._shares import fbeta_share
from certus.metrics.multilabel._rows import Average, Instead

__all__ = ["fbeta"]


@metric(
    "Fbeta",
    aliases=("fbeta", "fbeta_score"),
    at="beta",
    source="Tsoumakas, Katakis & Vlahavas (2010), Data Mining and Knowledge Discovery Handbook, 667-685, "
    "doi:10.1007/978-0-387-09823-4_34",
)
def fbeta(
    data: Multilabel,
    *,
    beta: Annotated[float, Between(0, most=1e6)],
    average: Average = "samples",
    undefined: Instead = "nan",
) -> Result:
    """Weighted harmonic mean of the precision and the recall of a sample's labels.

    ::

        Fbeta of a sample = (1 + beta^2) right / ((1 + beta^2) right + wrong + beta^2 missed)

    It is 0/0 where there are neither true nor predicted labels. F1 is ``beta=1``.

    Parameters
    ----------
    beta
        How much recall counts, relative to precision: 2 twice as much, 0.5 half as much.
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
    Precision 1 and recall 1/2 of the one sample: 5 (1/2) / (4 + 1/2).

    >>> import certus
    >>> round(certus.multilabel.fbeta([[1, 1, 0]], [[1, 0, 0]], beta=2).value, 4)
    0.5556
    """
    return averaged(data, fbeta_share(beta), average, undefined)
