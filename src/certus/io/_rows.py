"""Qrels and runs from what Python holds: dicts, lists, sets, rows and JSON. Everything becomes three plain columns.

The compiled reader takes what is plain; what is read here is of other types, or wrong.
"""

import math
import numbers
from collections import Counter
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Any, NamedTuple, NoReturn

import numpy as np

from certus.errors import DataError
from certus.exact import GREATEST, LONGEST_NUMBER, doubles, has_more_digits, loss, written
from certus.io._format import SWAPPED, Rows
from certus.io.columns import LONGEST_ID
from certus.io.shapes import is_documents, is_pair, is_records


class Cells(NamedTuple):
    """Three columns as they were found, and what to call each in a message."""

    queries: list[Any]
    docs: list[Any]
    values: list[Any]
    called: tuple[str, str, str]


def from_mapping(data: Mapping[Any, Any], name: str, what: str, value_of: "Callable[[object], Any]") -> Rows:
    """Rows of ``{query: {document: value}}`` or ``{query: documents}``, in its order."""
    rows = Rows([], [], [])
    empty = []
    known: dict[bytes, object] = {}
    for query, inner in data.items():
        encoded = _encoded(query, name, "query id")
        if encoded in known:
            raise DataError(f"query ids {known[encoded]!r} and {query!r} are the same text", "keep one", place=name)
        known[encoded] = query
        if not isinstance(inner, Mapping):
            inner = _listed(inner, name, f"query {query!r}", what)
        if not inner:
            empty.append(encoded)
        for doc, value in inner.items():
            rows.queries.append(encoded)
            rows.docs.append(_encoded(doc, f"{name}: query {query!r}", "document id"))
            try:
                rows.values.append(value_of(value))
            except DataError as error:
                found = f"the {what} of document {doc!r} for query {query!r} is {error.found}"
                raise DataError(found, error.remedy, place=name) from None
        _check_told_apart(list(inner.values()), name, f"query {query!r}")
    return rows._replace(empty=tuple(empty))


def _listed(inner: Any, name: str, query: str, what: str) -> dict[Any, Any]:
    """Documents in their order, with the numbers from their count down to 1; of judgments each with grade 1.

    Pairs of a document and a number have their own numbers.
    """
    if not is_documents(inner):
        listing = "the ranking, as in ['d1', 'd2']" if what == "score" else "the relevant documents, as in {'d1', 'd2'}"
        raise DataError(
            f"{query} has {kind_named(inner)}",
            f"expected a mapping from document to {what}, as in {{'d1': 1}}, or {listing}",
            place=name,
        )
    if isinstance(inner, AbstractSet) and what == "score":
        raise DataError(
            f"{query} has {kind_named(inner)}, which has no order", "give a list, the best document first", place=name
        )
    given = inner.tolist() if hasattr(inner, "tolist") else list(inner)
    if _is_labelled(inner) and all(isinstance(each, numbers.Number) for each in given):
        raise DataError(
            f"{query} has {kind_named(inner)} whose numbers may be documents or the {what}s of its index",
            "give its .tolist() or its .to_dict()",
            place=name,
        )
    pairs = bool(given) and all(map(is_pair, given))
    docs = [_encoded(each[0] if pairs else each, f"{name}: {query}", "document id") for each in given]
    places: dict[bytes, int] = {}
    for place, doc in enumerate(docs):
        if (before := places.setdefault(doc, place)) != place:
            twice = given[place][0] if pairs else given[place]
            raise DataError(
                f"{query} has document {twice!r} at place {before + 1} and again at {place + 1}", place=name
            )
    if pairs:
        return dict(given)
    if what == "grade":
        return dict.fromkeys(sorted(docs) if isinstance(inner, AbstractSet) else docs, 1)
    return {doc: len(docs) - place for doc, place in places.items()}


def _is_labelled(inner: Any) -> bool:
    """True if it is a Series of pandas with an index other than 0, 1, 2 and so on."""
    return hasattr(inner, "to_dict") and list(getattr(inner, "index", ())) != list(range(len(inner)))


def parsed_json(text: bytes, name: str, what: str) -> dict[str, Any] | list[Any]:
    """A JSON document ``{query: {document: value}}``, or a list of objects."""
    import json  # here, as few files are of JSON

    def constant(found: str) -> NoReturn:
        raise DataError(
            f"holds {found}, which is not a number in JSON", f"every {what} must be a finite number", place=name
        )

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
            raise DataError(f"{twice!r} appears twice in one JSON object", "keep one", place=name)
        return found

    try:
        data: dict[str, Any] | list[Any] = json.loads(
            text.decode(), object_pairs_hook=unique, parse_float=json_decimal, parse_constant=constant
        )
    except json.JSONDecodeError as error:
        found = f"is not valid JSON: {error.msg} (column {error.colno})"
        raise DataError(found, place=f"{name}:{error.lineno}") from None
    except UnicodeDecodeError as error:
        raise DataError(f"is not valid UTF-8 at byte {error.start}, as JSON must be", place=name) from None
    except RecursionError:
        raise DataError("is nested too deeply", f"expected {{query: {{document: {what}}}}}", place=name) from None
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            "holds a number that is too long", f"every {what} must be a finite number", place=name
        ) from None
    if not isinstance(data, dict) and not is_records(data):
        raise DataError(
            f"is {kind_named(data)} in JSON", f"expected an object {{query: {{document: {what}}}}}", place=name
        )
    return data


def json_decimal(text: str) -> float | Decimal:
    """A number of JSON; more digits than a double is ever written with are kept, to be compared.

    To compare millions of digits takes hours, so there are as few as of whole numbers.
    """
    if len(text) > LONGEST_NUMBER:
        raise ValueError
    return written(text) if has_more_digits(text) else float(text)


def checked(cells: Cells, name: str, value_of: "Callable[[object], Any]") -> Rows:
    """Rows of three columns, or what is wrong with a cell."""
    queries, docs = (
        [_encoded(cell, f"{name}: row {row}", cells.called[i]) for row, cell in enumerate(cells[i])] for i in range(2)
    )
    rows = Rows(queries, docs, [])
    for i, found in enumerate(cells.values):
        try:
            rows.values.append(value_of(found))
        except DataError as error:
            raise DataError(f"row {i} of {cells.called[2]} is {error.found}", error.remedy, place=name) from None
    _check_told_apart(cells.values, name, cells.called[2])
    return rows


def _check_told_apart(values: list[Any], name: str, what: str) -> None:
    """Refuse numbers of other types than Python's own that become equal as floats."""
    if not set(map(type, values)) <= {int, float}:
        given = np.empty(len(values), dtype=object)
        given[:] = values
        if lost := loss(given, doubles(given)):
            raise DataError(f"{what} {lost}", "subtract a common offset, or give ranks", place=name)


def grade_of(value: object) -> int:
    """A grade as a plain int; the error says what is wrong with it."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        scores = f"; {SWAPPED}" if isinstance(value, float | Decimal) and value % 1 else ""
        raise DataError(f"{value!r}", f"a grade must be a whole number (an int){scores}")
    grade = int(value)
    if not -(2**31) <= grade < 2**31:
        shown = grade if grade.bit_length() < 128 else f"an int of {grade.bit_length()} bits"
        raise DataError(f"{shown}", "a grade must lie between -2147483648 and 2147483647")
    return grade


def score_of(value: object) -> float:
    """A score as a finite float; the error says what is wrong with it."""
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


def _encoded(identifier: object, place: str, what: str) -> bytes:
    """The bytes of an id: of a text in UTF-8, of a whole number its digits."""
    if isinstance(identifier, bytes):
        encoded = identifier
    elif isinstance(identifier, str):
        try:
            encoded = identifier.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raise DataError(
                f"{what} {identifier!r} holds half of a surrogate pair", "it is not valid text", place=place
            ) from None
    elif not isinstance(identifier, bool) and isinstance(identifier, numbers.Integral):
        if (bits := int(identifier).bit_length()) > LONGEST_ID:
            raise DataError(
                f"{what} is an int of {bits} bits", f"a whole number as an id has at most {LONGEST_ID}", place=place
            )
        encoded = str(int(identifier)).encode()
    else:
        raise DataError(
            f"{what} {identifier!r} is {kind_named(identifier)}", "ids are text or whole numbers", place=place
        )
    if not encoded:
        raise DataError(f"{what} is empty", "every id needs at least one character", place=place)
    if b"\0" in encoded:
        raise DataError(f"{what} {identifier!r} holds a NUL character", "ids cannot", place=place)
    return encoded


def kind_named(value: object) -> str:
    """The type of a value with its article: ``a list``."""
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
