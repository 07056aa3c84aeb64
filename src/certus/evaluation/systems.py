"""The systems of one evaluation: whose predictions are measured, on which samples."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from certus.errors import DataError
from certus.evaluation.binding import role
from certus.evaluation.items import Average, Item
from certus.evaluation.report_content import ReportContent
from certus.inference import Estimate
from certus.metrics import Metric
from certus.note import Note
from certus.table import PerQuery

if TYPE_CHECKING:
    from certus.tasks import Task


@dataclass(frozen=True)
class Call:
    """The arguments of `certus.evaluate` of these names, the metrics parsed.

    `keywords` are the others: data and conventions of the task.
    """

    task: "Task"
    truth: Any
    predictions: Any
    metrics: Sequence[Metric] | None
    keywords: Mapping[str, Any]
    name: str | None


class Case(ReportContent, Protocol):
    """One system on its samples or queries; see `Samples`."""

    @property
    def size_in_words(self) -> str:
        """The number of samples in words; empty where the table says it anyway."""

    @property
    def units(self) -> Sequence[str] | None:
        """The names by which two systems are paired; None: by place."""

    @property
    def clusters(self) -> Mapping[str, Sequence[Any]]:
        """The groups of values that are stored, by the name of the keyword."""

    def single(self, system: str, estimates: Iterable[Estimate]) -> Iterator[PerQuery] | None:
        """The value of each unit, of the metrics that have one."""

    @property
    def support(self) -> tuple[int, Mapping[Hashable, float]] | None:
        """The number of samples, and that of each class; None without classes."""

    def default_items(self, average: Average | None) -> tuple[list[Item], list[str]]:
        """The metrics reported unless some are named, and sentences on how they were chosen."""

    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        """The estimate of a metric beside None, or that of each class beside its label."""

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse a keyword that no metric uses."""

    def notices(self) -> Iterator[Note]:
        """The notices about the data."""


class Systems:
    """The cases of an evaluation by the names of their systems, and the estimates so far.

    Attributes
    ----------
    task, cases
        The task, and the case of each system.
    metrics, estimates
        The metrics computed so far, and the estimates of each system.
    """

    def __init__(self, task: "Task", cases: Mapping[str, Case]) -> None:
        self.task, self.cases = task, cases
        self.metrics: list[Metric] = []
        self.estimates: dict[str, list[Estimate]] = {name: [] for name in cases}

    @property
    def signature(self) -> dict[str, Any]:
        """All that the numbers depend on beside metrics and intervals."""
        return {}

    def notices(self) -> Iterator[Note]:
        """Warnings about the data of all cases."""
        for name, case in self.cases.items():
            for notice in case.notices():
                yield notice if len(self.cases) == 1 else replace(notice, about=name)


def systems_of_columns(call: Call) -> Systems:
    """The systems of a task whose data are columns."""
    task, truth, predictions, name = call.task, call.truth, call.predictions, call.name
    data = {
        argument.name: call.keywords[argument.name]
        for argument in task.data
        if call.keywords.get(argument.name) is not None
    }
    conventions = {key: value for key, value in call.keywords.items() if key not in data}
    shared = list(task.shared)
    if not shared and predictions is None:
        truth, predictions = None, truth
    if truth is not None:
        if not shared:
            raise DataError(f"{task.name} has no truth", "give None for it")
        _add(data, shared[0].name, truth)
    make_samples = task.samples()
    systems = _by_name(task, data.get(shared[0].name) if shared else None, predictions, call.metrics)
    if systems is None:
        return Systems(task, {name or "predictions": make_samples(task, data, conventions)})
    if name is not None and list(systems) != [""]:
        raise DataError(
            f"is {name!r}, but predictions are given by the names of their systems", "leave it out", argument="name"
        )
    cases = {}
    for system, system_columns in systems.items():
        all_columns = dict(data)
        for key, values in system_columns.items():
            _add(all_columns, key, values)
        cases[system or name or "predictions"] = make_samples(task, all_columns, conventions)
    return Systems(task, cases)


def _add(data: dict[str, Any], name: str, values: Any) -> None:
    if name in data:
        raise DataError("is given twice", "give it once", argument=name)
    data[name] = values


def _by_name(
    task: "Task", truth: Any, predictions: Any, metrics: Sequence[Metric] | None
) -> dict[str, dict[str, Any]] | None:
    """The data of each system by its name, which is empty where one system has none."""
    if predictions is None:
        return None
    valid_names = {argument.name for argument in task.predicted}
    if not isinstance(predictions, Mapping):
        return {"": {role(task, truth, predictions, metrics): predictions}}
    if predictions and set(predictions) <= valid_names:
        return {"": dict(predictions)}
    if not predictions:
        raise DataError("is an empty dict", "give at least one system", argument="predictions")
    check_names([str(system) for system in predictions], "predictions")
    systems = {}
    for system, system_columns in predictions.items():
        if isinstance(system_columns, Mapping):
            if unknown := [key for key in system_columns if key not in valid_names]:
                raise DataError(
                    f"has {unknown[0]!r}",
                    f"what {task.name} knows of a system is {', '.join(sorted(valid_names))}",
                    argument="predictions",
                    subject=f"predictions[{system!r}]",
                )
            systems[str(system)] = dict(system_columns)
        else:
            systems[str(system)] = {role(task, truth, system_columns, metrics): system_columns}
    return systems


def check_names(names: Sequence[str], argument: str) -> None:
    """Refuse systems of one name, and a name that cannot be seen."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"two systems in {argument} are named {twice!r}", "give each a name of its own")
    blank = next((name for name in names if not name.strip()), None)
    if blank is not None:
        raise DataError(f"a system in {argument} is named {blank!r}", "give it a name that can be seen")
