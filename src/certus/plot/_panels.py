"""Common parts of the pictures of a comparison: an axes for each metric, and the names of pairs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from certus.errors import CertusError, MetricNameError
from certus.plot.canvas import plain, pyplot

if TYPE_CHECKING:
    from certus.comparison import Comparison

__all__ = ["chosen_metrics", "pair_name", "panels", "short"]

_MOST = 12
_LONGEST = 27


def chosen_metrics(
    comparison: "Comparison", metric: str | None, ax: Any, having: Sequence[str] | None = None
) -> list[str]:
    """The metric asked for; otherwise all of `having`, by default those of the comparison.

    Raises
    ------
    MetricNameError
        The comparison has no such metric.
    CertusError
        There are more than the axes, or a picture, can show.
    """
    if metric is not None:
        if metric not in comparison.metrics:
            raise MetricNameError(f"the comparison has no metric {metric!r}; it has {', '.join(comparison.metrics)}")
        return [metric]
    metrics = list(comparison.metrics if having is None else having)
    most, what = (1, "axes") if ax is not None else (_MOST, "picture")
    if len(metrics) > most:
        raise CertusError(f"{len(metrics)} metrics do not fit on one {what}; choose one, such as metric={metrics[0]!r}")
    return metrics


def panels(number: int, ax: Any, size: tuple[float, float], across: int = 2) -> list[Any]:
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


def short(name: str) -> str:
    """A name as `plain` gives it, but with its middle left out where it is too long: runs often differ at the end.

    Examples
    --------
    >>> print(short("bm25.run"), short("splade-v3-distilled-from-a-large-one-epoch-7.run"))
    bm25.run splade-v3-dist…-epoch-7.run
    """
    return plain(name if len(name) <= _LONGEST else f"{name[:14]}…{name[-12:]}")


def pair_name(system: str, baseline: str) -> str:
    """``"dense − bm25"``, in two lines where it is long."""
    first, second = short(system), short(baseline)
    return f"{first} − {second}" if len(first) + len(second) <= _LONGEST else f"{first}\n− {second}"
