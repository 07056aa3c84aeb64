"""Qrels and runs from rows: (query, document, value) triples, and the named tuples of ir_measures and ir_datasets."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Literal

from certus.errors import DataError
from certus.io._names import Role, is_header, place_of
from certus.io._rows import Cells, kind_named

__all__ = ["from_records"]

_VALUES = {"grade": "relevance", "score": "score"}
"""The field that holds the value, as ir_measures and ir_datasets call it."""


def from_records(records: Sequence[Any], name: str, what: Literal["grade", "score"]) -> Cells:
    """The columns of rows that are all of one type.

    Raises
    ------
    DataError
        A row is of another type than the first, lacks a field or is no triple.
    """
    kind = type(records[0])
    if hasattr(records[0], "query_id"):
        field = _VALUES[what]
        lacking = next((each for each in ("doc_id", field) if not hasattr(records[0], each)), None)
        if lacking is not None:
            raise DataError(f"{name}: row 0 is {kind_named(records[0])} without {lacking}; a row has {_fields(what)}")
        read: Callable[[Any], Any] = attrgetter("query_id", "doc_id", field)
    elif is_header(columns := getattr(records[0], "_fields", ())):
        read = attrgetter(*_fields_of(columns, name, what))
    else:
        read = _triple
    for place, row in enumerate(records):
        if type(row) is not kind or (read is _triple and len(row) != 3):
            found = f"a tuple of {len(row)}" if type(row) is tuple else kind_named(row)
            raise DataError(
                f"{name}: row {place} is {found}; all are triples of {_fields(what)}, or objects of one type"
            )
    queries, docs, values = map(list, zip(*map(read, records), strict=True))
    return Cells(queries, docs, values, ("query_id", "doc_id", _VALUES[what]))


def _fields_of(columns: tuple[str, ...], name: str, what: Literal["grade", "score"]) -> list[str]:
    """The fields of a named tuple whose names are usual ones of columns; their order does not matter."""
    roles: tuple[Role, ...] = ("query", "doc", what)
    found = [place_of(role, columns, name) for role in roles]
    if found[2] is None:
        raise DataError(
            f"{name}: row 0 has no {what} among its fields ({', '.join(columns)}); a row has {_fields(what)}"
        )
    return [each for each in found if each is not None]


def _triple(row: Any) -> Any:
    return row


def _fields(what: str) -> str:
    return f"query_id, doc_id and {_VALUES[what]}"
