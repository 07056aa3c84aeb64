"""Runs of three columns with scores, as Tevatron and many scripts write them."""

from typing import TYPE_CHECKING

from certus.io._format import File, input_format, is_number

if TYPE_CHECKING:
    from certus.io.columns import Source


def _told(file: File) -> bool:
    start = file.start
    return start.columns == 3 and not start.headed and is_number(start.lines[0][2])


@input_format(
    "query-doc-score",
    "three columns",
    told=_told,
    run="`query document score`, three columns",
    by_lines=True,
)
def query_doc_score(file: File) -> "Source":
    """The table of the three columns."""
    from certus.io._plain import Plain  # here, as NumPy comes with it

    return Plain(file.content, file.name, ("query", "doc", "score"))
