"""Rank-biased precision."""

from typing import TYPE_CHECKING

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, Grade, Inside
from certus.metrics._declare import metric
from certus.metrics._random_list import RandomList
from certus.statistic import Mean

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["rbp"]


def _law(shuffled: RandomList, *, p: float, rel: int, cutoff: int | None) -> "Distribution | None":
    from certus.chance import rbp as law

    if shuffled.ties is not None:
        return None
    return law(shuffled.items, shuffled.hits(rel), p, cutoff=shuffled.depth(cutoff))


@metric(
    "RBP",
    source="Moffat & Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1):2, "
    "doi:10.1145/1416950.1416952",
    averages_ties=True,
    monotone=True,
    chance=_law,
)
def rbp(ranking: Ranking, *, p: Inside = 0.8, rel: Grade = 1, cutoff: Cutoff = None) -> Mean:
    """Relevance met per document by a user who goes on to the next document with probability `p`.

    ::

        RBP = (1 - p) sum over relevant documents of p^(rank - 1)

    It needs no number of relevant documents, and what is not judged can only add: by `rbp_residual` at most.

    Parameters
    ----------
    p
        Persistence: 0.5 for an impatient user, 0.95 for a patient one.
    rel
        Least relevant grade.
    cutoff
        Look at the first `cutoff` documents only.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    Relevant documents at ranks 1 and 3: (1/2)(1 + 1/4).

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.rbp(qrels, run, p=0.5).value
    0.625
    """
    values = kernels.rbp(ranking.columns, p=p, rel=rel, cutoff=cutoff, average=ranking.average)
    return Mean(values, unit="query")
