"""Depth at which a level of recall is reached."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Grade, Share
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["k_at_recall"]


@metric(
    "k@recall",
    at="recall",
    better="lower",
    bounds=(0.0, float("inf")),
    source="Raghavan, Bollmann & Jung (1989), A critical investigation of recall and precision as measures of "
    "retrieval system performance, ACM TOIS 7(3):205-229, doi:10.1145/65943.65945",
    averages_ties=True,
    monotone=True,
)
def k_at_recall(ranking: Ranking, *, recall: Share, rel: Grade = 1) -> Mean:
    """Smallest number of documents, from the top, that reaches a level of recall. Lower is better.

    ::

        k@recall(r) = min of k with R@k >= r

    0 for recall 0. A query that never reaches the level, or has no relevant documents, has no such number: NaN, and so
    has the mean.

    Parameters
    ----------
    recall
        Level of recall, in [0, 1].
    rel
        Least relevant grade.

    Returns
    -------
    Mean
        One rank per query, or NaN.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d2": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.k_at_recall(qrels, run, recall=1).value
    3.0
    """
    values = kernels.k_at_recall(ranking.columns, rel=rel, recall=recall, average=ranking.average)
    return Mean(values, unit="query")
