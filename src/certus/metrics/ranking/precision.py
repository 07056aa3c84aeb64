"""Precision."""

from typing import TYPE_CHECKING

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, Grade
from certus.metrics._declare import metric
from certus.metrics._random_list import RandomList
from certus.metrics.ranking._chance import of_hits
from certus.statistic import Mean

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["precision"]


def _law(shuffled: RandomList, *, cutoff: int | None, rel: int) -> "Distribution | None":
    return of_hits(shuffled, rel, cutoff, shuffled.shown if cutoff is None else cutoff)


@metric(
    "P",
    aliases=("Precision",),
    spellings=("P_{cutoff}", "set_P", "SetP"),
    source="van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7",
    averages_ties=True,
    monotone=True,
    chance=_law,
)
def precision(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Mean:
    """Share of the retrieved documents that are relevant.

    ::

        P@k = relevant documents among the first k / k
        P   = relevant documents retrieved / documents retrieved

    With a cutoff the denominator is always `cutoff`, also where fewer documents were retrieved, as in trec_eval's P.
    Without one it is the precision of the retrieved set, trec_eval's set_P; a query that retrieves nothing counts 0.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    rel
        Least relevant grade.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.precision(qrels, run).value
    0.5
    >>> certus.ranking.precision(qrels, run, cutoff=10).value
    0.2
    """
    values = kernels.precision(ranking.columns, rel=rel, cutoff=cutoff, average=ranking.average)
    return Mean(values, unit="query")
