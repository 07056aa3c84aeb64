"""Tables that are read whole at once: JSON documents as pandas writes them, and sheets of workbooks."""

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from certus.core.errors import DataError, keyword
from certus.core.spelling import plural, repeated
from certus.io.columns import json_decimal, quoted, unique_names
from certus.io.sources import dialect
from certus.io.text import LONG_NUMBER, JsonLines, json_fault, paths_of, refuse_constant


class Records(JsonLines):
    """Rows that are all read already, as objects: of one JSON document, or of a sheet.

    `first` is the number of the first row in messages.
    """

    def __init__(self, rows: list[dict[str, Any]], name: str, first: int = 0) -> None:
        self.name, self.rows, self._first = name, rows, first
        if not rows:
            raise DataError("holds no rows", location=name)
        self._paths = paths_of(rows[0])
        self.names = tuple(self._paths)

    def location(self, row: int) -> str:
        """The number of the row: there are no lines."""
        return f"{self.name}: row {row + self._first}"

    def _objects(self) -> Iterator[dict[str, Any]]:
        """Iterate over the rows in memory, each a dictionary by column name."""
        return iter(self.rows)


def json_records(data: bytes, name: str) -> Records | None:
    """Read the table of a JSON document as pandas writes it; None for JSON Lines and other documents."""
    import json  # here, as few tables are of JSON

    text = data.removeprefix(b"\xef\xbb\xbf").strip()
    parse_float = json_decimal if LONG_NUMBER.search(text) is not None else None
    decoder = json.JSONDecoder(object_pairs_hook=unique_names, parse_float=parse_float, parse_constant=refuse_constant)
    first_line = text.partition(b"\n")[0].strip()
    if first_line != text and first_line.endswith(b"}"):
        return None
    try:
        document = decoder.decode(text.decode())
    except (ValueError, RecursionError) as error:
        if text.startswith(b"["):
            raise DataError(*json_fault(error)[:1], location=name) from None
        return None  # the reader of lines says what is wrong
    rows = _rows_of_document(document, name)
    return None if rows is None else Records([_with_pairs(row) for row in rows], name)


def records_of_columns(columns: Mapping[Any, Any], name: str) -> Records:
    """The table of a dict of columns."""
    cells = [
        column.tolist()
        if hasattr(column, "tolist")
        else [cell.item() if hasattr(cell, "item") else cell for cell in column]
        for column in columns.values()
    ]
    if len(lengths := {len(column) for column in cells}) > 1:
        raise DataError(f"has columns of {' and '.join(map(str, sorted(lengths)))} values", location=name)
    return Records(_zipped(list(map(str, columns)), list(zip(*cells, strict=True)), name), name)


def _with_pairs(row: dict[str, Any]) -> dict[str, Any]:
    """The row with objects in it as lists of pairs, as `JsonLines` has them."""

    def pairs(value: Any) -> Any:
        return [(name, pairs(inner)) for name, inner in value.items()] if isinstance(value, dict) else value

    return {name: pairs(value) for name, value in row.items()}


def _rows_of_document(document: Any, name: str) -> list[dict[str, Any]] | None:
    """Return the rows of a document in an orient of pandas; None if it holds no table."""
    if isinstance(document, list):
        if all(isinstance(row, dict) for row in document):
            return document
        remedy = "write names, too, as df.to_json(orient='records') does"
        raise DataError("is a JSON array of rows that do not name their columns", remedy, location=name)
    if not isinstance(document, dict) or not document:
        return None
    data, fields = document.get("data"), document.get("schema")
    if isinstance(fields, dict) and isinstance(data, list) and all(isinstance(row, dict) for row in data):
        return data
    if isinstance(data, list) and isinstance(names := document.get("columns"), list):
        return _zipped(list(map(str, names)), data, name)
    values = list(document.values())
    if all(isinstance(column, list) for column in values):
        return records_of_columns(document, name).rows
    if not all(isinstance(inner, dict) for inner in values):
        return None
    inner_names = list(values[0])
    outer_are_rows, inner_are_rows = (all(map(str.isdigit, names)) for names in (list(document), inner_names))
    if not (outer_are_rows or inner_are_rows):
        return None
    if outer_are_rows and inner_are_rows:
        remedy = "write it by df.to_json(orient='records')"
        raise DataError("has numbers as names of rows and of columns", remedy, location=name)
    if outer_are_rows:
        return values
    for column, cells in document.items():
        if list(cells) != inner_names:
            problem = f"column {quoted(column)} has other rows than column {quoted(next(iter(document)))}"
            raise DataError(problem, "write it by df.to_json(orient='records')", location=name)
    return _zipped(list(document), list(zip(*(cells.values() for cells in values), strict=True)), name)


def _zipped(names: Sequence[str], rows: Sequence[Any], name: str) -> list[dict[str, Any]]:
    """Turn rows of cells into dictionaries by column name; refuse repeated names and rows of other lengths."""
    if (twice := repeated(names)) is not None:
        raise DataError(f"two columns are named {quoted(twice)}", "rename or drop one", location=name)
    for index, row in enumerate(rows):
        if not isinstance(row, list | tuple) or len(row) != len(names):
            problem = (
                f"row {index} has {plural(len(row), 'cell')}" if isinstance(row, list) else f"row {index} is not a list"
            )
            raise DataError(f"{problem}, there are {plural(len(names), 'column')}", location=name)
    return [dict(zip(names, row, strict=True)) for row in rows]


def sheet_records(data: bytes, name: str) -> Records:
    """The table on a sheet of a workbook, whose first row names the columns."""
    sheet = dialect().use("sheet")
    try:
        import python_calamine
    except ImportError:
        raise DataError("is a workbook", "to read it: pip install 'certus[excel]'", location=name) from None
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = book.sheet_names
        if sheet is not None and sheet not in names:
            problem, remedy = f"has no sheet {quoted(sheet)}", f"it has {', '.join(map(quoted, names))}"
            raise DataError(problem, remedy, location=name)
        if sheet is None and len(names) > 1:
            problem = f"has the sheets {', '.join(map(quoted, names[:12]))}"
            raise DataError(problem, f"say which with {keyword('sheet')}", location=name)
        sheet = names[0] if sheet is None else sheet
        rows = book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    except (python_calamine.CalamineError, OSError) as error:
        raise DataError(f"cannot be read as a workbook: {error}", location=name) from None
    label = name if len(names) == 1 else f"{name}: sheet {quoted(sheet)}"
    is_empty = [all(cell == "" for cell in row) for row in rows]
    if is_empty[:1] != [False]:
        raise DataError("has an empty first row", "its first row must name the columns", location=label)
    n_rows = is_empty.index(True) if True in is_empty else len(rows)
    if not all(is_empty[n_rows:]):
        remedy = "leave one table on a sheet"
        raise DataError("is empty, but rows follow it", remedy, location=f"{label}: row {n_rows + 1}")
    header = list(map(str, map(_cell_of_sheet, rows[0])))
    indices = [index for index, cell in enumerate(header) if cell]
    cells = []
    for number, row in enumerate(rows[1:n_rows], start=2):
        if any(cell != "" for cell in row[indices[-1] + 1 :]):
            problem = "has a cell to the right of the named columns"
            raise DataError(problem, "name its column, or delete it", location=f"{label}: row {number}")
        cells.append([_cell_of_sheet(row[index]) for index in indices])
    return Records(_zipped([header[index] for index in indices], cells, label), label, first=2)


def _cell_of_sheet(cell: Any) -> Any:
    """A cell as text, a number or a truth value; a sheet has no whole numbers, and a date is written by ISO 8601."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell if isinstance(cell, str | bool | int | float) else getattr(cell, "isoformat", cell.__str__)()
