"""Formats of files: each is declared once, with what tells it apart, its reader and its line in the guide.

A function that is declared by `input_format` in a file of `certus.io.formats` is a format: readers, messages and the
command line offer it by its name. One in a file of `certus.io.logs` reads what an evaluation tool writes.
"""

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from certus import kernels
from certus.errors import DataError, MetricNameError, keyword
from certus.io._names import is_header
from certus.spelling import suggestion

if TYPE_CHECKING:
    from certus.io.columns import Source


Kind = Literal["qrels", "run", "table", "results"]
"""Contents of a file; ``"results"`` are an evaluation tool's scores, item by item."""
Given = TypeVar("Given")
Made = TypeVar("Made")
Read: TypeAlias = "Source | Rows | kernels.Qrels | kernels.Run"
"""A table whose columns have names; rows of a ranking; or a ranking that the compiled reader holds."""

SWAPPED = "are qrels and run swapped? Judgments come first, then runs"
FORMATS: "dict[str, Format[Any, Any]]" = {}
"""Every format by its name."""

_USUAL: Mapping[Kind, str] = {"qrels": "trec", "run": "trec", "table": "csv"}
"""The format whose reader says what is wrong with a file of none."""
_OTHER: Mapping[Kind, Kind] = {"qrels": "run", "run": "qrels"}
_CALLED: Mapping[Kind, str] = {"qrels": "relevance judgments", "run": "a run"}
_HEADER = "; judgments in three columns need a header, query_id doc_id relevance, with tabs or commas between"
_LOOKED_AT = 1 << 14
"""Bytes that tell a format."""
_TWICE = "is compressed twice; decompress it once"
_PACKED = {
    **dict.fromkeys((b"\x1f\x8b", b"BZh91AY&SY", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"), _TWICE),
    b"PK\x03\x04": "is a zip archive; unpack it",
    **{
        start: f"is {kind}; write it as CSV or Parquet"
        for start, kind in (
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

    def __init__(self, data: bytes, whole: bool) -> None:
        self.data, self.whole = data, whole

    @cached_property
    def text(self) -> list[bytes]:
        """The whole lines that are not blank; a carriage return ends a line where there are no line feeds."""
        lines = self.data.split(b"\n" if b"\n" in self.data else b"\r")
        whole = lines if self.whole or len(lines) == 1 else lines[:-1]
        return [line for line in whole if line and not line.isspace()]

    @cached_property
    def lines(self) -> list[list[bytes]]:
        """These lines, each split at its blanks."""
        return [line.split() for line in self.text]

    @property
    def plain(self) -> bool:
        """True unless the data are JSON or a binary table (Parquet, Arrow, Feather)."""
        return self.data.lstrip()[:1] not in (b"{", b"[") and arrow_kind(self.data) is None

    @property
    def columns(self) -> int:
        """The number of columns in the first line of a plain text; 0 where there is none."""
        return len(self.lines[0]) if self.plain and self.lines else 0

    def column(self, place: int) -> list[bytes]:
        """One of the columns, of the lines that have as many as the first."""
        return [line[place] for line in self.lines if len(line) == self.columns]

    def names(self, separator: str) -> list[str]:
        """The cells of the first line, as a header of CSV or TSV has them."""
        first = self.text[0].decode("utf-8", "surrogateescape").strip("\r") if self.text else ""
        try:
            return next(csv.reader([first], delimiter=separator), [])
        except csv.Error:
            return []

    @property
    def headed(self) -> bool:
        """True if the first line names the columns of a ranking."""
        return any(is_header(self.names(separator)) for separator in ",\t")


@dataclass(frozen=True)
class File:
    """A file to be read.

    Attributes
    ----------
    path, name
        Its path, and its name in messages.
    start
        Its first lines.
    kind
        What it should hold.
    dialect
        What the compiled reader of TREC's columns is told.
    """

    path: Path
    name: str
    start: Start
    kind: Kind
    dialect: Mapping[str, bool]

    @classmethod
    def at(cls, path: Path, name: str, kind: Kind, dialect: Mapping[str, bool]) -> "File":
        """The file of that path."""
        data = kernels.read_start(path, name, _LOOKED_AT)
        for start, why in _PACKED.items():
            if data.startswith(start):
                raise DataError(why, place=name)
        return cls(path, name, Start(data, len(data) < _LOOKED_AT), kind, dialect)

    @property
    def content(self) -> bytes:
        """All its bytes, decompressed."""
        return self._all[0]

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint of the raw bytes; None where the reader has not read them."""
        return self._all[1] if "_all" in vars(self) else None

    @cached_property
    def _all(self) -> tuple[bytes, str]:
        return kernels.read_bytes(self.path, self.name)


@dataclass(frozen=True)
class Format(Generic[Given, Made]):
    """A format of files.

    Attributes
    ----------
    name
        The word that asks for it: ``format="msmarco"``, ``--format-of-run msmarco``.
    title
        Its name in a text.
    forms
        What a file of it can hold, and how that looks: the lines of docs/reading.md and, of results, of docs/values.md.
    told
        Whether the start of a file is that of this format, holding that kind of data. Where two formats are told by the
        same content, whoever reads it must say which it is. Of results whether all the content is of that shape, or
        nearly so that its reader says what it lacks; the first format of which that holds is taken.
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
    told: Callable[[Given], bool]
    read: Callable[[Given], Made]
    by_lines: bool = False
    by_name: bool = False
    binary: bool = False


def input_format(
    name: str,
    title: str,
    *,
    told: Callable[[Any], bool],
    qrels: str = "",
    run: str = "",
    table: str = "",
    results: str = "",
    by_lines: bool = False,
    by_name: bool = False,
    binary: bool = False,
) -> Callable[[Callable[[Given], Made]], Format[Given, Made]]:
    """Declare a reader as the format of that name, for the kinds of data whose form is described.

    A form that is described for all three is that of a table whose columns have names.
    """
    forms: dict[Kind, str] = {"qrels": qrels or table, "run": run or table, "table": table, "results": results}

    def declared(reader: Callable[[Given], Made]) -> Format[Given, Made]:
        held = {kind: form for kind, form in forms.items() if form}
        made = FORMATS[name] = Format(name, title, held, told, reader, by_lines, by_name, binary)
        return made

    return declared


def choose(
    file: File, asked: str | None = None, argument: str = "format", among: Iterable[str] = ()
) -> Format[File, Read]:
    """The format that was asked for, otherwise the one that the start of the file tells.

    Parameters
    ----------
    file
        The file.
    asked
        Name of the format.
    argument
        What the caller's reader calls `asked`.
    among
        The only formats in question; empty: all.
    """
    kind = file.kind
    known = {name: each for name, each in FORMATS.items() if kind in each.forms and (not among or name in among)}
    if asked is not None:
        if asked not in known:
            listed = ", ".join(sorted(known))
            hint = suggestion(asked, known) or f"the formats are {listed}"
            raise MetricNameError(f"is {asked!r}", hint, argument=argument)
        return known[asked]
    binary = arrow_kind(file.start.data) is not None
    found = [each for each in known.values() if each.binary >= binary and each.told(file)]
    if kind == "table" and (ranked := _ranking(file.start)) is not None:
        raise DataError(
            f"holds {_CALLED[ranked]} (TREC: {_plainly(FORMATS['trec'].forms[ranked])}), where a table is expected",
            "the first line of a table names its columns",
            place=file.name,
        )
    if len(found) > 1:
        ways = " or ".join(f"{each.name} ({_plainly(each.forms[kind])})" for each in found)
        raise DataError(f"may be {ways}", f"say which, as in {keyword(argument, found[0].name)}", place=file.name)
    if found:
        return found[0]
    other, three = _OTHER.get(kind), kind == "qrels" and file.start.columns == 3
    swapped = file if other is None else replace(file, kind=other)
    if other and (like := [each for each in FORMATS.values() if other in each.forms and each.told(swapped)]):
        raise DataError(
            f"holds {_CALLED[other]} ({like[0].title}: {_plainly(like[0].forms[other])}), where {_CALLED[kind]} "
            f"{'is' if kind == 'run' else 'are'} expected",
            f"{SWAPPED}{_HEADER if three else ''}",
            place=file.name,
        )
    return known[_USUAL[kind]]


def _ranking(start: Start) -> Literal["run", "qrels"] | None:
    """The kind of ranking that a start holds where every line, the first too, is one of TREC's; otherwise None."""
    forms: dict[int, tuple[Literal["run", "qrels"], tuple[int, ...]]] = {6: ("run", (3, 4)), 4: ("qrels", (3,))}
    held, numbers = forms.get(start.columns, (None, ()))
    return held if held and all(_is_ranked(line, start.columns, numbers) for line in start.lines) else None


def _is_ranked(line: list[bytes], width: int, numbers: tuple[int, ...]) -> bool:
    return len(line) == width and line[1] in (b"Q0", b"0") and all(is_number(line[place]) for place in numbers)


def _plainly(form: str) -> str:
    return form.replace("`", "")


def arrow_kind(data: bytes) -> str | None:
    """``"Parquet"``, ``"Arrow"`` or ``"Feather"`` by the first bytes; None for a text."""
    return next((kind for start, kind in _ARROW.items() if data.startswith(start)), None)


def is_number(cell: bytes) -> bool:
    """True if a cell is written as a decimal number."""
    return _NUMBER.fullmatch(cell) is not None


def may_be_rank(cell: bytes) -> bool:
    """True if a cell is written as a whole number that is not negative: ``3``, ``3.0`` or ``3e0``."""
    return is_number(cell) and float(cell) >= 0 and float(cell).is_integer()
