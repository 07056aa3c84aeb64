"""What the pictures of a comparison share: an axes for each metric, and the names of systems and pairs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from certus.errors import CertusError, MetricNameError
from certus.plot._canvas import plain, pyplot

if TYPE_CHECKING:
    from certus.comparison import Comparison

__all__ = ["MOST_PANELS", "pair_name", "panels", "shown_metrics"]

MOST_PANELS = 12
"""Metrics that one picture can show, each in an axes of its own."""
_ACROSS = 3


def shown_metrics(comparison: "Comparison", metric: str | None, ax: Any) -> list[str]:
    """The metrics to draw: the one asked for, or all of them.

    Raises
    ------
    MetricNameError
        The comparison has no such metric.
    CertusError
        There are more than the axes, or a picture, can show.
    """
    metrics = list(dict.fromkeys(row.metric for row in comparison.rows))
    if metric is not None:
        if metric not in metrics:
            raise MetricNameError(f"the comparison has no metric {metric!r}; it has {', '.join(metrics)}")
        return [metric]
    if ax is not None and len(metrics) > 1:
        raise CertusError(f"one axes shows one metric, but there are {len(metrics)}; choose with metric={metrics[0]!r}")
    if len(metrics) > MOST_PANELS:
        raise CertusError(
            f"{len(metrics)} metrics are more than the {MOST_PANELS} that a picture shows; choose with "
            f"metric={metrics[0]!r}"
        )
    return metrics


def panels(number: int, ax: Any, size: tuple[float, float], *, across: int = _ACROSS) -> list[Any]:
    """The axes given, or so many of a new figure, each of that size in inches."""
    if ax is not None:
        return [ax]
    columns = min(number, across)
    lines = -(-number // columns)
    _, grid = pyplot().subplots(
        lines, columns, figsize=(columns * size[0], lines * size[1]), layout="constrained", squeeze=False
    )
    every = list(grid.flat)
    for empty in every[number:]:
        empty.set_visible(False)
    return every[:number]


def pair_name(names: Sequence[str], *, long: int = 30) -> str:
    """``"dense − bm25"``, in two lines where it is long."""
    first, second = map(plain, names)
    return f"{first} − {second}" if len(first) + len(second) <= long else f"{first}\n− {second}"
