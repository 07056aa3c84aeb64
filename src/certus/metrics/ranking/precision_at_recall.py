"""Precision at a level of recall."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Grade, Share
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["precision_at_recall"]


@metric(
    "P@recall",
    aliases=("precision@recall",),
    at="recall",
    source="Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, Cambridge, chapter 8",
    averages_ties=True,
    monotone=True,
)
def precision_at_recall(ranking: Ranking, *, recall: Share, rel: Grade = 1) -> Mean:
    """Precision at the first rank where recall reaches a level.

    ::

        P@recall(r) = P@k  at  k = k@recall(r)

    Not interpolated, unlike IPrec. 0 where that recall is never reached, and for recall 0, which no document reaches.

    Parameters
    ----------
    recall
        Level of recall, in [0, 1].
    rel
        Least relevant grade.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    Recall 1/2 is reached at rank 2, where precision is 1/2.

    >>> import certus
    >>> qrels = {"q1": {"d2": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.precision_at_recall(qrels, run, recall=0.5).value
    0.5
    """
    values = kernels.precision_at_recall(ranking.columns, rel=rel, recall=recall, average=ranking.average)
    return Mean(values, unit="query")
