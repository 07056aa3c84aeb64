"""Results as tables of named columns: text, files, DataFrames, CSV without formulas for a spreadsheet to run."""

import csv
import io
import math
import re
from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Any, Self, TypeAlias, TypeVar

from certus.core.errors import CertusError
from certus.core.frames import Kind, Library, frame_of
from certus.core.output_file import save
from certus.core.printable import aligned
from certus.core.readable import Readable, html_table

StrPath: TypeAlias = str | PathLike[str]
"""The name of a file."""
FORMATS_OF_ROWS: Mapping[str, tuple[str, ...]] = {
    "text": (".txt", ".text"),
    "json": (".json",),
    "csv": (".csv",),
    "html": (".html", ".htm"),
    "excel": (".xlsx",),
}
"""The suffixes of the files of each format that every result has."""


class Tabular(Readable):
    """A result that is a table of named columns, too: the one way of all results into files and DataFrames.

    Each format is a method: without a path it returns the content, with one it writes the file, whole or not at all. A
    file that exists is only replaced with ``force=True``.
    """

    __slots__ = ()

    @abstractmethod
    def _listing(self) -> "Listing":
        """The rows of the result, all columns with all their digits."""

    def _formats(self) -> Mapping[str, Sequence[str]]:
        """The suffixes of the files of each format that the result has."""
        return FORMATS_OF_ROWS

    def to_pandas(self) -> Any:
        """The rows as a DataFrame of pandas; raises ImportError where pandas is not installed."""
        return self._to_frame("pandas")

    def to_polars(self) -> Any:
        """The rows as a DataFrame of polars; raises ImportError where polars is not installed."""
        return self._to_frame("polars")

    def to_arrow(self) -> Any:
        """The rows as a table of Arrow; raises ImportError where pyarrow is not installed."""
        return self._to_frame("pyarrow")

    def _to_frame(self, library: Library) -> Any:
        """Rows as a DataFrame of pandas or polars, or as an Arrow table."""
        listing = self._listing()
        return frame_of(listing.columns, listing.kinds, library)

    def to_csv(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """Comma-separated values with a header line; text that a spreadsheet would run gets an apostrophe in front.

        Parameters
        ----------
        path
            The file to write; None returns the text.
        force
            Replace a file that exists.

        Raises
        ------
        CertusError
            The file exists, its folder does not, or its suffix is that of another format.
        """
        listing = self._listing()
        return self._write(delimited(listing.columns, listing.columns.values()), path, force, "csv")

    def to_json(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """A JSON array with an object for each row; `path` and `force` as for `to_csv`."""
        import json  # here, as few results are written so

        rows = [
            {name: None if isinstance(cell, float) and not math.isfinite(cell) else cell for name, cell in row.items()}
            for row in self._listing().rows()
        ]
        return self._write(json.dumps(rows, allow_nan=False, default=str) + "\n", path, force, "json")

    def to_html(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """An HTML table; `path` and `force` as for `to_csv`."""
        return self._write(self._listing()._as_html() + "\n", path, force, "html")

    def to_excel(self, path: StrPath | None = None, *, force: bool = False) -> Any:
        """An Excel workbook with numbers as numbers; needs ``pip install 'certus[excel]'``.

        Parameters
        ----------
        path
            The file to write, which ends in .xlsx; None returns the bytes.
        force
            Replace a file that exists.

        Raises
        ------
        CertusError
            XlsxWriter is not installed; or as for `to_csv`.
        """
        return self._write(workbook({"rows": self._listing()}), path, force, "excel")

    def save(self, path: StrPath, *, force: bool = False) -> None:
        """Write the result in the format that the suffix of the file says.

        Parameters
        ----------
        path
            The file: .csv, .json, .html, .xlsx or .txt; of tables and comparisons also .jsonl, .tsv, .md and .tex, and
            .html is their report page.
        force
            Replace a file that exists.

        Raises
        ------
        CertusError
            The suffix is not one of these, the file exists, or its folder does not.
        """
        formats = self._formats()
        suffix = Path(path).suffix.lower()
        name = next((name for name, suffixes in formats.items() if suffix in suffixes), None)
        if name is None:
            valid_suffixes = ", ".join(dict.fromkeys(suffix for suffixes in formats.values() for suffix in suffixes))
            raise CertusError(f"is {str(path)!r}", f"it must end in {valid_suffixes}", argument="path")
        if name == "text":
            self._write(f"{self}\n", path, force, name)
        else:
            getattr(self, f"to_{name}")(path, force=force)

    def _write(self, content: str | bytes, path: StrPath | None, force: bool, name: str) -> Any:
        """Return the content, or write it to a file with a suffix that does not contradict its format."""
        if path is None:
            return content
        formats = self._formats()
        suffixes = {suffix for other in formats.keys() - {name} for suffix in formats[other]}
        misleading = suffixes - {*formats[name], *formats["text"]}
        save(content, path, force=force, misleading=misleading, suffixes=formats[name])
        return None


@dataclass(frozen=True, eq=False, repr=False)
class Listing(Tabular):
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

    @classmethod
    def from_columns(cls, columns: Mapping[str, Iterable[Any]]) -> Self:
        """The listing of columns whose kinds their values say."""
        lists = {name: [*values] for name, values in columns.items()}
        return cls(lists, {name: _kind_of(values) for name, values in lists.items()})

    @classmethod
    def from_rows(cls, rows: Sequence[Mapping[str, Any]]) -> Self:
        """The listing of rows that all have the same columns, whose kinds the values say."""
        return cls.from_columns({name: [row[name] for row in rows] for name in rows[0]})

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

    def _listing(self) -> "Listing":
        """Return the table itself."""
        return self

    def _as_html(self) -> str:
        """HTML table with text aligned on the left and numbers on the right."""
        lines = zip(*(map(self._cell, cells) for cells in self.columns.values()), strict=True)
        return html_table(self.columns, lines, [kind == "text" for kind in self.kinds.values()])

    def _repr_html_(self) -> str:
        """HTML table for notebooks."""
        return self._as_html()

    def _cell(self, value: Any) -> str:
        """Text of a cell: fixed decimals, thousands separators for integers, a dash for None and NaN."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return "-"
        if isinstance(value, float):
            return f"{value:.{self.decimals}f}"
        return f"{value:,}" if isinstance(value, int) else str(value)


def _kind_of(values: Iterable[Any]) -> Kind:
    """Type of a column by its values: whole numbers, numbers or text; None is ignored."""
    types = {type(value) for value in values if value is not None}
    if types and types <= {int}:
        return "whole"
    return "number" if types and types <= {int, float} else "text"


def workbook(sheets: Mapping[str, Listing]) -> bytes:
    """An Excel workbook with a sheet for each listing: text is never a formula, an undefined number an empty cell."""
    try:
        from xlsxwriter import Workbook
    except ImportError as error:
        raise CertusError("Excel files need XlsxWriter", "to write them: pip install 'certus[excel]'") from error
    file = io.BytesIO()
    options = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
    with Workbook(file, options) as book:
        book.set_properties({"created": datetime(2000, 1, 1)})  # the same bits each time
        for name, listing in sheets.items():
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 0)
            for column, (title, cells) in enumerate(listing.columns.items()):
                texts = [title, *("" if cell is None else str(cell) for cell in cells)]
                sheet.set_column(column, column, min(max(map(len, texts)) + 1, 60))
                sheet.write_string(0, column, title, book.add_format({"bold": True}))
                for row, cell in enumerate(cells, 1):
                    if isinstance(cell, str):
                        sheet.write_string(row, column, cell)
                    elif cell is not None and math.isfinite(cell):
                        sheet.write_number(row, column, cell)
    return file.getvalue()


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
    """True if a spreadsheet would run the text as a formula."""
    return _FORMULA.match(text) is not None and not (_NUMBER.fullmatch(text) or _HIT_LIST.fullmatch(text))
