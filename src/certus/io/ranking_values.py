"""Qrels and runs from Python objects: dicts, lists, sets, rows, DataFrames, and from JSON.

The shape of the data tells which of these they are. The compiled reader takes what is plain; what is of other types, or
wrong, is read here.
"""

import io
import math
import numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from operator import attrgetter, itemgetter
from typing import Any, Literal, NamedTuple

import numpy as np

from certus.core import kernels
from certus.core.errors import DataError
from certus.core.exact import GREATEST, doubles, loss
from certus.io.columns import (
    SWAPPED,
    Chosen,
    Read,
    Rows,
    encode_id,
    is_header,
    json_decimal,
    uncollected,
    unique_names,
    usual_column,
)
from certus.io.sources import refusals

ValueName = Literal["grade", "score"]
_SINGLE = "query"
"""Name of the only query where none has an id."""
_FIELDS = {"grade": "relevance", "score": "score"}
"""The field that holds the value, as ir_measures and ir_datasets call it."""
_EXPECTED = "a path, a dict of dicts, rows, a DataFrame, or what read_qrels or read_run returns"


class Cells(NamedTuple):
    """Three columns as passed, their kind, and names for messages."""

    queries: list[Any]
    docs: list[Any]
    values: list[Any]
    value_name: ValueName
    names: tuple[str, str, str]


def read_values(
    data: Any, name: str, value_name: ValueName, columns: tuple[str | None, ...]
) -> tuple[Read, bool, Chosen | None]:
    """Read data in memory: rows or a table, True for a single query without id, and the chosen columns."""
    kernel = kernels.Qrels if value_name == "grade" else kernels.Run
    data = _normalize(data, "qrels" if value_name == "grade" else "run")
    is_single, has_records = is_single_query(data), is_records(data)
    if not (is_single or has_records or isinstance(data, Mapping)):
        from certus.io.frames import Frame

        return Frame(data, name, _EXPECTED), False, Chosen(*columns)
    if (chosen := next((column for column in columns if column is not None), None)) is not None:
        raise DataError(f"is {type_name(data)}, which has no columns", f"leave out {chosen!r}", location=name)
    content: Read | None
    if has_records:
        cells = _cells_of_records(data, name, value_name)
        with refusals():
            content = kernel.from_cells(name, cells.queries, cells.docs, cells.values)
        return (rows_of_cells(cells, name) if content is None else content), False, None
    nested = {_SINGLE: data} if is_single else data
    content = kernel.from_nested(nested, name) if type(nested) is dict else None
    return (_rows_of_mapping(nested, name, value_name) if content is None else content), is_single, None


@uncollected
def rows_of_json(text: bytes, name: str, value_name: ValueName) -> tuple[Rows, bool]:
    """Parse a JSON object by query, or a list of objects by column.

    The second value is True if every document has a number, and all are written without a point.
    """
    data = _parse_json(text, name, value_name)
    if not isinstance(data, dict):
        return rows_of_cells(_cells_of_records(data, name, value_name), name), False
    has_integers = all(isinstance(docs, dict) and set(map(type, docs.values())) <= {int} for docs in data.values())
    return _rows_of_mapping(data, name, value_name), has_integers


def _normalize(data: Any, attribute: str) -> Any:
    """Convert another tool's object to a dict, and an iterator to a list.

    `attribute` is the one in which an object of ranx keeps its data.
    """
    if isinstance(data, io.IOBase):
        raise DataError("is an open file", "give its path, or '-' for standard input", location=attribute)
    if _is_of_ranx(data, attribute):
        return data.to_dict()
    return list(data) if isinstance(data, Iterator) else data


def is_single_query(data: Any) -> bool:
    """True for a single query without id: documents, or a dict from document to number."""
    if isinstance(data, Mapping):
        return isinstance(next(iter(data.values()), None), numbers.Number | np.generic)
    return _is_documents(data) and not is_records(data)


def is_id(data: Any) -> bool:
    """True for a valid id type: text or a whole number."""
    return isinstance(data, str | bytes | numbers.Integral)


def name_of(data: Any) -> str | None:
    """Name of a ranx run, otherwise None."""
    name = data.name if _is_of_ranx(data, "run") else None
    return name if isinstance(name, str) else None


def is_records(data: Any) -> bool:
    """True for a list of rows: tuples other than pairs, dicts by column, or objects with a `query_id`.

    Rows that are lists, as JSON has them, hold two texts and a number: a list of anything else may be a ranking.
    """
    if not isinstance(data, list | tuple) or not data:
        return False
    row = data[0]
    if isinstance(row, Mapping):
        return is_header([name for name in row if isinstance(name, str)])
    if isinstance(row, list):
        return len(row) == 3 and _are_texts(row[:2]) and isinstance(row[2], numbers.Number | np.generic)
    return (isinstance(row, tuple) and not _is_pair(row)) or _is_object(row)


def _is_object(row: Any) -> bool:
    """True for an object with a `query_id`, and for no DataFrame, whose columns are attributes."""
    return hasattr(row, "query_id") and not hasattr(row, "columns")


def is_run(data: Mapping[Any, Any], has_single_query: bool) -> bool:
    """True if a mapping is one run and not several runs by name."""
    if has_single_query:
        return is_single_query(data) or not data
    inner: Any = next((docs for docs in data.values() if not _is_empty(docs)), {})
    if isinstance(inner, Mapping):
        first = next(iter(inner.values()), 0.0)
        return not isinstance(first, Mapping) and not _is_documents(first)
    return _is_documents(inner) and not is_records(inner)


def is_judgments(data: Any) -> bool:
    """True if the shape of the data can only be judgments, not a column or table of true values."""
    if isinstance(data, Mapping | AbstractSet | Iterator) or _is_of_ranx(data, "qrels"):
        return True
    if not is_records(data):
        return False
    row = data[0]
    return isinstance(row, Mapping) or _is_object(row) or (len(row) == 3 and _are_texts(row[:2]))


def _is_documents(data: Any) -> bool:
    """True for a set, and for a one-dimensional list, tuple or array."""
    return isinstance(data, list | tuple | AbstractSet) or getattr(data, "ndim", None) == 1


def _is_pair(data: Any) -> bool:
    """True for a document with a number: ``("d1", 12.5)``, or ``["d1", 12.5]`` in JSON."""
    return type(data) in (tuple, list) and len(data) == 2 and isinstance(data[1], numbers.Number | np.generic)


def _are_texts(cells: Any) -> bool:
    """True if all cells are str or bytes."""
    return all(isinstance(cell, str | bytes) for cell in cells)


def _is_empty(inner: Any) -> bool:
    """True for an empty dictionary or an empty collection of documents."""
    return (isinstance(inner, Mapping) or _is_documents(inner)) and len(inner) == 0


def _is_of_ranx(data: Any, attribute: str) -> bool:
    # a DataFrame, too, has to_dict and gives its columns as attributes
    """True for a ranx object: it has ``to_dict``, and a mapping in the attribute with this name."""
    content = getattr(data, attribute, None)
    return hasattr(data, "to_dict") and not hasattr(data, "columns") and isinstance(content, Mapping)


def _rows_of_mapping(data: Mapping[Any, Any], name: str, value_name: ValueName) -> Rows:
    """Rows of ``{query: {document: value}}`` or ``{query: documents}``, in their order."""
    convert = _grade if value_name == "grade" else _score
    rows = Rows([], [], [])
    empty = []
    query_by_id: dict[bytes, object] = {}
    for query, inner in data.items():
        encoded = _encode(query, name, "query id")
        if encoded in query_by_id:
            text = f"query ids {query_by_id[encoded]!r} and {query!r} are the same text"
            raise DataError(text, "keep one", location=name)
        query_by_id[encoded] = query
        if not isinstance(inner, Mapping):
            inner = _graded(inner, name, f"query {query!r}", value_name)
        if not inner:
            empty.append(encoded)
        for doc, value in inner.items():
            rows.queries.append(encoded)
            rows.docs.append(_encode(doc, f"{name}: query {query!r}", "document id"))
            try:
                rows.values.append(convert(value))
            except DataError as error:
                problem = f"the {value_name} of document {doc!r} for query {query!r} is {error.problem}"
                raise DataError(problem, error.remedy, location=name) from None
        _check_distinct(list(inner.values()), name, f"query {query!r}")
    return rows._replace(empty=tuple(empty))


def _graded(inner: Any, name: str, query: str, value_name: ValueName) -> dict[Any, Any]:
    """Values of a list of documents: descending from its length for a run, 1 each for judgments.

    Pairs of a document and a number have their own numbers.
    """
    if not _is_documents(inner):
        is_run = value_name == "score"
        listing = "the ranking, as in ['d1', 'd2']" if is_run else "the relevant documents, as in {'d1', 'd2'}"
        raise DataError(
            f"{query} has {type_name(inner)}",
            f"expected a mapping from document to {value_name}, as in {{'d1': 1}}, or {listing}",
            location=name,
        )
    if isinstance(inner, AbstractSet) and value_name == "score":
        problem = f"{query} has {type_name(inner)}, which has no order"
        raise DataError(problem, "give a list, the best document first", location=name)
    items = inner.tolist() if hasattr(inner, "tolist") else list(inner)
    # a Series of pandas with an index other than 0, 1, 2 and so on
    has_index = hasattr(inner, "to_dict") and list(getattr(inner, "index", ())) != list(range(len(inner)))
    if has_index and all(isinstance(item, numbers.Number) for item in items):
        raise DataError(
            f"{query} has {type_name(inner)} whose numbers may be documents or the {value_name}s of its index",
            "give its .tolist() or its .to_dict()",
            location=name,
        )
    has_pairs = bool(items) and all(map(_is_pair, items))
    docs = [_encode(item[0] if has_pairs else item, f"{name}: {query}", "document id") for item in items]
    indices: dict[bytes, int] = {}
    for index, doc in enumerate(docs):
        if (before := indices.setdefault(doc, index)) != index:
            twice = items[index][0] if has_pairs else items[index]
            problem = f"{query} has document {twice!r} at place {before + 1} and again at {index + 1}"
            raise DataError(problem, location=name)
    if has_pairs:
        return dict(items)
    if value_name == "grade":
        return dict.fromkeys(sorted(docs) if isinstance(inner, AbstractSet) else docs, 1)
    return {doc: len(docs) - index for doc, index in indices.items()}


def _cells_of_records(records: Sequence[Any], name: str, value_name: ValueName) -> Cells:
    """Columns of rows of the same type: triples, dicts by column, or objects with a `query_id`."""
    first = records[0]
    kind, is_keyed = type(first), isinstance(first, Mapping)
    columns = (
        tuple(column for column in first if isinstance(column, str)) if is_keyed else getattr(first, "_fields", ())
    )
    value_field = _FIELDS[value_name]
    expected = f"query_id, doc_id and {value_field}"
    fields: tuple[str, ...] = ()
    if is_header(columns):
        value = usual_column(value_name, columns, name) or (usual_column("score", columns, name) if is_keyed else None)
        query, doc = usual_column("query", columns, name), usual_column("doc", columns, name)
        fields = query or "", doc or "", value or value_field
    elif hasattr(first, "query_id"):
        fields = "query_id", "doc_id", value_field
    if not all(field in columns or hasattr(first, field) for field in fields):
        raise DataError(f"row 0 is {type_name(first)} without {value_field}", f"a row has {expected}", location=name)
    for index, row in enumerate(records):
        if type(row) is not kind or (not fields and len(row) != 3) or (is_keyed and not row.keys() >= {*fields}):
            row_text = f"{type_name(row)} of {len(row)}" if type(row) in (tuple, list) else type_name(row)
            lacking = [field for field in fields if is_keyed and type(row) is kind and field not in row]
            raise DataError(
                f"row {index} is {row_text}" + (f" without {lacking[0]!r}" if lacking else ""),
                f"all are triples of {expected}, or objects of one type",
                location=name,
            )
    if not fields:
        queries, docs, values = map(list, zip(*records, strict=True))
        return Cells(queries, docs, values, value_name, ("query_id", "doc_id", value_field))
    get: Callable[..., Any] = itemgetter if is_keyed else attrgetter
    if value_name == "score" and (run := usual_column("run", columns, name)) is not None:
        runs = list(dict.fromkeys(map(get(run), records)))
        if len(runs) > 1:
            raise DataError(
                f"the rows have {len(runs)} values of {run!r} ({runs[0]!r}, {runs[1]!r}, ...)",
                "a DataFrame and JSON Lines may hold several runs; rename the field if it names none",
                location=name,
            )
    queries, docs, values = map(list, zip(*map(get(*fields), records), strict=True))
    return Cells(queries, docs, values, value_name, (fields[0], fields[1], fields[2]))


def rows_of_cells(cells: Cells, name: str) -> Rows:
    """Rows of three columns; an error names the first wrong cell."""
    convert = _grade if cells.value_name == "grade" else _score
    rows = Rows([], [], [])
    for ids, label, column in ((cells.queries, cells.names[0], rows.queries), (cells.docs, cells.names[1], rows.docs)):
        column += [_encode(cell, f"{name}: row {row}", label) for row, cell in enumerate(ids)]
    for row, value in enumerate(cells.values):
        try:
            rows.values.append(convert(value))
        except DataError as error:
            raise DataError(f"row {row} of {cells.names[2]} is {error.problem}", error.remedy, location=name) from None
    _check_distinct(cells.values, name, cells.names[2])
    return rows


def _parse_json(text: bytes, name: str, value_name: str) -> dict[str, Any] | list[Any]:
    """Parse JSON: ``{query: {document: value}}``, or a list of objects."""
    import json  # here, as few files are of JSON

    from certus.io.text import json_fault, refuse_constant

    expected = f"expected an object {{query: {{document: {value_name}}}}}, every {value_name} a finite number"
    try:
        data: dict[str, Any] | list[Any] = json.loads(
            text.decode(), object_pairs_hook=unique_names, parse_float=json_decimal, parse_constant=refuse_constant
        )
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise DataError(json_fault(error)[0], expected, location=name if line is None else f"{name}:{line}") from None
    if not isinstance(data, dict) and not is_records(data):
        raise DataError(f"is {type_name(data)} in JSON", expected, location=name)
    return data


def _check_distinct(values: list[Any], name: str, label: str) -> None:
    """Refuse different numbers, such as Decimals, that become equal as floats."""
    if not set(map(type, values)) <= {int, float}:
        exact = np.empty(len(values), dtype=object)
        exact[:] = values
        if lost := loss(exact, doubles(exact)):
            raise DataError(f"{label} {lost}", "subtract a common offset, or give ranks", location=name)


def _grade(value: Any) -> int:
    """Grade as int; an error says what is wrong."""
    is_number = isinstance(value, numbers.Real | Decimal | np.bool)
    is_whole = isinstance(value, numbers.Integral) or (is_number and math.isfinite(value) and value == int(value))
    if not is_whole:
        swapped = f"; {SWAPPED}" if is_number and math.isfinite(value) else ""
        raise DataError(f"{value!r}", f"a grade must be a whole number{swapped}")
    grade = int(value)
    if not -(2**31) <= grade < 2**31:
        text = grade if grade.bit_length() < 128 else f"an int of {grade.bit_length()} bits"
        raise DataError(f"{text}", "a grade must lie between -2147483648 and 2147483647")
    return grade


def _score(value: object) -> float:
    """Score as finite float; an error says what is wrong."""
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, Decimal)):
        raise DataError(f"{value!r}", "a score must be a number")
    try:
        score = float(value)
    except OverflowError:
        score = math.inf
    except ValueError:  # a signalling NaN
        score = math.nan
    if not math.isfinite(score):
        raise DataError(f"{score}", "a score must be finite")
    if abs(score) >= GREATEST and score != value:
        raise DataError(f"{value}, which a float would round to {score:.0f}", "subtract a common offset, or give ranks")
    return score


def _encode(identifier: object, location: str, label: str) -> bytes:
    """Bytes of an id: a text as UTF-8, or the digits of a whole number."""
    encoded, reason = encode_id(identifier)
    if reason:
        raise DataError(f"{label} {reason[0]}", *reason[1:], location=location)
    return encoded


def type_name(value: object) -> str:
    """Name of a value's type with an article: ``a list``."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
