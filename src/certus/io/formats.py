"""File formats: how one is declared and what it looks like, and which format a file has.

A function that `input_format` declares is a format: readers, messages and the command line offer it by its name. Those
of `certus.io.logs` read what evaluation tools write. Readers that need narwhals or the reader of JSON import it when
called.
"""

import csv
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from certus.core import kernels
from certus.core.errors import DataError, MetricNameError, keyword
from certus.core.spelling import suggestion
from certus.io.columns import SWAPPED, Read, Rows, Table, is_header
from certus.io.sources import PathLike, arrow_kind, dialect, path_name, readable, refusals
from certus.io.text import Blanks, Delimited, JsonLines

Kind = Literal["qrels", "run", "table", "results"]
"""Contents of a file; ``"results"`` are an evaluation tool's scores, item by item."""
Source = TypeVar("Source")
Result = TypeVar("Result")
FORMATS: "dict[str, Format[Any, Any]]" = {}
"""Every format by its name."""

_START_BYTES = 1 << 14
"""Bytes that tell a format."""
_TWICE = "is compressed twice; decompress it once"
_REFUSED = {
    **dict.fromkeys((b"\x1f\x8b", b"BZh91AY&SY", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"), _TWICE),
    b"PK\x03\x04": "is a zip archive; unpack it first",
    **{
        start: f"is {content}; write it as CSV or Parquet"
        for start, content in (
            (b"\x93NUMPY", "an array of NumPy"),
            (b"\x89HDF\r\n", "an HDF5 file"),
            (b"SQLite format 3\0", "a database of SQLite"),
            (b"ORC\x01", "an ORC file"),
            (b"ORC\x08", "an ORC file"),
            (b"Obj\x01", "an Avro file"),
            (b"%PDF-", "a PDF document"),
            (b"\x80\x04\x95", "a pickle"),
            (b"\x80\x05\x95", "a pickle"),
        )
    },
}
"""First bytes of data that no reader takes, some still compressed after one decompression; the message for each."""
_WORKBOOK_PARTS = (b"[Content_Types].xml", b"xl/", b"opendocument.spreadsheet")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class Start:
    """First bytes of a file, decompressed and without byte-order mark, from which its format is recognised."""

    def __init__(self, data: bytes, is_complete: bool) -> None:
        self.data, self.is_complete = data, is_complete

    @cached_property
    def text(self) -> list[bytes]:
        """Complete lines that are not blank; carriage returns end lines if there are no line feeds."""
        lines = self.data.split(b"\n" if b"\n" in self.data else b"\r")
        complete = lines if self.is_complete or len(lines) == 1 else lines[:-1]
        return [line for line in complete if line and not line.isspace()]

    @cached_property
    def lines(self) -> list[list[bytes]]:
        """Lines of `text`, split at blanks."""
        return [line.split() for line in self.text]

    @cached_property
    def is_workbook(self) -> bool:
        """True for a workbook of Excel or OpenDocument."""
        if self.data.startswith(b"PK\x03\x04"):
            return any(mark in self.data[:4096] for mark in _WORKBOOK_PARTS)
        return self.data.startswith(b"\xd0\xcf\x11\xe0")

    @cached_property
    def is_binary(self) -> bool:
        """True for a workbook, and for Parquet, Arrow and Feather."""
        return self.is_workbook or arrow_kind(self.data) is not None

    @cached_property
    def is_text(self) -> bool:
        """True unless the data are JSON or binary."""
        return self.data.lstrip()[:1] not in (b"{", b"[") and not self.is_binary

    @cached_property
    def width(self) -> int:
        """Number of columns in the first line of plain text; otherwise 0."""
        return len(self.lines[0]) if self.is_text and self.lines else 0

    def column(self, index: int) -> list[bytes]:
        """Column with this index, from lines with as many columns as the first."""
        return [line[index] for line in self.lines if len(line) == self.width]

    @cached_property
    def separators(self) -> list[str]:
        """Characters by which the first line has names of ranking columns."""
        return [mark for mark in ",;|\t" if is_header(self.header(mark))]

    @property
    def names_columns(self) -> bool:
        """True if the first line has names of ranking columns."""
        return bool(self.separators)

    @property
    def has_digits(self) -> bool:
        """True if the first line has a digit, as ids mostly have and names of columns seldom."""
        return bool(self.text) and any(byte in b"0123456789" for byte in self.text[0])

    def header(self, separator: str) -> list[str]:
        """Cells of the first line, read as a CSV or TSV header."""
        first = self.text[0].decode("utf-8", "surrogateescape").strip("\r") if self.text else ""
        try:
            return next(csv.reader([first], delimiter=separator), [])
        except csv.Error:
            return []


@dataclass(frozen=True)
class File(os.PathLike[str]):
    """A file with its format, accepted wherever a path is.

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
    def from_path(cls, path: Path, name: str, kind: Kind, dialect: Mapping[str, bool]) -> "File":
        """Read the start of a file; its format is chosen later."""
        data = kernels.read_start(path, name, _START_BYTES)
        start = Start(data, len(data) < _START_BYTES)
        for first, problem in _REFUSED.items():
            if data.startswith(first) and not start.is_workbook:
                raise DataError(problem, location=name)
        return cls(path, name, start, kind, dialect)

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def read(self) -> Read:
        """Read the whole file by its format."""
        if self.format is None:
            raise RuntimeError("a file without a format was read; please report this")
        return self.format.read(self)

    @property
    def content(self) -> bytes:
        """Decompressed content."""
        return self._content[0]

    @property
    def fingerprint(self) -> str | None:
        """Hash of the raw bytes; None if `content` was not read."""
        return self._content[1] if "_content" in vars(self) else None

    @cached_property
    def _content(self) -> tuple[bytes, str]:
        """Decompressed bytes and the hash of the raw bytes, read at first access."""
        return kernels.read_bytes(self.path, self.name)


@dataclass(frozen=True)
class Format(Generic[Source, Result]):
    """A file format: its name, how it is recognised, and its reader.

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

    def __reduce__(self) -> tuple[Any, ...]:
        # its module has the format under the name of the reader, which cannot be pickled by its own
        return _format_named, (self.read.__module__, self.name)


def _format_named(module: str, name: str) -> "Format[Any, Any]":
    """Import the module that declares a file format, and return the format; for unpickling."""
    import_module(module)  # declares it
    return FORMATS[name]


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
    """Declare a reader as a format; `table` describes its files for all kinds, `qrels`, `run`, `results` for one."""
    forms: dict[Kind, str] = {"qrels": qrels or table, "run": run or table, "table": table, "results": results}

    def declare(reader: Callable[[Source], Result]) -> Format[Source, Result]:
        described = {kind: form for kind, form in forms.items() if form}
        FORMATS[name] = Format(name, title, described, matches, reader, by_lines, by_name, binary)
        return FORMATS[name]

    return declare


def is_number(cell: bytes) -> bool:
    """True if a cell is a decimal number."""
    return _NUMBER.fullmatch(cell) is not None


def may_be_rank(cell: bytes) -> bool:
    """True if a cell is a nonnegative whole number: ``3``, ``3.0`` or ``3e0``."""
    return is_number(cell) and float(cell) >= 0 and float(cell).is_integer()


_DEFAULT: Mapping[Kind, str] = {"qrels": "trec", "run": "trec", "table": "csv"}
"""The format whose reader says what is wrong with a file of none."""
_OTHER: Mapping[Kind, Kind] = {"qrels": "run", "run": "qrels"}
_CONTENTS: Mapping[Kind, str] = {"qrels": "relevance judgments", "run": "a run"}
_HEADER = "; judgments in three columns need a header, query_id doc_id relevance, with tabs or commas between"
_STORED = re.compile(rb'\s*\{\s*"signature"\s*:\s*\{\s*"certus"')
_GRADE = re.compile(rb"[+-]?[0-9]+")
_GRADES = frozenset(range(-2, 5))


@contextmanager
def opened(
    path: PathLike,
    kind: Kind,
    format: str | None = None,
    *,
    argument: str = "format",
    allowed: Iterable[str] = (),
    dialect: Mapping[str, bool] | None = None,
) -> Iterator[File]:
    """Open a file and choose its format: the named one, or the one that matches its start.

    `argument` is what the caller's reader calls `format`; of the formats only `allowed` are in question, or all.
    """
    options = dialect or {}
    if isinstance(path, File) and path.kind == kind:
        with refusals():
            yield replace(path, dialect=options)
        return
    label = path_name(path)
    if (scheme := scheme_of(path)) is not None:
        if format not in (None, scheme.name):
            raise MetricNameError(f"is {format!r}, but {label} is not a file", "leave it out", argument=argument)
        yield File(Path(label), label, Start(b"", is_complete=True), kind, options, scheme)
        return

    def file_at(location: Path, name: str) -> File:
        file = File.from_path(location, name, kind, options)
        return replace(file, format=_choose(file, format, argument, allowed))

    def check_start(start: Path) -> None:
        file = file_at(start, label)
        if file.format is not None and file.format.by_lines:
            file.read()

    with readable(path, check_start) as (location, name), refusals():
        yield file_at(location, name)


def scheme_of(path: PathLike) -> Format[File, Read] | None:
    """Format named before the colon of ``name:data``, which stands for data without a file; otherwise None."""
    name, colon, _ = path_name(path).partition(":")
    format = FORMATS.get(name) if colon and not Path(path_name(path)).exists() else None
    return format if format is not None and format.by_name else None


def _choose(file: File, format: str | None, argument: str, allowed: Iterable[str]) -> Format[File, Read]:
    """Choose the named format, or the one that the file's first lines match; refuse several matches."""
    kind, start = file.kind, file.start
    candidates = {name: form for name, form in FORMATS.items() if kind in form.forms and name in (allowed or FORMATS)}
    if format is not None:
        if format not in candidates:
            hint = suggestion(format, candidates) or f"the formats are {', '.join(sorted(candidates))}"
            raise MetricNameError(f"is {format!r}", hint, argument=argument)
        return candidates[format]
    if dialect().separator is not None and start.is_text:
        return candidates["csv"]
    matching = [match for match in candidates.values() if match.binary >= start.is_binary and match.matches(file)]
    if kind == "table" and (ranking := _ranking_kind(start)) is not None:
        raise DataError(
            f"holds {_CONTENTS[ranking]} (TREC: {_plain_form(FORMATS['trec'], ranking)}), where a table is expected",
            "the first line of a table names its columns",
            location=file.name,
        )
    if len(matching) > 1:
        alternatives = " or ".join(f"{match.name} ({_plain_form(match, kind)})" for match in matching)
        remedy = f"say which, as in {keyword(argument, matching[0].name)}"
        raise DataError(f"may be {alternatives}", remedy, location=file.name)
    if matching:
        return matching[0]
    if (other := _OTHER.get(kind)) is not None:
        swapped = replace(file, kind=other)
        match = next((known for known in FORMATS.values() if other in known.forms and known.matches(swapped)), None)
        if match is not None:
            raise DataError(
                f"holds {_CONTENTS[other]} ({match.title}: {_plain_form(match, other)}), where {_CONTENTS[kind]} "
                f"{'is' if kind == 'run' else 'are'} expected",
                f"{SWAPPED}{_HEADER if kind == 'qrels' and start.width == 3 else ''}",
                location=file.name,
            )
    return candidates[_DEFAULT[kind]]


def _plain_form(format: Format[Any, Any], kind: Kind) -> str:
    """Description of a file in this format without backquotes, for messages."""
    return format.forms[kind].replace("`", "")


def _ranking_kind(start: Start) -> Literal["run", "qrels"] | None:
    """``"run"`` or ``"qrels"`` if every line, also the first, is one of TREC's; otherwise None."""
    kind_by_width: dict[int, tuple[Literal["run", "qrels"], tuple[int, ...]]] = {6: ("run", (3, 4)), 4: ("qrels", (3,))}
    kind, numbers = kind_by_width.get(start.width, (None, ()))
    are_rows = (
        len(line) == start.width and line[1] in (b"Q0", b"0") and all(is_number(line[index]) for index in numbers)
        for line in start.lines
    )
    return kind if kind and all(are_rows) else None


def _read_arrow(file: File) -> Table:
    """Read the table of a file of Parquet, Arrow or Feather."""
    from certus.io.frames import arrow_frame

    return arrow_frame(file.content, file.name)


input_format(
    "parquet",
    "Parquet",
    matches=lambda file: arrow_kind(file.start.data) == "Parquet",
    table="named columns; needs `certus[arrow]`",
    binary=True,
)(_read_arrow)
input_format(
    "arrow",
    "Arrow, Feather",
    matches=lambda file: arrow_kind(file.start.data) in ("Arrow", "Feather"),
    table="named columns, as a file or a stream; needs `certus[arrow]`",
    binary=True,
)(_read_arrow)


@input_format(
    "excel",
    "Excel, OpenDocument",
    matches=lambda file: file.start.is_workbook,
    table="a sheet whose first row names the columns (`.xlsx`, `.xls`, `.ods`); needs `certus[excel]`",
    binary=True,
)
def excel(file: File) -> Table:
    """Read the table on a sheet of a workbook."""
    from certus.io.documents import sheet_records

    return sheet_records(file.content, file.name)


@input_format(
    "csv",
    "CSV",
    matches=lambda file: (
        file.kind != "table"
        and (
            not {";", "|"}.isdisjoint(file.start.separators)
            or _has_header(file.start, ",", "\t" not in file.start.separators)
        )
    ),
    table="separated by commas, semicolons or vertical bars, with a header line",
)
def comma_separated(file: File) -> Table:
    """Read comma-separated values; in a table the header shows whether tabs separate them."""
    marks = [mark for mark in file.start.separators if mark != "\t"] or [","]
    return Delimited(file.content, file.name, "" if file.kind == "table" or len(marks) > 1 else marks[0])


def _matches_tsv(file: File) -> bool:
    """True if the first lines look like tab-separated values with a header."""
    start = file.start
    first = start.text[0] if start.text else b""
    if file.kind == "table":
        return start.is_text and b"\t" in first and not any(mark in first for mark in (b",", b";", b"|"))
    return _has_header(start, "\t", not start.names_columns and not any(map(is_number, first.split())))


@input_format(
    "tsv",
    "TSV",
    matches=_matches_tsv,
    table="tab-separated, with a header line, such as BEIR's `query-id corpus-id score`",
)
def tab_separated(file: File) -> Table:
    """Read tab-separated values."""
    return Delimited(file.content, file.name, "\t")


def _has_header(start: Start, separator: str, may_be_other: bool) -> bool:
    """True if the first line names ranking columns, or can only be a header."""
    if separator in start.separators:
        return True
    has_rows = start.width in (3, 4, 6) or (start.width == 2 and start.has_digits)
    return may_be_other and start.is_text and not has_rows and len(start.header(separator)) > 1


@input_format(
    "ir_datasets",
    "ir_datasets",
    matches=lambda _: False,
    qrels="`ir_datasets:NAME` instead of a file; needs the package",
    run="`ir_datasets:NAME`, the scored documents of the data set",
    by_name=True,
)
def ir_datasets_of(file: File) -> Rows:
    """Read judgments or scored documents of a data set in the package ir_datasets."""
    _, _, dataset = file.name.partition(":")
    is_qrels = file.kind == "qrels"
    try:
        import ir_datasets
    except ImportError:
        problem = "names a data set of ir_datasets, which is not installed"
        raise DataError(problem, "pip install ir_datasets", location=file.name) from None
    try:
        data = ir_datasets.load(dataset)
    except KeyError:
        problem = f"ir_datasets has no data set {dataset!r}"
        raise DataError(problem, "`ir_datasets list` names them", location=file.name) from None
    if not (data.has_qrels() if is_qrels else data.has_scoreddocs()):
        raise DataError(f"the data set has no {'judgments' if is_qrels else 'scored documents'}", location=file.name)
    rows = Rows([], [], [])
    for row in data.qrels_iter() if is_qrels else data.scoreddocs_iter():
        rows.queries.append(row.query_id.encode())
        rows.docs.append(row.doc_id.encode())
        rows.values.append(row.relevance if is_qrels else row.score)
    return rows


def _is_flat(start: Start) -> bool:
    """True if the first line is a JSON object of several plain values, not a mapping from ids."""
    import json  # here, as few files are of JSON

    try:
        row = json.loads(start.text[0]) if start.text else None
    except (ValueError, RecursionError):
        return False
    types = set(map(type, row.values())) if isinstance(row, dict) else set()
    return isinstance(row, dict) and len(row) > 1 and dict not in types and types != {list}


def _matches_json_lines(file: File) -> bool:
    """True if the file starts with JSON objects, one a line."""
    text = file.start.data.lstrip()
    if file.kind == "table":
        return text.startswith((b"{", b"["))
    return bool(file.start.text) and b"{" in file.start.text[0] and _is_flat(file.start)


@input_format(
    "jsonl",
    "JSON Lines, JSON",
    matches=_matches_json_lines,
    table="one object a line, which names the columns; of tables of samples also one document as pandas writes it",
)
def json_lines(file: File) -> Table:
    """Read JSON Lines as a table."""
    if _STORED.match(file.content):
        problem = "is a result that certus stored, not a table"
        raise DataError(problem, "it is compared without naming columns", location=file.name)
    from certus.io.documents import json_records

    return json_records(file.content, file.name) or JsonLines(file.content, file.name)


def _matches_msmarco(file: File) -> bool:
    """True if the lines look like an MS MARCO run: query, document, rank and perhaps a score."""
    start = file.start
    if file.kind == "qrels" or start.names_columns or start.width not in (3, 4):
        return False
    if not all(map(may_be_rank, start.column(2))):
        return False
    if start.width == 3:
        return True
    second = start.column(1)
    is_judged = {*second} <= {b"0", b"Q0"} or len({*second}) == 1 < len(second)  # the second column of TREC qrels
    return not is_judged and all(map(is_number, start.column(3)))


@input_format(
    "msmarco",
    "MS MARCO",
    matches=_matches_msmarco,
    run="`query document rank`, three columns, or four with a score",
    qrels="`query 0 document grade`, read as TREC's",
    by_lines=True,
)
def msmarco(file: File) -> Table | kernels.Qrels:
    """Read a ranking in MS MARCO's format; runs without scores have ranks."""
    if file.kind == "qrels":
        return kernels.Qrels.read(file.path, file.name)
    width = len(file.start.lines[0]) if file.start.lines else 3
    return Blanks(file.content, file.name, ("query", "doc", "rank", "score")[: max(3, min(width, 4))])


@input_format(
    "json",
    "JSON",
    matches=lambda file: file.start.data.lstrip()[:1] in (b"{", b"[") and not _is_flat(file.start),
    run='`{"query": {"document": score}}`, or a list of objects that name the columns',
    qrels='`{"query": {"document": grade}}`, or a list of objects that name the columns',
)
def nested_json(file: File) -> Rows:
    """Read one JSON document: a mapping of queries to documents, or a list of objects by column."""
    from certus.io.ranking_values import rows_of_json

    rows, has_integers = rows_of_json(file.content, file.name, "grade" if file.kind == "qrels" else "score")
    if file.kind == "run" and has_integers and _are_grades(rows):
        raise DataError(
            "looks like relevance judgments (whole numbers from -2 to 4, tied in every query), where a run is expected",
            f"{SWAPPED}; if these are scores, write them as 1.0",
            location=file.name,
        )
    return rows


def _are_grades(rows: Rows) -> bool:
    """True if the numbers look like grades: whole, and repeated within each query of several documents."""
    if len(rows.docs) < 2 or not _GRADES.issuperset(rows.values):
        return False
    results = Counter(rows.queries)
    distinct = Counter(query for query, _ in set(zip(rows.queries, rows.values, strict=True)))
    several = [query for query, count in results.items() if count > 1]
    return all(distinct[query] < results[query] for query in several) and (bool(several) or len(set(rows.values)) == 1)


@input_format(
    "query-doc-score",
    "three columns",
    matches=lambda file: file.start.width == 3 and not file.start.names_columns and is_number(file.start.lines[0][2]),
    run="`query document score`, three columns",
    by_lines=True,
)
def query_doc_score(file: File) -> Table:
    """Read runs of three columns (query, document, score), as Tevatron and many scripts write them."""
    return Blanks(file.content, file.name, ("query", "doc", "score"))


@input_format(
    "query-doc",
    "two columns",
    matches=lambda file: (
        file.start.width == 2
        and file.start.has_digits
        and not file.start.names_columns
        and all(len(line) == 2 for line in file.start.lines)
        and not any(mark in file.start.text[0] for mark in (b",", b";", b"|"))
    ),
    qrels="`query document`, two columns: each document has grade 1",
)
def query_doc(file: File) -> Table:
    """Read the relevant documents of each query."""
    return Blanks(file.content, file.name, ("query", "doc"))


def _matches_trec(file: File) -> bool:
    """True if the lines look like TREC's: six columns for a run, four with a grade for judgments."""
    start = file.start
    if start.names_columns:
        return False
    if file.kind == "run":
        return start.width == 6
    return start.width == 4 and _GRADE.fullmatch(start.lines[0][3]) is not None and not _are_ranks(start.lines)


def _are_ranks(lines: list[list[bytes]]) -> bool:
    """True if the third of four columns counts from 0 or 1 within each query (a run in MS MARCO's format)."""
    last: tuple[bytes, float] | None = None
    for line in lines:
        if len(line) != 4 or not may_be_rank(line[2]):
            return False
        query, rank = line[0], float(line[2])
        if rank not in ((0, 1) if last is None or last[0] != query else (last[1] + 1,)):
            return False
        last = query, rank
    return len(lines) > 1


@input_format(
    "trec",
    "TREC",
    matches=_matches_trec,
    run="`query Q0 document rank score tag`, six columns",
    qrels="`query iteration document grade`, four columns",
    by_lines=True,
)
def trec(file: File) -> kernels.Qrels | kernels.Run:
    """Read TREC's columns with the compiled reader, in parallel."""
    reader = kernels.Run if file.kind == "run" else kernels.Qrels
    return reader.read(file.path, file.name, **file.dialect)
