"""Pictures and report of an evaluation: what its table lacks, from the systems themselves."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from certus.evaluation.items import Item, Value, blocks_of
from certus.evaluation.systems import Case
from certus.table import Row
from certus.table.row import flat

if TYPE_CHECKING:
    from certus.tasks import Task

_DOCUMENTS = 10
"""Documents of a query that a report lists."""


@dataclass(frozen=True)
class Pictures:
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

    def whole(self) -> list[Row]:
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


def report_parts(cases: Mapping[str, Case], level: float) -> dict[str, Any]:
    """Curves by their name, documents by query and system, and why there are none; tables by heading and system."""
    curves: dict[str, dict[str, Any]] = {}
    documents: dict[str, dict[str, Any]] = {}
    tables: dict[str, dict[str, Any]] = {}
    no_documents = ""
    for system, case in cases.items():
        for name, curve in case.curves(level):
            rows = curve.pop("rows")
            curves.setdefault(name, {**curve, "rows": []})["rows"] += [{**row, "system": system} for row in rows]
        for heading, names, lines in case.tables():
            tables.setdefault(heading, {})[system] = (names, lines)
        reason, by_query = case.documents(_DOCUMENTS)
        no_documents = no_documents or reason
        for query, ranking in by_query.items():
            documents.setdefault(query, {})[system] = ranking
    return {"curves": curves, "documents": {} if no_documents else documents, "said": no_documents, "tables": tables}
