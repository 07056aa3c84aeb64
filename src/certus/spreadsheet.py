"""Tables as delimited text, in which no cell is a formula to a spreadsheet."""

import csv
import re
from collections.abc import Iterable
from typing import Any, TypeVar

__all__ = ["delimited", "inert", "inverse_of_inert"]

_Cell = TypeVar("_Cell")
_FORMULA = re.compile(r"'*[=+\-@\t\r\n].", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def delimited(names: Iterable[str], rows: Iterable[Iterable[Any]], separator: str = ",", line_end: str = "\n") -> str:
    """A header and rows of cells, quoted where needed and `inert`; None is an empty cell.

    Examples
    --------
    >>> print(delimited(["run", "AP"], [["a,b", 0.5], ["=1+1", None]]), end="")
    run,AP
    "a,b",0.5
    '=1+1,
    """
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\r\n", delimiter=separator)  # so both characters are quoted in cells
    writer.writerow(map(inert, names))
    writer.writerows(zip(*map(_all_inert, zip(*rows, strict=True)), strict=True))
    return line_end.join([*(line[:-2] for line in lines), ""])


class _Lines(list[str]):
    """The lines written."""

    write = list.append


def _all_inert(column: tuple[Any, ...]) -> tuple[Any, ...]:
    """The cells of a column, `inert`; each text is looked at once, as most columns repeat theirs."""
    texts = {cell for cell in column if isinstance(cell, str)}
    if not any(map(_runs, texts)):
        return column
    return tuple(map(inert, column))


def inert(cell: _Cell) -> _Cell | str:
    """The cell of a spreadsheet, with an apostrophe before a text that would be run as a formula.

    Such are texts of two or more characters that begin with ``=``, ``+``, ``-``, ``@``, a tab or a line end, and are no
    number. A text that begins with apostrophes followed by one of these gets another one, so that the text comes back
    by dropping one apostrophe. All other cells stay as they are.

    Examples
    --------
    >>> inert("=1+1"), inert("'=1+1"), inert("-1.5"), inert("it's"), inert(-1.5)
    ("'=1+1", "''=1+1", '-1.5', "it's", -1.5)
    """
    return f"'{cell}" if isinstance(cell, str) and _runs(cell) else cell


def inverse_of_inert(cell: str) -> str:
    """The text of which `inert` made the cell.

    Examples
    --------
    >>> inverse_of_inert("'=1+1"), inverse_of_inert("''=1+1"), inverse_of_inert("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if cell.startswith("'") and _runs(cell[1:]) else cell


def _runs(text: str) -> bool:
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None
