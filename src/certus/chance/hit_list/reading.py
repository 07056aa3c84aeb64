"""Reading a hit list: text or ranks in, ascending ranks out, or the reason why not."""

import math
import numbers
import re
from collections.abc import Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from certus.chance.probability import require_integer
from certus.core.errors import DataError
from certus.core.spelling import plural

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
    depth = None if cutoff is None else require_integer(cutoff, "cutoff", 1)
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


HIT, MISS = "x-"
BULLET, HOLLOW_BULLET = "•◦"
LONGEST = 1_000_000_000
"""The last rank there may be: one value a rank must fit into memory."""

Form = Literal["mask", "ranks"]

_NUMBERS = re.compile("[0-9,. +-]*[0-9][0-9,. +-]*")
_BITS = re.compile("[01]+|[01](,[01])+")
_SHORTEST_MASK = 6
"""Digits from which on a text of 0 and 1 that starts with 1 is a mask; shorter ones are a rank, such as 10 or 1000."""
_EXAMPLES = "'xx--x', a mask such as [1, 1, 0, 0, 1] or the ranks of the hits such as [1, 2, 5]"


def ranks_of(where: str | Iterable[Any], form: Form | None = None) -> tuple[tuple[int, ...], int]:
    """The ranks of the hits, ascending, and the number of ranks, those after the last hit too where they are known."""
    if form not in (None, "mask", "ranks"):
        raise DataError(f"is {form!r}", "it must be 'mask' or 'ranks'", argument="form")
    if isinstance(where, str):
        return _of_text(where, form)
    if isinstance(where, bytes | Mapping) or not isinstance(where, Iterable):
        raise DataError(f"a hit list is text such as {_EXAMPLES}", f"found {_value_text(where)}")
    if isinstance(where, np.ndarray) and where.ndim != 1:
        raise DataError("a mask or ranks have one dimension", f"found an array of shape {where.shape}")
    values = [value.item() if isinstance(value, np.generic) else value for value in where]
    # A set has no order and nothing twice, so it cannot be a mask.
    if isinstance(where, AbstractSet):
        if form == "mask":
            raise DataError("a mask has one value for each rank", f"found a {type(where).__name__}, which has no order")
    elif form == "mask" or (form is None and values and all(map(_is_bit, values))):
        return _of_mask(values)
    ranks = _of_ranks(values)
    return ranks, ranks[-1]


def form_of_text(text: str) -> Form | None:
    """Default form for a text in digits: a mask or ranks; None for other characters."""
    if not _NUMBERS.fullmatch(text):
        return None
    bits = _unspaced(text)
    is_mask = _BITS.fullmatch(bits) and ("," in bits or bits[0] == "0" or len(bits) >= _SHORTEST_MASK)
    return "mask" if is_mask else "ranks"


def ranks_of_scores(y_true: Iterable[Any], y_score: Iterable[Any]) -> tuple[tuple[int, ...], int]:
    """The ranks of the items with label 1 by falling score, and the number of items."""
    labels, scores = (
        np.asarray(values if isinstance(values, np.ndarray) else list(values)) for values in (y_true, y_score)
    )
    for name, array in (("y_true", labels), ("y_score", scores)):
        if array.ndim != 1:
            raise DataError(f"has shape {array.shape}", "give one value for each item", argument=name)
    if len(labels) != len(scores):
        raise DataError(
            f"has {plural(len(scores), 'item')} for {plural(len(labels), 'label')}",
            "they must pair up one to one",
            argument="y_score",
        )
    if scores.dtype.kind not in "biuf" or np.isnan(scores).any():
        raise DataError("holds something that is not a number", "give one number for each item", argument="y_score")
    values = labels.tolist()
    _of_mask(values)
    order = np.argsort(scores, kind="stable")[::-1]
    for first, second in pairwise(order.tolist()):
        if scores[first] == scores[second] and values[first] != values[second]:
            low, high = sorted((first + 1, second + 1))
            raise DataError(
                f"items {low} and {high} have one score, {_value_text(scores[first])}, and only one of them is a hit",
                "a hit list needs an order; give scores without such ties",
            )
    return _of_mask([values[index] for index in order.tolist()])


def _of_text(text: str, form: Form | None) -> tuple[tuple[int, ...], int]:
    if not text:
        raise DataError("a hit list has at least one rank", "the text is empty")
    default_form = form_of_text(text)
    if default_form is not None:
        if (form or default_form) == "mask":
            return _of_mask(_bits(text))
        ranks = _of_ranks(_numbers(text))
        return ranks, ranks[-1]
    wrong = next(
        (index for index, character in enumerate(text) if character not in HIT + MISS + BULLET + HOLLOW_BULLET), None
    )
    if wrong is not None:
        raise DataError(
            f"character {wrong + 1} of the hit list is {text[wrong]!r}",
            f"a hit is written {HIT} or {BULLET}, and a rank without one {MISS} or {HOLLOW_BULLET}",
        )
    if form is not None:
        raise DataError(f"is {form!r}", f"{_short(text)!r} is not written in digits; leave it out", argument="form")
    ranks = tuple(rank for rank, character in enumerate(text, start=1) if character in HIT + BULLET)
    if not ranks:
        raise DataError(f"a hit list has at least one hit, written {HIT}", f"{_short(text)!r} has none")
    return ranks, len(text)


def _unspaced(text: str) -> str:
    """The text without blanks at its ends and beside commas."""
    return ",".join(part.strip(" ") for part in text.split(","))


def _bits(text: str) -> list[int]:
    bits = _unspaced(text)
    if not _BITS.fullmatch(bits):
        raise DataError(
            f"is for masks, and {_short(text)!r} is none",
            "a mask has 0 and 1 alone, as in 1,1,0,0,1 or 11001",
            argument="form",
        )
    return [int(character) for character in bits.replace(",", "")]


def _numbers(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    wrong = next((part for part in parts if not re.fullmatch("[+-]?[0-9]{1,30}", part)), None)
    if wrong is not None:
        raise DataError(f"found {wrong!r} among the ranks", "a rank is a whole number, as in 1,2,5")
    return [int(part) for part in parts]


def _is_bit(value: object) -> bool:
    return isinstance(value, bool | int | float) and value in (0, 1)


def _of_mask(values: list[Any]) -> tuple[tuple[int, ...], int]:
    if wrong := [value for value in values if not _is_bit(value)]:
        raise DataError(
            f"found {_value_text(wrong[0])} in a mask", "a mask has 1 or True for a hit, and 0 or False for none"
        )
    if len(values) > LONGEST:
        raise DataError(f"a mask of {len(values):,} ranks", f"a hit list has at most {LONGEST:,}")
    ranks = tuple(rank for rank, value in enumerate(values, start=1) if value)
    if not ranks:
        raise DataError("a hit list has at least one hit", f"the mask of {plural(len(values), 'rank')} holds none")
    return ranks, len(values)


def _of_ranks(values: list[Any]) -> tuple[int, ...]:
    if not values:
        raise DataError("a hit list has at least one hit", "there are no ranks")
    for value in values:
        if isinstance(value, bool):
            raise DataError(f"found {value} among the ranks", "a mask has 0 and 1 alone, or False and True")
        if not isinstance(value, int):
            raise DataError(f"found {_value_text(value)} among the ranks", "a rank is a whole number")
        if not 1 <= value <= LONGEST:
            raise DataError(f"found {_value_text(value)} among the ranks", f"ranks are from 1 to {LONGEST:,}")
    ranks = tuple(sorted(values))
    twice = next((low for low, high in pairwise(ranks) if low == high), None)
    if twice is not None:
        raise DataError(f"rank {twice} is given twice", "a rank holds one item")
    return ranks


def number_text(number: int) -> str:
    """The number with commas; its size where that is longer than can be read."""
    # Python refuses to print a number of more than 4300 digits.
    return f"{number:,}" if number < 10**15 else f"about 10^{(number.bit_length() - 1) * math.log10(2):.0f}"


def _value_text(value: object) -> str:
    """The value as the message shows it; numpy's floats as Python's."""
    python_value = value.item() if isinstance(value, np.generic) else value
    # Python refuses to print a number of more than 4300 digits.
    return (
        "a huge number" if isinstance(python_value, int) and abs(python_value) > 10**30 else _short(repr(python_value))
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
