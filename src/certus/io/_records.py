"""Qrels and runs from rows: triples, dicts by column, and the named tuples of ir_measures and ir_datasets."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any, Literal

from certus.errors import DataError
from certus.io._names import is_header, place_of
from certus.io._rows import Cells, kind_named

_VALUES = {"grade": "relevance", "score": "score"}
"""The field that holds the value, as ir_measures and ir_datasets call it."""


def from_records(records: Sequence[Any], name: str, what: Literal["grade", "score"]) -> Cells:
    """The columns of rows that are all of one type."""
    first = records[0]
    kind, keyed = type(first), isinstance(first, Mapping)
    columns = tuple(each for each in first if isinstance(each, str)) if keyed else getattr(first, "_fields", ())
    fields: tuple[str, ...] = ()
    if is_header(columns) or hasattr(first, "query_id"):
        fields = _fields_of(columns, name, what, keyed) if is_header(columns) else ("query_id", "doc_id", _VALUES[what])
        if not all(each in columns or hasattr(first, each) for each in fields):
            raise DataError(
                f"row 0 is {kind_named(first)} without {_VALUES[what]}", f"a row has {_fields(what)}", place=name
            )
    for place, row in enumerate(records):
        if type(row) is not kind or (not fields and len(row) != 3) or (keyed and not row.keys() >= {*fields}):
            found = f"{kind_named(row)} of {len(row)}" if type(row) in (tuple, list) else kind_named(row)
            lacking = next(
                (f" without {each!r}" for each in fields if keyed and type(row) is kind and each not in row), ""
            )
            raise DataError(
                f"row {place} is {found}{lacking}",
                f"all are triples of {_fields(what)}, or objects of one type",
                place=name,
            )
    if not fields:
        queries, docs, values = map(list, zip(*records, strict=True))
        return Cells(queries, docs, values, ("query_id", "doc_id", _VALUES[what]))
    read: Callable[..., Any] = itemgetter if keyed else attrgetter
    if what == "score" and (run := place_of("run", columns, name)) is not None:
        runs = list(dict.fromkeys(map(read(run), records)))
        if len(runs) > 1:
            raise DataError(
                f"the rows have {len(runs)} values of {run!r} ({runs[0]!r}, {runs[1]!r}, ...)",
                "a DataFrame and JSON Lines may hold several runs; rename the field if it names none",
                place=name,
            )
    queries, docs, values = map(list, zip(*map(read(*fields), records), strict=True))
    return Cells(queries, docs, values, (fields[0], fields[1], fields[2]))


def _fields_of(columns: tuple[str, ...], name: str, what: Literal["grade", "score"], keyed: bool) -> tuple[str, ...]:
    """The fields of a row whose names are usual ones of columns; their order does not matter."""
    value = place_of(what, columns, name) or (place_of("score", columns, name) if keyed else None)
    return place_of("query", columns, name) or "", place_of("doc", columns, name) or "", value or _VALUES[what]


def _fields(what: str) -> str:
    return f"query_id, doc_id and {_VALUES[what]}"
