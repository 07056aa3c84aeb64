"""Rows of a table: estimates with the intervals that were asked for."""

from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple

from certus.errors import MetricNameError
from certus.inference import Estimate
from certus.inference.many.subgroups import largest_gap, worst_subgroup
from certus.table import Row

__all__ = ["Value", "rows_of"]


class Value(NamedTuple):
    """One row to be: an estimate, and where it stands."""

    system: str
    metric: str
    estimate: Estimate
    group: str | None = None
    label: Hashable = None
    average: str | None = None
    better: Literal["higher", "lower"] | None = None


def rows_of(
    values: Sequence[Value | Row], level: float, method: str | None = None, seed: int = 0, dependent: str = ""
) -> list[Row]:
    """The rows with their intervals; by default methods for the metrics whose form lacks the one asked for.

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
        low, high = estimate.range or (None, None)
        row = Row(
            value.system,
            value.metric,
            estimate.value,
            interval.low,
            interval.high,
            interval.level,
            interval.method,
            estimate.n,
            estimate.unit,
            minimum=low,
            maximum=high,
            over=estimate.range_of,
            why=estimate.why or interval.why,
            group=value.group,
            label=None if value.label is None else str(value.label),
            average=value.average,
        )
        rows.append(row)
    if refusals and len(refusals) == sum(isinstance(value, Value) for value in values):
        raise refusals[0]
    return [*rows, *_among(values, level, method, seed, dependent)]


def _among(values: Sequence[Value | Row], level: float, method: str | None, seed: int, dependent: str) -> Iterator[Row]:
    """The rows on all subgroups together, where there are several."""
    together: dict[tuple[str, str, str | None, Hashable], list[Value]] = {}
    for value in values:
        if isinstance(value, Value) and value.group is not None:
            together.setdefault((value.system, value.metric, value.average, value.label), []).append(value)
    gaps, worst = [], []
    for (system, metric, average, label), found in together.items():
        if len(found) < 2:
            continue
        some = found[0]
        estimates = {value.group or "": value.estimate for value in found}
        row = partial(
            Row,
            system,
            metric,
            n=sum(each.n for each in estimates.values()),
            unit=some.estimate.unit,
            level=level,
            label=None if label is None else str(label),
            average=average,
        )
        gap = largest_gap(estimates, level=level, method=method, seed=seed, dependent=dependent)
        gaps.append(row(among="largest gap", **gap._asdict()))
        if some.better is not None:
            least = worst_subgroup(estimates, some.better, level=level, method=method, seed=seed)
            worst.append(row(among="worst subgroup", **least._asdict()))
    yield from gaps
    yield from worst
