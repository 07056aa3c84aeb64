"""Classifiers as points in ROC space, and the areas of the Gini coefficient."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from certus.arrays import Floats
from certus.errors import DataError
from certus.plot.canvas import COLORS, GREY, draw_curve, finish, new_axes, printable_name, reference

_X = "False positive rate (share of negatives called positive)"
_Y = "True positive rate (share of positives called positive)"


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
            raise DataError(
                f"has {rates!r} for {name!r}", "give a false and a true positive rate from 0 to 1", argument="points"
            )
    ax = new_axes(ax)
    for index, (name, (fpr, tpr)) in enumerate(points.items()):
        color = COLORS[index % len(COLORS)]
        _point(ax, fpr, tpr, printable_name(name), color, is_filled=True)
        if mirror and tpr < fpr:
            ax.plot([fpr, 1 - fpr], [tpr, 1 - tpr], color=color, linewidth=0.8, linestyle=":", zorder=2)
            _point(ax, 1 - fpr, 1 - tpr, f"{printable_name(name)}'", color, is_filled=False)
    reference(ax, [0, 1], [0, 1], "chance")
    ax.set_xlabel(_X)
    ax.set_ylabel(_Y)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    return finish(ax, "lower right")


def _point(ax: Any, fpr: float, tpr: float, name: str, color: str, *, is_filled: bool) -> None:
    (dot,) = ax.plot([fpr], [tpr], "o", color=color, markersize=8, zorder=3, clip_on=False)
    dot.set_markerfacecolor(color if is_filled else "white")
    dot.set_gid("certus-point")
    ax.annotate(name, (fpr, tpr), xytext=(7, 5), textcoords="offset points", fontsize=11)


def gini(fpr: Floats, tpr: Floats, ax: Any = None, *, coefficient: float, label: str = "") -> Any:
    """Draw the areas whose shares are the Gini coefficient: A between the ROC curve and the diagonal, B above it.

    Parameters
    ----------
    fpr, tpr
        The points of the curve, ascending.
    ax
        The matplotlib axes to draw on; by default those of a new figure.
    coefficient
        A / (A + B), which stands in the title.
    label
        What the legend calls the curve.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.
    """
    ax = new_axes(ax)
    draw_curve(ax, fpr, tpr, name=printable_name(label) or "ROC curve", color=None)
    inside = ax.fill(np.append(fpr, 0), np.append(tpr, 0), facecolor=COLORS[0], alpha=0.22, linewidth=0, zorder=1)
    upper_patches = ax.fill([0, *fpr, 0], [0, *tpr, 1], facecolor=COLORS[1], alpha=0.16, linewidth=0, zorder=1)
    for patches, gid in ((inside, "certus-gini-a"), (upper_patches, "certus-gini-b")):
        patches[0].set_gid(gid)
    middle_tpr = float(np.interp(0.5, fpr, tpr))
    if middle_tpr > 0.58:
        ax.text(0.5, (0.5 + middle_tpr) / 2, "A", ha="center", va="center", fontsize=15)
    ax.text(0.04, 0.94, "B", ha="left", va="center", fontsize=15)
    ax.text(0.68, 0.3, "C", ha="center", va="center", fontsize=15, color=GREY)
    reference(ax, [0, 1], [0, 1], "chance; C = 0.5 below it")
    ax.set_xlabel(_X)
    ax.set_ylabel(_Y)
    ax.set_title(f"Gini = A / (A + B) = 2 AUC - 1 = {coefficient:.4g}", fontsize=11)
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    return finish(ax, "lower right")
