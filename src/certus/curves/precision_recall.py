"""Precision against recall."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from certus.arrays import Floats
from certus.curves._counts import ThresholdCounts, rate, scores_of, threshold_counts, turns
from certus.curves._curve import (
    Band,
    Curve,
    Line,
    Outline,
    Rectangles,
    band_of_rates,
    between_steps,
    make_band,
    rate_limits,
    union,
)
from certus.inference import Estimate
from certus.inference.many.bands import TOGETHER, binomial_limits, shared
from certus.metrics.classification.average_precision import average_precision


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallCurve(Curve):
    """Precision and recall, as the threshold rises; it unpacks to precision, recall, thresholds.

    The first threshold is the least score. Behind the last one stands the point (precision 1, recall 0), which no
    threshold has: precision, recall and the counts are one longer than thresholds.
    """

    _picture: ClassVar[str] = "precision_recall"
    _unpacked = "precision", "recall"

    @cached_property
    def precision(self) -> Floats:
        """The share of positives among the samples that are called so; 1 at the end, where none is."""
        predicted_positive = self.true_positives + self.false_positives
        predicted_positive[-1] = 1
        precision: Floats = self.true_positives / predicted_positive
        precision[-1] = 1.0
        return precision

    @cached_property
    def recall(self) -> Floats:
        """The share of the positives that are called so; NaN without positives."""
        recall = rate(self.true_positives, self.positives)
        recall[-1] = 0.0
        return recall

    @cached_property
    def average_precision(self) -> Estimate:
        """The area under the steps of the curve, by `certus.classification.average_precision`."""
        area: Estimate = average_precision(self.data)
        return area

    def _band(self, counts: ThresholdCounts, level: float, method: str) -> Band:
        axes, tp = "recall, precision", counts.true_positives
        if method in TOGETHER:
            boxes, outline = _from_rates(counts, level, method)
            return make_band(axes, level, method, counts.thresholds, boxes, outline, exact=False)
        recall, precision = (tp, counts.positives), (tp, tp + counts.false_positives)
        options: dict[str, Any] = {"independent": False, "outline": union}
        return band_of_rates(axes, recall, precision, level, method, counts.thresholds, **options)


def _from_rates(counts: ThresholdCounts, level: float, method: str) -> tuple[Rectangles, Outline]:
    """Limits of TPR and FPR at all thresholds at once, and of the prevalence, carried over to precision."""
    single_level = shared(level, 3, independent=True)
    low, high, fpr_low, fpr_high, rare, common = limits_of_rates(counts, single_level, method)
    precision_low, precision_high = _precision(rare, low, fpr_high), _precision(common, high, fpr_low)
    lower = Line(np.append(low, 1.0), np.append(precision_low, precision_low[-1]))
    upper = Line(np.append(0.0, high), np.append(precision_high[0], precision_high))
    return Rectangles(low, high, precision_low, precision_high), partial(between_steps, lower, upper)


def limits_of_rates(counts: ThresholdCounts, level: float, method: str) -> tuple[Any, ...]:
    """Limits of TPR and FPR at all thresholds at once, and of the share of positives, each at the level."""
    return (
        *rate_limits(counts.true_positives, counts.positives, level, method),
        *rate_limits(counts.false_positives, counts.negatives, level, method),
        *prevalence_limits(counts, level, "clopper-pearson"),
    )


def prevalence_limits(counts: ThresholdCounts, level: float, method: str) -> tuple[float, float]:
    """Limits of the share of positives in the population."""
    low, high = binomial_limits(np.array(counts.positives), counts.positives + counts.negatives, level, method)
    return float(low), float(high)


def _precision(prevalence: float, tpr: Floats, fpr: Floats) -> Floats:
    """Bayes' rule; 0 where only false positives are left, and where nothing is."""
    right = prevalence * tpr
    predicted_positive = right + (1 - prevalence) * fpr
    return np.divide(right, predicted_positive, out=np.zeros_like(right), where=predicted_positive > 0)


def precision_recall_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> PrecisionRecallCurve:
    """Precision and recall, at every threshold.

    ::

        precision = positives with score >= threshold / samples with score >= threshold
        recall = positives with score >= threshold / positives

    Samples with equal scores pass the threshold together. Between two thresholds precision is not a straight line in
    recall, so the curve is drawn in steps, as average precision sums it.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As `certus.data.Scores.of` takes them; or one `Scores` alone, whose samples are then sorted only once.
    drop_intermediate
        Whether to leave out points between two with the same recall.

    Returns
    -------
    PrecisionRecallCurve
        With ``precision, recall, thresholds = ...`` as scikit-learn has them, the counts behind them, `band` and
        `plot`. Without positives recall is NaN (scikit-learn calls it 1), except at the end.

    Raises
    ------
    DataError
        There are no samples, or the columns are not valid.

    Examples
    --------
    >>> precision, recall, thresholds = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> precision.round(2).tolist(), recall.tolist(), thresholds.tolist()
    ([0.5, 0.67, 0.5, 1.0, 1.0], [1.0, 1.0, 0.5, 0.5, 0.0], [0.1, 0.35, 0.4, 0.8])
    """
    data = scores_of(y_true, y_score, pos_label, sample_weight)
    counts = threshold_counts(data)
    is_turn = np.append(True, turns(counts.true_positives[1:]))
    selected = counts.select(is_turn) if drop_intermediate else counts
    thresholds, true_positives, false_positives = selected.select(slice(None, None, -1))
    return PrecisionRecallCurve(
        thresholds[:-1], true_positives, false_positives, counts.positives, counts.negatives, data
    )
