"""The lift curve as a picture."""

from typing import TYPE_CHECKING, Any

import numpy as np

from certus.plot.canvas import Kind, draw_curve, finish, new_axes, number_of, polygon, reference, region_of, thinned

if TYPE_CHECKING:
    from certus.curves import LiftCurve

__all__ = ["lift"]


def lift(
    curve: "LiftCurve",
    ax: Any = None,
    *,
    band: Kind = "pointwise",
    level: float = 0.95,
    label: str | None = None,
    color: Any = None,
) -> Any:
    """Draw a lift curve with its band, between chance and a perfect ranking.

    Parameters
    ----------
    curve
        From `certus.classification.lift_curve`.
    ax, band, level, label, color
        As for `LiftCurve.plot`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    ax = new_axes(ax, (6.2, 4.6))
    top = ax.get_ylim()[1] if number_of(ax) else 1.2
    outline, words = region_of(curve, band, level)
    draw_curve(
        ax,
        *thinned(curve.share, curve.lift),
        name=label or "lift",
        color=color,
        region=None if outline is None else polygon(outline),
        band=words,
    )
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
    return finish(ax, "upper right")
