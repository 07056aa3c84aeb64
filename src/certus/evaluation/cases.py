"""The systems of an evaluation, each on its samples or queries, and all that a table can show of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from certus.core.note import Note
from certus.evaluation.items import Average, Item, Value, blocks_of
from certus.inference import Estimate
from certus.metrics import Metric
from certus.table import PerQuery, Row
from certus.table.table import flat

if TYPE_CHECKING:
    from certus.tasks import Task

_DOCUMENTS = 10
"""Documents that a report lists of each query."""


class Case(ABC):
    """One system on its samples or queries."""

    @property
    def size_in_words(self) -> str:
        """The number of samples in words; empty where the table says it anyway."""
        return ""

    @property
    def units(self) -> Sequence[str] | None:
        """The names by which two systems are paired; None: by place."""
        return None

    @property
    def clusters(self) -> Mapping[str, Sequence[Any]]:
        """The groups of values that are stored, by the name of the keyword."""
        return {}

    def single(self, _system: str, _estimates: Iterable[Estimate], /) -> Iterator[PerQuery] | None:
        """The value of each unit, of the metrics that have one; None: units have no names."""
        return None

    @property
    def support(self) -> tuple[int, Mapping[Hashable, float]] | None:
        """The number of samples that count, and that of true samples in each class; None without classes."""
        return None

    @abstractmethod
    def default_items(self, average: Average | None) -> tuple[list[Item], list[str]]:
        """The metrics reported unless some are named, and sentences on how they were chosen."""

    @abstractmethod
    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        """The estimate of a metric beside None, or that of each class beside its label."""

    @abstractmethod
    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse a keyword that no metric uses."""

    def notices(self) -> Iterator[Note]:
        """The notices about the data."""
        return iter(())

    def curves(self, _level: float, /) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each curve: its name, its axes, and the points on its line and its band."""
        return iter(())

    def documents(self, _number: int, /) -> tuple[str, Mapping[str, list[list[Any]]]]:
        """Why there are none; and of each query its first documents, with grade and whether tied."""
        return "", {}

    def tables(self) -> Iterator[tuple[str, list[str], list[list[str]]]]:
        """The heading of each table, the names of its columns, and its lines."""
        return iter(())


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


@dataclass(frozen=True)
class Drawings:
    """The systems of a table, from which more is drawn than their values.

    Attributes
    ----------
    task, make_cases
        The task, and a function that makes the case of each system.
    by
        What tells subgroups apart; None where there are none.
    level, interval, seed
        Of the intervals.
    items
        The metrics stated of each system.
    """

    task: "Task"
    make_cases: Callable[[], Mapping[str, Case]]
    level: float
    by: Any = None
    interval: str | None = None
    seed: int = 0
    items: Sequence[Item] = ()

    def pooled_rows(self) -> list[Row]:
        """The rows of all samples of each system together; none where there are no subgroups."""
        if self.by is None:
            return []
        return list(flat(blocks_of(list(self._values()), self.level, self.interval, self.seed)))

    def _values(self) -> Iterator[Value]:
        for system, case in self.make_cases().items():
            for item in self.items:
                for label, estimate in case.estimates(item.metric):
                    yield Value(system, item.name, estimate, None, label, item.average, item.metric.better)

    def pictures(self) -> Iterable[tuple[str, Callable[[Any], Any]]]:
        """The name of each picture of the task, and what draws it on axes."""
        return () if self.task.pictures is None else self.task.pictures(self.make_cases(), self.by, self.level)


def report_content(cases: Mapping[str, Case], level: float) -> dict[str, Any]:
    """Curves by their name, documents by query and system, and why there are none; tables by heading and system."""
    curves: dict[str, dict[str, Any]] = {}
    documents: dict[str, dict[str, Any]] = {}
    tables: dict[str, dict[str, Any]] = {}
    no_documents_note = ""
    for system, case in cases.items():
        for name, curve in case.curves(level):
            rows = curve.pop("rows")
            curves.setdefault(name, {**curve, "rows": []})["rows"] += [{**row, "system": system} for row in rows]
        for heading, names, lines in case.tables():
            tables.setdefault(heading, {})[system] = (names, lines)
        reason, by_query = case.documents(_DOCUMENTS)
        no_documents_note = no_documents_note or reason
        for query, documents_of_query in by_query.items():
            documents.setdefault(query, {})[system] = documents_of_query
    return {
        "curves": curves,
        "documents": {} if no_documents_note else documents,
        "said": no_documents_note,
        "tables": tables,
    }
