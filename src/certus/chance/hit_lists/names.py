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
    """Find the ranks with hits, the number of ranks and the number of relevant items."""
    for name, items in (("ranking", ranking), ("relevant", relevant)):
        if isinstance(items, str | bytes) or not isinstance(items, Iterable):
            raise DataError(f"is {items!r}", "give the items themselves, as in ['a', 'b']", argument=name)
        if isinstance(items, Mapping):
            type_text = f"a {type(items).__name__}, whose values would not count"
            raise DataError(f"is {type_text}", "give the items alone, as in ['a', 'b']", argument=name)
    if isinstance(ranking, AbstractSet):
        raise DataError("is a set, which has no order", "give a list, the best item first", argument="ranking")
    depth = None if cutoff is None else whole(cutoff, "cutoff", 1)
    wanted = _distinct(relevant, "relevant")
    if not wanted:
        raise DataError("is empty", "a hit list has at least one hit", argument="relevant")
    ranked = list(_distinct(ranking, "ranking"))[:depth]
    ranks = [rank for rank, item in enumerate(ranked, start=1) if item in wanted]
    if not ranks:
        where = "the ranking" if depth is None else f"the first {plural(depth, 'rank')}"
        raise DataError(f"no relevant item is in {where}", "a hit list has at least one hit")
    return ranks, len(ranked), len(wanted)


def _distinct(items: Iterable[Hashable], name: str) -> dict[bytes, int]:
    """The ids of the items with their places; a set has none twice."""
    rank_by_id: dict[bytes, int] = {}
    item_list = list(items)
    for rank, item in enumerate(item_list, start=1):
        if (before := rank_by_id.setdefault(_id_of(item, f"{name} has", f"at place {rank}"), rank)) != rank:
            first = item_list[before - 1]
            again = "again" if first == item else f"the same id, {item!r},"
            raise DataError(f"has {first!r} at place {before} and {again} at {rank}", argument=name)
    return rank_by_id


def _id_of(item: object, start: str, end: str) -> bytes:
    """Id of an item, by the rule for document ids: a whole number is the text in its digits."""
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
