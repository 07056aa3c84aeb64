"""The metrics that an evaluation states, their place in its table, and the rows of their estimates."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from certus import registry
from certus.errors import MetricNameError
from certus.evaluation.chance import held
from certus.inference import Estimate
from certus.inference.estimates import MeanOf, SubgroupEstimates
from certus.inference.interval import joined
from certus.metrics import Metric, parse
from certus.metrics.names import MetricLike, Metrics
from certus.progress import steps
from certus.table import Row
from certus.table.row import Rows

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
    def of(cls, metric: Metric, average: Average | None) -> "Item":
        """The metric, which takes the average if it has a choice and does not say which."""
        parameter = metric.parameters.get("average")
        untold = parameter is not None and metric.conventions["average"] == parameter.default
        told = untold and average is not None
        return cls(metric.using(average=average) if told else metric, averages=told)

    @property
    def average(self) -> str | None:
        """The average of this row in the table of classes."""
        found: str | None = self.metric.conventions["average"] if self.in_table else None
        return found

    @property
    def name(self) -> str:
        """The metric's text, without what stands elsewhere: the average in a column, 0/0 below the table."""
        return _name(self.metric, self.in_table, self.undefined is not None)

    def with_undefined(self, undefined: float | str) -> "Item":
        """The same where 0/0 counts as that, if the metric has a choice."""
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


def chosen(metrics: Metrics, task: str) -> list[Metric]:
    """The metrics that were named, each once."""
    listed = [metrics] if isinstance(metrics, MetricLike) else list(metrics)
    example = registry.task(task).usual[0]
    if not listed:
        raise MetricNameError("no metric was named", f"name at least one, such as {example!r}, or leave out metrics")
    for each in listed:
        if not isinstance(each, MetricLike):
            raise MetricNameError(
                f"{each!r} is not a metric", f"name one, such as {example!r}, or declare it (certus.metric)"
            )
        if isinstance(each, Metric) and each.task != task:
            raise MetricNameError(f"{each.name} is a {each.task} metric", f"name one of {task}, such as {example!r}")
    return list(dict.fromkeys(each if isinstance(each, Metric) else parse(each, task=task) for each in listed))


class Value(NamedTuple):
    """One row to be: an estimate, and where it stands."""

    system: str
    metric: str
    estimate: Estimate
    group: str | None = None
    label: Hashable = None
    average: str | None = None
    better: Literal["higher", "lower"] | None = None


class Averaged(NamedTuple):
    """The mean over subgroups that is asked for.

    Attributes
    ----------
    over
        See `certus.inference.estimates.MeanOf`.
    skip
        Subgroups without a value are left out.
    sizes
        Of a weighted mean the number of samples of each subgroup, or the sum of their weights, by system.
    """

    over: MeanOf
    skip: bool
    sizes: Mapping[str, Mapping[str, float]]


class Subgroups(NamedTuple):
    """The rows to be of all subgroups of a system: each metric's estimates in columns."""

    system: str
    items: Sequence[Item]
    estimates: Sequence[SubgroupEstimates]

    def values(self) -> Iterator[Value]:
        """The rows to be, all metrics of a subgroup together."""
        for place, group in enumerate(self.estimates[0].names):
            for item, each in zip(self.items, self.estimates, strict=True):
                yield Value(self.system, item.name, each.at(place), group, None, item.average, item.metric.better)

    def rows(self, level: float) -> Rows:
        """The rows with the intervals of the default methods."""
        columns = [self._columns(item, each, level) for item, each in zip(self.items, self.estimates, strict=True)]
        size = len(columns)
        alternating = {
            name: [cell for cells in zip(*(each[name] for each in columns), strict=True) for cell in cells]
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
            "why": list(limits.whys),
        }
        unit = estimates.at(0).unit if number else ""
        columns["unit"] = [unit] * number
        for place in np.flatnonzero(~limits.known).tolist():
            estimate = estimates.at(place)
            interval = estimate.interval(level)
            of_interval = {"low": interval.low, "high": interval.high, "method": interval.method}
            of_estimate = {"unit": estimate.unit, "why": estimate.why or interval.why}
            for name, cell in {**of_interval, **of_estimate}.items():
                columns[name][place] = cell
        return columns


def blocks_of(
    values: Sequence[Value | Subgroups | Row],
    level: float,
    method: str | None = None,
    seed: int = 0,
    dependent: str = "",
    versus: "list[VersusChance] | None" = None,
    mean: "Averaged | None" = None,
) -> list[Row | Rows]:
    """The rows with their intervals, those of subgroups in columns where that is possible.

    Metrics whose form lacks the method asked for have their default. Subgroups are followed by the largest gap between
    them and the worst of them; `dependent` says why they are not independent. With `mean` the mean of subgroups comes
    first. With a list `versus` the values are compared with chance, and what was found goes there.
    """
    rows: list[Row | Rows] = []
    refusals: list[MetricNameError] = []
    in_columns = method is None and versus is None
    made = [value if in_columns or not isinstance(value, Subgroups) else value.values() for value in values]
    listed = [one for each in made for one in (each if isinstance(each, Iterator) else (each,))]
    for value in steps(listed, "interval"):
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
            row, found = held(row, estimate, seed)
            versus += [] if found is None else [found]
        rows.append(row)
    if refusals and len(refusals) == sum(isinstance(value, Value) for value in listed):
        raise refusals[0]
    means = () if mean is None else _means(values, level, method, seed, mean)
    return [*rows, *means, *_among(values, level, method, seed, dependent)]


def _means(
    values: Sequence[Value | Subgroups | Row], level: float, method: str | None, seed: int, mean: "Averaged"
) -> Iterator[Row]:
    """The mean of each metric and class over subgroups."""
    from certus.inference.many.subgroup_mean import NAMES, subgroup_mean

    for value, estimates in _together(values):
        of_system = mean.sizes.get(value.system)
        sizes = None if of_system is None else np.array([of_system[name] for name in estimates])
        skip = mean.skip or value.estimate.conventions.get("undefined") == "skip"
        found = subgroup_mean(estimates, mean.over, sizes, skip=skip)
        try:
            interval = found.estimate.interval(level, method, seed=seed)
        except MetricNameError:
            interval = found.estimate.interval(level, seed=seed)
        yield Row.from_estimate(
            value.system,
            value.metric,
            found.estimate,
            interval,
            among=NAMES[mean.over],
            n=found.n,
            label=None if value.label is None else str(value.label),
            average=value.average,
            why=joined(found.estimate.why or interval.why, found.left_out),
        )


def _among(
    values: Sequence[Value | Subgroups | Row], level: float, method: str | None, seed: int, dependent: str
) -> Iterator[Row]:
    """The rows on all subgroups together, where there are several."""
    gaps, worst = [], []
    for value, estimates in _together(values):
        if len(estimates) < 2:
            continue
        row = partial(
            Row,
            value.system,
            value.metric,
            n=int(estimates.sizes.sum())
            if isinstance(estimates, SubgroupEstimates)
            else sum(each.n for each in estimates.values()),
            unit=value.estimate.unit,
            level=level,
            label=None if value.label is None else str(value.label),
            average=value.average,
        )
        from certus.inference.many.subgroups import largest_gap, worst_subgroup

        gap = largest_gap(estimates, level=level, method=method, seed=seed, dependent=dependent)
        gaps.append(row(among="largest gap", **gap._asdict()))
        if value.better is not None:
            least = worst_subgroup(estimates, value.better, level=level, method=method, seed=seed)
            worst.append(row(among="worst subgroup", **least._asdict()))
    yield from gaps
    yield from worst


def _together(
    values: Sequence[Value | Subgroups | Row],
) -> Iterator[tuple[Value, Mapping[str, Estimate]]]:
    """The estimates of all subgroups of each metric and class, with the first of their rows to be."""
    found: dict[tuple[str, str, str | None, Hashable], tuple[Value, Any]] = {}
    for value in values:
        if isinstance(value, Subgroups):
            for first, estimates in zip(value.values(), value.estimates, strict=False):
                found[first.system, first.metric, first.average, None] = first, estimates
        elif isinstance(value, Value) and value.group is not None:
            place = value.system, value.metric, value.average, value.label
            _, singly = found.setdefault(place, (value, {}))
            singly[value.group] = value.estimate
    yield from found.values()
