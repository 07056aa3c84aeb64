"""Infer the task of a call that names none, from its arguments, metrics, conventions and values.

Names, metrics and the shape of the truth leave one task, or several. Of several the values decide, by one rule in this
order (`reading_of`):

1. truth of two values, predictions within [0, 1] that are not all whole: scores of a classifier;
2. text, booleans, or at most 20 different whole numbers on both sides: classes; of several columns of 0 and 1, labels;
3. truth that is not whole, or more than 20 different whole numbers: quantities;
4. anything else is asked. Clusterings are compared on request only.

A note beside the result says what was taken, and how to say that the data are something else.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core import registry
from certus.core.errors import DataError, MetricNameError, keyword, shown_in_python
from certus.core.spelling import suggestion
from certus.data.columns import as_array, axes, flat, is_column
from certus.io.columns import is_header
from certus.io.ranking_values import is_judgments, is_single_query
from certus.io.sources import is_path
from certus.metrics.names import MetricLike, Metrics, task_of

if TYPE_CHECKING:
    from certus.tasks import Task

MAX_CLASSES = 20
"""Up to so many different whole numbers are taken as classes, where nothing says that they are quantities."""
_CHUNK = 65_536
"""Values that are looked at together for different ones; most columns of quantities need no second look."""


KEYWORDS_OF_OTHERS = {
    **dict.fromkeys(
        ("confidence", "confidence_level", "conf_level", "ci"), f"the coverage of intervals is {keyword('level', 0.95)}"
    ),
    "alpha": f"the coverage of intervals is {keyword('level')}, 1 - alpha",
    **dict.fromkeys(("pos", "positive_class", "pos_label"), f"the positive class is {keyword('pos_label')}"),
    **dict.fromkeys(("random_state", "rng"), f"draws start at {keyword('seed', 0)}"),
    **dict.fromkeys(
        ("n_boot", "n_bootstrap", "n_bootstraps", "n_resamples"),
        f"most intervals need no draws; {keyword('interval')} names a method, docs/intervals.md lists them",
    ),
    **dict.fromkeys(("y_prob", "y_proba"), f"scores are {keyword('y_score')}"),
    **dict.fromkeys(("weight", "weights"), f"the weights of samples are {keyword('sample_weight')}"),
}
"""Keywords of other libraries, and what says the same here."""


def keyword_remedy(name: str, valid_names: Sequence[str], otherwise: str = "") -> str:
    """The remedy for an unknown keyword."""
    return shown_in_python(KEYWORDS_OF_OTHERS.get(name, "")) or suggestion(name, valid_names, otherwise)


class Reading(NamedTuple):
    """The task for which a truth and its predictions are taken.

    Attributes
    ----------
    task
        The name of the task.
    are_scores
        The predictions are scores, no labels.
    note
        What the result says of it; arguments in it are marked. None where the values can be nothing else.
    """

    task: str
    are_scores: bool
    note: str | None


@dataclass(frozen=True)
class _Values:
    """Facts about the values of a column or table, from which the task is inferred."""

    kind: str
    """``"text"`` (or booleans), ``"whole"`` or ``"fractional"`` numbers, or ``"other"``, which cannot be a label."""
    n_axes: int
    n_distinct: int
    """At most one more than `MAX_CLASSES`."""
    within_unit: bool
    """All lie within [0, 1]."""
    adds_up: bool = False
    """The numbers in each row of a table add up to 1."""

    @classmethod
    def of_array(cls, values: Any, name: str) -> "_Values":
        """Collect an array's kind of values, axes, distinct count, and if all lie in [0, 1] or rows add up to 1."""
        array = _as_numbers(flat(as_array(values, name)))
        if array.dtype.kind == "b":
            return cls("text", array.ndim, 2, True)
        if array.dtype.kind not in "iuf":
            is_text = array.dtype.kind in "US" or (
                array.dtype.kind == "O" and all(isinstance(value, str | bool | np.bool | None) for value in array.flat)
            )
            return cls("text" if is_text else "other", array.ndim, count_distinct(array) if is_text else 0, False)
        kind = "fractional" if has_fractions(array) else "whole"
        within_unit = array.size > 0 and not (np.any(array < 0) or np.any(array > 1))
        adds_up = array.ndim == 2 and bool(np.allclose(array.sum(axis=1), 1, atol=1e-3))
        return cls(kind, array.ndim, count_distinct(array), within_unit, adds_up)

    @property
    def may_be_classes(self) -> bool:
        """True if the values can be class labels: text, or few whole numbers."""
        return self.kind == "text" or (self.kind == "whole" and self.n_distinct <= MAX_CLASSES)


def _as_numbers(array: NDArray[Any]) -> NDArray[Any]:
    """Convert number objects, such as decimals, and half precision to floats; others stay unchanged."""
    if array.dtype == np.float16:
        return array.astype(np.float32)
    if array.dtype.kind != "O" or not array.size:
        return array
    if not all(isinstance(value, Number) and not isinstance(value, bool) for value in array.flat):
        return array
    return array.astype(np.float64)


def count_distinct(array: NDArray[Any]) -> int:
    """Count the distinct values, up to `MAX_CLASSES` + 1."""
    values = array.ravel()
    low = high = math.nan
    if array.dtype.kind in "iuf" and values.size and np.isfinite((values.min(), values.max())).all():
        low, high = values.min().item(), values.max().item()
    is_narrow = high - low <= MAX_CLASSES
    distinct: set[Any] = set()
    for start in range(0, len(values), _CHUNK):
        chunk = values[start : start + _CHUNK]
        if chunk.dtype == object:
            distinct.update(chunk.tolist())
        elif is_narrow and not has_fractions(chunk):
            distinct.update(np.flatnonzero(np.bincount((chunk - low).astype(np.intp))).tolist())
        else:
            distinct.update(np.unique(chunk).tolist())
        if len(distinct) > MAX_CLASSES:
            return MAX_CLASSES + 1
    return len(distinct)


def reading_of(truth: Any, predictions: Sequence[Any], tasks: Iterable[str]) -> Reading | None:
    """Choose one of several tasks by the values; None if the user must name it.

    Examples
    --------
    >>> tasks = ["classification", "regression", "clustering"]
    >>> reading_of([0, 1, 1], [[0.2, 0.9, 0.7]], tasks)[:2]
    ('classification', True)
    >>> reading_of([0, 1, 1], [[0, 1, 0]], tasks)[:2]
    ('classification', False)
    >>> reading_of([0.5, 1, 1.5], [[0, 1, 0]], tasks)[:2]
    ('regression', False)
    >>> reading_of([1, 5, 3], [[1.2, 4.8, 3.9]], tasks) is None
    True
    """
    if truth is None or not predictions:
        return None
    true = _Values.of_array(truth, "truth")
    predicted = [_Values.of_array(values, "predictions") for values in predictions]
    reading = _reading(true, predicted)
    return reading if reading is not None and reading.task in {*tasks} else None


def _reading(true: _Values, predicted: Sequence[_Values]) -> Reading | None:
    """Infer the task, and if predictions are scores, from value kinds and shapes; None if ambiguous."""
    if_quantities = f"{keyword('task', 'regression')} if these are quantities"
    if true.n_axes == 1 and all(values.n_axes == 2 for values in predicted):
        if true.may_be_classes and all(values.within_unit and values.adds_up for values in predicted):
            return Reading("classification", True, None)
        return None
    if any(values.n_axes != true.n_axes for values in predicted):
        return None
    if true.n_axes == 2:
        if true.kind == "whole" and all(values.within_unit for values in (true, *predicted)):
            are_scores = any(values.kind == "fractional" for values in predicted)
            return Reading("multilabel", are_scores, f"each column is taken as a label; {if_quantities}")
    elif true.n_distinct == 2 and all(values.kind == "fractional" and values.within_unit for values in predicted):
        return Reading("classification", True, f"taken as scores of a classifier; {if_quantities}")
    elif all(values.may_be_classes for values in (true, *predicted)):
        is_text = true.kind == "text" or any(values.kind == "text" for values in predicted)
        return Reading("classification", False, None if is_text else f"taken as classes; {if_quantities}")
    if true.kind == "fractional" or (true.kind == "whole" and true.n_distinct > MAX_CLASSES):
        may_be_classes = true.kind == "whole" and all(values.kind == "whole" for values in predicted)
        note = f"taken as quantities; {keyword('task', 'classification')} if these are classes"
        if all(values.kind in ("whole", "fractional") for values in predicted):
            return Reading("regression", False, note if may_be_classes else None)
    return None


def ranking_arguments(
    data: Any, predictions: Any, metrics: Metrics | None, truth: Any, task: str | None, keywords: Mapping[str, Any]
) -> tuple[Any, Any, dict[str, Any]] | None:
    """Read a ranking's columns or arrays: judgments, runs and the other keywords; None of other data.

    Keywords that name a column of queries or of documents make a call one on columns. Arrays have a row for each query.
    """
    from certus.io.rankings import rankings_by_columns, rankings_of_arrays

    names = ("query", "document", "score")
    if keywords.get("query") is not None or keywords.get("document") is not None:
        if task not in (None, "ranking"):
            raise MetricNameError("is a column of rankings", f"{task} has none", argument="query")
        columns = {name: keywords.get(name) for name in names}
        conventions = {name: value for name, value in keywords.items() if name not in names}
        for name, column in {"truth": truth, **columns}.items():
            single = isinstance(column, str | None)
            if not single and not (name == "score" and isinstance(column, list | tuple)):
                raise DataError(f"is a {type(column).__name__}", "give the name of a column", argument=name)
        return *rankings_by_columns(data, predictions, truth=truth, **columns), conventions
    if not _are_number_rows(data) or predictions is None or truth is not None:
        return None
    if task is None:
        chosen = metric_list(metrics)
        other_tasks = [other.name for other in registry.tasks() if other.name != "ranking"]
        if not chosen or not all(task_of(metric, ["ranking"]) for metric in chosen):
            return None
        is_ragged = len({len(row) for row in data}) > 1
        if not is_ragged and any(all(task_of(metric, [other]) for metric in chosen) for other in other_tasks):
            return None
    if task not in (None, "ranking"):
        return None
    systems = predictions.values() if isinstance(predictions, Mapping) else [predictions]
    return (*rankings_of_arrays(data, predictions), dict(keywords)) if all(map(_are_number_rows, systems)) else None


def _are_number_rows(data: Any) -> bool:
    """True for numbers in a table with two axes, or in a list of lists."""
    if getattr(data, "ndim", None) == 2 and not hasattr(data, "columns"):
        return bool(getattr(data.dtype, "kind", "") in "biuf") if hasattr(data, "dtype") else False
    if not isinstance(data, list | tuple) or not data:
        return False
    return all(
        isinstance(row, list | tuple | np.ndarray) and all(isinstance(value, Number | np.bool) for value in row)
        for row in data
    )


def infer_task(
    truth: Any, predictions: Any, metrics: Metrics | None, keywords: Mapping[str, Any]
) -> tuple["Task", str | None]:
    """Infer the task of a call, and a note if its values decided."""
    chosen = metric_list(metrics)
    is_ranking = bool(chosen) and all(task_of(metric, ["ranking"]) for metric in chosen if isinstance(metric, str))
    if not is_ranking and all(isinstance(data, Mapping) and is_single_query(data) for data in (truth, predictions)):
        raise MetricNameError(
            "these are numbers by id",
            f"{keyword('task', 'ranking')} if they are the ranking of one query; of values by id give lists in one "
            "order, as in [truth[id] for id in ids]",
        )
    candidates = fitting_tasks(truth, predictions, metrics, keywords)
    if len(candidates) > 1:
        columns = _predicted_columns(predictions, keywords)
        if (reading := reading_of(truth, columns, [task.name for task in candidates])) is not None:
            return registry.task(reading.task), reading.note
    return single_task(candidates), None


def _predicted_columns(predictions: Any, keywords: Mapping[str, Any]) -> list[Any]:
    """Predicted arrays of all systems, from `predictions` or, if that is None, from keywords."""
    if predictions is None:
        names = {argument.name for task in registry.tasks() for argument in task.predicted}
        return [values for name, values in keywords.items() if name in names and values is not None]
    systems = predictions.values() if isinstance(predictions, Mapping) else [predictions]
    return [column for system in systems for column in (system.values() if isinstance(system, Mapping) else [system])]


def single_task(candidates: Sequence["Task"]) -> "Task":
    """Return the only candidate; with none or several, ask the user to name the task."""
    if len(candidates) == 1:
        return candidates[0]
    names = [task.name for task in candidates or registry.tasks()]
    if {"classification", "regression"} <= {*names} and candidates:
        raise MetricNameError(
            "the predictions may be labels, scores or quantities",
            f"say which: {keyword('task', 'classification')} for labels or scores, {keyword('task', 'regression')} for "
            "quantities",
        )
    first, *further_names = names
    raise MetricNameError(
        f"these data may be of {'several tasks' if candidates else 'no task'}",
        f"say which: {' or '.join((keyword('task', first), *map(repr, further_names)))}",
    )


def fitting_tasks(truth: Any, predictions: Any, metrics: Metrics | None, keywords: Mapping[str, Any]) -> list["Task"]:
    """Tasks that the data, the metrics and the keywords of a call fit."""
    named_metrics = metric_list(metrics)
    if object_task := _task_of_objects(named_metrics):
        return [registry.task(object_task)]
    set_keywords = {name for name, value in keywords.items() if value is not None}
    known_keywords = frozenset[str]().union(*[task.keywords for task in registry.tasks()])
    if unknown := sorted(set_keywords - known_keywords):
        remedy = keyword_remedy(unknown[0], sorted(known_keywords))
        raise TypeError(f"no task takes the argument {unknown[0]!r}{'; ' if remedy else ''}{remedy}")
    candidates = _fitting_metrics(truth, predictions, named_metrics, set_keywords)
    if not named_metrics and candidates and _are_dates(truth):
        raise MetricNameError(
            "the truth holds dates",
            f"{keyword('task', 'classification')} if these are classes; of quantities give numbers, such as days",
        )
    if not candidates and (useless := _useless_keyword(truth, predictions, named_metrics, set_keywords)):
        name, without = useless
        raise MetricNameError(
            f"does not apply to {' or '.join(task.name for task in without)}", "leave it out", argument=name
        )
    return candidates


def _fitting_metrics(
    truth: Any, predictions: Any, named_metrics: Sequence[MetricLike], set_keywords: set[str]
) -> list["Task"]:
    """Tasks that the data and keywords fit and that have all the metrics."""
    judged = _is_file(truth)
    complete_tasks = [
        task
        for task in registry.tasks()
        if set_keywords <= task.keywords and _is_complete(task, truth, predictions, set_keywords, judged)
    ]
    likely = _matching_tasks(complete_tasks, truth)
    if named_metrics:
        with_all_metrics = _with_all(complete_tasks, named_metrics)
        likely = (
            _matching_tasks(with_all_metrics, truth)
            or _matching_tasks(with_all_metrics, truth, whatever=True)
            or likely
        )
    return [task for task in likely if task.bare] or likely


def _useless_keyword(
    truth: Any, predictions: Any, named_metrics: Sequence[MetricLike], set_keywords: set[str]
) -> tuple[str, list["Task"]] | None:
    """First keyword without which some tasks would fit, and those tasks; None if there is none."""
    data = {name for task in registry.tasks() for argument in task.data for name in argument.names}
    for name in sorted(set_keywords, key=lambda name: (name in data, name)):
        if without := _fitting_metrics(truth, predictions, named_metrics, set_keywords - {name}):
            return name, without
    return None


def first_task(tasks: Iterable["Task"], metrics: Metrics) -> str | None:
    """Task of metric objects; for names of metrics, the first candidate that has them all."""
    named_metrics = metric_list(metrics)
    return _task_of_objects(named_metrics) or next((task.name for task in _with_all(tasks, named_metrics)), None)


def _with_all(tasks: Iterable["Task"], metrics: Iterable[MetricLike]) -> list["Task"]:
    """Tasks that have all the metrics."""
    names = [task.name for task in tasks]
    for metric in metrics:
        names = [name for name in names if task_of(metric, [name])]
    return list(map(registry.task, names))


def likeliest_task(truth: Any, metrics: Metrics, names: Iterable[str]) -> str:
    """Most likely of the named tasks, for a comparison of arrays by these metrics."""
    likely = [task for task in _matching_tasks(registry.tasks(), truth) if task.name in set(names)]
    return first_task(likely, metrics) or next((task.name for task in likely), "ranking")


def metric_list(metrics: Metrics | None) -> list[MetricLike]:
    """Metrics as a list, empty for None."""
    return [] if metrics is None else [metrics] if isinstance(metrics, MetricLike) else list(metrics)


def _task_of_objects(metrics: Iterable[object]) -> str:
    """Task of the metrics that are objects; empty if all are names."""
    objects = [metric for metric in metrics if not isinstance(metric, str)]
    task_names = list(
        dict.fromkeys(getattr(metric, "task", "ranking") for metric in objects if isinstance(metric, MetricLike))
    )
    if len(task_names) > 1:
        raise MetricNameError(
            f"are of several tasks, {', '.join(sorted(task_names))}", "take them one by one", argument="metrics"
        )
    return task_names[0] if task_names else ""


def _is_complete(task: "Task", truth: Any, predictions: Any, set_keywords: set[str], judged: bool) -> bool:
    """True if the call has truth and predictions as the task needs them, under names that the task knows."""
    if not judged and predictions is not None:
        system_columns = _columns(predictions) if isinstance(predictions, Mapping) else set()
        # a system that does not say what it predicts predicts one thing
        if not (
            system_columns <= _names(task)
            if system_columns
            else any(len(_names(task) & set(alternative)) == 1 for alternative in task.needs)
        ):
            return False
    first = not task.shared or truth is not None or bool(set_keywords & {argument.name for argument in task.shared})
    predicted = predictions is not None or bool(set_keywords & {argument.name for argument in task.predicted})
    return first and predicted if task.shared else (truth is None) == predicted


def _names(task: "Task") -> set[str]:
    """Names of the arguments that hold a task's predictions."""
    return {argument.name for argument in task.predicted}


def _columns(systems: Mapping[Any, Any]) -> set[Any]:
    """Argument names in the predictions, if they are dicts by argument; otherwise empty."""
    inner = {name for system in systems.values() if isinstance(system, Mapping) for name in system}
    outer = set(systems) if any(set(systems) <= _names(task) for task in registry.tasks()) else set()
    return inner or outer


def _is_file(truth: Any) -> bool:
    """True for relevance judgments: a path, result of `read_qrels`, or table with query and document columns."""
    from certus.io import Qrels

    return is_path(truth) or isinstance(truth, Qrels) or is_judgments(truth) or is_header(_column_names(truth))


def _column_names(table: Any) -> list[str]:
    """Column names of a DataFrame, a relation or an Arrow table; empty for anything else."""
    names = getattr(table, "column_names", None) or getattr(table, "columns", None)
    return [] if names is None or callable(names) else [name for name in names if isinstance(name, str)]


def _matching_tasks(tasks: Iterable["Task"], truth: Any, *, whatever: bool = False) -> list["Task"]:
    """Tasks whose truth can have such values and such a shape; with `whatever` only the shape counts."""
    if truth is None:
        return list(tasks)
    value_kinds = _value_kinds(truth)
    sizes = {0} if "file" in value_kinds else {axes(truth), 1 if is_column(truth) else axes(truth)}
    if whatever and "file" not in value_kinds:
        value_kinds |= {"text", "whole", "fractional"}
    return [
        task
        for task in tasks
        if value_kinds & set(task.data[0].looks) and ("frame" in task.data[0].looks or sizes & set(task.data[0].axes))
    ]


def _are_dates(values: Any) -> bool:
    """True for a column of dates or durations."""
    if values is None or _is_file(values):
        return False
    array = as_array(values, "truth")
    return array.dtype.kind in "mM" or (
        array.dtype.kind == "O" and isinstance(next(array.flat, None), date | timedelta)
    )


def _value_kinds(values: Any) -> set[str]:
    """Kind of the values: ``"file"``, ``"frame"``, and for columns ``"text"``, ``"whole"`` or ``"fractional"``."""
    if _is_file(values):
        return {"file"}
    array = _as_numbers(as_array(values, "truth"))
    container_kinds = {"frame"} if hasattr(values, "columns") else set()
    if array.dtype.kind not in "iuf":
        return container_kinds | {"text"}
    return container_kinds | {"fractional" if has_fractions(array) else "whole"}


def has_fractions(values: Any) -> bool:
    """True if some numbers are not whole."""
    array = _as_numbers(as_array(values, "predictions"))
    return array.dtype.kind == "f" and bool(np.any((array != np.floor(array)) & ~np.isnan(array)))
