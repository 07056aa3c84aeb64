"""Scores of items, from an evaluation tool or a column of a table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import DataError, mention
from certus.core.note import Note
from certus.core.spelling import suggestion


@dataclass(frozen=True, eq=False)
class Scores:
    """Values of one metric of one system, each with its item.

    `groups` and `weights` have one element for each value; None where there are none. With `repeats` several values of
    one item are its repeats (epochs, samples of an answer); otherwise one id twice is an error. `place` gives the file
    and line of a value; None where there are no lines.
    """

    system: str
    metric: str
    items: Sequence[str]
    values: Floats
    groups: Sequence[Any] | None = None
    weights: Floats | None = None
    repeats: bool = False
    location: Callable[[int], str] | None = None

    @cached_property
    def first(self) -> Mapping[str, int]:
        """Index of the first value of each item; a duplicate is an error unless `repeats`."""
        first: dict[str, int] = {}
        for index, item in enumerate(self.items):
            if first.setdefault(item, index) != index and not self.repeats:
                before = "before it" if self.location is None else f"at {self.location(first[item])}"
                raise DataError(
                    f"item {item!r} has a second value, the first stands {before}",
                    "give each item one, such as the mean of its repeats",
                    location=None if self.location is None else self.location(index),
                )
        return first

    @property
    def checked_items(self) -> list[str]:
        """Items of the values; a duplicate is an error unless `repeats`."""
        return list(self.items) if self.first else []

    def of_items(self, name: str) -> dict[str, Any] | None:
        """Group or weight of each item (`name` says which); None if there are none."""
        column = getattr(self, name)
        return None if column is None else {item: column[index] for item, index in self.first.items()}


@dataclass(frozen=True, eq=False)
class Log:
    """All metrics of all systems in one file, item by item.

    `fingerprint` is the hash of the file's bytes after the name of the kind of hash, `title` names what wrote the file.
    `conditions` must be the same in files that are compared, by what to call them. `about` has each item with all that
    the file says of it, as it was read; an item that was tried several times is there as often.
    """

    name: str
    fingerprint: str
    scores: tuple[Scores, ...]
    title: str = ""
    notices: tuple[Note, ...] = ()
    conditions: Mapping[str, Any] = field(default_factory=dict)
    about: Sequence[tuple[str, Any]] = ()

    def field(self, name: str, argument: str = "groups") -> dict[str, Any]:
        """Value of each item in a field such as ``metadata.topic``; `argument` names the field in errors."""

        def error(problem: str, remedy: str | None = None) -> DataError:
            return DataError(
                f"{problem} ({mention(argument)})", remedy, argument=argument, subject="", location=self.name
            )

        by_item: dict[str, Any] = {}
        for item, record in self.about:
            value = _value_at(record, name)
            if value is None or isinstance(value, Mapping | list | tuple) or value != value:
                names = list(dict.fromkeys(_leaf_names(record)))
                contents = f"it has {', '.join(names[:12])}{', ...' if len(names) > 12 else ''}"
                content = "no field" if value is None else f"a {type(value).__name__}, not one value, as"
                raise error(f"item {item!r} has {content} {name!r}", suggestion(name, names) or contents)
            if by_item.setdefault(item, value) != value:
                raise error(f"item {item!r} has both {by_item[item]!r} and {value!r} as {name!r}")
        if not by_item:
            raise error(f"{self.title} files say nothing of their items, so there is no {name!r}")
        return by_item

    def grouped(self, name: str) -> "Log":
        """Log whose groups are the values of a field."""
        groups = self.field(name)
        scores = tuple(replace(part, groups=[groups[item] for item in part.items]) for part in self.scores)
        return replace(self, scores=scores)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(dict.fromkeys(part.system for part in self.scores))

    def metrics(self, system: str) -> dict[str, Scores]:
        """Scores of a system by metric."""
        return {part.metric: part for part in self.scores if part.system == system}


def named_systems(logs: Sequence[Log]) -> dict[str, tuple[Log, str]]:
    """Systems of all files by unique names: their own, those of their files, or both."""
    pairs = [(log, system) for log in logs for system in log.systems]
    short = [PurePath(log.name).name for log in logs]
    files = {log: name if short.count(name) == 1 else log.name for log, name in zip(logs, short, strict=True)}
    by_system = {system: (log, system) for log, system in pairs}
    by_file = {
        files[log] if len(log.systems) == 1 else f"{files[log]}:{system}": (log, system) for log, system in pairs
    }
    for by_name in (by_system, by_file):
        if len(by_name) == len(pairs):
            return by_name
    raise DataError(f"two files are named {next(iter(files.values()))!r}", "give each file once")


def of_records(records: Iterable[tuple[str, str, str, float]], repeats: bool = True) -> Iterator[Scores]:
    """Scores from records (system, metric, item, value); with `repeats` an item may have several values."""
    columns: dict[tuple[str, str], tuple[list[str], list[float]]] = {}
    for system, metric, item, value in records:
        items, values = columns.setdefault((system, metric), ([], []))
        items.append(item)
        values.append(value)
    for (system, metric), (items, values) in columns.items():
        yield Scores(system, metric, items, np.array(values, dtype=np.float64), repeats=repeats)


def _value_at(record: Any, name: str) -> Any:
    """Value of a field, with dots for nested objects; None if it is missing."""
    if not isinstance(record, Mapping):
        return None
    if name in record:
        return record[name]
    first, _, inner = name.partition(".")
    return _value_at(record.get(first), inner) if inner else None


def _leaf_names(record: Any, prefix: str = "") -> Iterator[str]:
    """Names of all fields with text, numbers or truth values, nested ones with dots."""
    for name, value in record.items() if isinstance(record, Mapping) else ():
        if isinstance(value, Mapping):
            yield from _leaf_names(value, f"{prefix}{name}.")
        elif isinstance(value, str | bool | int | float):
            yield f"{prefix}{name}"
