"""The shapes in which Python holds judgments and results, told apart by what they are made of."""

import io
import numbers
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from certus.errors import DataError
from certus.io._names import is_header

ONE = "query"
"""Name of the only query where none has an id."""


def plain(data: Any, held: str) -> Any:
    """Data of another tool as a dict, and an iterator, which can be read only once, as a list.

    `held` is ``"qrels"`` or ``"run"``: the attribute in which an object of ranx keeps its data.
    """
    if isinstance(data, io.IOBase):
        raise DataError("is an open file", "give its path, or '-' for standard input", place=held)
    if _is_of_ranx(data, held):
        return data.to_dict()
    return list(data) if isinstance(data, Iterator) else data


def is_one(data: Any) -> bool:
    """True for data of one query without an id: documents, or a dict from document to a number."""
    if isinstance(data, Mapping):
        return isinstance(next(iter(data.values()), None), numbers.Number | np.generic)
    return is_documents(data) and not is_records(data)


def is_id(data: Any) -> bool:
    """True for what can be an id: a text or a whole number."""
    return isinstance(data, str | bytes | numbers.Integral)


def name_of(data: Any) -> str | None:
    """The name that a run of ranx has."""
    name = data.name if _is_of_ranx(data, "run") else None
    return name if isinstance(name, str) else None


def is_documents(data: Any) -> bool:
    """True for a set, and for a list, tuple or array of one dimension."""
    return isinstance(data, list | tuple | AbstractSet) or getattr(data, "ndim", None) == 1


def is_records(data: Any) -> bool:
    """True for a list of rows: tuples that are not pairs, dicts by column, or objects with a `query_id`.

    Rows that are lists, as JSON has them, hold two texts and a number: a list of anything else may be a ranking.
    """
    if not isinstance(data, list | tuple) or not data:
        return False
    row = data[0]
    if isinstance(row, Mapping):
        return is_header([name for name in row if isinstance(name, str)])
    if isinstance(row, list):
        return len(row) == 3 and _are_texts(row[:2]) and isinstance(row[2], numbers.Number | np.generic)
    return (isinstance(row, tuple) and not is_pair(row)) or hasattr(row, "query_id")


def is_pair(data: Any) -> bool:
    """True for a document and a number, as in ``("d1", 12.5)`` and in JSON ``["d1", 12.5]``."""
    return type(data) in (tuple, list) and len(data) == 2 and isinstance(data[1], numbers.Number | np.generic)


def is_run(data: Mapping[Any, Any], one: bool) -> bool:
    """True if a mapping is one run and not several by name; `one` if the judgments are of one query."""
    if one:
        return is_one(data) or not data
    inner: Any = next((each for each in data.values() if not _is_empty(each)), {})
    if isinstance(inner, Mapping):
        first = next(iter(inner.values()), 0.0)
        return not isinstance(first, Mapping) and not is_documents(first)
    return is_documents(inner) and not is_records(inner)


def is_judgments(data: Any) -> bool:
    """True for data that can only be judgments by their shape, and no column or table of true values."""
    if isinstance(data, Mapping | AbstractSet | Iterator) or _is_of_ranx(data, "qrels"):
        return True
    if not is_records(data):
        return False
    row = data[0]
    return isinstance(row, Mapping) or hasattr(row, "query_id") or (len(row) == 3 and _are_texts(row[:2]))


def _are_texts(cells: Any) -> bool:
    return all(isinstance(cell, str | bytes) for cell in cells)


def _is_empty(inner: Any) -> bool:
    return (isinstance(inner, Mapping) or is_documents(inner)) and len(inner) == 0


def _is_of_ranx(data: Any, held: str) -> bool:
    # a DataFrame, too, has to_dict and gives its columns as attributes
    return hasattr(data, "to_dict") and not hasattr(data, "columns") and isinstance(getattr(data, held, None), Mapping)
