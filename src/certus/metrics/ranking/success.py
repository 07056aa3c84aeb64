"""Success."""

from typing import TYPE_CHECKING

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, Grade
from certus.metrics._declare import metric
from certus.metrics._random_list import RandomList
from certus.metrics.ranking._chance import settled
from certus.statistic import Mean

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["success"]


def _law(shuffled: RandomList, *, cutoff: int | None, rel: int) -> "Distribution | None":
    from certus.chance import success as law

    depth = shuffled.depth(cutoff)
    return law(shuffled.items, shuffled.hits(rel), depth) if settled(shuffled, depth) else None


@metric(
    "Success",
    aliases=("HitRate", "HR", "Hits"),
    spellings=("success_{cutoff}",),
    source="Craswell & Hawking (2004), Overview of the TREC-2004 Web Track, TREC 2004",
    averages_ties=True,
    monotone=True,
    chance=_law,
)
def success(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Mean:
    """Whether a relevant document is among the first; the mean is the share of queries with one.

    Also called hit rate, and in question answering sometimes recall.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    rel
        Least relevant grade.

    Returns
    -------
    Mean
        One value per query, 0 or 1; under ``ties="average"`` a probability.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d3": 1}}
    >>> run = {query: {"d1": 0.9, "d2": 0.8, "d3": 0.7} for query in qrels}
    >>> certus.ranking.success(qrels, run, cutoff=1).value
    0.5
    """
    values = kernels.success(ranking.columns, rel=rel, cutoff=cutoff, average=ranking.average)
    return Mean(values, unit="query")
