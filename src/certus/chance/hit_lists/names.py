"""Ranks of the relevant items in a ranking of names."""

import numbers
from collections.abc import Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet

from certus.chance.distribution import whole
from certus.errors import DataError
from certus.spelling import plural

_LONGEST = 1 << 12
"""Bits of a whole number that names an item."""


def ranks_of_names(
    ranking: Iterable[Hashable], relevant: Iterable[Hashable], cutoff: int | None
) -> tuple[list[int], int, int]:
    """The ranks of the hits, the number of ranks, and the number of relevant items."""
    for name, given in (("ranking", ranking), ("relevant", relevant)):
        if isinstance(given, str | bytes) or not isinstance(given, Iterable):
            raise DataError(f"is {given!r}", "give the items themselves, as in ['a', 'b']", argument=name)
        if isinstance(given, Mapping):
            found = f"a {type(given).__name__}, whose values would not count"
            raise DataError(f"is {found}", "give the items alone, as in ['a', 'b']", argument=name)
    if isinstance(ranking, AbstractSet):
        raise DataError("is a set, which has no order", "give a list, the best item first", argument="ranking")
    depth = None if cutoff is None else whole(cutoff, "cutoff", 1)
    wanted = _distinct(relevant, "relevant")
    if not wanted:
        raise DataError("is empty", "a hit list has at least one hit", argument="relevant")
    listed = list(_distinct(ranking, "ranking"))[:depth]
    ranks = [rank for rank, item in enumerate(listed, start=1) if item in wanted]
    if not ranks:
        where = "the ranking" if depth is None else f"the first {plural(depth, 'rank')}"
        raise DataError(f"no relevant item is in {where}", "a hit list has at least one hit")
    return ranks, len(listed), len(wanted)


def _distinct(items: Iterable[Hashable], name: str) -> dict[bytes, int]:
    """The ids of the items with their places; a set has none twice."""
    found: dict[bytes, int] = {}
    given = list(items)
    for place, item in enumerate(given, start=1):
        if (before := found.setdefault(_id_of(item, f"{name} has", f"at place {place}"), place)) != place:
            first = given[before - 1]
            again = "again" if first == item else f"the same id, {item!r},"
            raise DataError(f"has {first!r} at place {before} and {again} at {place}", argument=name)
    return found


def _id_of(item: object, start: str, end: str) -> bytes:
    """The id of an item, by the rule for ids of documents: a whole number is the text of its digits."""
    if isinstance(item, bytes):
        return item
    if isinstance(item, str):
        return item.encode("utf-8", "surrogatepass")
    if not isinstance(item, bool) and isinstance(item, numbers.Integral):
        if (bits := int(item).bit_length()) > _LONGEST:
            raise DataError(f"{start} an int of {bits} bits {end}", f"a whole number as a name has at most {_LONGEST}")
        return str(int(item)).encode()
    if item is None or item != item:
        raise DataError(f"{start} {item!r} {end}", "every item needs a name")
    raise DataError(f"{start} a {type(item).__name__} {end}", "items are text or whole numbers")
