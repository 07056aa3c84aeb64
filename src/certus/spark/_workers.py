"""The workers' part: states of partitions and of queries are made and merged here."""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.errors import CertusError, DataError
from certus.io.read import query_column
from certus.states import State, columns_called

__all__ = ["CHANGED", "SCHEMA", "Cuts", "merged", "state_of_queries", "states"]

SCHEMA = "state binary, partition long, error string"
CHANGED = "the rows are others than in the first pass; cache() the DataFrame, or leave passes out"


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


def states(
    empty: bytes,
    names: Mapping[str, Any],
    systems: Mapping[str, Any] | None,
    cuts: Cuts | None,
    batches: Iterable[Any],
) -> Iterator[Any]:
    """The state of a partition, or why there is none."""
    number = import_module("pyspark").TaskContext.get().partitionId()
    state = State.from_bytes(empty)
    state.cuts = None if cuts is None else cuts.scores
    row = 0
    try:
        with columns_called(state.task, names, systems):
            for batch in batches:
                row = len(state)
                state.update(batch, systems, **names)
                if cuts is not None:
                    _check_cut(batch, names, cuts)
    except CertusError as error:
        yield _row(None, number, f"partition {number}, batch from row {row}: {error}")
        return
    if not len(state):
        return
    try:
        made = state.to_bytes()
    except CertusError as error:
        yield _row(None, number, f"partition {number}: {error}")
    else:
        yield _row(made, number, None)


def _check_cut(batch: Any, names: Mapping[str, Any], cuts: Cuts) -> None:
    """Refuse scores of the class of the cuts that are none of these."""
    compute = import_module("pyarrow.compute")
    own = batch.filter(compute.equal(batch.column(names["y_true"]), cuts.label)).column(names["y_score"])
    if not np.isin(own.to_numpy(zero_copy_only=False), cuts.scores).all():
        raise DataError(CHANGED)


def state_of_queries(empty: bytes, qrels: Any, run: Any) -> Any:
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


def merged(batches: Iterable[Any]) -> Iterator[Any]:
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
