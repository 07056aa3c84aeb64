"""Curves over thresholds (ROC, DET, precision-recall, gain, lift), calibration, and classifiers as points."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.plot import canvas
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.curves import Band, Curve, DetCurve, GainCurve, LiftCurve, PrecisionRecallCurve, RocCurve
    from certus.curves.calibration import CalibrationCurve


_SQUARE: dict[str, Any] = {"xlim": (-0.01, 1.01), "ylim": (-0.01, 1.01), "aspect": "equal"}
_ROC: dict[str, Any] = {
    "xlabel": "False positive rate (share of negatives called positive)",
    "ylabel": "True positive rate (share of positives called positive)",
    **_SQUARE,
}
_SHARE = "Share of samples looked at, highest scores first"
_FEWEST_CALLED = 10
_STRIP = 0.17
"""The part of the height that the histogram takes."""


def roc(curve: "RocCurve", ax: Any, style: canvas.CurveStyle) -> Any:
    """Draw a ROC curve with its band, its AUC in the legend, and the diagonal of scores that say nothing."""
    ax = canvas.new_axes(ax)
    name = _summary(style, "AUC", curve.auc)
    _draw_banded(ax, curve, curve.fpr, curve.tpr, style, name=name)
    canvas.reference(ax, [0, 1], [0, 1], "chance")
    return canvas.finish(ax, "lower right", **_ROC)


TICKS = (1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
_OUTSIDE = 1e-9
"""Rates of 0 and 1 lie infinitely far away; drawn here, the line runs out of the picture towards them."""


def det(curve: "DetCurve", ax: Any, style: canvas.CurveStyle) -> Any:
    """Draw a detection error trade-off curve with its band, both rates on a normal deviate scale.

    On that scale normally distributed scores of equal variance give a straight line. A rate of 0 lies infinitely far to
    the left or below: the line leaves the picture on its way there.
    """
    ax = canvas.new_axes(ax)
    old_limits = ax.get_xlim(), ax.get_ylim()
    first = not canvas.number_of(ax)
    ax.set_xscale("function", functions=(deviate, share))
    ax.set_yscale("function", functions=(deviate, share))
    _draw_banded(ax, curve, curve.fpr, curve.fnr, style, name=style.label or "curve", scale=deviate)
    chance = share(np.linspace(deviate(np.array(_OUTSIDE)), -deviate(np.array(_OUTSIDE)), 200))
    canvas.reference(ax, chance, 1 - chance, "chance")
    for axis, set_limits, rates, old in (
        (ax.xaxis, ax.set_xlim, curve.fpr, old_limits[0]),
        (ax.yaxis, ax.set_ylim, curve.fnr, old_limits[1]),
    ):
        low, high = _limits(rates)
        set_limits((low, high) if first else (min(low, old[0]), max(high, old[1])))
        _label(axis)
    xlabel, ylabel = (f"False {kind} rate (normal deviate scale)" for kind in ("positive", "negative"))
    return canvas.finish(ax, "upper right", xlabel=xlabel, ylabel=ylabel)


def deviate(rates: Floats) -> Floats:
    """The standard normal deviate with so much below it."""
    from scipy import special

    return np.asarray(special.ndtri(np.clip(rates, _OUTSIDE, 1 - _OUTSIDE)))


def share(deviates: Floats) -> Floats:
    """The share of the standard normal distribution below each deviate."""
    from scipy import special

    return np.asarray(special.ndtr(deviates))


def _limits(rates: Floats) -> tuple[float, float]:
    """Half the least rate that is not 0, and at least 0.6, so that the middle of the scale is in the picture."""
    inside = rates[(rates > 0) & (rates < 1)]
    if not len(inside):
        return 0.01, 0.99
    return max(min(float(inside.min()) / 2, 0.05), 1e-6), min(max(float(inside.max()) * 1.2, 0.6), 0.995)


def _label(axis: Any) -> None:
    from matplotlib import ticker

    axis.set_major_locator(ticker.FixedLocator(TICKS))
    axis.set_major_formatter(ticker.FuncFormatter(lambda rate, _: f"{100 * rate:g}%"))
    axis.set_minor_locator(ticker.NullLocator())


def precision_recall(
    curve: "PrecisionRecallCurve", ax: Any, style: canvas.CurveStyle, *, iso_f: Iterable[float] = (0.2, 0.4, 0.6, 0.8)
) -> Any:
    """Draw a precision-recall curve with its band, its average precision in the legend, and lines of equal F1.

    The curve is drawn in steps, whose area is the average precision. The dotted line is the precision of scores that
    say nothing: the share of positives. The band begins where ten samples are called positive, or a tenth of fewer than
    a hundred: of fewer the limits of precision reach from one side of the picture to the other.
    """
    ax = canvas.new_axes(ax, (6.3, 5.2))
    if not canvas.number_of(ax):
        _iso_lines(ax, iso_f)
    name = _summary(style, "AP", curve.average_precision)
    options: dict[str, Any] = {"start": band_start(curve, curve.recall), "drawstyle": "steps-post"}
    _draw_banded(ax, curve, curve.recall, curve.precision, style, name=name, **options)
    share = curve.positives / (curve.positives + curve.negatives)
    canvas.reference(ax, [0, 1], [share, share], f"chance: share of positives {share:.3g}")
    xlabel, ylabel = (
        "Recall (share of positives called positive)",
        "Precision (share of positives among those called so)",
    )
    return canvas.finish(ax, _corner(ax), xlabel=xlabel, ylabel=ylabel, **{**_SQUARE, "ylim": (-0.01, 1.02)})


def _iso_lines(ax: Any, values: Iterable[float]) -> None:
    """Lines of equal F1, named where they leave the picture on the right."""
    end_precisions = {f: f / (2 - f) for f in values}
    for f, end in end_precisions.items():
        recall = np.linspace(end, 1, 200)
        ax.plot(recall, f * recall / (2 * recall - f), color="#c8c8c8", linewidth=0.8, zorder=0.5, gid="certus-iso-f")
    if end_precisions:
        side = ax.secondary_yaxis("right")
        side.set_yticks(list(end_precisions.values()), [f"F1 = {f:g}" for f in end_precisions])
        side.tick_params(length=0, labelsize=8, labelcolor=canvas.GREY)


def _corner(ax: Any) -> str:
    """The place where the legend hides no line: below curves of high precision, above those of low precision."""
    for line in ax.lines:
        recall, precision = line.get_data()
        if line.get_gid() == "certus-curve" and (np.asarray(precision)[np.asarray(recall) < 0.75] < 0.3).any():
            return "upper right"
    return "lower left"


def gain(curve: "GainCurve", ax: Any, style: canvas.CurveStyle) -> Any:
    """Draw a cumulative gain curve with its band, its gain capture and the lines of chance and of a perfect ranking."""
    ax = canvas.new_axes(ax)
    name = _summary(style, "gain capture", curve.capture)
    _draw_banded(ax, curve, curve.share, curve.gain, style, name=name)
    share = curve.positives / (curve.positives + curve.negatives)
    canvas.reference(ax, [0, 1], [0, 1], "chance")
    canvas.reference(ax, [0, share, 1], [0, 1, 1], f"perfect: positives are {share:.3g} of all", "--")
    return canvas.finish(ax, "lower right", xlabel=_SHARE, ylabel="Gain (share of positives found)", **_SQUARE)


def lift(curve: "LiftCurve", ax: Any, style: canvas.CurveStyle) -> Any:
    """Draw a lift curve with its band, between chance and a perfect ranking.

    The band begins where ten samples are called positive, or a tenth of fewer than a hundred.
    """
    ax = canvas.new_axes(ax, (6.2, 4.6))
    top = ax.get_ylim()[1] if canvas.number_of(ax) else 1.2
    start = band_start(curve, curve.share)
    _draw_banded(ax, curve, curve.share, curve.lift, style, name=style.label or "lift", start=start)
    canvas.reference(ax, [0, 1], [1, 1], "chance")
    if curve.positives:
        share = curve.positives / (curve.positives + curve.negatives)
        depth = np.linspace(share, 1, 200)
        name = f"perfect: positives are {share:.3g} of all"
        canvas.reference(ax, np.append(0, depth), np.append(1 / share, 1 / depth), name, "--")
    highest = float(np.nanmax(curve.lift)) if curve.positives else 1.0
    limits: dict[str, Any] = {"xlim": (-0.01, 1.01), "ylim": (0, max(top, 1.1 * highest))}
    return canvas.finish(ax, "above", xlabel=_SHARE, ylabel="Lift (times the share of positives in all)", **limits)


def _draw_banded(
    ax: Any,
    curve: "Curve",
    x: Floats,
    y: Floats,
    style: canvas.CurveStyle,
    *,
    scale: Callable[[Floats], Floats] | None = None,
    start: float = -np.inf,
    **line: Any,
) -> None:
    """Draw the line of a curve over its band, if there is one, from x = `start` on; `scale` is that of the axes."""
    region, words = None, ""
    if not (style.band is None or curve.reason or curve.data.weights is not None or curve.data.groups is not None):
        limits = curve.band(style.level, simultaneous=style.simultaneous)
        region, words = outline(limits, start, scale), style.words("band")
    canvas.draw_curve(
        ax, *canvas.thinned(x, y, scale=scale), region=region, color=style.color, band=words, n=_samples(curve), **line
    )


def _samples(curve: "Curve") -> str:
    weight = " weight of" if curve.data.weights is not None else ""
    return f"{curve.positives:.10g}{weight} positives, {curve.negatives:.10g}{weight} negatives"


def band_start(curve: "Curve", x: Floats) -> float:
    """The x from which the band of a precision is drawn: that where ten samples, or a tenth of fewer, are called.

    Of fewer samples precision and lift are hardly known: the limits reach from one side of the picture to the other,
    and would hide its left edge. `band` has them all.
    """
    predicted_positive = curve.true_positives + curve.false_positives
    return float(np.min(x[predicted_positive >= min(_FEWEST_CALLED, 0.1 * predicted_positive.max())], initial=np.inf))


def _from_start(x: Floats, y: Floats, start: float) -> tuple[Floats, Floats]:
    """The part of a line, by increasing x, that begins at x = `start`."""
    if not len(x) or start <= x[0]:
        return x, y
    later = x > start
    return np.append(start, x[later]), np.append(np.interp(start, x, y), y[later])


def outline(
    limits: "Band", start: float = -np.inf, scale: Callable[[Floats], Floats] | None = None, columns: int = 4000
) -> tuple[Floats, Floats]:
    """The points around the region of a band from x = `start` on, as few of them as `thinned` leaves."""
    (lower_x, lower_y), (upper_x, upper_y) = (
        canvas.thinned(*_from_start(*line, start), scale=scale, columns=columns)
        for line in (limits.lower, limits.upper)
    )
    return np.concatenate((lower_x, upper_x[::-1])), np.concatenate((lower_y, upper_y[::-1]))


def _summary(style: canvas.CurveStyle, name: str, estimate: Any) -> str:
    """``"model: AUC 0.873 [0.842, 0.901]"``."""
    summary = f"{name} undefined"
    if not estimate.reason:
        interval = estimate.interval(style.level)
        summary = f"{name} {estimate.value:.3f}"
        if interval.defined:
            summary += f" [{interval.low:.3f}, {interval.high:.3f}]"
    return f"{style.label}: {summary}" if style.label else summary


def calibration(curve: "CalibrationCurve", ax: Any, style: canvas.CurveStyle, *, histogram: bool = True) -> Any:
    """Draw a calibration curve with the interval of each bin and, below it, how many samples the bins hold."""
    ax = canvas.new_axes(ax)
    # Intervals of several curves may stand in one place: thinner ones before thicker ones.
    width = max(2.4 - 0.7 * canvas.number_of(ax), 1.0)
    words, bars = "", None
    if style.band is not None:
        limits = curve.band(style.level, simultaneous=style.simultaneous)
        # Rounding may put a limit on the wrong side of the point by a last digit.
        bars = np.maximum([curve.prob_true - limits.low, limits.high - curve.prob_true], 0)
        words = style.words("intervals")
    line = canvas.draw_curve(
        ax,
        curve.prob_pred,
        curve.prob_true,
        name=style.label or "bins",
        color=style.color,
        band=words,
        n=plural(int(curve.counts.sum()), "sample"),
        marker="o",
        markersize=5,
    )
    if bars is not None:
        bar_style = {"fmt": "none", "ecolor": line.get_color(), "elinewidth": width, "capsize": 3, "alpha": 0.8}
        error_bars = ax.errorbar(curve.prob_pred, curve.prob_true, yerr=bars, zorder=2.5, **bar_style)
        error_bars.lines[2][0].set_gid("certus-band")
    canvas.reference(ax, [0, 1], [0, 1], "perfectly calibrated")
    low = -0.01 - (1.02 * _STRIP / (1 - _STRIP) + 0.03 if histogram else 0)
    ax.set(xlim=(-0.02, 1.02), ylim=(low, 1.02), yticks=np.linspace(0, 1, 6))
    if histogram:
        _histogram(ax, curve, line.get_color())
    xlabel = "Mean predicted probability of the bin"
    return canvas.finish(ax, "upper left", xlabel=xlabel, ylabel="Share that came true")


def _histogram(ax: Any, curve: "CalibrationCurve", color: Any) -> None:
    """Samples per bin, or per unit of probability where the bins are not of one width."""
    widths = np.diff(curve.edges)
    even = np.allclose(widths, widths[0])
    strip = next((child for child in ax.child_axes if child.get_gid() == "certus-histogram"), None)
    if strip is None:
        strip = ax.inset_axes((0, 0, 1, _STRIP), sharex=ax)
        strip.set_gid("certus-histogram")
        strip.yaxis.tick_right()
        strip.yaxis.set_label_position("right")
        strip.tick_params(axis="x", labelbottom=False, length=0)
        strip.tick_params(axis="y", labelsize=canvas.shrunk(ax, 8))
        strip.patch.set_alpha(0)
        canvas.hide_spines(strip, "left", "right", "bottom")
        strip.set_ylabel("samples" if even else "density", fontsize=canvas.shrunk(ax, 8))
        strip.yaxis.get_major_locator().set_params(nbins=2, integer=bool(even))
    heights = np.zeros(len(widths))
    heights[curve.bins] = curve.counts
    if not even:
        with np.errstate(divide="ignore", invalid="ignore"):
            heights = np.where(widths > 0, heights / widths / curve.counts.sum(), 0.0)
    strip.stairs(heights, curve.edges, color=color, fill=True, alpha=0.35)
    strip.stairs(heights, curve.edges, color=color, linewidth=1.0)
    top = max(float(heights.max()), strip.get_ylim()[1] if len(strip.patches) > 2 else 0.0)
    strip.set_ylim(0, top * 1.05)


def roc_points(points: Mapping[str, tuple[float, float]], ax: Any = None, *, mirror: bool = True) -> Any:
    """Draw classifiers as points in ROC space; one below the diagonal also mirrored, as if its answers were turned.

    The mirrored point is the one at (1 - FPR, 1 - TPR), opposite about the middle, with an apostrophe behind its name.

    Parameters
    ----------
    points
        False and true positive rate of each classifier by its name.
    ax
        The matplotlib axes to draw on; by default those of a new figure.
    mirror
        Whether to draw the mirrored points.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Raises
    ------
    DataError
        A rate is not a number from 0 to 1.
    """
    for name, rates in points.items():
        if not all(0 <= rate <= 1 for rate in rates):
            problem = f"has {rates!r} for {name!r}"
            raise DataError(problem, "give a false and a true positive rate from 0 to 1", argument="points")
    ax = canvas.new_axes(ax)
    for index, (name, (fpr, tpr)) in enumerate(points.items()):
        color = canvas.COLORS[index % len(canvas.COLORS)]
        _point(ax, fpr, tpr, canvas.printable_name(name), color, is_filled=True)
        if mirror and tpr < fpr:
            ax.plot([fpr, 1 - fpr], [tpr, 1 - tpr], color=color, linewidth=0.8, linestyle=":", zorder=2)
            _point(ax, 1 - fpr, 1 - tpr, f"{canvas.printable_name(name)}'", color, is_filled=False)
    canvas.reference(ax, [0, 1], [0, 1], "chance")
    return canvas.finish(ax, "lower right", **{**_ROC, "xlim": (-0.02, 1.02), "ylim": (-0.02, 1.02)})


def _point(ax: Any, fpr: float, tpr: float, name: str, color: str, *, is_filled: bool) -> None:
    (dot,) = ax.plot([fpr], [tpr], "o", color=color, markersize=8, zorder=3, clip_on=False)
    dot.set_markerfacecolor(color if is_filled else "white")
    dot.set_gid("certus-point")
    ax.annotate(name, (fpr, tpr), xytext=(7, 5), textcoords="offset points", fontsize=11)


def gini(fpr: Floats, tpr: Floats, ax: Any = None, *, coefficient: float, label: str = "") -> Any:
    """Draw the areas whose shares are the Gini coefficient: A between the ROC curve and the diagonal, B above it."""
    ax = canvas.new_axes(ax)
    canvas.draw_curve(ax, fpr, tpr, name=canvas.printable_name(label) or "ROC curve")
    inside = ax.fill(
        np.append(fpr, 0), np.append(tpr, 0), facecolor=canvas.COLORS[0], alpha=0.22, linewidth=0, zorder=1
    )
    upper_patches = ax.fill([0, *fpr, 0], [0, *tpr, 1], facecolor=canvas.COLORS[1], alpha=0.16, linewidth=0, zorder=1)
    for patches, gid in ((inside, "certus-gini-a"), (upper_patches, "certus-gini-b")):
        patches[0].set_gid(gid)
    middle_tpr = float(np.interp(0.5, fpr, tpr))
    if middle_tpr > 0.58:
        ax.text(0.5, (0.5 + middle_tpr) / 2, "A", ha="center", va="center", fontsize=15)
    ax.text(0.04, 0.94, "B", ha="left", va="center", fontsize=15)
    ax.text(0.68, 0.3, "C", ha="center", va="center", fontsize=15, color=canvas.GREY)
    canvas.reference(ax, [0, 1], [0, 1], "chance; C = 0.5 below it")
    ax.set_title(f"Gini = A / (A + B) = 2 AUC - 1 = {coefficient:.4g}", fontsize=11)
    return canvas.finish(ax, "lower right", **_ROC)
