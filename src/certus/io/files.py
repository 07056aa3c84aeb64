"""A file, what tells its format, and the declaration of a format.

A function that is declared by `input_format` in `certus.io.formats` is a format: readers, messages and the command line
offer it by its name. One in a file of `certus.io.logs` reads what an evaluation tool writes.
"""

import csv
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from certus import kernels
from certus.errors import DataError

if TYPE_CHECKING:
    from certus.io.columns import Table


Kind = Literal["qrels", "run", "table", "results"]
"""Contents of a file; ``"results"`` are an evaluation tool's scores, item by item."""
Source = TypeVar("Source")
Result = TypeVar("Result")
Read: TypeAlias = "Table | Rows | kernels.Qrels | kernels.Run"
"""A table whose columns have names; rows of a ranking; or a ranking of the compiled reader."""
FORMATS: "dict[str, Format[Any, Any]]" = {}
"""Every format by its name."""

_START_BYTES = 1 << 14
"""Bytes that tell a format."""
_TWICE = "is compressed twice; decompress it once"
_REFUSED = {
    **dict.fromkeys((b"\x1f\x8b", b"BZh91AY&SY", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"), _TWICE),
    b"PK\x03\x04": "is a zip archive; unpack it",
    **{
        start: f"is {content}; write it as CSV or Parquet"
        for start, content in (
            (b"\x93NUMPY", "an array of NumPy"),
            (b"\x89HDF\r\n", "an HDF5 file"),
            (b"SQLite format 3\0", "a database of SQLite"),
            (b"ORC\x01", "an ORC file"),
            (b"ORC\x08", "an ORC file"),
            (b"Obj\x01", "an Avro file"),
            (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
            (b"%PDF-", "a PDF document"),
            (b"\x80\x04\x95", "a pickle"),
            (b"\x80\x05\x95", "a pickle"),
        )
    },
}
"""First bytes of data that no reader takes, some still compressed after one decompression; the message for each."""
_ARROW = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"FEA1": "Feather", b"\xff\xff\xff\xff": "Arrow"}
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class Rows(NamedTuple):
    """One element for each judgment or result: query, document, and grade or score; and queries that have none."""

    queries: list[bytes]
    docs: list[bytes]
    values: list[Any]
    empty: tuple[bytes, ...] = ()


class Start:
    """The start of a file, decompressed and without a byte-order mark: what tells its format."""

    def __init__(self, data: bytes, is_complete: bool) -> None:
        self.data, self.is_complete = data, is_complete

    @cached_property
    def text(self) -> list[bytes]:
        """The complete lines that are not blank; a carriage return ends a line where there are no line feeds."""
        lines = self.data.split(b"\n" if b"\n" in self.data else b"\r")
        complete = lines if self.is_complete or len(lines) == 1 else lines[:-1]
        return [line for line in complete if line and not line.isspace()]

    @cached_property
    def lines(self) -> list[list[bytes]]:
        """The lines of `text`, each split at its blanks."""
        return [line.split() for line in self.text]

    @property
    def is_text(self) -> bool:
        """True unless the data are JSON or a binary table (Parquet, Arrow, Feather)."""
        return self.data.lstrip()[:1] not in (b"{", b"[") and arrow_kind(self.data) is None

    @property
    def width(self) -> int:
        """The number of columns in the first line of a plain text; 0 where there is none."""
        return len(self.lines[0]) if self.is_text and self.lines else 0

    def column(self, index: int) -> list[bytes]:
        """One of the columns, of the lines that have as many as the first."""
        return [line[index] for line in self.lines if len(line) == self.width]

    def header(self, separator: str) -> list[str]:
        """The cells of the first line, as a header of CSV or TSV has them."""
        first = self.text[0].decode("utf-8", "surrogateescape").strip("\r") if self.text else ""
        try:
            return next(csv.reader([first], delimiter=separator), [])
        except csv.Error:
            return []


@dataclass(frozen=True)
class File(os.PathLike[str]):
    """A file to be read. Where a path is taken a file is, too, and its format is known then.

    Attributes
    ----------
    path, name
        Its path, and its name in messages.
    start
        Its first lines.
    kind
        What it should hold.
    dialect
        Keywords for the compiled reader of TREC's columns.
    format
        The format that it is read by.
    """

    path: Path
    name: str
    start: Start
    kind: Kind
    dialect: Mapping[str, bool] = field(default_factory=dict)
    format: "Format[File, Read] | None" = None

    @classmethod
    def at(cls, path: Path, name: str, kind: Kind, dialect: Mapping[str, bool]) -> "File":
        """The file of that path, its format not yet known."""
        data = kernels.read_start(path, name, _START_BYTES)
        for start, found in _REFUSED.items():
            if data.startswith(start):
                raise DataError(found, place=name)
        return cls(path, name, Start(data, len(data) < _START_BYTES), kind, dialect)

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def read(self) -> Read:
        """All that the file holds."""
        if self.format is None:
            raise RuntimeError("a file without a format was read; please report this")
        return self.format.read(self)

    @property
    def content(self) -> bytes:
        """All its bytes, decompressed."""
        return self._content[0]

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the raw bytes; None where the reader has not read them."""
        return self._content[1] if "_content" in vars(self) else None

    @cached_property
    def _content(self) -> tuple[bytes, str]:
        return kernels.read_bytes(self.path, self.name)


@dataclass(frozen=True)
class Format(Generic[Source, Result]):
    """A format of files.

    Attributes
    ----------
    name
        The word that asks for it: ``format="msmarco"``, ``--format-of-run msmarco``.
    title
        Its name in a text.
    forms
        What a file of it can hold, and how that looks: the lines of docs/reading.md and, of results, of docs/values.md.
    matches
        Whether the start of a file is of this format, holding that kind of data. A file that several formats match is
        refused until one is named. Of results whether all the content is of that shape, or nearly so that its reader
        says what it lacks; the first format that matches is taken.
    read
        The reader of a file; of results, of their content.
    by_lines
        Each line can be read by itself.
    by_name
        It is asked for by ``NAME:...`` in the place of a path.
    binary
        Its files are binary, and their first bytes are certain.
    """

    name: str
    title: str
    forms: Mapping[Kind, str]
    matches: Callable[[Source], bool]
    read: Callable[[Source], Result]
    by_lines: bool = False
    by_name: bool = False
    binary: bool = False


def input_format(
    name: str,
    title: str,
    *,
    matches: Callable[[Any], bool],
    qrels: str = "",
    run: str = "",
    table: str = "",
    results: str = "",
    by_lines: bool = False,
    by_name: bool = False,
    binary: bool = False,
) -> Callable[[Callable[[Source], Result]], Format[Source, Result]]:
    """Declare a reader as the format of that name, for the kinds of data whose form is described.

    A form that is described for all three is that of a table whose columns have names.
    """
    forms: dict[Kind, str] = {"qrels": qrels or table, "run": run or table, "table": table, "results": results}

    def declare(reader: Callable[[Source], Result]) -> Format[Source, Result]:
        described = {kind: form for kind, form in forms.items() if form}
        FORMATS[name] = Format(name, title, described, matches, reader, by_lines, by_name, binary)
        return FORMATS[name]

    return declare


def arrow_kind(data: bytes) -> str | None:
    """``"Parquet"``, ``"Arrow"`` or ``"Feather"`` by the first bytes; None for a text."""
    return next((kind for start, kind in _ARROW.items() if data.startswith(start)), None)


def is_number(cell: bytes) -> bool:
    """True if a cell is written as a decimal number."""
    return _NUMBER.fullmatch(cell) is not None


def may_be_rank(cell: bytes) -> bool:
    """True if a cell is written as a whole number that is not negative: ``3``, ``3.0`` or ``3e0``."""
    return is_number(cell) and float(cell) >= 0 and float(cell).is_integer()
