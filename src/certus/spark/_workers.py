"""The workers' part: states of partitions and of queries are made and merged here."""

import gc
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import CertusError, DataError
from certus.io.columns import query_column, role_of
from certus.states import State, columns_called
from certus.statistic.common import plural

SCHEMA = "state binary, partition long, error string"
TOGETHER = 1 << 25
"""Bytes of rows whose queries are ranked at once."""
CHANGED = ("the rows are others than in the first pass", "cache() the DataFrame, or leave passes out")


Layout: TypeAlias = tuple[list[tuple[str, int]], list[tuple[str, int]]]
"""Of judgments and of results the names of the columns, and their places."""


class Cuts(NamedTuple):
    """Result of a first pass over two classes.

    Attributes
    ----------
    scores
        The distinct scores of the samples of one class, in increasing order.
    label
        Its label.
    n
        The samples of both classes.
    """

    scores: Floats
    label: Any
    n: int


_frozen = False
"""True once this worker has exempted what it imported from garbage collection."""


def light(work: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """Work of a task that leaves a worker whose next tasks end sooner.

    Spark's workers look for garbage after each task among all objects there are, nearly all of which belong to imported
    modules. These are taken out of it after the first task.
    """

    @wraps(work)
    def worked(*given: Any) -> Iterator[Any]:
        global _frozen
        yield from work(*given)
        if not _frozen and import_module("pyspark").TaskContext.get() is not None:
            gc.freeze()
            _frozen = True

    return worked


@light
def states(
    empty: bytes,
    columns: list[str],
    names: Mapping[str, Any],
    systems: Mapping[str, Any] | None,
    cuts: Cuts | None,
    batches: Iterable[Any],
) -> Iterator[Any]:
    """The state of a partition, or why there is none; the columns have these names."""
    number = import_module("pyspark").TaskContext.get().partitionId()
    state = State.from_bytes(empty)
    state.cuts = None if cuts is None else cuts.scores
    row = 0
    try:
        with columns_called(state.task, names, systems):
            for batch in batches:
                row = len(state)
                batch = batch.rename_columns(columns)
                state.update(batch, systems, **names)
                if cuts is not None:
                    _check_cut(batch, names, cuts)
    except CertusError as error:
        yield _row(None, number, error.at(f"partition {number}, batch from row {row}"))
        return
    if not len(state):
        return
    try:
        with columns_called(state.task, names, systems):
            made = state.to_bytes()
    except CertusError as error:
        yield _row(None, number, error.at(f"partition {number}"))
    else:
        yield _row(made, number, None)


def _check_cut(batch: Any, names: Mapping[str, Any], cuts: Cuts) -> None:
    """Refuse scores of the class of the cuts that are none of these."""
    compute = import_module("pyarrow.compute")
    own = batch.filter(compute.equal(batch.column(names["y_true"]), cuts.label)).column(names["y_score"])
    if not np.isin(own.to_numpy(zero_copy_only=False), cuts.scores).all():
        raise DataError(*CHANGED)


@light
def states_of_queries(empty: bytes, layout: Layout, batches: Iterable[Any]) -> Iterator[Any]:
    """The states of the queries of a partition, or why there are none.

    The first column tells judgments from results.
    """
    pyarrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")
    if not (gathered := [batch for batch in batches if len(batch)]):
        return
    rows = pyarrow.Table.from_batches(gathered)
    groups = _grouped(rows, layout) if rows.nbytes > TOGETHER else [rows]
    for some in groups:
        tables = []
        for judged, columns in zip((True, False), layout, strict=True):
            own = some.filter(compute.equal(some.column(0), judged))
            chosen = own.select([place for _, place in columns]).rename_columns([name for name, _ in columns])
            chosen = _in_order(chosen) if "rank" in map(role_of, chosen.column_names) else chosen
            tables.append(chosen if len(own) else None)
        yield _of_queries(empty, tables)


def _grouped(rows: Any, layout: Layout) -> Iterator[Any]:
    """The rows in groups of about as many bytes as are ranked at once, those of a query in one."""
    pyarrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")
    places = {dict(columns)[query_column(dict(columns), "data")] for columns in layout}
    queries = compute.coalesce(*(_bytes_of(rows.column(place)) for place in places))
    codes = queries.dictionary_encode(null_encoding="encode").combine_chunks().indices.to_numpy()
    groups = -(-rows.nbytes // TOGETHER)
    for group in range(groups):
        yield rows.filter(pyarrow.array(codes % groups == group))


def _of_queries(empty: bytes, tables: list[Any]) -> Any:
    """The state of judgments and results, or why there is none: the first query that is wrong."""
    state = State.from_bytes(empty)
    try:
        state.update(*tables)
    except CertusError as error:
        in_order = [None if table is None else _in_order(table) for table in tables]
        keys = [None if each is None else _queries(each) for each in in_order]
        # Of several errors the first number is raised, then the first text; nulls are all in one part.
        if found := _nulls(in_order, keys):
            return _row(None, 0, found)
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
    kinds = {field.name: field.type for field in table.schema}
    plain = [name for name, kind in kinds.items() if not (types.is_nested(kind) or types.is_null(kind))]
    return table.sort_by([(name, "ascending") for name in plain]) if plain else table


def _queries(table: Any) -> Any:
    """The query of each row, in bytes."""
    return _bytes_of(table.column(query_column(table.column_names, "data")))


def _bytes_of(ids: Any) -> Any:
    """Ids as bytes, which need not be UTF-8 where they come as such."""
    pyarrow = import_module("pyarrow")
    already = pyarrow.types.is_binary(ids.type) or pyarrow.types.is_large_binary(ids.type)
    return (ids if already else ids.cast(pyarrow.string())).cast(pyarrow.binary())


def _nulls(tables: list[Any], keys: list[Any]) -> CertusError | None:
    """The error of rows without a query, if there are any."""
    for called, table, key in zip(("qrels", "run"), tables, keys, strict=True):
        if key is not None and key.null_count:
            column = query_column(table.column_names, "data")
            found = f"column {column!r} is null in {plural(key.null_count, 'row')}"
            return DataError(found, "fill it or drop them", place=called)
    return None


def _wrong_query(empty: bytes, tables: list[Any], keys: list[Any]) -> CertusError | None:
    """The error that comes first of those that queries have by themselves."""
    compute = import_module("pyarrow.compute")
    found = {query for key in keys if key is not None for query in key.to_pylist()}
    named = {repr(query.decode("utf-8", "surrogateescape")): query for query in found}
    for name, query in sorted(named.items()):  # as the text of the error begins
        parts = [
            None if key is None else table.filter(compute.equal(key, query))
            for table, key in zip(tables, keys, strict=True)
        ]
        if error := _error_of(empty, [part if part else None for part in parts]):
            return error.at(f"query {name}")
    return None


@light
def merged(batches: Iterable[Any]) -> Iterator[Any]:
    """The state of several partitions, or why there is none; one alone stays as it is."""
    state: State | None = None
    alone = None
    for batch in batches:
        for row in batch.to_pylist():
            if row["error"] is not None:
                yield _row(None, row["partition"], row["error"])
                return
            if alone is None:
                alone = row["state"]
                continue
            try:
                state = (State.from_bytes(alone) if state is None else state).merge(State.from_bytes(row["state"]))
            except CertusError as error:
                yield _row(None, row["partition"], error.at(f"partition {row['partition']}"))
                return
    if alone is not None:
        yield _row(alone if state is None else state.to_bytes(), 0, None)


_FIELDS = ("found", "remedy", "argument", "subject", "place")


def told(error: str) -> DataError:
    """The error of a row of the workers."""
    found, remedy, *rest = json.loads(error)
    return DataError(found, remedy, **dict(zip(_FIELDS[2:], rest, strict=True)))


def _row(state: bytes | None, partition: int, error: CertusError | str | None) -> Any:
    pyarrow = import_module("pyarrow")
    said = json.dumps([getattr(error, name) for name in _FIELDS]) if isinstance(error, CertusError) else error
    kinds = (pyarrow.binary(), pyarrow.int64(), pyarrow.string())
    columns = [pyarrow.array([value], kind) for value, kind in zip((state, partition, said), kinds, strict=True)]
    return pyarrow.RecordBatch.from_arrays(columns, ["state", "partition", "error"])
