"""Coverage and novelty: what the user already knew."""

from typing import Annotated

import numpy as np

from certus.data import Ranking
from certus.metrics._check import Between, Cutoff, Grade
from certus.metrics._declare import metric
from certus.metrics.ranking._hits import hits, relevant
from certus.metrics.ranking._when import whole_list
from certus.statistic import Mean

__all__ = ["coverage", "novelty"]

_SOURCE = "Baeza-Yates & Ribeiro-Neto (1999), Modern Information Retrieval, Addison-Wesley, chapter 3"
Known = Annotated[int, Between(1, most=2**31 - 1)]


@metric("Coverage", source=_SOURCE, averages_ties=True, monotone=True)
def coverage(ranking: Ranking, *, cutoff: Cutoff = None, known: Known = 2) -> Mean:
    """Share of the relevant documents the user already knew that are retrieved.

    ::

        Coverage = |known and retrieved| / |known|

    Which documents the user knew is said by their grade: at least `known` means relevant and known, a lower relevant
    grade means relevant and new. In a query where the user knew none it is undefined, NaN.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    known
        Least grade of a relevant document that the user knew.

    Returns
    -------
    Mean
        One value per query, in [0, 1], or NaN.

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
        return Mean(hits(ranking, known, cutoff) / relevant(ranking, known), unit="query")


@metric("Novelty", source=_SOURCE, averages_ties=whole_list, monotone=whole_list)
def novelty(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, known: Known = 2) -> Mean:
    """Share of the relevant documents retrieved that the user did not know.

    ::

        Novelty = |new and retrieved| / (|known and retrieved| + |new and retrieved|)

    Grades say which documents the user knew, as in `coverage`: new ones have a grade from `rel` to below `known`. In a
    query that retrieves nothing relevant it is undefined, NaN.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    rel
        Least relevant grade.
    known
        Least grade of a relevant document that the user knew.

    Returns
    -------
    Mean
        One value per query, in [0, 1], or NaN.

    Examples
    --------
    Of the two relevant documents retrieved the user knew one.

    >>> import certus
    >>> qrels = {"q1": {"d1": 2, "d2": 1, "d9": 2}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> certus.ranking.novelty(qrels, run).value
    0.5
    """
    found = hits(ranking, rel, cutoff)
    with np.errstate(invalid="ignore"):
        return Mean((found - hits(ranking, max(known, rel), cutoff)) / found, unit="query")
