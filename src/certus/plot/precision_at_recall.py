"""Precision at each level of recall, whose area is average precision, and average precision cut at each rank."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from certus.arrays import Floats
from certus.plot.canvas import draw_curve, finish, new_axes, printable_name, reference


def precision_at_recall(
    recall: Floats, precision: Floats, ax: Any = None, *, label: str = "", color: Any = None, fill: bool = True
) -> Any:
    """Draw precision as a step function of recall, with the area below it.

    Parameters
    ----------
    recall
        The levels at which a step ends, ascending.
    precision
        The precision from the level before (0 at first) up to each of these.
    label
        What the legend calls it.
    color
        Any matplotlib color; by default the next of a palette.
    fill
        Whether to shade the area.
    """
    ax = new_axes(ax, (5.6, 4.6))
    x = np.concatenate(([0.0], np.repeat(recall, 2)))[:-1]
    y = np.repeat(precision, 2)
    region = (np.concatenate(([0.0], x, [x[-1]])), np.concatenate(([0.0], y, [0.0]))) if fill else None
    draw_curve(ax, x, y, name=printable_name(label, 64), color=color, region=region)
    reference(ax, [0, 1], [1, 1], "the best possible")
    ax.set_xlabel("Recall")
    ax.set_ylabel("Precision where this recall is reached")
    ax.set(xlim=(-0.01, 1.01), ylim=(0, 1.05))
    return finish(ax, "best")


def average_precision_at(values: Mapping[str, Floats], ax: Any = None, *, title: str = "") -> Any:
    """Draw average precision of the first ranks against their number, a line for each denominator."""
    from matplotlib.ticker import MaxNLocator

    ax = new_axes(ax, (5.6, 4.6))
    for name, line in values.items():
        ranks = np.arange(1.0, len(line) + 1)
        draw_curve(
            ax, ranks, line, name=printable_name(name), color=None, drawstyle="steps-post", marker="o", markersize=3
        )
    ax.set_xlabel("Rank K")
    ax.set_ylabel("AP@K")
    ax.set_title(title, fontsize=11)
    ax.set(ylim=(-0.02, 1.05))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    return finish(ax, "best")
