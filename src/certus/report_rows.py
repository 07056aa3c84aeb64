"""Rows of a report: estimates with the intervals that were asked for."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from certus.errors import MetricNameError
from certus.inference import Estimate, Interval
from certus.inference.many.subgroups import largest_gap, worst_subgroup
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


def rows_of(
    values: Sequence[Value | Row], name: str, level: float, method: str | None, seed: int, dependent: str = ""
) -> list[Row]:
    """The rows with their intervals; by default methods for the metrics whose form has not the one asked for.

    Those of subgroups are followed by the largest gap between them and the worst of them; `dependent` says why the
    subgroups are not independent.

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
    return [*rows, *_among(values, name, level, method, seed, dependent)]


def _among(
    values: Sequence[Value | Row], name: str, level: float, method: str | None, seed: int, dependent: str
) -> Iterator[Row]:
    """The rows on all subgroups together, where there are several."""
    together: dict[tuple[Item, Hashable], dict[str, Estimate]] = {}
    for value in values:
        if isinstance(value, Value) and value.group is not None:
            together.setdefault((value.item, value.label), {})[value.group] = value.estimate
    gaps, worst = [], []
    for (item, label), estimates in together.items():
        if len(estimates) < 2:
            continue
        some = next(iter(estimates.values()))
        row = partial(
            Row,
            name,
            item.name,
            n=sum(each.n for each in estimates.values()),
            unit=some.unit,
            level=level,
            label=None if label is None else str(label),
            average=item.average,
        )
        gap = largest_gap(estimates, level=level, method=method, seed=seed, dependent=dependent)
        gaps.append(row(among="largest gap", **gap._asdict()))
        if (better := item.metric.better) is not None:
            found = worst_subgroup(estimates, better, level=level, method=method, seed=seed)
            worst.append(row(among="worst subgroup", **found._asdict()))
    yield from gaps
    yield from worst


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
