"""The task of a call that does not name it, and the metrics of a comparison that names none."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from certus import registry
from certus.data.columns import as_array, axes, is_column
from certus.errors import MetricNameError, keyword
from certus.io.ranking_values import is_judgments
from certus.io.sources import is_path
from certus.metrics.names import MetricLike, Metrics, parse, task_of
from certus.spelling import suggestion

if TYPE_CHECKING:
    from certus.tasks import Task


def infer_task(truth: Any, predictions: Any, metrics: Metrics | None, keywords: Mapping[str, Any]) -> "Task":
    """The only task that the data, the metrics and the keywords of a call are of."""
    return single_task(fitting_tasks(truth, predictions, metrics, keywords))


def single_task(candidates: Sequence["Task"]) -> "Task":
    """The only task among those that fit."""
    if len(candidates) != 1:
        first, *further_names = (task.name for task in candidates or registry.tasks())
        raise MetricNameError(
            f"these data may be of {'several tasks' if candidates else 'no task'}",
            f"say which: {' or '.join((keyword('task', first), *map(repr, further_names)))}",
        )
    return candidates[0]


def fitting_tasks(truth: Any, predictions: Any, metrics: Metrics | None, keywords: Mapping[str, Any]) -> list["Task"]:
    """The tasks that the data, the metrics and the keywords of a call may be of."""
    named_metrics = _metric_list(metrics)
    if object_task := _task_of_objects(named_metrics):
        return [registry.task(object_task)]
    set_keywords = {name for name, value in keywords.items() if value is not None}
    known_keywords = frozenset[str]().union(*(task.keywords for task in registry.tasks()))
    if unknown := sorted(set_keywords - known_keywords):
        remedy = suggestion(unknown[0], sorted(known_keywords))
        raise TypeError(f"no task has a use for {unknown[0]!r}{'; ' if remedy else ''}{remedy}")
    candidates = _fitting_metrics(truth, predictions, named_metrics, set_keywords)
    if not candidates and (useless := _useless_keyword(truth, predictions, named_metrics, set_keywords)):
        name, without = useless
        raise MetricNameError(
            f"has no meaning for {' or '.join(task.name for task in without)}", "leave it out", argument=name
        )
    return candidates


def _fitting_metrics(
    truth: Any, predictions: Any, named_metrics: Sequence[MetricLike], set_keywords: set[str]
) -> list["Task"]:
    complete_tasks = [
        task
        for task in registry.tasks()
        if set_keywords <= task.keywords and _complete(task, truth, predictions, set_keywords)
    ]
    likely = _matching_tasks(complete_tasks, truth)
    if named_metrics:
        with_all_metrics = [
            task for task in complete_tasks if all(task_of(name, [task.name]) for name in named_metrics)
        ]
        likely = (
            _matching_tasks(with_all_metrics, truth)
            or _matching_tasks(with_all_metrics, truth, whatever=True)
            or likely
        )
    return [task for task in likely if task.bare] or likely


def _useless_keyword(
    truth: Any, predictions: Any, named_metrics: Sequence[MetricLike], set_keywords: set[str]
) -> tuple[str, list["Task"]] | None:
    """The keyword without which some tasks fit, and these; None where that is not all that is wrong."""
    data = {name for task in registry.tasks() for argument in task.data for name in argument.names}
    for name in sorted(set_keywords, key=lambda name: (name in data, name)):
        if without := _fitting_metrics(truth, predictions, named_metrics, set_keywords - {name}):
            return name, without
    return None


def likeliest_task(truth: Any, metrics: Metrics, candidates: Iterable[str]) -> str:
    """The task of the metrics given as objects; of names, the first that has them all and fits the truth."""
    named_metrics = _metric_list(metrics)
    if object_task := _task_of_objects(named_metrics):
        return object_task
    likely = [each.name for each in _matching_tasks(registry.tasks(), truth) if each.name in set(candidates)]
    return next(
        (name for name in likely if all(task_of(each, [name]) for each in named_metrics)), (*likely, "ranking")[0]
    )


def compared_metrics(task: "Task", there: Iterable[str]) -> tuple[str, ...]:
    """The metrics that are compared where none is named: those of the task for which these data are enough."""
    available = {alias for name in there for alias in task.argument(name).names}
    computable = tuple(
        name
        for name in task.compared
        if any({*getattr(kind, "arguments", ())} <= available for kind in parse(name, task=task.name).takes)
    )
    if not computable:
        known_as = ", ".join(task.compared)
        raise MetricNameError("name a metric", f"the usual ones ({known_as}) are computed from other data")
    return computable


def _metric_list(metrics: Metrics | None) -> list[MetricLike]:
    return [] if metrics is None else [metrics] if isinstance(metrics, MetricLike) else list(metrics)


def _task_of_objects(metrics: Iterable[object]) -> str:
    """The task of the metrics that are not names; empty where all are."""
    objects = [metric for metric in metrics if not isinstance(metric, str)]
    task_names = list(
        dict.fromkeys(getattr(metric, "task", "ranking") for metric in objects if isinstance(metric, MetricLike))
    )
    if len(task_names) > 1:
        raise MetricNameError(
            f"are of several tasks, {', '.join(sorted(task_names))}", "take them one by one", argument="metrics"
        )
    return task_names[0] if task_names else ""


def _complete(task: "Task", truth: Any, predictions: Any, set_keywords: set[str]) -> bool:
    """True if the call has truth and predictions, as far as the task has both, and knows the columns of a system."""
    if not _is_file(truth) and predictions is not None:
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
    return {argument.name for argument in task.predicted}


def _columns(systems: Mapping[Any, Any]) -> set[Any]:
    """The names of what a system predicts, where it predicts several things or says what it predicts."""
    inner = {name for system in systems.values() if isinstance(system, Mapping) for name in system}
    outer = set(systems) if any(set(systems) <= _names(task) for task in registry.tasks()) else set()
    return inner or outer


def _is_file(truth: Any) -> bool:
    from certus.io import Qrels

    return is_path(truth) or isinstance(truth, Qrels) or is_judgments(truth)


def _matching_tasks(tasks: Iterable["Task"], truth: Any, *, whatever: bool = False) -> list["Task"]:
    """The tasks whose first data can look like the truth, or have its shape, `whatever` its values are."""
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


def _value_kinds(values: Any) -> set[str]:
    """``"file"``, ``"frame"``, and of columns one of ``"text"``, ``"whole"`` and ``"fractional"``."""
    if _is_file(values):
        return {"file"}
    array = as_array(values, "truth")
    container_kinds = {"frame"} if hasattr(values, "columns") else set()
    if array.dtype.kind not in "iuf":
        return container_kinds | {"text"}
    is_whole = array.dtype.kind != "f" or bool(np.all(array == np.floor(array)))
    return container_kinds | {"whole" if is_whole else "fractional"}
