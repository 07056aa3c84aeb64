"""Hamming loss."""

from certus.data import Labels, Multilabel
from certus.metrics._declare import metric
from certus.metrics.classification._agreement import need_all_classes, share_of, wrong_labels
from certus.statistic import Cells, Mean, Proportion, Ratio

__all__ = ["hamming_loss"]


@metric(
    "Hamming",
    aliases=("hamming_loss",),
    better="lower",
    source="Tsoumakas & Katakis (2007), Int. J. Data Warehous. Min. 3(3):1-13, doi:10.4018/jdwm.2007070101",
)
def hamming_loss(data: Labels | Multilabel) -> Proportion | Cells | Mean | Ratio:
    """Share of the labels that are wrong. Lower is better.

    ::

        loss = wrong labels / labels

    With several labels per sample it is the mean over samples of the share of wrong ones, much less strict than
    accuracy; with one label it is 1 - accuracy.

    Returns
    -------
    Proportion, Cells, Mean or Ratio
        One trial per sample; for several labels the mean of one value per sample.

    Raises
    ------
    DataError
        ``labels=`` leaves out a class of samples with one label.

    Examples
    --------
    Of two samples with two labels each, one label is wrong.

    >>> import certus
    >>> certus.classification.hamming_loss([[1, 0], [1, 1]], [[1, 0], [1, 0]]).value
    0.25
    """
    need_all_classes(data, "the Hamming loss")
    if isinstance(data, Labels):
        return share_of(data.agreement(), "wrong")
    return wrong_labels(data)
