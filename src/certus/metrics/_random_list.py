"""One query's documents in random order, and random rankings drawn from them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import Columns, Ranking
from certus.errors import DataError
from certus.metrics.ties import LIMIT, arrangements, orders_of

__all__ = ["RandomList", "all_orders", "draws", "extreme", "random_lists"]

Sizes = tuple[int, ...]
CELLS = 2**18
"""How many judged documents are drawn at a time."""
MOST_ITEMS = 2**32 - 1
"""Ranks are 32 bits wide."""


@dataclass(frozen=True, slots=True, eq=False)
class RandomList:
    """One query under a random ranking: documents in random order, of which the list shows the first.

    Attributes
    ----------
    items
        Documents that are in random order.
    shown
        How many of them the list shows, from the top.
    grades
        Grades of the judged ones among them, in decreasing order; all others are not relevant.
    judged
        Grades of all judged documents of the query, in decreasing order: what denominators count.
    ties
        Sizes of the groups of equal scores among the documents shown, from the top, where the metric averages over the
        orders of tied documents; None where the order is settled, or no scores are equal.
    """

    items: int
    shown: int
    grades: NDArray[np.int32]
    judged: NDArray[np.int32]
    ties: Sizes | None = None

    def depth(self, cutoff: int | None) -> int:
        """Documents looked at: the cutoff, or what is shown where that is less."""
        return self.shown if cutoff is None else min(cutoff, self.shown)

    def hits(self, grade: int) -> int:
        """Number of documents in random order with at least that grade."""
        return int(np.count_nonzero(self.grades >= grade))

    def relevant(self, grade: int) -> int:
        """Number of judged documents of the query with at least that grade, whether they can be shown or not."""
        return int(np.count_nonzero(self.judged >= grade))

    def at_least(self, grade: int) -> "RandomList":
        """The list as if every document of a lower positive grade had the grade 0."""
        grades, judged = (
            np.where((each > 0) & (each < grade), 0, each).astype(each.dtype) for each in (self.grades, self.judged)
        )
        return replace(self, grades=grades, judged=judged)

    @property
    def fixed(self) -> bool:
        """Whether every order gives the same list."""
        return self.shown == 0 or not len(self.grades)

    @property
    def key(self) -> tuple[object, ...]:
        """The facts that two lists with the same distribution have in common."""
        return self.items, self.shown, self.grades.tobytes(), self.judged.tobytes(), self.ties


def random_lists(
    ranking: Ranking, items: int | None = None, sizes: Callable[[], Sequence[Sizes]] | None = None
) -> list[RandomList]:
    """Every query of a ranking under a random ranking.

    Parameters
    ----------
    ranking
        The observed ranking.
    items
        Documents in the collection; None: only the retrieved ones are in random order.
    sizes
        Gives the sizes of all groups of equal scores, per query; asked only where the ranking does not know them.

    Raises
    ------
    DataError
        There are fewer items than documents, or nobody knows which documents are tied.
    """
    columns = ranking.columns
    known: Sequence[Sizes] | None = None
    lists = []
    for q, query in enumerate(ranking.queries):
        retrieved = int(columns.retrieved[q])
        grades = np.sort(columns.grades[columns.offsets[q] : columns.offsets[q + 1]])[::-1]
        judged = columns.judged[columns.judged_offsets[q] : columns.judged_offsets[q + 1]]
        found = retrieved + len(judged) - len(grades)
        if items is not None and items > MOST_ITEMS:
            raise DataError(f"items is {items}; a random ranking is of at most {MOST_ITEMS:,} documents")
        if items is not None and items < found:
            raise DataError(
                f"items is {items}, but query {query!r} has {found} documents that are retrieved or judged; a "
                "collection holds at least these"
            )
        ties: Sizes | None = None
        if ranking.average:
            ties = _groups(columns, q)
            if ties is None and sizes is not None:
                known = sizes() if known is None else known
                ties = known[q]
            if ties is None:
                raise DataError(
                    f"which unjudged documents of query {query!r} have equal scores is not known from the ranking; "
                    "give qrels and run, or use ties='trec'"
                )
            ties = ties if max(ties, default=1) > 1 else None
        if items is None:
            lists.append(RandomList(retrieved, retrieved, grades, judged, ties))
        else:
            lists.append(RandomList(items, retrieved, judged, judged, ties))
    return lists


def _groups(columns: Columns, q: int) -> Sizes | None:
    """Sizes of the groups of equal scores of query `q`; None where groups without judged documents are not known."""
    hits = slice(columns.offsets[q], columns.offsets[q + 1])
    known = dict(zip(columns.tie_first[hits].tolist(), columns.tie_size[hits].tolist(), strict=True))
    sizes: list[int] = []
    rank = 1
    for first in [*sorted(known), int(columns.retrieved[q]) + 1]:
        if first - rank > 1:
            return None
        sizes += [1] * (first - rank) + ([known[first]] if first in known else [])
        rank = first + known.get(first, 0)
    return tuple(sizes)


def draws(
    shuffled: RandomList, query: str, replicates: int, seed: int, stream: int = 0
) -> Iterator[tuple[slice, Ranking]]:
    """Random rankings of one query, each as a query of its own; drawn in blocks of bounded size.

    Queries of different `stream` numbers draw different random numbers from one seed.
    """
    step = max(1, CELLS // max(1, len(shuffled.grades) + len(shuffled.judged)))
    ties = None if shuffled.ties is None else np.asarray(shuffled.ties, dtype=np.uint32)
    for start in range(0, replicates, step):
        rows = min(step, replicates - start)
        columns = kernels.shuffled(
            shuffled.items,
            shuffled.shown,
            grades=np.ascontiguousarray(shuffled.grades),
            judged=np.ascontiguousarray(shuffled.judged),
            ties=ties,
            first=(stream << 32) + start,
            replicates=rows,
            seed=seed,
        )
        made = Ranking((query,) * rows, Columns(*columns), "trec" if ties is None else "average")
        yield slice(start, start + rows), made


def all_orders(shuffled: RandomList, query: str) -> Ranking | None:
    """Every order of one query, each as a query of its own and as likely; None where there are too many."""
    grades = tuple(shuffled.grades.tolist())
    if orders_of(shuffled.items, grades) > LIMIT:
        return None
    rows = [list(order) for order in arrangements(1, shuffled.items, grades)]
    flat = np.array([hit for row in rows for hit in row], dtype=np.int64).reshape(-1, 2)
    return _ranked(shuffled, query, flat[:, 0].reshape(len(rows), -1), flat[:, 1].reshape(len(rows), -1))


def extreme(shuffled: RandomList, query: str, *, best: bool) -> Ranking:
    """The ranking with the judged documents first, by decreasing grade; or last, by increasing grade."""
    m = len(shuffled.grades)
    ranks = np.arange(m) + (1 if best else shuffled.items - m + 1)
    grades = shuffled.grades if best else shuffled.grades[::-1]
    return _ranked(shuffled, query, ranks.reshape(1, m), grades.reshape(1, m))


def _ranked(shuffled: RandomList, query: str, ranks: NDArray[np.int64], grades: NDArray[Any]) -> Ranking:
    """One query for each row of ranks and grades."""
    rows = len(ranks)
    visible = ranks <= shuffled.shown
    flat = ranks[visible].astype(np.uint32)
    first, size = flat, np.ones(len(flat), dtype=np.uint32)
    if shuffled.ties is not None:
        sizes = np.asarray(shuffled.ties, dtype=np.uint32)
        starts = np.cumsum(sizes, dtype=np.uint32) - sizes + np.uint32(1)
        first, size = np.repeat(starts, sizes)[flat - 1], np.repeat(sizes, sizes)[flat - 1]
    columns = Columns(
        offsets=np.concatenate([[0], np.cumsum(visible.sum(axis=1))]),
        ranks=flat,
        grades=grades[visible].astype(np.int32),
        tie_first=first,
        tie_size=size,
        retrieved=np.full(rows, shuffled.shown, dtype=np.uint32),
        judged_offsets=np.arange(rows + 1) * len(shuffled.judged),
        judged=np.tile(shuffled.judged, rows),
    )
    return Ranking((query,) * rows, columns, "trec" if shuffled.ties is None else "average")
