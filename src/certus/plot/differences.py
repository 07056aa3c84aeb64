"""Differences between systems as pictures: with intervals, as a matrix of pairs, and unit by unit."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.arrays import Floats
from certus.errors import DataError, MetricNameError
from certus.plot.canvas import (
    COLORS,
    GREY,
    best_first,
    check_apart,
    chosen_metrics,
    draw_curve,
    finish,
    heading,
    pair_name,
    panels,
    printable_name,
    reference,
    short,
)
from certus.plot.fitting import fit, shrunk
from certus.plot.forest import SPACIOUS, draw_line, name_lines
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.arrays import Floats
    from certus.comparison import Comparison
    from certus.comparison.row import Difference


_STYLES = {
    "better": (COLORS[0], ">"),
    "worse": (COLORS[1], "<"),
    "higher": (COLORS[3], ">"),
    "lower": (COLORS[3], "<"),
    "tied within the margin": (COLORS[2], "s"),
    "not significant": (GREY, "o"),
    "undefined": (GREY, "o"),
}
"""Color and marker of each verdict: told apart in black and white, too."""


def differences(comparison: "Comparison", ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw each difference with its interval and its verdict, a line for each pair of systems."""
    metrics = chosen_metrics(comparison.metrics, metric, ax)
    by_metric = {name: [row for row in comparison.rows if row.metric == name] for name in metrics}
    names = {(row.system, row.baseline): _name(row, comparison.baseline) for row in comparison.rows}
    number = max(map(len, by_metric.values()))
    crowded = number > SPACIOUS
    if crowded:
        names = {pair: name.replace("\n", " ") for pair, name in names.items()}
    height = 0.16 if crowded else 0.46 if any("\n" in name for name in names.values()) else 0.34
    axes = panels(len(metrics), ax, (6.4, 1.3 + height * number))
    for panel, rows in zip(axes, by_metric.values(), strict=True):
        _forest(panel, rows, comparison, crowded)
        labels = [names[row.system, row.baseline] for row in rows]
        name_lines(panel, labels, 6.5 if crowded else 9)
    return axes[0]


def _name(row: "Difference", baseline: str | None) -> str:
    return pair_name(row.system, row.baseline) if baseline is None else short(row.system)


def _forest(ax: Any, rows: "list[Difference]", comparison: "Comparison", crowded: bool = False) -> None:
    ax.axvline(0, color=GREY, linestyle=":", linewidth=1.0, zorder=1).set_gid("certus-reference")
    if comparison.margin:
        band = ax.axvspan(-comparison.margin, comparison.margin, facecolor=GREY, alpha=0.13, linewidth=0, zorder=0)
        band.set_gid("certus-margin")
    for index, row in enumerate(rows):
        color, marker = _STYLES[row.verdict]
        # each line says its verdict itself: a legend would have to stand where there is no room
        text = "undefined" if isnan(row.difference) else f"{row.difference:+.4f}  {row.verdict}"
        draw_line(
            ax,
            index,
            row.difference,
            (row.low, row.high),
            text,
            color=color,
            marker=marker,
            size=4 if crowded else 7,
            crowded=crowded,
            gids=("certus-difference", "certus-verdict"),
        )
    ax.set_title(printable_name(rows[0].metric), fontsize=shrunk(ax, 11))
    ax.set_xlabel(_words(comparison, rows[0]), fontsize=shrunk(ax, 9))
    ax.tick_params(axis="x", labelsize=shrunk(ax, 9))
    ax.margins(x=0.08)
    ax.locator_params(axis="x", nbins=6 if shrunk(ax, 10) == 10 else 4)


def _words(comparison: "Comparison", row: "Difference") -> str:
    quantity = "Difference" if comparison.baseline is None else f"Difference to {short(comparison.baseline)}"
    parts = [f"{100 * comparison.level:g}% intervals", plural(row.n, row.unit)]
    if comparison.margin:
        parts.append(f"shaded: margin ±{comparison.margin:g}")
    if row.better == "lower":
        parts.append("lower is better")
    return f"{quantity}\n{', '.join(parts)}"


_WITH_NUMBERS = 12
"""Systems up to which each cell has its difference; of more a dot marks significant ones."""
_SIDE = (3.4, 7.2)
"""Least and greatest side of the matrix in inches."""


def difference_matrix(
    comparison: "Comparison", ax: Any = None, *, metric: str | None = None, colormap: str = "RdBu"
) -> Any:
    """Draw the difference of each pair of systems as a color, the best system first.

    A cell is the system of its row minus the system of its column. Differences that are significant after the correction
    have a bold number, of more than twelve systems a dot; those tied within a margin ``=``.
    """
    metrics = chosen_metrics(comparison.metrics, metric, ax)
    if comparison.baseline is not None:
        raise DataError("a matrix is of all pairs", "compare three or more systems without a baseline")
    longest = max(len(short(system)) for system in comparison.systems)
    side = float(np.clip(0.62 * len(comparison.systems), *_SIDE))
    axes = panels(len(metrics), ax, (side + 1.3 + 0.075 * longest, side + 0.9 + 0.06 * longest), across=1)
    for panel, name in zip(axes, metrics, strict=True):
        _draw(panel, comparison, name, colormap)
    return axes[0]


def _draw(ax: Any, comparison: "Comparison", metric: str, colormap: str) -> None:
    rows = [row for row in comparison.rows if row.metric == metric]
    better = rows[0].better
    values = {row.run: row.value for row in comparison.values.summary if row.metric == metric}
    names = best_first(values, better)
    index_by_name = {name: index for index, name in enumerate(names)}
    differences: Floats = np.full((len(names), len(names)), np.nan)
    marks = {}
    for row in rows:
        system_index, baseline_index = index_by_name[row.system], index_by_name[row.baseline]
        differences[system_index, baseline_index], differences[baseline_index, system_index] = (
            row.difference,
            -row.difference,
        )
        tied = row.verdict == "tied within the margin"
        marks[system_index, baseline_index] = marks[baseline_index, system_index] = (
            "=" if tied else "" if row.verdict in ("not significant", "undefined") else "*"
        )
    largest = float(np.nanmax(np.abs(differences), initial=0.0)) or 1.0
    # in colors as in numbers, above 0 is good where higher values are
    colors = f"{colormap}_r" if better == "lower" else colormap
    image = ax.imshow(differences, cmap=colors, vmin=-largest, vmax=largest, aspect="equal")
    image.set_gid("certus-matrix")
    numbers = len(names) <= _WITH_NUMBERS
    for (line, column), mark in marks.items():
        value = differences[line, column]
        number_text = ("undefined" if np.isnan(value) else f"{value:+z.3f}") if numbers else ""
        text = f"{number_text}{mark.replace('*', '')}" if numbers else mark.replace("*", "\u2022")
        if text:
            dark = abs(value) > 0.6 * largest
            ax.text(
                column,
                line,
                text,
                ha="center",
                va="center",
                fontsize=shrunk(ax, 8),
                fontweight="bold" if mark == "*" else "normal",
                color="white" if dark else "black",
                gid="certus-difference",
            )
    size = shrunk(ax, 9 if len(names) <= _WITH_NUMBERS else 7.5)
    labels = [short(name) for name in names]
    ax.set_xticks(range(len(names)), labels, rotation=45, ha="right", rotation_mode="anchor", fontsize=size)
    tick_labels = [f"{label}  {values[name]:.4f}" for label, name in zip(labels, names, strict=True)]
    ax.set_yticks(range(len(names)), tick_labels, fontsize=size)
    ax.tick_params(length=0)
    for edge in ax.spines.values():
        edge.set_visible(False)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.7)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=shrunk(ax, 8))
    bar.set_label("system of the row minus system of the column", fontsize=shrunk(ax, 8))
    mark_name = "bold" if numbers else "dot"
    equal = ", =: tied within the margin" if "=" in marks.values() else ""
    ax.set_title(heading(metric, better), fontsize=11)
    caption = f"{mark_name}: significant ({comparison.correction}, at {1 - comparison.level:.2g}){equal}"
    ax.set_xlabel(f"{caption}\n{plural(rows[0].n, rows[0].unit)}", fontsize=8, color=GREY)
    fit(ax)
    ax.tick_params(labelsize=size)


def unit_differences(
    comparison: "Comparison",
    ax: Any = None,
    *,
    metric: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> Any:
    """Draw the differences on single units, largest first: whether many units differ a little or a few a lot."""
    having = [name for name in comparison.metrics if name in comparison.per_unit]
    lacking = metric if metric in comparison.metrics else None if having else comparison.metrics[0]
    if lacking is not None and lacking not in having:
        raise DataError(f"{lacking} has no value for each unit, so there are no differences to sort")
    metrics = chosen_metrics(comparison.metrics if metric is not None else having, metric, ax)
    axes = panels(len(metrics), ax, (5.8, 4.4))
    for name, panel in zip(metrics, axes, strict=True):
        rows = _rows(comparison, name, pairs)
        for row in rows:
            label = short(row.system) if comparison.baseline is not None else pair_name(row.system, row.baseline)
            _draw_units(panel, row, label, comparison.per_unit[name], shaded=len(rows) == 1)
        reference(panel, [0, 1], [0, 0], "")
        panel.set_title(printable_name(name), fontsize=shrunk(panel, 11))
        size = len(comparison.per_unit[name][rows[0].system])
        units = plural(size, rows[0].unit if size == rows[0].n else "unit")
        panel.set_xlabel(f"Share of the {units}, largest difference first", fontsize=9)
        panel.set_ylabel("Difference" if comparison.baseline is None else f"Difference to {short(comparison.baseline)}")
        panel.set_xlim(-0.01, 1.01)
        finish(panel, "upper right")
    return axes[0]


def _rows(comparison: "Comparison", metric: str, pairs: Sequence[tuple[str, str]] | None) -> "list[Difference]":
    rows = {(row.system, row.baseline): row for row in comparison.rows if row.metric == metric}
    wanted = list(rows) if pairs is None else list(pairs)
    for pair in wanted:
        if pair not in rows:
            raise MetricNameError(f"the comparison has no pair {pair!r}", f"it has {', '.join(map(repr, rows))}")
    remedy = f"choose with pairs=[{wanted[0]!r}], or compare with a baseline"
    check_apart(len(wanted), "pairs", len(COLORS), remedy)
    return [rows[pair] for pair in wanted]


def _draw_units(ax: Any, row: "Difference", label: str, values: Mapping[str, Floats], shaded: bool) -> None:
    """A staircase with a step for each unit."""
    sorted_differences = np.sort(values[row.system] - values[row.baseline])[::-1]
    x = np.repeat(np.linspace(0, 1, len(sorted_differences) + 1), 2)[1:-1]
    y = np.repeat(sorted_differences, 2)
    if row.wins is not None:
        n_positive, n_negative = (row.losses, row.wins) if row.better == "lower" else (row.wins, row.losses)
        label += f": above {n_positive}, equal {row.ties}, below {n_negative}"
    region = (np.concatenate(([0.0], x, [1.0])), np.concatenate(([0.0], y, [0.0]))) if shaded else None
    draw_curve(ax, x, y, name=label, color=None, region=region)
