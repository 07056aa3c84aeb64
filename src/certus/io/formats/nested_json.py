"""One JSON document that maps queries to documents."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

from certus.errors import DataError
from certus.io._format import SWAPPED, File, Rows, input_format
from certus.io._uncollected import uncollected

_GRADES = frozenset(range(-2, 5))


def _told(file: File) -> bool:
    start = file.start
    if start.data.lstrip()[:1] not in (b"{", b"["):
        return False
    from certus.io._json_lines import is_flat  # here, as few files are of JSON

    return not (start.text and is_flat(start.text[0]))


@input_format(
    "json",
    "JSON",
    told=_told,
    run='`{"query": {"document": score}}`, or a list of objects that name the columns',
    qrels='`{"query": {"document": grade}}`, or a list of objects that name the columns',
)
@uncollected
def nested_json(file: File) -> Rows:
    """The rows of the document."""
    from certus.io._rows import grade_of, parsed_json, score_of  # here, as NumPy comes with it

    if file.kind == "qrels":
        return _rows(parsed_json(file.content, file.name, "grade"), file.name, "grade", grade_of)
    data = parsed_json(file.content, file.name, "score")
    rows = _rows(data, file.name, "score", score_of)
    if _are_whole(data) and _are_grades(rows):
        raise DataError(
            "looks like relevance judgments (whole numbers from -2 to 4, tied in every query), where a run is expected",
            f"{SWAPPED}; if these are scores, write them as 1.0",
            place=file.name,
        )
    return rows


def _rows(
    data: dict[str, Any] | list[Any], name: str, what: Literal["grade", "score"], value_of: Callable[[object], Any]
) -> Rows:
    """The rows of an object by query, or of a list of objects that name the columns."""
    from certus.io._rows import checked, from_mapping

    if isinstance(data, dict):
        return from_mapping(data, name, what, value_of)
    from certus.io._records import from_records

    return checked(from_records(data, name, what), name, value_of)


def _are_whole(data: dict[str, Any] | list[Any]) -> bool:
    """True if every document has a number, and all are written without a point."""
    return isinstance(data, dict) and all(
        isinstance(docs, dict) and set(map(type, docs.values())) <= {int} for docs in data.values()
    )


def _are_grades(rows: Rows) -> bool:
    """True if all numbers are grades as TREC has them, and each query of several documents has two of the same."""
    if len(rows.docs) < 2 or not _GRADES.issuperset(rows.values):
        return False
    told_apart = set(zip(rows.queries, rows.values, strict=True))
    results, distinct = Counter(rows.queries), Counter(query for query, _ in told_apart)
    several = [query for query, count in results.items() if count > 1]
    return all(distinct[query] < results[query] for query in several) and (bool(several) or len(set(rows.values)) == 1)
