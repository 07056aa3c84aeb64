"""Residual of rank-biased precision."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, Inside
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["rbp_residual"]


@metric(
    "RBP-residual",
    better="lower",
    source="Moffat & Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1):2, "
    "doi:10.1145/1416950.1416952",
    averages_ties=True,
    monotone=True,
)
def rbp_residual(ranking: Ranking, *, p: Inside = 0.8, cutoff: Cutoff = None) -> Mean:
    """How much rank-biased precision could grow if everything unjudged were relevant.

    ::

        residual = (1 - p) sum over unjudged documents of p^(rank - 1) + p^(depth)

    The last term is the weight of all ranks below the end of the list, or below the cutoff. The true RBP lies between
    RBP and RBP + residual.

    Parameters
    ----------
    p
        Persistence, as in `rbp`.
    cutoff
        Look at the first `cutoff` documents only.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    The second of three documents is unjudged: (1/2)(1/2), and 1/8 for what follows.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.rbp_residual(qrels, run, p=0.5).value
    0.375
    """
    values = kernels.rbp_residual(ranking.columns, p=p, cutoff=cutoff, average=ranking.average)
    return Mean(values, unit="query")
