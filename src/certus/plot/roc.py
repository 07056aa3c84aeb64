"""The ROC curve as a picture."""

from typing import TYPE_CHECKING, Any

from certus.plot.canvas import Kind, curve_label, draw_curve, finish, new_axes, polygon, reference, region_of, thinned

if TYPE_CHECKING:
    from certus.curves import RocCurve

__all__ = ["roc"]


def roc(
    curve: "RocCurve",
    ax: Any = None,
    *,
    band: Kind = "pointwise",
    level: float = 0.95,
    label: str | None = None,
    color: Any = None,
) -> Any:
    """Draw a ROC curve with its band, its AUC in the legend, and the diagonal of scores that say nothing.

    Parameters
    ----------
    curve
        From `certus.classification.roc_curve`.
    ax, band, level, label, color
        As for `RocCurve.plot`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    ax = new_axes(ax)
    outline, words = region_of(curve, band, level)
    draw_curve(
        ax,
        *thinned(curve.fpr, curve.tpr),
        name=curve_label(label, "AUC", curve.auc, level),
        color=color,
        region=None if outline is None else polygon(outline),
        band=words,
    )
    reference(ax, [0, 1], [0, 1], "chance")
    ax.set_xlabel("False positive rate (share of negatives called positive)")
    ax.set_ylabel("True positive rate (share of positives called positive)")
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    return finish(ax, "lower right")
