"""Picture data that the table lacks: rows for all samples together, and curves of the systems."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from certus.evaluation.items import Item, Value, blocks_of
from certus.evaluation.systems import Case
from certus.table import Row
from certus.table.row import flat

if TYPE_CHECKING:
    from certus.tasks import Task


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
