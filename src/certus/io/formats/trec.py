"""TREC's columns, read by the compiled reader in parallel."""

import re

from certus import kernels
from certus.io._format import File, input_format, may_be_rank

_GRADE = re.compile(rb"[+-]?[0-9]+")


def _told(file: File) -> bool:
    start = file.start
    if start.headed:
        return False
    if file.kind == "run":
        return start.columns == 6
    return start.columns == 4 and _GRADE.fullmatch(start.lines[0][3]) is not None and not _are_ranks(start.lines)


def _are_ranks(lines: list[list[bytes]]) -> bool:
    """True if the third of four columns counts from 0 or 1 within each query, as in a run of MS MARCO."""
    before: tuple[bytes, float] | None = None
    for line in lines:
        if len(line) != 4 or not may_be_rank(line[2]):
            return False
        query, rank = line[0], float(line[2])
        first = before is None or before[0] != query
        if rank not in ((0, 1) if first or before is None else (before[1] + 1,)):
            return False
        before = query, rank
    return len(lines) > 1


@input_format(
    "trec",
    "TREC",
    told=_told,
    run="`query Q0 document rank score tag`, six columns",
    qrels="`query iteration document grade`, four columns",
    by_lines=True,
)
def trec(file: File) -> kernels.Qrels | kernels.Run:
    """The ranking, held by the compiled reader."""
    reader = kernels.Run if file.kind == "run" else kernels.Qrels
    return reader.read(file.path, file.name, **file.dialect)
