"""Tables of predictions as comma- or tab-separated text."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus.errors import DataError
from certus.exact import GREATEST, LONGEST_NUMBER, has_more_digits, loss, written
from certus.io._uncollected import uncollected
from certus.io.columns import Columns, Numbers, Wanted, array_of, joined, kept_exact, quoted
from certus.spelling import plural, repeated

if TYPE_CHECKING:
    from _csv import Reader


_ROWS_AT_ONCE = 1 << 12
_FIRST_LINE = re.compile(rb"[^\r\n]+")
_LINE_END = re.compile(rb"\r\n?|\n")
_BREAK = re.compile(r"[\r\n]")
_TAB_SUFFIXES = {".tsv", ".tab"}
_INFINITE = re.compile(r"\s*[+-]?inf(?:inity)?\s*", re.IGNORECASE)
_NO_NUMBER = re.compile(r"\s*[+-]?nan\s*", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")

_Notation = tuple[re.Pattern[str], Callable[[str], object]]
_WHOLE: tuple[_Notation, ...] = (
    (re.compile(r"0|-?[1-9][0-9]{0,17}"), int),
    (re.compile(r"(?:0|-?[1-9][0-9]{0,17})\.0+"), lambda text: int(text.partition(".")[0])),
)
_DECIMAL = re.compile(r"[+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?")
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.0*)?")
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,400}\s*")
_TRUTH: tuple[_Notation, ...] = tuple(
    (re.compile(words), lambda text: text[0] in "Tt") for words in ("True|False", "true|false", "TRUE|FALSE")
)


_TRUTH_VALUES = {
    word: {yes: 1.0, no: 0.0}
    for yes, no in (("True", "False"), ("true", "false"), ("TRUE", "FALSE"))
    for word in (yes, no)
}
"""Of each word for a truth value the words of its column as numbers."""


class OddError(Exception):
    """Something in a piece of the file is not as it should be; the slow reader says what and where."""


class Delimited:
    """A file of comma- or tab-separated values with a header line, quoted as RFC 4180 says.

    Labels are text, but for columns of labels that are all written as whole numbers (``1`` or ``1.0``) or all as
    ``True`` and ``False``. A column of other numbers holds no labels.
    """

    def __init__(self, data: bytes, name: str, separator: str = "") -> None:
        nul = data.find(b"\0")
        if nul >= 0:
            raise DataError("holds a NUL byte", "is it text in UTF-8?", place=f"{name}:{_line_of(data, nul)}")
        self._data = data
        self._name = name
        start = _FIRST_LINE.search(data)
        tab, comma = (start is not None and separator in start[0] for separator in (b"\t", b","))
        self._separator = separator or ("\t" if tab and (not comma or _is_tab_file(name)) else ",")
        line, header = next(self._rows(), (0, []))
        if not header:
            raise DataError("is empty", "its first line must name the columns", place=name)
        twice = repeated(filter(None, header))
        if twice is not None:
            raise DataError(f"two columns are named {quoted(twice)}", "rename or drop one", place=f"{name}:{line}")
        self.names = tuple(header)

    @uncollected
    def read(self, wanted: Wanted) -> Columns:
        """The wanted columns; the first cell that cannot be read is an error."""
        at = self._indices(wanted)
        texts = {name: _Texts() for name in (*wanted.labels, *wanted.keys)}
        numbers: dict[str, list[Numbers]] = {name: [] for name in wanted.numbers}
        ids: dict[str, list[str]] = {name: [] for name in wanted.ids}
        try:
            rows = filter(None, self._reader())
            next(rows)
            truths: dict[str, Mapping[str, float]] = {}
            while piece := list(islice(rows, _ROWS_AT_ONCE)):
                if set(map(len, piece)) != {len(self.names)}:
                    raise OddError
                cells = list(zip(*piece, strict=True))
                for name, text in texts.items():
                    text.add(cells[at[name]])
                for name, parts in numbers.items():
                    found = cells[at[name]]
                    truth = truths.setdefault(name, _TRUTH_VALUES.get(found[0], {}) if wanted.truths else {})
                    parts.append(_from_truth(found, truth) if truth else floats(found))
                for name, known in ids.items():
                    column = cells[at[name]]
                    if not all(column) or tuple(map(str.strip, column)) != column or _BREAK.search("".join(column)):
                        raise OddError
                    known += column
        except (csv.Error, UnicodeDecodeError, OddError):
            raise self._complaint(wanted) from None
        for name in wanted.labels:
            self._check_not_scores(name, texts[name].values)
        labels = _alike([texts[name].values for name in wanted.labels])
        return Columns(
            {name: texts[name].array(values) for name, values in zip(wanted.labels, labels, strict=True)},
            {name: kept_exact(np.concatenate(parts or [np.empty(0)])) for name, parts in numbers.items()},
            {name: texts[name].array(_alike([texts[name].values])[0]) for name in wanted.keys},
            {name: joined(known, partial(self.cell_error, name)) for name, known in ids.items()},
        )

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The cells of every row as they are written, with the number of the row's first line."""
        rows = self._rows()
        next(rows)
        for line, row in rows:
            if len(row) != len(self.names):
                raise self._complaint(Wanted())
            yield line, row

    def _indices(self, wanted: Wanted) -> dict[str, int]:
        every = {name: index for index, name in enumerate(self.names)}
        return {name: every[name] for name in wanted.names}

    def place(self, row: int) -> str:
        """The line of a row."""
        line, _ = next(islice(self._rows(), row + 1, None))
        return f"{self._name}:{line}"

    def cell_error(self, name: str, row: int, found: str, remedy: str | None = None) -> DataError:
        """An error about one cell, at its line."""
        return DataError(f"column {quoted(name)} {found}", remedy, place=self.place(row))

    def _check_not_scores(self, name: str, values: Sequence[str]) -> None:
        if values and all(map(_DECIMAL.fullmatch, values)) and not all(map(_WHOLE_NUMBER.fullmatch, values)):
            found = next(value for value in values if not _WHOLE_NUMBER.fullmatch(value))
            raise DataError(
                f"column {quoted(name)} holds numbers such as {quoted(found)}",
                "labels are whole numbers or text, scores are not labels",
                place=self._name,
            )

    def _reader(self) -> "Reader":
        text = io.TextIOWrapper(io.BytesIO(self._data), encoding="utf-8-sig", newline="")
        return csv.reader(text, delimiter=self._separator, strict=True)

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """Every row that is not blank, with the number of its first line."""
        reader = self._reader()
        line = 1
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise DataError(*_meaning(error), place=f"{self._name}:{line}") from None
            except UnicodeDecodeError:
                raise self._not_utf8() from None
            if row is None:
                return
            if row:
                yield line, row
            line = reader.line_num + 1

    def _not_utf8(self) -> DataError:
        try:
            self._data.decode()
        except UnicodeDecodeError as error:
            line = _line_of(self._data, error.start)
            found = f"is not UTF-8 (byte 0x{self._data[error.start]:02x})"
            return DataError(found, "save it as UTF-8", place=f"{self._name}:{line}")
        return DataError("is not UTF-8", "save it as UTF-8", place=self._name)

    def _complaint(self, wanted: Wanted) -> DataError:
        """The fault of the first row that has one."""
        rows = self._rows()
        next(rows)
        width, at = len(self.names), self._indices(wanted)
        truths: dict[str, Mapping[str, float]] = {}
        for line, row in rows:
            if len(row) != width:
                remedy = "quote a field that holds the separator" if len(row) > width else "no field may be left out"
                fields = plural(len(row), "field")
                return DataError(f"has {fields}, the header has {width}", remedy, place=f"{self._name}:{line}")
            for name in wanted.names:
                cell = row[at[name]]
                truth = truths.setdefault(
                    name, _TRUTH_VALUES.get(cell, {}) if name in wanted.numbers and wanted.truths else {}
                )
                why = (
                    _id_objection(cell) if name in wanted.ids else objection(cell, name in wanted.numbers and not truth)
                )
                if truth and not why and cell not in truth:
                    why = (f"is {quoted(cell)} where other cells are {' or '.join(truth)}", "write all cells alike")
                if why:
                    return DataError(f"column {quoted(name)} {why[0]}", *why[1:], place=f"{self._name}:{line}")
        return DataError("cannot be read", place=self._name)


class _Texts:
    """A column of text: its distinct values, and which of them each row has."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._parts: list[NDArray[np.int32]] = []

    def add(self, cells: Sequence[str]) -> None:
        known = self._known
        for cell in dict.fromkeys(cells):
            if cell not in known:
                if objection(cell):
                    raise OddError
                known[cell] = len(known)
        self._parts.append(np.fromiter(map(known.__getitem__, cells), np.int32, len(cells)))

    @property
    def values(self) -> list[str]:
        return list(self._known)

    def array(self, values: Sequence[object]) -> NDArray[Any]:
        """The column with these in place of its distinct values."""
        return array_of(values)[np.concatenate(self._parts or [np.empty(0, np.int32)])]


def _alike(columns: Sequence[Sequence[str]]) -> list[Sequence[object]]:
    """The columns as whole numbers, as truth values or as text: all of them as the same."""
    for notations in (_WHOLE, _TRUTH):
        read = [_reading(column, notations) for column in columns]
        if None not in read:
            return [values for values in read if values is not None]
    return list(columns)


def _reading(column: Sequence[str], notations: Sequence[_Notation]) -> list[object] | None:
    for pattern, meaning in notations:
        if all(map(pattern.fullmatch, column)):
            return list(map(meaning, column))
    return None


def floats(cells: Sequence[str]) -> Numbers:
    """The numbers that cells of text spell, infinity among them; `kept_exact` of all of them makes them plain."""
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
    precise = has_more_digits(text)
    if not precise and (np.abs(values) < GREATEST).all():
        return values
    # Numbers that are written out stay as they are where float64 would round them, or tie two of them.
    spelled = written if precise else float
    given = np.array([int(cell) if _INTEGER.fullmatch(cell) else spelled(cell.strip()) for cell in cells], dtype=object)
    return given if precise or loss(given, values) else values


def _from_truth(cells: Sequence[str], known: Mapping[str, float]) -> Numbers:
    """Truth values as 1 and 0, all of them written as the first one is."""
    try:
        return np.fromiter(map(known.__getitem__, cells), np.float64, len(cells))
    except KeyError:
        raise OddError from None


def objection(cell: str, number: bool = False) -> tuple[str, ...]:
    """Reason why a cell cannot be read, and the remedy; empty if it can be."""
    if not cell or cell.isspace():
        return "is empty", "fill it or drop the row"
    if _NO_NUMBER.fullmatch(cell):
        return f"is {quoted(cell)}, a missing value", "fill it or drop the row"
    if not number or _INFINITE.fullmatch(cell):
        return ()
    try:
        infinite = not np.isfinite(float(cell if cell.isascii() and "_" not in cell else "?"))
    except ValueError:
        why = f"is {quoted(cell)}, which is not a number"
        return (why, "write decimals with a point") if _DECIMAL_COMMA.fullmatch(cell.strip()) else (why,)
    if infinite:
        return (f"is {quoted(cell)}, which is too large for a double",)
    if len(cell) > LONGEST_NUMBER:
        return f"is a number of {len(cell)} characters", f"at most {LONGEST_NUMBER} are read"
    return ()


def _id_objection(cell: str) -> tuple[str, ...]:
    """Reason why a cell is not an id, and the remedy; empty if it is one, as ``nan`` and ``NA`` are."""
    if not cell or cell.isspace():
        return objection(cell)
    if cell != cell.strip():
        return f"is {quoted(cell)}", "an id cannot start or end with a blank"
    if _BREAK.search(cell):
        return f"is {quoted(cell)}, which holds a line break", "is a quote not closed?"
    return ()


def _meaning(error: csv.Error) -> tuple[str, str]:
    """The complaint of Python's reader, and the remedy."""
    said = str(error)
    if "field limit" in said:
        return f"a field is longer than {csv.field_size_limit()} characters", "is a quote not closed?"
    if "unexpected end" in said:
        return "a quoted field is not closed", "write a quote inside quotes twice"
    return f"a quoted field goes on behind its closing quote ({said})", "write a quote inside quotes twice"


def _line_of(data: bytes, position: int) -> int:
    return len(_LINE_END.findall(data, 0, position)) + 1


def _is_tab_file(name: str) -> bool:
    return any(suffix.lower() in _TAB_SUFFIXES for suffix in PurePath(name).suffixes)
