"""Cumulative gain, and lift."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from certus.arrays import Floats
from certus.curves._counts import ThresholdCounts, rate, scores_of, threshold_counts
from certus.curves._curve import (
    Band,
    Curve,
    Line,
    Outline,
    Rectangles,
    band_of_rates,
    between_steps,
    in_steps,
    make_band,
    windows,
)
from certus.curves.precision_recall import limits_of_rates, prevalence_limits
from certus.inference import Estimate
from certus.inference.many.bands import TOGETHER, binomial_limits, dependence_limits, shared
from certus.metrics.classification.roc_auc import gain_capture


@dataclass(frozen=True, eq=False, repr=False)
class GainCurve(Curve):
    """The share of positives found, against the share of samples looked at; it unpacks to share, gain, thresholds."""

    _picture: ClassVar[str] = "gain"
    _unpacked = "share", "gain"

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
        share = counts.true_positives + counts.false_positives, counts.positives + counts.negatives
        gain = counts.true_positives, counts.positives
        return band_of_rates("share, gain", share, gain, level, method, counts.thresholds, independent=False)


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


_CELLS = 1024
"""The boundary of the region of more thresholds is rounded outwards to a grid of this many cells."""


@dataclass(frozen=True, eq=False, repr=False)
class LiftCurve(Curve):
    """Positives among the highest scores relative to all samples; unpacks to share, lift, thresholds."""

    _picture: ClassVar[str] = "lift"
    _unpacked = "share", "lift"
    _methods: ClassVar[tuple[str, ...]] = ("delta", "clopper-pearson")

    @cached_property
    def lift(self) -> Floats:
        """Precision over the share of positives among all samples; NaN without positives."""
        predicted_positive = self.true_positives + self.false_positives
        # Products first: at the last threshold they are the same, and the lift is exactly 1.
        numerator = self.true_positives * float(self.positives + self.negatives)
        with np.errstate(invalid="ignore"):
            return np.asarray(numerator / (predicted_positive * float(self.positives)))

    def _band(self, counts: ThresholdCounts, level: float, method: str) -> Band:
        limits = _simultaneous_limits if method in TOGETHER else _pointwise_limits
        boxes, outline = limits(counts, level, method)
        return make_band("share, lift", level, method, counts.thresholds, boxes, outline, exact=False)


def _pointwise_limits(counts: ThresholdCounts, level: float, method: str) -> tuple[Rectangles, Outline]:
    """Pointwise limits for the share, the gain (lift times share) and the lift.

    The lift is better known from itself where the share is small, and from the gain where it is large.
    """
    tp, samples = counts.true_positives, counts.positives + counts.negatives
    predicted_positive = tp + counts.false_positives
    shares = "wilson" if method == "delta" else method
    single_level = shared(level, 3 if method == "delta" else 4, independent=False)
    share = binomial_limits(predicted_positive, samples, single_level, shares)
    gain = binomial_limits(tp, counts.positives, single_level, shares)
    if method == "delta":
        missed, true_negatives = counts.positives - tp, counts.negatives - counts.false_positives
        low, high = dependence_limits(tp, counts.false_positives, missed, true_negatives, level=single_level)
    else:
        low, high = binomial_limits(tp, predicted_positive, single_level, method)
        rare, common = prevalence_limits(counts, single_level, method)
        low, high = low / common, high / rare
    with np.errstate(divide="ignore"):
        y_low, y_high = np.maximum(low, gain[0] / share[1]), np.minimum(high, gain[1] / share[0])
    return Rectangles(*share, y_low, y_high), partial(_outline, share, gain, low, high)


def _outline(share: tuple[Floats, Floats], gain: tuple[Floats, Floats], low: Floats, high: Floats) -> tuple[Line, Line]:
    edges, first, last = windows(*share, max_cells=_CELLS)
    cells = zip(edges[:-1].tolist(), edges[1:].tolist(), first.tolist(), (last + 1).tolist(), strict=True)
    # At the end of the cell where the gain allows the most.
    bounds = [
        (
            np.maximum(low[a:b], gain[0][a:b] / right).min(),
            np.minimum(high[a:b], gain[1][a:b] / left).max() if left else high[a:b].max(),
        )
        for left, right, a, b in cells
    ]
    lower, upper = np.array(bounds).T
    return in_steps(edges, lower), in_steps(edges, upper)


def _simultaneous_limits(counts: ThresholdCounts, level: float, method: str) -> tuple[Rectangles, Outline]:
    """Limits of TPR and FPR at all thresholds at once, and of the prevalence, carried over to share and lift."""
    single_level = shared(level, 3, independent=True)
    low, high, fpr_low, fpr_high, *prevalences = limits_of_rates(counts, single_level, method)
    # The least share that goes with the most positives, and the other way round.
    share_low = np.minimum(*(p * high + (1 - p) * fpr_low for p in prevalences))
    share_high = np.maximum(*(p * low + (1 - p) * fpr_high for p in prevalences))
    lift_low, lift_high = low / share_high, high / share_low
    lower = Line(np.concatenate(([0.0], share_high, [1.0])), np.concatenate((lift_low[:1], lift_low, low[-1:])))
    upper = Line(np.concatenate(([0.0], share_low, [1.0])), np.concatenate((lift_high[:1], lift_high, lift_high[-1:])))
    x_low = np.minimum(*(p * low + (1 - p) * fpr_low for p in prevalences))
    x_high = np.maximum(*(p * high + (1 - p) * fpr_high for p in prevalences))
    return Rectangles(x_low, x_high, lift_low, lift_high), partial(between_steps, lower, upper)


def lift_curve(y_true: Any, y_score: Any = None, *, pos_label: Any = None, sample_weight: Any = None) -> LiftCurve:
    """Positives among the samples with the highest scores, relative to as many samples taken at random.

    ::

        lift = (positives / samples, with score >= threshold) / (positives / samples, of all)
        share = samples with score >= threshold / samples

    The first threshold is the highest score, as without samples there is no lift; the last lift is 1.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As `certus.data.Scores.of` takes them; or one `Scores` alone, whose samples are then sorted only once.

    Returns
    -------
    LiftCurve
        With ``share, lift, thresholds = ...``, the counts behind them, `band` and `plot`.

    Raises
    ------
    DataError
        There are no samples, or the columns are not valid.

    Examples
    --------
    Half of all samples are positive, and of the first two one is.

    >>> share, lift, thresholds = lift_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> share.tolist(), lift.round(2).tolist(), thresholds.tolist()
    ([0.25, 0.5, 0.75, 1.0], [2.0, 1.0, 1.33, 1.0], [0.8, 0.4, 0.35, 0.1])
    """
    data = scores_of(y_true, y_score, pos_label, sample_weight)
    counts = threshold_counts(data)
    return LiftCurve(*counts.select(slice(1, None)), counts.positives, counts.negatives, data)
