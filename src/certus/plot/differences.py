"""Differences between systems with their intervals, as a picture."""

from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

from certus.plot._panels import chosen_metrics, pair_name, panels, short
from certus.plot.canvas import COLORS, GREY, plain

if TYPE_CHECKING:
    from certus.comparison import Comparison, Difference

__all__ = ["differences"]

_STYLES = {
    "better": (COLORS[0], ">"),
    "worse": (COLORS[1], "<"),
    "higher": (COLORS[3], ">"),
    "lower": (COLORS[3], "<"),
    "tied within the margin": (COLORS[2], "s"),
    "not separable": (GREY, "o"),
}
"""Color and marker of each verdict: told apart in black and white, too."""


def differences(comparison: "Comparison", ax: Any = None, *, metric: str | None = None) -> Any:
    """Draw each difference with its interval and its verdict, a line for each pair of systems.

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
    metrics = chosen_metrics(comparison, metric, ax)
    by_metric = {name: [row for row in comparison.rows if row.metric == name] for name in metrics}
    names = {(row.system, row.baseline): _name(row, comparison.baseline) for row in comparison.rows}
    height = 0.46 if any("\n" in name for name in names.values()) else 0.34
    axes = panels(len(metrics), ax, (6.4, 1.3 + height * max(map(len, by_metric.values()))))
    for each, rows in zip(axes, by_metric.values(), strict=True):
        _forest(each, rows, comparison)
        each.set_yticks(range(len(rows)), [names[row.system, row.baseline] for row in rows], fontsize=9)
        each.set_ylim(len(rows) - 0.4, -0.6)
    return axes[0]


def _name(row: "Difference", baseline: str | None) -> str:
    return pair_name(row.system, row.baseline) if baseline is None else short(row.system)


def _forest(ax: Any, rows: "list[Difference]", comparison: "Comparison") -> None:
    ax.axvline(0, color=GREY, linestyle=":", linewidth=1.0, zorder=1).set_gid("certus-reference")
    if comparison.margin:
        band = ax.axvspan(-comparison.margin, comparison.margin, facecolor=GREY, alpha=0.13, linewidth=0, zorder=0)
        band.set_gid("certus-margin")
    for place, row in enumerate(rows):
        color, marker = _STYLES[row.verdict]
        if isfinite(row.low) and isfinite(row.high):
            (span,) = ax.plot([row.low, row.high], [place, place], color=color, linewidth=1.8, zorder=2)
            span.set_gid("certus-band")
        (dot,) = ax.plot([row.difference], [place], color=color, marker=marker, markersize=7, linestyle="", zorder=3)
        dot.set_gid("certus-difference")
        # each line says its verdict itself: a legend would have to stand where there is no room
        said = "undefined" if isnan(row.difference) else f"{row.difference:+.4f}  {row.verdict}"
        beside = {"transform": ax.get_yaxis_transform(), "ha": "left", "va": "center"}
        ax.text(1.02, place, said, color=color, fontsize=8, gid="certus-verdict", **beside)
    ax.set_title(plain(rows[0].metric), fontsize=11)
    ax.set_xlabel(_words(comparison, rows[0].better), fontsize=9)
    ax.tick_params(axis="x", labelsize=9)
    ax.tick_params(axis="y", length=0)
    ax.margins(x=0.08)
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)


def _words(comparison: "Comparison", better: str | None) -> str:
    what = "Difference" if comparison.baseline is None else f"Difference to {short(comparison.baseline)}"
    said = [f"{100 * comparison.level:g}% intervals"]
    if comparison.margin:
        said.append(f"shaded: margin ±{comparison.margin:g}")
    if better == "lower":
        said.append("lower is better")
    return f"{what}\n{', '.join(said)}"
