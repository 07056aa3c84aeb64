"""The metrics of candidate task by name; those of certus stand in the package that their task names."""

from typing import TYPE_CHECKING, Any

from certus.core import registry
from certus.core.errors import MetricNameError
from certus.core.registry import Registry, import_package

if TYPE_CHECKING:
    from certus.metrics._metric import Metric
    from certus.tasks import Task


METRICS: "dict[str, Registry[Metric]]" = {}
"""The metrics declared for candidate task so far; `declared` imports the others."""
_SORTED: "dict[str, tuple[Metric, ...]]" = {}
"""The metrics of each task by name, until one more is declared."""


def declared(task: str = "ranking") -> "tuple[Metric, ...]":
    """Every metric declared for a task, by name.

    Examples
    --------
    >>> [metric.name for metric in declared("efficiency")][:3]
    ['Age', 'CollectionCoverage', 'Freshness']
    """
    known_task = registry.TASKS.get(task) or next((other for other in registry.tasks() if other.name == task), None)
    if known_task is not None and known_task.metrics:
        import_package(known_task.metrics)
    if task not in _SORTED:
        _SORTED[task] = tuple(sorted(METRICS.get(task, {}).values(), key=lambda metric: metric.name.lower()))
    return _SORTED[task]


def functions(task: str) -> "dict[str, Metric]":
    """The metrics of certus for a task by the names of their functions, in alphabetical order."""
    package = f"{registry.task(task).metrics}."
    metrics = {metric.function_name: metric for metric in declared(task) if metric.__module__.startswith(package)}
    return dict(sorted(metrics.items()))


def task_of_call(metric: "Metric") -> "Task":
    """The task of a metric, which knows what a call of it runs, and the keywords that it takes."""
    try:
        return registry.task(metric.task)
    except MetricNameError:
        raise MetricNameError(
            f"{metric.name} cannot be called on data, no task {metric.task!r} is known", "use compute"
        ) from None


def add(metric: "Metric") -> None:
    """Register a metric; a notebook cell that is run again declares its metric again."""
    for text in (metric.name, *metric.aliases, *(spelling.name for spelling in metric.spelled)):
        if not text or set(text) & set("()='\"\\") or not text.isprintable() or " " in text:
            raise MetricNameError(f"{text!r} cannot name a metric", "leave out blanks, quotes, parentheses and '='")
    task = registry.TASKS.get(metric.task)
    if task is not None and not metric.__module__.startswith(f"{task.metrics}."):
        declared(metric.task)  # the names of certus come first
    metrics = METRICS.setdefault(metric.task, Registry(f"{metric.task} metric"))
    other = metrics.get(metric.name, metric)
    first, second = (
        (candidate.name, candidate.__wrapped__.__module__, candidate.__wrapped__.__qualname__)
        for candidate in (metric, other)
    )
    if first != second:
        raise MetricNameError(
            f"{metric.name!r} already names the {metric.task} metric {metric.name}", "choose another name"
        )
    metrics.add(metric.name, metric, (*metric.aliases, *metric.spellings))
    _SORTED.pop(metric.task, None)


def rebuilt(task: str, name: str, conventions: dict[str, Any]) -> "Metric":
    """A metric that was pickled, also in a process that has not used its task yet."""
    by_name = {metric.name: metric for metric in declared(task)}
    if name not in by_name:
        raise MetricNameError(f"no {task} metric is named {name!r} here", "import the module that declares it first")
    return by_name[name].using(**conventions)
