"""Tables in batches with named columns, evaluated and compared."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.core.errors import DataError, MetricNameError, not_utf8, options_for
from certus.core.missing import MissingWords
from certus.evaluation.binding import Binding, column_words
from certus.evaluation.cases import parse_metrics
from certus.io.batches import Batch, batches_of, columns_of, is_table
from certus.states._state import TASKS, State, compare_state
from certus.tasks import Task

if TYPE_CHECKING:
    from certus.comparison import Comparison
    from certus.comparison.options import Options


def of_stream(
    data: Any,
    binding: Binding,
    *,
    rows: bool = False,
    memory: int | str | None = None,
    missing: MissingWords | None = None,
) -> tuple[State, str | None]:
    """State of a source's batches, and a note if its task was inferred."""
    batches = batches_of(data, binding.wanted)
    if (first := next(batches, None)) is None:
        raise DataError("has no batches", "give at least one", argument="data")
    binding = binding.resolve(first.table, TASKS)
    state = empty_state(binding, rows=rows, memory=memory, missing_values=missing)
    fill(state, chain([first], batches), binding.columns, systems=binding.systems)
    return state, None if binding.note is None else f"{binding.note} (by the first batch)"


def empty_state(binding: Binding, **options: Any) -> State:
    """State of a task's columns, before the first batch."""
    if binding.task.name == "values" and binding.conventions.get("pos_label") is not None:
        problem = "does not apply to values that are read in batches"
        raise MetricNameError(problem, "write 1 and 0 in place of words", argument="pos_label")
    systems = None if binding.systems is None else list(binding.systems)
    return State(binding.metrics, task=binding.task.name, systems=systems, **options, **binding.conventions)


def fill(
    state: State,
    batches: Iterable[Batch],
    names: Mapping[str, Any],
    progress: Callable[[int], object] = int,
    systems: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Add all batches to a state, reporting the rows of each to `progress`."""
    for batch in batches:
        before = len(state)
        with located_in(batch.location), columns_called(state.task, names, systems):
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
    """Add samples that were counted elsewhere: row i of the table is repeated by the column `counts`."""
    often = np.asarray(columns_of(cells, {"counts": counts})["counts"], dtype=np.int64)
    with columns_called(state.task, names, systems):
        state.add(state._reader.batch(cells, names, systems), often)


@contextmanager
def located_in(source: str) -> Iterator[None]:
    """Add the source's name to errors."""
    try:
        yield
    except DataError as error:
        raise error.with_location(source) from None
    except UnicodeDecodeError as error:
        raise not_utf8(error, "a value").with_location(source) from None


def columns_called(task: Task, names: Mapping[str, Any], systems: Mapping[str, Mapping[str, Any]] | None = None) -> Any:
    """Name arguments in errors by the columns that they were read from."""
    return options_for(column_words(task, names, systems))


def compare_columns(
    data: Any, binding: Binding, options: "Options", missing: MissingWords | None = None
) -> "Comparison":
    """Compare systems in the columns of a table, a stream or files; see `certus.compare`."""
    if not is_table(data):
        return compare_state(of_stream(data, binding, missing=missing)[0], options)
    from certus.comparison.predictions import compare_predictions

    with options_for(binding.words):
        shared, predictions = binding.read(data)
        metrics = parse_metrics(binding.metrics or (), binding.task.name)
        return compare_predictions(binding.task, shared, predictions, metrics, binding.conventions, options, missing)
