"""Columns of labels, numbers, keys and ids: what is asked of a table, and how its cells become values.

Every table reads what is `Wanted` to `Columns`, and makes the errors about its cells. Cells of text become values here.
"""

import gc
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.errors import DataError
from certus.exact import GREATEST, LONGEST_NUMBER, doubles, has_more_digits, loss, written
from certus.spelling import nearest

_P = ParamSpec("_P")
_T = TypeVar("_T")
Numbers = NDArray[Any]
"""float64 or float32; objects where float64 would round a whole number."""

LONGEST_ID = 1 << 12
"""Bits of a whole number that is an id; Python writes no longer ones than some 14,000 as text."""
MAX_LISTED = 12
"""Column names that an error lists."""
_BREAK = re.compile(r"[\r\n]")
_INFINITE = re.compile(r"\s*[+-]?inf(?:inity)?\s*", re.IGNORECASE)
_NO_NUMBER = re.compile(r"\s*[+-]?nan\s*", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
_DECIMAL = re.compile(r"[+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?")
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.0*)?")
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,400}\s*")

_Notation = tuple[re.Pattern[str], Callable[[str], object]]
_INTEGERS: tuple[_Notation, ...] = (
    (re.compile(r"0|-?[1-9][0-9]{0,17}"), int),
    (re.compile(r"(?:0|-?[1-9][0-9]{0,17})\.0+"), lambda text: int(text.partition(".")[0])),
)
_TRUTH_WORDS = (("True", "False"), ("true", "false"), ("TRUE", "FALSE"))
_TRUTH: tuple[_Notation, ...] = tuple(
    (re.compile("|".join(words)), lambda text: text[0] in "Tt") for words in _TRUTH_WORDS
)
TRUTH_VALUES = {word: {yes: 1.0, no: 0.0} for yes, no in _TRUTH_WORDS for word in (yes, no)}
"""Of each word for a truth value the words of its column as numbers."""


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

    def cell_error(self, name: str, row: int, found: str, remedy: str | None = None) -> DataError:
        """An error about one cell, at its line."""
        return self.row_error(row, f"column {quoted(name)} {found}", remedy)

    def row_error(self, row: int, found: str, remedy: str | None = None) -> DataError:
        """An error about a row, at its line."""
        return DataError(found, remedy, place=self.location(row))


class OddError(Exception):
    """A cell is not as it should be; whoever knows its row says what and where."""


class TextColumn:
    """A column of text: its distinct values, and which of them each row has."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._blocks: list[NDArray[np.int32]] = []

    def add(self, cells: Sequence[str]) -> None:
        """Append the cells of some rows."""
        codes = self._codes
        for cell in dict.fromkeys(cells):
            if cell not in codes:
                if objection(cell):
                    raise OddError
                codes[cell] = len(codes)
        self._blocks.append(np.fromiter(map(codes.__getitem__, cells), np.int32, len(cells)))

    @property
    def values(self) -> list[str]:
        """The distinct values, in the order of their first rows."""
        return list(self._codes)

    def array(self, values: Sequence[object]) -> NDArray[Any]:
        """The column with these in place of its distinct values."""
        return array_of(values)[np.concatenate(self._blocks or [np.empty(0, np.int32)])]


def labels_of(columns: Sequence[TextColumn]) -> list[NDArray[Any]]:
    """The columns as whole numbers, as truth values or as text: all of them as the same."""
    texts = [column.values for column in columns]
    values: list[Sequence[object]] = list(texts)
    for notations in (_INTEGERS, _TRUTH):
        parsed = [_parse(column, notations) for column in texts]
        if None not in parsed:
            values = [column for column in parsed if column is not None]
            break
    return [column.array(meanings) for column, meanings in zip(columns, values, strict=True)]


def _parse(column: Sequence[str], notations: Sequence[_Notation]) -> list[object] | None:
    for pattern, meaning in notations:
        if all(map(pattern.fullmatch, column)):
            return list(map(meaning, column))
    return None


def check_not_scores(column: TextColumn, name: str, table: str) -> None:
    """Refuse labels that are decimal numbers."""
    values = column.values
    if values and all(map(_DECIMAL.fullmatch, values)) and not all(map(_WHOLE_NUMBER.fullmatch, values)):
        score = next(value for value in values if not _WHOLE_NUMBER.fullmatch(value))
        raise DataError(
            f"column {quoted(name)} holds numbers such as {quoted(score)}",
            "labels are whole numbers or text, scores are not labels",
            place=table,
        )


def numbers_of(cells: Sequence[str]) -> Numbers:
    """The numbers that cells of text spell, infinity included; `kept_exact` of the whole column follows."""
    try:
        values = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        raise OddError from None
    text = "\n".join(cells)
    if (
        not text.isascii()
        or "_" in text
        or any(objection(cells[i], True) for i in np.flatnonzero(~np.isfinite(values)).tolist())
    ):
        raise OddError
    if len(text) > LONGEST_NUMBER and max(map(len, cells)) > LONGEST_NUMBER:
        raise OddError
    is_precise = has_more_digits(text)
    if not is_precise and (np.abs(values) < GREATEST).all():
        return values
    # Numbers that are written out stay as they are where float64 would round them, or tie two of them.
    spelled = written if is_precise else float
    exact = np.array([int(cell) if _INTEGER.fullmatch(cell) else spelled(cell.strip()) for cell in cells], dtype=object)
    return exact if is_precise or loss(exact, values) else values


def json_decimal(text: str) -> float | Decimal:
    """A number of JSON; more digits than a double is ever written with are kept, to be compared.

    To compare millions of digits takes hours, so there are as few as of whole numbers.
    """
    if len(text) > LONGEST_NUMBER:
        raise ValueError
    return written(text) if has_more_digits(text) else float(text)


def truths_of(cells: Sequence[str], meanings: Mapping[str, float]) -> Numbers:
    """Truth values as 1 and 0, all of them written as the first one is."""
    try:
        return np.fromiter(map(meanings.__getitem__, cells), np.float64, len(cells))
    except KeyError:
        raise OddError from None


def check_ids(cells: Sequence[str]) -> None:
    """Raise `OddError` unless all cells of text are ids."""
    if not all(cells) or tuple(map(str.strip, cells)) != cells or _BREAK.search("".join(cells)):
        raise OddError


def objection(cell: str, is_number: bool = False) -> tuple[str, ...]:
    """Reason why a cell cannot be read, and the remedy; empty if it can be."""
    if not cell or cell.isspace():
        return "is empty", "fill it or drop the row"
    if _NO_NUMBER.fullmatch(cell):
        return f"is {quoted(cell)}, a missing value", "fill it or drop the row"
    if not is_number or _INFINITE.fullmatch(cell):
        return ()
    try:
        is_infinite = not np.isfinite(float(cell if cell.isascii() and "_" not in cell else "?"))
    except ValueError:
        reason = f"is {quoted(cell)}, which is not a number"
        return (reason, "write decimals with a point") if _DECIMAL_COMMA.fullmatch(cell.strip()) else (reason,)
    if is_infinite:
        return (f"is {quoted(cell)}, which is too large for a double",)
    if len(cell) > LONGEST_NUMBER:
        return f"is a number of {len(cell)} characters", f"at most {LONGEST_NUMBER} are read"
    return ()


def id_objection(cell: str) -> tuple[str, ...]:
    """Reason why a cell is not an id, and the remedy; empty if it is one, as ``nan`` and ``NA`` are."""
    if not cell or cell.isspace():
        return objection(cell)
    if cell != cell.strip():
        return f"is {quoted(cell)}", "an id cannot start or end with a blank"
    if _BREAK.search(cell):
        return f"is {quoted(cell)}, which holds a line break", "is a quote not closed?"
    return ()


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
    >>> join_ids(["d1", 7], lambda row, found, remedy: DataError(found, remedy))
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
    return DataError(f"has no column {quoted(name)}", f"{meant}it has {columns or 'none'}{split}", place=table)


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
