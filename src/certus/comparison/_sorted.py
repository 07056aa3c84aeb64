"""The systems of a comparison in another order."""

from collections.abc import Iterable
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, TypeVar

from certus.errors import MetricNameError
from certus.spelling import suggestion
from certus.table import Row, Table

if TYPE_CHECKING:
    from certus.comparison.result import Comparison


_Compared = TypeVar("_Compared", bound="Comparison")


def in_order(comparison: _Compared, by: str) -> _Compared:
    """The comparison in the order that `Comparison.sorted` describes, which its conventions then name."""
    if by == "name":
        systems = sorted(comparison.systems)
    elif by in comparison.metrics:
        values = [row for row in comparison.values.rows if row.metric == by]
        systems = [row.run for row in best_first(values, better_of(comparison, by) or "higher")]
    else:
        known = [*comparison.metrics, "name"]
        near = suggestion(by, known) or f"there are {', '.join(known)}"
        raise MetricNameError(f"the comparison has no metric {by!r} to sort by", near)
    rank = {system: place for place, system in enumerate(systems)}
    metric = {name: place for place, name in enumerate(comparison.metrics)}
    table = comparison.values
    return replace(
        comparison,
        rows=tuple(sorted(comparison.rows, key=lambda row: (metric[row.metric], rank[row.system], rank[row.baseline]))),
        values=Table(
            sorted(table.rows, key=lambda row: rank[row.run]), table.warnings, table.signature, drawn=table.drawn
        ),
        systems=tuple(systems),
        conventions={**comparison.conventions, "sorted": by},
    )


def best_first(rows: Iterable[Row], better: str | None) -> list[Row]:
    """The rows of a metric with the best value first, where a direction is better; those without a value last."""
    sign = {"higher": -1.0, "lower": 1.0, None: 0.0}[better]
    return sorted(rows, key=lambda row: inf if row.value != row.value else sign * row.value)


def better_of(comparison: "Comparison", metric: str) -> str | None:
    """The better direction of a metric; None where neither is."""
    return next(row.better for row in comparison.rows if row.metric == metric)
