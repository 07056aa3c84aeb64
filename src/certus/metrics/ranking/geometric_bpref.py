"""Geometric mean of bpref."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Floor, Grade
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["geometric_bpref"]


@metric(
    "GMbpref",
    spellings=("gm_bpref",),
    source="trec_eval 9.0.8, measure gm_bpref",
    averages_ties=True,
    monotone=True,
)
def geometric_bpref(ranking: Ranking, *, rel: Grade = 1, floor: Floor = 1e-5) -> Mean:
    """Geometric mean of bpref over queries.

    ::

        GMbpref = exp( (1/n) sum over queries of log(max(bpref, floor)) )

    Parameters
    ----------
    rel
        Least relevant grade.
    floor
        Least bpref that enters the mean; trec_eval has 0.00001.

    Returns
    -------
    Mean
        One bpref per query, in [0, 1], on the logarithmic scale.

    Examples
    --------
    bpref is 1 and 1/4: in the second query one of four relevant documents is retrieved.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "n": 0}, "q2": {"d1": 1, "d2": 1, "d3": 1, "d4": 1, "n": 0}}
    >>> run = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> certus.ranking.geometric_bpref(qrels, run).value
    0.5
    """
    values = kernels.bpref(ranking.columns, rel=rel, average=ranking.average)
    return Mean(values, unit="query", scale="log", floor=floor)
