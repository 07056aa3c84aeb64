"""Receiver operating characteristic."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from certus.arrays import Floats
from certus.curves._band import Band, Rectangles, made, rising
from certus.curves._counts import ThresholdCounts, corners, rate, scores_of, threshold_counts
from certus.curves._curve import Curve, rate_limits
from certus.inference import Estimate
from certus.inference.many.bands import shared
from certus.metrics.classification.roc_auc import roc_auc

__all__ = ["RocCurve", "roc_curve"]


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(Curve):
    """True positive rate against false positive rate, as the threshold falls; it unpacks to fpr, tpr, thresholds.

    The first threshold is infinity, where nothing is called positive; at the last, the least score, everything is.
    """

    _picture: ClassVar[str] = "roc"

    def __iter__(self) -> Iterator[Any]:
        return iter((self.fpr, self.tpr, self.thresholds))

    @cached_property
    def fpr(self) -> Floats:
        """The share of the negatives that are called positive; NaN without negatives."""
        return rate(self.false_positives, self.negatives)

    @cached_property
    def tpr(self) -> Floats:
        """The share of the positives that are called so; NaN without positives."""
        return rate(self.true_positives, self.positives)

    @cached_property
    def auc(self) -> Estimate:
        """The area under the curve, by `certus.classification.roc_auc`."""
        area: Estimate = roc_auc(self.data)
        return area

    def _band(self, counts: ThresholdCounts, level: float, method: str) -> Band:
        each = shared(level, 2, independent=True)
        fpr = rate_limits(counts.false_positives, counts.negatives, each, method)
        tpr = rate_limits(counts.true_positives, counts.positives, each, method)
        boxes = Rectangles(*fpr, *tpr)
        return made("FPR, TPR", level, method, counts.thresholds, boxes, lambda: rising(boxes), exact=True)


def roc_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> RocCurve:
    """True positive rate against false positive rate, at every threshold.

    ::

        TPR = positives with score >= threshold / positives        FPR = negatives with score >= threshold / negatives

    Samples with equal scores pass the threshold together. It starts at infinity, at the point (0, 0).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As `certus.data.Scores.of` takes them; or one `Scores` alone, whose samples are then sorted only once.
    drop_intermediate
        Whether to leave out points on a straight line between others, as scikit-learn does by default. Of runs of
        samples of one class, only the ends then remain.

    Returns
    -------
    RocCurve
        With ``fpr, tpr, thresholds = ...`` as scikit-learn has them, the counts behind them, `band` and `plot`.

    Raises
    ------
    DataError
        There are no samples, or the columns are not valid.

    Examples
    --------
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr, tpr, thresholds = curve
    >>> fpr.tolist(), tpr.tolist(), thresholds.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.35, 0.1])
    >>> curve.at(0.4)
    OperatingPoint(threshold=0.4, true_positives=1, false_positives=1, false_negatives=1, true_negatives=1)
    """
    data = scores_of(y_true, y_score, pos_label, sample_weight)
    counts = threshold_counts(data)
    shown = counts.at(corners(counts)) if drop_intermediate else counts
    return RocCurve(*shown, counts.positives, counts.negatives, data)
