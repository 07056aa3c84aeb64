"""Qrels and runs, from files and from what Python holds."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

from certus import kernels
from certus.errors import DataError
from certus.io._path import PathLike, path_name, readable
from certus.io._rows import Rows, from_frame, from_json, from_mapping, grade_of, score_of

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


class _Records:
    """Common base of `Qrels` and `Run`: rows of query, document and number, held by the compiled reader."""

    __slots__ = ("held",)
    held: kernels.Qrels | kernels.Run

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

    def __init__(self, held: kernels.Qrels) -> None:
        self.held = held

    def __reduce__(self) -> tuple[Any, ...]:
        return _qrels, (self.name, self._rows(), self.fingerprint)

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

    def __init__(self, held: kernels.Run, tag: str | None = None) -> None:
        self.held = held
        self.tag = decoded(held.tag) if tag is None else tag

    def __reduce__(self) -> tuple[Any, ...]:
        return _run, (self.name, self._rows(), self.fingerprint, self.tag)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """The results as ``{query: {document: score}}``."""
        return self._nested()

    def __repr__(self) -> str:
        return f"<Run {self.name}: {len(self)} documents for {len(self.held.queries())} queries>"


QrelsLike: TypeAlias = Qrels | PathLike | Mapping[str, Mapping[str, int]] | Any
"""Qrels, a path (``-`` for standard input), ``{query: {document: grade}}``, or a DataFrame."""

RunLike: TypeAlias = Run | PathLike | Mapping[str, Mapping[str, float]] | Any
"""A run, a path (``-`` for standard input), ``{query: {document: score}}``, or a DataFrame.

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
    """
    if isinstance(data, Qrels):
        return data
    if is_path(data):
        return read_qrels(data)
    if isinstance(data, Mapping):
        return _qrels(name, from_mapping(data, name, "grade", grade_of))
    return _qrels(name, from_frame(data, name, "grade", grade_of, query=query, doc=doc, value=grade))


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
    """
    if isinstance(data, Run):
        return data
    if is_path(data):
        return read_run(data)
    if isinstance(data, Mapping):
        return _run(name, from_mapping(data, name, "score", score_of))
    return _run(name, from_frame(data, name, "score", score_of, query=query, doc=doc, value=score))


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


def _qrels(name: str, rows: Rows, fingerprint: str | None = None) -> Qrels:
    with refusals():
        return Qrels(kernels.Qrels.from_rows(name, rows.queries, rows.docs, rows.values, fingerprint))


def _run(name: str, rows: Rows, fingerprint: str | None = None, tag: str | None = None) -> Run:
    with refusals():
        held = kernels.Run.from_rows(name, rows.queries, rows.docs, rows.values, fingerprint, rows.empty)
        return Run(held, tag)
