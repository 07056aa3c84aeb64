"""Every metric that was declared: those of a task are found by their files."""

import importlib
import pkgutil
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from certus import registry
from certus.errors import MetricNameError
from certus.metrics._homes import HOMES

if TYPE_CHECKING:
    from certus.metrics._metric import Metric
    from certus.tasks import Task


_METRICS: "dict[str, dict[str, Metric]]" = {}
_EXTENDED: set[str] = set()
"""The tasks that have metrics of somebody else's, too."""


def declared(task: str = "ranking") -> "tuple[Metric, ...]":
    """Every metric declared for a task, by name.

    Examples
    --------
    >>> [each.name for each in declared("efficiency")][:3]
    ['Age', 'CollectionCoverage', 'Freshness']
    """
    if task in registry.names():
        registry.task(task).load()
    return tuple(sorted(_METRICS.get(task, {}).values(), key=lambda metric: metric.name.lower()))


def certus_metric(task: str, text: str) -> "Metric | None":
    """The metric of certus's with exactly that name or alias, found without the others of its task.

    None where there is none, and where somebody else's metrics may have the name, too: `declared` tells.
    """
    home = None if task in _EXTENDED else HOMES.get(task, {}).get(text)
    if home is None:
        return None
    importlib.import_module(f"certus.metrics.{task}.{home}")
    return next((metric for metric in _METRICS[task].values() if text in (metric.name, *metric.aliases)), None)


def task_of_call(metric: "Metric") -> "Task":
    """The task of a metric, which knows what a call of it runs, and the keywords that it takes."""
    try:
        return registry.task(metric.task)
    except MetricNameError:
        raise MetricNameError(
            f"{metric.name} cannot be called on data, no task {metric.task!r} is known", "use compute"
        ) from None


def enter(metric: "Metric") -> None:
    """Remember a metric."""
    names = [metric.name, *metric.aliases, *metric.spellings]
    for text in (metric.name, *metric.aliases, *(spelling.name for spelling in metric.spelled)):
        if not text or set(text) & set("()='\"\\") or not text.isprintable() or " " in text:
            raise MetricNameError(f"{text!r} cannot name a metric", "leave out blanks, quotes, parentheses and '='")
    for other in _METRICS.get(metric.task, {}).values():
        if _same_function(metric, other):
            continue  # a notebook cell that is run again declares its metric again
        for text in set(names) & {other.name, *other.aliases, *other.spellings}:
            raise MetricNameError(
                f"{text!r} already names the {metric.task} metric {other.name}", "choose another name"
            )
    _METRICS.setdefault(metric.task, {})[metric.name] = metric
    if not metric._declaration.function.__module__.startswith(f"certus.metrics.{metric.task}."):
        _EXTENDED.add(metric.task)


def _same_function(first: "Metric", second: "Metric") -> bool:
    mine, yours = first._declaration.function, second._declaration.function
    return first.name == second.name and (mine.__module__, mine.__qualname__) == (yours.__module__, yours.__qualname__)


def rebuilt(task: str, name: str, conventions: dict[str, Any]) -> "Metric":
    """A metric that was pickled, also in a process that has not used its task yet."""
    by_name = {metric.name: metric for metric in declared(task)}
    if name not in by_name:
        raise MetricNameError(f"no {task} metric is named {name!r} here", "import the module that declares it first")
    return by_name[name].using(**conventions)


def read_all(package: str, path: Iterable[str]) -> None:
    """Import every module of a package, each of which declares metrics or helps to."""
    for module in pkgutil.iter_modules(path, f"{package}."):
        importlib.import_module(module.name)
