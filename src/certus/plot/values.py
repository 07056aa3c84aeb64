"""The values of a table as pictures: with their intervals, and query by query."""

from collections.abc import Iterable, Sequence
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.errors import DataError, keyword
from certus.plot.canvas import (
    COLORS,
    GREY,
    MARKERS,
    check_apart,
    chosen_metrics,
    draw_curve,
    finish,
    panels,
    printable_name,
    short,
)
from certus.plot.fitting import fit, shrunk
from certus.plot.forest import SPACIOUS, caption, check_lines, draw_line, name_lines
from certus.printable import rounded_limits
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.table import PerQuery, Row, Table


_MOST_NAMED = 40
"""Queries up to which each is named."""
_BESIDE = 0.5
"""The part of the distance between two queries that their dots take."""


def values(table: "Table", ax: Any = None, *, metric: str | None = None, overall: "Iterable[Row]" = ()) -> Any:
    """Draw each value of a metric with its interval, a line for each system, subgroup or class.

    Subgroups stand below all samples together, whose interval is shaded; the largest gap between two of them stands at
    the axis, with limits that hold for all subgroups at once.
    """
    rows = [row for row in table.summary if row.query is None and row.metric != "Support"]
    lines = [row for row in rows if row.among is None]
    metrics = chosen_metrics(list(dict.fromkeys(row.metric for row in lines)), metric, ax, owner="table")
    runs = {row.run for row in lines}
    overall_rows = [row for row in overall if any(row.run == line.run for line in lines)]
    rows_by_metric = {
        name: [
            row
            for run in dict.fromkeys(row.run for row in lines)
            for row in (*overall_rows, *lines)
            if (row.run, row.metric) == (run, name)
        ]
        for name in metrics
    }
    names = {
        name: [_name(row, several=len(runs) > 1, grouped=bool(overall_rows)) for row in metric_rows]
        for name, metric_rows in rows_by_metric.items()
    }
    number = max(map(len, rows_by_metric.values()))
    check_lines(number, "systems, subgroups or classes")
    crowded = number > SPACIOUS
    longest = max(len(label) for labels in names.values() for label in labels)
    axes = panels(len(metrics), ax, (4.6 + 0.07 * longest, 1.3 + (0.16 if crowded else 0.34) * number))
    better = table.signature.get("better", {})
    for panel, name in zip(axes, metrics, strict=True):
        _forest(panel, rows_by_metric[name], names[name], crowded=crowded, shaded=len(runs) == 1)
        gaps = [row for row in rows if row.among == "largest gap" and row.metric == name]
        panel.set_xlabel("\n".join(_words(rows_by_metric[name], better.get(name), gaps)), fontsize=shrunk(panel, 9))
    return axes[0]


def _name(row: "Row", *, several: bool, grouped: bool) -> str:
    """The line of a row: its system where there are several, its subgroup and its class."""
    group = row.group if row.group is not None else "all samples" if grouped else None
    class_name = row.label if row.label is not None else row.average
    parts = [
        part
        for part in (row.run if several or (group is None and class_name is None) else None, group, class_name)
        if part
    ]
    return ": ".join(map(short, parts))


def _forest(ax: Any, rows: "Sequence[Row]", names: Sequence[str], *, crowded: bool, shaded: bool) -> None:
    is_grouped = any(row.group is None for row in rows) and any(row.group is not None for row in rows)
    for index, row in enumerate(rows):
        is_overall = is_grouped and row.group is None
        color = "black" if is_overall else COLORS[0]
        low, high = (np.nan if limit is None else limit for limit in (row.low, row.high))
        limited = isfinite(low) and isfinite(high)
        if is_overall and shaded and limited:
            ax.axvspan(low, high, facecolor=GREY, alpha=0.13, linewidth=0, zorder=0).set_gid("certus-whole")
        text = "undefined" if isnan(row.value) else f"{row.value:.4f}"
        text += f" [{', '.join(rounded_limits(low, high))}]" if limited else ""
        draw_line(
            ax,
            index,
            row.value,
            (low, high),
            text,
            color=color,
            marker="D" if is_overall else "o",
            size=4 if crowded else 6,
            crowded=crowded,
            gids=("certus-value", "certus-said"),
        )
    ax.set_title(printable_name(rows[0].metric, 64))
    fit(ax)
    name_lines(ax, names, 6.5 if crowded else 9)
    ax.tick_params(axis="x", labelsize=shrunk(ax, 9))
    ax.margins(x=0.08)
    ax.locator_params(axis="x", nbins=4)


def _words(rows: "Sequence[Row]", better: str | None, gaps: "Sequence[Row]") -> list[str]:
    """The caption: the intervals, the number of units, and the largest gap of each system."""
    level = next((row.level for row in rows if row.level is not None), None)
    sizes = [row.n for row in rows if row.group is None] or [row.n for row in rows]
    lines = [caption(level, sizes, rows[0].unit) + (", lower is better" if better == "lower" else "")]
    for gap in gaps:
        limits = (
            ""
            if gap.low is None or isnan(gap.low) or gap.high is None
            else f" [{', '.join(rounded_limits(gap.low, gap.high))}]"
        )
        prefix = f"{short(gap.run)}: " if len(gaps) > 1 else ""
        lines.append(f"{prefix}largest gap {gap.value:.4f}{limits}")
        if gap.subgroup is not None and gap.versus is not None:
            lines.append(f"{short(gap.subgroup)} − {short(gap.versus)}")
    return lines


def per_query(table: "Table", ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw the value of each query, a dot for each system; the queries in the order of their mean over the systems."""
    having = list(dict.fromkeys(single.metric for single in table.single))
    if not having:
        raise DataError("the table has no values of single queries", f"evaluate with {keyword('per_query', True)}")
    metrics = chosen_metrics(having, metric, ax, owner="table")
    axes = panels(len(metrics), ax, (6.4, 4.0))
    for panel, name in zip(axes, metrics, strict=True):
        systems = [single for single in table.single if single.metric == name]
        check_apart(len(systems), "systems", len(MARKERS), "evaluate fewer")
        _draw_queries(panel, name, systems)
    return axes[0]


def _draw_queries(ax: Any, metric: str, systems: "Sequence[PerQuery]") -> None:
    names = list(dict.fromkeys(query for system in systems for query in system.queries))
    index_by_query = {query: index for index, query in enumerate(names)}
    matrix = np.full((len(systems), len(names)), np.nan)
    for line, system in enumerate(systems):
        matrix[line, [index_by_query[query] for query in system.queries]] = list(system.values)
    is_defined = np.isfinite(matrix)
    count = is_defined.sum(0)
    means = np.where(is_defined, matrix, 0.0).sum(0) / np.maximum(count, 1)
    order = sorted(range(len(names)), key=lambda index: (count[index] == 0, -means[index], names[index]))
    x = np.arange(1.0, len(names) + 1)
    beside = _BESIDE / len(systems) if len(names) <= _MOST_NAMED else 0.0
    for line, system in enumerate(systems):
        left_out = len(names) - int(is_defined[line].sum())
        mean = f"{matrix[line][is_defined[line]].mean():.4f}" if is_defined[line].any() else "undefined"
        name = f"{short(system.run)}: mean {mean}" + (f", {left_out} without a value" if left_out else "")
        marker: dict[str, Any] = {"marker": MARKERS[line], "markersize": 6 if len(names) <= _MOST_NAMED else 3.5}
        markers = draw_curve(
            ax, x + (line - (len(systems) - 1) / 2) * beside, matrix[line, order], name=name, color=None, **marker
        )
        markers.set_linestyle("none")
        markers.set_alpha(0.75)
    unit = systems[0].unit
    ax.set_xlabel(f"{plural(len(names), unit)}, {'best' if len(systems) == 1 else 'highest mean'} first")
    ax.set_ylabel(printable_name(metric, 64))
    ax.set_xlim(0, len(names) + 1)
    size = shrunk(ax, 8 if len(names) <= 20 else 6.5)
    finish(ax, "above" if len(systems) > 1 or len(names) > _MOST_NAMED else "upper right")
    if len(names) <= _MOST_NAMED:
        ax.set_xticks(x, [short(names[index]) for index in order], rotation=90, fontsize=size)
