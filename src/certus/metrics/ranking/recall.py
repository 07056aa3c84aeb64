"""Recall."""

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

__all__ = ["recall"]


def _law(shuffled: RandomList, *, cutoff: int | None, rel: int) -> "Distribution | None":
    return of_hits(shuffled, rel, cutoff, shuffled.relevant(rel))


@metric(
    "R",
    aliases=("Recall",),
    spellings=("recall_{cutoff}", "set_recall", "SetR"),
    source="van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7",
    averages_ties=True,
    monotone=True,
    chance=_law,
)
def recall(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Mean:
    """Share of the relevant documents that are retrieved.

    ::

        R@k = relevant documents among the first k / relevant documents

    A query without relevant documents counts 0, as in trec_eval. Some papers call Success@k recall; see `success`.

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
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1, "d8": 1, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.recall(qrels, run).value
    0.5
    >>> certus.ranking.recall(qrels, run, cutoff=2).value
    0.25
    """
    values = kernels.recall(ranking.columns, rel=rel, cutoff=cutoff, average=ranking.average)
    return Mean(values, unit="query")
