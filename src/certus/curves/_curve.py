"""Common parts of all curves of a threshold."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, ClassVar, Literal

import numpy as np

from certus.arrays import Floats
from certus.curves._band import Band, Line, Rectangles, make_band, rising
from certus.curves._counts import Column, Counts, ThresholdCounts, rate, threshold_counts
from certus.curves.best_threshold import OperatingPoint
from certus.data import Scores
from certus.errors import DataError, MetricNameError
from certus.inference.many.bands import TOGETHER, binomial_limits, check_level, distribution_limits, shared
from certus.readable import Drawable
from certus.spelling import normalize_name


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Drawable):
    """The samples that are called positive at each threshold: those with at least that score.

    Samples are counted in integers, and compared by their scores as they are: float32 scores as float32. Every distinct
    score is a threshold, so no sample is lost.

    Attributes
    ----------
    thresholds
        In the width of the scores.
    true_positives, false_positives
        How many positives and negatives are called positive, int64; with weights the sums of those, float64.
    positives, negatives
        How many there are; with weights the sums of those.
    data
        The samples.
    """

    _picture: ClassVar[str] = ""
    """The function of `certus.plot.threshold_curves` that draws it."""
    _unpacked: ClassVar[tuple[str, str]]
    """The columns that it unpacks to, before its thresholds."""
    _methods: ClassVar[tuple[str, ...]] = ("wilson", "clopper-pearson")
    """Methods for the limits of one threshold; the first is the default."""

    thresholds: Column
    true_positives: Counts
    false_positives: Counts
    positives: float
    negatives: float
    data: Scores = field(repr=False)

    def __iter__(self) -> Iterator[Any]:
        first, second = self._unpacked
        return iter((getattr(self, first), getattr(self, second), self.thresholds))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.data)} samples, {len(self.thresholds)} thresholds>"

    @cached_property
    def share(self) -> Floats:
        """The share of all samples that are called positive."""
        return rate(self.true_positives + self.false_positives, self.positives + self.negatives)

    @property
    def reason(self) -> str:
        """Why some of the rates are NaN; empty where they are defined."""
        if not self.positives:
            return "there are no positive samples"
        return "" if self.negatives else "there are no negative samples"

    def at(self, threshold: float) -> OperatingPoint:
        """The counts when samples with a score of at least `threshold` are called positive."""
        if threshold != threshold:
            raise DataError("is NaN", "it must be a number to compare scores with", argument="threshold")
        exact = self.thresholds.dtype.kind == "O"
        converted = threshold if exact else self.thresholds.dtype.type(threshold).item()
        return OperatingPoint(converted, *_counts_at(self.data, self.data.least(threshold)))

    def band(self, level: float = 0.95, simultaneous: bool = False, method: str | None = None) -> Band:
        """Limits for the true curve, of which that of the samples is an estimate."""
        level = check_level(level)
        if self.data.weights is not None:
            raise DataError("a band needs samples that count alike, but these have weights")
        if self.data.groups is not None:
            raise DataError("a band needs independent samples, but these are in groups")
        if self.reason:
            raise DataError(f"there is no band: {self.reason}")
        methods = TOGETHER if simultaneous else self._methods
        chosen = methods[0] if method is None else normalize_name(method)
        if chosen not in methods:
            kind = "simultaneous" if simultaneous else "pointwise"
            raise MetricNameError(
                f"no {kind} band is made by {method!r}", f"it takes {' or '.join(map(repr, methods))}"
            )
        return self._band(threshold_counts(self.data), level, chosen)

    def plot(
        self,
        ax: Any = None,
        *,
        band: Literal["pointwise", "simultaneous"] | None = "pointwise",
        level: float = 0.95,
        label: str | None = None,
        color: Any = None,
        **options: Any,
    ) -> Any:
        """Draw the curve with its band; needs ``certus[plot]``."""
        from certus.plot import threshold_curves
        from certus.plot.canvas import CurveStyle

        style = CurveStyle.from_options(band, level, label, color)
        return getattr(threshold_curves, self._picture)(self, ax, style, **options)

    @abstractmethod
    def _band(self, counts: ThresholdCounts, level: float, method: str) -> Band: ...


def rate_limits(counts: Counts, total: Any, level: float, method: str) -> tuple[Floats, Floats]:
    """Limits of the shares ``counts / total``, all at once or each by itself, as the method has it."""
    if method in TOGETHER:
        return distribution_limits(counts, total, level, method)
    return binomial_limits(counts, total, level, method)


def band_of_rates(
    axes: str,
    x: tuple[Counts, Any],
    y: tuple[Counts, Any],
    level: float,
    method: str,
    thresholds: Column,
    *,
    independent: bool,
    outline: Callable[[Rectangles], tuple[Line, Line]] = rising,
) -> Band:
    """The band of a curve over two rates, each given by its counts and their total."""
    single_level = shared(level, 2, independent=independent)
    boxes = Rectangles(*rate_limits(*x, single_level, method), *rate_limits(*y, single_level, method))
    return make_band(axes, level, method, thresholds, boxes, partial(outline, boxes), exact=independent)


def _counts_at(data: Scores, cut: Any) -> tuple[Any, Any, Any, Any]:
    """tp, fp, fn, tn when the scores of at least `cut` are called positive."""
    if data.weights is None:
        fn, tn = (int(np.searchsorted(side, cut, side="left")) for side in (data.positives, data.negatives))
        return len(data.positives) - fn, len(data.negatives) - tn, fn, tn
    is_called = data.score >= cut
    parts = (is_called & data.truth, is_called & ~data.truth, ~is_called & data.truth, ~is_called & ~data.truth)
    tp, fp, fn, tn = (data.weights[part].sum().item() for part in parts)
    return tp, fp, fn, tn
