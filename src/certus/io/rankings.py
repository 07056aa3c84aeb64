"""Qrels and runs, from files and from Python objects."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, TypeAlias, TypeVar

from certus.core import kernels
from certus.core.errors import DataError, about, python_only
from certus.core.spelling import plural, repeated
from certus.io.columns import Chosen, Extended, Read, Rows, Table, Wanted, quoted, unknown_column
from certus.io.formats import File, nested_json, opened, scheme_of, trec
from certus.io.ranking_tables import qrels_of, runs_of
from certus.io.ranking_values import Cells, ValueName, read_values, rows_of_cells
from certus.io.sources import PathLike, is_path, is_stream, path_name, reading, refusals

Kernel = TypeVar("Kernel", kernels.Qrels, kernels.Run)
_PATTERN = "*?["
NUMBERS = "document"
"""The name of a column with the number of each row within its query, in messages."""


class _Records:
    """Base class of `Qrels` and `Run`: rows of query, document and number in the compiled reader."""

    __slots__ = ("is_single_query", "kernel")
    kernel: kernels.Qrels | kernels.Run
    is_single_query: bool
    """True if the rows are of one query that was given without an id."""

    @property
    def name(self) -> str:
        """Path of the file, or the name of the data."""
        return self.kernel.name

    @property
    def fingerprint(self) -> str:
        """XXH3 hash (128 bits) of the file's bytes, as ``xxhsum -H2`` prints it, or of the rows."""
        return self.kernel.fingerprint

    @property
    def queries(self) -> tuple[str, ...]:
        """Query ids."""
        return tuple(map(decode_id, self.kernel.queries()))

    def __len__(self) -> int:
        return len(self.kernel)

    def _rows(self) -> Rows:
        """Columns of queries, documents and numbers, and the queries without rows."""
        queries, docs, values = map(list, zip(*self.kernel.rows(), strict=True)) if len(self) else ([], [], [])
        nonempty = set(queries)
        return Rows(queries, docs, values, tuple(query for query in self.kernel.queries() if query not in nonempty))

    def _nested(self) -> dict[str, dict[str, Any]]:
        """Numbers as nested dictionaries, by query and then by document."""
        nested: dict[str, dict[str, Any]] = {query: {} for query in self.queries}
        for query, doc, value in self.kernel.rows():
            nested[decode_id(query)][decode_id(doc)] = value
        return nested


class Qrels(_Records):
    """Relevance judgments: a grade for each judged document of each query.

    Made by `read_qrels`, or from a dict of dicts or a DataFrame by `certus.io.as_qrels`. ``len()`` counts judgments.

    Examples
    --------
    >>> from certus.io import as_qrels
    >>> as_qrels({"q1": {"d1": 1, "d2": 0}})
    <Qrels qrels: 2 judgments for 1 query>
    """

    __slots__ = ()
    kernel: kernels.Qrels

    def __init__(self, kernel: kernels.Qrels, is_single_query: bool = False) -> None:
        _check_kernel(kernel, kernels.Qrels, "certus.read_qrels(path) or certus.io.as_qrels(data)")
        self.kernel, self.is_single_query = kernel, is_single_query

    def __reduce__(self) -> tuple[Any, ...]:
        return _qrels, (self._rows(), self.name, self.fingerprint, self.is_single_query)

    def to_dict(self) -> dict[str, dict[str, int]]:
        """The judgments as ``{query: {document: grade}}``."""
        return self._nested()

    def __repr__(self) -> str:
        return f"<Qrels {self.name}: {plural(len(self), 'judgment')} for {plural(len(self.kernel.queries()), 'query')}>"


class Run(_Records):
    """The ranked lists of a system: a score for each document of each query.

    Made by `read_run`, or from a dict of dicts or a DataFrame by `certus.io.as_run`. ``len()`` counts documents.

    Examples
    --------
    >>> from certus.io import as_run
    >>> as_run({"q1": {"d1": 12.5, "d7": 11.0}})
    <Run run: 2 documents for 1 query>
    """

    __slots__ = ("tag",)
    kernel: kernels.Run
    tag: str
    """The last column of the last line, or the name in the column of runs; empty where there is neither."""

    def __init__(self, kernel: kernels.Run, tag: str | None = None, is_single_query: bool = False) -> None:
        _check_kernel(kernel, kernels.Run, "certus.read_run(path) or certus.io.as_run(data)")
        self.kernel, self.is_single_query = kernel, is_single_query
        self.tag = decode_id(kernel.tag) if tag is None else tag

    def __reduce__(self) -> tuple[Any, ...]:
        return _run_of_rows, (self._rows(), self.name, self.fingerprint, self.tag, self.is_single_query)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """The results as ``{query: {document: score}}``."""
        return self._nested()

    def __repr__(self) -> str:
        return f"<Run {self.name}: {plural(len(self), 'document')} for {plural(len(self.kernel.queries()), 'query')}>"


def _check_kernel(kernel: object, kind: type, remedy: str) -> None:
    """Refuse an object that is not of the compiled class; the error names the function to call instead."""
    if not isinstance(kernel, kind):
        raise DataError(f"{kind.__name__} is not made from {type(kernel).__name__} by its class", f"take {remedy}")


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


def read_qrels(path: PathLike, *, comments: bool = False, format: str | None = None, **dialect: str | None) -> Qrels:
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
    dialect
        As for `read_predictions`.

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
    with reading(**dialect) as current:
        qrels = _read_qrels(path, comments, format, "format")
        current.check_used()
    return qrels


def _read_qrels(path: PathLike, comments: bool, format: str | None, argument: str) -> Qrels:
    """Read judgments from a file in the named or recognised format; `argument` names `format` in errors."""
    with opened(path, "qrels", format, argument=argument, dialect={"comments": comments}) as file:
        content = file.read()
        return _qrels(content, file.name, file.fingerprint)


def _qrels(
    content: Read,
    name: str,
    fingerprint: str | None = None,
    is_single_query: bool = False,
    chosen: Chosen | None = None,
) -> Qrels:
    """Qrels from what a reader returns."""
    if isinstance(content, kernels.Qrels):
        return Qrels(content, is_single_query)
    if isinstance(content, kernels.Run):
        raise DataError("is read as a run", location=name)
    if isinstance(content, Rows):
        with refusals():
            kernel = kernels.Qrels.from_cells(name, content.queries, content.docs, content.values, fingerprint)
            return Qrels(_require_kernel(kernel), is_single_query)
    return Qrels(qrels_of(content, name, fingerprint, chosen))


def read_run(path: PathLike, *, format: str | None = None, **dialect: str | None) -> Run:
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
    dialect
        As for `read_predictions`.

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
    return _only(read_runs(path, format=format, **dialect), path_name(path))


def read_runs(path: PathLike, *, format: str | None = None, **dialect: str | None) -> dict[str, Run]:
    """Read all runs of a file by name; without a column of runs it is one run with an empty name.

    Parameters
    ----------
    path, format, dialect
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
    with reading(**dialect) as current, opened(path, "run", format) as file:
        runs = _runs_of(file)
        current.check_used()
    return runs


def run_of(file: File) -> Run:
    """The only run of a file; an error if it has several."""
    return _only(_runs_of(file), file.name)


def _runs_of(file: File) -> dict[str, Run]:
    """All runs of a file by name; a file without results is an error."""
    content = file.read()
    runs = _runs(content, file.name, file.fingerprint)
    if not isinstance(content, kernels.Run) and not any(map(len, runs.values())):
        if isinstance(content, Rows):
            raise DataError("holds no results", "expected {query: {document: score}}", location=file.name)
        raise DataError("names its columns but holds no results", location=file.name)
    return runs


def _runs(
    content: Read,
    name: str,
    fingerprint: str | None = None,
    is_single_query: bool = False,
    chosen: Chosen | None = None,
) -> dict[str, Run]:
    """Runs by name, from what a reader returns."""
    if isinstance(content, kernels.Run):
        return {"": Run(content, is_single_query=is_single_query)}
    if isinstance(content, kernels.Qrels):
        raise DataError("holds relevance judgments", location=name)
    if isinstance(content, Rows):
        return {"": _run_of_rows(content, name, fingerprint, None, is_single_query)}
    return {run: Run(kernel, run) for run, kernel in runs_of(content, name, fingerprint, chosen).items()}


def _run_of_rows(rows: Rows, name: str, fingerprint: str | None, tag: str | None, is_single_query: bool) -> Run:
    """Build a run with its name, hash and tag from columns of queries, documents and scores."""
    with refusals():
        kernel = kernels.Run.from_cells(name, rows.queries, rows.docs, rows.values, fingerprint, list(rows.empty))
        return Run(_require_kernel(kernel), tag, is_single_query)


def _require_kernel(kernel: Kernel | None) -> Kernel:
    """Compiled object made from rows; never None here."""
    if kernel is None:
        raise RuntimeError("rows of bytes and numbers were not read; please report this")
    return kernel


def _only(runs: dict[str, Run], name: str) -> Run:
    """Return the only run; several are an error."""
    if len(runs) > 1:
        examples = ", ".join(map(repr, list(runs)[:3])) + (", ..." if len(runs) > 3 else "")
        raise DataError(
            f"holds {len(runs)} runs ({examples})",
            "evaluate and compare take them all from a file" + python_only(", certus.io.read_runs gives them by name"),
            location=name,
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
        The columns of a DataFrame, or of a table in a file. None: found by their usual names.
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
        if not (query or doc or grade):
            return _read_qrels(data, comments=False, format=format, argument="format")
        return _qrels(*_named_table(data), chosen=Chosen(query, doc, grade))
    _check_format(format)
    if isinstance(data, Qrels):
        return data
    content, is_single_query, chosen = read_values(data, name, "grade", (query, doc, grade))
    return _qrels(content, name, None, is_single_query, chosen)


def qrels_of_task(data: QrelsLike, format: str | None) -> Qrels:
    """As `as_qrels`, if the caller's argument is named ``format_of_qrels``."""
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
    """Run from anything that holds results.

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
    runs = as_runs(data, name, query=query, doc=doc, score=score, run=run)
    return _only(runs, path_name(data) if is_path(data) and not (query or doc or score or run) else name)


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
    """All runs of a file or DataFrame by name; without a column of runs one with an empty name.

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
        if not (query or doc or score or run):
            return read_runs(data, format=format)
        return _runs(*_named_table(data), chosen=Chosen(query, doc, score, run))
    _check_format(format)
    if isinstance(data, Run):
        return {"": data}
    content, is_single_query, chosen = read_values(data, name, "score", (query, doc, score, run))
    return _runs(content, name, None, is_single_query, chosen)


def _check_columns(data: object, **chosen: object) -> None:
    """Refuse column names that are not text, or for data that are read without them."""
    for argument, column in chosen.items():
        if column is not None and (not isinstance(column, str) or not column):
            raise DataError(f"is {column!r}", "a column is named by a text", argument=argument)
        if column is not None and isinstance(data, Qrels | Run):
            problem = f"is {column!r}, but the data are a {type(data).__name__}"
            raise DataError(problem, "only columns of a DataFrame or a file are named", argument=argument)


def _named_table(data: Any) -> tuple[Table, str, str | None]:
    """A table with named columns, in a file, a DataFrame or a dict; its name, and the fingerprint of a file."""
    if is_path(data):
        from certus.io.predictions import read_predictions

        source = read_predictions(data)
        return source.table, source.table.name, source.fingerprint
    if isinstance(data, Mapping):
        from certus.io.documents import records_of_columns

        return records_of_columns(data, "data"), "data", None
    from certus.io.frames import Frame

    return Frame(data, "data"), "data", None


def rankings_by_columns(
    data: Any,
    predictions: Any,
    query: str | None,
    document: str | None,
    truth: str | None,
    score: str | Sequence[str] | None,
) -> tuple[Qrels, Any]:
    """Read judgments and runs from one table with grades and scores, or from tables with named columns.

    In one table the documents of a query are numbered by their rows where no column names them.
    """
    systems: Any = predictions if score is None else score
    if isinstance(systems, str):
        systems = [systems]
    if isinstance(systems, list | tuple) and all(isinstance(column, str) for column in systems):
        systems = {column: column for column in systems}
    has_columns = isinstance(systems, Mapping) and all(isinstance(column, str) for column in systems.values())
    if predictions is not None and (score is not None or not has_columns or not _has_columns(data, systems.values())):
        if isinstance(score, list | tuple):
            raise DataError(f"is {score!r}", "of runs one column holds the scores", argument="score")
        qrels = as_qrels(data, "qrels", query=query, doc=document, grade=truth)
        columns: dict[str, Any] = {"query": query, "doc": document, "score": score}
        if isinstance(predictions, Mapping):
            return qrels, {str(name): as_run(run, str(name), **columns) for name, run in predictions.items()}
        runs = predictions if isinstance(predictions, list | tuple) else [predictions]
        return qrels, [as_run(file, **columns) for run in runs for file in files_of_runs(run)]
    missing = {"query": query, "truth": truth, "score": systems or None}
    for argument, column in missing.items():
        if column is None:
            raise DataError("is not named", "name its column, as those of the others", argument=argument)
    table, _, fingerprint = _named_table(data)
    return ranked_table(table, fingerprint, str(query), document, str(truth), systems)


def _has_columns(data: Any, names: Iterable[str]) -> bool:
    """True if data are a table with columns of these names."""
    try:
        return {*names} <= {*_named_table(data)[0].names}
    except DataError:
        return False


def ranked_table(
    table: Table, fingerprint: str | None, query: str, document: str | None, truth: str, systems: Mapping[str, str]
) -> tuple[Qrels, dict[str, Run]]:
    """Judgments and runs of a table with a row for each query and document."""
    names = (query, truth, *systems.values(), *(() if document is None else (document,)))
    if (lacking := next((name for name in names if name not in table.names), None)) is not None:
        raise unknown_column(lacking, table.names, table.name)
    if (twice := repeated(names)) is not None:
        raise DataError(f"column {quoted(twice)} was named for two purposes", "name each once", location=table.name)
    keys = table.read(Wanted(ids=(query,))).ids[query]
    if document is None:
        counts: dict[bytes, int] = {}
        numbers = []
        for key in keys.split(b"\0"):
            counts[key] = counts.get(key, -1) + 1
            numbers.append(b"#%d" % counts[key])
        table = Extended(table, NUMBERS, b"\0".join(numbers))
    qrels = Qrels(qrels_of(table, table.name, fingerprint, Chosen(query, document or NUMBERS, truth)))
    runs = {}
    for system, column in systems.items():
        chosen = Chosen(query, document or NUMBERS, column)
        (kernel,) = runs_of(table, table.name, fingerprint, chosen, is_single=True).values()
        runs[system] = Run(kernel, system)
    return qrels, runs


def rankings_of_arrays(truth: Any, predictions: Any) -> tuple[Qrels, Any]:
    """Judgments and runs of arrays with a row for each query and a column for each of its documents.

    Queries have their index as id, documents theirs after a ``#``: a document is never its own query.
    """
    shapes: dict[str, list[int]] = {}

    def rows_of(data: Any, name: str) -> Rows:
        rows = [row.tolist() if hasattr(row, "tolist") else list(row) for row in data]
        shapes[name] = list(map(len, rows))
        sizes = next(iter(shapes.values()))
        if len(rows) != len(sizes):
            problem = f"has {plural(len(rows), 'query')}, the truth has {len(sizes)}"
            raise DataError(problem, "give a row for each query", location=name)
        for index, (size, row) in enumerate(zip(sizes, rows, strict=True)):
            if len(row) != size:
                problem = f"row {index} has {plural(len(row), 'score')} for {plural(size, 'grade')}"
                raise DataError(problem, "give a score for each grade", location=name)
        queries = [b"%d" % query for query, row in enumerate(rows) for _ in row]
        docs = [b"#%d" % doc for row in rows for doc in range(len(row))]
        values = [value for row in rows for value in row]
        value_name: ValueName = "grade" if name == "qrels" else "score"
        return rows_of_cells(Cells(queries, docs, values, value_name, ("query_id", "doc_id", value_name)), name)

    qrels = _qrels(rows_of(truth, "qrels"), "qrels")
    if isinstance(predictions, Mapping):
        return qrels, {
            str(name): _run_of_rows(rows_of(run, str(name)), str(name), None, "", False)
            for name, run in predictions.items()
        }
    return qrels, _run_of_rows(rows_of(predictions, "run"), "run", None, "", False)


def _check_format(format: str | None) -> None:
    """Refuse a file format for data that are not a file."""
    if format is not None:
        raise DataError(f"is {format!r}, but the data are not a file", "leave it out", argument="format")


def files_of_runs(run: Any) -> list[Any]:
    """Files of a folder, or of a pattern such as ``runs/*.run``, sorted by name; other data unchanged."""
    if not is_path(run) or path_name(run) == "-":
        return [run]
    path = os.fsdecode(run)
    if not path or "\0" in path:
        return [run]  # the reader says what is wrong with it
    if Path(path).is_dir():
        # a link to nothing is not a file; its reader says so
        entries = [file for file in Path(path).iterdir() if file.is_file() or (file.is_symlink() and not file.exists())]
        files = sorted(str(file) for file in entries if not file.name.startswith("."))
        if not files:
            raise DataError(
                "is a directory without files", "name runs, or a directory of runs", location=path_name(run)
            )
        return list(files)
    if not any(character in path for character in _PATTERN) or Path(path).exists() or scheme_of(run):
        return [run]
    import glob  # here, as patterns are seldom given

    matching = sorted(glob.glob(path, recursive=True))
    if not matching:
        raise DataError("no file matches this pattern", location=path_name(run))
    return list(matching)


@about("run")
def runs_in(run: RunLike, name: str, format: str | None = None) -> Mapping[str, RunLike]:
    """Runs of a file or DataFrame by name; a single unnamed run is returned under ``""``, perhaps unread.

    A file of TREC's columns or JSON holds one, and is left to be ranked while it is read. So is a stream.
    """
    if not is_path(run):
        return {"": run} if isinstance(run, Run | Mapping) else as_runs(run, name, format=format)
    if format is None and is_stream(run):
        return {"": run}
    with opened(run, "run", format, argument="format_of_run") as file:
        return {"": file} if format is None and file.format in (trec, nested_json) else _runs_of(file)


def short_names(paths: Sequence[str]) -> list[str]:
    """Short names for paths: file names, or what differs between the paths if these are not unique.

    Examples
    --------
    >>> short_names(["runs/bm25.run", "runs/dpr.run"]), short_names(["old/bm25.run", "new/bm25.run"])
    (['bm25.run', 'dpr.run'], ['old', 'new'])
    """
    names = [PurePath(path).parts for path in paths]
    if len({parts[-1:] for parts in names}) == len(names):
        return [parts[-1] if parts else path for parts, path in zip(names, paths, strict=True)]
    for end in (0, -1):
        while all(len(parts) > 1 for parts in names) and len({parts[end] for parts in names}) == 1:
            names = [parts[1:] if end == 0 else parts[:-1] for parts in names]
    return [str(PurePath(*parts)) for parts in names]


def decode_id(identifier: bytes) -> str:
    """Id as text; bytes that are not UTF-8 become lone surrogates, as in Python's file names."""
    return identifier.decode("utf-8", "surrogateescape")
