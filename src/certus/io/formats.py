"""Formats of files, each with what its files look like, and the choice of the format that a file has.

Whoever adds a format adds a function that `input_format` declares. Readers that need NumPy are imported when called.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from certus import kernels
from certus.errors import DataError, MetricNameError, keyword
from certus.io.files import (
    FORMATS,
    File,
    Format,
    Kind,
    Read,
    Rows,
    Start,
    arrow_kind,
    input_format,
    is_number,
    may_be_rank,
)
from certus.io.roles import SWAPPED, is_header
from certus.io.sources import PathLike, path_name, readable, refusals
from certus.spelling import suggestion

if TYPE_CHECKING:
    from certus.io.columns import Table


__all__ = ["FORMATS", "opened", "scheme_of"]

_DEFAULT: Mapping[Kind, str] = {"qrels": "trec", "run": "trec", "table": "csv"}
"""The format whose reader says what is wrong with a file of none."""
_OTHER: Mapping[Kind, Kind] = {"qrels": "run", "run": "qrels"}
_CONTENTS: Mapping[Kind, str] = {"qrels": "relevance judgments", "run": "a run"}
_HEADER = "; judgments in three columns need a header, query_id doc_id relevance, with tabs or commas between"
_ARRAY = re.compile(rb"\[\s*[{\]]")
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
    """A file with its format: the one that is named, otherwise the one that its start matches.

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
        file = File.at(location, name, kind, options)
        return replace(file, format=_choose(file, format, argument, allowed))

    def check_start(start: Path) -> None:
        file = file_at(start, label)
        if file.format is not None and file.format.by_lines:
            file.read()

    with readable(path, check_start) as (location, name), refusals():
        yield file_at(location, name)


def scheme_of(path: PathLike) -> Format[File, Read] | None:
    """The format that asks for data by a name with a colon, in place of a path; None of other names."""
    name, colon, _ = path_name(path).partition(":")
    format = FORMATS.get(name) if colon and not Path(path_name(path)).exists() else None
    return format if format is not None and format.by_name else None


def _choose(file: File, format: str | None, argument: str, allowed: Iterable[str]) -> Format[File, Read]:
    kind, start = file.kind, file.start
    candidates = {
        name: candidate
        for name, candidate in FORMATS.items()
        if kind in candidate.forms and (not allowed or name in allowed)
    }
    if format is not None:
        if format not in candidates:
            hint = suggestion(format, candidates) or f"the formats are {', '.join(sorted(candidates))}"
            raise MetricNameError(f"is {format!r}", hint, argument=argument)
        return candidates[format]
    binary = arrow_kind(start.data) is not None
    matching = [match for match in candidates.values() if match.binary >= binary and match.matches(file)]
    if kind == "table" and (ranking := _ranking_kind(start)) is not None:
        raise DataError(
            f"holds {_CONTENTS[ranking]} (TREC: {_plain_form(FORMATS['trec'], ranking)}), where a table is expected",
            "the first line of a table names its columns",
            place=file.name,
        )
    if len(matching) > 1:
        alternatives = " or ".join(f"{match.name} ({_plain_form(match, kind)})" for match in matching)
        raise DataError(
            f"may be {alternatives}", f"say which, as in {keyword(argument, matching[0].name)}", place=file.name
        )
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
                place=file.name,
            )
    return candidates[_DEFAULT[kind]]


def _plain_form(format: Format[Any, Any], kind: Kind) -> str:
    return format.forms[kind].replace("`", "")


def _ranking_kind(start: Start) -> Literal["run", "qrels"] | None:
    """The kind of ranking that a start holds where every line, the first too, is one of TREC's; otherwise None."""
    kind_by_width: dict[int, tuple[Literal["run", "qrels"], tuple[int, ...]]] = {6: ("run", (3, 4)), 4: ("qrels", (3,))}
    kind, numbers = kind_by_width.get(start.width, (None, ()))
    return kind if kind and all(_is_of_trec(line, start.width, numbers) for line in start.lines) else None


def _is_of_trec(line: list[bytes], width: int, numbers: tuple[int, ...]) -> bool:
    return len(line) == width and line[1] in (b"Q0", b"0") and all(is_number(line[index]) for index in numbers)


@input_format(
    "parquet",
    "Parquet",
    matches=lambda file: arrow_kind(file.start.data) == "Parquet",
    table="named columns; needs `certus[arrow]`",
    binary=True,
)
def parquet(file: File) -> "Table":
    """Read the table of a file of Parquet."""
    from certus.io.frames import arrow_frame

    return arrow_frame(file.content, file.name)


@input_format(
    "arrow",
    "Arrow, Feather",
    matches=lambda file: arrow_kind(file.start.data) in ("Arrow", "Feather"),
    table="named columns, as a file or a stream; needs `certus[arrow]`",
    binary=True,
)
def arrow(file: File) -> "Table":
    """Read the table of a file of Arrow or Feather."""
    from certus.io.frames import arrow_frame

    return arrow_frame(file.content, file.name)


def _matches_csv(file: File) -> bool:
    return file.kind != "table" and _has_header(file.start, ",", not is_header(file.start.header("\t")))


@input_format("csv", "CSV", matches=_matches_csv, table="comma-separated, with a header line")
def comma_separated(file: File) -> "Table":
    """Read comma-separated values; of a table the header shows whether tabs separate them."""
    from certus.io.text import Delimited

    return Delimited(file.content, file.name, "," if file.kind != "table" else "")


def _matches_tsv(file: File) -> bool:
    start = file.start
    first = start.text[0] if start.text else b""
    if file.kind == "table":
        return start.is_text and b"\t" in first and b"," not in first
    return _has_header(start, "\t", not _names_columns(start) and not any(map(is_number, first.split())))


@input_format(
    "tsv",
    "TSV",
    matches=_matches_tsv,
    table="tab-separated, with a header line, such as BEIR's `query-id corpus-id score`",
)
def tab_separated(file: File) -> "Table":
    """Read tab-separated values."""
    from certus.io.text import Delimited

    return Delimited(file.content, file.name, "\t")


def _has_header(start: Start, separator: str, may_be_other: bool) -> bool:
    """True if the first line names the columns of a ranking, or cannot be anything but a header."""
    names = start.header(separator)
    return is_header(names) or (may_be_other and start.is_text and len(names) > 1 and start.width not in (3, 4, 6))


def _names_columns(start: Start) -> bool:
    """True if the first line names the columns of a ranking."""
    return any(is_header(start.header(separator)) for separator in ",\t")


@input_format(
    "ir_datasets",
    "ir_datasets",
    matches=lambda _: False,
    qrels="`ir_datasets:NAME` instead of a file; needs the package",
    run="`ir_datasets:NAME`, the scored documents of the data set",
    by_name=True,
)
def ir_datasets_of(file: File) -> Rows:
    """Read the judgments, or the scored documents, of a data set that the package ir_datasets knows."""
    _, _, dataset = file.name.partition(":")
    is_qrels = file.kind == "qrels"
    try:
        import ir_datasets
    except ImportError:
        raise DataError(
            "names a data set of ir_datasets, which is not installed", "pip install ir_datasets", place=file.name
        ) from None
    try:
        data = ir_datasets.load(dataset)
    except KeyError:
        raise DataError(
            f"ir_datasets has no data set {dataset!r}", "`ir_datasets list` names them", place=file.name
        ) from None
    if not (data.has_qrels() if is_qrels else data.has_scoreddocs()):
        raise DataError(f"the data set has no {'judgments' if is_qrels else 'scored documents'}", place=file.name)
    rows = Rows([], [], [])
    for row in data.qrels_iter() if is_qrels else data.scoreddocs_iter():
        rows.queries.append(row.query_id.encode())
        rows.docs.append(row.doc_id.encode())
        rows.values.append(row.relevance if is_qrels else row.score)
    return rows


def _is_flat(start: Start) -> bool:
    """True if the first line is a whole JSON object of several plain values and maps no id to an object or a list."""
    import json  # here, as few files are of JSON

    try:
        row = json.loads(start.text[0]) if start.text else None
    except (ValueError, RecursionError):
        return False
    types = set(map(type, row.values())) if isinstance(row, dict) else set()
    return isinstance(row, dict) and len(row) > 1 and dict not in types and types != {list}


def _matches_json_lines(file: File) -> bool:
    text = file.start.data.lstrip()
    if file.kind == "table":
        return text.startswith(b"{") or _ARRAY.match(text) is not None
    return bool(file.start.text) and b"{" in file.start.text[0] and _is_flat(file.start)


@input_format("jsonl", "JSON Lines", matches=_matches_json_lines, table="one object a line, which names the columns")
def json_lines(file: File) -> "Table":
    """Read the table of the objects."""
    from certus.io.text import JsonLines

    if _ARRAY.match(file.content.lstrip()):
        raise DataError("is a JSON array", "write one object a line (JSON Lines)", place=file.name)
    if _STORED.match(file.content):
        raise DataError(
            "is a result that certus stored, not a table", "it is compared without naming columns", place=file.name
        )
    return JsonLines(file.content, file.name)


def _matches_msmarco(file: File) -> bool:
    start = file.start
    if file.kind == "qrels" or _names_columns(start) or start.width not in (3, 4):
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
def msmarco(file: File) -> "Table | kernels.Qrels":
    """Read a ranking as MS MARCO's evaluation has it; of a run without scores, the ranks."""
    if file.kind == "qrels":
        return kernels.Qrels.read(file.path, file.name)
    from certus.io.text import Blanks

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
    """Read one JSON document that maps queries to documents, or lists objects that name the columns."""
    from certus.io.ranking_values import rows_of_json

    rows, has_integers = rows_of_json(file.content, file.name, "grade" if file.kind == "qrels" else "score")
    if file.kind == "run" and has_integers and _are_grades(rows):
        raise DataError(
            "looks like relevance judgments (whole numbers from -2 to 4, tied in every query), where a run is expected",
            f"{SWAPPED}; if these are scores, write them as 1.0",
            place=file.name,
        )
    return rows


def _are_grades(rows: Rows) -> bool:
    """True if all numbers are grades as TREC has them, and each query of several documents has two of the same."""
    if len(rows.docs) < 2 or not _GRADES.issuperset(rows.values):
        return False
    results = Counter(rows.queries)
    distinct = Counter(query for query, _ in set(zip(rows.queries, rows.values, strict=True)))
    several = [query for query, count in results.items() if count > 1]
    return all(distinct[query] < results[query] for query in several) and (bool(several) or len(set(rows.values)) == 1)


def _matches_three_columns(file: File) -> bool:
    start = file.start
    return start.width == 3 and not _names_columns(start) and is_number(start.lines[0][2])


@input_format(
    "query-doc-score",
    "three columns",
    matches=_matches_three_columns,
    run="`query document score`, three columns",
    by_lines=True,
)
def query_doc_score(file: File) -> "Table":
    """Read runs of three columns with scores, as Tevatron and many scripts write them."""
    from certus.io.text import Blanks

    return Blanks(file.content, file.name, ("query", "doc", "score"))


def _matches_trec(file: File) -> bool:
    start = file.start
    if _names_columns(start):
        return False
    if file.kind == "run":
        return start.width == 6
    return start.width == 4 and _GRADE.fullmatch(start.lines[0][3]) is not None and not _are_ranks(start.lines)


def _are_ranks(lines: list[list[bytes]]) -> bool:
    """True if the third of four columns counts from 0 or 1 within each query, as in a run of MS MARCO."""
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
    """Read TREC's columns by the compiled reader, in parallel."""
    reader = kernels.Run if file.kind == "run" else kernels.Qrels
    return reader.read(file.path, file.name, **file.dialect)
