"""Area under the ROC curve."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import Scores
from certus.metrics._declare import metric
from certus.statistic import Influence, UStatistic

__all__ = ["roc_auc"]

Floats = NDArray[np.float64]


@metric(
    "AUC",
    aliases=("roc_auc", "roc_auc_score", "AUROC"),
    unit="sample",
    source="Hanley & McNeil (1982), Radiology 143(1):29-36, doi:10.1148/radiology.143.1.7063747",
)
def roc_auc(scores: Scores) -> Influence:
    """Probability that a positive sample has a higher score than a negative one: the area under the ROC curve.

    Over all pairs of a positive and a negative, a pair with equal scores counting half::

        AUC = (pairs in which the positive has the higher score + half the tied pairs) / (positives * negatives)

    It is undefined where one of the classes has no samples.

    Returns
    -------
    UStatistic
        With the variances of DeLong, DeLong & Clarke-Pearson (1988).

    Examples
    --------
    Of the 2 x 2 pairs three are in the right order and one is tied: 3.5 of 4.

    >>> import certus
    >>> certus.classification.roc_auc([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.875
    """
    m, n = len(scores.positives), len(scores.negatives)
    if m == 0 or n == 0:
        which = "positives" if m == 0 else "negatives"
        return UStatistic(
            math.nan, (m, n), (math.nan, math.nan), reason=f"there are no {which} to compare" if m + n else ""
        )
    twice_wins, of_positives, of_negatives = kernels.score_auc(scores.positives, scores.negatives)
    value = twice_wins / (2 * m * n)
    variances = (
        of_positives / (m * (m - 1) * (2 * n) ** 2) if m > 1 else math.nan,
        of_negatives / (n * (n - 1) * (2 * m) ** 2) if n > 1 else math.nan,
    )
    return UStatistic(value, (m, n), variances, influence=_placements(scores, value))


def _placements(scores: Scores, value: float) -> Callable[[], tuple[Floats, ...]]:
    def influence() -> tuple[Floats, ...]:
        positives, negatives = scores.positives, scores.negatives
        ours, theirs = scores.score[scores.truth], scores.score[~scores.truth]
        won = np.searchsorted(negatives, ours, "left") + np.searchsorted(negatives, ours, "right")
        lost = np.searchsorted(positives, theirs, "left") + np.searchsorted(positives, theirs, "right")
        return won / (2 * len(negatives)) - value, (1 - lost / (2 * len(positives))) - value

    return influence
