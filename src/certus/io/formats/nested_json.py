"""One JSON document that maps queries to documents."""

from certus.io._format import File, input_format
from certus.io._json_lines import is_flat
from certus.io._rows import Rows, from_json, grade_of, score_of
from certus.io._uncollected import uncollected

__all__ = ["nested_json"]


def _told(file: File) -> bool:
    start = file.start
    return start.data.lstrip()[:1] in (b"{", b"[") and not (start.text and is_flat(start.text[0]))


@input_format(
    "json", "JSON", told=_told, run='`{"query": {"document": score}}`', qrels='`{"query": {"document": grade}}`'
)
@uncollected
def nested_json(file: File) -> Rows:
    """The rows of the document."""
    return from_json(file.content, file.name, *(("score", score_of) if file.kind == "run" else ("grade", grade_of)))
