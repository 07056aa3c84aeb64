"""The runs of a table in another order."""

from math import inf
from typing import TYPE_CHECKING

from certus.errors import MetricNameError
from certus.spelling import suggestion
from certus.table.matrix import overall
from certus.table.row import PerQuery, Row

if TYPE_CHECKING:
    from certus.table.table import Table

__all__ = ["ordered"]


def ordered(table: "Table", by: str) -> tuple[list[Row], list[PerQuery]]:
    """The rows of runs and those of queries, in the order in which `Table.sorted` has them."""
    places = list(dict.fromkeys((row.run, row.group) for row in table.summary))
    if by == "name":
        ranks = {place: rank for rank, place in enumerate(sorted(places, key=lambda one: (one[0], one[1] or "")))}
    else:
        ranks = _by_metric(table, places, by)
    first: dict[str, int] = {}
    for (run, _), rank in ranks.items():
        first[run] = min(rank, first.get(run, rank))
    rows = sorted(table.summary, key=lambda row: (row.among is not None, ranks[row.run, row.group]))
    return rows, sorted(table.single, key=lambda each: first.get(each.run, len(ranks)))


def _by_metric(table: "Table", places: list[tuple[str, str | None]], metric: str) -> dict[tuple[str, str | None], int]:
    """The rank of each run and subgroup by its value, the best first."""
    rows = overall(table)
    metrics = list(dict.fromkeys(row.metric for row in rows))
    if metric not in metrics:
        near = suggestion(metric, [*metrics, "name"]) or f"; there are {', '.join([*metrics, 'name'])}"
        if any(row.metric == metric for row in table.summary):
            near = ", which has a value for each class; sort by another metric or by name"
            raise MetricNameError(f"sorted by {metric!r}{near}")
        raise MetricNameError(f"the table has no metric {metric!r} to sort by{near}")
    sign = 1 if table.signature.get("better", {}).get(metric) == "lower" else -1
    values = {(row.run, row.group): _key(row, sign) for row in rows if row.metric == metric}
    found = sorted(places, key=lambda place: values.get(place, inf))
    return {place: rank for rank, place in enumerate(found)}


def _key(row: Row, sign: int) -> float:
    return inf if row.value != row.value else sign * row.value
