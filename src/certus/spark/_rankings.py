"""Spark's part of rankings: the rows of each query meet on one worker."""

from functools import partial
from importlib import import_module
from typing import Any

from certus.core.errors import DataError, keyword, mention
from certus.io import Qrels, as_qrels
from certus.io.columns import id_columns, role_of
from certus.spark._jobs import LARGE, NUMBERS, check_frame, merge_all, with_plain_names
from certus.spark._workers import SCHEMA, Layout, states_of_queries
from certus.states import State

WITH_TEXT = 10_000
"""Rows of a batch with ids that are text: they are short."""
INTEGERS = NUMBERS - {"float", "double"}


def fill_queries(state: State, run: Any, qrels: Any) -> None:
    """Add the queries of a run and judgments to an empty state."""
    check_frame(run)
    if qrels is None:
        raise DataError("rankings need judgments", f"give {mention('qrels')}", argument="qrels", subject="")
    if state.conventions.get("ties") == "input":
        raise DataError(
            "needs rows in an order, which those of Spark do not have",
            "choose another",
            argument="ties",
            subject=keyword("ties", "input"),
        )
    if not hasattr(qrels, "groupBy"):
        qrels = run.sparkSession.createDataFrame(_arrow(as_qrels(qrels)))
    rows, layout, batch = _partition_by_query([qrels, run])
    partitions = rows.mapInArrow(partial(states_of_queries, state.to_bytes(), layout), SCHEMA)
    merge_all(partitions, state, is_small=True, batch=batch)


def _partition_by_query(frames: list[Any]) -> tuple[Any, Layout, int | None]:
    """The rows of judgments and results by query, their layout, and the number of rows in a batch.

    Rows move, not blocks of them that workers make, which take another stage of Python and more time.
    """
    sql = import_module("pyspark.sql.functions")
    ids = [_ids(frame, side) for frame, side in zip(frames, ("qrels", "data"), strict=True)]
    types = [[field.dataType for field in frame.schema.fields] for frame in frames]
    shared: dict[tuple[int, int], tuple[int, str]] = {}
    for number, indices in enumerate(zip(*ids, strict=False)):
        dtypes = {types[side][index].simpleString() for side, index in enumerate(indices)}
        if dtypes <= {*INTEGERS, "string"}:
            shared |= dict.fromkeys(enumerate(indices), (number, "bigint" if dtypes <= INTEGERS else "string"))
    # Only the names of other columns are looked at.
    unshared = [
        (side, index)
        for side, frame in enumerate(frames)
        for index, name in enumerate(frame.columns)
        if (side, index) not in shared and role_of(name)
    ]
    slots: dict[Any, list[str]] = {}
    layout: Layout = ([], [])
    for side, frame in enumerate(frames):
        for index, name in enumerate(frame.columns):
            column = side, index
            slot, dtype = shared.get(column, (column if column in unshared else None, None))
            expression = f"column_{index}"  # as `with_plain_names` has it; a null takes the type of the other side
            expressions = slots.setdefault(slot, ["NULL"] * 2)
            if slot is not None:
                expressions[side] = expression if dtype is None else f"CAST({expression} AS {dtype})"
            layout[side].append((name, 1 + [*slots].index(slot)))
    columns = {f"slot_{number}": expressions for number, expressions in enumerate(slots.values(), 1)}
    judgments, results = (  # as SQL, which takes fewer calls of the JVM than columns do
        with_plain_names(frame).selectExpr(
            f"{side == 0} AS judged", *(f"{expressions[side]} AS {name}" for name, expressions in columns.items())
        )
        for side, frame in enumerate(frames)
    )
    queries = {layout[side][indices[0]][1] for side, indices in enumerate(ids)}
    keys = [f"CAST(slot_{number} AS string)" for number in queries]
    query = f"slot_{queries.pop()}" if len(keys) == 1 else sql.expr(f"coalesce({', '.join(keys)})")
    rows = judgments.union(results).repartition(query)
    has_text = any(dtype != "bigint" for _, dtype in shared.values())
    is_short = {types[side][index].simpleString() for side, index in unshared} <= {*NUMBERS, "boolean"}
    return rows, layout, (WITH_TEXT if has_text else LARGE) if is_short else None


def _ids(frame: Any, side: str) -> list[int]:
    """The indices of the columns of queries and documents, the latter where there is one."""
    indices = [frame.columns.index(name) for name in id_columns(frame.columns, side)]
    dtype = frame.schema.fields[indices[0]].dataType.simpleString()
    if dtype.startswith(("struct", "array", "map", "variant")):
        problem = f"column {frame.columns[indices[0]]!r} is of type {dtype}"
        raise DataError(problem, "ids are text or whole numbers", location=side)
    return indices


def _arrow(qrels: Qrels) -> Any:
    """Judgments as a table of Arrow."""
    pyarrow = import_module("pyarrow")
    rows = [(query, doc, grade) for query, judged in qrels.to_dict().items() for doc, grade in judged.items()]
    names = ["query_id", "doc_id", "relevance"]
    try:
        return pyarrow.table({name: [row[index] for row in rows] for index, name in enumerate(names)})
    except UnicodeEncodeError:
        raise DataError(
            "has ids that are not UTF-8, which Spark cannot hold", "rename them", location=qrels.name
        ) from None
