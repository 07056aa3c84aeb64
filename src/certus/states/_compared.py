"""Systems on the same samples, compared from the rows of a state."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from certus.errors import DataError, MetricNameError, keyword
from certus.metrics import Metric
from certus.states._batch import of_system
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.comparison import Comparison


def check_compared(
    task: Task, metrics: Sequence[Metric] | None, systems: Any, *, rows: bool, exact: bool
) -> tuple[str, ...] | None:
    """The names of systems, if they can be compared from the rows of a state."""
    if systems is None:
        return None
    if not task.paired or task.name == "ranking":
        raise MetricNameError(f"a state compares no systems of {task.name}", "give their values to certus.compare")
    if metrics is None:
        raise MetricNameError("no metrics are named", "name those that are compared")
    for name, value, default in (("rows", rows, False), ("exact", exact, True)):
        if value != default:
            raise MetricNameError(
                "has no meaning for comparisons, which keep rows",
                "leave it out",
                argument=name,
                subject=keyword(name, value),
            )
    names = () if isinstance(systems, str) else tuple(systems)
    if len(names) < 2 or len(set(names)) < len(names) or not all(isinstance(name, str) for name in names):
        raise DataError(f"is {systems!r}", "give two or more names, each once", argument="systems")
    return names


def compared(
    task: Task,
    metrics: Sequence[Metric] | None,
    systems: Sequence[str] | None,
    columns: Mapping[str, Any],
    told: Mapping[str, Any],
) -> "Comparison":
    """The comparison of the systems, whose columns are named after argument and system."""
    if systems is None or metrics is None:
        raise DataError("the state is of one system", "to compare, make one with systems=[...]")
    from certus.comparison.predictions import compare_predictions

    predictions: dict[str, dict[str, Any]] = {}
    for system in systems:
        names = {each.name: of_system(each.name, system) for each in task.predicted}
        predictions[system] = {name: columns[key] for name, key in names.items() if key in columns}
    own = {key for system in systems for key in (of_system(each.name, system) for each in task.predicted)}
    shared = {name: column for name, column in columns.items() if name not in own}
    truth = shared.pop(next(each.name for each in task.shared if each.name in shared))
    return compare_predictions(truth, predictions, metrics, task.name, {**shared, **told})
