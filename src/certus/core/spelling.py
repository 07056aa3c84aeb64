"""Names as people write them: in what they are alike, the nearest one to a slip, one and several of a unit."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)

LONGEST = 100
"""Characters of a name that are compared with the known ones."""


def normalize_name(text: str) -> str:
    """A name in lower case, with single hyphens for its blanks, underscores and hyphens."""
    return "-".join(text.lower().replace("_", " ").replace("-", " ").split())


def compact(text: str) -> str:
    """A name in lower case, without blanks, underscores and hyphens."""
    return normalize_name(text).replace("-", "")


def plural(n: int, unit: str) -> str:
    """`n` and the unit in words: ``"1 query"``, ``"250 queries"``."""
    if n == 1:
        return f"1 {unit}"
    if unit.endswith("y") and unit[-2:-1] not in "aeiou":
        return f"{n} {unit[:-1]}ies"
    return f"{n} {unit}{'es' if unit.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


def repeated(names: Iterable[Name]) -> Name | None:
    """The first name that stands a second time; None where all differ."""
    visited: set[Name] = set()
    for name in names:
        if name in visited:
            return name
        visited.add(name)
    return None


def abridged(names: Sequence[str], limit: int) -> str:
    """The first names, and how many more there are; one more than `limit` is named too."""
    more = f" and {len(names) - limit} more" if len(names) > limit + 1 else ""
    return ", ".join(names[:limit] if more else names) + more


def nearest(spelling: object, valid_names: Iterable[str]) -> str | None:
    """The known name most like the one found, in any case; None where none is near."""
    if not isinstance(spelling, str):
        return None
    from difflib import get_close_matches

    lowered = {name.strip().lower(): name for name in reversed(list(valid_names))}
    near = get_close_matches(spelling.strip().lower()[:LONGEST], list(lowered), n=1)
    return lowered[near[0]] if near else None


def suggestion(name: object, valid_names: Iterable[str], also: str = "") -> str:
    """The remedy for an unknown name: the known name that is near, if there is one, and `also`."""
    near = nearest(name, valid_names)
    if near is None:
        return also
    return f"did you mean {near!r}?" + (also and f" {also[0].upper()}{also[1:]}")
