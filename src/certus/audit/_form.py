"""The columns of a file of items to check, and the codes by which a changed row is found out."""

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["AUDIT", "OPTIONAL", "PREFIX", "check_of", "columns_of", "draw_of"]

PREFIX = "audit_"
AUDIT = (
    "audit_order",  # place in the random order in which rows are to be labelled, from 1
    "audit_of",  # rows in the file
    "audit_row",  # row of the item in the table that was drawn from, from 1
    "audit_stratum",
    "audit_size",  # items of the stratum in that table
    "audit_sampled",  # rows of the stratum in the file
    "audit_inclusion",  # audit_sampled / audit_size, the chance of an item to be drawn; only to be read
    "audit_draw",  # the same in all rows of one draw: a code of it, of the name of the labels' column, of all others'
    "audit_check",  # a code of the row's other cells but label and inclusion
)
"""The columns that are added to an item's own, in order; `OPTIONAL` follows where strata are predictions."""
OPTIONAL = "audit_predicted"

# No digits, so that no spreadsheet takes a code for a number; no vowels, so that it takes none for a word.
_LETTERS = "bcdfghjklmnpqrst"
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def code(parts: Sequence[object], letters: int = 16) -> str:
    """Letters that depend on every part."""
    digest = hashlib.blake2b(json.dumps(parts, ensure_ascii=True).encode("ascii"), digest_size=8).hexdigest()
    return digest.translate(str.maketrans("0123456789abcdef", _LETTERS))[:letters]


def draw_of(parts: Sequence[object], label: str, columns: Iterable[str]) -> str:
    """The marks that tell one draw from others, and by which the columns of its file are recognised."""
    return "-".join([code(parts), *(code([name.strip()], 6) for name in (label, *columns))])


def columns_of(draw: str, names: Sequence[str]) -> tuple[int | None, list[int], bool]:
    """The places of the labels and the other columns of a draw, and whether all are there; others may have been added.

    That a column is found by a name which is not its own has a chance of 6e-8.
    """
    at = {code([name.strip()], 6): i for i, name in enumerate(names) if name.strip()}
    label, *own = draw.split("-")[1:] or [""]
    return at.get(label), [at[each] for each in own if each in at], all(each in at for each in own)


def check_of(cells: Mapping[str, str]) -> str:
    """The code of a row's cells by column, the same for what a spreadsheet may make of them and still say the same.

    Such are another order of the columns, other line ends in a cell, ``1.50`` written ``1.5``, ``true`` written
    ``TRUE``, and another composition of the same accented letter.
    """
    return code([[name, _said(cells[name])] for name in sorted(cells) if name != "audit_inclusion"])


def _said(cell: str) -> str:
    text = unicodedata.normalize("NFC", cell.replace("\r\n", "\n").replace("\r", "\n"))
    if _NUMBER.fullmatch(text) and math.isfinite(value := float(text)):
        return repr(value)
    return text.upper() if text.upper() in ("TRUE", "FALSE") else text
