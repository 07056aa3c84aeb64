"""Which metrics a report states, and where in its table."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, TypeAlias

from certus.data import Labels
from certus.errors import MetricNameError
from certus.metrics import Metric, parse
from certus.samples import Samples
from certus.table.cells import shortened

__all__ = ["Average", "Item", "listed", "usual"]

Average: TypeAlias = Literal["binary", "macro", "micro", "weighted", "samples"]

OF_CLASSES = ("Precision", "Recall", "F1")
"""What is said of each class, and averaged over classes."""
OF_LABELS = ("Accuracy", "BalancedAccuracy", "MCC", "kappa")
OF_LABEL_SETS = ("Accuracy", "Hamming")
"""What is said where a sample has several labels."""
OF_SCORES = ("AUC", "AP")
OF_CLASS_SCORES = ("AUC(multi_class='ovr')", "AP", "TopK(k=1)")
OF_PROBABILITIES = ("LogLoss", "Brier", "ECE")


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
        """Which average in the table of classes this is."""
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


def usual(samples: Samples, average: Average | None, said: list[str]) -> Iterator[Item]:
    """What is stated unless metrics are named; sentences on how they were chosen go to `said`."""
    names: list[str] = []
    averages: list[str] = []
    if samples.y_pred is not None:
        data = samples.labels
        averages = ["macro", "weighted"]
        if not isinstance(data, Labels):
            averages = ["micro", "macro", "weighted", "samples"]
            names += OF_LABEL_SETS
        elif data.whole:
            names += OF_LABELS
        else:
            averages = ["micro", "macro", "weighted"]
            said.append("labels leave out classes that were found: no metrics of all classes together")
    if samples.y_score is not None:
        names += OF_CLASS_SCORES if samples.class_scores and not samples.multilabel else OF_SCORES
        why = "" if samples.multilabel else samples.why_not_probabilities()
        if not (why or samples.multilabel):
            names += OF_PROBABILITIES
            of = "" if samples.class_scores else f" of {shortened(str(samples.positive))}"
            said.append(f"the scores can be probabilities{of}, and are taken as such")
        elif why:
            said.append(f"the scores are not probabilities ({why}): no log loss, Brier score and calibration error")
    weighted = samples.conventions["sample_weight"] is not None
    for metric in map(_known, names):
        if metric.weighted or not weighted:
            yield Item(metric)
    if average is not None and averages:
        averages = [] if average == "binary" else [average]
    for each in (None, *averages) if samples.y_pred is not None else ():
        for metric in map(_known, OF_CLASSES):
            yield Item(metric.using(average=each), in_table=each is not None)


def listed(metrics: str | Metric | Iterable[str | Metric]) -> list[Metric]:
    """The metrics that were named.

    Raises
    ------
    MetricNameError
        None was, or there is no such metric of classification.
    """
    named = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    for each in named:
        if getattr(each, "task", "classification" if isinstance(each, str) else "") != "classification":
            raise MetricNameError(f"{each!r} is not a classification metric; name one, such as 'F1'")
    if not named:
        raise MetricNameError("no metric was named; name at least one, such as 'F1', or leave out metrics")
    return [parse(each, task="classification") if isinstance(each, str) else each for each in named]


@cache
def _known(name: str) -> Metric:
    """One of the metrics named above."""
    return parse(name, task="classification")
