"""One registry for what is declared by name: tasks, metrics, interval methods, tests, corrections, criteria.

Whoever declares an entry adds it where it is written, with its aliases; a name belongs to one entry. Lookups ignore
case, blanks, underscores and hyphens, and a name that is unknown is answered with the nearest one. Modules whose
entries are many are imported when the first is asked for (`import_package`): this module imports no task and no metric.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, TypeVar

from certus.core.errors import MetricNameError
from certus.core.spelling import normalize_name, suggestion

if TYPE_CHECKING:
    from certus.tasks import Task

Entry = TypeVar("Entry")


class Registry(dict[str, Entry]):
    """Entries by name, in the order of their declarations.

    Examples
    --------
    >>> corrections = Registry("correction", {"bh": "Benjamini-Hochberg", "holm": "Holm"}, {"fdr": "bh"})
    >>> corrections.find("FDR"), corrections.find("Holm"), corrections.find("bonferoni")
    ('bh', 'holm', None)
    >>> corrections.resolve("hlom")
    Traceback (most recent call last):
        ...
    certus.core.errors.MetricNameError: no correction is named 'hlom'; did you mean 'holm'? There are bh, holm
    """

    def __init__(
        self, noun: str, entries: Mapping[str, Entry] | None = None, aliases: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(entries or {})
        self.noun = noun
        self.aliases = dict(aliases or {})

    def add(self, name: str, entry: Entry, aliases: Iterable[str] = ()) -> None:
        """Add an entry, replacing one of the same name; names and aliases of other entries are refused."""
        names = (name, *aliases)
        for text in names:
            owner = text if text in self else self.aliases.get(text, name)
            if owner != name:
                raise MetricNameError(f"{text!r} already names the {self.noun} {owner}", "choose another name")
        self[name] = entry
        self.aliases |= dict.fromkeys(names[1:], name)

    def find(self, spelling: object, names: Collection[str] | None = None) -> str | None:
        """The name that a spelling means; None where it is not a text, or means none of `names`, by default of all."""
        if not isinstance(spelling, str):
            return None
        name = spelling if spelling in self else self._spelled().get(normalize_name(spelling))
        return name if names is None or name in names else None

    def hint(self, spelling: object, names: Collection[str] | None = None) -> str:
        """Name the nearest of `names`, by default of all, and list them."""
        offered = self if names is None else names
        names_offered = f"there are {', '.join(offered)}"
        if not isinstance(spelling, str):
            return names_offered
        return suggestion(
            normalize_name(spelling), [text for text, name in self._spelled().items() if name in offered], names_offered
        )

    def resolve(self, spelling: object, names: Collection[str] | None = None, *, argument: str = "") -> str:
        """The name that a spelling means, one of `names` or of all; an error lists them where it means none."""
        name = self.find(spelling, names)
        if name is None:
            remedy = self.hint(spelling, names)
            raise MetricNameError(f"no {self.noun} is named {spelling!r}", remedy, argument=argument, subject="")
        return name

    def _spelled(self) -> dict[str, str]:
        """Entry names by the normalised spelling of each name and alias."""
        return {normalize_name(alias): name for alias, name in self.aliases.items()} | {
            normalize_name(name): name for name in self
        }


@cache
def import_package(package: str) -> None:
    """Import every module of a package, each of which declares entries or helps to."""
    for module in iter_modules(import_module(package).__path__, f"{package}."):
        import_module(module.name)


TASKS: "Registry[Task]" = Registry("task")
"""The tasks, those of certus first; `tasks` imports them."""


def tasks() -> "tuple[Task, ...]":
    """All tasks, those of certus first.

    Examples
    --------
    >>> [task.name for task in tasks()][:3]
    ['ranking', 'classification', 'multilabel']
    """
    if not TASKS:
        import_package("certus.tasks")
    return tuple(TASKS.values())


def names(*, scored: bool | None = None, paired: bool | None = None) -> tuple[str, ...]:
    """The names of all tasks, or of those whose metrics score estimators or compare systems."""
    if scored is paired is None:
        tasks()
        return tuple(TASKS)
    return tuple(task.name for task in tasks() if scored in (None, task.scored) and paired in (None, task.paired))


def task(name: str, candidates: "Iterable[str] | None" = None) -> "Task":
    """The task of that name.

    Raises
    ------
    MetricNameError
        There is none; the message lists those there are, or those `candidates` which it must be.

    Examples
    --------
    >>> task("regression").name
    'regression'
    """
    if candidates is None and name in TASKS:
        return TASKS[name]
    valid_names = names() if candidates is None else tuple(candidates)
    if name not in valid_names:
        remedy = f"it must be one of {', '.join(map(repr, valid_names))}"
        raise MetricNameError(f"is {name!r}", remedy, argument="task")
    return TASKS[name]


def register(new: "Task") -> "Task":
    """Add a task; one that is declared again, as by a notebook's cell that is run again, replaces itself.

    Examples
    --------
    >>> register(task("regression")).name
    'regression'
    """
    tasks()
    TASKS.add(new.name, new)
    return new
