"""Spark's part: what is asked of DataFrames, and the state that the driver makes of the answers."""

import math
import pickle
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import import_module
from typing import Any

from certus.core.errors import CertusError, DataError, keyword
from certus.io import Qrels, as_qrels
from certus.io.columns import id_columns, role_of
from certus.metrics import Metric
from certus.metrics.state_kinds import InPasses
from certus.spark._workers import (
    SCHEMA,
    Layout,
    add_up_partition,
    error_of_row,
    merge_partitions,
    states,
    states_of_queries,
)
from certus.states import Outlook, State, fill_cells
from certus.statistic import Influence
from certus.statistic.passes import Terms, Totals, Work, merge_totals, read_together

ROWS, BYTES = (f"spark.sql.execution.arrow.{setting}" for setting in ("maxRecordsPerBatch", "maxBytesPerBatch"))
"""Settings of the batches that workers get, which halve their time. Spark checks the bytes of a batch after each row,
which costs more than the row; where rows are numbers, or short, limiting their number limits the bytes."""
LARGE = 100_000
"""Rows of a batch of numbers."""
NUMBERS = {"tinyint", "smallint", "int", "bigint", "float", "double"}
WITH_TEXT = 10_000
"""Rows of a batch with ids that are text: they are short."""
INTEGERS = NUMBERS - {"float", "double"}
FEW_ROWS = 1 << 16
"""Fewer rows than this are collected where sums could be made."""
ROW_SUMS = Terms(("true", "predicted"))
"""Sums by which the rows are known again."""
COMPARED = {*NUMBERS, "boolean", "string"}
"""Types whose values Spark groups as Python compares them; text with a collation has another name."""


def fill(
    state: State,
    data: Any,
    columns: Sequence[str],
    names: Mapping[str, Any],
    systems: Mapping[str, Any] | None = None,
    *,
    sums: bool = False,
) -> None:
    """Add the rows of a DataFrame to an empty state."""
    rows = selected(data, columns)
    outlook = Outlook.from_columns(state, names, systems)
    types = _types(rows)
    if outlook.has_counts_only and types <= COMPARED and _fill_counted(state, rows, names, systems):
        return
    if sums and outlook.not_additive:
        _compute_in_passes(state, rows, names, outlook.not_additive)
        if not state.metrics:
            return
        outlook = Outlook.from_columns(state, names, systems)
    partitions = with_plain_names(rows).mapInArrow(
        partial(states, state.to_bytes(), rows.columns, names, systems), SCHEMA
    )
    merge_all(partitions, state, is_small=outlook.is_small, batch=LARGE if types <= {*NUMBERS, "boolean"} else None)


def selected(data: Any, columns: Sequence[str]) -> Any:
    """The columns of a DataFrame."""
    check_frame(data)
    for column in columns:
        if column not in data.columns:
            raise DataError(
                f"there is no column {column!r}", f"the columns are {', '.join(map(repr, data.columns[:8]))}"
            )
        if data.columns.count(column) > 1:
            raise DataError(f"there are {data.columns.count(column)} columns {column!r}", "rename all but one")
    frame, names = with_plain_names(data), data.columns  # names that differ by case only are one for Spark
    return frame.select(*(frame[frame.columns[names.index(column)]].alias(column) for column in columns))


def check_frame(data: Any) -> None:
    """Refuse what is not a DataFrame of Spark."""
    if not hasattr(data, "mapInArrow"):
        raise DataError(
            f"is a {type(data).__name__}, not a DataFrame of Spark", "give it to certus.evaluate", argument="data"
        )


def merge_all(partitions: Any, state: State, *, is_small: bool = False, batch: int | None = None) -> None:
    """Merge a DataFrame of states into one."""
    # What merging does not make smaller goes to the driver as it is: a stage of Python tasks takes longer than merging.
    # Other states are merged on the workers first, in as many tasks as Spark finds right for their size.
    rows = collect(partitions if is_small else partitions.hint("rebalance").mapInArrow(merge_partitions, SCHEMA), batch)
    if errors := [(row.partition, error_of_row(row.error)) for row in rows if row.error is not None]:
        raise min(errors, key=lambda error: (error[0], str(error[1])))[1]
    if not rows:
        raise DataError("has no rows", argument="data")
    parts = [State.from_bytes(row.state) for row in rows]
    while len(parts) > 1 and not is_small:  # in pairs: each row is sorted as often as the pairs have levels
        parts = [
            pair[0].merge(pair[1]) if len(pair) == 2 else pair[0]
            for pair in (parts[start : start + 2] for start in range(0, len(parts), 2))
        ]
    for part in parts:
        state.merge(part)


def _fill_counted(state: State, rows: Any, names: Mapping[str, Any], systems: Mapping[str, Any] | None) -> bool:
    """Add rows of labels, which Spark counts; False where one is not valid, whose place a pass over the rows finds."""
    functions = import_module("pyspark.sql.functions")
    counts = "certus_count"
    while counts in rows.columns:
        counts += "_"
    cells = rows.groupBy(*map(_quoted, rows.columns)).agg(functions.count(functions.lit(1)).alias(counts)).toArrow()
    if not len(cells):
        raise DataError("has no rows", argument="data")
    try:
        fill_cells(state, cells, counts, names, systems)
    except CertusError:
        return False
    return True


def _compute_in_passes(state: State, rows: Any, names: Mapping[str, Any], metrics: Sequence[Metric]) -> None:
    """Compute metrics in passes, from sums of two columns, unless another metric needs the rows or they are few."""
    if state.task.name != "regression" or {*names} != {"y_true", "y_pred"} or not _types(rows) <= NUMBERS:
        return
    if not all(isinstance(metric.state, InPasses) for metric in metrics) or not all(
        isinstance(name, str) for name in names.values()
    ):
        return
    sql = import_module("pyspark.sql.functions")
    columns = {"y": names["y_true"], "p": names["y_pred"]}
    numbers = {alias: sql.col(_quoted(name)).cast("double") for alias, name in columns.items()}
    pairs = rows.select(*(sql.coalesce(column, sql.lit(math.nan)).alias(alias) for alias, column in numbers.items()))
    statistics = statistics_in_passes(metrics, pairs)
    state.known_statistics = {**statistics}
    state.metrics = [metric for metric in state.metrics or () if metric not in statistics]
    if not state.metrics:
        state.n = max(statistic.sizes[0] for statistic in statistics.values())


class _ChangedError(DataError):
    """A pass found other rows than the first."""


def statistics_in_passes(metrics: Sequence[Metric], pairs: Any) -> dict[Metric, Influence]:
    """Compute metrics of two columns; none where a number is not finite, or where the rows have to be looked at."""
    first: list[Any] = []

    def read(works: Sequence[Work]) -> list[Totals]:
        frame = pairs.mapInArrow(partial(add_up_partition, [ROW_SUMS, *works]), "totals binary")
        partitions = collect(frame, LARGE)
        if not partitions:
            raise DataError("the rows have to be looked at")
        rows, *totals = merge_totals(pickle.loads(zlib.decompress(row.totals)) for row in partitions)
        fingerprint = rows.n, *rows.sums.rounded()
        first.append(fingerprint)
        if not all(map(math.isfinite, first[0])) or rows.n < FEW_ROWS:
            raise DataError("the rows have to be looked at")
        if fingerprint != first[0]:
            raise _ChangedError("the rows are others than in the first pass", "cache() the DataFrame")
        return totals

    forms = {metric: kind.make(metric.conventions) for metric in metrics if isinstance(kind := metric.state, InPasses)}
    try:
        read_together(list(forms.values()), read)
        return {metric: form.statistic(metric) for metric, form in forms.items()}
    except _ChangedError:
        raise
    except DataError:
        return {}


def fill_queries(state: State, run: Any, qrels: Any) -> None:
    """Add the queries of a run and judgments to an empty state."""
    check_frame(run)
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
    ids = [_ids(frame, side) for frame, side in zip(frames, ("qrels", "predictions"), strict=True)]
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


def _types(rows: Any) -> set[str]:
    return {dtype for _, dtype in rows.dtypes}


def with_plain_names(rows: Any) -> Any:
    """The rows with new names of columns: mapInArrow takes no others, such as those with dots."""
    return rows.toDF(*(f"column_{index}" for index in range(len(rows.columns))))


def _quoted(column: str) -> str:
    return f"`{column.replace('`', '``')}`"


@contextmanager
def _batches_of(session: Any, rows: int) -> Iterator[None]:
    """So many rows come in a batch, whatever their bytes, unless the session has settings of its own."""
    settings = {ROWS: rows, BYTES: 2**31 - 1}
    changed = [name for name in settings if session.conf.get(name, None) is None]
    for name in changed:
        session.conf.set(name, str(settings[name]))
    try:
        yield
    finally:
        for name in changed:
            session.conf.unset(name)


def collect(frame: Any, batch: int | None = None) -> list[Any]:
    """Collect a small DataFrame that workers make from batches of this number of rows; None: as Spark has it."""
    try:
        with nullcontext() if batch is None else _batches_of(frame.sparkSession, batch):
            rows: list[Any] = frame.collect()
    except import_module("pyspark.errors").PythonException as error:
        if "No module named 'certus'" not in str(error):
            raise
        raise ImportError(
            "the Python of Spark's workers has no certus; install it there, or set PYSPARK_PYTHON to one that has it"
        ) from None
    return rows
