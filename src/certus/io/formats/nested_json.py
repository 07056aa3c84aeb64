"""One JSON document that maps queries to documents."""

from collections import Counter

from certus.errors import DataError
from certus.io._format import File, input_format
from certus.io._json_lines import is_flat
from certus.io._rows import SWAPPED, Rows, from_json, grade_of, score_of
from certus.io._uncollected import uncollected

__all__ = ["nested_json"]

_GRADES = frozenset(range(-2, 5))


def _told(file: File) -> bool:
    start = file.start
    return start.data.lstrip()[:1] in (b"{", b"[") and not (start.text and is_flat(start.text[0]))


@input_format(
    "json", "JSON", told=_told, run='`{"query": {"document": score}}`', qrels='`{"query": {"document": grade}}`'
)
@uncollected
def nested_json(file: File) -> Rows:
    """The rows of the document."""
    if file.kind == "qrels":
        return from_json(file.content, file.name, "grade", grade_of)
    kinds = set()

    def score(value: object) -> float:
        kinds.add(type(value))
        return score_of(value)

    rows = from_json(file.content, file.name, "score", score)
    if kinds == {int} and _are_grades(rows):
        raise DataError(
            f"{file.name}: looks like relevance judgments (whole numbers from -2 to 4, tied in every query), where a "
            f"run is expected; {SWAPPED}; if these are scores, write them as 1.0"
        )
    return rows


def _are_grades(rows: Rows) -> bool:
    """Whether the numbers are among TREC's grades, and order the documents of no query."""
    if len(rows.docs) < 2 or not _GRADES.issuperset(rows.values):
        return False
    told_apart = set(zip(rows.queries, rows.values, strict=True))
    results, distinct = Counter(rows.queries), Counter(query for query, _ in told_apart)
    several = [query for query, count in results.items() if count > 1]
    return all(distinct[query] < results[query] for query in several) and (bool(several) or len(set(rows.values)) == 1)
