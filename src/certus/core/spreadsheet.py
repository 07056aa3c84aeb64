"""Tables as delimited text, in which no cell is a formula to a spreadsheet."""

import csv
import re
from collections.abc import Collection, Iterable
from typing import Any, TypeVar

_Cell = TypeVar("_Cell")
_FORMULA = re.compile(r"'*[=+\-@\t\r\n].", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_HIT_LIST = re.compile("[x-]*")
"""A text of x and - calls no function and names no cell, so that a spreadsheet has nothing to run."""


def delimited(
    names: Iterable[str], columns: Iterable[Collection[Any]], separator: str = ",", line_end: str = "\n"
) -> str:
    """A header and columns of cells, quoted where needed and `inert`; None is an empty cell."""
    lines = _Lines()
    # csv quotes the characters of the line end alone
    writer = csv.writer(lines, lineterminator="\r\n", delimiter=separator)
    writer.writerow(map(inert, names))
    writer.writerows(zip(*(map(inert, column) for column in columns), strict=True))
    return line_end.join([*(line[:-2] for line in lines), ""])


class _Lines(list[str]):
    """The lines written."""

    write = list.append


def inert(cell: _Cell) -> _Cell | str:
    """The cell of a spreadsheet, with an apostrophe before a text that would be run as a formula.

    Such texts have two or more characters, begin with ``=``, ``+``, ``-``, ``@``, a tab or a line end, and are neither
    a number nor a hit list (only x and -). A text that begins with apostrophes followed by one of these gets
    another one, so that the text comes back by dropping one apostrophe. All other cells stay as they are.
    """
    return f"'{cell}" if isinstance(cell, str) and _runs(cell) else cell


def inverse_of_inert(cell: str) -> str:
    """The text of which `inert` made the cell."""
    return cell[1:] if cell.startswith("'") and _runs(cell[1:]) else cell


def _runs(text: str) -> bool:
    return _FORMULA.match(text) is not None and not (_NUMBER.fullmatch(text) or _HIT_LIST.fullmatch(text))
