"""Text tables: comma- or tab-separated values, columns separated by blanks, and JSON Lines."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain, islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, keyword
from certus.core.exact import GREATEST, LONGEST_NUMBER, doubles, has_more_digits, loss, written
from certus.core.spelling import plural, repeated
from certus.io.columns import (
    Columns,
    Numbers,
    Table,
    Wanted,
    are_data,
    array_of,
    join_ids,
    json_decimal,
    kept_exact,
    quoted,
    uncollected,
)
from certus.io.sources import dialect

if TYPE_CHECKING:
    from _csv import Reader


_BREAK = re.compile(r"[\r\n]")
_INFINITE = re.compile(r"\s*[+-]?inf(?:inity)?\s*", re.IGNORECASE)
_NO_NUMBER = re.compile(r"\s*[+-]?nan\s*", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
_DECIMAL = re.compile(r"[+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?")
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.0*)?")
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,400}\s*")

_Meaning = tuple[re.Pattern[str], Callable[[str], object]]
_Notation: TypeAlias = "_Truths | _Decimals"
"""A way to write all numbers of a column."""
_INTEGERS: tuple[_Meaning, ...] = (
    (re.compile(r"0|-?[1-9][0-9]{0,17}"), int),
    (re.compile(r"(?:0|-?[1-9][0-9]{0,17})\.0+"), lambda text: int(text.partition(".")[0])),
)
_TRUTH_WORDS = (("True", "False"), ("true", "false"), ("TRUE", "FALSE"))
_TRUTH: tuple[_Meaning, ...] = tuple(
    (re.compile("|".join(words)), lambda text: text[0] in "Tt") for words in _TRUTH_WORDS
)
_TRUTH_VALUES = {word: {yes: 1.0, no: 0.0} for yes, no in _TRUTH_WORDS for word in (yes, no)}
_ROWS_AT_ONCE = 1 << 12
_FILL = "fill it or drop the row"
_LINE_END = re.compile(rb"\r\n?|\n")
_TAB_SUFFIXES = {".tsv", ".tab"}
_SEPARATORS = "\t,;|"
_START_BYTES = 1 << 14
"""Bytes in which rows are looked at for what separates their cells."""
_PERCENT = re.compile(r"\s*([+-]?[0-9]*\.?[0-9]+)\s*%\s*")
_WORDS_OF_SUCCESS = {"yes": "no", "pass": "fail", "passed": "failed", "correct": "incorrect", "right": "wrong"}
"""Usual words for a value of 1, in lower case, each with that for 0."""
LONG_NUMBER = re.compile(rb"[0-9][0-9.]{17}")
"""Part of every decimal with more than 17 significant digits, and of some others."""
_NUMBER = "a number"
_JSON_TYPES: dict[type, str] = {str: "text", bool: "true or false", int: _NUMBER, float: _NUMBER, Decimal: _NUMBER}


class Delimited(Table):
    """A file of comma- or tab-separated values with a header line, quoted as in RFC 4180.

    Labels are text, but for columns of labels all whole numbers (``1`` or ``1.0``), all ``True`` and ``False``,
    or some these and the others 1 and 0. A column of other numbers holds no labels.
    """

    def __init__(self, data: bytes, name: str, separator: str = "") -> None:
        nul = data.find(b"\0")
        if nul >= 0:
            raise DataError("holds a NUL byte", "is it text in UTF-8?", location=f"{name}:{_line_of(data, nul)}")
        self._data = data
        self.name = name
        current = dialect()
        self._decimal = current.use("decimal") or "."
        self._separator = current.use("separator") or separator or _separator_of(data, name)
        line, header = next(self._rows(), (0, []))
        if not header:
            raise DataError("is empty", "its first line must name the columns", location=name)
        twice = repeated(filter(None, header))
        if twice is not None:
            problem = f"two columns are named {quoted(twice)}"
            if are_data(header):
                problem = f"the first line must name the columns, but it looks like data: {quoted(','.join(header))}"
            raise DataError(problem, "rename or drop one", location=f"{name}:{line}")
        if header[0].lower() == "sep=":
            raise DataError("the first line tells Excel the separator", "delete it", location=f"{name}:{line}")
        self.names = tuple(header)

    @uncollected
    def read(self, wanted: Wanted) -> Columns:
        """Read the wanted columns; the first unreadable cell is an error."""
        indices = self._indices(wanted)
        texts = {name: _TextColumn() for name in (*wanted.labels, *wanted.keys)}
        numbers: dict[str, list[Numbers]] = {name: [] for name in wanted.numbers}
        ids: dict[str, list[str]] = {name: [] for name in wanted.ids}
        notations: dict[str, _Notation] = {}
        try:
            rows = filter(None, self._reader())
            next(rows)
            while block := list(islice(rows, _ROWS_AT_ONCE)):
                if set(map(len, block)) != {len(self.names)}:
                    raise _OddError
                cells = list(zip(*block, strict=True))
                for name, text in texts.items():
                    text.add(cells[indices[name]])
                for name, blocks in numbers.items():
                    column = cells[indices[name]]
                    if name not in notations:
                        notations[name] = self._notation(column[0], wanted)
                    blocks.append(notations[name].read(column))
                for name, values in ids.items():
                    _check_ids(cells[indices[name]])
                    values += cells[indices[name]]
        except (csv.Error, UnicodeDecodeError, _OddError):
            raise self._first_fault(wanted) from None
        for name in wanted.labels:
            if self._decimal == "," and (fault := texts[name].take_decimal_commas()):
                raise DataError(f"column {quoted(name)} {fault[0]}", *fault[1:], location=self.name)
            _check_not_scores(texts[name], name, self.name)
        for name, notation in notations.items():
            if notation.is_percent:
                dialect().add_note(f"column {quoted(name)} is in percent: 50% is read as 0.5")
        labels = _labels_of([texts[name] for name in wanted.labels])
        return Columns(
            dict(zip(wanted.labels, labels, strict=True)),
            {name: kept_exact(np.concatenate(blocks or [np.empty(0)])) for name, blocks in numbers.items()},
            {name: _labels_of([texts[name]])[0] for name in wanted.keys},
            {name: join_ids(values, partial(self.cell_error, name)) for name, values in ids.items()},
        )

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Rows as written, each with the number of its first line."""
        rows = self._rows()
        next(rows)
        for line, row in rows:
            if len(row) != len(self.names):
                raise self._first_fault(Wanted())
            yield line, row

    def location(self, row: int) -> str:
        """File and line of a row."""
        line, _ = next(islice(self._rows(), row + 1, None))
        return f"{self.name}:{line}"

    def _indices(self, wanted: Wanted) -> dict[str, int]:
        """Index of each wanted column, by name."""
        indices = {name: index for index, name in enumerate(self.names)}
        return {name: indices[name] for name in wanted.names}

    def _reader(self) -> "Reader":
        """CSV reader over the decoded bytes, strict about quotes."""
        text = io.TextIOWrapper(io.BytesIO(self._data), encoding="utf-8-sig", newline="")
        return csv.reader(text, delimiter=self._separator, strict=True)

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """Rows that are not blank, each with the number of its first line."""
        reader = self._reader()
        line = 1
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise DataError(*_csv_fault(error), location=f"{self.name}:{line}") from None
            except UnicodeDecodeError:
                raise self._not_utf8() from None
            if row is None:
                return
            if row:
                yield line, row
            line = reader.line_num + 1

    def _not_utf8(self) -> DataError:
        """Error for the first byte that is not UTF-8, with its line."""
        try:
            self._data.decode()
        except UnicodeDecodeError as error:
            line = _line_of(self._data, error.start)
            problem = f"is not UTF-8 (byte 0x{self._data[error.start]:02x})"
            return DataError(problem, "save it as UTF-8", location=f"{self.name}:{line}")
        return DataError("is not UTF-8", "save it as UTF-8", location=self.name)

    def _notation(self, first: str, wanted: Wanted) -> "_Notation":
        """The notation of a column of numbers, by its first cell."""
        if wanted.truths and (meanings := _TRUTH_VALUES.get(first)):
            return _Truths(meanings)
        return _Decimals(self._decimal, first.rstrip().endswith("%"))

    def _first_fault(self, wanted: Wanted) -> DataError:
        """Error about the first row with a fault."""
        rows = self._rows()
        next(rows)
        width, indices = len(self.names), self._indices(wanted)
        notations: dict[str, _Notation] = {}
        for line, row in rows:
            if len(row) != width:
                remedy = "quote a field that holds the separator" if len(row) > width else "no field may be left out"
                if width == 1 and len(row) > 1:
                    remedy = f"the first line names one column, {quoted(self.names[0])}; {remedy}"
                fields = plural(len(row), "field")
                return DataError(f"has {fields}, the header has {width}", remedy, location=f"{self.name}:{line}")
            for name, index in indices.items():
                cell = row[index]
                if name in wanted.numbers:
                    reason = notations.setdefault(name, self._notation(cell, wanted)).objection(cell)
                else:
                    reason = _id_objection(cell) if name in wanted.ids else _objection(cell)
                if reason:
                    problem, *rest = reason
                    return DataError(f"column {quoted(name)} {problem}", *rest, location=f"{self.name}:{line}")
        return DataError("cannot be read", location=self.name)


class _Lines(Table):
    """A table with one row a line; blank lines are skipped."""

    _lines: list[bytes]

    def location(self, row: int) -> str:
        """File and line of a row."""
        nonblank = (number for number, line in enumerate(self._lines, start=1) if line and not line.isspace())
        return f"{self.name}:{next(islice(nonblank, row, None))}"


class Blanks(_Lines):
    """Lines of columns separated by blanks or tabs, without a header; the format names the columns."""

    @uncollected
    def __init__(self, data: bytes, name: str, names: tuple[str, ...]) -> None:
        self.name, self.names = name, names
        self._lines = data.split(b"\n")
        self._rows = [cells for cells in map(bytes.split, self._lines) if cells]
        nul = data.find(b"\0")
        if nul >= 0:
            line = data.count(b"\n", 0, nul) + 1
            remedy = "the file is binary, damaged or UTF-16"
            raise DataError("the line holds a NUL byte", remedy, location=f"{name}:{line}")
        if set(map(len, self._rows)) - {len(names)}:
            row = next(row for row, cells in enumerate(self._rows) if len(cells) != len(names))
            expected = f"expected {len(names)}, separated by blanks: {' '.join(names)}"
            raise self.row_error(row, f"the line has {plural(len(self._rows[row]), 'column')}", expected)

    @uncollected
    def read(self, wanted: Wanted) -> Columns:
        """Read the wanted numbers and ids; the first cell that is not a number is an error."""
        cells = dict(zip(self.names, zip(*self._rows, strict=True), strict=False))
        return Columns(
            {},
            {name: self._numbers(name, cells.get(name, ())) for name in wanted.numbers},
            {},
            {name: b"\0".join(cells.get(name, ())) for name in wanted.ids},
        )

    def _numbers(self, name: str, cells: tuple[bytes, ...]) -> Numbers:
        """Parse the cells of a column as numbers; the first cell that is not one is an error with its line."""
        texts = [cell.decode("utf-8", "backslashreplace") for cell in cells]
        try:
            return kept_exact(_numbers_of(texts))
        except _OddError:
            row = next(row for row, text in enumerate(texts) if _objection(text, is_number=True))
            raise self.cell_error(name, row, *_objection(texts[row], is_number=True)) from None

    def cell_error(self, name: str, row: int, problem: str, remedy: str | None = None) -> DataError:
        """Error about a cell, with its file and line."""
        return self.row_error(row, f"the {name} {problem}", remedy)


class JsonLines(_Lines):
    """A file with one JSON object a line; the first one names the columns, others may have more.

    A column within an object is named with the names of the objects around it: ``scores.exact_match``.

    Labels are text, numbers, or true and false, all columns of labels alike; columns of 1 and 0 go with truth values.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self._lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        self._has_long_numbers = LONG_NUMBER.search(data) is not None
        self._paths = paths_of(next(self._objects()))
        self.names = tuple(self._paths)

    @uncollected
    def read(self, wanted: Wanted) -> Columns:
        """Read the wanted columns; the first unreadable line is an error."""
        cells: dict[str, list[Any]] = {name: [] for name in wanted.names}
        objects = self._objects()
        while block := list(islice(objects, _ROWS_AT_ONCE)):
            for name, column in cells.items():
                path = self._paths[name]
                try:
                    column += [_value_at(row, path) for row in block] if path[1:] else [row[path[0]] for row in block]
                except KeyError:
                    row = len(column) + next(i for i, row in enumerate(block) if _is_missing(row, path))
                    raise self.row_error(row, f"has no {quoted(name)}", "every row must have it, once") from None
        self._check_labels(wanted.labels, cells)
        for name in wanted.keys:
            self._check_labels((name,), cells)
        return Columns(
            {name: _json_labels(cells[name]) for name in wanted.labels},
            {name: self._numbers(name, cells[name], wanted.truths) for name in wanted.numbers},
            {name: _json_labels(cells[name]) for name in wanted.keys},
            {name: join_ids(cells[name], partial(self.cell_error, name)) for name in wanted.ids},
        )

    def _objects(self) -> Iterator[dict[str, Any]]:
        """Objects of the lines that are not blank."""
        import json  # here, as few tables are of JSON

        # objects arrive as lists of pairs, so that a name that stands twice is seen
        parse_float = json_decimal if self._has_long_numbers else None  # a call for each number takes longer
        decoder = json.JSONDecoder(object_pairs_hook=list, parse_float=parse_float, parse_constant=refuse_constant)
        for number, line in enumerate(map(bytes.strip, self._lines), start=1):
            if not line:
                continue
            location = f"{self.name}:{number}"
            try:
                text = line.decode()
                pairs, end = decoder.raw_decode(text)
            except (ValueError, RecursionError) as error:
                raise DataError(*json_fault(error), location=location) from None
            if text[0] != "{" or end != len(text):
                raise DataError("is not one JSON object", "write one object a line", location=location)
            row = dict(pairs)
            if len(row) < len(pairs):
                twice = repeated(name for name, _ in pairs)
                raise DataError(f"{quoted(str(twice))} stands twice in one object", "keep one", location=location)
            yield row

    def _check_labels(self, names: Sequence[str], cells: dict[str, list[Any]]) -> None:
        """Refuse values that are not labels, and labels of different types."""
        types = {_JSON_TYPES.get(type_, "") for name in names for type_ in set(map(type, cells[name]))}
        if len(types) == 1 and "" not in types and not any("" in cells[name] for name in names):
            return
        if types == {_NUMBER, "true or false"} and {*chain(*(cells[name] for name in names))} <= {0, 1}:
            names = [name for name in names if len({isinstance(value, bool) for value in cells[name]}) > 1]
        first = ""
        for name in names:
            for row, value in enumerate(cells[name]):
                type_ = _JSON_TYPES.get(type(value), "")
                if not type_ or value == "":
                    remedy = _FILL if value in ("", None) else "a label is text, a number, true or false"
                    raise self.row_error(row, f"{quoted(name)} is {_json_text(value)}", remedy)
                first = first or type_
                if type_ != first:
                    problem = f"{quoted(name)} is {_json_text(value)} where other labels are {first}"
                    raise self.row_error(row, problem, "write all labels alike")

    def _numbers(self, name: str, cells: list[Any], has_truths: bool) -> Numbers:
        """Convert a column's JSON values to numbers; booleans become 1 and 0 if `has_truths`."""
        types = set(map(type, cells))
        if types == {bool} and has_truths:
            return np.array(cells, dtype=np.float64)
        if not types <= {int, float, Decimal}:
            row = next(row for row, value in enumerate(cells) if type(value) not in (int, float, Decimal))
            problem = f"{quoted(name)} is {_json_text(cells[row])}, which is not a number"
            raise self.row_error(row, problem, _FILL if cells[row] in ("", None) else None)
        exact = np.array(cells, dtype=object)
        numbers = doubles(exact)
        if not np.isfinite(numbers).all():
            row = int(np.flatnonzero(~np.isfinite(numbers))[0])
            raise self.row_error(row, f"{quoted(name)} is too large for a double")
        return exact if types != {float} and loss(exact, numbers) else numbers


class _OddError(Exception):
    """Unreadable cell; the caller knows its row and reports it."""


class _TextColumn:
    """A column of text, stored as distinct values and a code for each row."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._blocks: list[NDArray[np.int32]] = []

    def add(self, cells: Sequence[str]) -> None:
        """Append the cells of some rows."""
        codes = self._codes
        for cell in dict.fromkeys(cells):
            if cell not in codes:
                if _objection(cell):
                    raise _OddError
                codes[cell] = len(codes)
        self._blocks.append(np.fromiter(map(codes.__getitem__, cells), np.int32, len(cells)))

    def take_decimal_commas(self) -> tuple[str, ...]:
        """Read labels that are all numbers with a decimal comma as such; the objection to one with a point."""
        commas = [text.replace(",", ".") for text in self._codes]
        if all(map(_DECIMAL.fullmatch, commas)):
            if (mixed := next((text for text in self._codes if "." in text), None)) is not None:
                return f"holds {quoted(mixed)}, with a point where decimals follow a comma", "write all labels alike"
            self._codes = dict(zip(commas, self._codes.values(), strict=True))
        return ()

    @property
    def values(self) -> list[str]:
        """Distinct values in order of appearance."""
        return list(self._codes)

    def array(self, values: Sequence[object]) -> NDArray[Any]:
        """Column with its distinct values replaced by these."""
        return array_of(values)[np.concatenate(self._blocks or [np.empty(0, np.int32)])]


def _separator_of(data: bytes, name: str) -> str:
    """The separator that the header line shows; where it shows several, the one that all first rows are split by."""
    lines = data[:_START_BYTES].decode("utf-8-sig", "replace").splitlines(keepends=True)
    lines = lines if len(data) <= _START_BYTES else lines[:-1] or lines
    start = next((index for index, line in enumerate(lines) if line.strip("\r\n")), len(lines))

    def widths(separator: str, last: int | None) -> list[int]:
        try:
            return [len(row) for row in csv.reader(lines[start:last], delimiter=separator) if row]
        except csv.Error:
            return [1]

    candidates = [mark for mark in _SEPARATORS if widths(mark, start + 1)[:1] > [1]]
    if {*candidates} <= {"\t", ","}:
        is_tab_file = any(suffix.lower() in _TAB_SUFFIXES for suffix in PurePath(name).suffixes)
        return "\t" if "\t" in candidates and ("," not in candidates or is_tab_file) else ","
    fitting = [mark for mark in candidates if len({*widths(mark, None)}) == 1] if len(candidates) > 1 else candidates
    if len(fitting) > 1:
        marks = " or ".join(map(repr, fitting))
        raise DataError(f"columns may be separated by {marks}", f"say which with {keyword('separator')}", location=name)
    return (fitting or candidates)[0]


def _labels_of(columns: Sequence[_TextColumn]) -> list[NDArray[Any]]:
    """Columns of labels: whole numbers, truth values or text, the same kind for all."""
    texts = [column.values for column in columns]
    values: Sequence[Sequence[object]] = texts
    integers, truths = ([_parse(column, notations) for column in texts] for notations in (_INTEGERS, _TRUTH))
    mixed = [column or other for column, other in zip(integers, truths, strict=True)]
    for parsed in (integers, truths, mixed):
        cells = [column for column in parsed if column is not None]
        if len(cells) == len(texts) and (parsed is not mixed or {*chain(*cells)} <= {0, 1}):
            values = [[int(cell == 1) for cell in column] for column in cells] if parsed is mixed else cells
            break
    return [column.array(meanings) for column, meanings in zip(columns, values, strict=True)]


def _parse(column: Sequence[str], notations: Sequence[_Meaning]) -> list[object] | None:
    """Parse a column by the first notation that all its cells match; otherwise None."""
    for pattern, meaning in notations:
        if all(map(pattern.fullmatch, column)):
            return list(map(meaning, column))
    return None


def _check_not_scores(column: _TextColumn, name: str, table: str) -> None:
    """Refuse labels that are decimal numbers."""
    values = column.values
    if values and all(map(_DECIMAL.fullmatch, values)) and not all(map(_WHOLE_NUMBER.fullmatch, values)):
        score = next(value for value in values if not _WHOLE_NUMBER.fullmatch(value))
        raise DataError(
            f"column {quoted(name)} holds numbers such as {quoted(score)}",
            "labels are whole numbers or text, scores are not labels",
            location=table,
        )


def _numbers_of(cells: Sequence[str]) -> Numbers:
    """Parse cells as numbers, infinity included; `kept_exact` of the whole column follows."""
    try:
        values = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        raise _OddError from None
    text = "\n".join(cells)
    if (
        not text.isascii()
        or "_" in text
        or any(_objection(cells[i], True) for i in np.flatnonzero(~np.isfinite(values)).tolist())
    ):
        raise _OddError
    if len(text) > LONGEST_NUMBER and max(map(len, cells)) > LONGEST_NUMBER:
        raise _OddError
    is_precise = has_more_digits(text)
    if not is_precise and (np.abs(values) < GREATEST).all():
        return values
    # Numbers that are written out stay as they are where float64 would round them, or tie two of them.
    spelled = written if is_precise else float
    exact = np.array([int(cell) if _INTEGER.fullmatch(cell) else spelled(cell.strip()) for cell in cells], dtype=object)
    return exact if is_precise or loss(exact, values) else values


class _Truths:
    """True as 1 and false as 0."""

    is_percent = False

    def __init__(self, meanings: Mapping[str, float]) -> None:
        self._meanings = meanings

    def read(self, cells: Sequence[str]) -> Numbers:
        """The numbers; `_OddError` where a cell is written in another way."""
        try:
            return np.fromiter(map(self._meanings.__getitem__, cells), np.float64, len(cells))
        except KeyError:
            raise _OddError from None

    def objection(self, cell: str) -> tuple[str, ...]:
        """Reason why a cell is not a truth value, and the remedy; empty if it is one."""
        if cell in self._meanings:
            return ()
        words = " or ".join(self._meanings)
        return _objection(cell) or (f"is {quoted(cell)} where other cells are {words}", "write all cells alike")


class _Decimals:
    """Decimals after a point or a comma; percents, all cells with their sign, are hundredths."""

    def __init__(self, decimal: str, is_percent: bool) -> None:
        self._has_commas, self.is_percent = decimal == ",", is_percent

    def read(self, cells: Sequence[str]) -> Numbers:
        """The numbers."""
        if self._has_commas:
            if any("." in cell for cell in cells):
                raise _OddError
            cells = [cell.replace(",", ".") for cell in cells]
        if not self.is_percent:
            return _numbers_of(cells)
        matches = list(map(_PERCENT.fullmatch, cells))
        if None in matches:
            raise _OddError
        # an exponent rounds once, a division would round twice
        return _numbers_of([f"{match[1]}e-2" for match in matches if match is not None])

    def objection(self, cell: str) -> tuple[str, ...]:
        """Reason why a cell is not a number."""
        text = cell.replace(",", ".") if self._has_commas else cell
        match = _PERCENT.fullmatch(text)
        if self.is_percent and not match and not _objection(cell):
            return f"is {quoted(cell)} where other cells are in percent", "write all cells alike"
        if match and not self.is_percent:
            return f"is {quoted(cell)} where other cells are not in percent", "write all cells alike"
        if self._has_commas and "." in cell:
            return f"is {quoted(cell)}, with a point where decimals follow a comma", "write no separator of thousands"
        reason = _objection(f"{match[1]}e-2" if match else text, True)
        if reason and text != cell and not _objection(cell):
            return (f"is {quoted(cell)}, which is not a number",)
        return reason


def _check_ids(cells: Sequence[str]) -> None:
    """Raise `_OddError` unless all cells are ids."""
    if not all(cells) or tuple(map(str.strip, cells)) != cells or _BREAK.search("".join(cells)):
        raise _OddError


def _objection(cell: str, is_number: bool = False) -> tuple[str, ...]:
    """Problem and remedy of an unreadable cell; empty if it is readable."""
    if not cell or cell.isspace():
        return "is empty", _FILL
    if _NO_NUMBER.fullmatch(cell):
        return f"is {quoted(cell)}, a missing value", _FILL
    if not is_number or _INFINITE.fullmatch(cell):
        return ()
    try:
        is_infinite = not np.isfinite(float(cell if cell.isascii() and "_" not in cell else "?"))
    except ValueError:
        reason = f"is {quoted(cell)}, which is not a number"
        if _DECIMAL_COMMA.fullmatch(cell.strip()):
            return reason, f"{keyword('decimal', ',')} reads decimals after a comma; thousands need no separator"
        if (word := cell.strip().lower()) in (*_WORDS_OF_SUCCESS, *_WORDS_OF_SUCCESS.values()):
            positive = cell.strip() if word in _WORDS_OF_SUCCESS else "WORD"
            return reason, f"write 1 and 0, or for values of items give {keyword('pos_label', positive)}"
        return (reason,)
    if is_infinite:
        return (f"is {quoted(cell)}, which is too large for a double",)
    if len(cell) > LONGEST_NUMBER:
        return f"is a number of {len(cell)} characters", f"at most {LONGEST_NUMBER} are read"
    return ()


def _id_objection(cell: str) -> tuple[str, ...]:
    """Problem and remedy of a cell that is not an id; empty if it is one (also ``nan`` and ``NA``)."""
    if not cell or cell.isspace():
        return _objection(cell)
    if cell != cell.strip():
        return f"is {quoted(cell)}", "an id cannot start or end with a blank"
    if _BREAK.search(cell):
        return f"is {quoted(cell)}, which holds a line break", "is a quote not closed?"
    return ()


def _csv_fault(error: csv.Error) -> tuple[str, str]:
    """Problem and remedy for an error of Python's CSV reader."""
    message = str(error)
    if "field limit" in message:
        return f"a field is longer than {csv.field_size_limit()} characters", "is a quote not closed?"
    if "unexpected end" in message:
        return "a quoted field is not closed", "write a quote inside quotes twice"
    return f"a quoted field goes on behind its closing quote ({message})", "write a quote inside quotes twice"


def _line_of(data: bytes, position: int) -> int:
    """Line number, from 1, of a byte position; CR, LF and CRLF end lines."""
    return len(_LINE_END.findall(data, 0, position)) + 1


def paths_of(row: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Path of field names to every plain value, by column name (joined by dots)."""
    paths: dict[str, tuple[str, ...]] = {}
    level: list[tuple[tuple[str, ...], Any]] = [((name,), value) for name, value in row.items()]
    while level:  # the outer names first, so that a name with a dot of its own is that column
        for path, value in level:
            if not _is_object(value):
                paths.setdefault(".".join(path), path)
        level = [((*path, name), inner) for path, value in level if _is_object(value) for name, inner in value]
    return paths


def _is_object(value: object) -> bool:
    """True for a JSON object, which is parsed as a list of pairs."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], tuple)


def _value_at(row: dict[str, Any], path: tuple[str, ...]) -> Any:
    """Value at a path; KeyError if it is missing, or a name in an object is repeated."""
    value: Any = row
    for name in path:
        if value is not row:
            if not _is_object(value) or [key for key, _ in value].count(name) != 1:
                raise KeyError(name)
            value = dict(value)
        value = value[name]
    return value


def _is_missing(row: dict[str, Any], path: tuple[str, ...]) -> bool:
    """True if the row has no value at the path."""
    try:
        _value_at(row, path)
    except KeyError:
        return True
    return False


def _json_labels(cells: list[Any]) -> NDArray[Any]:
    """Labels from JSON values: whole numbers if possible, otherwise floats, text or objects."""
    types = set(map(type, cells))
    if Decimal in types:
        return _json_labels([float(cell) if isinstance(cell, Decimal) else cell for cell in cells])
    if types == {str} or float not in types:
        return array_of(cells)
    numbers = np.array(cells, dtype=np.float64)
    if not all(value == number for value, number in zip(cells, numbers.tolist(), strict=True)):
        return array_of([int(value) if float(value).is_integer() else value for value in cells])
    with np.errstate(invalid="ignore"):  # a number beyond 64 bits differs from what the cast gives
        integers = numbers.astype(np.int64)
    return integers if (integers == numbers).all() else numbers


def refuse_constant(text: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python would read."""
    raise ValueError(f"holds {text}, which is not a number in JSON")


def json_fault(error: Exception) -> tuple[str, ...]:
    """The complaint of Python's reader of JSON, and the remedy."""
    import json

    if isinstance(error, json.JSONDecodeError):
        return f"is not valid JSON: {error.msg} (column {error.colno})", "write one object a line"
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 (byte 0x{error.object[error.start]:02x})", "save it as UTF-8"
    if isinstance(error, RecursionError):
        return "is nested too deeply", "write one object of plain values a line"
    return (str(error) if str(error).startswith("holds") else "holds a number that is too long",)


def _json_text(value: object) -> str:
    """Value as shown in a message."""
    import json

    if value is None:
        return "null"
    if isinstance(value, list):
        return "an array or an object"
    return quoted(value) if isinstance(value, str) else json.dumps(value, default=float)
