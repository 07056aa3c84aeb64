"""The metrics that an evaluation states, their place in its table, and the rows of their estimates."""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from certus.core import registry
from certus.core.errors import CertusError, MetricNameError
from certus.core.progress import steps
from certus.inference import Estimate
from certus.inference.estimates import MeanOf, SubgroupEstimates
from certus.inference.interval import joined
from certus.metrics import Metric, parse
from certus.metrics.names import MetricLike, Metrics
from certus.table import Row
from certus.table.table import Rows

if TYPE_CHECKING:
    from certus.chance.versus import VersusChance


Average: TypeAlias = Literal["binary", "macro", "micro", "weighted", "samples"]


@dataclass(frozen=True)
class Item:
    """A metric to state, whether its average stands in the table of classes, and what 0/0 counts as if that is told."""

    metric: Metric
    in_table: bool = False
    undefined: float | str | None = None
    averages: bool = field(default=False, compare=False)
    """True if the metric averages as the call says."""

    @classmethod
    def from_metric(cls, metric: Metric, average: Average | None) -> "Item":
        """The metric, which takes the average if it has a choice and does not say which."""
        parameter = metric.parameters.get("average")
        untold = parameter is not None and metric.conventions["average"] == parameter.default
        takes_average = untold and average is not None
        return cls(metric.using(average=average) if takes_average else metric, averages=takes_average)

    @property
    def average(self) -> str | None:
        """The average of this row in the table of classes."""
        row_average: str | None = self.metric.conventions["average"] if self.in_table else None
        return row_average

    @property
    def name(self) -> str:
        """The metric's text, without what stands elsewhere: the average in a column, 0/0 below the table."""
        return _name(self.metric, self.in_table, self.undefined is not None)

    def with_undefined(self, undefined: float | str) -> "Item":
        """The item with this value for 0/0, if the metric has a choice."""
        parameter = self.metric.parameters.get("undefined")
        if parameter is None or self.metric.conventions["undefined"] != parameter.default:
            return self
        return replace(self, metric=self.metric.using(undefined=undefined), undefined=undefined)


@lru_cache(maxsize=1024)
def _name(metric: Metric, in_table: bool, undefined: bool) -> str:
    elsewhere: dict[str, object] = {}
    if in_table or metric.conventions.get("average", "binary") is None:
        elsewhere["average"] = metric.parameters["average"].default
    if undefined:
        elsewhere["undefined"] = metric.parameters["undefined"].default
    return str(metric.using(**elsewhere) if elsewhere else metric)


def parse_metrics(metrics: Metrics, task: str) -> list[Metric]:
    """The metrics that were named, each once."""
    metric_list = [metrics] if isinstance(metrics, MetricLike) else list(metrics)
    example = registry.task(task).usual[0]
    if not metric_list:
        raise MetricNameError("no metric was named", f"name at least one, such as {example!r}, or leave out metrics")
    for entry in metric_list:
        if not isinstance(entry, MetricLike):
            raise MetricNameError(
                f"{entry!r} is not a metric", f"name one, such as {example!r}, or declare it (certus.metric)"
            )
        if isinstance(entry, Metric) and entry.task != task:
            raise MetricNameError(f"{entry.name} is a {entry.task} metric", f"name one of {task}, such as {example!r}")
    return list(dict.fromkeys(entry if isinstance(entry, Metric) else parse(entry, task=task) for entry in metric_list))


class Value(NamedTuple):
    """One row to be: an estimate, and where it stands."""

    system: str
    metric: str
    estimate: Estimate
    group: str | None = None
    label: Hashable = None
    average: str | None = None
    better: Literal["higher", "lower"] | None = None


class SubgroupMean(NamedTuple):
    """The mean over subgroups that is asked for.

    Attributes
    ----------
    method
        See `certus.inference.estimates.MeanOf`.
    skip
        Subgroups without a value are left out.
    sizes
        Of a weighted mean the number of samples of each subgroup, or the sum of their weights, by system.
    """

    method: MeanOf
    skip: bool
    sizes: Mapping[str, Mapping[str, float]]


class Subgroups(NamedTuple):
    """The rows to be of all subgroups of a system: each metric's estimates in columns."""

    system: str
    items: Sequence[Item]
    estimates: Sequence[SubgroupEstimates]

    def values(self) -> Iterator[Value]:
        """The rows to be, all metrics of a subgroup together."""
        for index, group in enumerate(self.estimates[0].names):
            for item, metric_estimates in zip(self.items, self.estimates, strict=True):
                yield Value(
                    self.system, item.name, metric_estimates.at(index), group, None, item.average, item.metric.better
                )

    def rows(self, level: float) -> Rows:
        """The rows with the intervals of the default methods."""
        columns = [
            self._columns(item, metric_estimates, level)
            for item, metric_estimates in zip(self.items, self.estimates, strict=True)
        ]
        size = len(columns)
        alternating = {
            name: [
                cell
                for cells in zip(*(metric_estimates[name] for metric_estimates in columns), strict=True)
                for cell in cells
            ]
            if size > 1
            else columns[0][name]
            for name in columns[0]
        }
        return Rows(alternating, {"run": self.system, "level": level})

    def _columns(self, item: Item, estimates: SubgroupEstimates, level: float) -> dict[str, list[Any]]:
        limits = estimates.limits(level)
        number = len(estimates)
        columns: dict[str, list[Any]] = {
            "metric": [item.name] * number,
            "group": list(estimates.names),
            "average": [item.average] * number,
            "value": estimates.values_found.tolist(),
            "low": (limits.low + 0.0).tolist(),  # no limit is -0.0
            "high": (limits.high + 0.0).tolist(),
            "method": list(limits.methods),
            "n": estimates.sizes.tolist(),
            "unit": [""] * number,
            "reason": list(limits.reasons),
        }
        unit = estimates.at(0).unit if number else ""
        columns["unit"] = [unit] * number
        for index in np.flatnonzero(~limits.known).tolist():
            estimate = estimates.at(index)
            interval = estimate.interval(level)
            of_interval = {"low": interval.low, "high": interval.high, "method": interval.method}
            of_estimate = {"unit": estimate.unit, "reason": estimate.reason or interval.reason}
            for name, cell in {**of_interval, **of_estimate}.items():
                columns[name][index] = cell
        return columns


def blocks_of(
    values: Sequence[Value | Subgroups | Row],
    level: float,
    method: str | None = None,
    seed: int = 0,
    dependent: str = "",
    versus: "list[VersusChance] | None" = None,
    mean: "SubgroupMean | None" = None,
) -> list[Row | Rows]:
    """The rows with their intervals, those of subgroups in columns where that is possible.

    Metrics whose form lacks the method asked for have their default. Subgroups are followed by the largest gap between
    them and the worst of them; `dependent` says why they are not independent. With `mean` the mean of subgroups comes
    first. With a list `versus` the values are compared with chance, and what was found goes there.
    """
    rows: list[Row | Rows] = []
    refusals: list[MetricNameError] = []
    in_columns = method is None and versus is None
    expanded = [value if in_columns or not isinstance(value, Subgroups) else value.values() for value in values]
    flat_values = [entry for group in expanded for entry in (group if isinstance(group, Iterator) else (group,))]
    for value in steps(flat_values, "interval"):
        if isinstance(value, Row):
            rows.append(value)
            continue
        if isinstance(value, Subgroups):
            rows.append(value.rows(level))
            continue
        estimate = value.estimate
        try:
            interval = estimate.interval(level, method, seed=seed)
        except MetricNameError as error:
            refusals.append(error)
            interval = estimate.interval(level, seed=seed)
        row = Row.from_estimate(
            value.system,
            value.metric,
            estimate,
            interval,
            group=value.group,
            label=None if value.label is None else str(value.label),
            average=value.average,
        )
        if versus is not None and value.label is None:
            row, comparison = add_chance(row, estimate, seed)
            versus += [] if comparison is None else [comparison]
        rows.append(row)
    if refusals and len(refusals) == sum(isinstance(value, Value) for value in flat_values):
        raise refusals[0]
    means = () if mean is None else _means(values, level, method, seed, mean)
    return [*rows, *means, *_across_subgroups(values, level, method, seed, dependent)]


def _means(
    values: Sequence[Value | Subgroups | Row], level: float, method: str | None, seed: int, mean: "SubgroupMean"
) -> Iterator[Row]:
    """The mean of each metric and class over subgroups."""
    from certus.inference.many.subgroup_mean import NAMES, subgroup_mean

    for value, estimates in _by_metric(values):
        of_system = mean.sizes.get(value.system)
        sizes = None if of_system is None else np.array([of_system[name] for name in estimates])
        skip = mean.skip or value.estimate.conventions.get("undefined") == "skip"
        mean_estimate = subgroup_mean(estimates, mean.method, sizes, skip=skip)
        try:
            interval = mean_estimate.estimate.interval(level, method, seed=seed)
        except MetricNameError:
            interval = mean_estimate.estimate.interval(level, seed=seed)
        yield Row.from_estimate(
            value.system,
            value.metric,
            mean_estimate.estimate,
            interval,
            among=NAMES[mean.method],
            n=mean_estimate.n,
            label=None if value.label is None else str(value.label),
            average=value.average,
            reason=joined(mean_estimate.estimate.reason or interval.reason, mean_estimate.left_out),
        )


def _across_subgroups(
    values: Sequence[Value | Subgroups | Row], level: float, method: str | None, seed: int, dependent: str
) -> Iterator[Row]:
    """The rows on all subgroups together, where there are several."""
    gaps, worst = [], []
    for value, estimates in _by_metric(values):
        if len(estimates) < 2:
            continue
        row = partial(
            Row,
            value.system,
            value.metric,
            n=int(estimates.sizes.sum())
            if isinstance(estimates, SubgroupEstimates)
            else sum(subgroup_estimate.n for subgroup_estimate in estimates.values()),
            unit=value.estimate.unit,
            level=level,
            label=None if value.label is None else str(value.label),
            average=value.average,
        )
        from certus.inference.many.subgroups import largest_gap, worst_subgroup

        gap = largest_gap(estimates, level=level, method=method, seed=seed, dependent=dependent)
        gaps.append(row(among="largest gap", **gap._asdict()))
        if value.better is not None:
            worst_limits = worst_subgroup(estimates, value.better, level=level, method=method, seed=seed)
            worst.append(row(among="worst subgroup", **worst_limits._asdict()))
    yield from gaps
    yield from worst


def _by_metric(
    values: Sequence[Value | Subgroups | Row],
) -> Iterator[tuple[Value, Mapping[str, Estimate]]]:
    """The estimates in all subgroups, for each metric and class, with their first row to be."""
    families: dict[tuple[str, str, str | None, Hashable], tuple[Value, Any]] = {}
    for value in values:
        if isinstance(value, Subgroups):
            for first, estimates in zip(value.values(), value.estimates, strict=False):
                families[first.system, first.metric, first.average, None] = first, estimates
        elif isinstance(value, Value) and value.group is not None:
            key = value.system, value.metric, value.average, value.label
            _, singly = families.setdefault(key, (value, {}))
            singly[value.group] = value.estimate
    yield from families.values()


def add_chance(row: Row, estimate: Estimate, seed: int) -> tuple[Row, "VersusChance | None"]:
    """The row with its expected value, p-value, chance-corrected value and percentile, or why it has none."""
    try:
        versus = estimate.versus_chance(seed=seed)
        p = versus.p
        numbers = (versus.expected, float(p), p.error, versus.corrected, versus.percentile)
    except CertusError as error:
        if estimate.reason:
            return row, None
        return replace(row, reason=joined(row.reason, f"not compared with chance: {error}")), None
    expected, chance, off, corrected, percentile = numbers
    return replace(
        row,
        expected=expected,
        p=chance,
        p_error=None if math.isnan(off) else off,
        p_method=p.method,
        corrected=None if math.isnan(corrected) else corrected,
        percentile=percentile,
    ), versus


def chance_notes(comparisons: "Sequence[VersusChance]", rows: Sequence[Row]) -> list[str]:
    """Sentences for below the table: what is random, and what the columns mean."""
    if not comparisons:
        reasons = "; ".join(
            dict.fromkeys(row.reason.removeprefix("not compared with chance: ") for row in rows if row.reason)
        )
        raise MetricNameError(
            f"is asked for, but no value can be compared with chance{f' ({reasons})' if reasons else ''}",
            "leave it out",
            argument="chance",
        )
    random = "; ".join(dict.fromkeys(versus.random for versus in comparisons))
    return [
        f"random: {random}",
        "chance: expected value if that is random; p: probability to do as well by luck; corrected: 0 at chance, 1 at "
        "best; percentile: share of random ones below, and half of the equal",
    ]
