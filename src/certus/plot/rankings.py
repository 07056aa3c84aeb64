"""Rankings as pictures: metrics by rank and by recall, gains of queries, and lists of hits."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.plot import canvas
from certus.statistic.common import plural

_BESIDE = 0.6
"""The part of the distance between two whole numbers that markers of several systems take."""
_LONGEST = 64
"""Letters of an entry of the legend."""
_MARKED = 30
"""Places up to which each has a marker."""


def metric_curve(
    positions: Floats,
    lines: Mapping[str, Floats],
    ax: Any = None,
    *,
    at: str = "rank",
    limits: Mapping[str, tuple[Floats, Floats]] = {},
    shares: Collection[str] = (),
    band: str = "",
    n: str = "",
    ylabel: str = "Value",
) -> Any:
    """Draw metrics against ranks or levels of recall, each with the region of its intervals."""
    ax = canvas.new_axes(ax, (6.0, 4.6))
    right = ax.twinx() if 0 < len(shares) < len(lines) else None
    for index, (name, values) in enumerate(lines.items()):
        low, high = limits.get(name, (np.array([np.nan]), np.array([np.nan])))
        has_limits = not np.isnan([*low, *high]).any()
        region = ([*positions, *positions[::-1]], [*low, *high[::-1]]) if has_limits else None
        aside = right is not None and name in shares
        canvas.draw_curve(
            right if aside else ax,
            positions,
            values,
            name=f"{canvas.printable_name(name, _LONGEST)} (right)" if aside else canvas.printable_name(name, _LONGEST),
            color=canvas.COLORS[index % len(canvas.COLORS)] if right is not None else None,
            region=region,
            band=band if has_limits else "",
            n=n,
            marker="o",
            markersize=4 if len(positions) <= _MARKED else 0,
        )
    if at == "rank":
        canvas.integer_ticks(ax.xaxis)
    if right is not None:
        ax.set_ylim(bottom=0)
        right.set(ylim=(0, 1.05))
        canvas.fit(right)
    elif len(shares) == len(lines):
        ax.set(ylim=(-0.02, 1.05))
    xlabel = "Rank k" if at == "rank" else "Recall"
    return canvas.finish(ax, "upper right", right, xlabel=xlabel, ylabel=canvas.printable_name(ylabel))


def precision_at_recall(
    recall: Floats, precision: Floats, ax: Any = None, *, label: str = "", color: Any = None, fill: bool = True
) -> Any:
    """Draw precision as a step function of recall, with the area below it."""
    ax = canvas.new_axes(ax, (5.6, 4.6))
    x = np.concatenate(([0.0], np.repeat(recall, 2)))[:-1]
    y = np.repeat(precision, 2)
    region = ([0.0, *x, x[-1]], [0.0, *y, 0.0]) if fill else None
    canvas.draw_curve(ax, x, y, name=canvas.printable_name(label, 64), color=color, region=region)
    canvas.reference(ax, [0, 1], [1, 1], "the best possible")
    ylabel = "Precision where this recall is reached"
    return canvas.finish(ax, "best", xlabel="Recall", ylabel=ylabel, xlim=(-0.01, 1.01), ylim=(0, 1.05))


def average_precision_at(values: Mapping[str, Floats], ax: Any = None, *, title: str = "") -> Any:
    """Draw average precision of the first ranks against their number, a line for each denominator."""
    ax = canvas.new_axes(ax, (5.6, 4.6))
    for name, line in values.items():
        ranks = np.arange(1.0, len(line) + 1)
        canvas.draw_curve(
            ax, ranks, line, name=canvas.printable_name(name), drawstyle="steps-post", marker="o", markersize=3
        )
    ax.set_title(title, fontsize=11)
    canvas.integer_ticks(ax.xaxis)
    return canvas.finish(ax, "best", xlabel="Rank K", ylabel="AP@K", ylim=(-0.02, 1.05))


def gains(
    relevant: Floats,
    gained: Mapping[str, Floats],
    ax: Any = None,
    *,
    ideal: Floats | None = None,
    ylabel: str = "Cumulative gain",
) -> Any:
    """Draw the gain of each query against the number of its relevant documents, a marker for each system.

    The larger the area of a marker, the more queries stand there; the markers of several systems stand side by side. A
    dash is the ideal gain, that of all relevant documents: where each has grade 1, their number.
    """
    for name, values in {**gained, **({} if ideal is None else {"ideal": ideal})}.items():
        if len(values) != len(relevant):
            raise DataError(f"{name!r} has {plural(len(values), 'gain')} for {plural(len(relevant), 'query')}")
    canvas.check_apart(len(gained), "systems", len(canvas.MARKERS), "draw fewer")
    ax = canvas.new_axes(ax, (6.0, 4.6))
    points_by_system = {}
    for name, values in gained.items():
        is_defined = np.isfinite(values)
        points, count = np.unique(
            np.column_stack((relevant[is_defined], values[is_defined])), axis=0, return_counts=True
        )
        points_by_system[name] = points, count, int(is_defined.sum())
    largest_count = max((int(count.max(initial=1)) for _, count, _ in points_by_system.values()), default=1)
    largest = f"; largest marker: {largest_count}"
    for index, (name, (points, count, n)) in enumerate(points_by_system.items()):
        x = points[:, 0] + (index - (len(points_by_system) - 1) / 2) * _BESIDE / len(points_by_system)
        # one for the legend; the markers have areas of their own
        style: dict[str, Any] = {"markersize": 5, "markerfacecolor": "none", "linestyle": "none", "markevery": []}
        numbers, marker = plural(n, "query") + largest, canvas.MARKERS[index]
        line = canvas.draw_curve(ax, x, points[:, 1], name=canvas.short(name), n=numbers, marker=marker, **style)
        style = {"marker": marker, "facecolor": "none", "edgecolor": line.get_color(), "gid": "certus-gains"}
        ax.scatter(x, points[:, 1], 6 + (canvas.shrunk(ax, 10) * 1.4) ** 2 * count / largest_count, **style)
    if ideal is not None:
        best = np.unique(np.column_stack((relevant, ideal)), axis=0)
        style = {"marker": "_", "markersize": canvas.shrunk(ax, 28), "markeredgewidth": 1.2}
        canvas.reference(ax, best[:, 0], best[:, 1], "ideal gain", "none", **style)
    canvas.integer_ticks(ax.xaxis)
    ax.margins(0.08)
    xlabel = "Relevant documents of the query"
    return canvas.finish(ax, "upper left", xlabel=xlabel, ylabel=canvas.printable_name(ylabel, 64))


def hit_list(
    hit_numbers: Floats, ranks: Floats, ax: Any = None, *, line: tuple[Floats, Floats] | None = None, title: str = ""
) -> Any:
    """Draw the rank of each hit against its place among the hits, and a line through the dots."""
    ax = canvas.new_axes(ax, (5.6, 4.6))
    name = "hits" if line is None else "hits; dashed: line of least squares"
    dots = canvas.draw_curve(ax, hit_numbers, ranks, name=name, marker="o", markersize=7, linestyle="none")
    if line is not None:
        ax.plot(*line, color=dots.get_color(), linestyle=(0, (6, 3)), linewidth=1.2, zorder=2, gid="certus-line")
    canvas.reference(ax, hit_numbers, hit_numbers, "a list of hits only")
    ax.set_title(title, fontsize=11)
    canvas.integer_ticks(ax.xaxis)
    canvas.integer_ticks(ax.yaxis)
    ax.margins(0.06)
    return canvas.finish(ax, "upper left", xlabel="Place among the hits", ylabel="Rank in the list")


def hit_list_scores(scores: Mapping[int, Floats], ax: Any = None, *, title: str = "") -> Any:
    """Draw the scores of hit lists, a column of dots for each length."""
    ax = canvas.new_axes(ax, (5.6, 4.6))
    lengths = np.repeat(np.array(list(scores), dtype=np.float64), [len(values) for values in scores.values()])
    style: dict[str, Any] = {"marker": "o", "markersize": 5, "linestyle": "none", "alpha": 0.7}
    dots = canvas.draw_curve(ax, lengths, np.concatenate(list(scores.values())), name="", **style)
    for length, values in scores.items():
        ends = values.min(), values.max()
        ax.plot([length, length], ends, color=dots.get_color(), linewidth=1, alpha=0.4, gid="certus-span")
    ax.set(xlabel="Length p", ylabel="Score s")
    ax.set_title(title, fontsize=11)
    canvas.integer_ticks(ax.xaxis)
    canvas.fit(ax)
    return ax
