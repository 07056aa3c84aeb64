"""The law of a number as a picture."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from certus.core.arrays import Floats
from certus.plot.canvas import GREY, draw_curve, finish, mark, new_axes, number_of


def law(
    x: Floats,
    y: Floats,
    ax: Any = None,
    *,
    bars: bool = False,
    name: str = "exact law",
    color: Any = None,
    shaded: tuple[float, float] | None = None,
    curves: Sequence[tuple[Floats, Floats, str]] = (),
    marks: Sequence[tuple[float, str]] = (),
    xlabel: str = "Value",
    ylabel: str = "Density",
    title: str = "",
) -> Any:
    """Draw the probabilities or the density of a number, a part of it shaded, with approximations and marks."""
    ax = new_axes(ax, (6.4, 4.4))
    low, high = (np.inf, -np.inf) if shaded is None else shaded
    inside = (x >= low) & (x <= high)
    if bars:
        line = draw_curve(ax, x, y, name=name, color=color, marker="s", markersize=4, linestyle="none")
        style = {"color": line.get_color(), "linewidth": 0, "zorder": 2}
        # Narrow bars: the one at an end of the support shows next to nothing of its probability beyond that end.
        width = (
            min(0.8 * float(np.diff(x).min()), 0.02 * float(np.ptp(x))) if len(x) > 1 else 0.02 * max(abs(x[0]), 1.0)
        )
        ax.bar(x[~inside], y[~inside], width, alpha=0.25, gid="certus-bar", **style)
        ax.bar(x[inside], y[inside], width, alpha=0.7, gid="certus-shaded", **style)
    else:
        line = draw_curve(ax, x, y, name=name, color=color, linewidth=1.2)
        style = {"color": line.get_color(), "linewidth": 0}
        ax.fill_between(x, y, alpha=0.15, zorder=1, **style)
        if inside.any():
            ax.fill_between(x[inside], y[inside], alpha=0.6, zorder=2, gid="certus-shaded", **style)
    for across, up, label in curves:
        draw_curve(ax, across, up, name=label)
    for position, label in marks:
        mark(ax, position, label)
    ax.set_title(title, fontsize=11)
    # Room for the legend above all that is drawn.
    entries = 2 + len(curves) + len(marks)
    top = (1.04 + 0.085 * entries) * max(
        float(np.max(heights, initial=0.0)) for heights in (y, *(up for _, up, _ in curves))
    )
    ax.set_ylim(0, max(top, ax.get_ylim()[1] if number_of(ax) > 1 + len(curves) else 0.0) or 1.0)
    ax.grid(visible=True, axis="y", color=GREY, alpha=0.2, linewidth=0.6)
    return finish(ax, "upper right", xlabel=xlabel.replace("$", r"\$"), ylabel=ylabel)
