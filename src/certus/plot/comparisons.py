"""Comparisons as pictures: differences, matrices of pairs, single units, and ranks of systems."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.core.errors import DataError, MetricNameError
from certus.plot import canvas
from certus.plot.estimates import SPACIOUS, Line, draw_lines, name_lines
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.comparison import Comparison
    from certus.comparison.row import Difference


_STYLES = {
    "better": (canvas.COLORS[0], ">"),
    "worse": (canvas.COLORS[1], "<"),
    "higher": (canvas.COLORS[3], ">"),
    "lower": (canvas.COLORS[3], "<"),
    "tied within the margin": (canvas.COLORS[2], "s"),
    "not significant": (canvas.GREY, "o"),
    "undefined": (canvas.GREY, "o"),
}
"""Color and marker of each verdict: told apart in black and white, too."""
_WITH_NUMBERS = 12
"""Systems up to which each cell has its difference; of more a dot marks significant ones."""
_SIDE = (3.4, 7.2)
"""Least and greatest side of the matrix in inches."""
_LONGEST_PAIR = 27


def differences(comparison: "Comparison", ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw each difference with its interval and its verdict, a line for each pair of systems."""
    metrics = canvas.chosen_metrics(comparison.metrics, metric, ax)
    rows_by_metric = {name: _rows(comparison, name) for name in metrics}
    number = max(map(len, rows_by_metric.values()))
    names = {(row.system, row.baseline): _label(row, comparison) for row in comparison.rows}
    crowded = number > SPACIOUS
    height = 0.16 if crowded else 0.46 if any("\n" in name for name in names.values()) else 0.34
    axes = canvas.panels(len(metrics), ax, (6.4, 1.3 + height * number))
    for panel, rows in zip(axes, rows_by_metric.values(), strict=True):
        panel.axvline(0, color=canvas.GREY, linestyle=":", linewidth=1.0, zorder=1, gid="certus-reference")
        if comparison.margin:
            limits = -comparison.margin, comparison.margin
            panel.axvspan(*limits, facecolor=canvas.GREY, alpha=0.13, linewidth=0, zorder=0, gid="certus-margin")
        panel.set_title(canvas.printable_name(rows[0].metric), fontsize=canvas.shrunk(panel, 11))
        panel.set_xlabel(_difference_caption(comparison, rows[0]), fontsize=canvas.shrunk(panel, 9))
        labels = [names[row.system, row.baseline] for row in rows]
        labels = [label.replace("\n", " ") for label in labels] if crowded else labels
        draw_lines(
            panel, list(map(_line, rows)), labels, ("certus-difference", "certus-verdict"), size=7, crowded=crowded
        )
        panel.locator_params(axis="x", nbins=6 if canvas.shrunk(panel, 10) == 10 else 4)
    return axes[0]


def _line(row: "Difference") -> Line:
    # each line says its verdict itself: a legend would have to stand where there is no room
    text = "undefined" if isnan(row.difference) else f"{row.difference:+.4f}  {row.verdict}"
    return Line(row.difference, (row.low, row.high), text, *_STYLES[row.verdict])


def _rows(comparison: "Comparison", metric: str) -> "list[Difference]":
    return [row for row in comparison.rows if row.metric == metric]


def _values(comparison: "Comparison", metric: str) -> dict[str, float]:
    """The value of each system."""
    return {row.run: row.value for row in comparison.values.summary if row.metric == metric}


def _label(row: "Difference", comparison: "Comparison") -> str:
    """The system where there is a baseline; otherwise ``"dense − bm25"``, in two lines where it is long."""
    first, second = canvas.short(row.system), canvas.short(row.baseline)
    if comparison.baseline is not None:
        return first
    return f"{first} − {second}" if len(first) + len(second) <= _LONGEST_PAIR else f"{first}\n− {second}"


def _best_first(values: Mapping[str, float], better: str | None) -> list[str]:
    """The names of the values, the best one first; those without a value last."""
    sign = 1 if better == "lower" else -1
    return sorted(values, key=lambda name: (values[name] != values[name], sign * values[name]))


def _heading(row: "Difference") -> str:
    """The title of a metric, which says so where lower values are better."""
    return f"{canvas.printable_name(row.metric)}{' (lower is better)' if row.better == 'lower' else ''}"


def _criterion(comparison: "Comparison") -> str:
    return f"({comparison.correction}, at {1 - comparison.level:.2g})"


def _quantity(comparison: "Comparison") -> str:
    return "Difference" if comparison.baseline is None else f"Difference to {canvas.short(comparison.baseline)}"


def _difference_caption(comparison: "Comparison", row: "Difference") -> str:
    parts = [f"{100 * comparison.level:g}% intervals", plural(row.n, row.unit)]
    if comparison.margin:
        parts.append(f"shaded: margin ±{comparison.margin:g}")
    if row.better == "lower":
        parts.append("lower is better")
    return f"{_quantity(comparison)}\n{', '.join(parts)}"


def difference_matrix(
    comparison: "Comparison", ax: Any = None, *, metric: str | None = None, colormap: str = "RdBu"
) -> Any:
    """Draw the difference of each pair of systems as a color, the best system first.

    A cell is its row minus its column. Differences that are significant after the correction
    have a bold number, of more than twelve systems a dot; those tied within a margin ``=``.
    """
    metrics = canvas.chosen_metrics(comparison.metrics, metric, ax)
    if comparison.baseline is not None:
        raise DataError("a matrix is of all pairs", "compare three or more systems without a baseline")
    longest = max(len(canvas.short(system)) for system in comparison.systems)
    side = float(np.clip(0.62 * len(comparison.systems), *_SIDE))
    axes = canvas.panels(len(metrics), ax, (side + 1.3 + 0.075 * longest, side + 0.9 + 0.06 * longest), across=1)
    for panel, name in zip(axes, metrics, strict=True):
        _draw_matrix(panel, comparison, name, colormap)
    return axes[0]


def _draw_matrix(ax: Any, comparison: "Comparison", metric: str, colormap: str) -> None:
    rows, values = _rows(comparison, metric), _values(comparison, metric)
    better = rows[0].better
    names = _best_first(values, better)
    has_numbers = len(names) <= _WITH_NUMBERS
    matrix = np.full((len(names), len(names)), np.nan)
    marks = {}
    for row in rows:
        pair = names.index(row.system), names.index(row.baseline)
        matrix[pair], matrix[pair[::-1]] = row.difference, -row.difference
        is_open = row.verdict in ("not significant", "undefined")
        marks[pair] = marks[pair[::-1]] = "=" if row.verdict == "tied within the margin" else "" if is_open else "*"
    largest = float(np.nanmax(np.abs(matrix), initial=0.0)) or 1.0
    # in colors as in numbers, above 0 is good where higher values are
    colors = f"{colormap}_r" if better == "lower" else colormap
    image = ax.imshow(matrix, cmap=colors, vmin=-largest, vmax=largest, aspect="equal", gid="certus-matrix")
    for (line, column), mark in marks.items():
        value = matrix[line, column]
        number = "undefined" if np.isnan(value) else f"{value:+z.3f}"
        text = f"{number}{mark.replace('*', '')}" if has_numbers else mark.replace("*", "\u2022")
        style = {"fontweight": "bold" if mark == "*" else "normal", "gid": "certus-difference"}
        color = "white" if abs(value) > 0.6 * largest else "black"
        if text:
            ax.text(column, line, text, ha="center", va="center", fontsize=canvas.shrunk(ax, 8), color=color, **style)
    size = canvas.shrunk(ax, 9 if has_numbers else 7.5)
    labels = [canvas.short(name) for name in names]
    ax.set_xticks(range(len(names)), labels, rotation=45, ha="right", rotation_mode="anchor", fontsize=size)
    tick_labels = [f"{label}  {values[name]:.4f}" for label, name in zip(labels, names, strict=True)]
    ax.set_yticks(range(len(names)), tick_labels, fontsize=size)
    ax.tick_params(length=0)
    canvas.hide_spines(ax, "left", "right", "top", "bottom")
    canvas.color_scale(ax, image, "system of the row minus system of the column", 8, shrink=0.7)
    ax.set_title(_heading(rows[0]), fontsize=11)
    equal = ", =: tied within the margin" if "=" in marks.values() else ""
    caption = f"{'bold' if has_numbers else 'dot'}: significant {_criterion(comparison)}{equal}"
    ax.set_xlabel(f"{caption}\n{plural(rows[0].n, rows[0].unit)}", fontsize=8, color=canvas.GREY)
    canvas.fit(ax)
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
    metrics = canvas.chosen_metrics(comparison.metrics if metric is not None else having, metric, ax)
    axes = canvas.panels(len(metrics), ax, (5.8, 4.4))
    for name, panel in zip(metrics, axes, strict=True):
        rows = _chosen_rows(comparison, name, pairs)
        values = comparison.per_unit[name]
        for row in rows:
            _draw_units(panel, row, _label(row, comparison), values[row.system] - values[row.baseline], len(rows) == 1)
        canvas.reference(panel, [0, 1], [0, 0], "")
        panel.set_title(canvas.printable_name(name), fontsize=canvas.shrunk(panel, 11))
        size = len(values[rows[0].system])
        units = plural(size, rows[0].unit if size == rows[0].n else "unit")
        panel.set_xlabel(f"Share of the {units}, largest difference first", fontsize=9)
        canvas.finish(panel, "upper right", ylabel=_quantity(comparison), xlim=(-0.01, 1.01))
    return axes[0]


def _chosen_rows(comparison: "Comparison", metric: str, pairs: Sequence[tuple[str, str]] | None) -> "list[Difference]":
    rows = {(row.system, row.baseline): row for row in _rows(comparison, metric)}
    wanted = list(rows) if pairs is None else list(pairs)
    for pair in wanted:
        if pair not in rows:
            raise MetricNameError(f"the comparison has no pair {pair!r}", f"it has {', '.join(map(repr, rows))}")
    remedy = f"choose with pairs=[{wanted[0]!r}], or compare with a baseline"
    canvas.check_apart(len(wanted), "pairs", len(canvas.COLORS), remedy)
    return [rows[pair] for pair in wanted]


def _draw_units(ax: Any, row: "Difference", label: str, unit_values: Any, is_shaded: bool) -> None:
    """A staircase with a step for each unit."""
    x = np.repeat(np.linspace(0, 1, len(unit_values) + 1), 2)[1:-1]
    y = np.repeat(np.sort(unit_values)[::-1], 2)
    if row.wins is not None:
        n_positive, n_negative = (row.losses, row.wins) if row.better == "lower" else (row.wins, row.losses)
        label += f": above {n_positive}, equal {row.ties}, below {n_negative}"
    canvas.draw_curve(ax, x, y, name=label, region=([0.0, *x, 1.0], [0.0, *y, 0.0]) if is_shaded else None)


def critical_difference(comparison: "Comparison", ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw the systems on an axis by their values; a bar joins those whose differences are not significant.

    The picture that Demšar (2006, JMLR 7:1-30) drew of mean ranks, of the metric itself and of adjusted paired tests.
    A bar has a dot for each of its systems, since one in between may differ from the others.
    """
    metrics = canvas.chosen_metrics(comparison.metrics, metric, ax)
    contents = []
    for name in metrics:
        letters, values = _letters(comparison, name), _values(comparison, name)
        undefined = next((system for system, value in values.items() if value != value), None)
        if undefined is not None:
            raise DataError(f"{name} of {undefined} is undefined, so it has no place on an axis")
        contents.append((_rows(comparison, name)[0], values, _joined(letters, values)))
    tallest = max(len(bars) + (len(values) + 1) // 2 for _, values, bars in contents)
    longest = max(len(canvas.short(system)) for _, values, _ in contents for system in values)
    axes = canvas.panels(len(metrics), ax, (5.6 + 0.14 * longest, 1.3 + 0.3 * tallest), across=1)
    for panel, (row, values, bars) in zip(axes, contents, strict=True):
        _draw_axis(panel, values, bars)
        verdict = "joined: no significant difference" if bars else "all differences are significant"
        caption = f"{verdict} {_criterion(comparison)}\n{plural(row.n, row.unit)}"
        panel.set_xlabel(caption, fontsize=canvas.shrunk(panel, 8))
        panel.set_title(_heading(row), fontsize=11)
        canvas.fit(panel)
    return axes[0]


def _letters(comparison: "Comparison", metric: str) -> Mapping[str, str]:
    if metric in comparison.letters:
        return comparison.letters[metric]
    rows = _rows(comparison, metric)
    if len(comparison.systems) > 2 or len(rows) != 1:
        raise DataError("the diagram needs the tests of all pairs", "compare without a baseline")
    # of two systems one is the baseline, and their pair is all pairs
    return {rows[0].system: "a", rows[0].baseline: "b" if rows[0].significant else "a"}


def _joined(letters: Mapping[str, str], values: Mapping[str, float]) -> list[list[float]]:
    """The values of the systems of each letter that stands for more than one, in order."""
    groups: dict[str, list[float]] = {}
    for system in sorted(values, key=values.__getitem__):
        for letter in letters[system]:
            groups.setdefault(letter, []).append(values[system])
    return [group for group in groups.values() if len(group) > 1]


def _draw_axis(ax: Any, values: Mapping[str, float], bars: list[list[float]]) -> None:
    """The axis above, the bars below it, and below these the names, outermost first, so that no lines cross."""
    ordered = sorted(values, key=values.__getitem__)
    half = (len(ordered) + 1) // 2
    low, high = values[ordered[0]], values[ordered[-1]]
    room = 0.06 * (high - low) or 0.01
    edges = (low - room, high + room)
    for depth, bar in enumerate(bars, 1):
        (line,) = ax.plot(
            bar, [-depth] * len(bar), color=canvas.COLORS[0], linewidth=3.2, marker="o", markersize=5, zorder=3
        )
        line.set_gid("certus-bar")
    names_depth = len(bars) + 1
    for side, names in ((0, ordered[:half]), (1, ordered[half:][::-1])):
        for step, system in enumerate(names):
            value, depth = values[system], -(names_depth + step)
            (lead,) = ax.plot(
                [value, value, edges[side]], [0, depth, depth], color=canvas.GREY, linewidth=0.9, zorder=2
            )
            lead.set_gid("certus-lead")
            ax.annotate(
                f"{canvas.short(system)}  {value:.4f}" if side == 0 else f"{value:.4f}  {canvas.short(system)}",
                (edges[side], depth),
                xytext=(4 * (2 * side - 1), 0),
                textcoords="offset points",
                ha=("right", "left")[side],
                va="center",
                fontsize=canvas.shrunk(ax, 9),
            )
    ax.set(xlim=edges, ylim=(-(names_depth + half) + 0.4, 0), yticks=[])
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("bottom")
    ax.tick_params(axis="x", labelsize=8)
    canvas.hide_spines(ax, "left", "right", "bottom")


def ranks(comparison: "Comparison", ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw the ranks of each system that no significant difference rules out, and a dot at that of its value."""
    metrics = canvas.chosen_metrics(comparison.metrics, metric, ax)
    ranks_by_metric = {name: comparison.ranks(name) for name in metrics}
    number = len(comparison.systems)
    longest = max(len(canvas.short(system)) for system in comparison.systems)
    axes = canvas.panels(len(metrics), ax, (4.0 + 0.08 * longest, 1.4 + (0.3 if number <= 20 else 0.2) * number))
    for panel, (name, ranges) in zip(axes, ranks_by_metric.items(), strict=True):
        _draw_ranks(panel, comparison, name, ranges)
    return axes[0]


def _draw_ranks(ax: Any, comparison: "Comparison", metric: str, ranges: dict[str, tuple[int, int]]) -> None:
    row, values = _rows(comparison, metric)[0], _values(comparison, metric)
    sign = 1.0 if row.better == "lower" else -1.0
    names = _best_first(values, row.better)
    for index, name in enumerate(names):
        (span,) = ax.plot(ranges[name], [index, index], color=canvas.COLORS[0], linewidth=2.4, marker="|", markersize=8)
        span.set_gid("certus-ranks")
        if values[name] == values[name]:
            # equal values share the mean of their ranks
            before = sum(sign * other < sign * values[name] for other in values.values())
            rank = before + (1 + sum(other == values[name] for other in values.values())) / 2
            ax.plot([rank], [index], "o", color="black", markersize=5, zorder=3, gid="certus-value")
    ax.set_title(_heading(row), fontsize=11)
    caption = f"{_criterion(comparison)}; {plural(row.n, row.unit)}"
    ax.set_xlabel(
        f"Rank\nbars: ranks that no significant difference\nrules out {caption}", fontsize=canvas.shrunk(ax, 9)
    )
    canvas.fit(ax)
    labels = [f"{canvas.short(name)}  {values[name]:.4f}" for name in names]
    name_lines(ax, labels, 9 if len(names) <= 20 else 7)
    ax.set_xlim(0.5, len(names) + 0.5)
    canvas.integer_ticks(ax.xaxis)
    ax.grid(visible=True, axis="x", alpha=0.25, linewidth=0.6)
