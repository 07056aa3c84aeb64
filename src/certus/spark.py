"""Evaluation of Spark DataFrames: states are made in each partition and merged, nothing else is collected."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from certus.comparison import Comparison
from certus.errors import CertusError, DataError, MetricNameError, called, keyword
from certus.evaluation.items import Average
from certus.evaluation.tabulate import Undefined
from certus.inference.forms import check_method
from certus.inference.interval import Request
from certus.io import Qrels, as_qrels
from certus.io.read import query_column
from certus.metrics import Metrics
from certus.states import TASKS, Named, NamedSystems, State, columns_called, wanted_of
from certus.table import Table

__all__ = ["compare", "evaluate"]


def __dir__() -> list[str]:
    return __all__


SCHEMA = "state binary, partition long, error string"
BUCKETS = 200
"""Parts that the queries of rankings are divided into; a worker holds the rows of one at a time."""
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
        ``"classification"``, ``"regression"``, ``"clustering"``, ``"values"`` or ``"ranking"``; None infers one of the
        first four from the first rows, which takes a job of its own.
    told
        The names of other columns, such as ``pred="guess"``, ``score="p"``, ``weight="w"``, ``groups="user"``; and the
        conventions of the task, such as ``pos_label``. Of ``"ranking"``, where `data` is a run whose columns have their
        usual names (``query_id``, ``doc_id``, ``score``): ``qrels``, the judgments as a DataFrame of Spark or as
        `certus.evaluate` takes them; ``queries``, ``ties`` and ``unjudged``.

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
    Request(level, seed=seed)
    if interval is not None:
        check_method(interval)
    if task == "ranking":
        if useless := next((key for key, value in (("truth", truth), ("by", by)) if value is not None), None):
            raise MetricNameError(f"{called(useless)} has no meaning for ranking; leave it out")
        made, state = _of_queries(data, metrics, told)
    else:
        made, state = _of_rows(data, metrics, {"truth": truth, "by": by, **told}, task, rows=interval is not None)
    _merge_all(made, state)
    return state.evaluate(
        average=average, undefined=undefined, level=level, interval=interval, chance=chance, seed=seed, name=name
    )


def compare(
    data: Any,
    systems: Any,
    metrics: Metrics,
    *,
    truth: str | list[str],
    task: str | None = None,
    groups: str | None = None,
    weight: str | None = None,
    labels: list[Any] | None = None,
    pos_label: Any = None,
    **options: Any,
) -> Comparison:
    """Compare systems whose predictions are columns of a Spark DataFrame, as `certus.compare` does in memory.

    Scores are compared from the rows of all partitions, 17 bytes a row for two systems, which meet on the driver.

    Parameters
    ----------
    data
        The DataFrame.
    systems
        The columns of the systems: ``["old", "new"]``, ``{"old": "p1", "new": "p2"}``, or ``{"old": {"pred": "guess1",
        "score": "p1"}, ...}``.
    metrics, task, labels, pos_label
        As for `certus.compare`.
    truth, groups, weight
        Names of columns.
    options
        As for `certus.compare`: ``baseline``, ``test``, ``margin``, ``level``, ``correction``, and so on.

    Returns
    -------
    Comparison
        As of `certus.compare`.

    Raises
    ------
    DataError
        There is no such column, no row, or a row is not valid; the message names partition and row.
    MetricNameError
        There is no such metric or convention, or the task is not clear.
    ImportError
        The Python of the workers has no certus.
    """
    told = {"truth": truth, "groups": groups, "weight": weight, "labels": labels, "pos_label": pos_label}
    named = NamedSystems.of(systems, metrics, told, task)
    state = named.state(metrics)
    _merge_all(_of_partitions(data, named.wanted.names, state, named.shared, named.systems), state)
    return state.compare(**options)


def _merge_all(made: Any, state: State) -> None:
    """Merge a DataFrame of states into one.

    Raises
    ------
    DataError
        A row was not valid, or there is none.
    """
    # One task merges states of a few kilobytes, more tasks those of many megabytes: each task of Python has its price.
    found = _collected(made.hint("rebalance").mapInArrow(_merged, SCHEMA))
    if errors := sorted((row.partition, row.error) for row in found if row.error is not None):
        raise DataError(errors[0][1])
    if not found:
        raise DataError("data has no rows")
    states = [State.from_bytes(row.state) for row in found]
    while len(states) > 1:  # in pairs: each row is sorted as often as the pairs have levels
        states = [
            pair[0].merge(pair[1]) if len(pair) == 2 else pair[0]
            for pair in (states[start : start + 2] for start in range(0, len(states), 2))
        ]
    state.merge(states[0])


def _of_rows(
    data: Any, metrics: Metrics | None, told: Mapping[str, Any], task: str | None, *, rows: bool
) -> tuple[Any, State]:
    """A DataFrame of the states of all partitions, and an empty state."""
    named = Named.of(told)
    columns = wanted_of(named, task).names
    first = _selected(data, columns).limit(FIRST).toArrow() if task is None else None
    chosen = named.task(task, first, metrics, TASKS)
    state = State(metrics, task=chosen.name, rows=rows, **named.conventions)
    return _of_partitions(data, columns, state, named.of_task(chosen)), state


def _selected(data: Any, columns: Sequence[str]) -> Any:
    for column in columns:
        if column not in data.columns:
            raise DataError(f"there is no column {column!r}; the columns are {', '.join(map(repr, data.columns[:8]))}")
    return data.select(*map(_quoted, columns))


def _of_partitions(
    data: Any, columns: Sequence[str], state: State, names: Mapping[str, Any], systems: Mapping[str, Any] | None = None
) -> Any:
    """A DataFrame of the states of all partitions, each begun as `state`."""
    return _selected(data, columns).mapInArrow(partial(_states, state.to_bytes(), names, systems), SCHEMA)


def _of_queries(run: Any, metrics: Metrics | None, told: Mapping[str, Any]) -> tuple[Any, State]:
    """A DataFrame of the states of some queries each, and an empty state."""
    conventions = {key: value for key, value in told.items() if value is not None}
    qrels = conventions.pop("qrels", None)
    if qrels is None:
        raise DataError(f"rankings need judgments; give {called('qrels')}")
    state = State(metrics, task="ranking", **conventions)
    if conventions.get("ties") == "input":
        raise DataError(
            f"{keyword('ties', 'input')} needs rows in an order, which those of Spark have not; choose another"
        )
    if not hasattr(qrels, "groupBy"):
        qrels = run.sparkSession.createDataFrame(_arrow(as_qrels(qrels)))
    functions = import_module("pyspark.sql.functions")

    def grouped(frame: Any, called: str) -> Any:
        query = functions.col(_quoted(query_column(frame.columns, called))).cast("string")
        return frame.groupBy(functions.pmod(functions.hash(query), functions.lit(BUCKETS)).alias("certus_bucket"))

    pairs = grouped(qrels, "qrels").cogroup(grouped(run, "data"))
    return pairs.applyInArrow(partial(_state_of_queries, state.to_bytes()), SCHEMA), state


def _arrow(qrels: Qrels) -> Any:
    """Judgments as a table of Arrow."""
    pyarrow = import_module("pyarrow")
    rows = [(query, doc, grade) for query, judged in qrels.to_dict().items() for doc, grade in judged.items()]
    names = ["query_id", "doc_id", "relevance"]
    try:
        return pyarrow.table({name: [row[place] for row in rows] for place, name in enumerate(names)})
    except UnicodeEncodeError:
        raise DataError(f"{qrels.name}: has ids that are not UTF-8, which Spark cannot hold; rename them") from None


def _quoted(column: str) -> str:
    return f"`{column.replace('`', '``')}`"


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


def _states(
    empty: bytes, names: Mapping[str, Any], systems: Mapping[str, Any] | None, batches: Iterable[Any]
) -> Iterator[Any]:
    """The state of a partition, or why there is none."""
    number = import_module("pyspark").TaskContext.get().partitionId()
    state = State.from_bytes(empty)
    try:
        with columns_called(state.task, names, systems):
            for batch in batches:
                state.update(batch, systems, **names)
    except CertusError as error:
        yield _row(None, number, f"partition {number}, batch from row {len(state)}: {error}")
        return
    if len(state):
        yield _row(state.to_bytes(), number, None)


def _state_of_queries(empty: bytes, qrels: Any, run: Any) -> Any:
    """The state of some queries, or why there is none: the first query that is wrong."""
    pyarrow = import_module("pyarrow")
    state = State.from_bytes(empty)
    # Warnings must not depend on the order of rows either.
    tables = [table.sort_by([(name, "ascending") for name in table.column_names]) for table in (qrels, run)]
    try:
        state.update(*(table if len(table) else None for table in tables))
    except CertusError as error:
        message = str(error)
        keys = [table.column(query_column(table.column_names, "data")).cast(pyarrow.string()) for table in tables]
        queries = sorted({query for key in keys for query in key.to_pylist() if query is not None})
        for query in queries:
            parts = [table.filter(pyarrow.compute.equal(key, query)) for table, key in zip(tables, keys, strict=True)]
            try:
                State.from_bytes(empty).update(*(part if len(part) else None for part in parts))
            except CertusError as own:
                message = f"query {query!r}: {own}"
                break
        return pyarrow.Table.from_batches([_row(None, 0, message)])
    return pyarrow.Table.from_batches([_row(state.to_bytes(), 0, None)])


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
