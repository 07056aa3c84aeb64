"""The tasks that are known, which metrics and all above them ask for.

A task says what a call of its metrics runs, and so imports what lies above metrics. This module imports no task, so
that imports go one way: ``certus`` says where its tasks are found, and they are imported when one is asked for.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from certus.tasks import Task


_TASKS: "dict[str, Task]" = {}
_OWN: "list[Callable[[], Iterable[Task]]]" = []
"""Functions that import the tasks of certus; they are called when a task is first asked for."""


def found_by(own: "Callable[[], Iterable[Task]]") -> None:
    """Register the function that imports the tasks of certus."""
    _OWN.append(own)


def _known() -> "dict[str, Task]":
    """All tasks by name, those of certus first."""
    if not _TASKS:
        _TASKS.update({each.name: each for own in _OWN for each in own()})
    return _TASKS


def tasks() -> "tuple[Task, ...]":
    """All tasks, those of certus first.

    Examples
    --------
    >>> [each.name for each in tasks()][:3]
    ['ranking', 'classification', 'multilabel']
    """
    return tuple(_known().values())


def names(*, scored: bool | None = None, paired: bool | None = None) -> tuple[str, ...]:
    """The names of all tasks, or of those whose metrics score estimators or compare systems.

    Examples
    --------
    >>> names(scored=True)
    ('classification', 'multilabel', 'regression', 'clustering')
    """
    return tuple(each.name for each in tasks() if scored in (None, each.scored) and paired in (None, each.paired))


def task(name: str, among: "Iterable[str] | None" = None) -> "Task":
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
    found = _known()
    if among is None and name in found:
        return found[name]
    known = tuple(found) if among is None else tuple(among)
    if name not in known:
        from certus.errors import MetricNameError

        raise MetricNameError(f"is {name!r}", f"it must be one of {', '.join(map(repr, known))}", argument="task")
    return found[name]


def register(new: "Task") -> "Task":
    """Add a task; one that is declared again, as by a notebook's cell that is run again, replaces itself.

    Examples
    --------
    >>> register(task("regression")).name
    'regression'
    """
    _known()[new.name] = new
    return new
