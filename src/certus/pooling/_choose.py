"""Ways to choose the documents of a query's pool from the tops of the runs."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

_CONSTANT = 60


def by_depth(tops: Sequence[Sequence[str]]) -> list[str]:
    """All documents of the tops, in the order of their ids, which tells nothing about their ranks."""
    return sorted({doc for top in tops for doc in top})


def by_reciprocal_rank(tops: Sequence[Sequence[str]], size: int) -> list[str]:
    """The first documents by reciprocal rank fusion: the sum of 1 / (60 + rank) over the runs; ties by their ids."""
    sums: dict[str, Fraction] = {}
    for top in tops:
        for rank, doc in enumerate(top, start=1):
            sums[doc] = sums.get(doc, Fraction(0)) + Fraction(1, _CONSTANT + rank)
    return sorted(sums, key=lambda doc: (-sums[doc], doc))[:size]


def by_move_to_front(tops: Sequence[Sequence[str]], size: int, grades: Mapping[str, int], rel: int) -> list[str]:
    """The next document of the run of the highest priority, until there are enough.

    A run keeps its priority as long as its documents are relevant, and loses one with each that is not; a document
    without a judgment counts as not relevant. Of runs with one priority the one that waited longest is next.
    """
    chosen: dict[str, None] = {}
    depths, priorities, waited = [0] * len(tops), [0] * len(tops), list(range(len(tops)))
    turn = len(tops)
    while len(chosen) < size:
        ready = [run for run, top in enumerate(tops) if depths[run] < len(top)]
        if not ready:
            break
        run = min(ready, key=lambda candidate: (-priorities[candidate], waited[candidate]))
        while depths[run] < len(tops[run]) and len(chosen) < size:
            doc = tops[run][depths[run]]
            depths[run] += 1
            if doc in chosen:
                continue
            chosen[doc] = None
            if grades.get(doc, -1) < rel:
                priorities[run] -= 1
                break
        waited[run], turn = turn, turn + 1
    return list(chosen)
