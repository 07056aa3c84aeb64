"""The area under the ROC curve as a U-statistic, on its own scale and on that of the Gini coefficient."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from certus import kernels
from certus.data import Scores
from certus.kernels import ScoreMetric
from certus.metrics._random_labels import RandomLabels
from certus.metrics.classification._ordered import Floats, lacking, linear, of_samples, resampled, spread
from certus.statistic import Influence, UStatistic

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["area", "random_area"]


def area(scores: Scores, low: Literal[0, -1] = 0) -> Influence:
    """The area, or with ``low=-1`` the Gini coefficient ``2 area - 1``.

    With samples as units a `UStatistic`, of groups an `Influence`.
    """
    if scores.weights is not None or scores.groups is not None:
        why = lacking(scores)
        found = linear(scores, kernels.score_auc_influence, ScoreMetric.auc(), stratified=True, why=why, scale=(low, 1))
        if why:
            return found
        if scores.groups is not None:
            return replace(found, apart=lambda: area(replace(scores, groups=None), low))
        return UStatistic(**vars(found), span=(low, 1))
    m, n = len(scores.positives), len(scores.negatives)
    if not m or not n:
        return UStatistic(math.nan, (m, n), (math.nan, math.nan), reason=lacking(scores), span=(low, 1))
    won, of_positives, of_negatives = kernels.score_auc(scores.positives, scores.negatives)
    pairs = 2 * m * n
    squared = (1 - low) ** 2
    variances = (
        squared * of_positives / (m * (m - 1) * (2 * n) ** 2) if m > 1 else math.nan,
        squared * of_negatives / (n * (n - 1) * (2 * m) ** 2) if n > 1 else math.nan,
    )

    def influence() -> tuple[Floats, ...]:
        terms = of_samples(scores, kernels.score_auc_influence)[1]
        return spread((1 - low) * terms, None, None, ~scores.truth)

    return UStatistic(
        (won + low * (pairs - won)) / pairs,
        (m, n),
        variances,
        influence=influence,
        resample=resampled(scores, ScoreMetric.auc(), (low, 1)),
        span=(low, 1),
    )


def random_area(labels: RandomLabels) -> "Distribution":
    """The distribution of the area where the labels are in random order."""
    from certus.chance import auc

    # Its groups begin with the lowest score.
    return auc(labels.positives, labels.negatives, ties=None if labels.ties is None else labels.ties[::-1])
