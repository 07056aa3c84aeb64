"""The differences of all pairs of systems as a matrix of colors."""

from typing import TYPE_CHECKING, Any

import numpy as np

from certus.errors import DataError
from certus.plot._panels import chosen_metrics, panels, short
from certus.plot.canvas import GREY, plain

if TYPE_CHECKING:
    from certus.arrays import Floats
    from certus.comparison import Comparison

__all__ = ["difference_matrix"]

_WITH_NUMBERS = 12
"""Systems up to which each cell has its difference; of more a dot tells those that are separable."""
_SIDE = (3.4, 7.2)
"""Least and greatest side of the matrix in inches."""


def difference_matrix(
    comparison: "Comparison", ax: Any = None, *, metric: str | None = None, colormap: str = "RdBu"
) -> Any:
    """Draw the difference of each pair of systems as a color, the best system first.

    A cell is the system of its line less that of its column. Differences that are significant after the correction
    have a bold number, of more than twelve systems a dot; those tied within a margin ``=``.

    Parameters
    ----------
    comparison
        From `certus.compare` with all pairs, which is without a baseline.
    ax
        The matplotlib axes to draw on; by default those of a new figure, one for each metric.
    metric
        The metric to draw; all of them where none is named.
    colormap
        A matplotlib color map with two ends, the second for differences above 0.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on; the first of them where there are several.

    Raises
    ------
    DataError
        Not all pairs were compared.
    MetricNameError
        The comparison has no such metric.
    CertusError
        There are more metrics than the picture can show.
    """
    metrics = chosen_metrics(comparison, metric, ax)
    if comparison.baseline is not None:
        raise DataError("a matrix is of all pairs; compare three or more systems without a baseline")
    longest = max(len(short(system)) for system in comparison.systems)
    side = float(np.clip(0.62 * len(comparison.systems), *_SIDE))
    axes = panels(len(metrics), ax, (side + 1.3 + 0.075 * longest, side + 0.9 + 0.06 * longest), across=1)
    for each, name in zip(axes, metrics, strict=True):
        _draw(each, comparison, name, colormap)
    return axes[0]


def _draw(ax: Any, comparison: "Comparison", metric: str, colormap: str) -> None:
    rows = [row for row in comparison.rows if row.metric == metric]
    better = rows[0].better
    values = {row.run: row.value for row in comparison.values.summary if row.metric == metric}
    sign = 1 if better == "lower" else -1
    names = sorted(values, key=lambda name: (values[name] != values[name], sign * values[name]))
    places = {name: place for place, name in enumerate(names)}
    differences: Floats = np.full((len(names), len(names)), np.nan)
    marks = {}
    for row in rows:
        one, other = places[row.system], places[row.baseline]
        differences[one, other], differences[other, one] = row.difference, -row.difference
        tied = row.verdict == "tied within the margin"
        marks[one, other] = marks[other, one] = "=" if tied else "" if row.verdict == "not separable" else "*"
    most = float(np.nanmax(np.abs(differences), initial=0.0)) or 1.0
    # in colors as in numbers, above 0 is good where higher values are
    colors = f"{colormap}_r" if better == "lower" else colormap
    image = ax.imshow(differences, cmap=colors, vmin=-most, vmax=most, aspect="equal")
    image.set_gid("certus-matrix")
    numbers = len(names) <= _WITH_NUMBERS
    for (line, column), mark in marks.items():
        value = differences[line, column]
        said = ("undefined" if np.isnan(value) else f"{value:+.3f}") if numbers else ""
        text = f"{said}{mark.replace('*', '')}" if numbers else mark.replace("*", "\u2022")
        if text:
            dark = abs(value) > 0.6 * most
            ax.text(
                column,
                line,
                text,
                ha="center",
                va="center",
                fontsize=8,
                fontweight="bold" if mark == "*" else "normal",
                color="white" if dark else "black",
                gid="certus-difference",
            )
    size = 9 if len(names) <= _WITH_NUMBERS else 7.5
    labels = [short(name) for name in names]
    ax.set_xticks(range(len(names)), labels, rotation=45, ha="right", rotation_mode="anchor", fontsize=size)
    shown = [f"{label}  {values[name]:.4f}" for label, name in zip(labels, names, strict=True)]
    ax.set_yticks(range(len(names)), shown, fontsize=size)
    ax.tick_params(length=0)
    for edge in ax.spines.values():
        edge.set_visible(False)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.7)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8)
    bar.set_label("system of the line less that of the column", fontsize=8)
    how = "bold" if numbers else "dot"
    equal = ", =: tied within the margin" if "=" in marks.values() else ""
    ax.set_title(f"{plain(metric)} (lower is better)" if better == "lower" else plain(metric), fontsize=11)
    ax.set_xlabel(
        f"{how}: significant ({comparison.correction}, at {1 - comparison.level:.2g}){equal}", fontsize=8, color=GREY
    )
