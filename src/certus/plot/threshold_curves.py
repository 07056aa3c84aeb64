"""Curves over thresholds as pictures: ROC, DET, precision-recall, cumulative gain and lift; see `Curve.plot`."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.arrays import Floats
from certus.plot.canvas import (
    GREY,
    CurveStyle,
    draw_curve,
    finish,
    new_axes,
    number_of,
    reference,
    thinned,
)

if TYPE_CHECKING:
    from certus.curves import Curve, DetCurve, GainCurve, LiftCurve, PrecisionRecallCurve, RocCurve


_FEWEST_CALLED = 10


def roc(curve: "RocCurve", ax: Any, style: CurveStyle) -> Any:
    """Draw a ROC curve with its band, its AUC in the legend, and the diagonal of scores that say nothing."""
    ax = new_axes(ax)
    name = _summary(style, "AUC", curve.auc)
    _draw_banded(ax, curve, curve.fpr, curve.tpr, style, name=name)
    reference(ax, [0, 1], [0, 1], "chance")
    ax.set_xlabel("False positive rate (share of negatives called positive)")
    ax.set_ylabel("True positive rate (share of positives called positive)")
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    return finish(ax, "lower right")


TICKS = (1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
_OUTSIDE = 1e-9
"""Rates of 0 and 1 lie infinitely far away; drawn here, the line runs out of the picture towards them."""


def det(curve: "DetCurve", ax: Any, style: CurveStyle) -> Any:
    """Draw a detection error trade-off curve with its band, both rates on a normal deviate scale.

    On that scale normally distributed scores of equal variance give a straight line. A rate of 0 lies infinitely far to
    the left or below: the line leaves the picture on its way there.
    """
    ax = new_axes(ax)
    old_limits = ax.get_xlim(), ax.get_ylim()
    first = not number_of(ax)
    ax.set_xscale("function", functions=(deviate, share))
    ax.set_yscale("function", functions=(deviate, share))
    name = style.label or "curve"
    _draw_banded(ax, curve, curve.fpr, curve.fnr, style, name=name, scale=deviate)
    chance = share(np.linspace(deviate(np.array(_OUTSIDE)), -deviate(np.array(_OUTSIDE)), 200))
    reference(ax, chance, 1 - chance, "chance")
    ax.set_xlabel("False positive rate (normal deviate scale)")
    ax.set_ylabel("False negative rate (normal deviate scale)")
    for axis, set_limits, rates, old in (
        (ax.xaxis, ax.set_xlim, curve.fpr, old_limits[0]),
        (ax.yaxis, ax.set_ylim, curve.fnr, old_limits[1]),
    ):
        low, high = _limits(rates)
        set_limits((low, high) if first else (min(low, old[0]), max(high, old[1])))
        _label(axis)
    return finish(ax, "upper right")


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
    curve: "PrecisionRecallCurve", ax: Any, style: CurveStyle, *, iso_f: Iterable[float] = (0.2, 0.4, 0.6, 0.8)
) -> Any:
    """Draw a precision-recall curve with its band, its average precision in the legend, and lines of equal F1.

    The curve is drawn in steps, whose area is the average precision. The dotted line is the precision of scores that
    say nothing: the share of positives. The band begins where ten samples are called positive, or a tenth of fewer than
    a hundred: of fewer the limits of precision reach from one side of the picture to the other.
    """
    ax = new_axes(ax, (6.3, 5.2))
    if not number_of(ax):
        _iso_lines(ax, iso_f)
    name = _summary(style, "AP", curve.average_precision)
    options: dict[str, Any] = {"start": _band_start(curve, curve.recall), "drawstyle": "steps-post"}
    _draw_banded(ax, curve, curve.recall, curve.precision, style, name=name, **options)
    share = curve.positives / (curve.positives + curve.negatives)
    reference(ax, [0, 1], [share, share], f"chance: share of positives {share:.3g}")
    ax.set_xlabel("Recall (share of positives called positive)")
    ax.set_ylabel("Precision (share of positives among those called so)")
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.02), aspect="equal")
    return finish(ax, _corner(ax))


def _iso_lines(ax: Any, values: Iterable[float]) -> None:
    """Lines of equal F1, named where they leave the picture on the right."""
    end_precisions = {f: f / (2 - f) for f in values}
    for f, end in end_precisions.items():
        recall = np.linspace(end, 1, 200)
        (line,) = ax.plot(recall, f * recall / (2 * recall - f), color="#c8c8c8", linewidth=0.8, zorder=0.5)
        line.set_gid("certus-iso-f")
    if end_precisions:
        side = ax.secondary_yaxis("right")
        side.set_yticks(list(end_precisions.values()), [f"F1 = {f:g}" for f in end_precisions])
        side.tick_params(length=0, labelsize=8, labelcolor=GREY)


def _corner(ax: Any) -> str:
    """The place where the legend hides no line: below curves of high precision, above those of low precision."""
    for line in ax.lines:
        recall, precision = line.get_data()
        if line.get_gid() == "certus-curve" and (np.asarray(precision)[np.asarray(recall) < 0.75] < 0.3).any():
            return "upper right"
    return "lower left"


def gain(curve: "GainCurve", ax: Any, style: CurveStyle) -> Any:
    """Draw a cumulative gain curve with its band, its gain capture and the lines of chance and of a perfect ranking."""
    ax = new_axes(ax)
    name = _summary(style, "gain capture", curve.capture)
    _draw_banded(ax, curve, curve.share, curve.gain, style, name=name)
    share = curve.positives / (curve.positives + curve.negatives)
    reference(ax, [0, 1], [0, 1], "chance")
    reference(ax, [0, share, 1], [0, 1, 1], f"perfect: positives are {share:.3g} of all", "--")
    ax.set_xlabel("Share of samples looked at, highest scores first")
    ax.set_ylabel("Gain (share of positives found)")
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    return finish(ax, "lower right")


def lift(curve: "LiftCurve", ax: Any, style: CurveStyle) -> Any:
    """Draw a lift curve with its band, between chance and a perfect ranking.

    The band begins where ten samples are called positive, or a tenth of fewer than a hundred.
    """
    ax = new_axes(ax, (6.2, 4.6))
    top = ax.get_ylim()[1] if number_of(ax) else 1.2
    name = style.label or "lift"
    start = _band_start(curve, curve.share)
    _draw_banded(ax, curve, curve.share, curve.lift, style, name=name, start=start)
    reference(ax, [0, 1], [1, 1], "chance")
    if curve.positives:
        share = curve.positives / (curve.positives + curve.negatives)
        depth = np.linspace(share, 1, 200)
        name = f"perfect: positives are {share:.3g} of all"
        reference(ax, np.append(0, depth), np.append(1 / share, 1 / depth), name, "--")
    ax.set_xlabel("Share of samples looked at, highest scores first")
    ax.set_ylabel("Lift (times the share of positives in all)")
    highest = float(np.nanmax(curve.lift)) if curve.positives else 1.0
    ax.set(xlim=(-0.01, 1.01), ylim=(0, max(top, 1.1 * highest)))
    return finish(ax, "above")


def _draw_banded(
    ax: Any,
    curve: "Curve",
    x: Floats,
    y: Floats,
    style: CurveStyle,
    *,
    scale: Callable[[Floats], Floats] | None = None,
    start: float = -np.inf,
    **line: Any,
) -> None:
    """Draw the line of a curve over its band, if there is one, from x = `start` on; `scale` is that of the axes."""
    region, words = None, ""
    if not (style.band is None or curve.reason or curve.data.weights is not None or curve.data.groups is not None):
        limits = curve.band(style.level, simultaneous=style.simultaneous)
        outline = (_from_start(*limits.lower, start), _from_start(*limits.upper, start))
        region, words = _polygon(outline, scale), style.words("band")
    draw_curve(ax, *thinned(x, y, scale=scale), region=region, color=style.color, band=words, n=_samples(curve), **line)


def _samples(curve: "Curve") -> str:
    weight = " weight of" if curve.data.weights is not None else ""
    return f"{curve.positives:.10g}{weight} positives, {curve.negatives:.10g}{weight} negatives"


def _band_start(curve: "Curve", x: Floats) -> float:
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


def _polygon(
    outline: tuple[tuple[Floats, Floats], tuple[Floats, Floats]], scale: Callable[[Floats], Floats] | None
) -> tuple[Floats, Floats]:
    """The region between two lines, as the points around it."""
    (lower_x, lower_y), (upper_x, upper_y) = (thinned(*line, scale=scale) for line in outline)
    return np.concatenate((lower_x, upper_x[::-1])), np.concatenate((lower_y, upper_y[::-1]))


def _summary(style: CurveStyle, name: str, estimate: Any) -> str:
    """``"model: AUC 0.873 [0.842, 0.901]"``."""
    summary = f"{name} undefined"
    if not estimate.reason:
        interval = estimate.interval(style.level)
        summary = f"{name} {estimate.value:.3f}"
        if interval.defined:
            summary += f" [{interval.low:.3f}, {interval.high:.3f}]"
    return f"{style.label}: {summary}" if style.label else summary
