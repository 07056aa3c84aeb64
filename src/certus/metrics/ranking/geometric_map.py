"""Geometric mean of average precision."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, Floor, Grade
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["geometric_map"]


@metric(
    "GMAP",
    spellings=("gm_map",),
    source="Robertson (2006), On GMAP: and other transformations, CIKM, doi:10.1145/1183614.1183630",
    averages_ties=True,
    monotone=True,
)
def geometric_map(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, floor: Floor = 1e-5) -> Mean:
    """Geometric mean of average precision over queries: rewards help where a system is worst.

    ::

        GMAP = exp( (1/n) sum over queries of log(max(AP, floor)) )

    Doubling the AP of a hard query counts as much as doubling that of an easy one. The values per query are plain
    average precision; only their mean is geometric. Under ``ties="average"`` it is the geometric mean of the expected
    average precisions.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    rel
        Least relevant grade.
    floor
        Least AP that enters the mean, so that one query at 0 does not make it 0; trec_eval's gm_map has 0.00001.

    Returns
    -------
    Mean
        One average precision per query, in [0, 1], on the logarithmic scale.

    Examples
    --------
    AP is 1/4 and 1, so the geometric mean is the root of 1/4.

    >>> import certus
    >>> qrels = {"q1": {"d4": 1}, "q2": {"d1": 1}}
    >>> run = {"q1": {"d1": 4, "d2": 3, "d3": 2, "d4": 1}, "q2": {"d1": 1}}
    >>> certus.ranking.geometric_map(qrels, run).value
    0.5
    """
    values = kernels.average_precision(
        ranking.columns, rel=rel, cutoff=cutoff, denominator="relevant", average=ranking.average
    )
    return Mean(values, unit="query", scale="log", floor=floor)
