"""Hit lists as pictures."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from certus.arrays import Floats
from certus.plot.canvas import draw_curve, finish, new_axes, reference
from certus.plot.fitting import fit


def hit_list(
    hit_numbers: Floats, ranks: Floats, ax: Any = None, *, line: tuple[Floats, Floats] | None = None, title: str = ""
) -> Any:
    """Draw the rank of each hit against its place among the hits, and a line through the dots."""
    ax = new_axes(ax, (5.6, 4.6))
    name = "hits" if line is None else "hits; dashed: line of least squares"
    dots = draw_curve(ax, hit_numbers, ranks, name=name, color=None, marker="o", markersize=7)
    dots.set_linestyle("none")
    if line is not None:
        (fit_line,) = ax.plot(*line, color=dots.get_color(), linestyle=(0, (6, 3)), linewidth=1.2, zorder=2)
        fit_line.set_gid("certus-line")
    reference(ax, hit_numbers, hit_numbers, "a list of hits only")
    ax.set_xlabel("Place among the hits")
    ax.set_ylabel("Rank in the list")
    ax.set_title(title, fontsize=11)
    _integer_ticks(ax.xaxis)
    _integer_ticks(ax.yaxis)
    ax.margins(0.06)
    return finish(ax, "upper left")


def hit_list_scores(scores: Mapping[int, Floats], ax: Any = None, *, title: str = "") -> Any:
    """Draw the scores of hit lists, a column of dots for each length."""
    ax = new_axes(ax, (5.6, 4.6))
    lengths = np.repeat(np.array(list(scores), dtype=np.float64), [len(values) for values in scores.values()])
    dots = draw_curve(ax, lengths, np.concatenate(list(scores.values())), name="", color=None, marker="o", markersize=5)
    dots.set_linestyle("none")
    dots.set_alpha(0.7)
    for length, values in scores.items():
        (span,) = ax.plot(
            [length, length], [values.min(), values.max()], color=dots.get_color(), linewidth=1, alpha=0.4
        )
        span.set_gid("certus-span")
    ax.set_xlabel("Length p")
    ax.set_ylabel("Score s")
    ax.set_title(title, fontsize=11)
    _integer_ticks(ax.xaxis)
    fit(ax)
    return ax


def _integer_ticks(axis: Any) -> None:
    """Ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
