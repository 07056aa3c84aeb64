"""Hamming loss."""

from certus.data import Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._agreement import wrong_labels
from certus.statistic import Mean, Ratio

__all__ = ["hamming_loss"]


@metric(
    "Hamming",
    aliases=("hamming_loss",),
    better="lower",
    source="Tsoumakas & Katakis (2007), Int. J. Data Warehous. Min. 3(3):1-13, doi:10.4018/jdwm.2007070101",
)
def hamming_loss(data: Multilabel) -> Mean | Ratio:
    """Share of the labels of a sample that are wrong.

    ::

        loss of a sample = labels that it has or is predicted to have, but not both / labels

    It is much less strict than subset accuracy; where few labels are true, predicting none is hard to beat by it. As
    all samples have as many labels, the mean over samples, that over labels and the share of all cells are one number.

    Returns
    -------
    Mean or Ratio
        One value per sample, in [0, 1]; with weights or groups a ratio of sums.

    Examples
    --------
    Of two samples with two labels each, one label is wrong.

    >>> import certus
    >>> certus.multilabel.hamming_loss([[1, 0], [1, 1]], [[1, 0], [1, 0]]).value
    0.25
    """
    return wrong_labels(data)
