"""Evaluation of Spark DataFrames: states are made in each partition and merged, nothing else is collected."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from certus.errors import CertusError, DataError
from certus.evaluation.items import Average
from certus.evaluation.tabulate import Undefined
from certus.inference.forms import check_method
from certus.inference.interval import Request
from certus.metrics import Metrics
from certus.states import TASKS, Named, State, columns_called, wanted_of
from certus.table import Table

__all__ = ["evaluate"]

SCHEMA = "state binary, partition long, error string"
MERGERS = 16
"""Tasks that merge the states of all partitions, before the driver merges theirs."""
FIRST = 1_000
"""Rows that the task is inferred from, where it is not named."""


def evaluate(
    data: Any,
    metrics: Metrics | None = None,
    *,
    truth: str | list[str] | None = None,
    task: str | None = None,
    average: Average | None = None,
    undefined: Undefined | None = None,
    by: str | None = None,
    level: float = 0.95,
    interval: str | None = None,
    chance: bool = False,
    seed: int = 0,
    name: str | None = None,
    **told: Any,
) -> Table:
    """Evaluate predictions in a Spark DataFrame, as `certus.evaluate` does in memory and with the same digits.

    Each partition makes a state of its rows (`certus.State`); states are merged on the workers and on the driver. No
    number of partitions, no order of rows and no repeated task changes a digit. The workers need certus and pyarrow.

    Parameters
    ----------
    data
        The DataFrame.
    metrics, average, undefined, level, interval, chance, seed, name
        As for `certus.evaluate`.
    truth, by
        Names of the columns of what is true and of subgroups.
    task
        ``"classification"``, ``"regression"``, ``"clustering"`` or ``"values"``; None infers it from the first rows,
        which takes a job of its own.
    told
        The names of other columns, such as ``pred="guess"``, ``score="p"``, ``weight="w"``, ``groups="user"``; and the
        conventions of the task, such as ``pos_label``.

    Returns
    -------
    Table
        As of `certus.evaluate`.

    Raises
    ------
    DataError
        There is no such column, no row, or a row is not valid; the message names partition and row.
    MetricNameError
        There is no such metric or convention, or the task is not clear.
    ImportError
        The Python of the workers has no certus.
    """
    named = Named.of({"truth": truth, "by": by, **told})
    Request(level, seed=seed)
    if interval is not None:
        check_method(interval)
    columns = wanted_of(named, task).names
    for column in columns:
        if column not in data.columns:
            raise DataError(f"there is no column {column!r}; the columns are {', '.join(map(repr, data.columns[:8]))}")
    data = data.select(*(f"`{column.replace('`', '``')}`" for column in columns))
    chosen = named.task(task, data.limit(FIRST).toArrow() if task is None else None, metrics, TASKS)
    names = named.of_task(chosen)
    state = State(metrics, task=chosen.name, rows=interval is not None, **named.conventions)
    made = data.mapInArrow(partial(_states, state.to_bytes(), names), SCHEMA)
    merged = made.repartition(MERGERS).mapInArrow(_merged, SCHEMA)
    found = _collected(merged)
    if errors := sorted((row.partition, row.error) for row in found if row.error is not None):
        raise DataError(errors[0][1])
    for row in found:
        state.merge(State.from_bytes(row.state))
    if not len(state):
        raise DataError("data has no rows")
    return state.evaluate(
        average=average, undefined=undefined, level=level, interval=interval, chance=chance, seed=seed, name=name
    )


def _collected(states: Any) -> list[Any]:
    """The rows of a DataFrame of states; says so where the Python of the workers has no certus."""
    try:
        rows: list[Any] = states.collect()
    except import_module("pyspark.errors").PythonException as error:
        if "No module named 'certus'" not in str(error):
            raise
        raise ImportError(
            "the Python of Spark's workers has no certus; install it there, or set PYSPARK_PYTHON to one that has it"
        ) from None
    return rows


def _states(empty: bytes, names: Mapping[str, Any], batches: Iterable[Any]) -> Iterator[Any]:
    """The state of a partition, or why there is none."""
    number = import_module("pyspark").TaskContext.get().partitionId()
    state = State.from_bytes(empty)
    try:
        with columns_called(state.task, names):
            for batch in batches:
                state.update(batch, **names)
    except CertusError as error:
        yield _row(None, number, f"partition {number}, batch from row {len(state)}: {error}")
        return
    if len(state):
        yield _row(state.to_bytes(), number, None)


def _merged(batches: Iterable[Any]) -> Iterator[Any]:
    """The state of several partitions, or why there is none."""
    state: State | None = None
    for batch in batches:
        for row in batch.to_pylist():
            if row["error"] is not None:
                yield _row(None, row["partition"], row["error"])
                return
            try:
                other = State.from_bytes(row["state"])
                state = other if state is None else state.merge(other)
            except CertusError as error:
                yield _row(None, row["partition"], f"partition {row['partition']}: {error}")
                return
    if state is not None:
        yield _row(state.to_bytes(), 0, None)


def _row(state: bytes | None, partition: int, error: str | None) -> Any:
    pyarrow = import_module("pyarrow")
    kinds = (pyarrow.binary(), pyarrow.int64(), pyarrow.string())
    columns = [pyarrow.array([value], kind) for value, kind in zip((state, partition, error), kinds, strict=True)]
    return pyarrow.RecordBatch.from_arrays(columns, ["state", "partition", "error"])
