"""One score per item, as an evaluation tool wrote it or a column of a table holds it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any

import numpy as np

from certus.arrays import Floats
from certus.errors import DataError, called
from certus.note import Note
from certus.spelling import suggestion


@dataclass(frozen=True, eq=False)
class Scores:
    """The values of one metric of one system, with the item that each belongs to.

    Attributes
    ----------
    system, metric
        Their names.
    items
        The id of the item of each value.
    values
        One number for each.
    groups, weights
        One for each value; None where there are none.
    repeats
        Several values of one item are its repeats (epochs, samples of an answer); otherwise one id twice is an error.
    place
        Where a value stands, as ``file:line``; None where there are no lines.
    """

    system: str
    metric: str
    items: Sequence[str]
    values: Floats
    groups: Sequence[Any] | None = None
    weights: Floats | None = None
    repeats: bool = False
    place: Callable[[int], str] | None = None

    @cached_property
    def first(self) -> Mapping[str, int]:
        """The place of the first value of each item."""
        first: dict[str, int] = {}
        for number, item in enumerate(self.items):
            if first.setdefault(item, number) != number and not self.repeats:
                above = "" if self.place is None else f" at {self.place(first[item])}"
                raise DataError(
                    f"item {item!r} has a second value, the first stands{above or ' before it'}",
                    "give each item one, such as the mean of its repeats",
                    place=None if self.place is None else self.place(number),
                )
        return first

    @property
    def checked(self) -> list[str]:
        """The ids, of which one that is there twice is refused unless it is of repeats."""
        return list(self.items) if self.first else []

    def of_items(self, name: str) -> dict[str, Any] | None:
        """The group or the weight of each item; None where there are none."""
        column = getattr(self, name)
        return None if column is None else {item: column[number] for item, number in self.first.items()}


@dataclass(frozen=True, eq=False)
class Log:
    """The metrics of systems in one file, item by item.

    Attributes
    ----------
    name, fingerprint
        The file's name, and the hash of its bytes after the name of the kind of hash.
    scores
        One for each system and metric.
    title
        What wrote the file.
    notices
        What was left out, and what else a reader must know.
    conditions
        What must be the same in files that are compared, by what to call it.
    about
        Items with all that the file says of each, as it was read; one that was tried several times is there as often.
    """

    name: str
    fingerprint: str
    scores: tuple[Scores, ...]
    title: str = ""
    notices: tuple[Note, ...] = ()
    conditions: Mapping[str, Any] = field(default_factory=dict)
    about: Sequence[tuple[str, Any]] = ()

    def field(self, name: str, argument: str = "groups") -> dict[str, Any]:
        """The value of each item under a name, such as ``metadata.topic``, which the caller's argument gives."""
        found: dict[str, Any] = {}
        for item, record in self.about:
            value = _within(record, name)
            if value is None or isinstance(value, Mapping | list | tuple) or value != value:
                leaves = list(dict.fromkeys(_leaves(record)))
                near = (
                    suggestion(name, leaves) or f"it has {', '.join(leaves[:12])}{', ...' if len(leaves) > 12 else ''}"
                )
                what = "no field" if value is None else f"a {type(value).__name__}, not one value, as"
                raise DataError(
                    f"item {item!r} has {what} {name!r} ({called(argument)})",
                    near,
                    argument=argument,
                    subject="",
                    place=self.name,
                )
            if found.setdefault(item, value) != value:
                both = f"{found[item]!r} and {value!r}"
                raise DataError(
                    f"item {item!r} has both {both} as {name!r} ({called(argument)})",
                    argument=argument,
                    subject="",
                    place=self.name,
                )
        if not found:
            nothing = f"{self.title} files say nothing of their items"
            raise DataError(
                f"{nothing}, so there is no {name!r} ({called(argument)})",
                argument=argument,
                subject="",
                place=self.name,
            )
        return found

    def grouped(self, name: str) -> "Log":
        """The log with the groups that a field of the items makes."""
        of = self.field(name)
        scores = tuple(replace(each, groups=[of[item] for item in each.items]) for each in self.scores)
        return replace(self, scores=scores)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(dict.fromkeys(each.system for each in self.scores))

    def metrics(self, system: str) -> dict[str, Scores]:
        """The metrics of a system by name."""
        return {each.metric: each for each in self.scores if each.system == system}


def named_systems(logs: Sequence[Log]) -> dict[str, tuple[Log, str]]:
    """The systems of all files by names that differ: their own, those of their files, or both."""
    every = [(log, system) for log in logs for system in log.systems]
    short = [PurePath(log.name).name for log in logs]
    files = {log: name if short.count(name) == 1 else log.name for log, name in zip(logs, short, strict=True)}
    for name_of in (
        lambda _, system: system,
        lambda log, system: files[log] if len(log.systems) == 1 else f"{files[log]}:{system}",
    ):
        named = {name_of(log, system): (log, system) for log, system in every}
        if len(named) == len(every):
            return named
    raise DataError(f"two files are named {next(iter(files.values()))!r}", "give each file once")


def _within(record: Any, name: str) -> Any:
    """The value under a name, within objects where it has dots; None where there is none."""
    if not isinstance(record, Mapping):
        return None
    if name in record:
        return record[name]
    first, _, rest = name.partition(".")
    return _within(record.get(first), rest) if rest else None


def _leaves(record: Any, before: str = "") -> Iterator[str]:
    """The names of all texts, numbers and truth values."""
    for name, value in record.items() if isinstance(record, Mapping) else ():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{before}{name}.")
        elif isinstance(value, str | bool | int | float):
            yield f"{before}{name}"


def of_records(records: Iterable[tuple[str, str, str, float]], repeats: bool = True) -> Iterator[Scores]:
    """Scores from system, metric, item and value; values of one item are its repeats, where there may be any."""
    columns: dict[tuple[str, str], tuple[list[str], list[float]]] = {}
    for system, metric, item, value in records:
        items, values = columns.setdefault((system, metric), ([], []))
        items.append(item)
        values.append(value)
    for (system, metric), (items, values) in columns.items():
        yield Scores(system, metric, items, np.array(values, dtype=np.float64), repeats=repeats)
