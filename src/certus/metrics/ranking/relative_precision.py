"""Relative precision."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, Grade
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["relative_precision"]


@metric(
    "RelP",
    spellings=("relative_P_{cutoff}", "set_relative_P", "SetRelP"),
    source="trec_eval 9.0.8, measures relative_P and set_relative_P",
    averages_ties=True,
    monotone=True,
)
def relative_precision(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Mean:
    """Precision as a fraction of the best precision possible at that depth.

    ::

        RelP@k = relevant documents among the first k / min(k, relevant documents)

    Without a cutoff k is the number of documents retrieved. A query without relevant documents counts 0.

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
    One of two relevant documents is among the first ten.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> certus.ranking.relative_precision(qrels, run, cutoff=10).value
    0.5
    """
    values = kernels.relative_precision(ranking.columns, rel=rel, cutoff=cutoff, average=ranking.average)
    return Mean(values, unit="query")
