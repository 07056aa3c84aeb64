"""The differences between two systems on each unit, sorted, as a picture."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus.errors import CertusError, DataError, MetricNameError
from certus.plot._canvas import COLORS, GREY, draw_curve, finish, plain
from certus.plot._panels import panels, shown_metrics

if TYPE_CHECKING:
    from certus.comparison import Comparison, Difference

__all__ = ["unit_differences"]

Floats = NDArray[np.float64]


def unit_differences(
    comparison: "Comparison",
    ax: Any = None,
    *,
    metric: str | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> Any:
    """Draw the differences on single units, the largest first: whether many units differ a little or a few a lot.

    Parameters
    ----------
    comparison
        From `certus.compare`.
    ax
        The matplotlib axes to draw on; by default those of a new figure, one for each metric.
    metric
        The metric to draw; all that have a value for each unit where none is named.
    pairs
        The pairs to draw, as ``[(system, baseline)]``; by default all that were compared.

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
    # metrics without values for single units have nothing to draw, but only one that was asked for is an error
    metrics = [metric] if metric is not None else [name for name in comparison.metrics if _of_units(comparison, name)]
    if metric is not None:
        shown_metrics(comparison, metric, ax)
    missing = [name for name in metrics if not _of_units(comparison, name)] or ([] if metrics else comparison.metrics)
    if missing:
        raise DataError(f"{missing[0]} has no value for each unit, so there are no differences to sort")
    if len(metrics) > 1:
        metrics = shown_metrics(comparison, None, ax) if ax is not None else metrics
    axes = panels(len(metrics), ax, (5.6, 4.4))
    for name, each in zip(metrics, axes, strict=True):
        rows = _chosen([row for row in comparison.rows if row.metric == name], pairs)
        _sorted(each, name, rows, comparison.per_unit[name])
    return axes[0]
