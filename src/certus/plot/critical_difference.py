"""Systems on an axis by their means, joined if they do not differ significantly, as a picture."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from certus.errors import DataError
from certus.plot.canvas import COLORS, GREY, chosen_metrics, heading, panels, short
from certus.plot.fitting import fit, shrunk
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.comparison import Comparison


def critical_difference(comparison: "Comparison", ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw the systems on an axis by their values; a bar joins those whose differences are not significant.

    The picture that Demšar (2006, JMLR 7:1-30) drew of mean ranks, of the metric itself and of adjusted paired tests.
    A bar has a dot for each of its systems, since one in between may differ from the others.
    """
    metrics = chosen_metrics(comparison.metrics, metric, ax)
    contents = []
    for name in metrics:
        letters = _letters(comparison, name)
        values = {row.run: row.value for row in comparison.values.summary if row.metric == name}
        undefined = next((system for system, value in values.items() if value != value), None)
        if undefined is not None:
            raise DataError(f"{name} of {undefined} is undefined, so it has no place on an axis")
        contents.append((name, values, _joined(letters, values)))
    tallest = max(len(bars) + (len(values) + 1) // 2 for _, values, bars in contents)
    longest = max(len(short(system)) for _, values, _ in contents for system in values)
    axes = panels(len(metrics), ax, (5.6 + 0.14 * longest, 1.3 + 0.3 * tallest), across=1)
    for panel, (name, values, bars) in zip(axes, contents, strict=True):
        row = next(row for row in comparison.rows if row.metric == name)
        _draw(panel, values, bars)
        verdict = "joined: no significant difference" if bars else "all differences are significant"
        caption = f"{verdict} ({comparison.correction}, at {1 - comparison.level:.2g})\n{plural(row.n, row.unit)}"
        panel.set_xlabel(caption, fontsize=shrunk(panel, 8))
        panel.set_title(heading(name, row.better), fontsize=11)
        fit(panel)
    return axes[0]


def _letters(comparison: "Comparison", metric: str) -> Mapping[str, str]:
    if metric in comparison.letters:
        return comparison.letters[metric]
    rows = [row for row in comparison.rows if row.metric == metric]
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


def _draw(ax: Any, values: Mapping[str, float], bars: list[list[float]]) -> None:
    """The axis above, the bars below it, and below these the names, outermost first, so that no lines cross."""
    ordered = sorted(values, key=values.__getitem__)
    half = (len(ordered) + 1) // 2
    low, high = values[ordered[0]], values[ordered[-1]]
    room = 0.06 * (high - low) or 0.01
    edges = (low - room, high + room)
    for depth, bar in enumerate(bars, 1):
        (line,) = ax.plot(bar, [-depth] * len(bar), color=COLORS[0], linewidth=3.2, marker="o", markersize=5, zorder=3)
        line.set_gid("certus-bar")
    names_depth = len(bars) + 1
    for side, names in ((0, ordered[:half]), (1, ordered[half:][::-1])):
        for step, system in enumerate(names):
            value, depth = values[system], -(names_depth + step)
            (lead,) = ax.plot([value, value, edges[side]], [0, depth, depth], color=GREY, linewidth=0.9, zorder=2)
            lead.set_gid("certus-lead")
            text = f"{short(system)}  {value:.4f}" if side == 0 else f"{value:.4f}  {short(system)}"
            ax.annotate(
                text,
                (edges[side], depth),
                xytext=(4 * (2 * side - 1), 0),
                textcoords="offset points",
                ha=("right", "left")[side],
                va="center",
                fontsize=shrunk(ax, 9),
            )
    ax.set_xlim(*edges)
    ax.set_ylim(-(names_depth + half) + 0.4, 0)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("bottom")
    ax.tick_params(axis="x", labelsize=8)
    ax.set_yticks([])
    for spine in ("left", "right", "bottom"):
        ax.spines[spine].set_visible(False)
