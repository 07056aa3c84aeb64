"""The calibration curve as a picture."""

from typing import TYPE_CHECKING, Any

import numpy as np

from certus.plot.canvas import CurveStyle, draw_curve, finish, new_axes, number_of, reference
from certus.plot.fitting import shrunk
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.curves.calibration import CalibrationCurve


_STRIP = 0.17
"""The part of the height that the histogram takes."""


def calibration(curve: "CalibrationCurve", ax: Any, style: CurveStyle, *, histogram: bool = True) -> Any:
    """Draw a calibration curve with the interval of each bin and, below it, how many samples the bins hold."""
    ax = new_axes(ax)
    # Intervals of several curves may stand in one place: thinner ones before thicker ones.
    width = max(2.4 - 0.7 * number_of(ax), 1.0)
    words = ""
    bars = None
    if style.band is not None:
        limits = curve.band(style.level, simultaneous=style.simultaneous)
        # Rounding may put a limit on the wrong side of the point by a last digit.
        bars = np.maximum([curve.prob_true - limits.low, limits.high - curve.prob_true], 0)
        words = style.words("intervals")
    line = draw_curve(
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
        error_bars = ax.errorbar(
            curve.prob_pred,
            curve.prob_true,
            yerr=bars,
            fmt="none",
            ecolor=line.get_color(),
            elinewidth=width,
            capsize=3,
            alpha=0.8,
            zorder=2.5,
        )
        error_bars.lines[2][0].set_gid("certus-band")
    reference(ax, [0, 1], [0, 1], "perfectly calibrated")
    ax.set_xlabel("Mean predicted probability of the bin")
    ax.set_ylabel("Share that came true")
    low = -0.01 - (1.02 * _STRIP / (1 - _STRIP) + 0.03 if histogram else 0)
    ax.set(xlim=(-0.02, 1.02), ylim=(low, 1.02), yticks=np.linspace(0, 1, 6))
    if histogram:
        _histogram(ax, curve, line.get_color())
    return finish(ax, "upper left")


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
        strip.tick_params(axis="y", labelsize=shrunk(ax, 8))
        strip.patch.set_alpha(0)
        for side in ("left", "right", "bottom"):
            strip.spines[side].set_visible(False)
        strip.set_ylabel("samples" if even else "density", fontsize=shrunk(ax, 8))
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
