"""The Gini coefficient of scores, and the gain capture that equals it."""

from typing import TYPE_CHECKING, Any

from certus.data import Scores
from certus.metrics._declare import metric
from certus.metrics._random_labels import RandomLabels
from certus.metrics.classification._area import area, random_area
from certus.metrics.classification._average import Undefined
from certus.metrics.classification._ordered import filled
from certus.statistic import Influence

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["gain_capture", "gini"]


def _law(labels: RandomLabels, **_: Any) -> "Distribution":
    from certus.chance.scaled import Scaled

    return Scaled(random_area(labels), 2.0, -1.0)


@metric(
    "Gini",
    aliases=("gini", "SomersD"),
    unit="sample",
    bounds=(-1.0, 1.0),
    source="Somers (1962), Am. Sociol. Rev. 27(6):799-811, doi:10.2307/2090408",
    chance=_law,
)
def gini(scores: Scores, *, undefined: Undefined = "nan") -> Influence:
    """Share of the pairs of a positive and a negative in the right order, less the share in the wrong order.

    It is the area between the ROC curve and its diagonal, as a part of the area above the diagonal, and Somers' D::

        Gini = 2 AUC - 1

    Tied pairs count on neither side. It is undefined where one of the classes has no samples.

    Parameters
    ----------
    undefined
        What it is then: ``"nan"`` or a number.

    Returns
    -------
    UStatistic or Influence
        As of `roc_auc`, on the scale from -1 to 1.

    Examples
    --------
    Of the 2 x 2 pairs three are in the right order and one is tied.

    >>> import certus
    >>> certus.classification.gini([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.75
    """
    return filled(area(scores, -1), undefined)


@metric(
    "GainCapture",
    aliases=("gain_capture", "AccuracyRatio"),
    unit="sample",
    bounds=(-1.0, 1.0),
    source="Engelmann, Hayden & Tasche (2003), Testing rating accuracy, Risk 16(1):82-86",
    chance=_law,
)
def gain_capture(scores: Scores, *, undefined: Undefined = "nan") -> Influence:
    """Area between the cumulative gain curve and its diagonal, as a part of that under a perfect order.

    The gain curve gives the share of the positives among the first samples by decreasing score, against the share of
    samples. With equal scores joined by a straight line, the gain capture (accuracy ratio, in credit scoring) is the
    Gini coefficient ``2 AUC - 1`` whatever the share of positives is. It is undefined where one of the classes has no
    samples.

    Parameters
    ----------
    undefined
        What it is then: ``"nan"`` or a number.

    Returns
    -------
    UStatistic or Influence
        As of `roc_auc`, on the scale from -1 to 1.

    Examples
    --------
    The gain curve runs through (0, 0), (1/4, 1/2), (3/4, 1) and (1, 1) and has the area 11/16; the diagonal has 8/16,
    the perfect curve 12/16.

    >>> import certus
    >>> certus.classification.gain_capture([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.75
    """
    return filled(area(scores, -1), undefined)
