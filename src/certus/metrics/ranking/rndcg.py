"""nDCG averaged over the ends of the levels of relevance."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Gains, Grade
from certus.metrics._declare import metric
from certus.metrics.ranking._when import plain_gains
from certus.statistic import Mean

__all__ = ["rndcg"]


@metric(
    "R-nDCG", spellings=("Rndcg",), source="trec_eval 9.0.8, measure Rndcg", averages_ties=True, monotone=plain_gains
)
def rndcg(ranking: Ranking, *, rel: Grade = 1, gains: Gains = ()) -> Mean:
    """Mean of nDCG at the ranks where the best ranking would pass to a lower grade, as R-precision is precision at R.

    With two documents of grade 2 and three of grade 1 these are the ranks 2 and 5. The end of the list is one more
    where it lies at least two documents further. An experiment of trec_eval's.

    Parameters
    ----------
    rel
        Least relevant grade; a query without such documents counts 0.
    gains
        Gains of single grades in place of the grades themselves: ``gains={1: 3, 2: 9}``.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    nDCG is 0 at rank 1, where the best ranking passes to grade 0, and 1/log2(4) at the end.

    >>> import certus
    >>> qrels = {"q1": {"d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.rndcg(qrels, run).value
    0.25
    """
    return Mean(kernels.rndcg(ranking.columns, rel=rel, gains=gains, average=ranking.average), unit="query")
