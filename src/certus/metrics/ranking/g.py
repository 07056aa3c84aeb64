"""G, a gain-based relative of average precision."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Gains, Grade
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["bin_g", "g"]


@metric("G", source="trec_eval 9.0.8, measure G", averages_ties=True)
def g(ranking: Ranking, *, gains: Gains = ()) -> Mean:
    """Gain discounted by how much the ranking has lost so far, not by the rank.

    ::

        G = sum over retrieved of gain / log2(2 + loss)  /  sum of all gains of the query

    The loss at rank i is what the best ranking could have gained on the ranks 1 to i, each counted as at least 1, less
    what was gained there. With binary grades that is the number of non-relevant documents above, as in `bin_g`. A
    document's gain is its grade; a query without gains counts 0. With several grades a
    higher one is sometimes worth more further down, so the range over ties is found by trying every order.

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
    Two non-relevant documents stand above the only relevant one: 1 / log2(4).

    >>> import certus
    >>> qrels = {"q1": {"d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.g(qrels, run).value
    0.5
    """
    return Mean(kernels.g(ranking.columns, gains=gains, average=ranking.average), unit="query")


@metric("binG", source="trec_eval 9.0.8, measure binG", averages_ties=True, monotone=True)
def bin_g(ranking: Ranking, *, rel: Grade = 1) -> Mean:
    """G where every relevant document gains 1.

    ::

        binG = (1/R) sum over relevant retrieved of 1 / log2(2 + non-relevant documents above)

    A query without relevant documents counts 0.

    Parameters
    ----------
    rel
        Least relevant grade.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    Two non-relevant documents stand above the only relevant one: 1 / log2(4).

    >>> import certus
    >>> qrels = {"q1": {"d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.bin_g(qrels, run).value
    0.5
    """
    return Mean(kernels.bin_g(ranking.columns, rel=rel, average=ranking.average), unit="query")
