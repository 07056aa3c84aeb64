"""nDCG averaged over the relevant documents."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Gains
from certus.metrics._declare import metric
from certus.metrics.ranking._when import plain_gains
from certus.statistic import Mean

__all__ = ["ndcg_rel"]


@metric(
    "nDCG-rel",
    spellings=("ndcg_rel",),
    source="trec_eval 9.0.8, measure ndcg_rel",
    averages_ties=True,
    monotone=plain_gains,
)
def ndcg_rel(ranking: Ranking, *, gains: Gains = ()) -> Mean:
    """Mean of nDCG at the ranks of the relevant documents, as average precision is the mean of precision there.

    ::

        nDCG-rel = (1/R) sum over relevant documents of nDCG@rank

    R documents of the query have a gain. One that is not retrieved counts with the nDCG of the whole list. A query in
    which nothing has a gain counts 0. An experiment of trec_eval's.

    Parameters
    ----------
    gains
        Gains of single grades in place of the grades themselves: ``gains={1: 3, 2: 9}``.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    The only relevant document stands at rank 3, where nDCG is 1/log2(4).

    >>> import certus
    >>> qrels = {"q1": {"d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.ndcg_rel(qrels, run).value
    0.5
    """
    return Mean(kernels.ndcg_rel(ranking.columns, gains=gains, average=ranking.average), unit="query")
