"""Plain tables of named columns: text, JSON, DataFrames, and CSV in which no cell is a formula to a spreadsheet."""

import csv
import json
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from certus.core.frames import Kind, frame_of
from certus.core.printable import aligned
from certus.core.readable import Readable


@dataclass(frozen=True, eq=False, repr=False)
class Listing(Readable):
    """A table of columns: texts, whole numbers and numbers; None where a cell has no value.

    Attributes
    ----------
    columns
        The values of each column, by its name.
    kinds
        ``"text"``, ``"whole"`` or ``"number"`` of each column.
    decimals
        Of numbers in the text.

    Examples
    --------
    >>> print(Listing({"topic": ["1", "2"], "AP": [0.02, None]}, {"topic": "text", "AP": "number"}))
    topic      AP
    1      0.0200
    2           -
    """

    columns: Mapping[str, Sequence[Any]]
    kinds: Mapping[str, Kind]
    decimals: int = 4

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __str__(self) -> str:
        cells = [[self._cell(value) for value in values] for values in self.columns.values()]
        left = [self.kinds[name] == "text" for name in self.columns]
        return "\n".join(aligned([list(self.columns), *zip(*cells, strict=True)], left))

    def __repr__(self) -> str:
        return f"<table of {len(self)} rows: {', '.join(self.columns)}>"

    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*self.columns.values(), strict=True)]

    def to_json(self) -> str:
        """A JSON array with an object for each row."""
        return json.dumps(self.rows(), allow_nan=False) + "\n"

    def to_csv(self) -> str:
        """Comma-separated values with a header line; text that a spreadsheet would run gets an apostrophe in front."""
        return delimited(self.columns, self.columns.values())

    def to_frame(self, backend: str | None = None) -> Any:
        """A DataFrame of ``"pandas"``, ``"polars"`` or ``"pyarrow"``; None takes the one in use."""
        return frame_of(self.columns, self.kinds, backend, "to_frame")

    def _cell(self, value: Any) -> str:
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return "-"
        if isinstance(value, float):
            return f"{value:.{self.decimals}f}"
        return f"{value:,}" if isinstance(value, int) else str(value)


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
