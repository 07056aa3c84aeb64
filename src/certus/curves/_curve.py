"""The base class of curves over a threshold, and the band around one with the outline of its region."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import DataError, MetricNameError
from certus.core.listing import Listing, Tabular
from certus.core.readable import Drawable
from certus.core.spelling import normalize_name
from certus.curves._counts import (
    SIMULTANEOUS,
    Column,
    Counts,
    ThresholdCounts,
    proportion_limits,
    rate,
    shared,
    threshold_counts,
)
from certus.curves.best_threshold import OperatingPoint
from certus.data import Scores
from certus.inference.interval import checked_level

_CELLS = 4096
"""The boundary of a union of more rectangles than this is rounded outwards to a grid of this many cells."""


class Boundary(NamedTuple):
    """A line through points, by increasing x."""

    x: Floats
    y: Floats


Region = tuple[Boundary, Boundary]
"""The lower and the upper boundary of what a band covers."""


class Rectangles(NamedTuple):
    """Limits of x and y at each threshold; the x limits never decrease."""

    x_low: Floats
    x_high: Floats
    y_low: Floats
    y_high: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Band:
    """Limits for the true curve at a confidence level.

    At each threshold the two coordinates of the curve, x and y as it is drawn, have limits of their own. The region
    that is drawn lies between the lines `lower` and `upper`; it holds all these rectangles, and what lies between them.

    Attributes
    ----------
    level
        The confidence level.
    simultaneous
        Whether the level is that of all thresholds together, or of each one.
    method
        How the limits were made.
    covers
        What the band promises, in words.
    thresholds
        Infinity (nothing is predicted positive), then every distinct score, falling; also those that the curve itself
        leaves out.
    x_low, x_high, y_low, y_high
        The limits at each threshold.
    lower, upper
        The boundaries of the region.
    """

    level: float
    simultaneous: bool
    method: str
    covers: str
    thresholds: Column
    x_low: Floats
    x_high: Floats
    y_low: Floats
    y_high: Floats
    lower: Boundary
    upper: Boundary

    def __repr__(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        return f"<Band: {100 * self.level:g}% {kind}, {self.method}, {len(self.thresholds)} thresholds>"


def make_band(
    axes: str,
    level: float,
    method: str,
    thresholds: Column,
    boxes: Rectangles,
    outline: Region,
    *,
    exact: bool,
) -> Band:
    """The band, and what it promises of the curve over these axes; `exact` where the coordinates are independent."""
    x, y = axes.split(", ")
    is_simultaneous = method in SIMULTANEOUS
    if is_simultaneous:
        covers = (
            f"with probability of at least {level:g} the true ({axes}) of every threshold at once lies within its "
            "limits, so the whole true curve lies in the region"
        )
    else:
        covers = (
            f"at any one threshold fixed beforehand the true ({axes}) lies within its limits with probability "
            f"{'' if exact else 'of at least '}about {level:g}; so at any one {x} fixed beforehand the true {y} lies "
            "in the region with no less"
        )
    if not exact:
        covers += ", for samples drawn independently from one population"
    return Band(level, is_simultaneous, method, covers, thresholds, *boxes, *outline)


def rising(boxes: Rectangles) -> Region:
    """The boundaries of all rectangles of a curve from (0, 0) to (1, 1)."""
    lower = Boundary(
        np.concatenate(([0.0], boxes.x_high, [1.0])), np.concatenate(([0.0], boxes.y_low, boxes.y_low[-1:]))
    )
    return lower, Boundary(np.concatenate((boxes.x_low, [1.0])), np.concatenate((boxes.y_high, [1.0])))


def falling(boxes: Rectangles) -> Region:
    """The boundaries of all rectangles of a curve from (0, 1) to (1, 0)."""
    lower, upper = rising(Rectangles(boxes.x_low, boxes.x_high, 1 - boxes.y_high, 1 - boxes.y_low))
    return Boundary(upper.x, 1 - upper.y), Boundary(lower.x, 1 - lower.y)


def union(boxes: Rectangles) -> Region:
    """The lower and upper boundary of all rectangles together, as steps; gaps in x take both neighbours."""
    edges, first, last = windows(boxes.x_low, boxes.x_high)
    window = np.column_stack((first, last + 1)).ravel()
    lowest = np.minimum.reduceat(np.append(boxes.y_low, np.inf), window)[::2]
    highest = np.maximum.reduceat(np.append(boxes.y_high, -np.inf), window)[::2]
    return in_steps(edges, lowest), in_steps(edges, highest)


def windows(
    x_low: Floats, x_high: Floats, max_cells: int = _CELLS
) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """Edges of cells in x, and the first and the last rectangle that reaches into each; of a gap, both neighbours."""
    x_low, x_high = np.maximum.accumulate(x_low), np.maximum.accumulate(x_high)
    edges = np.unique(np.concatenate((x_low, x_high)))
    if len(edges) > max_cells:
        edges = np.linspace(edges[0], edges[-1], max_cells + 1)
    first = np.minimum(np.searchsorted(x_high, edges[:-1], side="right"), len(x_low) - 1)
    last = np.maximum(np.searchsorted(x_low, edges[1:], side="left") - 1, 0)
    return edges, np.minimum(first, last), np.maximum(first, last)


def in_steps(edges: Floats, y: Floats) -> Boundary:
    """A line that has one y in each cell between two edges."""
    return Boundary(np.repeat(edges, 2)[1:-1], np.repeat(y, 2))


def between_steps(lower: Boundary, upper: Boundary) -> Region:
    """Steps from point to point: below the points of the lower line, and above those of the upper one."""
    return (
        in_steps(lower.x, np.minimum(lower.y[:-1], lower.y[1:])),
        in_steps(upper.x, np.maximum(upper.y[:-1], upper.y[1:])),
    )


class BandedCurve(Drawable, Tabular):
    """A curve that is drawn with limits for the true one."""

    _picture: ClassVar[str] = ""
    """The function of `certus.plot.threshold_curves` that draws it."""

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
        """Draw the curve with its limits; needs ``certus[plot]``.

        Parameters
        ----------
        ax
            The matplotlib axes to draw on; by default those of a new figure.
        band
            Which limits; None for none.
        level
            Their confidence level.
        label
            What the legend calls the curve.
        color
            Any matplotlib color; by default the next of a palette that colour-blind readers can tell apart.
        options
            Of a calibration curve ``histogram=False``, which leaves out the numbers of samples below the curve.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from certus.plot import threshold_curves
        from certus.plot.canvas import CurveStyle

        style = CurveStyle.from_options(band, level, label, color)
        return getattr(threshold_curves, self._picture)(self, ax, style, **options)


@dataclass(frozen=True, eq=False, repr=False)
class Curve(BandedCurve):
    """The samples that are predicted positive at each threshold: those with at least that score.

    Samples are counted in integers, and compared by their scores as they are: float32 scores as float32. Every distinct
    score is a threshold, so no sample is lost.

    Attributes
    ----------
    thresholds
        In the width of the scores.
    true_positives, false_positives
        How many positives and negatives are predicted positive, int64; with weights the sums of those, float64.
    positives, negatives
        How many there are; with weights the sums of those.
    data
        The samples.
    """

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

    def _listing(self) -> Listing:
        counts = {name: getattr(self, name) for name in ("true_positives", "false_positives")}
        columns = {name: getattr(self, name) for name in self._unpacked} | counts
        thresholds = [*map(float, self.thresholds), inf][: len(self.true_positives)]  # the last may be beyond all
        return Listing.from_columns({"threshold": thresholds, **{name: c.tolist() for name, c in columns.items()}})

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.data)} samples, {len(self.thresholds)} thresholds>"

    @cached_property
    def share(self) -> Floats:
        """The share of all samples that are predicted positive."""
        return rate(self.true_positives + self.false_positives, self.positives + self.negatives)

    @property
    def reason(self) -> str:
        """Why some of the rates are NaN; empty where they are defined."""
        if not self.positives:
            return "there are no positive samples"
        return "" if self.negatives else "there are no negative samples"

    def at(self, threshold: float) -> OperatingPoint:
        """The counts when samples with a score of at least `threshold` are predicted positive."""
        if threshold != threshold:
            raise DataError("is NaN", "it must be a number to compare scores with", argument="threshold")
        exact = self.thresholds.dtype.kind == "O"
        converted = threshold if exact else self.thresholds.dtype.type(threshold).item()
        return OperatingPoint(converted, *_counts_at(self.data, self.data.threshold_number(threshold)))

    def band(self, level: float = 0.95, simultaneous: bool = False, method: str | None = None) -> Band:
        """Limits for the true curve, of which that of the samples is an estimate."""
        level = checked_level(level)
        if self.data.weights is not None:
            raise DataError("a band needs samples that count alike, but these have weights")
        if self.data.groups is not None:
            raise DataError("a band needs independent samples, but these are in groups")
        if self.reason:
            raise DataError(f"there is no band: {self.reason}")
        methods = SIMULTANEOUS if simultaneous else self._methods
        chosen = methods[0] if method is None else normalize_name(method)
        if chosen not in methods:
            kind = "simultaneous" if simultaneous else "pointwise"
            raise MetricNameError(
                f"no {kind} band is made by {method!r}", f"it takes {' or '.join(map(repr, methods))}"
            )
        return self._band(threshold_counts(self.data), level, chosen)

    @abstractmethod
    def _band(self, counts: ThresholdCounts, level: float, method: str) -> Band: ...


def band_of_rates(
    axes: str,
    x: tuple[Counts, Any],
    y: tuple[Counts, Any],
    level: float,
    method: str,
    thresholds: Column,
    *,
    independent: bool,
    outline: Callable[[Rectangles], Region] = rising,
) -> Band:
    """The band of a curve over two rates, each given by its counts and their total."""
    single_level = shared(level, 2, independent=independent)
    boxes = Rectangles(*proportion_limits(*x, single_level, method), *proportion_limits(*y, single_level, method))
    return make_band(axes, level, method, thresholds, boxes, outline(boxes), exact=independent)


def _counts_at(data: Scores, cut: Any) -> tuple[Any, Any, Any, Any]:
    """tp, fp, fn, tn when the scores of at least `cut` are predicted positive."""
    if data.weights is None:
        fn, tn = (int(np.searchsorted(side, cut, side="left")) for side in (data.positives, data.negatives))
        return len(data.positives) - fn, len(data.negatives) - tn, fn, tn
    is_called = data.score >= cut
    parts = (is_called & data.truth, is_called & ~data.truth, ~is_called & data.truth, ~is_called & ~data.truth)
    tp, fp, fn, tn = (data.weights[part].sum().item() for part in parts)
    return tp, fp, fn, tn
