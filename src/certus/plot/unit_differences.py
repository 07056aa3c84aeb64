"""The differences between two systems on each unit, sorted, as a picture."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.arrays import Floats
from certus.errors import CertusError, DataError, MetricNameError
from certus.plot._panels import chosen_metrics, pair_name, panels, short
from certus.plot.canvas import COLORS, draw_curve, finish, plain, reference
from certus.statistic.common import plural

if TYPE_CHECKING:
    from certus.comparison import Comparison, Difference

__all__ = ["unit_differences"]


def unit_differences(
    comparison: "Comparison",
    ax: Any = None,
    *,
    metric: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> Any:
    """Draw the differences on single units, largest first: whether many units differ a little or a few a lot.

    Parameters
    ----------
    comparison
        From `certus.compare`.
    ax
        The matplotlib axes to draw on; by default those of a new figure, one for each metric.
    metric
        The metric to draw; all that have a value for each unit where none is named.
    pairs
        The pairs to draw, as ``[(system, baseline), ...]``; all that were compared where none are named.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on; the first of them where there are several.

    Raises
    ------
    DataError
        The metric has no value for each unit, as F1 has none for a sample.
    MetricNameError
        The comparison has no such metric or pair.
    CertusError
        There are more metrics or pairs than the picture can show.
    """
    having = [name for name in comparison.metrics if name in comparison.per_unit]
    metrics = chosen_metrics(comparison, metric, ax, having)
    lacking = next((name for name in metrics or comparison.metrics if name not in comparison.per_unit), None)
    if lacking is not None:
        raise DataError(f"{lacking} has no value for each unit, so there are no differences to sort")
    axes = panels(len(metrics), ax, (5.8, 4.4))
    for name, each in zip(metrics, axes, strict=True):
        rows = _rows(comparison, name, pairs)
        for row in rows:
            label = short(row.system) if comparison.baseline is not None else pair_name(row.system, row.baseline)
            _draw(each, row, label, comparison.per_unit[name], shaded=len(rows) == 1)
        reference(each, [0, 1], [0, 0], "")
        each.set_title(plain(name), fontsize=11)
        size = len(comparison.per_unit[name][rows[0].system])
        units = plural(size, rows[0].unit if size == rows[0].n else "unit")
        each.set_xlabel(f"Share of the {units}, largest difference first", fontsize=9)
        each.set_ylabel("Difference" if comparison.baseline is None else f"Difference to {short(comparison.baseline)}")
        each.set_xlim(-0.01, 1.01)
        finish(each, "upper right")
    return axes[0]


def _rows(comparison: "Comparison", metric: str, pairs: Sequence[tuple[str, str]] | None) -> "list[Difference]":
    rows = {(row.system, row.baseline): row for row in comparison.rows if row.metric == metric}
    wanted = list(rows) if pairs is None else list(pairs)
    for pair in wanted:
        if pair not in rows:
            raise MetricNameError(f"the comparison has no pair {pair!r}; it has {', '.join(map(repr, rows))}")
    if len(wanted) > len(COLORS):
        raise CertusError(
            f"{len(wanted)} pairs cannot be told apart in a picture, at most {len(COLORS)} can; choose with "
            f"pairs=[{wanted[0]!r}], or compare with a baseline"
        )
    return [rows[pair] for pair in wanted]


def _draw(ax: Any, row: "Difference", label: str, values: Mapping[str, Floats], shaded: bool) -> None:
    """A staircase with a step for each unit."""
    found = np.sort(values[row.system] - values[row.baseline])[::-1]
    x = np.repeat(np.linspace(0, 1, len(found) + 1), 2)[1:-1]
    y = np.repeat(found, 2)
    if row.wins is not None:
        label += f": above {row.wins}, equal {row.ties}, below {row.losses}"
    region = (np.concatenate(([0.0], x, [1.0])), np.concatenate(([0.0], y, [0.0]))) if shaded else None
    draw_curve(ax, x, y, name=label, color=None, region=region)
