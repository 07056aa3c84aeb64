"""The workers' part: states of partitions and of queries are made and merged here."""

import gc
import json
import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from importlib import import_module
from typing import Any, TypeAlias

from certus.core.errors import CertusError, DataError
from certus.io.columns import query_column, role_of
from certus.states import State, columns_called
from certus.statistic.common import plural
from certus.statistic.passes import Columns, Work, sum_works

SCHEMA = "state binary, partition long, error string"
MAX_RANKED_BYTES = 1 << 25
"""Bytes of rows whose queries are ranked at once."""

Layout: TypeAlias = tuple[list[tuple[str, int]], list[tuple[str, int]]]
"""Of judgments and of results the names of the columns, and their places."""


_frozen = False
"""True once this worker has exempted what it imported from garbage collection."""


def light(work: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """Work of a task that leaves a worker whose next tasks end sooner.

    Spark's workers look for garbage after each task among all objects there are, nearly all of which belong to imported
    modules. These are taken out of it after the first task.
    """

    @wraps(work)
    def frozen_work(*arguments: Any) -> Iterator[Any]:
        global _frozen
        yield from work(*arguments)
        if not _frozen and import_module("pyspark").TaskContext.get() is not None:
            gc.freeze()
            _frozen = True

    return frozen_work


@light
def states(
    empty: bytes,
    columns: list[str],
    names: Mapping[str, Any],
    systems: Mapping[str, Any] | None,
    batches: Iterable[Any],
) -> Iterator[Any]:
    """The state of a partition, or why there is none; the columns have these names."""
    number = import_module("pyspark").TaskContext.get().partitionId()
    state = State.from_bytes(empty)
    row = 0
    try:
        with columns_called(state.task, names, systems):
            for batch in batches:
                row = len(state)
                batch = batch.rename_columns(columns)
                state.update(batch, systems, **names)
    except CertusError as error:
        yield _row(None, number, error.with_location(f"partition {number}, batch from row {row}"))
        return
    if not len(state):
        return
    try:
        with columns_called(state.task, names, systems):
            row_of_state = _row(state.to_bytes(), number, None)
    except CertusError as error:
        row_of_state = _row(None, number, error.with_location(f"partition {number}"))
    yield row_of_state


@light
def add_up_partition(works: Sequence[Work], batches: Iterable[Any]) -> Iterator[Any]:
    """Totals over a partition with two columns of numbers."""
    pyarrow = import_module("pyarrow")
    columns: Iterator[Columns] = (
        tuple(column.to_numpy() for column in batch.columns) for batch in batches if len(batch)
    )
    totals = zlib.compress(pickle.dumps(sum_works(works, columns)), 1)
    yield pyarrow.RecordBatch.from_arrays([pyarrow.array([totals], pyarrow.binary())], ["totals"])


@light
def states_of_queries(empty: bytes, layout: Layout, batches: Iterable[Any]) -> Iterator[Any]:
    """The states of the queries of a partition, or why there are none.

    The first column tells judgments from results.
    """
    pyarrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")
    if not (gathered := [batch for batch in batches if len(batch)]):
        return
    rows = pyarrow.Table.from_batches(gathered)
    groups = _grouped(rows, layout) if rows.nbytes > MAX_RANKED_BYTES else [rows]
    for group in groups:
        tables = []
        for judged, columns in zip((True, False), layout, strict=True):
            table = group.filter(compute.equal(group.column(0), judged))
            table = table.select([index for _, index in columns]).rename_columns([name for name, _ in columns])
            table = _in_order(table) if "rank" in map(role_of, table.column_names) else table
            tables.append(table if len(table) else None)
        yield _row_of_queries(empty, tables)


def _grouped(rows: Any, layout: Layout) -> Iterator[Any]:
    """The rows in groups of about as many bytes as are ranked at once, those of a query in one."""
    pyarrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")
    indices = {dict(columns)[query_column(dict(columns), "predictions")] for columns in layout}
    queries = compute.coalesce(*(_bytes_of(rows.column(index)) for index in indices))
    codes = queries.dictionary_encode(null_encoding="encode").combine_chunks().indices.to_numpy()
    groups = -(-rows.nbytes // MAX_RANKED_BYTES)
    for group in range(groups):
        yield rows.filter(pyarrow.array(codes % groups == group))


def _row_of_queries(empty: bytes, tables: list[Any]) -> Any:
    """The state of judgments and results, or why there is none: the first query that is wrong."""
    state = State.from_bytes(empty)
    try:
        state.update(*tables)
    except CertusError as error:
        in_order = [None if table is None else _in_order(table) for table in tables]
        keys = [None if table is None else _queries(table) for table in in_order]
        # Of several errors the first number is raised, then the first text; nulls are all in one part.
        if error_of_nulls := _nulls(in_order, keys):
            return _row(None, 0, error_of_nulls)
        return _row(None, 1, _wrong_query(empty, in_order, keys) or _error_of(empty, in_order) or error)
    return _row(state.to_bytes(), 0, None)


def _error_of(empty: bytes, tables: list[Any]) -> CertusError | None:
    """The error of judgments and results, if there is one."""
    try:
        State.from_bytes(empty).update(*tables)
    except CertusError as error:
        return error
    return None


def _in_order(table: Any) -> Any:
    """The rows in an order of their own: warnings about ranks, and errors, must not depend on how they came."""
    types = import_module("pyarrow").types
    fields = {field.name: field.type for field in table.schema}
    sortable = [name for name, dtype in fields.items() if not (types.is_nested(dtype) or types.is_null(dtype))]
    return table.sort_by([(name, "ascending") for name in sortable]) if sortable else table


def _queries(table: Any) -> Any:
    """The query of each row, in bytes."""
    return _bytes_of(table.column(query_column(table.column_names, "predictions")))


def _bytes_of(ids: Any) -> Any:
    """Ids as bytes, which need not be UTF-8 where they come as such."""
    pyarrow = import_module("pyarrow")
    already = pyarrow.types.is_binary(ids.type) or pyarrow.types.is_large_binary(ids.type)
    return (ids if already else ids.cast(pyarrow.string())).cast(pyarrow.binary())


def _nulls(tables: list[Any], keys: list[Any]) -> CertusError | None:
    """The error of rows without a query, if there are any."""
    for side, table, key in zip(("qrels", "run"), tables, keys, strict=True):
        if key is not None and key.null_count:
            column = query_column(table.column_names, "predictions")
            problem = f"column {column!r} is null in {plural(key.null_count, 'row')}"
            return DataError(problem, "fill it or drop them", location=side)
    return None


def _wrong_query(empty: bytes, tables: list[Any], keys: list[Any]) -> CertusError | None:
    """The error that comes first of those that queries have by themselves."""
    compute = import_module("pyarrow.compute")
    queries = {query for key in keys if key is not None for query in key.to_pylist()}
    query_by_name = {repr(query.decode("utf-8", "surrogateescape")): query for query in queries}
    for name, query in sorted(query_by_name.items()):  # as the text of the error begins
        parts = [
            None if key is None else table.filter(compute.equal(key, query))
            for table, key in zip(tables, keys, strict=True)
        ]
        if error := _error_of(empty, [part if part else None for part in parts]):
            return error.with_location(f"query {name}")
    return None


@light
def merge_partitions(batches: Iterable[Any]) -> Iterator[Any]:
    """The state of several partitions, or why there is none; one alone stays as it is."""
    state: State | None = None
    first = None
    for batch in batches:
        for row in batch.to_pylist():
            if row["error"] is not None:
                yield _row(None, row["partition"], row["error"])
                return
            if first is None:
                first = row["state"]
                continue
            try:
                state = (State.from_bytes(first) if state is None else state).merge(State.from_bytes(row["state"]))
            except CertusError as error:
                yield _row(None, row["partition"], error.with_location(f"partition {row['partition']}"))
                return
    if first is not None:
        yield _row(first if state is None else state.to_bytes(), 0, None)


_FIELDS = ("problem", "remedy", "argument", "subject", "location")


def error_of_row(error: str) -> DataError:
    """The error of a row of the workers."""
    problem, remedy, *keywords = json.loads(error)
    return DataError(problem, remedy, **dict(zip(_FIELDS[2:], keywords, strict=True)))


def _row(state: bytes | None, partition: int, error: CertusError | str | None) -> Any:
    pyarrow = import_module("pyarrow")
    text = json.dumps([getattr(error, name) for name in _FIELDS]) if isinstance(error, CertusError) else error
    types = (pyarrow.binary(), pyarrow.int64(), pyarrow.string())
    columns = [pyarrow.array([value], dtype) for value, dtype in zip((state, partition, text), types, strict=True)]
    return pyarrow.RecordBatch.from_arrays(columns, ["state", "partition", "error"])
