"""Tables and their columns: requests, results, and usual names of ranking columns.

Every table reads what is `Wanted` to `Columns`, and makes the errors about its cells.
"""

import gc
import numbers
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import wraps
from itertools import chain
from typing import Any, Literal, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.errors import DataError, keyword, python_only
from certus.core.exact import LONGEST_NUMBER, doubles, has_more_digits, loss, written
from certus.core.spelling import nearest, repeated

_P = ParamSpec("_P")
_T = TypeVar("_T")
Numbers = NDArray[Any]
"""float64 or float32; objects where float64 would round a whole number."""

_NUMBER = re.compile(r"[+-]?[0-9]*[.,]?[0-9]+(?:[eE][+-]?[0-9]+)?%?")
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
    """Names of the columns to read, by their content."""

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
        """All names, without duplicates."""
        return tuple(dict.fromkeys((*self.labels, *self.numbers, *self.keys, *self.ids)))


class Columns(NamedTuple):
    """Columns that were read, by name; each array has one element for each row."""

    labels: dict[str, NDArray[Any]]
    numbers: dict[str, Numbers]
    keys: dict[str, NDArray[Any]]
    ids: dict[str, bytes]
    """Ids as one text each, with NUL bytes between them."""


class Table(ABC):
    """A table whose column names are known and whose rows are not read yet.

    `name` is that of the file, or what the data were called; `names` are those of the columns.
    """

    name: str
    names: tuple[str, ...]

    @abstractmethod
    def read(self, wanted: Wanted) -> Columns:
        """Read the wanted columns; the first unreadable cell is an error."""

    @abstractmethod
    def location(self, row: int) -> str:
        """File and line of a row, or the number of the row if there are no lines."""

    def cell_error(self, name: str, row: int, problem: str, remedy: str | None = None) -> DataError:
        """Error about a cell, with its file, line and column."""
        return self.row_error(row, f"column {quoted(name)} {problem}", remedy)

    def row_error(self, row: int, problem: str, remedy: str | None = None) -> DataError:
        """Error about a row, with its file and line."""
        return DataError(problem, remedy, location=self.location(row))


class Extended(Table):
    """A table with one more column of ids."""

    def __init__(self, table: Table, name: str, ids: bytes) -> None:
        self._table, self._column, self._ids = table, name, ids
        self.name, self.names = table.name, (*(column for column in table.names if column != name), name)

    def read(self, wanted: Wanted) -> Columns:
        """The wanted columns of the table, and the one added."""
        columns = self._table.read(wanted._replace(ids=tuple(name for name in wanted.ids if name != self._column)))
        return columns._replace(ids={**columns.ids, self._column: self._ids})

    def location(self, row: int) -> str:
        """The location of a row of the table."""
        return self._table.location(row)


class Rows(NamedTuple):
    """Judgments or results as three lists (query, document, grade or score), and the queries without any."""

    queries: list[bytes]
    docs: list[bytes]
    values: list[Any]
    empty: tuple[bytes, ...] = ()


Read: TypeAlias = Table | Rows | kernels.Qrels | kernels.Run
"""A table whose columns have names; rows of a ranking; or a ranking of the compiled reader."""


class Chosen(NamedTuple):
    """Column names chosen by the caller; None: look for a usual name."""

    query: str | None = None
    doc: str | None = None
    value: str | None = None
    run: str | None = None


def unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; refuses one with a name that stands twice."""
    by_name = dict(pairs)
    if len(by_name) < len(pairs):
        raise ValueError(f"holds {repeated(name for name, _ in pairs)!r} twice in one object")
    return by_name


def json_decimal(text: str) -> float | Decimal:
    """Parse a JSON number; one with more digits than a float is kept as Decimal.

    To compare millions of digits takes hours, so there are as few as of whole numbers.
    """
    if len(text) > LONGEST_NUMBER:
        raise ValueError
    return written(text) if has_more_digits(text) else float(text)


def array_of(values: Sequence[Any]) -> NDArray[Any]:
    """Convert whole numbers, booleans or floats to a numpy array; anything else to an array of objects."""
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
    r"""Join ids to bytes, separated by NUL; `error` creates the error for an invalid one's row.

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
        part, reason = encode_id(cell)
        if reason:
            raise error(row, *reason)
        parts.append(part)
    return b"\0".join(parts)


def encode_id(cell: object) -> tuple[bytes, tuple[str, str] | None]:
    """Id as bytes; if the cell is not an id, the problem and the remedy."""
    if isinstance(cell, str):
        try:
            text = cell.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return b"", (f"is {cell!r}, which holds half of a surrogate pair", "it is not valid text")
    elif isinstance(cell, bytes):
        text = cell
    elif not isinstance(cell, bool) and isinstance(cell, numbers.Integral):
        if (bits := int(cell).bit_length()) > LONGEST_ID:
            return b"", (f"is an int of {bits} bits", f"a whole number as an id has at most {LONGEST_ID}")
        text = str(int(cell)).encode()
    else:
        return b"", (f"is {cell!r} of type {type(cell).__name__}", "ids are text or whole numbers")
    if b"\0" in text:
        return b"", (f"is {cell!r}, which holds a NUL character", "ids cannot")
    return text, None if text else ("is empty", "fill it or drop the row")


def kept_exact(numbers: NDArray[Any]) -> Numbers:
    """Convert numbers to float64, or keep them as objects if different ones would become equal."""
    values = doubles(numbers)
    return numbers.astype(object) if loss(numbers, values) else values


def quoted(text: str) -> str:
    """Text from a file, quoted for a message: shortened, and without invisible characters."""
    try:
        return kernels.show(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # half of a surrogate pair, as JSON may have it
        return kernels.show(text.encode("utf-8", "surrogatepass"))


def unknown_column(name: str, names: Sequence[str], table: str) -> DataError:
    """Error for a column that the table lacks."""
    near = nearest(name, names)
    meant = "" if near is None else f"did you mean {quoted(near)}? "
    columns = ", ".join(map(quoted, names[:MAX_LISTED])) + (", ..." if len(names) > MAX_LISTED else "")
    remedy = f"{meant}it has {columns or 'none'}"
    if are_data(names):
        remedy += "; the first line must name the columns, but it looks like data"
    elif ".json" in table and any(name in column.split(".") for column in names):
        remedy += "; a table whose rows have names is read from df.to_json(orient='records')"
    elif len(names) == 1 and not names[0].isalnum():
        remedy += f"; if columns are not separated by , ; | or tabs, say by what with {keyword('separator')}"
    return DataError(f"has no column {quoted(name)}", remedy, location=table)


def are_data(names: Sequence[str]) -> bool:
    """True if the names of columns look like cells: some are numbers other than the columns' indices.

    Examples
    --------
    >>> are_data(["cat", "0.9"]), are_data(["1", "7"]), are_data(["0", "1"]), are_data(["id", "p90"])
    (True, True, False, False)
    """
    numbers = [name for name in names if _NUMBER.fullmatch(name.strip())]
    if any(not name.strip().isdigit() for name in numbers):
        return True
    return len(numbers) == len(names) > 0 and list(names) != list(map(str, range(len(names))))


def uncollected(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Decorator that turns off Python's garbage collector, which is slow on many rows of text."""

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
    """Remedy if no column has a usual name: rename one, or pass its name."""
    reader = "qrels" if role == "grade" else "run"
    names = ", ".join(map(keyword, ("query", "document", "truth", "score")))
    return f"rename one, or name the columns ({names})" + python_only(f", or: certus.io.as_{reader}(..., {role}='...')")


def normalize(name: str) -> str:
    """Column name in the spelling of `COLUMN_NAMES`.

    Examples
    --------
    >>> normalize("corpus-id"), normalize("Query ID")
    ('corpus_id', 'query_id')
    """
    return name.strip().lower().replace("-", "_").replace(" ", "_")


_QUERY_NAMES, _DOCUMENT_NAMES = (frozenset(chain(*COLUMN_NAMES[role])) for role in ("query", "doc"))


def is_header(cells: Sequence[str]) -> bool:
    """True if the cells include names for the query and the document."""
    names = set(map(normalize, cells))
    return not (names.isdisjoint(_QUERY_NAMES) or names.isdisjoint(_DOCUMENT_NAMES))


def role_of(name: str) -> Role | None:
    """Role of a ranking column with this name, or None.

    Examples
    --------
    >>> role_of("docno"), role_of("Rank"), role_of("passage")
    ('doc', 'rank', None)
    """
    return next(
        (role for role, groups in COLUMN_NAMES.items() if any(normalize(name) in group for group in groups)), None
    )


def usual_column(role: Role, names: Iterable[str], table: str) -> str | None:
    """Column with a usual name for the role, or None."""
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
    """Column of queries, by its usual names.

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
    """Columns of queries and, if there is one, of documents.

    Examples
    --------
    >>> id_columns(["query", "docno", "score", "qid", "text"], "the run")
    ['qid', 'docno']
    """
    columns = list(names)
    pair = query_column(columns, table), usual_column("doc", columns, table)
    return [name for name in pair if name is not None]
