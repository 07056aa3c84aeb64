"""Evaluation of Spark DataFrames: states are made in each partition and merged, nothing else is collected."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from certus.comparison import Comparison
from certus.comparison.options import Options
from certus.core.errors import DataError, MetricNameError
from certus.core.note import with_sentence
from certus.evaluation.binding import Binding
from certus.evaluation.cases import Average
from certus.evaluation.tabulate import Undefined, check_subgroup_mean
from certus.inference.declare import check_method
from certus.inference.estimate import MeanOf
from certus.inference.interval import Request
from certus.metrics.names import Metrics
from certus.spark._jobs import fill, fill_queries, selected
from certus.states import TASKS, State, empty_state
from certus.table import Table

__all__ = ["bounds", "compare", "evaluate"]


def __dir__() -> list[str]:
    return __all__


FIRST = 1_000
"""Rows that the task is inferred from, where it is not named."""
_OPTIONS = {option.name for option in fields(Options) if option.init}


def evaluate(
    data: Any,
    predictions: Any = None,
    metrics: Metrics | None = None,
    *,
    truth: str | list[str] | None = None,
    task: str | None = None,
    average: Average | None = None,
    undefined: Undefined | None = None,
    by: str | None = None,
    subgroup_mean: MeanOf | None = None,
    level: float = 0.95,
    interval: str | None = None,
    chance: bool = False,
    seed: int = 0,
    name: str | None = None,
    **keywords: Any,
) -> Table:
    """Evaluate predictions in a Spark DataFrame, as `certus.evaluate` does in memory and with the same digits.

    Each partition makes a state of its rows (`certus.State`); states are merged on the workers and on the driver. Of
    metrics of labels Spark itself counts the distinct rows, and for R2 it sums the rows in two passes. No number of
    partitions, no order of rows and no repeated task changes a digit. The workers need certus and pyarrow.

    Parameters
    ----------
    data
        The DataFrame; of ``"ranking"`` the judgments, as a DataFrame of Spark or as `certus.evaluate` takes them.
    predictions
        Of ``"ranking"`` the run: a DataFrame whose columns have their usual names (``query_id``, ``doc_id``,
        ``score``). Otherwise `data` has all columns, and the metrics may stand here.
    metrics, average, undefined, subgroup_mean, level, interval, chance, seed, name
        As for `certus.evaluate`, which calls this for DataFrames of Spark.
    truth, by
        Names of the columns of what is true and of subgroups.
    task
        ``"classification"``, ``"regression"``, ``"clustering"``, ``"values"`` or ``"ranking"``. None: ``"ranking"``
        of two DataFrames; otherwise it is inferred from the first rows, which takes a job of its own.
    keywords
        The names of other columns, such as ``pred="guess"``, ``score="p"``, ``weight="w"``, ``groups="user"``; and the
        conventions of the task, such as ``pos_label`` and ``threshold``; of ``"ranking"`` ``queries``, ``ties``,
        ``unjudged`` and ``drop_self``.

    Returns
    -------
    Table
        As for `certus.evaluate`.

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
    check_subgroup_mean(subgroup_mean, by)
    if interval is not None:
        check_method(interval)
    if metrics is None and predictions is not None and not hasattr(predictions, "columns"):
        predictions, metrics = None, predictions
    if task == "ranking" or (task is None and predictions is not None):
        unused = {"truth": truth, "by": by, "subgroup_mean": subgroup_mean}
        if useless := next((key for key, value in unused.items() if value is not None), None):
            raise MetricNameError("does not apply to ranking", "leave it out", argument=useless)
        if predictions is None:
            raise DataError("is not given", "give judgments, then a run", argument="predictions")
        state = State(metrics, task="ranking", **keywords)
        fill_queries(state, predictions, data)
    elif predictions is not None:
        problem = f"does not apply to {task}, whose columns are all in one DataFrame"
        raise MetricNameError(problem, "name them with pred= or score=", argument="predictions")
    else:
        names = {"truth": truth, "by": by, **keywords}
        state = _of_rows(data, metrics, names, task, sums=not chance, rows=interval is not None)
    return state.evaluate(
        average=average,
        undefined=undefined,
        subgroup_mean=subgroup_mean,
        level=level,
        interval=interval,
        chance=chance,
        seed=seed,
        name=name,
    )


def compare(
    data: Any,
    predictions: Any,
    metrics: Metrics | None = None,
    *,
    truth: str | list[str],
    task: str | None = None,
    groups: str | None = None,
    **keywords: Any,
) -> Comparison:
    """Compare systems whose predictions are columns of a Spark DataFrame, as `certus.compare` does in memory.

    Scores are compared from the rows of all partitions, 17 bytes a row for two systems, which meet on the driver.

    Parameters
    ----------
    data
        The DataFrame.
    predictions
        The columns of the systems: ``["old", "new"]``, ``{"old": "p1", "new": "p2"}``, or ``{"old": {"pred": "guess1",
        "score": "p1"}, ...}``.
    metrics, task
        As for `certus.compare`.
    truth, groups
        Names of columns.
    keywords
        The other keywords of `certus.compare`: ``baseline``, ``test``, ``margin``, ``level``, ``correction``, and so
        on; ``sample_weight``, the name of a column; and the conventions of the task, such as ``pos_label``.

    Returns
    -------
    Comparison
        As for `certus.compare`.

    Raises
    ------
    DataError
        There is no such column, no row, or a row is not valid; the message names partition and row.
    MetricNameError
        There is no such metric or convention, or the task is not clear.
    ImportError
        The Python of the workers has no certus.
    """
    options = {name: keywords.pop(name) for name in _OPTIONS & keywords.keys()}
    first = None
    if metrics is None and task is None:
        names = _names_among({"truth": truth, "predictions": predictions})
        first = selected(data, [name for name in data.columns if name in names]).limit(FIRST).toArrow()
    named_columns = {"truth": truth, "groups": groups, **keywords}
    binding = Binding.of_comparison(predictions, named_columns, metrics, task, first)
    state = empty_state(binding)
    fill(state, data, binding.wanted.names, binding.columns, binding.systems)
    return with_sentence(state.compare(**options), binding.note)


def _names_among(columns: Any) -> set[str]:
    """All names of columns in a name, a list or a dict of them."""
    if isinstance(columns, str):
        return {columns}
    parts = columns.values() if isinstance(columns, Mapping) else columns
    return set().union(*map(_names_among, parts))


def bounds(
    data: Any, metrics: Metrics, *, truth: str, score: str, **conventions: Any
) -> dict[str, tuple[float, float]]:
    """The least and the greatest value that AUC, AP or KS may have, from states of 2 MB for any number of rows.

    Each partition makes a state with ``exact=False`` (`certus.State.bounds`): scores are rounded where more than
    131,072 of them differ. Otherwise both numbers are the value.

    Parameters
    ----------
    data
        The DataFrame.
    metrics
        Some of AUC, AP and KS.
    truth, score
        Names of columns.
    conventions
        Conventions of classification, such as ``pos_label``.

    Returns
    -------
    dict
        Both bounds by metric.

    Raises
    ------
    DataError
        There is no such column, no row, or a row is not valid; the message names partition and row.
    MetricNameError
        There is no such metric or convention, or a metric has no bounds.
    """
    names = {"truth": truth, "score": score, **conventions}
    return _of_rows(data, metrics, names, "classification", exact=False).bounds()


def _of_rows(
    data: Any,
    metrics: Metrics | None,
    keywords: Mapping[str, Any],
    task: str | None,
    *,
    sums: bool = False,
    **options: bool,
) -> State:
    """The state of all rows."""
    binding = Binding.from_keywords(keywords, metrics, task)
    columns = binding.wanted.names
    first = selected(data, columns).limit(FIRST).toArrow() if task is None else None
    try:
        binding = binding.resolve(first, TASKS)
    except DataError as error:
        raise error.with_location(f"the first {FIRST:,} rows, from which the task is inferred") from None
    state = empty_state(binding, **options)
    fill(state, data, columns, binding.columns, sums=sums and not state.rows)
    return state
