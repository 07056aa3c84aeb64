"""The ranks that systems may have, as a picture."""

from typing import TYPE_CHECKING, Any

from certus.plot.canvas import COLORS, best_first, chosen_metrics, heading, panels, short
from certus.plot.fitting import fit, shrunk
from certus.plot.forest import name_lines
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.comparison import Comparison


def ranks(comparison: "Comparison", ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw the ranks of each system that no significant difference rules out, and a dot at that of its value."""
    metrics = chosen_metrics(comparison.metrics, metric, ax)
    ranks_by_metric = {name: comparison.ranks(name) for name in metrics}
    number = len(comparison.systems)
    longest = max(len(short(system)) for system in comparison.systems)
    height = 0.3 if number <= 20 else 0.2
    axes = panels(len(metrics), ax, (4.0 + 0.08 * longest, 1.4 + height * number))
    for panel, name in zip(axes, metrics, strict=True):
        _draw(panel, comparison, name, ranks_by_metric[name])
    return axes[0]


def _draw(ax: Any, comparison: "Comparison", metric: str, sets: dict[str, tuple[int, int]]) -> None:
    from matplotlib.ticker import MaxNLocator

    row = next(row for row in comparison.rows if row.metric == metric)
    sign = 1.0 if row.better == "lower" else -1.0
    values = {
        summary_row.run: summary_row.value for summary_row in comparison.values.summary if summary_row.metric == metric
    }
    names = best_first(values, row.better)
    for index, name in enumerate(names):
        best, worst = sets[name]
        (span,) = ax.plot([best, worst], [index, index], color=COLORS[0], linewidth=2.4, marker="|", markersize=8)
        span.set_gid("certus-ranks")
        if values[name] == values[name]:
            # equal values share the mean of their ranks
            before = sum(sign * other < sign * values[name] for other in values.values())
            rank = before + (1 + sum(other == values[name] for other in values.values())) / 2
            (dot,) = ax.plot([rank], [index], "o", color="black", markersize=5, zorder=3)
            dot.set_gid("certus-value")
    ax.set_title(heading(metric, row.better), fontsize=11)
    correction_text = f"({comparison.correction}, at {1 - comparison.level:.2g}); {plural(row.n, row.unit)}"
    ax.set_xlabel(
        f"Rank\nbars: ranks that no significant difference\nrules out {correction_text}", fontsize=shrunk(ax, 9)
    )
    fit(ax)
    labels = [f"{short(name)}  {values[name]:.4f}" for name in names]
    name_lines(ax, labels, 9 if len(names) <= 20 else 7)
    ax.set_xlim(0.5, len(names) + 0.5)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.grid(visible=True, axis="x", alpha=0.25, linewidth=0.6)
