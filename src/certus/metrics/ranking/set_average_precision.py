"""Average precision of the retrieved set."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Grade
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["set_average_precision"]


@metric(
    "SetAP",
    spellings=("set_map",),
    source="trec_eval 9.0.8, measure set_map",
    averages_ties=True,
    monotone=True,
)
def set_average_precision(ranking: Ranking, *, rel: Grade = 1) -> Mean:
    """Precision times recall of the retrieved set, whatever its order.

    ::

        SetAP = (relevant retrieved)^2 / (retrieved * relevant)

    A query that retrieves nothing, or has no relevant documents, counts 0.

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
    P = 1/2 and R = 1/2.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> certus.ranking.set_average_precision(qrels, run).value
    0.25
    """
    return Mean(kernels.set_map(ranking.columns, rel=rel), unit="query")
