"""The metrics that an evaluation states, their place in its table, and the rows of their estimates."""

from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from certus import tasks
from certus.deferred import dataclass, field, replace
from certus.errors import MetricNameError
from certus.evaluation.chance import held
from certus.inference import Estimate
from certus.inference.estimates import default_intervals
from certus.metrics import Metric, Metrics, Named, parse
from certus.progress import steps
from certus.table import Row

if TYPE_CHECKING:
    from certus.chance.versus import VersusChance

__all__ = ["Average", "Item", "Value", "chosen", "rows_of"]


Average: TypeAlias = Literal["binary", "macro", "micro", "weighted", "samples"]


@dataclass(frozen=True)
class Item:
    """A metric to state, whether its average stands in the table of classes, and what 0/0 counts as if that is told."""

    metric: Metric
    in_table: bool = False
    undefined: float | str | None = None
    averages: bool = field(default=False, compare=False)
    """Whether the metric averages as the call says."""

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
        parameters = self.metric.parameters
        elsewhere: dict[str, object] = {}
        if self.in_table or self.metric.conventions.get("average", "binary") is None:
            elsewhere["average"] = parameters["average"].default
        if self.undefined is not None:
            elsewhere["undefined"] = parameters["undefined"].default
        return str(self.metric.using(**elsewhere) if elsewhere else self.metric)

    def with_undefined(self, undefined: float | str) -> "Item":
        """The same where 0/0 counts as that, if the metric has a choice."""
        parameter = self.metric.parameters.get("undefined")
        if parameter is None or self.metric.conventions["undefined"] != parameter.default:
            return self
        return replace(self, metric=self.metric.using(undefined=undefined), undefined=undefined)


def chosen(metrics: Metrics, task: str) -> list[Metric]:
    """The metrics that were named, each once.

    Raises
    ------
    MetricNameError
        None was, or there is no such metric of the task.
    """
    listed = [metrics] if isinstance(metrics, Named) else list(metrics)
    example = tasks.task(task).usual[0]
    if not listed:
        raise MetricNameError(f"no metric was named; name at least one, such as {example!r}, or leave out metrics")
    for each in listed:
        if not isinstance(each, Named):
            raise MetricNameError(
                f"{each!r} is not a metric; name one, such as {example!r}, or declare it (certus.metric)"
            )
        if isinstance(each, Metric) and each.task != task:
            raise MetricNameError(f"{each.name} is a {each.task} metric; name one of {task}, such as {example!r}")
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


def rows_of(
    values: Sequence[Value | Row],
    level: float,
    method: str | None = None,
    seed: int = 0,
    dependent: str = "",
    versus: "list[VersusChance] | None" = None,
) -> list[Row]:
    """The rows with their intervals; by default methods for the metrics whose form lacks the one asked for.

    Those of subgroups are followed by the largest gap between them and the worst of them; `dependent` says why the
    subgroups are not independent. With a list `versus` the values are held against chance, and what was found goes
    there.

    Raises
    ------
    MetricNameError
        No metric has the method.
    """
    rows = []
    refusals: list[MetricNameError] = []
    estimates = [value.estimate for value in values if isinstance(value, Value)]
    known = iter(default_intervals(estimates, level) if method is None else [None] * len(estimates))
    for value in steps(values, "interval"):
        if isinstance(value, Row):
            rows.append(value)
            continue
        estimate = value.estimate
        try:
            interval = next(known) or estimate.interval(level, method, seed=seed)
        except MetricNameError as error:
            refusals.append(error)
            interval = estimate.interval(level, seed=seed)
        row = Row.of(
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
        from certus.inference.many.subgroups import largest_gap, worst_subgroup

        gap = largest_gap(estimates, level=level, method=method, seed=seed, dependent=dependent)
        gaps.append(row(among="largest gap", **gap._asdict()))
        if some.better is not None:
            least = worst_subgroup(estimates, some.better, level=level, method=method, seed=seed)
            worst.append(row(among="worst subgroup", **least._asdict()))
    yield from gaps
    yield from worst
