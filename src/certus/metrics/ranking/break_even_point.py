"""Precision-recall break-even point."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Grade
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["break_even_point"]


@metric(
    "BEP",
    source="Lewis (1992), An evaluation of phrasal and clustered representations, SIGIR, doi:10.1145/133160.133172",
    averages_ties=True,
    monotone=True,
)
def break_even_point(ranking: Ranking, *, rel: Grade = 1) -> Mean:
    """The value at which precision equals recall.

    With h hits among the first k documents, precision is ``h / k`` and recall ``h / R``. They are equal at ``k = R``,
    which makes the break-even point of a ranking its R-precision, and also wherever ``h = 0``, which does not count. A
    list shorter than R is read as if irrelevant documents followed; a query without relevant documents counts 0.

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
    After two documents precision and recall are both 1/2.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.break_even_point(qrels, run).value
    0.5
    """
    return Mean(kernels.r_precision(ranking.columns, rel=rel, multiple=1.0, average=ranking.average), unit="query")
