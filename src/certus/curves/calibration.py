"""Calibration curve, also called reliability diagram."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.core.listing import Listing
from certus.curves._curve import BandedCurve
from certus.data import Probabilities
from certus.inference import Estimate, Interval
from certus.metrics.classification.calibration_error import Confidence, Strategy, binned, predicted
from certus.statistic import Proportion
from certus.statistic.common import sum_by_code


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationBand:
    """Limits of the true share in each bin of a calibration curve.

    Attributes
    ----------
    prob_pred
        The mean predicted probability of each bin: where the limits stand.
    low, high
        The limits.
    level
        The confidence level: of each bin by itself, or of all together.
    simultaneous
        Which of the two.
    method
        How the limits were made.
    """

    prob_pred: Floats
    low: Floats
    high: Floats
    level: float
    simultaneous: bool
    method: str

    def __repr__(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        return f"<CalibrationBand: {100 * self.level:g}% {kind}, {self.method}, {len(self.low)} bins>"


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationCurve(BandedCurve):
    """Share that came true against the mean prediction, in bins of predicted probabilities.

    It unpacks to prob_true, prob_pred. Bins without samples are left out.

    Attributes
    ----------
    prob_true
        The share of the bin's samples that came true.
    prob_pred
        The mean of the bin's predicted probabilities.
    counts, positives
        The number of samples in the bin, and of those that came true.
    edges
        Of all bins, one more than there are; a bin holds its upper edge.
    bins
        The number of each bin that has samples: bin b lies between ``edges[b]`` and ``edges[b + 1]``.
    """

    _picture: ClassVar[str] = "calibration"

    prob_true: Floats
    prob_pred: Floats
    counts: NDArray[np.int64]
    positives: NDArray[np.int64]
    edges: Floats
    bins: NDArray[np.int64]

    def __iter__(self) -> Iterator[Any]:
        return iter((self.prob_true, self.prob_pred))

    def _listing(self) -> Listing:
        intervals = self.intervals()
        columns = {"from": self.edges[self.bins], "to": self.edges[self.bins + 1], "samples": self.counts}
        columns |= {"positives": self.positives, "prob_pred": self.prob_pred, "prob_true": self.prob_true}
        limits = {end: [float(getattr(interval, end)) for interval in intervals] for end in ("low", "high")}
        return Listing.from_columns({**{name: values.tolist() for name, values in columns.items()}, **limits})

    def __repr__(self) -> str:
        return f"<CalibrationCurve of {self.counts.sum()} samples, {len(self.bins)} bins>"

    def intervals(self, level: float = 0.95, method: str | None = None) -> list[Interval]:
        """An interval for the true share of each bin, as `certus.inference.proportion_interval` makes them.

        Raises
        ------
        CertusError
            The level is none, or there is no such method.
        """
        pairs = zip(self.positives.tolist(), self.counts.tolist(), strict=True)
        return [Estimate(Proportion(*pair), bounds=(0.0, 1.0)).interval(level, method) for pair in pairs]

    def band(self, level: float = 0.95, simultaneous: bool = False, method: str | None = None) -> CalibrationBand:
        """Limits of the true share, bin by bin or for all bins at once.

        Given the predictions the bins are independent, so B of them hold together at the level if each does at
        ``level^(1/B)`` (Šidák). With Clopper-Pearson limits that is exact: in samples of any size at least `level`.

        Parameters
        ----------
        level
            Wanted coverage, strictly between 0 and 1.
        simultaneous
            Whether the level is that of all bins together.
        method
            Any method for a proportion; None takes a proportion's default, ``"wilson"`` or ``"modified-wilson"``,
            for each bin by itself and ``"clopper-pearson"`` for all together.

        Raises
        ------
        CertusError
            The level is none, or there is no such method.
        """
        chosen = method or ("clopper-pearson" if simultaneous else None)
        intervals = self.intervals(level ** (1 / len(self.bins)) if simultaneous and 0 < level < 1 else level, chosen)
        low, high = (np.array([getattr(interval, end) for interval in intervals]) for end in ("low", "high"))
        # Some bins may need Wilson's interval modified, which is then the name for all.
        used = min(interval.method for interval in intervals)
        return CalibrationBand(self.prob_pred, low, high, float(level), simultaneous, used)


def calibration_curve(
    y_true: Any,
    y_prob: Any = None,
    *,
    n_bins: int = 5,
    strategy: Strategy = "uniform",
    confidence: Confidence = "auto",
    labels: Any = None,
    pos_label: Any = None,
) -> CalibrationCurve:
    """The share that came true against the mean predicted probability, in bins.

    Parameters
    ----------
    y_true, y_prob, labels, pos_label
        As `certus.data.Probabilities.from_arrays` takes them; or one `Probabilities` alone.
    n_bins, strategy, confidence
        As for `certus.classification.expected_calibration_error`; the defaults are scikit-learn's.

    Returns
    -------
    CalibrationCurve
        With ``prob_true, prob_pred = ...`` as scikit-learn has them, the counts behind them, `intervals`, `band` and
        `plot`.

    Raises
    ------
    DataError
        There are no samples, or the columns are not valid, or samples have weights or groups, which limits for counts
        know nothing of.

    Examples
    --------
    >>> curve = calibration_curve([0, 0, 1, 0, 1, 1], [0.125, 0.25, 0.25, 0.5, 0.75, 1.0], n_bins=2)
    >>> prob_true, prob_pred = curve
    >>> prob_true.tolist(), prob_pred.tolist()
    ([0.25, 1.0], [0.28125, 0.875])
    >>> print(curve.intervals(0.9)[0])
    [0.0263, 0.6438]
    """
    if isinstance(n_bins, bool | float) or n_bins < 1:
        raise DataError(f"is {n_bins!r}", "it must be a whole number of at least 1", argument="n_bins")
    for name, value, choices in (("strategy", strategy, Strategy), ("confidence", confidence, Confidence)):
        first, second, last = get_args(choices)
        if value not in (first, second, last):
            raise DataError(f"is {value!r}", f"it must be {first!r}, {second!r} or {last!r}", argument=name)
    is_ready = isinstance(y_true, Probabilities) and y_prob is None
    data = y_true if is_ready else Probabilities.from_arrays(y_true, y_prob, labels=labels, pos_label=pos_label)
    for name in ("weights", "groups"):
        if getattr(data, name) is not None:
            raise DataError(f"a calibration curve counts samples, but these have {name}", "leave them out")
    if not len(data):
        raise DataError("has no samples", "a calibration curve needs at least one", argument="y_true")
    probability, outcome = predicted(data, confidence)
    if strategy == "uniform":
        edges = np.linspace(0.0, 1.0, int(n_bins) + 1)
        counts, positives, sums = kernels.uniform_bins(np.ascontiguousarray(probability), outcome, int(n_bins))
    else:
        bins, edges = binned(probability, int(n_bins), strategy)
        counts_by_outcome = np.bincount(bins + int(n_bins) * outcome, minlength=2 * n_bins).reshape(2, -1)
        counts, positives = counts_by_outcome.sum(0), counts_by_outcome[1]
        sums = sum_by_code(bins, probability, int(n_bins))
    there = np.flatnonzero(counts)
    means = sums[there] / counts[there]
    return CalibrationCurve(
        positives[there] / counts[there], means, counts[there], positives[there], edges, there.astype(np.int64)
    )
