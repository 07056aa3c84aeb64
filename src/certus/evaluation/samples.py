"""The data of one system, prepared once however many metrics are computed from them."""

import inspect
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data.classes import names_of
from certus.data.codes import Coded, check_index, coded, notice_of_column, sorted_labels
from certus.data.columns import as_array, check_lengths, sample_weights
from certus.data.parts import Parts
from certus.errors import CertusError, DataError, MetricNameError, NotGivenError, called
from certus.evaluation.call import estimated, estimated_parts, weighable
from certus.evaluation.items import Average, Item
from certus.inference import Estimate, Estimates
from certus.inference.estimates import SubgroupEstimates
from certus.metrics import Metric, parse
from certus.metrics.names import task_of
from certus.missing import missing_among, notice_of_words
from certus.note import Note
from certus.statistic.common import plural, sum_by_code
from certus.table import PerQuery

if TYPE_CHECKING:
    from certus.tasks import Task


_NOUNS = {"labels_true": "classes", "labels_pred": "clusters"}
"""The noun for the values of a column, where it differs from the name of the argument."""


class Samples:
    """Some samples with one system's predictions for them.

    Parameters
    ----------
    task
        Whose metrics are computed.
    given
        The data by the names of the task's arguments; those that are not there are missing or None.
    conventions
        What every metric is told, by name; None where not given.
    """

    def __init__(self, task: "Task", given: Mapping[str, Any], conventions: Mapping[str, Any]) -> None:
        self.task = task
        self.given = {each.name: given[each.name] for each in task.data if given.get(each.name) is not None}
        self.conventions = {name: value for name, value in conventions.items() if value is not None}
        self._made: dict[tuple[type, ...], Any] = {}
        self._parts: list[Samples] = []
        check_index(**self.given, **self.columns_told)
        self._check()

    def _check(self) -> None:
        check_lengths(**{name: as_array(values, name) for name, values in self.given.items()})

    @property
    def clusters(self) -> Mapping[str, Sequence[Any]]:
        """Nothing: what belongs together is stored with values that are stored."""
        return {}

    def single(self, system: str, estimates: Iterable[Estimate]) -> Iterator[PerQuery] | None:
        """None: samples have no names by which their values could be told."""
        del system, estimates
        return None

    @property
    def columns_told(self) -> dict[str, Any]:
        """The conventions that are columns."""
        return {name: value for name, value in self.conventions.items() if self.task.argument(name).column}

    def __len__(self) -> int:
        name, values = next(iter(self.given.items()))
        return len(as_array(values, name))

    @property
    def units(self) -> Sequence[str] | None:
        """None: samples of two systems are the same in the same place."""
        return None

    @property
    def size_in_words(self) -> str:
        """The number of samples in words, with their weight, their groups and the unit of their values."""
        told = self.conventions
        parts = [plural(len(self), self.task.unit)]
        if (weights := sample_weights(told.get("sample_weight"))) is not None:
            parts.append(f"of total weight {weights.sum():.10g}")
        if "groups" in told:
            parts.append(f"in {plural(len(coded(told['groups'], 'groups').labels), 'group')}")
        if "units" in told:
            parts.append(f"in {told['units']}")
        return " ".join(parts)

    def data(self, metric: Metric) -> tuple[str, ...]:
        """The names of the data given that the metric is computed from; empty where they are not."""
        for kind in metric.takes:
            names = [self.task.argument(name).name for name in getattr(kind, "arguments", ())]
            if names and all(name in self.given for name in names):
                return tuple(names)
        return ()

    def prepared(self, metric: Metric) -> Any:
        """The data of a metric."""
        if metric.takes not in self._made:
            names = self.data(metric)
            if not names:
                wanted = " or ".join(" and ".join(map(called, getattr(kind, "arguments", ()))) for kind in metric.takes)
                missing = "not all of which are" if " and " in wanted else "which is not"
                raise NotGivenError(f"it is computed from {wanted}, {missing} given")
            told = {
                name: value
                for name, value in self.conventions.items()
                if name in ("sample_weight", "groups") or name in keywords_of(metric)
            }
            columns = tuple(self.given[name] for name in names)
            self._made[metric.takes] = self.task.prepare()(metric, columns, told)
        return self._made[metric.takes]

    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        """The estimate of a metric beside None, or that of each class beside its label."""
        weighable(metric, self.conventions)
        try:
            found: Any = estimated(metric, self.prepared(metric))
        except DataError as error:
            raise (error if str(error).startswith(metric.name) else error.at(metric)) from None
        yield from found.items() if isinstance(found, Estimates) else [(None, found)]

    def default_items(self, average: Average | None) -> tuple[list[Item], list[str]]:
        """The metrics stated unless some are named, and sentences on how they were chosen."""
        texts = [text for text in self.task.usual if task_of(text, [self.task.name])]
        there = [metric for metric in (parse(text, task=self.task.name) for text in texts) if self.data(metric)]
        if not there:
            raise DataError(f"none of {', '.join(texts)} can be computed from what is given", "name metrics")
        left = [str(metric) for metric in there if not metric.weighted and "sample_weight" in self.conventions]
        if left and len(left) == len(there):
            raise MetricNameError(
                f"{', '.join(left)} has no meaning for weighted samples",
                f"leave out {called('sample_weight')}",
                argument="sample_weight",
                subject="",
            )
        why = [f"left out, as they have no meaning for weighted samples: {', '.join(left)}"] if left else []
        return [Item.of(metric, average) for metric in there if str(metric) not in left], why

    @property
    def support(self) -> tuple[int, Mapping[Hashable, float]] | None:
        """The number of samples that count, and of true samples of each class; None where there are no classes."""
        return None

    def curves(self, _level: float, /) -> Iterator[tuple[str, dict[str, Any]]]:
        """No curves, unless a task has some."""
        return iter(())

    def documents(self, _number: int, /) -> tuple[str, Mapping[str, list[list[Any]]]]:
        """No documents: samples are not queries."""
        return "", {}

    def tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """No tables beside the values, unless a task has some."""
        return iter(())

    def notices(self) -> Iterator[Note]:
        """Warnings about the data."""
        yield from self.notices_of_words()

    def notices_of_words(self) -> Iterator[Note]:
        """Warnings about words for a missing value in columns of labels, groups or ids, and among their names."""
        given = {**self.given, **self.conventions}
        known = [each for each in (*self.task.data, *self.task.conventions) if each.name in given]
        for each in known:
            if each.holds == "keys" or (each.holds == "labels" and self.task.name == "clustering"):
                notice = notice_of_column(given[each.name], each.name, _NOUNS.get(each.name, each.name))
                yield from () if notice is None else (notice,)
        names = names_of(given[known[0].name]) if known and self.task.name == "multilabel" else None
        if names is not None:
            if (missing := missing_among(names)) is not None:
                found = f"has a column named {missing!r} (missing by {called('missing_values')})"
                raise DataError(found, "rename or leave out such columns first", argument=known[0].name)
            counts = {name: {f"the columns of {called(known[0].name)}": 1} for name in names}
            notice = notice_of_words(counts, "labels", "name")
            yield from () if notice is None else (notice,)

    @staticmethod
    def notices_of(_data: object, /) -> Iterator[Note]:
        """Warnings about prepared data: none, unless a task has some."""
        return iter(())

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse conventions that nothing computed from the samples has had a use for."""
        made = [data for part in (self, *self._parts) for data in part._made.values()]
        self.task.check_asked(self.conventions, made, metrics)
        for name in self.conventions:
            if name not in ("sample_weight", "groups") and not any(name in keywords_of(metric) for metric in metrics):
                names = ", ".join(dict.fromkeys(map(str, metrics)))
                raise MetricNameError(f"has no meaning for {names}", "leave it out", argument=name)

    def parts(self, by: Any) -> Iterator[tuple[str, "Samples"]]:
        """The samples of each value of `by`, in the order of the values."""
        column, n = self._told_apart(by)
        order, ends = kernels.order_of_codes(column.codes.astype(np.uint32, copy=False), len(column.labels))
        samples = dict(zip(column.labels, np.split(order, ends), strict=False))
        for label in sorted_labels(column.labels)[0]:
            part = self.part(samples[label], n)
            self._parts.append(part)
            yield str(label), part

    def _told_apart(self, by: Any) -> tuple[Coded, int]:
        """The subgroup of each sample, and the number of samples."""
        first, values = next(iter(self.given.items()))
        check_index(**{first: values}, by=by)
        column = coded(by, "by")
        return column, check_lengths(**{first: as_array(values, first)}, by=column.codes)

    def dependent(self, by: Any) -> str:
        """Why the subgroups are not independent: groups that have samples in several; empty where none has."""
        groups = self.conventions.get("groups")
        if groups is None:
            return ""
        from certus.inference.many.subgroups import straddling  # here, as few evaluations have groups

        return straddling(coded(by, "by").codes, coded(groups, "groups").codes)

    def sizes(self, by: Any) -> dict[str, float]:
        """The number of samples of each value of `by`, or the sum of their weights."""
        column, _ = self._told_apart(by)
        weights = sample_weights(self.conventions.get("sample_weight"))
        found = np.bincount(column.codes) if weights is None else sum_by_code(column.codes, weights)
        return dict(zip(map(str, column.labels), found.tolist(), strict=True))

    def kept(self, estimate: Estimate, level: float, seed: int, dependent: str) -> Estimate:
        """The estimate of a subgroup as it is kept until its table is made: as it is."""
        del level, seed, dependent
        return estimate

    def estimates_of_parts(self, by: Any, metrics: Sequence[Metric]) -> list[SubgroupEstimates] | None:
        """The estimates of each metric for each value of `by`, equal to those of `parts`, or None.

        They are made together of data without weights and groups whose samples are told apart fast; of others this is
        None, and where a subgroup is wrong, which its own estimates say best.
        """
        if any(name not in ("labels", "pos_label") for name in self.conventions):
            return None
        column, n = self._told_apart(by)
        labels = sorted_labels(column.labels)[0]
        names = [str(label) for label in labels]
        places = {label: place for place, label in enumerate(labels)}
        ranks = np.array([places[label] for label in column.labels], dtype=np.uint32)
        codes = column.codes.astype(np.uint32, copy=False)
        if (ranks[1:] < ranks[:-1]).any():
            codes = ranks[codes]
        found: dict[Metric, SubgroupEstimates] = {}
        try:
            by_data: dict[int, list[Metric]] = {}
            for metric in metrics:
                by_data.setdefault(id(self.prepared(metric)), []).append(metric)
            for some in by_data.values():
                data = self.prepared(some[0])
                if not hasattr(data, "taken"):
                    return None
                parts = Parts(data, codes, len(names), partial(self._prepared_rows, some[0], n))
                together = estimated_parts(some, parts, names)
                if together is None:
                    return None
                found |= zip(some, together, strict=True)
        except CertusError:
            return None
        return [found[metric] for metric in metrics]

    def _prepared_rows(self, metric: Metric, n: int, index: NDArray[np.intp]) -> Any:
        """The data of a metric for some of the `n` samples."""
        part = self.part(index, n)
        self._parts.append(part)
        return part.prepared(metric)

    def part(self, index: NDArray[np.intp], n: int) -> "Samples":
        """Some of the `n` samples."""
        return type(self)(
            self.task, taken(self.given, index, n), {**self.conventions, **taken(self.columns_told, index, n)}
        )


@cache
def keywords_of(metric: Metric) -> frozenset[str]:
    """The keywords of a call of the metric."""
    return frozenset(inspect.signature(metric).parameters)


def taken(columns: Mapping[str, Any], index: NDArray[np.intp], n: int) -> dict[str, Any]:
    """Some of the samples of columns and tables."""
    return {name: _taken(values, index, n) for name, values in columns.items()}


def _taken(values: Any, index: NDArray[np.intp], n: int) -> Any:
    """Some of the samples of a column or a table; what is not a column is as it was."""
    if values is None or isinstance(values, str) or not hasattr(values, "__len__"):
        return values
    if hasattr(values, "iloc"):
        return values.iloc[index]
    array = as_array(values, "a column")
    check_lengths(y_true=np.empty(n), **{"a column": array})
    return array[index]
