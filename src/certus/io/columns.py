"""Columns of labels and of numbers, as every reader of a table of predictions gives them."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.errors import DataError
from certus.exact import doubles, loss
from certus.spelling import nearest

Numbers = NDArray[Any]
"""float64 or float32; objects where float64 would round a whole number."""

LONGEST_ID = 1 << 12
"""Bits of a whole number that is an id; Python writes no longer ones than some 14,000 as text."""
LISTED = 12
"""Column names that an error lists."""


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


class Source(Protocol):
    """A table whose column names are known and whose rows are still to be read."""

    names: tuple[str, ...]

    def read(self, wanted: Wanted) -> Columns:
        """The wanted columns, every row checked."""
        ...

    def place(self, row: int) -> str:
        """The place of a row: file and line, or the number of the row where there are no lines."""
        ...

    def cell_error(self, name: str, row: int, found: str, remedy: str | None = None) -> DataError:
        """An error about one cell, at its line."""
        ...


def array_of(values: Sequence[Any]) -> NDArray[Any]:
    """Whole numbers and booleans as numpy has them, all else as Python objects."""
    kinds = set(map(type, values))
    if kinds == {bool}:
        return np.array(values, dtype=np.bool_)
    if kinds == {int} and all(-(2**63) <= value < 2**63 for value in values):
        return np.array(values, dtype=np.int64)
    if kinds == {float}:
        return np.array(values, dtype=np.float64)
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def joined(cells: Sequence[Any], complain: Callable[[int, str, str], DataError]) -> bytes:
    r"""Ids as one text with NUL bytes between them; `complain` makes the error about the one of a row.

    Examples
    --------
    >>> joined(["d1", 7], lambda row, found, remedy: DataError(found, remedy))
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
        part, why = _id(cell)
        if why:
            raise complain(row, *why)
        parts.append(part)
    return b"\0".join(parts)


def _id(cell: object) -> tuple[bytes, tuple[str, str] | None]:
    """An id as bytes; if the cell is not an id, the reason and the remedy."""
    if isinstance(cell, str):
        try:
            found = cell.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return b"", (f"is {cell!r}, which holds half of a surrogate pair", "it is not valid text")
    elif isinstance(cell, bytes):
        found = cell
    elif isinstance(cell, int | np.integer) and not isinstance(cell, bool):
        if (bits := int(cell).bit_length()) > LONGEST_ID:
            return b"", (f"is an int of {bits} bits", f"a whole number as an id has at most {LONGEST_ID}")
        found = str(cell).encode()
    else:
        return b"", (f"is {cell!r} of type {type(cell).__name__}", "ids are text or whole numbers")
    if b"\0" in found:
        return b"", (f"is {cell!r}, which holds a NUL character", "ids cannot")
    return found, None if found else ("is empty", "fill it or drop the row")


def kept_exact(numbers: NDArray[Any]) -> Numbers:
    """The numbers as float64, or as objects where that would lose what tells two of them apart."""
    found = doubles(numbers)
    return numbers.astype(object) if loss(numbers, found) else found


def quoted(text: str) -> str:
    """A text from a file as a message shows it: in quotes, shortened, nothing invisible in it."""
    try:
        return kernels.show(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # half of a surrogate pair, as JSON may have it
        return kernels.show(text.encode("utf-8", "surrogatepass"))


def unknown(found: str, names: Sequence[str], table: str) -> DataError:
    """The error for a column that the table lacks."""
    near = nearest(found, names)
    meant = "" if near is None else f"did you mean {quoted(near)}? "
    listed = ", ".join(map(quoted, names[:LISTED])) + (", ..." if len(names) > LISTED else "")
    split = "; fields are separated by commas or tabs" if len(names) == 1 and ";" in names[0] else ""
    return DataError(f"has no column {quoted(found)}", f"{meant}it has {listed or 'none'}{split}", place=table)


def line_of(name: str, lines: Sequence[bytes], row: int) -> str:
    """The place of a row in a file: its line. Lines that are blank hold no row."""
    filled = (number for number, line in enumerate(lines, start=1) if line and not line.isspace())
    return f"{name}:{next(islice(filled, row, None))}"
