"""Qrels and runs, from files and from what Python holds."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from certus import kernels
from certus.errors import DataError, about, of_python
from certus.io._format import File, Read, Rows
from certus.io._held import Qrels, Run, made_qrels, made_run
from certus.io.opened import opened
from certus.io.paths import PathLike, is_path

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


def read_qrels(path: PathLike, *, comments: bool = False, format: str | None = None) -> Qrels:
    r"""Read relevance judgments from a file.

    Parameters
    ----------
    path
        TREC qrels (``query iteration document grade``, separated by blanks), JSON ``{query: {document: grade}}``, or
        a table with named columns: CSV or TSV with a header line, as BEIR has them, JSON Lines, Parquet, Arrow or
        Feather; told apart by content; plain or compressed by gzip, bzip2, xz or zstd; ``-`` for standard input; or
        ``ir_datasets:NAME``.
    comments
        Ignore lines of TREC qrels that start with ``#``, as trec_eval 10 does.
    format
        The format by name, where the content leaves it open: docs/reading.md lists them.

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
    return _read_qrels(path, comments, format, "format")


def _read_qrels(path: PathLike, comments: bool, format: str | None, argument: str) -> Qrels:
    with opened(path, "qrels", format, argument, dialect={"comments": comments}) as (file, found):
        read = found.read(file)
        if isinstance(read, kernels.Qrels):
            return Qrels(read)
        if isinstance(read, Rows):
            return made_qrels(file.name, read, file.fingerprint)
        if isinstance(read, kernels.Run):
            raise DataError(f"{found.name} is read as a run", place=file.name)
        from certus.io._rankings import qrels_of

        return Qrels(qrels_of(read, file.name, file.fingerprint))


def read_run(path: PathLike, *, format: str | None = None) -> Run:
    r"""Read a whole run into memory.

    `certus.evaluate` does not need this: given a path, it ranks a run while reading it.

    Parameters
    ----------
    path
        A TREC run (``query Q0 document rank score tag``, separated by blanks), JSON ``{query: {document: score}}``, a
        run of MS MARCO, or a table with named columns: CSV or TSV with a header line, JSON Lines, Parquet, Arrow or
        Feather; told apart by content; plain or compressed by gzip, bzip2, xz or zstd; ``-`` for standard input.
    format
        The format by name, where the content leaves it open: docs/reading.md lists them.

    Raises
    ------
    DataError
        The file cannot be read to its end, holds anything else or several runs; the message names file and line.

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
    with opened(path, "run", format) as (file, found):
        return run_of(found.read(file), file)


def read_runs(path: PathLike, *, format: str | None = None) -> dict[str, Run]:
    """Read all runs of a file: of a table with a column of runs each by its name, otherwise one with an empty name.

    Parameters
    ----------
    path, format
        As for `read_run`.

    Raises
    ------
    DataError
        As for `read_run`.

    Examples
    --------
    >>> from importlib.resources import files
    >>> runs = read_runs(files("certus") / "demo" / "bm25.run.gz")
    >>> [(name, len(run)) for name, run in runs.items()]
    [('', 19955)]
    """
    return runs_of_file(path, format, "format")


def runs_of_file(path: PathLike, format: str | None, argument: str) -> dict[str, Run]:
    """As `read_runs`, for a caller whose name for the format is `argument`."""
    with opened(path, "run", format, argument) as (file, found):
        return _runs(found.read(file), file)


def run_of(read: Read, file: File) -> Run:
    """The only run that a reader has found in a file."""
    return _only(_runs(read, file), file.name)


def _runs(read: Read, file: File) -> dict[str, Run]:
    """The runs that a reader has found; a file without any result is a mistake."""
    if isinstance(read, kernels.Run):
        return {"": Run(read)}
    if isinstance(read, Rows):
        if not read.docs:
            raise DataError("holds no results", "expected {query: {document: score}}", place=file.name)
        return {"": made_run(file.name, read, file.fingerprint)}
    if isinstance(read, kernels.Qrels):
        raise DataError("holds relevance judgments", place=file.name)
    from certus.io._rankings import runs_of

    found = runs_of(read, file.name, file.fingerprint)
    if not any(map(len, found.values())):
        raise DataError("names its columns but holds no results", place=file.name)
    return {name: Run(held, name) for name, held in found.items()}


def _only(runs: dict[str, Run], name: str) -> Run:
    if len(runs) > 1:
        listed = ", ".join(map(repr, list(runs)[:3])) + (", ..." if len(runs) > 3 else "")
        raise DataError(
            f"holds {len(runs)} runs ({listed})",
            "evaluate and compare take them all from a file" + of_python(", certus.io.read_runs gives them by name"),
            place=name,
        )
    return next(iter(runs.values()))


@about("qrels")
def as_qrels(
    data: QrelsLike,
    name: str = "qrels",
    *,
    query: str | None = None,
    doc: str | None = None,
    grade: str | None = None,
    format: str | None = None,
) -> Qrels:
    """Qrels from anything that holds judgments.

    Parameters
    ----------
    data
        A path, a dict of dicts, a DataFrame, or what `read_qrels` returns.
    name
        What to call data that are not read from a file.
    query, doc, grade
        The columns of a DataFrame. None: found by their usual names.
    format
        The format of a file.

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
    _check_columns(data, query=query, doc=doc, grade=grade)
    if is_path(data):
        return _read_qrels(data, comments=False, format=format, argument="format")
    _check_file(format)
    if isinstance(data, Qrels):
        return data
    from certus.io._given import judgments

    return judgments(data, name, (query, doc, grade))


def given_qrels(data: QrelsLike, format: str | None) -> Qrels:
    """As `as_qrels`, for a caller whose name for the format is ``format_of_qrels``."""
    if is_path(data):
        return _read_qrels(data, comments=False, format=format, argument="format_of_qrels")
    return as_qrels(data, format=format)


@about("run")
def as_run(
    data: RunLike,
    name: str = "run",
    *,
    query: str | None = None,
    doc: str | None = None,
    score: str | None = None,
    run: str | None = None,
) -> Run:
    """A run from anything that holds results.

    Parameters
    ----------
    data
        A path, a dict of dicts, a DataFrame, or what `read_run` returns.
    name
        What to call data that are not read from a file.
    query, doc, score, run
        The columns of a DataFrame. None: found by their usual names.

    Raises
    ------
    DataError
        If the data cannot be read, are not a run, or hold several.

    Examples
    --------
    >>> as_run({"q1": ["d3", "d1"]}).to_dict()
    {'q1': {'d3': 2.0, 'd1': 1.0}}
    >>> as_run([("q1", "d3", 0.9), ("q1", "d1", 0.7)]).to_dict()
    {'q1': {'d3': 0.9, 'd1': 0.7}}
    """
    _check_columns(data, query=query, doc=doc, score=score, run=run)
    if isinstance(data, Run):
        return data
    if is_path(data):
        return read_run(data)
    return _only(as_runs(data, name, query=query, doc=doc, score=score, run=run), name)


@about("run")
def as_runs(
    data: RunLike,
    name: str = "run",
    *,
    query: str | None = None,
    doc: str | None = None,
    score: str | None = None,
    run: str | None = None,
    format: str | None = None,
) -> dict[str, Run]:
    """All runs of a file or a DataFrame: each by its name in the column of runs, otherwise one with an empty name.

    Parameters
    ----------
    data, name, query, doc, score, run
        As for `as_run`.
    format
        The format of a file.

    Examples
    --------
    >>> import pandas as pd
    >>> columns = {"run": ["a", "b"], "query": ["q1", "q1"], "doc": ["d1", "d2"], "score": [0.9, 0.4]}
    >>> list(as_runs(pd.DataFrame(columns)))
    ['a', 'b']
    """
    _check_columns(data, query=query, doc=doc, score=score, run=run)
    if is_path(data):
        return read_runs(data, format=format)
    _check_file(format)
    if isinstance(data, Run):
        return {"": data}
    from certus.io._given import results

    return results(data, name, (query, doc, score, run))


def _check_columns(data: object, **chosen: object) -> None:
    """Refuse columns that are named by no text, or of what is read without them."""
    for argument, column in chosen.items():
        if column is not None and (not isinstance(column, str) or not column):
            raise DataError(f"is {column!r}", "a column is named by a text", argument=argument)
        if column is not None and (is_path(data) or isinstance(data, Qrels | Run)):
            from certus.io._rows import kind_named

            found = f"is {column!r}, but the data are {'a file' if is_path(data) else kind_named(data)}"
            raise DataError(found, "only columns of a DataFrame are named", argument=argument)


def _check_file(format: str | None) -> None:
    if format is not None:
        raise DataError(f"is {format!r}, but the data are not a file", "leave it out", argument="format")
