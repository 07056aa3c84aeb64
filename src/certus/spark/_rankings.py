"""Spark's part of rankings: the rows of each query meet on one worker."""

from functools import partial
from importlib import import_module
from typing import Any

from certus.core.errors import DataError, called, keyword
from certus.io import Qrels, as_qrels
from certus.io.columns import id_columns, role_of
from certus.spark._jobs import LARGE, NUMBERS, check_frame, merge_all, plain
from certus.spark._workers import SCHEMA, Layout, states_of_queries
from certus.states import State

WITH_TEXT = 10_000
"""Rows of a batch with ids that are text: they are short."""
WHOLE = NUMBERS - {"float", "double"}


def fill_queries(state: State, run: Any, qrels: Any) -> None:
    """Add the queries of a run and judgments to an empty state."""
    check_frame(run)
    if qrels is None:
        raise DataError("rankings need judgments", f"give {called('qrels')}", argument="qrels", subject="")
    if state.conventions.get("ties") == "input":
        raise DataError(
            "needs rows in an order, which those of Spark do not have",
            "choose another",
            argument="ties",
            subject=keyword("ties", "input"),
        )
    if not hasattr(qrels, "groupBy"):
        qrels = run.sparkSession.createDataFrame(_arrow(as_qrels(qrels)))
    rows, layout, batch = _together([qrels, run])
    made = rows.mapInArrow(partial(states_of_queries, state.to_bytes(), layout), SCHEMA)
    merge_all(made, state, few=True, batch=batch)


def _together(frames: list[Any]) -> tuple[Any, Layout, int | None]:
    """The rows of judgments and results, those of a query in one partition; their layout, and the rows of a batch.

    Rows move, not blocks of them that workers make, which take another stage of Python and more time.
    """
    sql = import_module("pyspark.sql.functions")
    ids = [_ids(frame, side) for frame, side in zip(frames, ("qrels", "data"), strict=True)]
    types = [[field.dataType for field in frame.schema.fields] for frame in frames]
    shared: dict[tuple[int, int], tuple[int, str]] = {}
    for number, places in enumerate(zip(*ids, strict=False)):
        kinds = {types[side][place].simpleString() for side, place in enumerate(places)}
        if kinds <= {*WHOLE, "string"}:
            shared |= dict.fromkeys(enumerate(places), (number, "bigint" if kinds <= WHOLE else "string"))
    # Only the names of other columns are looked at.
    others = [
        (side, place)
        for side, frame in enumerate(frames)
        for place, name in enumerate(frame.columns)
        if (side, place) not in shared and role_of(name)
    ]
    slots: dict[Any, list[str]] = {}
    layout: Layout = ([], [])
    for side, frame in enumerate(frames):
        for place, name in enumerate(frame.columns):
            at = side, place
            slot, kind = shared.get(at, (at if at in others else None, None))
            own = f"column_{place}"  # as `plain` calls it; a null takes the type of the other side
            both = slots.setdefault(slot, ["NULL"] * 2)
            if slot is not None:
                both[side] = own if kind is None else f"CAST({own} AS {kind})"
            layout[side].append((name, 1 + [*slots].index(slot)))
    named = {f"slot_{number}": each for number, each in enumerate(slots.values(), 1)}
    first, second = (  # as SQL, which takes fewer calls of the JVM than columns do
        plain(frame).selectExpr(f"{side == 0} AS judged", *(f"{each[side]} AS {name}" for name, each in named.items()))
        for side, frame in enumerate(frames)
    )
    queries = {layout[side][places[0]][1] for side, places in enumerate(ids)}
    keys = [f"CAST(slot_{place} AS string)" for place in queries]
    query = f"slot_{queries.pop()}" if len(keys) == 1 else sql.expr(f"coalesce({', '.join(keys)})")
    rows = first.union(second).repartition(query)
    text = any(kind != "bigint" for _, kind in shared.values())
    short = {types[side][place].simpleString() for side, place in others} <= {*NUMBERS, "boolean"}
    return rows, layout, (WITH_TEXT if text else LARGE) if short else None


def _ids(frame: Any, called: str) -> list[int]:
    """The places of the columns of queries and documents, the latter where there is one."""
    found = [frame.columns.index(name) for name in id_columns(frame.columns, called)]
    kind = frame.schema.fields[found[0]].dataType.simpleString()
    if kind.startswith(("struct", "array", "map", "variant")):
        what = f"column {frame.columns[found[0]]!r} is of type {kind}"
        raise DataError(what, "ids are text or whole numbers", place=called)
    return found


def _arrow(qrels: Qrels) -> Any:
    """Judgments as a table of Arrow."""
    pyarrow = import_module("pyarrow")
    rows = [(query, doc, grade) for query, judged in qrels.to_dict().items() for doc, grade in judged.items()]
    names = ["query_id", "doc_id", "relevance"]
    try:
        return pyarrow.table({name: [row[place] for row in rows] for place, name in enumerate(names)})
    except UnicodeEncodeError:
        raise DataError(
            "has ids that are not UTF-8, which Spark cannot hold", "rename them", place=qrels.name
        ) from None
