"""Share of judged documents."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["judged"]


@metric(
    "Judged",
    better=None,
    source="Buckley & Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR, "
    "doi:10.1145/1008992.1009000",
    averages_ties=True,
    monotone=True,
)
def judged(ranking: Ranking, *, cutoff: Cutoff = None) -> Mean:
    """Share of the retrieved documents that were judged: how far the other metrics can be trusted.

    The denominator is the number of documents looked at, the cutoff or the length of a shorter list, as in ir_measures.
    A negative grade does not count as judged. A query that retrieves nothing counts 0.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.judged(qrels, run).value
    0.5
    """
    return Mean(kernels.judged(ranking.columns, cutoff=cutoff, average=ranking.average), unit="query")
