"""Normalised discounted cumulative gain."""

from typing import TYPE_CHECKING, Literal

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, Gains
from certus.metrics._declare import metric
from certus.metrics._random_list import RandomList
from certus.metrics.ranking._chance import of_gains
from certus.metrics.ranking._when import plain_gains
from certus.statistic import Mean

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["ndcg"]


def _law(
    shuffled: RandomList, *, cutoff: int | None, gain: str, gains: tuple[tuple[int, float], ...]
) -> "Distribution | None":
    return of_gains(shuffled, cutoff, gain, gains, normalised=True)


@metric(
    "nDCG",
    aliases=("NDCG",),
    spellings=("ndcg", "ndcg_cut_{cutoff}"),
    source="Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422-446, doi:10.1145/582415.582418",
    averages_ties=True,
    monotone=plain_gains,
    chance=_law,
)
def ndcg(
    ranking: Ranking, *, cutoff: Cutoff = None, gain: Literal["linear", "exp"] = "linear", gains: Gains = ()
) -> Mean:
    """Discounted gain of the ranking, as a fraction of the best possible ranking's.

    ::

        nDCG = DCG / DCG of all judged documents in decreasing order of gain
        DCG  = sum over ranks i of gain(grade_i) / log2(i + 1)

    The best ranking is cut at the same depth, and holds documents that were not retrieved too. Unjudged documents and
    negative grades gain 0. A query in which nothing has a gain counts 0, as in trec_eval.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    gain
        ``"linear"``: a document's gain is its grade, as in Järvelin & Kekäläinen and trec_eval. ``"exp"``: it is
        ``2^grade - 1``, as in Burges et al. (2005) and in web search.
    gains
        Gains of single grades in place of the formula's: ``gains={1: 3, 2: 9}``.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    The only relevant document stands at rank 3: 1/log2(4) of 1/log2(2).

    >>> import certus
    >>> qrels = {"q1": {"d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.ndcg(qrels, run).value
    0.5
    >>> certus.ranking.ndcg(qrels, run, cutoff=2).value
    0.0
    """
    values = kernels.ndcg(ranking.columns, cutoff=cutoff, gain=gain, gains=gains, average=ranking.average)
    return Mean(values, unit="query")
