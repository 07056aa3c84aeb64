"""Differences between systems with their intervals, as a picture."""

import math
from typing import TYPE_CHECKING, Any

from certus.plot._canvas import COLORS, GREY, plain
from certus.plot._panels import pair_name, panels, shown_metrics

if TYPE_CHECKING:
    from certus.comparison import Comparison, Difference

__all__ = ["differences"]

STYLES = {
    "better": (COLORS[0], ">"),
    "worse": (COLORS[1], "<"),
    "tied within the margin": (COLORS[2], "s"),
    "not separable": (GREY, "o"),
}
"""Color and marker of each verdict: told apart in black and white, too."""


def differences(comparison: "Comparison", ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw each difference with its interval, a line for each pair of systems.

    Parameters
    ----------
    comparison
        From `certus.compare`.
    ax
        The matplotlib axes to draw on; by default those of a new figure, one for each metric.
    metric
        The metric to draw; all of them where none is named.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on; the first of them where there are several.

    Raises
    ------
    MetricNameError
        The comparison has no such metric.
    CertusError
        There are more metrics than the picture can show.
    """
    metrics = shown_metrics(comparison, metric, ax)
    by_metric = {name: [row for row in comparison.rows if row.metric == name] for name in metrics}
    longest = max(map(len, by_metric.values()))
    baselines = {row.baseline for row in comparison.rows}
    one = next(iter(baselines)) if len(baselines) == 1 else None
    width = 5.6 if len(metrics) == 1 else 4.6
    two_lines = one is None and any("\n" in pair_name((row.system, row.baseline)) for row in comparison.rows)
    axes = panels(len(metrics), ax, (width, 1.5 + longest * (0.46 if two_lines else 0.32)))
    for name, each in zip(metrics, axes, strict=True):
        _forest(each, name, by_metric[name], comparison, one)
    for each in axes if ax is None else ():
        # the axes are of one height, so a line for each pair takes the same in all
        each.set_ylim(longest - 0.4, -0.6)
    return axes[0]


def _forest(ax: Any, metric: str, rows: "list[Difference]", comparison: "Comparison", baseline: str | None) -> None:
    ax.axvline(0, color=GREY, linestyle=":", linewidth=1.0, zorder=1).set_gid("certus-reference")
    if comparison.margin:
        band = ax.axvspan(-comparison.margin, comparison.margin, facecolor=GREY, alpha=0.13, linewidth=0, zorder=0)
        band.set_gid("certus-margin")
    for place, row in enumerate(rows):
        color, marker = STYLES.get(row.verdict, (GREY, "x"))
        if math.isnan(row.difference):
            continue
        if math.isfinite(row.low) and math.isfinite(row.high):
            (span,) = ax.plot([row.low, row.high], [place, place], color=color, linewidth=1.8, zorder=2)
            span.set_gid("certus-band")
        (dot,) = ax.plot([row.difference], [place], color=color, marker=marker, markersize=7, linestyle="", zorder=3)
        dot.set_gid("certus-difference")
    names = [plain(row.system) if baseline is not None else pair_name((row.system, row.baseline)) for row in rows]
    ax.set_yticks(range(len(rows)), names, fontsize=9)
    ax.tick_params(axis="y", length=0)
    ax.tick_params(axis="x", labelsize=9)
    ax.margins(x=0.08)
    ax.set_title(plain(metric), fontsize=11)
    ax.set_xlabel(_words(comparison, metric, baseline), fontsize=9)
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    # each line says its verdict itself: a legend would have to stand where there is no room
    for place, row in enumerate(rows):
        color, _ = STYLES.get(row.verdict, (GREY, "x"))
        said = "undefined" if math.isnan(row.difference) else f"{row.difference:+.4f}  {row.verdict}"
        words = ax.text(
            1.02, place, said, transform=ax.get_yaxis_transform(), color=color, fontsize=8, ha="left", va="center"
        )
        words.set_gid("certus-verdict")


def _words(comparison: "Comparison", metric: str, baseline: str | None) -> str:
    what = "Difference" if baseline is None else f"Difference to {plain(baseline)}"
    said = [f"{100 * comparison.level:g}% intervals"]
    if comparison.margin:
        said.append(f"shaded: margin ±{comparison.margin:g}")
    if comparison.better.get(metric) == "lower":
        said.append("lower is better")
    return f"{what}\n{', '.join(said)}"
