"""The precision-recall curve as a picture."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.plot.canvas import (
    GREY,
    Kind,
    curve_label,
    draw_curve,
    finish,
    new_axes,
    number_of,
    polygon,
    reference,
    region_of,
    thinned,
)

if TYPE_CHECKING:
    from certus.curves import PrecisionRecallCurve

__all__ = ["precision_recall"]


def precision_recall(
    curve: "PrecisionRecallCurve",
    ax: Any = None,
    *,
    band: Kind = "pointwise",
    level: float = 0.95,
    label: str | None = None,
    color: Any = None,
    iso_f: Iterable[float] = (0.2, 0.4, 0.6, 0.8),
) -> Any:
    """Draw a precision-recall curve with its band, its average precision in the legend, and lines of equal F1.

    The curve is drawn in steps, whose area is the average precision. The dotted line is the precision of scores that
    say nothing: the share of positives.

    Parameters
    ----------
    curve
        From `certus.classification.precision_recall_curve`.
    ax, band, level, label, color
        As for `PrecisionRecallCurve.plot`.
    iso_f
        The values of F1 whose lines are drawn; none with ``()``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    ax = new_axes(ax, (6.3, 5.2))
    if not number_of(ax):
        _iso_lines(ax, iso_f)
    outline, words = region_of(curve, band, level)
    draw_curve(
        ax,
        *thinned(curve.recall, curve.precision),
        name=curve_label(label, "AP", curve.average_precision, level),
        color=color,
        region=None if outline is None else polygon(outline),
        band=words,
        drawstyle="steps-post",
    )
    share = curve.positives / (curve.positives + curve.negatives)
    reference(ax, [0, 1], [share, share], f"chance: share of positives {share:.3g}")
    ax.set_xlabel("Recall (share of positives called positive)")
    ax.set_ylabel("Precision (share of positives among those called so)")
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.02), aspect="equal")
    return finish(ax, _corner(ax))


def _iso_lines(ax: Any, values: Iterable[float]) -> None:
    """Lines of equal F1, named where they leave the picture on the right."""
    ends = {f: f / (2 - f) for f in values}
    for f, end in ends.items():
        recall = np.linspace(end, 1, 200)
        (line,) = ax.plot(recall, f * recall / (2 * recall - f), color="#c8c8c8", linewidth=0.8, zorder=0.5)
        line.set_gid("certus-iso-f")
    if ends:
        side = ax.secondary_yaxis("right")
        side.set_yticks(list(ends.values()), [f"F1 = {f:g}" for f in ends])
        side.tick_params(length=0, labelsize=8, labelcolor=GREY)


def _corner(ax: Any) -> str:
    """The place where the legend hides no line: below curves of high precision, above those of low precision."""
    for line in ax.lines:
        recall, precision = line.get_data()
        if line.get_gid() == "certus-curve" and (np.asarray(precision)[np.asarray(recall) < 0.75] < 0.3).any():
            return "upper right"
    return "lower left"
