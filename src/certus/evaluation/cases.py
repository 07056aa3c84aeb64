"""Systems of an evaluation, each on its samples or queries, and everything that a table can show about them."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels, registry
from certus.core.errors import CertusError, DataError, MetricNameError, NotGivenError, mention
from certus.core.missing import notice_of_words
from certus.core.note import Note
from certus.data.classes import names_of
from certus.data.columns import (
    Coded,
    as_array,
    check_index,
    check_lengths,
    coded,
    notice_of_column,
    sample_weights,
    sorted_labels,
)
from certus.data.multilabel import LabelTable
from certus.data.samples import Parts
from certus.evaluation.call import check_weights_allowed, estimate_parts, estimate_prepared
from certus.inference import Estimate, Estimates
from certus.inference.estimate import SubgroupEstimates
from certus.metrics import Metric, parse
from certus.metrics.names import MetricLike, Metrics, task_of
from certus.statistic.common import plural, sum_by_code
from certus.table import PerQuery

if TYPE_CHECKING:
    from certus.tasks import Task


Average: TypeAlias = Literal["binary", "macro", "micro", "weighted", "samples"]


@dataclass(frozen=True)
class Item:
    """A metric to report, whether its average is a row of the table of classes, and its value for 0/0 if set."""

    metric: Metric
    in_table: bool = False
    undefined: float | str | None = None
    averages: bool = field(default=False, compare=False)
    """True if the metric averages as the call says."""

    @classmethod
    def from_metric(cls, metric: Metric, average: Average | None) -> "Item":
        """Item for a metric, averaged by the call's `average` if the metric has that parameter and does not set it."""
        parameter = metric.parameters.get("average")
        untold = parameter is not None and metric.conventions["average"] == parameter.default
        takes_average = untold and average is not None
        return cls(metric.using(average=average) if takes_average else metric, averages=takes_average)

    @property
    def average(self) -> str | None:
        """Average in the table of classes; None outside of it."""
        row_average: str | None = self.metric.conventions["average"] if self.in_table else None
        return row_average

    @property
    def name(self) -> str:
        """Text of the metric without conventions shown elsewhere: the average (a column), 0/0 (below the table)."""
        return _name(self.metric, self.in_table, self.undefined is not None)

    def with_undefined(self, undefined: float | str) -> "Item":
        """Item with this value for 0/0, if the metric has that parameter and leaves it at its default."""
        parameter = self.metric.parameters.get("undefined")
        if parameter is None or self.metric.conventions["undefined"] != parameter.default:
            return self
        return replace(self, metric=self.metric.using(undefined=undefined), undefined=undefined)


@lru_cache(maxsize=1024)
def _name(metric: Metric, in_table: bool, undefined: bool) -> str:
    """Text of the metric without its average, or its value for 0/0."""
    elsewhere: dict[str, object] = {}
    if in_table or metric.conventions.get("average", "binary") is None:
        elsewhere["average"] = metric.parameters["average"].default
    if undefined:
        elsewhere["undefined"] = metric.parameters["undefined"].default
    return str(metric.using(**elsewhere) if elsewhere else metric)


def parse_metrics(metrics: Metrics, task: str) -> list[Metric]:
    """Parse the named metrics, without duplicates."""
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


class Case(ABC):
    """One system on its samples or queries."""

    @property
    def size_in_words(self) -> str:
        """Number of samples in words; empty if the table shows it anyway."""
        return ""

    @property
    def units(self) -> Sequence[str] | None:
        """Names by which the units of two systems are paired; None if paired by position."""
        return None

    @property
    def clusters(self) -> Mapping[str, Sequence[Any]]:
        """Group of each unit value, by the name of the keyword."""
        return {}

    def single(self, _system: str, _estimates: Iterable[Estimate], /) -> Iterator[PerQuery] | None:
        """Values of each unit, for the metrics that have them; None if units have no names."""
        return None

    @property
    def support(self) -> tuple[int, Mapping[Hashable, float]] | None:
        """Number of samples that count, and of true samples in each class; None without classes."""
        return None

    @abstractmethod
    def default_items(self, average: Average | None) -> tuple[list[Item], list[str]]:
        """Metrics to report if none are named, and sentences on how they were chosen."""

    @abstractmethod
    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        """Pairs (None, estimate of the metric); with a value for each class, pairs (label, estimate)."""

    @abstractmethod
    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse a keyword that none of the metrics uses."""

    def notices(self) -> Iterator[Note]:
        """Warnings about the data."""
        return iter(())

    def curves(self, _level: float, /) -> Iterator[tuple[str, dict[str, Any]]]:
        """Curves for the report: name, axes, points of the line and its band, and words about them."""
        return iter(())

    def documents(self, _number: int, /) -> tuple[str, Mapping[str, list[list[Any]]]]:
        """Why none are listed; and by query the first documents as [id, grade, 1 if tied]. By default none."""
        return "", {}

    def tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """Tables for the report: heading, names of columns, and rows of cells."""
        return iter(())


class Systems:
    """Cases of an evaluation by system name, and the estimates computed so far.

    Attributes
    ----------
    task, cases
        The task, and the case of each system.
    metrics, estimates
        The metrics computed so far, and the estimates of each system.
    interval
        Level and method of the intervals.
    """

    def __init__(self, task: "Task", cases: Mapping[str, Case]) -> None:
        self.task, self.cases = task, cases
        self.metrics: list[Metric] = []
        self.estimates: dict[str, list[Estimate]] = {name: [] for name in cases}
        self.interval: tuple[float | None, str | None] = (None, None)

    @property
    def signature(self) -> dict[str, Any]:
        """Everything that the numbers depend on, apart from metrics and intervals."""
        return {}

    def notices(self) -> Iterator[Note]:
        """Warnings about the data of all cases."""
        for name, case in self.cases.items():
            for notice in case.notices():
                yield notice if len(self.cases) == 1 else replace(notice, about=name)


_NOUNS = {"labels_true": "classes", "labels_pred": "clusters"}
"""The noun for the values of a column, where it differs from the name of the argument."""


class Samples(Case):
    """Samples with the predictions of one system.

    Parameters
    ----------
    task
        Whose metrics are computed.
    data_columns
        The data by the names of the task's arguments; those that are not there are missing or None.
    conventions
        What every metric is told, by name; None where not given.
    """

    def __init__(self, task: "Task", data_columns: Mapping[str, Any], conventions: Mapping[str, Any]) -> None:
        self.task = task
        self.data_columns = {
            argument.name: data_columns[argument.name]
            for argument in task.data
            if data_columns.get(argument.name) is not None
        }
        self.conventions = {name: value for name, value in conventions.items() if value is not None}
        self._prepared_data: dict[tuple[type, ...], Any] = {}
        self._parts: list[Samples] = []
        check_index(**self.data_columns, **self.columns_told)
        self._check()

    def _check(self) -> None:
        """Refuse data columns of different lengths."""
        check_lengths(**{name: as_array(values, name) for name, values in self.data_columns.items()})

    @property
    def columns_told(self) -> dict[str, Any]:
        """Conventions with one value per sample, such as weights and groups, by argument name."""
        return {name: value for name, value in self.conventions.items() if self.task.argument(name).column}

    def __len__(self) -> int:
        name, values = next(iter(self.data_columns.items()))
        return len(as_array(values, name))

    @property
    def size_in_words(self) -> str:
        """Number of samples in words, with total weight, number of groups and unit."""
        conventions = self.conventions
        parts = [plural(len(self), self.task.unit)]
        if (weights := sample_weights(conventions.get("sample_weight"))) is not None:
            parts.append(f"of total weight {weights.sum():.10g}")
        if "groups" in conventions:
            parts.append(f"in {plural(len(coded(conventions['groups'], 'groups').labels), 'group')}")
        if "units" in conventions:
            parts.append(f"in {conventions['units']}")
        return " ".join(parts)

    def data(self, metric: Metric) -> tuple[str, ...]:
        """Names of the columns that the metric is computed from; empty if some are missing."""
        for kind in metric.input_types:
            names = [self.task.argument(name).name for name in getattr(kind, "arguments", ())]
            if names and all(name in self.data_columns for name in names):
                return tuple(names)
        return ()

    def prepared(self, metric: Metric) -> Any:
        """Prepared data for a metric; cached by the type of data."""
        if metric.input_types not in self._prepared_data:
            names = self.data(metric)
            if not names:
                wanted = " or ".join(
                    " and ".join(map(mention, getattr(kind, "arguments", ()))) for kind in metric.input_types
                )
                missing = "not all of which are" if " and " in wanted else "which is not"
                raise NotGivenError(f"it is computed from {wanted}, {missing} given")
            keywords = {
                name: value
                for name, value in self.conventions.items()
                if name in ("sample_weight", "groups") or name in keywords_of(metric)
            }
            columns = tuple(self.data_columns[name] for name in names)
            self._prepared_data[metric.input_types] = self.task.prepare()(metric, columns, keywords)
        return self._prepared_data[metric.input_types]

    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        """Pairs (None, estimate of the metric); with a value for each class, pairs (label, estimate)."""
        check_weights_allowed(metric, self.conventions)
        try:
            result: Any = estimate_prepared(metric, self.prepared(metric))
        except DataError as error:
            raise (error if str(error).startswith(metric.name) else error.with_location(metric)) from None
        yield from result.items() if isinstance(result, Estimates) else [(None, result)]

    def default_items(self, average: Average | None) -> tuple[list[Item], list[str]]:
        """Metrics to report if none are named, and sentences on how they were chosen."""
        texts = [text for text in self.task.usual if task_of(text, [self.task.name])]
        there = [metric for metric in (parse(text, task=self.task.name) for text in texts) if self.data(metric)]
        if not there:
            raise DataError(f"none of {', '.join(texts)} can be computed from what is given", "name metrics")
        left = [str(metric) for metric in there if not metric.weighted and "sample_weight" in self.conventions]
        if left and len(left) == len(there):
            raise MetricNameError(
                f"{', '.join(left)} does not apply to weighted samples",
                f"leave out {mention('sample_weight')}",
                argument="sample_weight",
                subject="",
            )
        notes = [f"left out, as they do not apply to weighted samples: {', '.join(left)}"] if left else []
        return [Item.from_metric(metric, average) for metric in there if str(metric) not in left], notes

    def notices(self) -> Iterator[Note]:
        """Warnings about labels, groups, ids or column names that look like missing values."""
        columns = {**self.data_columns, **self.conventions}
        arguments = [argument for argument in (*self.task.data, *self.task.conventions) if argument.name in columns]
        for argument in arguments:
            if argument.holds == "keys" or (argument.holds == "labels" and self.task.name == "clustering"):
                notice = notice_of_column(
                    columns[argument.name], argument.name, _NOUNS.get(argument.name, argument.name)
                )
                yield from () if notice is None else (notice,)
        names = names_of(columns[arguments[0].name]) if arguments and self.task.name == "multilabel" else None
        if names is not None:
            counts = {name: {f"the columns of {mention(arguments[0].name)}": 1} for name in names}
            notice = notice_of_words(counts, "labels", "name")
            yield from () if notice is None else (notice,)

    @staticmethod
    def notices_of(_data: object, /) -> Iterator[Note]:
        """Warnings about prepared data; some tasks override it."""
        return iter(())

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse conventions that nothing computed from the samples uses."""
        prepared_data = [data for part in (self, *self._parts) for data in part._prepared_data.values()]
        self.task.check_asked(self.conventions, prepared_data, metrics)
        for name in self.conventions:
            if name not in ("sample_weight", "groups") and not any(name in keywords_of(metric) for metric in metrics):
                names = ", ".join(dict.fromkeys(map(str, metrics)))
                raise MetricNameError(f"does not apply to {names}", "leave it out", argument=name)

    def parts(self, by: Any) -> Iterator[tuple[str, "Samples"]]:
        """Samples of each subgroup, sorted by the value of `by`."""
        column, n = self._subgroup_codes(by)
        order, part_ends = kernels.order_of_codes(column.codes.astype(np.uint32, copy=False), len(column.labels))
        samples = dict(zip(column.labels, np.split(order, part_ends), strict=False))
        for label in sorted_labels(column.labels)[0]:
            part = self.part(samples[label], n)
            self._parts.append(part)
            yield str(label), part

    def _subgroup_codes(self, by: Any) -> tuple[Coded, int]:
        """Subgroup code of each sample, and the number of samples."""
        first, values = next(iter(self.data_columns.items()))
        check_index(**{first: values}, by=by)
        column = coded(by, "by")
        return column, check_lengths(**{first: as_array(values, first)}, by=column.codes)

    def dependent(self, by: Any) -> str:
        """Reason why subgroups are dependent: groups with samples in several of them; empty if none."""
        groups = self.conventions.get("groups")
        if groups is None:
            return ""
        from certus.inference.many.subgroups import straddling  # here, as few evaluations have groups

        return straddling(coded(by, "by").codes, coded(groups, "groups").codes)

    def sizes(self, by: Any) -> dict[str, float]:
        """Number (or total weight) of samples in each subgroup."""
        column, _ = self._subgroup_codes(by)
        weights = sample_weights(self.conventions.get("sample_weight"))
        totals = np.bincount(column.codes) if weights is None else sum_by_code(column.codes, weights)
        return dict(zip(map(str, column.labels), totals.tolist(), strict=True))

    def compact_estimate(self, estimate: Estimate, level: float, seed: int, dependent: str) -> Estimate:
        """Reduce a subgroup's estimate to what a table needs: here nothing is removed."""
        del level, seed, dependent
        return estimate

    def estimates_of_parts(self, by: Any, metrics: Sequence[Metric]) -> list[SubgroupEstimates] | None:
        """Estimates of all subgroups at once for each metric, equal to those of `parts`; None if not possible.

        They are made together of data without weights and groups whose samples are told apart fast; of others this is
        None, and where a subgroup is wrong, which its own estimates say best.
        """
        if any(name not in ("labels", "pos_label") for name in self.conventions):
            return None
        column, n = self._subgroup_codes(by)
        labels = sorted_labels(column.labels)[0]
        names = [str(label) for label in labels]
        rank_of = {label: rank for rank, label in enumerate(labels)}
        ranks = np.array([rank_of[label] for label in column.labels], dtype=np.uint32)
        codes = column.codes.astype(np.uint32, copy=False)
        if (ranks[1:] < ranks[:-1]).any():
            codes = ranks[codes]
        by_metric: dict[Metric, SubgroupEstimates] = {}
        try:
            by_data: dict[int, list[Metric]] = {}
            for metric in metrics:
                by_data.setdefault(id(self.prepared(metric)), []).append(metric)
            for same_data in by_data.values():
                data = self.prepared(same_data[0])
                if not hasattr(data, "select"):
                    return None
                parts = Parts(data, codes, len(names), partial(self._prepared_rows, same_data[0], n))
                part_estimates = estimate_parts(same_data, parts, names)
                if part_estimates is None:
                    return None
                by_metric |= zip(same_data, part_estimates, strict=True)
        except CertusError:
            return None
        return [by_metric[metric] for metric in metrics]

    def _prepared_rows(self, metric: Metric, n: int, index: NDArray[np.intp]) -> Any:
        """Data object of a metric, such as true and predicted labels, for the samples at `index` among `n`."""
        part = self.part(index, n)
        self._parts.append(part)
        return part.prepared(metric)

    def part(self, index: NDArray[np.intp], n: int) -> "Samples":
        """Samples with these indices, out of `n`."""
        return type(self)(
            self.task,
            select_samples(self.data_columns, index, n),
            {**self.conventions, **select_samples(self.columns_told, index, n)},
        )


@cache
def keywords_of(metric: Metric) -> frozenset[str]:
    """Names of all keywords that a call to the metric accepts."""
    return frozenset(inspect.signature(metric).parameters)


def select_samples(columns: Mapping[str, Any], index: NDArray[np.intp], n: int) -> dict[str, Any]:
    """Select samples by index from columns and tables."""
    return {name: _select_rows(values, index, n) for name, values in columns.items()}


def _select_rows(values: Any, index: NDArray[np.intp], n: int) -> Any:
    """Select rows by index from a column or table; other values stay unchanged."""
    if values is None or isinstance(values, str) or not hasattr(values, "__len__"):
        return values
    if hasattr(values, "iloc"):
        return values.iloc[index]
    if isinstance(values, LabelTable):
        return values[index]
    array = as_array(values, "a column")
    check_lengths(y_true=np.empty(n), **{"a column": array})
    return array[index]
