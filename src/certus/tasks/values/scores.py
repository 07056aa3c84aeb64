"""Scores of items: one metric of a column, or every metric that an evaluation tool wrote, with its interval."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from certus.core import kernels, registry
from certus.core.errors import DataError, MetricNameError, mention
from certus.core.missing import MissingWords
from certus.core.note import Note
from certus.core.spelling import suggestion
from certus.data.columns import as_array, coded, notice_of_column, refuse_missing
from certus.data.values import Values
from certus.evaluation.cases import Samples
from certus.evaluation.tabulate import SubgroupMean, Value, blocks_of, check_independent, check_subgroup_mean
from certus.inference import Estimate
from certus.inference.declare import check_method
from certus.inference.estimate import MeanOf
from certus.inference.interval import Request
from certus.inference.many.subgroups import straddling
from certus.io.scores import Log, named_systems
from certus.metrics import parse
from certus.statistic.common import plural
from certus.table import PerQuery, Table
from certus.table.row import flat


class Scored(Samples):
    """Some items with a score, or several, of each."""

    @property
    def values(self) -> Values:
        """The validated scores."""
        return Values.from_arrays(self.data_columns["values"], **self.conventions)

    @property
    def size_in_words(self) -> str:
        """The number of items in words, and how often each was tried."""
        values = self.values
        if values.repeats == 1:
            return super().size_in_words
        words = super().size_in_words.replace(
            plural(len(self), "item"), f"{len(self)} values of {plural(len(values), 'item')}"
        )
        return f"{words}; those of an item are averaged first"

    def single(self, system: str, estimates: Iterable[Estimate], /) -> Iterator[PerQuery]:
        """The value of each item."""
        values = self.values
        if values.names is None:
            raise MetricNameError(f"needs {mention('ids')}: the name of each item", argument="per_query")
        metrics = dict.fromkeys(estimate.metric for estimate in estimates)
        return iter([PerQuery(system, metric, values.names, values.values.tolist(), "item") for metric in metrics])

    @property
    def clusters(self) -> Mapping[str, Sequence[Any]]:
        """The group and the weight of each item, where they were given, as they are stored with its value."""
        columns = {name: values for name, values in self.columns_told.items() if name != "ids"}
        names = list(map(str, as_array(self.conventions["ids"], "ids").tolist()))
        of_items = {
            name: dict(zip(names, as_array(item_values, name).tolist(), strict=True))
            for name, item_values in columns.items()
        }
        return {name: [item_values[item] for item in self.values.names or ()] for name, item_values in of_items.items()}


def evaluate_scores(
    logs: Sequence[Log],
    metrics: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    interval: str | None = None,
    per_query: bool = False,
    seed: int = 0,
    by: str | None = None,
    subgroup_mean: MeanOf | None = None,
    groups: str | None = None,
    missing: MissingWords | None = None,
) -> Table:
    """Evaluate stored scores of one or several systems, by all metrics or the named ones."""
    Request(level, seed=seed)
    if interval is not None:
        check_method(interval)
    check_subgroup_mean(subgroup_mean, by)
    task = registry.task("values")
    mean = parse("Mean", task=task.name)
    values: list[Value] = []
    single: list[PerQuery] = []
    clusters: dict[str, Mapping[str, Sequence[Any]]] = {}
    size_notes: dict[str, list[str]] = {}
    words: list[Note] = []
    dependent = ""
    sizes: dict[str, Mapping[str, float]] = {}
    if groups is not None:
        logs = [log.grouped(groups) for log in logs]
    for name, (log, system) in named_systems(logs).items():
        subgroup = None if by is None else log.field(by, "by")
        for metric, scores in log.metrics(system).items():
            if metrics is not None and metric not in metrics:
                continue
            conventions = {"ids": scores.checked_items, "groups": scores.groups, "sample_weight": scores.weights}
            column = None if subgroup is None else [subgroup[item] for item in scores.items]
            for argument, labels in {**conventions, "by": column}.items():
                if missing is not None and argument != "sample_weight" and labels is not None:
                    refuse_missing(coded(labels, argument), argument, missing)
            case = Scored(task, {"values": scores.values}, conventions)
            words += case.notices()
            if column is not None and (notice := notice_of_column(column, "by", "subgroups")) is not None:
                words.append(notice)
            estimates: list[Estimate] = []
            for group, part in [(None, case)] if column is None else case.parts(column):
                metric_estimates = [replace(estimate, metric=metric) for _, estimate in part.estimates(mean)]
                values += [Value(name, metric, estimate, group) for estimate in metric_estimates]
                estimates += metric_estimates
            if column is not None and scores.groups is not None:
                dependent = straddling(coded(column, "by").codes, coded(scores.groups, "groups").codes)
                check_independent(subgroup_mean, dependent)
            if column is not None and subgroup_mean is not None and subgroup_mean.endswith("weighted"):
                sizes[name] = case.sizes(column)
            size_notes.setdefault(case.size_in_words, []).append(f"{metric} of {name}")
            if per_query:
                single += case.single(name, estimates)
            if case.clusters and per_query:
                clusters[name] = case.clusters
    _check_metrics_exist(logs, metrics, {value.metric for value in values})
    notes = (
        list(size_notes)
        if len(size_notes) == 1
        else [f"{', '.join(titles)}: {setting}" for setting, titles in size_notes.items()]
    )
    signature: dict[str, Any] = {
        "certus": kernels.__version__,
        "task": task.name,
        "metrics": {metric: {} for metric in dict.fromkeys(value.metric for value in values)},
        "level": level,
        "method": interval,
        "seed": seed,
        "said": notes,
        "inputs": {log.name: log.fingerprint for log in logs},
        **{
            name: setting
            for name, setting in (("by", by), ("subgroup_mean", subgroup_mean), ("groups", groups))
            if setting is not None
        },
    }
    if clusters:
        signature["clusters"] = clusters
    averaged = None if subgroup_mean is None else SubgroupMean(subgroup_mean, False, sizes)
    blocks = partial(blocks_of, values, level, interval, seed, dependent, mean=averaged)
    rows = blocks if interval is None else list(flat(blocks()))
    notices = dict.fromkeys([*(notice for log in logs for notice in log.notices), *words])
    return Table(rows, notices, signature, single)


def _check_metrics_exist(logs: Sequence[Log], metrics: Sequence[str] | None, available: set[str]) -> None:
    """Refuse a requested metric that no log has; the error suggests the nearest name."""
    for metric in metrics or ():
        if metric not in available:
            all_metrics = list(dict.fromkeys(scores.metric for log in logs for scores in log.scores))
            near = suggestion(metric, all_metrics) or f"there are {', '.join(map(repr, all_metrics))}"
            raise DataError(f"has no metric {metric!r}", near, location=f"{logs[0].name}")
