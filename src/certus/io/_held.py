"""Judgments and runs as the compiled reader holds them."""

from typing import Any, TypeVar

from certus import kernels
from certus.errors import DataError
from certus.io._format import Rows
from certus.io.opened import refusals
from certus.spelling import plural

Kernel = TypeVar("Kernel", kernels.Qrels, kernels.Run)


class _Records:
    """Common base of `Qrels` and `Run`: rows of query, document and number, held by the compiled reader."""

    __slots__ = ("held", "one")
    held: kernels.Qrels | kernels.Run
    one: bool
    """True if the rows are of one query that was given without an id."""

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

    Examples
    --------
    >>> from certus.io import as_qrels
    >>> as_qrels({"q1": {"d1": 1, "d2": 0}})
    <Qrels qrels: 2 judgments for 1 query>
    """

    __slots__ = ()
    held: kernels.Qrels

    def __init__(self, held: kernels.Qrels, one: bool = False) -> None:
        _check(held, kernels.Qrels, "certus.read_qrels(path) or certus.io.as_qrels(data)")
        self.held, self.one = held, one

    def __reduce__(self) -> tuple[Any, ...]:
        return made_qrels, (self.name, self._rows(), self.fingerprint, self.one)

    def to_dict(self) -> dict[str, dict[str, int]]:
        """The judgments as ``{query: {document: grade}}``."""
        return self._nested()

    def __repr__(self) -> str:
        return f"<Qrels {self.name}: {plural(len(self), 'judgment')} for {plural(len(self.held.queries()), 'query')}>"


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
    held: kernels.Run
    tag: str
    """The last column of the last line, or the name in the column of runs; empty where there is neither."""

    def __init__(self, held: kernels.Run, tag: str | None = None, one: bool = False) -> None:
        _check(held, kernels.Run, "certus.read_run(path) or certus.io.as_run(data)")
        self.held, self.one = held, one
        self.tag = decoded(held.tag) if tag is None else tag

    def __reduce__(self) -> tuple[Any, ...]:
        return made_run, (self.name, self._rows(), self.fingerprint, self.tag, self.one)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """The results as ``{query: {document: score}}``."""
        return self._nested()

    def __repr__(self) -> str:
        return f"<Run {self.name}: {plural(len(self), 'document')} for {plural(len(self.held.queries()), 'query')}>"


def _check(held: object, kind: type, remedy: str) -> None:
    if not isinstance(held, kind):
        raise DataError(f"{kind.__name__} is not made from {type(held).__name__} by its class", f"take {remedy}")


def decoded(identifier: bytes) -> str:
    """An id as text; bytes that are not UTF-8 become lone surrogates, as in Python's file names."""
    return identifier.decode("utf-8", "surrogateescape")


def made_qrels(name: str, rows: Rows, fingerprint: str | None = None, one: bool = False) -> Qrels:
    """Judgments from rows."""
    with refusals():
        return Qrels(_all(kernels.Qrels.from_cells(name, rows.queries, rows.docs, rows.values, fingerprint)), one)


def made_run(name: str, rows: Rows, fingerprint: str | None = None, tag: str | None = None, one: bool = False) -> Run:
    """A run from rows."""
    with refusals():
        held = kernels.Run.from_cells(name, rows.queries, rows.docs, rows.values, fingerprint, list(rows.empty))
        return Run(_all(held), tag, one)


def _all(held: Kernel | None) -> Kernel:
    """The object made of rows, which are plain."""
    if held is None:
        raise RuntimeError("rows of bytes and numbers were not read; please report this")
    return held
