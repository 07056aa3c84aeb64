"""Tables and their columns: what is asked, what is given, and usual names of ranking columns.

Every table reads what is `Wanted` to `Columns`, and makes the errors about its cells.
"""

import gc
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import wraps
from itertools import chain
from typing import Any, Literal, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError, python_only
from certus.core.exact import LONGEST_NUMBER, doubles, has_more_digits, loss, written
from certus.core.spelling import nearest

_P = ParamSpec("_P")
_T = TypeVar("_T")
Numbers = NDArray[Any]
"""float64 or float32; objects where float64 would round a whole number."""

LONGEST_ID = 1 << 12
"""Bits of a whole number that is an id; Python writes no longer ones than some 14,000 as text."""
MAX_LISTED = 12
"""Column names that an error lists."""
Role = Literal["query", "doc", "score", "rank", "grade", "run"]

SWAPPED = "are qrels and run swapped? Judgments come first, then runs"
MAYBE_RUN = ("tag", "name")
"""Names that a column of runs may have, and one of something else as well: titles or topics of documents."""

COLUMN_NAMES: Mapping[Role, tuple[tuple[str, ...], ...]] = {
    "query": (("query_id", "qid", "q_id", "topic_id", "query_no"), ("query", "topic")),
    "doc": (
        ("doc_id", "docno", "document_id", "corpus_id", "pid", "passage_id"),
        ("docid",),
        ("document", "doc"),
    ),
    "score": (("score", "sim"),),
    "rank": (("rank",),),
    "grade": (("relevance", "rel", "grade", "label"),),
    "run": (("run", "run_id", "system"), MAYBE_RUN[:1], MAYBE_RUN[1:]),
}
"""The names of each column, in groups: a later group counts where no name of an earlier one is there.

So ``query`` holds the text of a query where there is a ``query_id`` beside it, and ``docid`` PyTerrier's number of a
document where there is a ``docno``. Case does not matter, and a hyphen or a blank is as good as an underscore.
"""


class Wanted(NamedTuple):
    """Names of the columns to read, by what they hold."""

    labels: tuple[str, ...] = ()
    """Class labels; all of them are read as one kind of value, so that they can be compared."""
    numbers: tuple[str, ...] = ()
    """Scores, probabilities, weights."""
    keys: tuple[str, ...] = ()
    """Anything that tells rows apart or together, such as a subgroup; each column is a kind of value of its own."""
    ids: tuple[str, ...] = ()
    """Names of queries, documents and runs, exactly as they are written: ``007`` is not ``7``."""
    truths: bool = True
    """True if true and false are read as 1 and 0. Rankings refuse them."""

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, each once."""
        return tuple(dict.fromkeys((*self.labels, *self.numbers, *self.keys, *self.ids)))


class Columns(NamedTuple):
    """The columns read, by name; every array has one element a row."""

    labels: dict[str, NDArray[Any]]
    numbers: dict[str, Numbers]
    keys: dict[str, NDArray[Any]]
    ids: dict[str, bytes]
    """Ids as one text each, with NUL bytes between them."""


class Table(ABC):
    """A table whose column names are known and whose rows are still to be read.

    `name` is that of the file, or what the data were called; `names` are those of the columns.
    """

    name: str
    names: tuple[str, ...]

    @abstractmethod
    def read(self, wanted: Wanted) -> Columns:
        """The wanted columns; the first cell that cannot be read is an error."""

    @abstractmethod
    def location(self, row: int) -> str:
        """The file and line of a row, or the number of the row where there are no lines."""

    def cell_error(self, name: str, row: int, problem: str, remedy: str | None = None) -> DataError:
        """An error about one cell, at its line."""
        return self.row_error(row, f"column {quoted(name)} {problem}", remedy)

    def row_error(self, row: int, problem: str, remedy: str | None = None) -> DataError:
        """An error about a row, at its line."""
        return DataError(problem, remedy, location=self.location(row))


class Rows(NamedTuple):
    """One element for each judgment or result: query, document, and grade or score; and queries that have none."""

    queries: list[bytes]
    docs: list[bytes]
    values: list[Any]
    empty: tuple[bytes, ...] = ()


Read: TypeAlias = Table | Rows | kernels.Qrels | kernels.Run
"""A table whose columns have names; rows of a ranking; or a ranking of the compiled reader."""


class Chosen(NamedTuple):
    """The columns that a caller names; None: found by their usual names."""

    query: str | None = None
    doc: str | None = None
    value: str | None = None
    run: str | None = None


def json_decimal(text: str) -> float | Decimal:
    """A number of JSON; more digits than a double is ever written with are kept, to be compared.

    To compare millions of digits takes hours, so there are as few as of whole numbers.
    """
    if len(text) > LONGEST_NUMBER:
        raise ValueError
    return written(text) if has_more_digits(text) else float(text)


def array_of(values: Sequence[Any]) -> NDArray[Any]:
    """Whole numbers and booleans as numpy has them, all else as Python objects."""
    types = set(map(type, values))
    if types == {bool}:
        return np.array(values, dtype=np.bool_)
    if types == {int} and all(-(2**63) <= value < 2**63 for value in values):
        return np.array(values, dtype=np.int64)
    if types == {float}:
        return np.array(values, dtype=np.float64)
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def join_ids(cells: Sequence[Any], error: Callable[[int, str, str], DataError]) -> bytes:
    r"""Ids as one text with NUL bytes between them; `error` makes the error about the one of a row.

    Examples
    --------
    >>> join_ids(["d1", 7], lambda row, problem, remedy: DataError(problem, remedy))
    b'd1\x007'
    """
    try:
        text = "\0".join(cells).encode("utf-8", "surrogateescape")
    except (TypeError, UnicodeEncodeError):
        text = b""
    if text.count(b"\0") == len(cells) - 1 and text and "" not in cells:
        return text
    parts = []
    for row, cell in enumerate(cells):
        part, reason = _encode(cell)
        if reason:
            raise error(row, *reason)
        parts.append(part)
    return b"\0".join(parts)


def _encode(cell: object) -> tuple[bytes, tuple[str, str] | None]:
    """An id as bytes; if the cell is not an id, the reason and the remedy."""
    if isinstance(cell, str):
        try:
            text = cell.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return b"", (f"is {cell!r}, which holds half of a surrogate pair", "it is not valid text")
    elif isinstance(cell, bytes):
        text = cell
    elif isinstance(cell, int | np.integer) and not isinstance(cell, bool):
        if (bits := int(cell).bit_length()) > LONGEST_ID:
            return b"", (f"is an int of {bits} bits", f"a whole number as an id has at most {LONGEST_ID}")
        text = str(cell).encode()
    else:
        return b"", (f"is {cell!r} of type {type(cell).__name__}", "ids are text or whole numbers")
    if b"\0" in text:
        return b"", (f"is {cell!r}, which holds a NUL character", "ids cannot")
    return text, None if text else ("is empty", "fill it or drop the row")


def kept_exact(numbers: NDArray[Any]) -> Numbers:
    """The numbers as float64, or as objects where that would lose what tells two of them apart."""
    values = doubles(numbers)
    return numbers.astype(object) if loss(numbers, values) else values


def quoted(text: str) -> str:
    """A text from a file as a message shows it: in quotes, shortened, nothing invisible in it."""
    try:
        return kernels.show(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # half of a surrogate pair, as JSON may have it
        return kernels.show(text.encode("utf-8", "surrogatepass"))


def unknown_column(name: str, names: Sequence[str], table: str) -> DataError:
    """The error for a column that the table lacks."""
    near = nearest(name, names)
    meant = "" if near is None else f"did you mean {quoted(near)}? "
    columns = ", ".join(map(quoted, names[:MAX_LISTED])) + (", ..." if len(names) > MAX_LISTED else "")
    split = "; fields are separated by commas or tabs" if len(names) == 1 and ";" in names[0] else ""
    return DataError(f"has no column {quoted(name)}", f"{meant}it has {columns or 'none'}{split}", location=table)


def uncollected(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """The function with Python's garbage collector off while it runs.

    Rows of text hold no cycles, but the collector looks at all of them again and again. Of 300,000 rows of CSV that
    took 0.8 of 1.1 s.
    """

    @wraps(function)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return wrapper


def rename_remedy(role: Role) -> str:
    """The remedy for a column that is not found by its name: of a DataFrame it can be named."""
    reader = "qrels" if role == "grade" else "run"
    return "rename one" + python_only(f", or name the column of a DataFrame: certus.io.as_{reader}(..., {role}='...')")


def normalize(name: str) -> str:
    """The name in the spelling of `COLUMN_NAMES`.

    Examples
    --------
    >>> normalize("corpus-id"), normalize("Query ID")
    ('corpus_id', 'query_id')
    """
    return name.strip().lower().replace("-", "_").replace(" ", "_")


_QUERY_NAMES, _DOCUMENT_NAMES = (frozenset(chain(*COLUMN_NAMES[role])) for role in ("query", "doc"))


def is_header(cells: Sequence[str]) -> bool:
    """True if the cells name the query and the document of a row."""
    names = set(map(normalize, cells))
    return not (names.isdisjoint(_QUERY_NAMES) or names.isdisjoint(_DOCUMENT_NAMES))


def role_of(name: str) -> Role | None:
    """The role of a column in a table of rankings, by its name; None if no role has this name.

    Examples
    --------
    >>> role_of("docno"), role_of("Rank"), role_of("passage")
    ('doc', 'rank', None)
    """
    return next(
        (role for role, groups in COLUMN_NAMES.items() if any(normalize(name) in group for group in groups)), None
    )


def usual_column(role: Role, names: Iterable[str], table: str) -> str | None:
    """The column whose name is a usual one for the role; None if no column has such a name."""
    columns = list(names)
    for group in COLUMN_NAMES[role]:
        matches = [name for name in columns if normalize(name) in group]
        if len(matches) > 1:
            matched = f"{quoted(matches[0])} and {quoted(matches[1])}"
            raise DataError(f"has both {matched} as columns", rename_remedy(role), location=table)
        if matches:
            return matches[0]
    return None


def query_column(names: Iterable[str], table: str) -> str:
    """The column of queries among those of a table, by its usual names.

    Examples
    --------
    >>> query_column(["qid", "docno", "score"], "the run")
    'qid'
    """
    columns = list(names)
    if (run := usual_column("run", columns, table)) is not None:
        remedy = "filter the rows of one run and drop the column"
        raise DataError(f"has a column of runs, {quoted(run)}", remedy, location=table)
    if (query := usual_column("query", columns, table)) is None:
        shown_columns = ", ".join(map(quoted, columns[:12]))
        raise DataError(f"has no column of queries, such as 'query_id', but {shown_columns}", location=table)
    return query


def id_columns(names: Iterable[str], table: str) -> list[str]:
    """The column of queries, and that of documents where there is one.

    Examples
    --------
    >>> id_columns(["query", "docno", "score", "qid", "text"], "the run")
    ['qid', 'docno']
    """
    columns = list(names)
    pair = query_column(columns, table), usual_column("doc", columns, table)
    return [name for name in pair if name is not None]
