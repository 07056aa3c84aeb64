"""Curves of the two error rates: receiver operating characteristic, and detection error trade-off."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from certus.arrays import Floats
from certus.curves._counts import ThresholdCounts, corners, rate, scores_of, threshold_counts, turns
from certus.curves._curve import Band, Curve, band_of_rates, falling
from certus.errors import DataError
from certus.inference import Estimate
from certus.metrics.classification.roc_auc import roc_auc


class _OverFpr(Curve):
    """A curve over the false positive rate."""

    @cached_property
    def fpr(self) -> Floats:
        """The share of the negatives that are called positive; NaN without negatives."""
        return rate(self.false_positives, self.negatives)


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(_OverFpr):
    """True positive rate against false positive rate, as the threshold falls; it unpacks to fpr, tpr, thresholds.

    The first threshold is infinity, where nothing is called positive; at the last, the least score, everything is.
    """

    _picture: ClassVar[str] = "roc"
    _unpacked = "fpr", "tpr"

    @cached_property
    def tpr(self) -> Floats:
        """The share of the positives that are called so; NaN without positives."""
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
        from certus.plot.roc_points import gini as draw_gini

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
    selected = counts.select(corners(counts)) if drop_intermediate else counts
    return RocCurve(*selected, counts.positives, counts.negatives, data)


@dataclass(frozen=True, eq=False, repr=False)
class DetCurve(_OverFpr):
    """False negative rate against false positive rate, as the threshold rises; it unpacks to fpr, fnr, thresholds."""

    _picture: ClassVar[str] = "det"
    _unpacked = "fpr", "fnr"

    @cached_property
    def fnr(self) -> Floats:
        """The share of the positives that are not called so; NaN without positives."""
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
    which no negative is called positive (infinity, where the highest score is a negative's). With a single class there
    is nothing to trade; the curve then has every threshold, and NaN for the rate that is not defined.

    Source: Martin, Doddington, Kamm, Ordowski & Przybocki (1997), Eurospeech, 1895-1898.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As `certus.data.Scores.of` takes them; or one `Scores` alone, whose samples are then sorted only once.
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
    data = scores_of(y_true, y_score, pos_label, sample_weight)
    counts = threshold_counts(data)
    selected = counts.select(turns(counts.true_positives)) if drop_intermediate else counts
    if counts.positives and counts.negatives:
        first = np.searchsorted(selected.false_positives, 0, side="right") - 1
        last = np.searchsorted(selected.true_positives, counts.positives, side="left") + 1
        selected = selected.select(slice(first, last))
    return DetCurve(*selected.select(slice(None, None, -1)), counts.positives, counts.negatives, data)
