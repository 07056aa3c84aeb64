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


def inferred(truth: Any, predictions: Any, metrics: Metrics | None, told: Mapping[str, Any]) -> "Task":
    """The only task that the data, the metrics and the keywords of a call are of."""
    return only(fitting(truth, predictions, metrics, told))


def only(found: Sequence["Task"]) -> "Task":
    """The only task among those that fit."""
    if len(found) != 1:
        first, *others = (each.name for each in found or registry.tasks())
        raise MetricNameError(
            f"these data may be of {'several tasks' if found else 'no task'}",
            f"say which: {' or '.join((keyword('task', first), *map(repr, others)))}",
        )
    return found[0]


def fitting(truth: Any, predictions: Any, metrics: Metrics | None, told: Mapping[str, Any]) -> list["Task"]:
    """The tasks that the data, the metrics and the keywords of a call may be of."""
    named = _listed(metrics)
    if told_by := _of_objects(named):
        return [registry.task(told_by)]
    given = {name for name, value in told.items() if value is not None}
    known = frozenset[str]().union(*(each.keywords for each in registry.tasks()))
    if unknown := sorted(given - known):
        remedy = suggestion(unknown[0], sorted(known))
        raise TypeError(f"no task has a use for {unknown[0]!r}{'; ' if remedy else ''}{remedy}")
    found = _fitting(truth, predictions, named, given)
    if not found and (odd := _odd(truth, predictions, named, given)):
        name, without = odd
        raise MetricNameError(
            f"has no meaning for {' or '.join(each.name for each in without)}", "leave it out", argument=name
        )
    return found


def _fitting(truth: Any, predictions: Any, named: Sequence[MetricLike], given: set[str]) -> list["Task"]:
    found = [each for each in registry.tasks() if given <= each.keywords and _complete(each, truth, predictions, given)]
    likely = _among(found, truth)
    if named:
        own = [each for each in found if all(task_of(name, [each.name]) for name in named)]
        likely = _among(own, truth) or _among(own, truth, whatever=True) or likely
    return [each for each in likely if each.bare] or likely


def _odd(truth: Any, predictions: Any, named: Sequence[MetricLike], given: set[str]) -> tuple[str, list["Task"]] | None:
    """The keyword without which some tasks fit, and these; None where that is not all that is wrong."""
    data = {name for task in registry.tasks() for each in task.data for name in each.names}
    for name in sorted(given, key=lambda name: (name in data, name)):
        if without := _fitting(truth, predictions, named, given - {name}):
            return name, without
    return None


def likeliest(truth: Any, metrics: Metrics, among: Iterable[str]) -> str:
    """The task of the metrics given as objects; of names, the first that has them all and fits the truth."""
    named = _listed(metrics)
    if told_by := _of_objects(named):
        return told_by
    likely = [each.name for each in _among(registry.tasks(), truth) if each.name in set(among)]
    return next((name for name in likely if all(task_of(each, [name]) for each in named)), (*likely, "ranking")[0])


def compared_metrics(task: "Task", there: Iterable[str]) -> tuple[str, ...]:
    """The metrics that are compared where none is named: those of the task for which these data are enough.

    Examples
    --------
    >>> compared_metrics(registry.task("classification"), ["y_true", "y_score"])
    ('AUC', 'AP')
    """
    known = {alias for name in there for alias in task.argument(name).names}
    usual = tuple(
        name
        for name in task.compared
        if any({*getattr(kind, "arguments", ())} <= known for kind in parse(name, task=task.name).takes)
    )
    if not usual:
        known_as = ", ".join(task.compared)
        raise MetricNameError("name a metric", f"the usual ones ({known_as}) are computed from other data")
    return usual


def _listed(metrics: Metrics | None) -> list[MetricLike]:
    return [] if metrics is None else [metrics] if isinstance(metrics, MetricLike) else list(metrics)


def _of_objects(metrics: Iterable[object]) -> str:
    """The task of the metrics that are not names; empty where all are."""
    objects = [metric for metric in metrics if not isinstance(metric, str)]
    told = list(
        dict.fromkeys(getattr(metric, "task", "ranking") for metric in objects if isinstance(metric, MetricLike))
    )
    if len(told) > 1:
        raise MetricNameError(
            f"are of several tasks, {', '.join(sorted(told))}", "take them one by one", argument="metrics"
        )
    return told[0] if told else ""


def _complete(task: "Task", truth: Any, predictions: Any, given: set[str]) -> bool:
    """True if the call has truth and predictions, as far as the task has both, and knows the columns of a system."""
    if not _is_file(truth) and predictions is not None:
        named = _columns(predictions) if isinstance(predictions, Mapping) else set()
        # a system that does not say what it predicts predicts one thing
        if not (named <= _names(task) if named else any(len(_names(task) & set(way)) == 1 for way in task.needs)):
            return False
    first = not task.shared or truth is not None or bool(given & {each.name for each in task.shared})
    predicted = predictions is not None or bool(given & {each.name for each in task.predicted})
    return first and predicted if task.shared else (truth is None) == predicted


def _names(task: "Task") -> set[str]:
    return {each.name for each in task.predicted}


def _columns(systems: Mapping[Any, Any]) -> set[Any]:
    """The names of what a system predicts, where it predicts several things or says what it predicts."""
    inner = {name for system in systems.values() if isinstance(system, Mapping) for name in system}
    alone = set(systems) if any(set(systems) <= _names(task) for task in registry.tasks()) else set()
    return inner or alone


def _is_file(truth: Any) -> bool:
    from certus.io import Qrels

    return is_path(truth) or isinstance(truth, Qrels) or is_judgments(truth)


def _among(tasks: Iterable["Task"], truth: Any, *, whatever: bool = False) -> list["Task"]:
    """The tasks whose first data can look like the truth, or have its shape, `whatever` its values are."""
    if truth is None:
        return list(tasks)
    looks = _looks(truth)
    sizes = {0} if "file" in looks else {axes(truth), 1 if is_column(truth) else axes(truth)}
    if whatever and "file" not in looks:
        looks |= {"text", "whole", "fractional"}
    return [
        each
        for each in tasks
        if looks & set(each.data[0].looks) and ("frame" in each.data[0].looks or sizes & set(each.data[0].axes))
    ]


def _looks(values: Any) -> set[str]:
    """``"file"``, ``"frame"``, and of columns one of ``"text"``, ``"whole"`` and ``"fractional"``."""
    if _is_file(values):
        return {"file"}
    array = as_array(values, "truth")
    found = {"frame"} if hasattr(values, "columns") else set()
    if array.dtype.kind not in "iuf":
        return found | {"text"}
    whole = array.dtype.kind != "f" or bool(np.all(array == np.floor(array)))
    return found | {"whole" if whole else "fractional"}
