"""A ranked list with ties, as a user gives it: groups of items from the top."""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from certus.errors import DataError

__all__ = ["Ranked", "groups"]

Ranked = Sequence[Any] | Mapping[Any, float]
"""Items from the top, tied ones as a nested set, list or tuple; or a score for each item."""


def groups(given: Ranked, name: str, depth: int | None) -> list[list[Hashable]]:
    """The groups of tied items from the top, down to the one in which rank `depth` lies.

    Raises
    ------
    DataError
        There are no items, an item stands twice, or a score is NaN.
    """
    found = _by_score(given, name) if isinstance(given, Mapping) else _in_order(given, name)
    seen: set[Hashable] = set()
    kept: list[list[Hashable]] = []
    for group in found:
        for item in group:
            if item in seen:
                raise DataError(f"{name} holds {item!r} twice; an item has one place in a ranking")
            seen.add(item)
        if depth is None or len(seen) - len(group) < depth:
            kept.append(group)
    if not kept:
        raise DataError(f"{name} is empty; a ranking needs at least one item")
    return kept


def _by_score(given: Mapping[Any, float], name: str) -> list[list[Hashable]]:
    for item, score in given.items():
        if math.isnan(score):
            raise DataError(f"{name} has score NaN for {item!r}; every item needs a score")
    order = sorted(given.items(), key=lambda pair: -pair[1])
    return [[item for item, _ in group] for _, group in groupby(order, key=lambda pair: pair[1])]


def _in_order(given: Any, name: str) -> list[list[Hashable]]:
    if isinstance(given, str | bytes | set | frozenset) or not isinstance(given, Iterable):
        raise DataError(f"{name} is a {type(given).__name__}; give a list of items from the top, or scores by name")
    found: list[list[Hashable]] = []
    for entry in given:
        tied = isinstance(entry, Collection) and not isinstance(entry, str | bytes)
        group = list(entry) if tied else [entry]
        if not group:
            raise DataError(f"{name} holds an empty group of ties at rank {sum(map(len, found)) + 1}; leave it out")
        found.append(group)
    for item in (item for group in found for item in group):
        if not isinstance(item, Hashable):
            raise DataError(f"{name} holds {item!r}, which cannot be looked up; give ids such as strings or numbers")
        if isinstance(item, float) and math.isnan(item):
            raise DataError(f"{name} holds NaN; give ids such as strings or numbers")
    return found
