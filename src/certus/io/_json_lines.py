"""Tables of predictions as JSON Lines: one object a line."""

import json
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from certus.errors import DataError
from certus.exact import doubles, loss
from certus.io._rows import json_decimal
from certus.io._uncollected import uncollected
from certus.io.columns import Columns, Numbers, Wanted, array_of, joined, line_of, quoted
from certus.spelling import repeated

_ROWS_AT_ONCE = 1 << 12
_KINDS: dict[type, str] = {str: "text", bool: "true or false", int: "a number", float: "a number", Decimal: "a number"}
_LONG = re.compile(rb"[0-9][0-9.]{17}")
"""Part of every decimal with more than 17 significant digits, and of some others."""


class JsonLines:
    """A file with one JSON object a line; its first line names the columns, and later ones may hold more.

    A column within an object is named with the names of the objects around it: ``scores.exact_match``.

    Labels are text, numbers, or true and false, all columns of labels alike.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self._name = name
        self._lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        self._long = _LONG.search(data) is not None
        self._paths = _paths(next(self._objects()))
        self.names = tuple(self._paths)

    @uncollected
    def read(self, wanted: Wanted) -> Columns:
        """The wanted columns; the first line that cannot be read is an error."""
        cells: dict[str, list[Any]] = {name: [] for name in wanted.names}
        objects = self._objects()
        while piece := list(islice(objects, _ROWS_AT_ONCE)):
            for name, column in cells.items():
                path = self._paths[name]
                try:
                    column += [_at(row, path) for row in piece] if path[1:] else [row[path[0]] for row in piece]
                except KeyError:
                    row = len(column) + next(i for i, row in enumerate(piece) if _lacks(row, path))
                    raise self._error(row, f"has no {quoted(name)}", "every line must have it, once") from None
        self._check_labels(wanted.labels, cells)
        for name in wanted.keys:
            self._check_labels((name,), cells)
        return Columns(
            {name: _labels(cells[name]) for name in wanted.labels},
            {name: self._numbers(name, cells[name], wanted.truths) for name in wanted.numbers},
            {name: _labels(cells[name]) for name in wanted.keys},
            {name: joined(cells[name], partial(self.cell_error, name)) for name in wanted.ids},
        )

    def _objects(self) -> Iterator[dict[str, Any]]:
        """Every line that is not blank, as an object."""
        # objects arrive as lists of pairs, so that a name that stands twice is seen
        exact = json_decimal if self._long else None  # a call for each number takes longer
        decode = json.JSONDecoder(object_pairs_hook=list, parse_float=exact, parse_constant=_no_constant).raw_decode
        for number, line in enumerate(map(bytes.strip, self._lines), start=1):
            if not line:
                continue
            try:
                text = line.decode()
                pairs, end = decode(text)
            except (ValueError, RecursionError) as error:
                raise DataError(*_meaning(error), place=f"{self._name}:{number}") from None
            if text[0] != "{" or end != len(text):
                raise DataError("is not one JSON object", "write one object a line", place=f"{self._name}:{number}")
            row = dict(pairs)
            if len(row) < len(pairs):
                twice = repeated(name for name, _ in pairs)
                raise DataError(
                    f"{quoted(str(twice))} stands twice in one object", "keep one", place=f"{self._name}:{number}"
                )
            yield row

    def _check_labels(self, names: Sequence[str], cells: dict[str, list[Any]]) -> None:
        """Refuse what is not a label, and labels of different kinds."""
        kinds = {_KINDS.get(kind, "") for name in names for kind in set(map(type, cells[name]))}
        if len(kinds) == 1 and "" not in kinds and not any("" in cells[name] for name in names):
            return
        first = ""
        for name in names:
            for row, value in enumerate(cells[name]):
                kind = _KINDS.get(type(value), "")
                if not kind or value == "":
                    raise self._error(
                        row, f"{quoted(name)} is {_shown(value)}", "a label is text, a number, true or false"
                    )
                first = first or kind
                if kind != first:
                    raise self._error(
                        row,
                        f"{quoted(name)} is {_shown(value)} where other labels are {first}",
                        "write all labels alike",
                    )

    def _numbers(self, name: str, cells: list[Any], truths: bool) -> Numbers:
        kinds = set(map(type, cells))
        if kinds == {bool} and truths:
            return np.array(cells, dtype=np.float64)
        if not kinds <= {int, float, Decimal}:
            row = next(row for row, value in enumerate(cells) if type(value) not in (int, float, Decimal))
            raise self._error(row, f"{quoted(name)} is {_shown(cells[row])}, which is not a number")
        given = np.array(cells, dtype=object)
        numbers = doubles(given)
        if not np.isfinite(numbers).all():
            row = int(np.flatnonzero(~np.isfinite(numbers))[0])
            raise self._error(row, f"{quoted(name)} is too large for a double")
        return given if kinds != {float} and loss(given, numbers) else numbers

    def place(self, row: int) -> str:
        """The line of a row."""
        return line_of(self._name, self._lines, row)

    def cell_error(self, name: str, row: int, found: str, remedy: str | None = None) -> DataError:
        """An error about one cell, at its line."""
        return self._error(row, f"column {quoted(name)} {found}", remedy)

    def _error(self, row: int, found: str, remedy: str | None = None) -> DataError:
        return DataError(found, remedy, place=self.place(row))


def _paths(row: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """The names from the outermost to the innermost of every value that is not an object, by the column's name."""
    found: dict[str, tuple[str, ...]] = {}
    level: list[tuple[tuple[str, ...], Any]] = [((name,), value) for name, value in row.items()]
    while level:  # the outer names first, so that a name with a dot of its own is that column
        for path, value in level:
            if not _is_object(value):
                found.setdefault(".".join(path), path)
        level = [((*path, name), inner) for path, value in level if _is_object(value) for name, inner in value]
    return found


def _is_object(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], tuple)


def _at(row: dict[str, Any], path: tuple[str, ...]) -> Any:
    """The value at a path; KeyError where there is none, or one of two names of an object are the same."""
    value: Any = row
    for name in path:
        if value is not row:
            if not _is_object(value) or [each for each, _ in value].count(name) != 1:
                raise KeyError(name)
            value = dict(value)
        value = value[name]
    return value


def _lacks(row: dict[str, Any], path: tuple[str, ...]) -> bool:
    try:
        _at(row, path)
    except KeyError:
        return True
    return False


def is_flat(line: bytes) -> bool:
    """True if a line is a whole JSON object of several plain values and maps no id to an object or a list."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(found, dict) or len(found) < 2:
        return False
    kinds = set(map(type, found.values()))
    return dict not in kinds and kinds != {list}


def _labels(cells: list[Any]) -> NDArray[Any]:
    kinds = set(map(type, cells))
    if Decimal in kinds:
        return _labels([float(cell) if isinstance(cell, Decimal) else cell for cell in cells])
    if kinds == {str} or float not in kinds:
        return array_of(cells)
    numbers = np.array(cells, dtype=np.float64)
    if not all(value == number for value, number in zip(cells, numbers.tolist(), strict=True)):
        return array_of([int(value) if float(value).is_integer() else value for value in cells])
    whole = numbers.astype(np.int64)
    return whole if (whole == numbers).all() else numbers


def _no_constant(found: str) -> NoReturn:
    raise ValueError(f"holds {found}, which is not a number in JSON")


def _meaning(error: Exception) -> tuple[str, ...]:
    if isinstance(error, json.JSONDecodeError):
        return f"is not valid JSON: {error.msg} (column {error.colno})", "write one object a line"
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 (byte 0x{error.object[error.start]:02x})", "save it as UTF-8"
    if isinstance(error, RecursionError):
        return "is nested too deeply", "write one object of plain values a line"
    return (str(error) if str(error).startswith("holds") else "holds a number that is too long",)


def _shown(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return "an array or an object"
    return quoted(value) if isinstance(value, str) else json.dumps(value, default=float)
