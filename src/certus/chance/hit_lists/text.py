"""Reading a hit list: text or ranks in, ascending ranks out, or the reason why not."""

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from certus.errors import DataError

__all__ = ["FILLED", "HIT", "HOLLOW", "LONGEST", "MISS", "number_text", "ranks_of"]

HIT, MISS = "x-"
FILLED, HOLLOW = "•◦"
LONGEST = 1_000_000_000
"""The last rank there may be: one value a rank must fit into memory."""


def ranks_of(where: str | Iterable[int]) -> tuple[tuple[int, ...], int]:
    """The ranks of the hits, ascending, and the number of ranks, those after the last hit too where they are known.

    Raises
    ------
    DataError
        It is not a hit list; the message says why.
    """
    if isinstance(where, str):
        return _of_text(where)
    if isinstance(where, bytes | dict) or not isinstance(where, Iterable):
        raise DataError(
            "a hit list is text such as 'xx--x' or the ranks of the hits such as [1, 2, 5]", f"found {_shown(where)}"
        )
    if isinstance(where, np.ndarray) and where.ndim != 1:
        raise DataError("ranks have one dimension", f"found an array of shape {where.shape}")
    ranks = _of_ranks(list(where))
    return ranks, ranks[-1]


def _of_text(text: str) -> tuple[tuple[int, ...], int]:
    if not text:
        raise DataError("a hit list has at least one rank", "the text is empty")
    wrong = next((place for place, character in enumerate(text) if character not in HIT + MISS + FILLED + HOLLOW), None)
    if wrong is not None:
        raise DataError(
            f"character {wrong + 1} of the hit list is {text[wrong]!r}",
            f"a hit is written {HIT} or {FILLED}, and a rank without one {MISS} or {HOLLOW}",
        )
    ranks = tuple(rank for rank, character in enumerate(text, start=1) if character in HIT + FILLED)
    if not ranks:
        raise DataError(f"a hit list has at least one hit, written {HIT}", f"{_short(text)!r} has none")
    return ranks, len(text)


def _of_ranks(given: list[Any]) -> tuple[int, ...]:
    if not given:
        raise DataError("a hit list has at least one hit", "there are no ranks")
    for value in given:
        if isinstance(value, bool | np.bool_):
            raise DataError(f"found {bool(value)} among the ranks", "of a mask, give numpy.flatnonzero(mask) + 1")
        if not isinstance(value, int | np.integer):
            raise DataError(f"found {_shown(value)} among the ranks", "a rank is a whole number")
        if not 1 <= value <= LONGEST:
            raise DataError(f"found {_shown(int(value))} among the ranks", f"ranks are from 1 to {LONGEST:,}")
    ranks = tuple(sorted(int(value) for value in given))
    twice = next((low for low, high in pairwise(ranks) if low == high), None)
    if twice is not None:
        raise DataError(f"rank {twice} is given twice", "a rank holds one item")
    return ranks


def number_text(number: int) -> str:
    """The number with commas; its size where that is longer than can be read."""
    # Python refuses to print a number of more than 4300 digits.
    return f"{number:,}" if number < 10**15 else f"about 10^{(number.bit_length() - 1) * math.log10(2):.0f}"


def _shown(value: object) -> str:
    """The value as the message shows it; numpy's floats as Python's."""
    plain = value.item() if isinstance(value, np.generic) else value
    # Python refuses to print a number of more than 4300 digits.
    return "a huge number" if isinstance(plain, int) and abs(plain) > 10**30 else _short(repr(plain))


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
