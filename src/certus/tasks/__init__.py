"""The tasks: each a kind of data with metrics of its own, declared once in a module here and read by everything.

A new one is a module, or a package of somebody else's, that declares a `Task` and gives it to `register`.
"""

from collections.abc import Iterable

from certus.errors import MetricNameError
from certus.tasks import classification, clustering, efficiency, multilabel, ranking, regression, values
from certus.tasks._task import GROUPS, WEIGHT, Argument, Task

__all__ = ["GROUPS", "WEIGHT", "Argument", "Task", "register", "task", "tasks"]


def __dir__() -> list[str]:
    return __all__


_TASKS: dict[str, Task] = {
    each.TASK.name: each.TASK
    for each in (ranking, classification, multilabel, regression, clustering, efficiency, values)
}


def tasks() -> tuple[Task, ...]:
    """All tasks, those of certus first.

    Examples
    --------
    >>> [each.name for each in tasks()][:3]
    ['ranking', 'classification', 'multilabel']
    """
    return tuple(_TASKS.values())


def names(*, scored: bool | None = None, paired: bool | None = None) -> tuple[str, ...]:
    """The names of all tasks, or of those whose metrics score estimators or compare systems.

    Examples
    --------
    >>> names(scored=True)
    ('classification', 'multilabel', 'regression', 'clustering')
    """
    return tuple(
        each.name for each in _TASKS.values() if scored in (None, each.scored) and paired in (None, each.paired)
    )


def task(name: str, among: Iterable[str] | None = None) -> Task:
    """The task of that name.

    Raises
    ------
    MetricNameError
        There is none; the message lists those there are, or those `among` which it must be.

    Examples
    --------
    >>> task("regression").name
    'regression'
    """
    if among is None and name in _TASKS:
        return _TASKS[name]
    known = tuple(_TASKS) if among is None else tuple(among)
    if name not in known:
        raise MetricNameError(f"is {name!r}", f"it must be one of {', '.join(map(repr, known))}", argument="task")
    return _TASKS[name]


def register(new: Task) -> Task:
    """Add a task; one that is declared again, as by a notebook's cell that is run again, replaces itself.

    Examples
    --------
    >>> register(task("regression")).name
    'regression'
    """
    _TASKS[new.name] = new
    return new
