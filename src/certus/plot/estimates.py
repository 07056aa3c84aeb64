"""Values with their intervals, one below the other; a mean among the values of its units; values query by query."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError, keyword
from certus.core.printable import rounded_limits
from certus.plot import canvas
from certus.statistic import Mean, Quantile
from certus.statistic.common import plural
from certus.statistic.folds import Folds

if TYPE_CHECKING:
    from certus.inference import Estimate, Interval
    from certus.table import PerQuery, Row, Table


SPACIOUS = 30
"""Lines up to which each has room for letters of full size; the picture of more of them still fits a page."""
_MAX_LINES = 64
"""More do not fit a page."""
_BINS = 20
_SHARED_BIN = 2 * _BINS
"""Values nearer to each other than this part of their range have no bars of their own."""
_MAX_NAMES = 40
"""Queries up to which each is named."""
_BESIDE = 0.5
"""The part of the distance between two queries that their dots take."""


class Line(NamedTuple):
    """A value with its interval, if it has one, and the text to the right of the axes."""

    value: float
    limits: tuple[float, float]
    text: str
    color: str = canvas.COLORS[0]
    marker: str = "o"


def draw_lines(
    ax: Any, lines: Sequence[Line], names: Sequence[str], gids: tuple[str, str], *, size: float = 6, crowded: bool
) -> None:
    """Draw values one below the other, each with its name; `size` is a marker's, `gids` are its own and its text's."""
    for position, line in enumerate(lines):
        if all(map(isfinite, line.limits)):
            width = 1.2 if crowded else 1.8
            ax.plot(line.limits, [position, position], color=line.color, linewidth=width, zorder=2, gid="certus-band")
        (dot,) = ax.plot([line.value], [position], color=line.color, marker=line.marker, linestyle="", zorder=3)
        dot.set(markersize=4 if crowded else size, gid=gids[0])
        ax.text(
            1.02,
            position,
            line.text,
            color=line.color,
            fontsize=canvas.shrunk(ax, 6.5 if crowded else 8),
            gid=gids[1],
            transform=ax.get_yaxis_transform(),
            ha="left",
            va="center",
        )
    name_lines(ax, names, 6.5 if crowded else 9)
    ax.tick_params(axis="x", labelsize=canvas.shrunk(ax, 9))
    ax.margins(x=0.08)
    ax.locator_params(axis="x", nbins=4)


def name_lines(ax: Any, names: Sequence[str], points: float) -> None:
    """Write the name of each line at the left, the first one at the top, in letters of that size where they fit."""
    ax.set_yticks(range(len(names)), names, fontsize=canvas.shrunk(ax, points))
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    canvas.hide_spines(ax, "left", "right", "top")


def _size(names: Iterable[Sequence[str]], noun: str) -> tuple[tuple[float, float], bool]:
    """The size of a picture of lines with these names in inches, and whether they are crowded."""
    parts = list(names)
    number = max(map(len, parts))
    if number > _MAX_LINES:
        raise CertusError(f"{number} lines do not fit on a page, at most {_MAX_LINES} do", f"draw fewer {noun}")
    crowded = number > SPACIOUS
    longest = max(len(name) for part in parts for name in part)
    return (4.6 + 0.07 * longest, 1.3 + (0.16 if crowded else 0.34) * number), crowded


def _caption(level: float | None, sizes: Sequence[int], unit: str, *, several: bool = True) -> str:
    """The level of the intervals, if there are any, and the number of units: ``"95% intervals, 3 to 5 queries"``."""
    smallest, largest = min(sizes), max(sizes)
    units = plural(largest, unit) if smallest == largest else f"{smallest} to {plural(largest, unit)}"
    return units if level is None else f"{100 * level:g}% interval{'s' if several else ''}, {units}"


def estimates(show_values: "Mapping[Any, Estimate]", ax: Any = None) -> Any:
    """Draw each estimate with its interval on a line, or a single one among the values of its units.

    A mean, the mean of folds and a quantile are drawn as a vertical line, the interval shaded, before a histogram of
    the values they are made of. All others, and several estimates, are lines one below the other. A grey line below an
    estimate is its range over what the data leave open.

    Parameters
    ----------
    show_values
        The estimates by name.
    ax
        The matplotlib axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on.

    Raises
    ------
    DataError
        There are no estimates, or none of them has a finite value.
    CertusError
        There are more than a picture can show.

    Examples
    --------
    >>> from certus import classification
    >>> recall = classification.recall(["a", "a", "b", "b"], ["a", "b", "b", "b"], average=None)
    >>> ax = estimates(recall)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b']
    """
    if not show_values:
        raise DataError("there are no estimates to draw")
    if not any(isfinite(estimate.value) for estimate in show_values.values()):
        name, estimate = next(iter(show_values.items()))
        raise DataError(f"{name or 'the estimate'} has no finite value to draw: {estimate.reason or estimate.value}")
    intervals = {name: estimate.interval() for name, estimate in show_values.items()}
    if len(show_values) == 1:
        ((name, estimate),) = show_values.items()
        unit_values = _units(estimate)
        if unit_values is not None:
            return _draw_histogram(canvas.new_axes(ax, (6.0, 4.2)), str(name), estimate, intervals[name], unit_values)
    names = [canvas.short(str(name)) for name in show_values]
    size, crowded = _size([names], "estimates")
    ax = canvas.new_axes(ax, size)
    lines = []
    for index, (name, estimate) in enumerate(show_values.items()):
        if estimate.range is not None:
            style: dict[str, Any] = {
                "color": canvas.GREY,
                "linewidth": 1.2,
                "marker": "|",
                "markersize": 4,
                "zorder": 2,
            }
            ax.plot(estimate.range, [index + 0.25] * 2, gid="certus-range", **style)
        interval = intervals[name]
        lines.append(Line(estimate.value, (interval.low, interval.high), _value_text(estimate, interval)))
    ax.set_xlabel(_estimates_caption(show_values, intervals), fontsize=canvas.shrunk(ax, 9))
    canvas.fit(ax)
    draw_lines(ax, lines, names, ("certus-value", "certus-said"), crowded=crowded)
    return ax


def _units(estimate: "Estimate") -> Floats | None:
    """Values of the units, if they lie on the scale of the estimate; otherwise None."""
    statistic = estimate.statistic
    if isinstance(statistic, Quantile):
        values = statistic.values if statistic.weights is None and statistic.groups is None else None
    else:
        is_total = isinstance(statistic, Mean) and statistic.total
        values = statistic.values if isinstance(statistic, Mean | Folds) and not is_total else None
    return values if values is not None and len(values) > 1 and np.isfinite(values).all() else None


def _draw_histogram(ax: Any, name: str, estimate: "Estimate", interval: "Interval", values: Floats) -> Any:
    """The value and its interval before a histogram of the units' values."""
    distinct, counts = np.unique(values, return_counts=True)
    gap = float(np.diff(distinct).min(initial=np.inf))
    span = float(np.ptp(distinct))
    if gap * _SHARED_BIN >= span:  # a bar for each value: in bins, multiples of 0.1 would fall on edges
        width = min(0.8 * gap, span / 10) if isfinite(gap) else max(abs(float(distinct[0])), 1.0) / _BINS
        left = distinct - width / 2
    else:
        ends = float(distinct[0]), float(distinct[-1])
        lowest, highest = estimate.bounds if all(map(isfinite, estimate.bounds)) else ends
        counts, edges = np.histogram(values, _BINS, (min(lowest, ends[0]), max(highest, ends[1])))
        left, width = edges[:-1], float(edges[1] - edges[0])
    ax.bar(left, counts, width, align="edge", color=canvas.GREY, alpha=0.35, linewidth=0, zorder=1, gid="certus-bar")
    limits = (interval.low, interval.high) if all(map(isfinite, interval)) else None
    canvas.mark(
        ax, estimate.value, f"{canvas.printable_name(name, 40) or 'value'} {_value_text(estimate, interval)}", limits
    )
    for end in estimate.range or ():
        ax.axvline(end, color=canvas.GREY, linestyle=":", linewidth=1.0, zorder=3, gid="certus-range")
    canvas.integer_ticks(ax.yaxis)
    caption = _estimates_caption({name: estimate}, {name: interval})
    ylabel = plural(2, estimate.unit).partition(" ")[2].capitalize()
    return canvas.finish(ax, "upper right", xlabel=f"Value of a {estimate.unit}\n{caption}", ylabel=ylabel)


def _value_text(estimate: "Estimate", interval: "Interval") -> str:
    if estimate.reason:
        return "undefined"
    numbers = [estimate.value, *interval] if interval.defined else [estimate.value]
    spec = ".0f" if max(numbers) > 1 and all(float(number).is_integer() for number in numbers) else ".4f"
    limits = f" [{interval.low:{spec}}, {interval.high:{spec}}]" if interval.defined else ""
    return f"{estimate.value:{spec}}{limits}"


def _estimates_caption(by_name: "Mapping[Any, Estimate]", intervals: "Mapping[Any, Interval]") -> str:
    """The intervals and the number of units, what is to be known of a single interval, and the ranges."""
    first, is_single = next(iter(by_name.values())), len(by_name) == 1
    level = next((interval.level for interval in intervals.values() if interval.defined), None)
    lines = [_caption(level, [estimate.n for estimate in by_name.values()], first.unit, several=not is_single)]
    reason = next(iter(intervals.values())).reason
    if level is None:
        lines.append(f"no interval: {reason}")
    elif is_single and reason:
        lines.append(reason)
    range_sources = {estimate.range_of for estimate in by_name.values() if estimate.range is not None}
    if is_single and first.range is not None:
        low, high = first.range
        lines.append(f"{low:.4f} to {high:.4f} over {first.range_of}")
    elif range_sources:
        lines.append(f"grey: range over {' and '.join(sorted(map(str, range_sources)))}")
    return "\n".join(lines)


def values(table: "Table", ax: Any = None, *, metric: str | None = None, overall: "Iterable[Row]" = ()) -> Any:
    """Draw each value of a metric with its interval, a line for each system, subgroup or class.

    Subgroups stand below all samples together, whose interval is shaded; the largest gap between two of them stands at
    the axis, with limits that hold for all subgroups at once.
    """
    rows = [row for row in table.summary if row.query is None and row.metric != "Support"]
    single = [row for row in rows if row.among is None]
    metrics = canvas.chosen_metrics(list(dict.fromkeys(row.metric for row in single)), metric, ax, owner="table")
    runs = list(dict.fromkeys(row.run for row in single))
    pooled = [row for row in overall if row.run in runs]
    rows_by_metric = {
        name: [row for run in runs for row in (*pooled, *single) if (row.run, row.metric) == (run, name)]
        for name in metrics
    }
    names = {
        name: [_name(row, has_runs=len(runs) > 1, has_pooled=bool(pooled)) for row in metric_rows]
        for name, metric_rows in rows_by_metric.items()
    }
    size, crowded = _size(names.values(), "systems, subgroups or classes")
    axes = canvas.panels(len(metrics), ax, size)
    better = table.signature.get("better", {})
    for panel, (name, metric_rows) in zip(axes, rows_by_metric.items(), strict=True):
        is_grouped = any(row.group is None for row in metric_rows) and any(row.group is not None for row in metric_rows)
        lines = [_line(row, is_overall=is_grouped and row.group is None) for row in metric_rows]
        for line in lines:
            if line.marker == "D" and len(runs) == 1 and all(map(isfinite, line.limits)):
                panel.axvspan(
                    *line.limits, facecolor=canvas.GREY, alpha=0.13, linewidth=0, zorder=0, gid="certus-whole"
                )
        panel.set_title(canvas.printable_name(name, 64))
        canvas.fit(panel)
        draw_lines(panel, lines, names[name], ("certus-value", "certus-said"), crowded=crowded)
        gaps = [row for row in rows if row.among == "largest gap" and row.metric == name]
        panel.set_xlabel("\n".join(_words(metric_rows, better.get(name), gaps)), fontsize=canvas.shrunk(panel, 9))
    return axes[0]


def _name(row: "Row", *, has_runs: bool, has_pooled: bool) -> str:
    """The line of a row: its system where there are several, its subgroup and its class."""
    group = row.group if row.group is not None else "all samples" if has_pooled else None
    class_name = row.label if row.label is not None else row.average
    run = row.run if has_runs or (group is None and class_name is None) else None
    return ": ".join(canvas.short(part) for part in (run, group, class_name) if part)


def _line(row: "Row", is_overall: bool) -> Line:
    low, high = (np.nan if limit is None else limit for limit in (row.low, row.high))
    text = "undefined" if isnan(row.value) else f"{row.value:.4f}"
    limits = f" [{', '.join(rounded_limits(low, high))}]" if isfinite(low) and isfinite(high) else ""
    return Line(row.value, (low, high), text + limits, *(("black", "D") if is_overall else ()))


def _words(rows: "Sequence[Row]", better: str | None, gaps: "Sequence[Row]") -> list[str]:
    """The caption: the intervals, the number of units, and the largest gap of each system."""
    level = next((row.level for row in rows if row.level is not None), None)
    sizes = [row.n for row in rows if row.group is None] or [row.n for row in rows]
    lines = [_caption(level, sizes, rows[0].unit) + (", lower is better" if better == "lower" else "")]
    for gap in gaps:
        prefix = f"{canvas.short(gap.run)}: " if len(gaps) > 1 else ""
        lines.append(f"{prefix}largest gap {gap.value:.4f}")
        if not (gap.low is None or isnan(gap.low) or gap.high is None):
            lines[-1] += f" [{', '.join(rounded_limits(gap.low, gap.high))}]"
        if gap.subgroup is not None and gap.versus is not None:
            lines.append(f"{canvas.short(gap.subgroup)} − {canvas.short(gap.versus)}")
    return lines


def per_query(table: "Table", ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw the value of each query, a dot for each system; the queries in the order of their mean over the systems."""
    having = list(dict.fromkeys(single.metric for single in table.single))
    if not having:
        raise DataError("the table has no values of single queries", f"evaluate with {keyword('per_query', True)}")
    metrics = canvas.chosen_metrics(having, metric, ax, owner="table")
    axes = canvas.panels(len(metrics), ax, (6.4, 4.0))
    for panel, name in zip(axes, metrics, strict=True):
        systems = [single for single in table.single if single.metric == name]
        canvas.check_apart(len(systems), "systems", len(canvas.MARKERS), "evaluate fewer")
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
    are_named = len(names) <= _MAX_NAMES
    for line, system in enumerate(systems):
        left_out = len(names) - int(is_defined[line].sum())
        mean = f"{matrix[line][is_defined[line]].mean():.4f}" if is_defined[line].any() else "undefined"
        name = f"{canvas.short(system.run)}: mean {mean}" + (f", {left_out} without a value" if left_out else "")
        offset = (line - (len(systems) - 1) / 2) * (_BESIDE / len(systems) if are_named else 0.0)
        size = 6 if are_named else 3.5
        style: dict[str, Any] = {"marker": canvas.MARKERS[line], "markersize": size, "linestyle": "none", "alpha": 0.75}
        canvas.draw_curve(ax, x + offset, matrix[line, order], name=name, **style)
    ordered = "best" if len(systems) == 1 else "highest mean"
    xlabel = f"{plural(len(names), systems[0].unit)}, {ordered} first"
    corner = "above" if len(systems) > 1 or not are_named else "upper right"
    size = canvas.shrunk(ax, 8 if len(names) <= 20 else 6.5)
    canvas.finish(ax, corner, xlabel=xlabel, ylabel=canvas.printable_name(metric, 64), xlim=(0, len(names) + 1))
    if are_named:
        ax.set_xticks(x, [canvas.short(names[index]) for index in order], rotation=90, fontsize=size)
