"""Cumulative gain."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from certus.arrays import Floats
from certus.curves._band import Band, Rectangles, made, rising
from certus.curves._counts import ThresholdCounts, rate, scores_of, threshold_counts
from certus.curves._curve import Curve, rate_limits
from certus.inference import Estimate
from certus.inference.many.bands import shared
from certus.metrics.classification.roc_auc import gain_capture

__all__ = ["GainCurve", "gain_curve"]


@dataclass(frozen=True, eq=False, repr=False)
class GainCurve(Curve):
    """The share of positives found, against the share of samples looked at; it unpacks to share, gain, thresholds."""

    _picture: ClassVar[str] = "gain"

    def __iter__(self) -> Iterator[Any]:
        return iter((self.share, self.gain, self.thresholds))

    @cached_property
    def gain(self) -> Floats:
        """The share of the positives that have at least that score; NaN without positives."""
        return rate(self.true_positives, self.positives)

    @cached_property
    def capture(self) -> Estimate:
        """The part of a perfect ranking's gain that is captured, by `certus.classification.gain_capture`."""
        part: Estimate = gain_capture(self.data)
        return part

    def _band(self, counts: ThresholdCounts, level: float, method: str) -> Band:
        each = shared(level, 2, independent=False)
        called = counts.true_positives + counts.false_positives
        share = rate_limits(called, counts.positives + counts.negatives, each, method)
        gain = rate_limits(counts.true_positives, counts.positives, each, method)
        boxes = Rectangles(*share, *gain)
        return made("share, gain", level, method, counts.thresholds, boxes, lambda: rising(boxes), exact=False)


def gain_curve(y_true: Any, y_score: Any = None, *, pos_label: Any = None, sample_weight: Any = None) -> GainCurve:
    """The share of all positives found among the samples with the highest scores, by the share of samples looked at.

    ::

        share = samples with score >= threshold / samples        gain = positives with score >= threshold / positives

    It starts at (0, 0), at the threshold infinity. Scores that say nothing give the diagonal; a perfect ranking gives a
    straight line to (share of positives, 1).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As `certus.data.Scores.of` takes them; or one `Scores` alone, whose samples are then sorted only once.

    Returns
    -------
    GainCurve
        With ``share, gain, thresholds = ...``, the counts behind them, `band` and `plot`.

    Raises
    ------
    DataError
        There are no samples, or the columns are not valid.

    Examples
    --------
    >>> share, gain, thresholds = gain_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> share.tolist(), gain.tolist(), thresholds.tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.35, 0.1])
    """
    data = scores_of(y_true, y_score, pos_label, sample_weight)
    counts = threshold_counts(data)
    return GainCurve(*counts, counts.positives, counts.negatives, data)
