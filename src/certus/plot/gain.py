"""The cumulative gain curve as a picture."""

from typing import TYPE_CHECKING, Any

from certus.plot.canvas import Kind, curve_label, draw_curve, finish, new_axes, polygon, reference, region_of, thinned

if TYPE_CHECKING:
    from certus.curves import GainCurve

__all__ = ["gain"]


def gain(
    curve: "GainCurve",
    ax: Any = None,
    *,
    band: Kind = "pointwise",
    level: float = 0.95,
    label: str | None = None,
    color: Any = None,
) -> Any:
    """Draw a cumulative gain curve with its band, its gain capture, and the lines of chance and of a perfect ranking.

    Parameters
    ----------
    curve
        From `certus.classification.gain_curve`.
    ax, band, level, label, color
        As for `GainCurve.plot`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    ax = new_axes(ax)
    outline, words = region_of(curve, band, level)
    draw_curve(
        ax,
        *thinned(curve.share, curve.gain),
        name=curve_label(label, "gain capture", curve.capture, level),
        color=color,
        region=None if outline is None else polygon(outline),
        band=words,
    )
    share = curve.positives / (curve.positives + curve.negatives)
    reference(ax, [0, 1], [0, 1], "chance")
    reference(ax, [0, share, 1], [0, 1, 1], f"perfect: positives are {share:.3g} of all", "--")
    ax.set_xlabel("Share of samples looked at, highest scores first")
    ax.set_ylabel("Gain (share of positives found)")
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    return finish(ax, "lower right")
