"""Every metric and every task that was declared."""

import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from certus.errors import MetricNameError

if TYPE_CHECKING:
    from certus.inference import Estimate
    from certus.metrics._metric import Metric

__all__ = ["TASKS", "Task", "declared", "enter", "rebuilt", "register_task", "task_of_call"]

_METRICS: "dict[str, dict[str, Metric]]" = {}
_TASKS: "dict[str, tuple[Task, Mapping[str, Any]]]" = {}
TASKS = ("classification", "clustering", "efficiency", "multilabel", "ranking", "regression")
"""The tasks that certus itself has metrics of."""
_PACKAGES = {task: f"certus.metrics.{task}" for task in TASKS}
"""Where the metrics of a task are declared."""
_REGISTRARS = {task: f"certus.{task}" for task in TASKS} | {"ranking": "certus.evaluation"}
"""The modules that register a task; imported when one of its metrics is first called on data."""


class Task(Protocol):
    """Function that is called when one of a task's metrics is called on data; registered with `register_task`.

    Its keyword-only parameters are the conventions of a call that are not the metric's own, such as ``queries``,
    ``ties`` and ``unjudged`` for rankings. It reads the data, calls `metric.compute` and returns the estimate. When the
    metric was called on data that is already prepared (a `Ranking`), `data` holds just that.
    """

    def __call__(self, metric: "Metric", *data: Any, **conventions: Any) -> "Estimate": ...


def register_task(task: str, estimate: Task) -> None:
    """Say what calling a metric of `task` on data does; the layers above the metrics do this once."""
    given = inspect.signature(estimate).parameters.values()
    _TASKS[task] = estimate, {each.name: each.default for each in given if each.kind is each.KEYWORD_ONLY}


def declared(task: str = "ranking") -> "tuple[Metric, ...]":
    """Every metric declared for a task, by name."""
    if task in _PACKAGES:
        import_module(_PACKAGES[task])
    return tuple(sorted(_METRICS.get(task, {}).values(), key=lambda each: each.name.lower()))


def task_of_call(metric: "Metric") -> tuple[Task, Mapping[str, Any]]:
    """The function that a call of the metric runs, and the keywords that it takes with their defaults.

    Raises
    ------
    MetricNameError
        Its task was never registered.
    """
    task = metric.task
    if task not in _TASKS and task in _REGISTRARS:
        import_module(_REGISTRARS[task])
    if task not in _TASKS:
        raise MetricNameError(f"{metric.name} cannot be called on data, no task {task!r} is known; use compute")
    return _TASKS[task]


def enter(made: "Metric") -> None:
    """Remember a metric.

    Raises
    ------
    MetricNameError
        One of its names is taken, or cannot be a name.
    """
    names = [made.name, *made.aliases, *made.spellings]
    for text in names:
        if not text or set(text) & set("()='\"\\") or not text.isprintable() or " " in text:
            raise MetricNameError(f"{text!r} cannot name a metric; leave out blanks, quotes, parentheses and '='")
    for other in _METRICS.get(made.task, {}).values():
        if _same_function(made, other):
            continue  # a notebook cell that is run again declares its metric again
        for text in set(names) & {other.name, *other.aliases, *other.spellings}:
            raise MetricNameError(f"{text!r} already names the {made.task} metric {other.name}; choose another name")
    _METRICS.setdefault(made.task, {})[made.name] = made


def _same_function(one: "Metric", other: "Metric") -> bool:
    mine, yours = one._declaration.function, other._declaration.function
    return one.name == other.name and (mine.__module__, mine.__qualname__) == (yours.__module__, yours.__qualname__)


def rebuilt(task: str, name: str, conventions: dict[str, Any]) -> "Metric":
    """A metric that was pickled."""
    return _METRICS[task][name].using(**conventions)
