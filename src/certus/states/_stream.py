"""Tables in batches and their columns by name, evaluated."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from certus import registry
from certus.errors import DataError, MetricNameError, not_utf8, options_for
from certus.evaluation.infer import fitting_tasks, single_task
from certus.evaluation.items import parse_metrics
from certus.io.batches import Batch, batches_of, columns_of, is_named, is_table
from certus.io.columns import Wanted
from certus.metrics.names import Metrics
from certus.states._batch import of_system
from certus.states._state import TASKS, State
from certus.tasks import Task


class Named(NamedTuple):
    """A call whose columns are named.

    Attributes
    ----------
    columns
        The names of columns by any name of their arguments.
    conventions
        The other keywords of the task.
    """

    columns: dict[str, Any]
    conventions: dict[str, Any]

    @classmethod
    def of(cls, keywords: Mapping[str, Any]) -> "Named":
        """The names and the conventions among the keywords of a call."""
        # "labels" are the clusters of clustering, but a convention of classification.
        others = {
            name for each in registry.tasks() for told in each.conventions if not told.column for name in told.names
        }
        known = {"by", *(alias for each in registry.tasks() for alias in each.aliases)} - others
        given = {key: value for key, value in keywords.items() if value is not None}
        for key, value in given.items():
            if key in known and not is_named(value):
                raise DataError(
                    f"is a {type(value).__name__}, but other keywords name columns of data",
                    "name its column, too",
                    argument=key,
                )
        return cls(
            {key: value for key, value in given.items() if key in known},
            {key: value for key, value in given.items() if key not in known},
        )

    def of_task(self, task: Task) -> dict[str, Any]:
        """The names of columns by the arguments of a task."""
        aliases = {**task.aliases, "by": "by"}
        for key in self.columns:
            if key not in aliases:
                raise MetricNameError(
                    f"is not a column of {task.name}",
                    f"these are {', '.join(dict.fromkeys(each.option for each in task.columns))} and by",
                    argument=key,
                )
        found = {aliases[key]: value for key, value in self.columns.items()}
        if len(found) < len(self.columns):
            raise DataError(f"a column of {task.name} is named twice", "name each once")
        return found

    def task(self, name: str | None, table: Any, metrics: Metrics | None, among: Iterable[str]) -> Task:
        """The task that is named, or the only one that the columns, the metrics and the conventions are of."""
        if name is not None:
            return registry.task(name)
        found: list[Task] = []
        refusals: list[tuple[int, MetricNameError]] = []
        for each in map(registry.task, among):
            fits = 0
            try:
                columns = self.of_task(each)
                fits = 1
                if metrics is not None:
                    parse_metrics(metrics, each.name)
                fits = 2
                given = columns_of(table, {key: names for key, names in columns.items() if key != "by"})
                truth = given.pop(each.shared[0].name, None) if each.shared else None
                if each in fitting_tasks(truth, None, metrics, {**given, **self.conventions}):
                    found.append(each)
                elif not each.enough(columns):
                    options = {name: each.argument(name).option for way in each.needs for name in way}
                    ways = " or ".join(" and ".join(options[name] for name in way) for way in each.needs)
                    raise MetricNameError(f"{each.name} needs the columns {ways}", "name them")
            except MetricNameError as error:
                refusals.append((fits, error))
        if refusals and not found:
            raise max(refusals, key=lambda pair: pair[0])[1]
        return single_task(found)


def of_table(table: Any, named: Named, task: str | None, metrics: Metrics | None) -> tuple[Task, dict[str, Any]]:
    """The task of one table in memory, and its columns by their arguments."""
    known = [each.name for each in registry.tasks() if each.name != "ranking"]
    its = named.task(task, table, metrics, known)
    return its, columns_of(table, named.of_task(its))


def of_stream(
    data: Any,
    named: Named,
    task: str | None,
    metrics: Metrics | None,
    *,
    rows: bool = False,
    memory: int | str | None = None,
) -> State:
    """The state of all batches of a source."""
    batches = batches_of(data, wanted_of(named, task))
    first = next(batches, None)
    if first is None:
        raise DataError("has no batches", "give at least one", argument="data")
    its = named.task(task, first.table, metrics, TASKS)
    state = State(metrics, task=its.name, rows=rows, memory=memory, **named.conventions)
    fill(state, chain([first], batches), named.of_task(its))
    return state


def wanted_of(named: Named, task: str | None) -> Wanted:
    """The columns to read, of a task if it is known."""
    kinds: dict[str, list[str]] = {"labels": [], "numbers": [], "keys": []}
    order = [*reversed(TASKS), *([] if task is None else [task])]
    holds = {
        alias: each.argument(name).holds for each in map(registry.task, order) for alias, name in each.aliases.items()
    }
    for key, names in named.columns.items():
        kinds[holds.get(key, "keys")] += [names] if isinstance(names, str) else list(names)
    return Wanted(tuple(kinds["labels"]), tuple(kinds["numbers"]), tuple(kinds["keys"]))


def fill(
    state: State,
    batches: Iterable[Batch],
    names: Mapping[str, Any],
    progress: Callable[[int], object] = int,
    systems: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Add all batches to a state, telling `progress` the number of rows of each.

    Parameters
    ----------
    state, batches, progress
        The state, and what is added to it.
    names, systems
        The columns by their arguments: those of the samples, and those of each system where there are several.
    """
    for batch in batches:
        before = len(state)
        with placed(batch.place), columns_called(state.task, names, systems):
            if not is_table(batch.table):
                raise DataError(
                    f"it is a {type(batch.table).__name__}", "give a DataFrame, an Arrow table or a dict of columns"
                )
            state.update(batch.table, systems, **names)
        progress(len(state) - before)


def fill_cells(
    state: State,
    cells: Any,
    counts: str,
    names: Mapping[str, Any],
    systems: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Add samples of labels that were counted elsewhere: each row of a table came as often as a column says.

    Parameters
    ----------
    state
        The state.
    cells, counts
        The table, and the name of the column.
    names, systems
        As for `fill`.
    """
    often = np.asarray(columns_of(cells, {"counts": counts})["counts"], dtype=np.int64)
    with columns_called(state.task, names, systems):
        state.add(state._reader.batch(cells, names, systems), often)


@contextmanager
def placed(place: str) -> Iterator[None]:
    """Errors say where they are."""
    try:
        yield
    except DataError as error:
        raise error.at(place) from None
    except UnicodeDecodeError as error:
        raise not_utf8(error, "a value").at(place) from None


def columns_called(task: Task, names: Mapping[str, Any], systems: Mapping[str, Mapping[str, Any]] | None = None) -> Any:
    """Texts call arguments by the columns that they are."""
    given = {alias: names[each.name] for each in task.columns if each.name in names for alias in each.names}
    for system, own in (systems or {}).items():
        given |= {of_system(name, system): column for name, column in own.items()}
    return options_for(
        {name: f"column {one!r}" if isinstance(one, str) else f"columns {one}" for name, one in given.items()}
    )
