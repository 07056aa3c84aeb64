"""Qrels and runs, from files and from what Python holds."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeGuard, TypeVar

from certus import kernels
from certus.errors import DataError
from certus.io._path import PathLike, path_name, readable
from certus.io._records import from_records
from certus.io._rows import Rows, checked, from_frame, from_json, from_mapping, grade_of, kind_named, score_of
from certus.io._shapes import ONE, is_one, is_records, plain

__all__ = [
    "Qrels",
    "QrelsLike",
    "Run",
    "RunLike",
    "as_qrels",
    "as_run",
    "decoded",
    "is_path",
    "read_qrels",
    "read_run",
    "refusals",
]


_Kernel = TypeVar("_Kernel", kernels.Qrels, kernels.Run)


class _Records:
    """Common base of `Qrels` and `Run`: rows of query, document and number, held by the compiled reader."""

    __slots__ = ("held", "one")
    held: kernels.Qrels | kernels.Run
    one: bool
    """Whether the rows are of one query that was given without an id."""

    @property
    def name(self) -> str:
        """The file's name as it was given, or what the data were called."""
        return self.held.name

    @property
    def fingerprint(self) -> str:
        """XXH3 hash (128 bits) of the file's bytes, as ``xxhsum -H2`` prints it, or of the rows given."""
        return self.held.fingerprint

    @property
    def queries(self) -> tuple[str, ...]:
        """Query ids."""
        return tuple(map(decoded, self.held.queries()))

    def __len__(self) -> int:
        return len(self.held)

    def _rows(self) -> Rows:
        queries, docs, values = map(list, zip(*self.held.rows(), strict=True)) if len(self) else ([], [], [])
        filled = set(queries)
        return Rows(queries, docs, values, tuple(query for query in self.held.queries() if query not in filled))

    def _nested(self) -> dict[str, dict[str, Any]]:
        nested: dict[str, dict[str, Any]] = {query: {} for query in self.queries}
        for query, doc, value in self.held.rows():
            nested[decoded(query)][decoded(doc)] = value
        return nested


class Qrels(_Records):
    """Relevance judgments: a grade for each judged document of each query.

    Made by `read_qrels`, or from a dict of dicts or a DataFrame by `certus.io.as_qrels`. ``len()`` counts judgments.
    """

    __slots__ = ()
    held: kernels.Qrels

    def __init__(self, held: kernels.Qrels, one: bool = False) -> None:
        self.held, self.one = held, one

    def __reduce__(self) -> tuple[Any, ...]:
        return _qrels, (self.name, self._rows(), self.fingerprint, self.one)

    def to_dict(self) -> dict[str, dict[str, int]]:
        """The judgments as ``{query: {document: grade}}``."""
        return self._nested()

    def __repr__(self) -> str:
        return f"<Qrels {self.name}: {len(self)} judgments for {len(self.held.queries())} queries>"


class Run(_Records):
    """The ranked lists of a system: a score for each document of each query.

    Made by `read_run`, or from a dict of dicts or a DataFrame by `certus.io.as_run`. ``len()`` counts documents.
    """

    __slots__ = ("tag",)
    held: kernels.Run
    tag: str
    """The last column of the last line; empty for a run that was not read from TREC columns."""

    def __init__(self, held: kernels.Run, tag: str | None = None, one: bool = False) -> None:
        self.held, self.one = held, one
        self.tag = decoded(held.tag) if tag is None else tag

    def __reduce__(self) -> tuple[Any, ...]:
        return _run, (self.name, self._rows(), self.fingerprint, self.tag, self.one)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """The results as ``{query: {document: score}}``."""
        return self._nested()

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self)} documents for {len(self.held.queries())} queries>"


QrelsLike: TypeAlias = Qrels | PathLike | Mapping[Any, Any] | Any
"""Qrels, a path (``-`` for standard input), or judgments as Python holds them.

These are a dict of dicts ``{query: {document: grade}}``; a dict of sets or lists of the relevant documents; for one
query ``{document: grade}`` or a set; rows ``(query, document, grade)``, or objects with `query_id`, `doc_id` and
`relevance`, in a list or from an iterator; a DataFrame; ranx's ``Qrels``. An id is text, or a whole number, which is
the same as the text of its digits.
"""

RunLike: TypeAlias = Run | PathLike | Mapping[Any, Any] | Any
"""A run, a path (``-`` for standard input), or results as Python holds them.

These are a dict of dicts ``{query: {document: score}}``; a dict of lists of documents, the best first; for one query
``{document: score}`` or a list; rows ``(query, document, score)``, or objects with `query_id`, `doc_id` and `score`,
in a list or from an iterator; a DataFrame; ranx's ``Run``. Ids are as of qrels. The documents of a list have the
scores n, n - 1, ..., 1, so that no two are tied.

A query without documents, as in ``{"q1": {}}``, was run and nothing was retrieved.
"""


def read_qrels(path: PathLike, *, comments: bool = False) -> Qrels:
    r"""Read relevance judgments from a file.

    Parameters
    ----------
    path
        TREC qrels (``query iteration document grade``, separated by blanks) or JSON ``{query: {document: grade}}``,
        told apart by content; plain or compressed by gzip, bzip2, xz or zstd; ``-`` for standard input.
    comments
        Ignore lines that start with ``#``, as trec_eval 10 does.

    Raises
    ------
    DataError
        The file cannot be read to its end or holds anything else; the message names file and line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "qrels.txt")
    ...     _ = path.write_text("q1 0 d1 2\nq1 0 d2 0\n")
    ...     read_qrels(path).to_dict()
    {'q1': {'d1': 2, 'd2': 0}}
    """
    label = path_name(path)
    with readable(path, lambda start: kernels.Qrels.read(start, label, comments=comments)) as (file, name), refusals():
        if kernels.sniff(file, name) == "json":
            text, fingerprint = kernels.read_bytes(file, name)
            return _qrels(name, from_json(text, name, "grade", grade_of), fingerprint)
        return Qrels(kernels.Qrels.read(file, name, comments=comments))


def read_run(path: PathLike) -> Run:
    r"""Read a whole run into memory.

    `certus.evaluate` does not need this: given a path, it ranks a run while reading it.

    Parameters
    ----------
    path
        A TREC run (``query Q0 document rank score tag``, separated by blanks) or JSON ``{query: {document: score}}``,
        told apart by content; plain or compressed by gzip, bzip2, xz or zstd; ``-`` for standard input.

    Raises
    ------
    DataError
        The file cannot be read to its end or holds anything else; the message names file and line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "bm25.run")
    ...     _ = path.write_text("q1 Q0 d1 1 12.5 bm25\nq1 Q0 d7 2 11 bm25\n")
    ...     run = read_run(path)
    >>> run.tag, run.to_dict()
    ('bm25', {'q1': {'d1': 12.5, 'd7': 11.0}})
    """
    label = path_name(path)
    with readable(path, lambda start: kernels.Run.read(start, label)) as (file, name), refusals():
        if kernels.sniff(file, name) == "json":
            return json_run(file, name)
        return Run(kernels.Run.read(file, name))


def json_run(file: Path, name: str) -> Run:
    """A run from a JSON file, called by a name of its own; a file without any result is a mistake."""
    text, fingerprint = kernels.read_bytes(file, name)
    rows = from_json(text, name, "score", score_of)
    if not rows.docs:
        raise DataError(f"{name}: holds no results; expected {{query: {{document: score}}}}")
    return _run(name, rows, fingerprint)


def as_qrels(
    data: QrelsLike,
    name: str = "qrels",
    *,
    query: str | None = None,
    doc: str | None = None,
    grade: str | None = None,
) -> Qrels:
    """Qrels from anything that holds judgments; `query`, `doc` and `grade` name the columns of a DataFrame.

    Raises
    ------
    DataError
        If the data cannot be read or are not judgments.

    Examples
    --------
    >>> as_qrels({"q1": {"d1": 2, "d2": 0}, "q2": {"d7": 1}}).to_dict()
    {'q1': {'d1': 2, 'd2': 0}, 'q2': {'d7': 1}}
    >>> as_qrels({1: {17, 4}}).to_dict()
    {'1': {'17': 1, '4': 1}}
    """
    if isinstance(data, Qrels):
        return data
    if is_path(data):
        return read_qrels(data)
    found, one = _found(kernels.Qrels, data, name, "grade", {"query": query, "doc": doc, "value": grade})
    return Qrels(found, one) if isinstance(found, kernels.Qrels) else _qrels(name, found, one=one)


def as_run(
    data: RunLike,
    name: str = "run",
    *,
    query: str | None = None,
    doc: str | None = None,
    score: str | None = None,
) -> Run:
    """A run from anything that holds results; `query`, `doc` and `score` name the columns of a DataFrame.

    Raises
    ------
    DataError
        If the data cannot be read or are not a run.

    Examples
    --------
    >>> as_run({"q1": ["d3", "d1"]}).to_dict()
    {'q1': {'d3': 2.0, 'd1': 1.0}}
    >>> as_run([("q1", "d3", 0.9), ("q1", "d1", 0.7)]).to_dict()
    {'q1': {'d3': 0.9, 'd1': 0.7}}
    """
    if isinstance(data, Run):
        return data
    if is_path(data):
        return read_run(data)
    found, one = _found(kernels.Run, data, name, "score", {"query": query, "doc": doc, "value": score})
    return Run(found, one=one) if isinstance(found, kernels.Run) else _run(name, found, one=one)


def _found(
    kernel: type[_Kernel], data: Any, name: str, what: Literal["grade", "score"], columns: Mapping[str, str | None]
) -> tuple[_Kernel | Rows, bool]:
    """Data of Python, read at once where they are plain, otherwise as rows; and whether they are of one query."""
    value_of = grade_of if what == "grade" else score_of
    data = plain(data, kernel.__name__.lower())
    one = is_one(data)
    named = next((column for column in columns.values() if column is not None), None)
    if named is not None and (one or isinstance(data, Mapping) or is_records(data)):
        raise DataError(f"{name}: is {kind_named(data)}, which has no columns; leave out {named!r}")
    if one or isinstance(data, Mapping):
        nested = {ONE: data} if one else data
        held = kernel.from_nested(nested, name) if type(nested) is dict else None
        return (from_mapping(nested, name, what, value_of) if held is None else held), one
    cells = from_records(data, name, what) if is_records(data) else from_frame(data, name, what, **columns)
    with refusals():
        held = kernel.from_columns(name, cells.queries, cells.docs, cells.values)
    return (checked(cells, name, value_of) if held is None else held), one


def is_path(data: object) -> TypeGuard[PathLike]:
    """Whether data are the name of a file."""
    return isinstance(data, (str, bytes, os.PathLike))


def decoded(identifier: bytes) -> str:
    """An id as text; bytes that are not UTF-8 become lone surrogates, as in Python's file names."""
    return identifier.decode("utf-8", "surrogateescape")


@contextmanager
def refusals() -> Iterator[None]:
    """Turns the compiled reader's refusals into DataError."""
    try:
        yield
    except DataError:
        raise
    except ValueError as error:
        raise DataError(str(error)) from None


def _qrels(name: str, rows: Rows, fingerprint: str | None = None, one: bool = False) -> Qrels:
    with refusals():
        return Qrels(_all(kernels.Qrels.from_columns(name, rows.queries, rows.docs, rows.values, fingerprint)), one)


def _run(name: str, rows: Rows, fingerprint: str | None = None, tag: str | None = None, one: bool = False) -> Run:
    with refusals():
        held = kernels.Run.from_columns(name, rows.queries, rows.docs, rows.values, fingerprint, list(rows.empty))
        return Run(_all(held), tag, one)


def _all(held: _Kernel | None) -> _Kernel:
    """The object made of rows, which are plain."""
    if held is None:
        raise RuntimeError("rows of bytes and numbers were not read; please report this")
    return held
