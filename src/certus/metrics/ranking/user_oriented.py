"""User-oriented metrics: coverage, novelty, relative recall, recall effort and utility."""

from math import comb
from typing import Annotated

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats
from certus.data import Ranking
from certus.metrics.check import Cutoff, Doc, Grade, Range
from certus.metrics.declaration import metric
from certus.metrics.ranking._shared import hits, ranked, whole_list
from certus.metrics.spellings import TREC_EVAL

_BAEZA_YATES = "Baeza-Yates & Ribeiro-Neto (1999), Modern Information Retrieval, Addison-Wesley, chapter 3"
KnownGrade = Annotated[int, Range(1, limit=2**31 - 1), Doc("Least grade of a relevant document that the user knew.")]
Wanted = Annotated[int | None, Range(1, limit=2**32 - 1)]
Collection = Annotated[int, Range(0, limit=2**53)]


@ranked("Coverage", words=("覆盖率",), source=_BAEZA_YATES)
def coverage(ranking: Ranking, *, cutoff: Cutoff = None, known_grade: KnownGrade = 2) -> Floats:
    """Share of the relevant documents the user already knew that are retrieved.

    ``Coverage = |known and retrieved| / |known|``. The grade of a document tells whether the user knew it: at least
    `known` means relevant and known, a lower relevant grade means relevant and new. In a query where the user knew none
    it is undefined, NaN.

    Examples
    --------
    One of the two known documents is retrieved.

    >>> import certus
    >>> qrels = {"q1": {"d1": 2, "d2": 1, "d9": 2}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> certus.ranking.coverage(qrels, run).value
    0.5
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(hits(ranking, known_grade, cutoff) / kernels.num_relevant(ranking.columns, rel=known_grade))


@metric(
    "Novelty", words=("novelty ratio", "新颖率"), source=_BAEZA_YATES, averages_ties=whole_list, monotone=whole_list
)
def novelty(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, known_grade: KnownGrade = 2) -> Floats:
    """Share of the relevant documents retrieved that the user did not know.

    ``Novelty = |new and retrieved| / (|known and retrieved| + |new and retrieved|)``. Grades say which documents the
    user knew, as in `coverage`: new ones have a grade from `rel` to below `known_grade`. In a
    query that retrieves nothing relevant it is undefined, NaN.

    Examples
    --------
    Of the two relevant documents retrieved the user knew one.

    >>> import certus
    >>> qrels = {"q1": {"d1": 2, "d2": 1, "d9": 2}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> certus.ranking.novelty(qrels, run).value
    0.5
    """
    relevant_retrieved = hits(ranking, rel, cutoff)
    with np.errstate(invalid="ignore"):
        return np.asarray((relevant_retrieved - hits(ranking, max(known_grade, rel), cutoff)) / relevant_retrieved)


@metric("RelativeRecall", words=("相对查全率",), source=_BAEZA_YATES, averages_ties=whole_list, monotone=True)
def relative_recall(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, wanted: Wanted = None) -> Floats:
    """Relevant documents found, as a fraction of how many the user wants.

    ``RelativeRecall = min(1, relevant retrieved / wanted)``. A user who has found enough stops, so more does not count.
    A query without relevant documents counts 0.

    Parameters
    ----------
    wanted
        How many relevant documents the user wants; None: all of the query's, which makes it recall.

    Examples
    --------
    The user wants four relevant documents and finds two.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.relative_recall(qrels, run, wanted=4).value
    0.5
    """
    relevant_retrieved = hits(ranking, rel, cutoff)
    return np.minimum(relevant_retrieved / np.maximum(_goals(ranking, rel, wanted), 1), 1)


@ranked("RecallEffort", words=("查全努力",), source=_BAEZA_YATES)
def recall_effort(ranking: Ranking, *, rel: Grade = 1, wanted: Wanted = None) -> Floats:
    """Relevant documents the user wants, as a fraction of the documents that must be read to find them.

    ``RecallEffort = wanted / rank of the relevant document with which they are found``. 1 if the list starts with
    relevant documents only. 0 where the list does not hold as many, since reading all of it does not suffice, and in a
    query without relevant documents.

    Parameters
    ----------
    wanted
        How many relevant documents the user wants; None: all of the query's.

    Examples
    --------
    The second relevant document stands at rank 4.

    >>> import certus
    >>> qrels = {"q1": {"d2": 1, "d4": 1}}
    >>> run = {"q1": {"d1": 4, "d2": 3, "d3": 2, "d4": 1}}
    >>> certus.ranking.recall_effort(qrels, run, wanted=2).value
    0.5
    """
    goals = _goals(ranking, rel, wanted).astype(int)
    columns = ranking.columns
    values = np.zeros(len(ranking))
    for query, (goal, start, end) in enumerate(zip(goals, columns.offsets[:-1], columns.offsets[1:], strict=True)):
        positions = start + np.flatnonzero(columns.grades[start:end] >= rel)
        if not 0 < goal <= len(positions):
            continue
        last = positions[goal - 1]
        if not ranking.average:
            values[query] = goal / columns.ranks[last]
            continue
        first, size = int(columns.tie_first[last]), int(columns.tie_size[last])
        relevant_above = int((columns.tie_first[positions] < first).sum())
        tied = int((columns.tie_first[positions] == first).sum())
        values[query] = goal * _mean_reciprocal(first, size, tied, int(goal) - relevant_above)
    return values


def _mean_reciprocal(first: int, size: int, tied: int, nth: int) -> float:
    """Expected 1/rank of the `nth` relevant document, in a group of ties that begins at rank `first`."""
    n_arrangements = comb(size, tied)
    return sum(
        comb(offset, nth - 1) * comb(size - offset - 1, tied - nth) / n_arrangements / (first + offset)
        for offset in range(size)
    )


def _goals(ranking: Ranking, rel: int, wanted: int | None) -> Floats:
    return kernels.num_relevant(ranking.columns, rel=rel) if wanted is None else np.full(len(ranking), float(wanted))


@ranked(
    "Utility",
    spellings=TREC_EVAL("utility", "utility_{a},{b},{c},{d}"),
    bounds=(float("-inf"), float("inf")),
    source="Hull & Robertson (1999), The TREC-8 Filtering Track Final Report, TREC-8",
)
def utility(
    ranking: Ranking,
    *,
    rel: Grade = 1,
    a: float = 1.0,
    b: float = -1.0,
    c: float = 0.0,
    d: float = 0.0,
    collection: Collection = 0,
) -> Floats:
    """Worth of the retrieved set when every relevant document earns and every other one costs.

    ::

        Utility = a * relevant retrieved      + b * other retrieved
                + c * relevant not retrieved  + d * other not retrieved

    Parameters
    ----------
    a, b, c, d
        Worth of each kind of document.
    collection
        Number of documents in the collection; only the last term needs it, and trec_eval takes it from ``-N``.

    Examples
    --------
    One relevant document retrieved and two others: 1 - 2.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.utility(qrels, run).value
    -1.0
    """
    return kernels.utility(ranking.columns, rel=rel, a=a, b=b, c=c, d=d, collection=collection)
