"""The metrics that an evaluation states, and where in its table."""

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from certus import tasks
from certus.errors import MetricNameError
from certus.metrics import Metric, Metrics, Named, parse

__all__ = ["Average", "Item", "chosen"]

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
