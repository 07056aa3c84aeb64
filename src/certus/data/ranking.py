"""The sparse ranking: what every ranking metric is a function of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.spelling import plural

TiePolicy = Literal["trec", "input", "average"]


class Columns(NamedTuple):
    """The flat columns of all queries, as the kernels take them.

    Query ``q`` owns ``offsets[q]:offsets[q + 1]`` of the four hit columns and
    ``judged_offsets[q]:judged_offsets[q + 1]`` of `judged`.

    Examples
    --------
    Of three documents that the only query retrieved, the second is relevant; one more relevant one is missing.

    >>> hits = {"offsets": [0, 1], "ranks": [2], "grades": [1], "tie_first": [2], "tie_size": [1]}
    >>> columns = Columns(**hits, retrieved=[3], judged_offsets=[0, 2], judged=[1, 1])
    >>> Columns(*map(np.array, columns)).ranks
    array([2])
    """

    offsets: NDArray[np.int64]
    """Length queries + 1."""
    ranks: NDArray[np.uint32]
    """Ranks (from 1) of the judged documents retrieved, increasing within a query."""
    grades: NDArray[np.int32]
    """Their grades."""
    tie_first: NDArray[np.uint32]
    """The best rank in each hit's group of equal scores."""
    tie_size: NDArray[np.uint32]
    """Number of retrieved documents, judged or not, with that score; 1 for no tie."""
    retrieved: NDArray[np.uint32]
    """Documents retrieved, per query."""
    judged_offsets: NDArray[np.int64]
    """Length queries + 1."""
    judged: NDArray[np.int32]
    """Grades of all judged documents of a query, retrieved or not, in decreasing order."""


@dataclass(frozen=True, slots=True, eq=False)
class RankedList:
    """One query's list, for metrics written as a loop over queries; see `Ranking.lists`.

    Attributes
    ----------
    query
        The query's id.
    ranks, grades
        Rank (from 1, increasing) and grade of each judged document retrieved.
    retrieved
        Number of documents retrieved, judged or not.
    judged
        Grades of all judged documents, retrieved or not, in decreasing order.

    Examples
    --------
    The second of three documents is relevant, another relevant one was not retrieved.

    >>> ranks, grades = np.array([2], dtype=np.uint32), np.array([1], dtype=np.int32)
    >>> found = RankedList("q1", ranks, grades, retrieved=3, judged=np.array([1, 1], dtype=np.int32))
    >>> len(found.first(1).ranks), found.first(1).retrieved
    (0, 1)
    """

    query: str
    ranks: NDArray[np.uint32]
    grades: NDArray[np.int32]
    retrieved: int
    judged: NDArray[np.int32]

    def first(self, cutoff: int | None) -> "RankedList":
        """The list cut after its first `cutoff` documents; None leaves it whole."""
        if cutoff is None or cutoff >= self.retrieved:
            return self
        n_hits = int(np.searchsorted(self.ranks, cutoff, side="right"))
        return RankedList(self.query, self.ranks[:n_hits], self.grades[:n_hits], cutoff, self.judged)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ranking:
    """Retrieved lists reduced to the ranks and grades of their judged documents.

    Ranks were settled once, when the ranking was made: by score, and among equal scores by the rule that `ties` names.
    Every metric sees the same ranks.

    Attributes
    ----------
    queries
        Query ids, in the byte order of their names.
    columns
        The hits, see `Columns`.
    ties
        ``"trec"``: among equal scores the greater document id comes first, as in trec_eval. ``"input"``: the one read
        first. ``"average"``: ranks as under ``"trec"``, but a metric gives its exact expected value over all orders of
        the tied documents.

    Examples
    --------
    A query with two relevant documents; of three that were retrieved, the second is one of them.

    >>> hits = ([0, 1], [2], [1], [2], [1])
    >>> found = Ranking(("q1",), Columns(*map(np.array, (*hits, [3], [0, 2], [1, 1]))))
    >>> found
    <Ranking of 1 query, 1 hit, ties 'trec'>
    >>> [(each.query, each.ranks.tolist(), each.retrieved) for each in found.lists()]
    [('q1', [2], 3)]
    """

    queries: tuple[str, ...]
    columns: Columns
    ties: TiePolicy = "trec"

    def __len__(self) -> int:
        return len(self.queries)

    def __repr__(self) -> str:
        return (
            f"<Ranking of {plural(len(self), 'query')}, {plural(len(self.columns.ranks), 'hit')}, ties {self.ties!r}>"
        )

    @property
    def average(self) -> bool:
        """True if metrics average over the orders of tied documents."""
        return self.ties == "average"

    def lists(self) -> Iterator[RankedList]:
        """The queries one by one, in order, each as a `RankedList`."""
        c = self.columns
        bounds = zip(c.offsets[:-1], c.offsets[1:], c.judged_offsets[:-1], c.judged_offsets[1:], strict=True)
        for query, retrieved, (start, end, judged, judged_end) in zip(self.queries, c.retrieved, bounds, strict=True):
            yield RankedList(
                query, c.ranks[start:end], c.grades[start:end], int(retrieved), c.judged[judged:judged_end]
            )

    def best(self) -> "Ranking":
        """The ranking with tied documents in their best order: judged first, by decreasing grade."""
        return self._with_columns(kernels.order_ties(self.columns, best=True), "trec")

    def worst(self) -> "Ranking":
        """The ranking with tied documents in their worst order: unjudged first, then by increasing grade."""
        return self._with_columns(kernels.order_ties(self.columns, best=False), "trec")

    def condensed(self) -> "Ranking":
        """The ranking without its unjudged documents (those of negative grade included)."""
        return self._with_columns(kernels.condense(self.columns), self.ties)

    def without(self, self_ranks: Sequence[int]) -> "Ranking":
        """The ranking without one document of each query, by its rank; 0 leaves a query whole."""
        c, ranks = self.columns, np.array(self_ranks, dtype=np.int64)
        owners = queries_of(c.offsets)
        self_rank = ranks[owners]
        stays = c.ranks != self_rank
        lower = (self_rank > 0) & (c.ranks > self_rank)
        lower_group = (self_rank > 0) & (c.tie_first > self_rank)
        tied = (self_rank >= c.tie_first) & (self_rank < c.tie_first.astype(np.int64) + c.tie_size)
        columns = c._replace(
            offsets=np.append(0, np.cumsum(np.bincount(owners[stays], minlength=len(self)))),
            ranks=(c.ranks - lower)[stays].astype(np.uint32),
            grades=c.grades[stays],
            tie_first=(c.tie_first - lower_group)[stays].astype(np.uint32),
            tie_size=(c.tie_size - tied)[stays].astype(np.uint32),
            retrieved=(c.retrieved - (ranks > 0)).astype(np.uint32),
        )
        return self._with_columns(columns, self.ties)

    def zero_grades_below(self, grade: int) -> "Ranking":
        """The ranking as if every document of a lower positive grade had the grade 0."""
        c = self.columns
        if grade <= 1:
            return self
        graded = c._replace(grades=zero_below(c.grades, grade), judged=zero_below(c.judged, grade))
        return self._with_columns(graded, self.ties)

    def optimistic(self) -> "Ranking":
        """The ranking as if every unjudged document retrieved had the highest grade of its query (at least 1)."""
        return self._with_columns(kernels.assume_relevant(self.columns), self.ties)

    def first(self, n: int) -> "Ranking":
        """The ranking cut after its first `n` documents."""
        return self._with_columns(kernels.truncate(self.columns, n), self.ties)

    def tied(self) -> NDArray[np.intp]:
        """Positions of the queries in which a judged document's score equals another one's."""
        tied_queries = queries_of(self.columns.offsets)[self.columns.tie_size > 1]
        return tied_queries[np.diff(tied_queries, prepend=-1) > 0]

    def select(self, positions: NDArray[np.intp]) -> "Ranking":
        """The ranking of some of the queries, by their positions, in the order given."""
        c = self.columns
        offsets, hits = _rows(c.offsets, positions)
        judged_offsets, judged = _rows(c.judged_offsets, positions)
        columns = Columns(
            offsets,
            c.ranks[hits],
            c.grades[hits],
            c.tie_first[hits],
            c.tie_size[hits],
            c.retrieved[positions],
            judged_offsets,
            c.judged[judged],
        )
        return Ranking(tuple(map(self.queries.__getitem__, positions.tolist())), columns, self.ties)

    def _with_columns(self, columns: "Columns | tuple[NDArray[np.generic], ...]", ties: TiePolicy) -> "Ranking":
        """Ranking of the same queries with these columns and this tie rule."""
        return Ranking(self.queries, Columns(*columns), ties)


def zero_below(grades: NDArray[np.int32], grade: int) -> NDArray[np.int32]:
    """The grades, positive ones below a grade being 0."""
    return np.where((grades > 0) & (grades < grade), 0, grades).astype(grades.dtype)


def queries_of(offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The query of each row."""
    queries: NDArray[np.int64] = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return queries


def _rows(offsets: NDArray[np.int64], positions: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """New offsets of the groups at some positions, and which rows belong to them."""
    lengths = np.diff(offsets)[positions]
    new = np.concatenate(([0], np.cumsum(lengths)))
    return new, np.arange(new[-1]) + np.repeat(offsets[:-1][positions] - new[:-1], lengths)


@dataclass(frozen=True, slots=True, eq=False)
class SampledList:
    """One query's list, and the documents from which those to judge were drawn."""

    query: str
    ranks: NDArray[np.int64]
    """The rank of each document known, from 1; 0 if it was not retrieved."""
    grades: NDArray[np.int64]
    """Its grade; negative where it was not judged."""
    inclusion: NDArray[np.float64]
    """The probability, above 0, that it was drawn to be judged."""
    strata: NDArray[np.int64] | None = None
    """Its stratum, from 0, of which all documents are known; None where only those judged are known."""
