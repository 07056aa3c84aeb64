"""Runs and judgments as MS MARCO's evaluation has them."""

from typing import TYPE_CHECKING

from certus import kernels
from certus.io._format import File, input_format, is_number, may_be_rank

if TYPE_CHECKING:
    from certus.io.columns import Source


_NAMES = ("query", "doc", "rank", "score")


def _told(file: File) -> bool:
    start = file.start
    if file.kind == "qrels" or start.headed or start.columns not in (3, 4):
        return False
    if not all(map(may_be_rank, start.column(2))):
        return False
    if start.columns == 3:
        return True
    second = start.column(1)
    judged = {*second} <= {b"0", b"Q0"} or len({*second}) == 1 < len(second)  # the second column of TREC qrels
    return not judged and all(map(is_number, start.column(3)))


@input_format(
    "msmarco",
    "MS MARCO",
    told=_told,
    run="`query document rank`, three columns, or four with a score",
    qrels="`query 0 document grade`, read as TREC's",
    by_lines=True,
)
def msmarco(file: File) -> "Source | kernels.Qrels":
    """The ranking; of a run without scores, the ranks."""
    if file.kind == "qrels":
        return kernels.Qrels.read(file.path, file.name)
    from certus.io._plain import Plain  # here, as NumPy comes with it

    width = len(file.start.lines[0]) if file.start.lines else 3
    return Plain(file.content, file.name, _NAMES[: max(3, min(width, 4))])
