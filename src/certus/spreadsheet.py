"""Tables as delimited text, in which no cell is a formula to a spreadsheet."""

import csv
import re
from collections.abc import Collection, Iterable
from typing import Any, TypeVar

_Cell = TypeVar("_Cell")
_FORMULA = re.compile(r"'*[=+\-@\t\r\n].", re.DOTALL)
_UNQUOTED = re.compile(r"\w[\w.@:/-]*")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_HIT_LIST = re.compile("[x-]*")
"""A text of x and - calls no function and names no cell, so that a spreadsheet has nothing to run."""


def delimited(
    names: Iterable[str], columns: Iterable[Collection[Any]], separator: str = ",", line_end: str = "\n"
) -> str:
    """A header and columns of cells, quoted where needed and `inert`; None is an empty cell."""
    header = tuple(names)

    def quoted(cells: Collection[Any]) -> list[str]:
        # An empty cell is quoted where it is the whole line. Both characters of the line end are quoted in cells.
        lines, more = _Lines(), [None] * (len(header) > 1)
        csv.writer(lines, lineterminator="\r\n", delimiter=separator).writerows([inert(cell), *more] for cell in cells)
        return [line[: -2 - len(more)] for line in lines]

    def written(column: Collection[Any]) -> Iterable[str]:
        types = set(map(type, column))
        if types <= {int, float}:
            return map(repr, column)
        if types != {str}:
            return quoted(column)
        texts = set(column)  # most columns repeat theirs
        if all(map(_UNQUOTED.fullmatch, texts)) and not any(separator in text for text in texts):
            return column
        return map(dict(zip(texts, quoted(texts), strict=True)).__getitem__, column)

    rows = zip(*map(written, columns), strict=True)
    return line_end.join([*map(separator.join, [quoted(header), *rows]), ""])


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
