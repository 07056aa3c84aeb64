"""The workers' part: states of partitions and of queries are made and merged here."""

import gc
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from importlib import import_module
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.errors import CertusError, DataError
from certus.io.read import query_column
from certus.states import State, columns_called
from certus.statistic.common import plural

__all__ = ["BLOCKS", "CHANGED", "SCHEMA", "Cuts", "blocks", "light", "merged", "states", "states_of_queries", "told"]

SCHEMA = "state binary, partition long, error string"
BLOCKS = "part int, judged boolean, rows binary"
TOGETHER = 1 << 25
"""Bytes of rows that are dealt, or whose queries are ranked, at once. 10,000 of their blocks are less than 2 GB."""
CHANGED = ("the rows are others than in the first pass", "cache() the DataFrame, or leave passes out")


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


def light(work: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """Work of a task that leaves a worker whose next tasks end sooner.

    Spark's workers look for garbage after each task among all objects there are, nearly all of which belong to imported
    modules. These are taken out of it after the first task.
    """

    @wraps(work)
    def worked(*given: Any) -> Iterator[Any]:
        yield from work(*given)
        if not gc.get_freeze_count() and import_module("pyspark").TaskContext.get() is not None:
            gc.freeze()

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
def blocks(judged: bool, names: list[str], batches: Iterable[Any]) -> Iterator[Any]:
    """The rows of each part of the queries as bytes, one block for many rows.

    The first column numbers the parts; the others have these names.
    """
    pyarrow = import_module("pyarrow")
    gathered: list[Any] = []
    size = 0
    for batch in chain(batches, [None]):
        if batch is not None:
            gathered.append(batch)
            size += batch.nbytes
        if not gathered or (batch is not None and size < TOGETHER):
            continue
        table = pyarrow.Table.from_batches(gathered)
        gathered, size = [], 0
        part = table.column(0).to_numpy()
        order = np.argsort(part, kind="stable")
        rows = table.remove_column(0).rename_columns(names).take(order).combine_chunks()
        parts, starts = np.unique(part[order], return_index=True)
        written = []
        for start, stop in pairwise([*starts.tolist(), len(part)]):
            sink = pyarrow.BufferOutputStream()
            with pyarrow.ipc.new_stream(sink, rows.schema) as stream:
                stream.write_table(rows.slice(start, stop - start))
            written.append(sink.getvalue().to_pybytes())
        side = pyarrow.array([judged] * len(parts), pyarrow.bool_())
        columns = [pyarrow.array(parts.astype(np.int32)), side, pyarrow.array(written, pyarrow.binary())]
        yield pyarrow.RecordBatch.from_arrays(columns, ["part", "judged", "rows"])


@light
def states_of_queries(empty: bytes, batches: Iterable[Any]) -> Iterator[Any]:
    """The states of the queries whose blocks come in the order of their parts, or why there are none."""
    pyarrow = import_module("pyarrow")
    held: dict[bool, list[Any]] = {True: [], False: []}
    last, size = None, 0
    for batch in batches:
        for block in batch.to_pylist():
            if block["part"] != last and size >= TOGETHER:
                yield _of_queries(empty, held)
                held, size = {True: [], False: []}, 0
            last = block["part"]
            size += len(block["rows"])
            held[block["judged"]].append(pyarrow.ipc.open_stream(block["rows"]).read_all())
    if size:
        yield _of_queries(empty, held)


def _of_queries(empty: bytes, held: Mapping[bool, list[Any]]) -> Any:
    """The state of some queries, or why there is none: the first query that is wrong."""
    pyarrow = import_module("pyarrow")
    state = State.from_bytes(empty)
    tables = [_in_order(pyarrow.concat_tables(held[judged])) if held[judged] else None for judged in (True, False)]
    try:
        state.update(*tables)
    except CertusError as error:
        return _row(None, 0, _wrong_query(empty, tables) or error)
    return _row(state.to_bytes(), 0, None)


def _in_order(table: Any) -> Any:
    """The rows in an order of their own: warnings must not depend on how they came."""
    types = import_module("pyarrow").types
    kinds = {field.name: field.type for field in table.schema}
    plain = [name for name, kind in kinds.items() if not (types.is_nested(kind) or types.is_null(kind))]
    return table.sort_by([(name, "ascending") for name in plain]) if plain else table


def _wrong_query(empty: bytes, tables: list[Any]) -> CertusError | None:
    """The error of the first query that has one by itself."""
    pyarrow = import_module("pyarrow")
    keys = [
        None if each is None else each.column(query_column(each.column_names, "data")).cast(pyarrow.string())
        for each in tables
    ]
    for called, key in zip(("qrels", "run"), keys, strict=True):
        if key is not None and key.null_count:  # all of them are in one part
            column = query_column(tables[called == "run"].column_names, "data")
            found = f"column {column!r} is null in {plural(key.null_count, 'row')}"
            return DataError(found, "fill it or drop them", place=called)
    queries = {query for key in keys if key is not None for query in key.to_pylist() if query is not None}
    for query in sorted(queries):
        parts = [
            None if key is None else table.filter(pyarrow.compute.equal(key, query))
            for table, key in zip(tables, keys, strict=True)
        ]
        try:
            State.from_bytes(empty).update(*(part if part else None for part in parts))
        except CertusError as error:
            return error.at(f"query {query!r}")
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
