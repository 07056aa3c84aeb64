"""Rows of a report: estimates with the intervals that were asked for."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from certus.errors import MetricNameError
from certus.inference import Estimate, Interval
from certus.report_items import Item
from certus.table import Row

__all__ = ["Value", "rows_of"]


@dataclass(frozen=True)
class Value:
    """One row to be: an estimate, and where it stands."""

    item: Item
    group: str | None
    label: Hashable
    estimate: Estimate


def rows_of(values: Sequence[Value | Row], name: str, level: float, method: str | None, seed: int) -> list[Row]:
    """The rows with their intervals; by default methods for the metrics whose form has not the one asked for.

    Raises
    ------
    MetricNameError
        No metric has the method.
    """
    rows = []
    refusals: list[MetricNameError] = []
    for value in values:
        if isinstance(value, Row):
            rows.append(value)
            continue
        estimate = value.estimate
        try:
            interval = estimate.interval(level, method, seed=seed)
        except MetricNameError as error:
            refusals.append(error)
            interval = estimate.interval(level, seed=seed)
        rows.append(_row(value, name, interval))
    if refusals and len(refusals) == sum(isinstance(value, Value) for value in values):
        raise refusals[0]
    return rows


def _row(value: Value, name: str, interval: Interval) -> Row:
    estimate, item = value.estimate, value.item
    return Row(
        name,
        item.name,
        estimate.value,
        interval.low,
        interval.high,
        interval.level,
        interval.method,
        estimate.n,
        estimate.unit,
        why=estimate.why or interval.why,
        group=value.group,
        label=None if value.label is None else str(value.label),
        average=item.average,
    )
