"""Curves over thresholds: ROC, detection error trade-off, precision against recall, cumulative gain and lift."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.curves._counts import (
    SIMULTANEOUS,
    ThresholdCounts,
    corners,
    counted_scores,
    dependence_limits,
    proportion_limits,
    rate,
    shared,
    turns,
)
from certus.curves._curve import (
    Band,
    Boundary,
    Curve,
    Rectangles,
    Region,
    band_of_rates,
    between_steps,
    falling,
    in_steps,
    make_band,
    union,
    windows,
)
from certus.inference import Estimate
from certus.metrics.classification.average_precision import average_precision
from certus.metrics.classification.roc_auc import gain_capture, roc_auc


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
        """The share of positives among the samples that are predicted positive; 1 at the end, where none is."""
        predicted_positive = self.true_positives + self.false_positives
        predicted_positive[-1] = 1
        precision: Floats = self.true_positives / predicted_positive
        precision[-1] = 1.0
        return precision

    @cached_property
    def recall(self) -> Floats:
        """The share of the positives that are predicted positive; NaN without positives."""
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
        if method in SIMULTANEOUS:
            boxes, outline = _from_rates(counts, level, method)
            return make_band(axes, level, method, counts.thresholds, boxes, outline, exact=False)
        recall, precision = (tp, counts.positives), (tp, tp + counts.false_positives)
        options: dict[str, Any] = {"independent": False, "outline": union}
        return band_of_rates(axes, recall, precision, level, method, counts.thresholds, **options)


def _from_rates(counts: ThresholdCounts, level: float, method: str) -> tuple[Rectangles, Region]:
    """Limits of TPR and FPR at all thresholds at once, and of the prevalence, carried over to precision."""
    single_level = shared(level, 3, independent=True)
    low, high, fpr_low, fpr_high, rare, common = limits_of_rates(counts, single_level, method)
    precision_low, precision_high = _precision(rare, low, fpr_high), _precision(common, high, fpr_low)
    lower = Boundary(np.append(low, 1.0), np.append(precision_low, precision_low[-1]))
    upper = Boundary(np.append(0.0, high), np.append(precision_high[0], precision_high))
    return Rectangles(low, high, precision_low, precision_high), between_steps(lower, upper)


def limits_of_rates(counts: ThresholdCounts, level: float, method: str) -> tuple[Any, ...]:
    """Limits of TPR, FPR and the share of positives, at all thresholds at once."""
    return (
        *proportion_limits(counts.true_positives, counts.positives, level, method),
        *proportion_limits(counts.false_positives, counts.negatives, level, method),
        *prevalence_limits(counts, level, "clopper-pearson"),
    )


def prevalence_limits(counts: ThresholdCounts, level: float, method: str) -> tuple[float, float]:
    """Limits of the share of positives in the population."""
    low, high = proportion_limits(np.array(counts.positives), counts.positives + counts.negatives, level, method)
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
        As `certus.data.Scores.from_arrays` takes them; or one `Scores` alone, whose samples are then sorted only once.
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
    data, counts = counted_scores(y_true, y_score, pos_label, sample_weight)
    is_turn = np.append(True, turns(counts.true_positives[1:]))
    selected = counts.select(is_turn) if drop_intermediate else counts
    thresholds, true_positives, false_positives = selected.select(slice(None, None, -1))
    return PrecisionRecallCurve(
        thresholds[:-1], true_positives, false_positives, counts.positives, counts.negatives, data
    )


class _OverFpr(Curve):
    """A curve over the false positive rate."""

    @cached_property
    def fpr(self) -> Floats:
        """The share of the negatives that are predicted positive; NaN without negatives."""
        return rate(self.false_positives, self.negatives)


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(_OverFpr):
    """True positive rate against false positive rate, as the threshold falls; it unpacks to fpr, tpr, thresholds.

    The first threshold is infinity, where nothing is predicted positive; at the last, the least score, everything is.
    """

    _picture: ClassVar[str] = "roc"
    _unpacked = "fpr", "tpr"

    @cached_property
    def tpr(self) -> Floats:
        """The share of the positives that are predicted positive; NaN without positives."""
        return rate(self.true_positives, self.positives)

    @cached_property
    def auc(self) -> Estimate:
        """The area under the curve, by `certus.classification.roc_auc`."""
        area: Estimate = roc_auc(self.data)
        return area

    @property
    def gini(self) -> float:
        """The Gini coefficient, 2 AUC - 1: the share of the area above the diagonal that lies below the curve."""
        return 2 * self.auc.value - 1

    def plot_gini(self, ax: Any = None, *, label: str = "") -> Any:
        """Draw the areas whose shares are the Gini coefficient; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.
        label
            What the legend calls the curve.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.

        Raises
        ------
        DataError
            There are no positives or no negatives.
        """
        from certus.plot.threshold_curves import gini as draw_gini

        if self.reason:
            raise DataError(f"there is no curve: {self.reason}")
        return draw_gini(self.fpr, self.tpr, ax, coefficient=self.gini, label=label)

    def _band(self, counts: ThresholdCounts, level: float, method: str) -> Band:
        fpr, tpr = (counts.false_positives, counts.negatives), (counts.true_positives, counts.positives)
        return band_of_rates("FPR, TPR", fpr, tpr, level, method, counts.thresholds, independent=True)


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
        As `certus.data.Scores.from_arrays` takes them; or one `Scores` alone, whose samples are then sorted only once.
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
    data, counts = counted_scores(y_true, y_score, pos_label, sample_weight)
    selected = counts.select(corners(counts)) if drop_intermediate else counts
    return RocCurve(*selected, counts.positives, counts.negatives, data)


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve(_OverFpr):
    """False negative rate against false positive rate, as the threshold rises; it unpacks to fpr, fnr, thresholds."""

    _picture: ClassVar[str] = "det"
    _unpacked = "fpr", "fnr"

    @cached_property
    def fnr(self) -> Floats:
        """The share of the positives that are not predicted positive; NaN without positives."""
        return rate(self.positives - self.true_positives, self.positives)

    def _band(self, counts: ThresholdCounts, level: float, method: str) -> Band:
        fpr = counts.false_positives, counts.negatives
        fnr = counts.positives - counts.true_positives, counts.positives
        options: dict[str, Any] = {"independent": True, "outline": falling}
        return band_of_rates("FPR, FNR", fpr, fnr, level, method, counts.thresholds, **options)


def det_curve(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> DetCurve:
    """False negative rate against false positive rate, at every threshold that trades one for the other.

    ::

        FNR = positives with score < threshold / positives        FPR = negatives with score >= threshold / negatives

    As in scikit-learn, the first threshold is the highest at which no positive is missed, and the last the lowest at
    which no negative is predicted positive (infinity, where the highest score is a negative's). With a single class
    there is nothing to trade; the curve then has every threshold, and NaN for the rate that is not defined.

    Source: Martin, Doddington, Kamm, Ordowski & Przybocki (1997), Eurospeech, 1895-1898.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As `certus.data.Scores.from_arrays` takes them; or one `Scores` alone, whose samples are then sorted only once.
    drop_intermediate
        Whether to leave out points between two with the same false negative rate.

    Returns
    -------
    DetCurve
        With ``fpr, fnr, thresholds = ...`` as scikit-learn has them, the counts behind them, `band` and `plot`.

    Raises
    ------
    DataError
        There are no samples, or the columns are not valid.

    Examples
    --------
    >>> fpr, fnr, thresholds = det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), fnr.tolist(), thresholds.tolist()
    ([0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.35, 0.4, 0.8])
    """
    data, counts = counted_scores(y_true, y_score, pos_label, sample_weight)
    selected = counts.select(turns(counts.true_positives)) if drop_intermediate else counts
    if counts.positives and counts.negatives:
        first = np.searchsorted(selected.false_positives, 0, side="right") - 1
        last = np.searchsorted(selected.true_positives, counts.positives, side="left") + 1
        selected = selected.select(slice(first, last))
    return DetCurve(*selected.select(slice(None, None, -1)), counts.positives, counts.negatives, data)


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
        As `certus.data.Scores.from_arrays` takes them; or one `Scores` alone, whose samples are then sorted only once.

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
    data, counts = counted_scores(y_true, y_score, pos_label, sample_weight)
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
        limits = _simultaneous_limits if method in SIMULTANEOUS else _pointwise_limits
        boxes, outline = limits(counts, level, method)
        return make_band("share, lift", level, method, counts.thresholds, boxes, outline, exact=False)


def _pointwise_limits(counts: ThresholdCounts, level: float, method: str) -> tuple[Rectangles, Region]:
    """Pointwise limits for the share, the gain (lift times share) and the lift."""
    # The lift is better known from itself where the share is small, and from the gain where it is large.
    tp, samples = counts.true_positives, counts.positives + counts.negatives
    predicted_positive = tp + counts.false_positives
    shares = "wilson" if method == "delta" else method
    single_level = shared(level, 3 if method == "delta" else 4, independent=False)
    share = proportion_limits(predicted_positive, samples, single_level, shares)
    gain = proportion_limits(tp, counts.positives, single_level, shares)
    if method == "delta":
        missed, true_negatives = counts.positives - tp, counts.negatives - counts.false_positives
        low, high = dependence_limits(tp, counts.false_positives, missed, true_negatives, level=single_level)
    else:
        low, high = proportion_limits(tp, predicted_positive, single_level, method)
        rare, common = prevalence_limits(counts, single_level, method)
        low, high = low / common, high / rare
    with np.errstate(divide="ignore"):
        y_low, y_high = np.maximum(low, gain[0] / share[1]), np.minimum(high, gain[1] / share[0])
    return Rectangles(*share, y_low, y_high), _outline(share, gain, low, high)


def _outline(share: tuple[Floats, Floats], gain: tuple[Floats, Floats], low: Floats, high: Floats) -> Region:
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


def _simultaneous_limits(counts: ThresholdCounts, level: float, method: str) -> tuple[Rectangles, Region]:
    """Limits of TPR and FPR at all thresholds at once, and of the prevalence, carried over to share and lift."""
    single_level = shared(level, 3, independent=True)
    low, high, fpr_low, fpr_high, *prevalences = limits_of_rates(counts, single_level, method)
    # The least share that goes with the most positives, and the other way round.
    share_low = np.minimum(*(p * high + (1 - p) * fpr_low for p in prevalences))
    share_high = np.maximum(*(p * low + (1 - p) * fpr_high for p in prevalences))
    lift_low, lift_high = low / share_high, high / share_low
    lower = Boundary(np.concatenate(([0.0], share_high, [1.0])), np.concatenate((lift_low[:1], lift_low, low[-1:])))
    upper = Boundary(
        np.concatenate(([0.0], share_low, [1.0])), np.concatenate((lift_high[:1], lift_high, lift_high[-1:]))
    )
    x_low = np.minimum(*(p * low + (1 - p) * fpr_low for p in prevalences))
    x_high = np.maximum(*(p * high + (1 - p) * fpr_high for p in prevalences))
    return Rectangles(x_low, x_high, lift_low, lift_high), between_steps(lower, upper)


def lift_curve(y_true: Any, y_score: Any = None, *, pos_label: Any = None, sample_weight: Any = None) -> LiftCurve:
    """Positives among the samples with the highest scores, relative to as many samples taken at random.

    ::

        lift = (positives / samples, with score >= threshold) / (positives / samples, of all)
        share = samples with score >= threshold / samples

    The first threshold is the highest score, as without samples there is no lift; the last lift is 1.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As `certus.data.Scores.from_arrays` takes them; or one `Scores` alone, whose samples are then sorted only once.

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
    data, counts = counted_scores(y_true, y_score, pos_label, sample_weight)
    return LiftCurve(*counts.select(slice(1, None)), counts.positives, counts.negatives, data)
