"""Reciprocal rank."""

from typing import TYPE_CHECKING

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, Grade
from certus.metrics._declare import metric
from certus.metrics._random_list import RandomList
from certus.metrics.ranking._forms import PerQuery
from certus.statistic import Mean

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["reciprocal_rank"]


def _law(shuffled: RandomList, *, cutoff: int | None, rel: int) -> "Distribution | None":
    from certus.chance import reciprocal_rank as law

    if shuffled.ties is not None:
        return None
    return law(shuffled.items, shuffled.hits(rel), cutoff=shuffled.depth(cutoff))


@metric(
    "RR",
    aliases=("MRR", "MeanReciprocalRank"),
    spellings=("recip_rank",),
    source="Voorhees (1999), The TREC-8 Question Answering Track Report, TREC-8:77-82",
    averages_ties=True,
    monotone=True,
    chance=_law,
)
def reciprocal_rank(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> PerQuery:
    """One over the rank of the first relevant document; 0 where none is retrieved.

    The mean over queries is MRR.

    Examples
    --------
    The right answers stand at ranks 2 and 4: (1/2 + 1/4) / 2.

    >>> import certus
    >>> qrels = {"q1": {"d2": 1}, "q2": {"d4": 1}}
    >>> run = {query: {"d1": 4, "d2": 3, "d3": 2, "d4": 1} for query in qrels}
    >>> certus.ranking.reciprocal_rank(qrels, run).value
    0.375
    """
    values = kernels.reciprocal_rank(ranking.columns, rel=rel, cutoff=cutoff, average=ranking.average)
    return Mean(values, unit="query")
