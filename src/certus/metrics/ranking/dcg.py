"""Discounted cumulative gain."""

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

__all__ = ["dcg"]


def _law(
    shuffled: RandomList, *, cutoff: int | None, gain: str, gains: tuple[tuple[int, float], ...]
) -> "Distribution | None":
    return of_gains(shuffled, cutoff, gain, gains, normalised=False)


@metric(
    "DCG",
    bounds=(0.0, float("inf")),
    source="Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422-446, doi:10.1145/582415.582418",
    averages_ties=True,
    monotone=plain_gains,
    chance=_law,
)
def dcg(
    ranking: Ranking, *, cutoff: Cutoff = None, gain: Literal["linear", "exp"] = "linear", gains: Gains = ()
) -> Mean:
    """Sum of the documents' gains, each discounted by the logarithm of its rank.

    ::

        DCG = sum over ranks i of gain(grade_i) / log2(i + 1)

    Unjudged documents and negative grades gain 0.

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
        One value per query, at least 0.

    Examples
    --------
    Grades 3 and 1 at ranks 1 and 3: 3/log2(2) + 1/log2(4).

    >>> import certus
    >>> qrels = {"q1": {"d1": 3, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.dcg(qrels, run).value
    3.5
    >>> certus.ranking.dcg(qrels, run, gain="exp").value
    7.5
    """
    values = kernels.dcg(ranking.columns, cutoff=cutoff, gain=gain, gains=gains, average=ranking.average)
    return Mean(values, unit="query")
