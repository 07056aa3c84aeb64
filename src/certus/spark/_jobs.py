"""Spark's part: what is asked of DataFrames, and the state that the driver makes of the answers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from certus.core.errors import CertusError, DataError, MetricNameError, called, keyword
from certus.data import Scores
from certus.metrics import Metric, declared
from certus.metrics.state_kinds import InPasses, Order
from certus.spark._numbers import of_numbers
from certus.spark._workers import CHANGED, SCHEMA, Cuts, merged, states, told
from certus.states import Outlook, State, columns_called, fill_cells
from certus.statistic.common import plural

ROWS, BYTES = (f"spark.sql.execution.arrow.{each}" for each in ("maxRecordsPerBatch", "maxBytesPerBatch"))
"""Settings of the batches that workers get, which halve their time. Spark checks the bytes of a batch after each row,
which costs more than the row; where rows are numbers, or short, limiting their number limits the bytes."""
LARGE = 100_000
"""Rows of a batch of numbers."""
NUMBERS = {"tinyint", "smallint", "int", "bigint", "float", "double"}
COMPARED = {*NUMBERS, "boolean", "string"}
"""Types whose values Spark groups as Python compares them; text with a collation has another name."""


def fill(
    state: State,
    data: Any,
    columns: Sequence[str],
    names: Mapping[str, Any],
    systems: Mapping[str, Any] | None = None,
    *,
    passes: int = 1,
    sums: bool = False,
) -> None:
    """Add the rows of a DataFrame to an empty state."""
    rows = selected(data, columns)
    outlook = Outlook.of(state, names, systems)
    cuts = None
    if passes == 2:
        if outlook.unordered:
            what = called("interval") if state.rows else outlook.unordered
            names_of_cuts = [str(each) for each in declared("classification") if _cuts_of(each)]
            raise MetricNameError(
                f"is for {', '.join(names_of_cuts)}, not for {what}",
                "leave it out",
                argument="passes",
                subject=keyword("passes", 2),
            )
        cuts = _cuts(rows, names, state)
    compared = _kinds(rows) <= COMPARED
    if outlook.counts and compared and _fill_counted(state, rows, names, systems):
        return
    if sums and outlook.unsummed:
        _leave_numbers(state, rows, names, outlook)
        if not state.metrics:
            return
        outlook = Outlook.of(state, names, systems)
    made = plain(rows).mapInArrow(partial(states, state.to_bytes(), rows.columns, names, systems, cuts), SCHEMA)
    state.cuts = None if cuts is None else cuts.scores
    merge_all(made, state, few=outlook.few, batch=LARGE if _kinds(rows) <= {*NUMBERS, "boolean"} else None)
    if cuts is not None and len(state) != cuts.n:
        raise DataError(*CHANGED)


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
    own, names = plain(data), data.columns  # by their places: names that differ by case only are one for Spark
    return own.select(*(own[own.columns[names.index(column)]].alias(column) for column in columns))


def check_frame(data: Any) -> None:
    """Refuse what is not a DataFrame of Spark."""
    if not hasattr(data, "mapInArrow"):
        raise DataError(
            f"is a {type(data).__name__}, not a DataFrame of Spark", "give it to certus.evaluate", argument="data"
        )


def merge_all(made: Any, state: State, *, few: bool = False, batch: int | None = None) -> None:
    """Merge a DataFrame of states into one."""
    # What merging does not make smaller goes to the driver as it is: a stage of Python tasks takes longer than merging.
    # Other states are merged on the workers first, in as many tasks as Spark finds right for their size.
    found = collected(made if few else made.hint("rebalance").mapInArrow(merged, SCHEMA), batch)
    if errors := [(row.partition, told(row.error)) for row in found if row.error is not None]:
        raise min(errors, key=lambda each: (each[0], str(each[1])))[1]
    if not found:
        raise DataError("has no rows", argument="data")
    parts = [State.from_bytes(row.state) for row in found]
    while len(parts) > 1 and not few:  # in pairs: each row is sorted as often as the pairs have levels
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
    counted = rows.groupBy(*map(_quoted, rows.columns)).agg(functions.count(functions.lit(1)).alias(counts))
    cells = counted.toArrow()
    if not len(cells):
        raise DataError("has no rows", argument="data")
    try:
        fill_cells(state, cells, counts, names, systems)
    except CertusError:
        return False
    return True


def _leave_numbers(state: State, rows: Any, names: Mapping[str, Any], outlook: Outlook) -> None:
    """Have sums made for metrics that are computed in passes, unless another metric needs the rows, or they are few."""
    kinds = _kinds(rows)
    asked = outlook.unsummed
    if state.task.name != "regression" or {*names} != {"y_true", "y_pred"} or not kinds <= NUMBERS:
        return
    if not all(isinstance(metric.state, InPasses) for metric in asked) or not all(
        isinstance(name, str) for name in names.values()
    ):
        return
    sql = import_module("pyspark.sql.functions")
    columns = {"y": names["y_true"], "p": names["y_pred"]}
    numbers = {to: sql.col(_quoted(name)).cast("double") for to, name in columns.items()}
    pairs = rows.select(*(sql.coalesce(each, sql.lit(math.nan)).alias(to) for to, each in numbers.items()))
    found = of_numbers(asked, pairs, partial(collected, batch=LARGE))
    state.found = {**found}
    state.metrics = [metric for metric in state.metrics or () if metric not in found]
    if not state.metrics:
        state.n = max(each.sizes[0] for each in found.values())


def _cuts(rows: Any, names: Mapping[str, Any], state: State) -> Cuts | None:
    """The scores of one of two classes; None where a row is not valid, which a pass over them names.

    It is the less frequent class, but for AP the positive one: of positives between two neighbouring negatives it
    matters which are tied.
    """
    functions = import_module("pyspark.sql.functions")
    truth, score = names["y_true"], names["y_score"]
    kinds = dict(rows.dtypes)
    if kinds[truth] not in COMPARED or kinds[score] not in NUMBERS:
        return None
    label = functions.col(_quoted(truth))
    counts = {row[0]: row[1] for row in rows.groupBy(label).count().collect()}
    if any(each is None or each != each for each in counts):
        return None
    labels = sorted(counts, key=lambda each: (counts[each], repr(each)))
    if len(labels) != 2:
        raise DataError(
            f"is for two classes, but column {truth!r} has {plural(len(labels), 'label')}",
            "leave it out",
            argument="passes",
            subject=keyword("passes", 2),
        )
    cut = labels[0]
    if "positive" in map(_cuts_of, state.metrics or ()):
        told = {key: value for key, value in state.conventions.items() if key in ("labels", "pos_label")}
        with columns_called(state.task, names):
            cut = labels[int(Scores.from_arrays(np.array(labels), np.zeros(2), **told).truth.argmax())]
    scores = rows.where(label == functions.lit(cut)).select(functions.col(_quoted(score)).cast("double").alias("score"))
    found = np.unique(scores.toArrow()["score"].to_numpy())
    return Cuts(found[~np.isnan(found)] + 0.0, cut, sum(counts.values()))


def _cuts_of(metric: Metric) -> str:
    """The class whose scores are cuts for a metric; empty where there is none."""
    return kind.cuts if isinstance(kind := metric.state, Order) else ""


def _kinds(rows: Any) -> set[str]:
    """The types of the columns."""
    return {kind for _, kind in rows.dtypes}


def plain(rows: Any) -> Any:
    """The rows with columns that have names of their own: mapInArrow takes no others, such as those with dots."""
    return rows.toDF(*(f"column_{place}" for place in range(len(rows.columns))))


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


def collected(made: Any, batch: int | None = None) -> list[Any]:
    """The rows of a DataFrame of states, made of rows that come in batches of this number; None: as Spark has it."""
    try:
        with nullcontext() if batch is None else _batches_of(made.sparkSession, batch):
            rows: list[Any] = made.collect()
    except import_module("pyspark.errors").PythonException as error:
        if "No module named 'certus'" not in str(error):
            raise
        raise ImportError(
            "the Python of Spark's workers has no certus; install it there, or set PYSPARK_PYTHON to one that has it"
        ) from None
    return rows
