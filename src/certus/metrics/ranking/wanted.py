"""Relative recall and recall effort: how many relevant documents the user wants."""

from math import comb
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from certus.data import Ranking
from certus.metrics._check import Between, Cutoff, Grade
from certus.metrics._declare import metric
from certus.metrics.ranking._hits import hits, relevant
from certus.metrics.ranking._when import whole_list
from certus.statistic import Mean

__all__ = ["recall_effort", "relative_recall"]

_SOURCE = "Baeza-Yates & Ribeiro-Neto (1999), Modern Information Retrieval, Addison-Wesley, chapter 3"
Wanted = Annotated[int | None, Between(1, most=2**32 - 1)]


@metric("RelativeRecall", source=_SOURCE, averages_ties=whole_list, monotone=True)
def relative_recall(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, wanted: Wanted = None) -> Mean:
    """Relevant documents found, as a fraction of how many the user wants.

    ::

        RelativeRecall = min(1, relevant retrieved / wanted)

    A user who has found enough stops, so more does not count. A query without relevant documents counts 0.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    rel
        Least relevant grade.
    wanted
        How many relevant documents the user wants; None: all of the query's, which makes it recall.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    The user wants four relevant documents and finds two.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.relative_recall(qrels, run, wanted=4).value
    0.5
    """
    found = hits(ranking, rel, cutoff)
    return Mean(np.minimum(found / np.maximum(_goals(ranking, rel, wanted), 1), 1), unit="query")


@metric("RecallEffort", source=_SOURCE, averages_ties=True, monotone=True)
def recall_effort(ranking: Ranking, *, rel: Grade = 1, wanted: Wanted = None) -> Mean:
    """Relevant documents the user wants, as a fraction of the documents that must be read to find them.

    ::

        RecallEffort = wanted / rank of the relevant document with which they are found

    1 if the list starts with nothing but relevant documents. 0 where the list does not hold as many, since reading all
    of it does not suffice, and in a query without relevant documents.

    Parameters
    ----------
    rel
        Least relevant grade.
    wanted
        How many relevant documents the user wants; None: all of the query's.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

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
        places = start + np.flatnonzero(columns.grades[start:end] >= rel)
        if not 0 < goal <= len(places):
            continue
        last = places[goal - 1]
        if not ranking.average:
            values[query] = goal / columns.ranks[last]
            continue
        first, size = int(columns.tie_first[last]), int(columns.tie_size[last])
        above = int((columns.tie_first[places] < first).sum())
        tied = int((columns.tie_first[places] == first).sum())
        values[query] = goal * _mean_reciprocal(first, size, tied, int(goal) - above)
    return Mean(values, unit="query")


def _mean_reciprocal(first: int, size: int, tied: int, nth: int) -> float:
    """Expected 1/rank of the `nth` of `tied` relevant documents in a group of `size` that begins at rank `first`."""
    ways = comb(size, tied)
    return sum(
        comb(place, nth - 1) * comb(size - place - 1, tied - nth) / ways / (first + place) for place in range(size)
    )


def _goals(ranking: Ranking, rel: int, wanted: int | None) -> NDArray[np.float64]:
    return relevant(ranking, rel) if wanted is None else np.full(len(ranking), float(wanted))
