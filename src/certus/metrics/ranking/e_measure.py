"""E measure."""

from math import sqrt
from typing import Annotated

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Between, Cutoff, Grade
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["e_measure"]


@metric(
    "E",
    better="lower",
    source="van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7",
    averages_ties=True,
    monotone=True,
)
def e_measure(
    ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, alpha: Annotated[float, Between(above=0, high=1)] = 0.5
) -> Mean:
    """Effectiveness lost: one minus the weighted harmonic mean of precision and recall. Lower is better.

    ::

        E = 1 - 1 / (alpha / P + (1 - alpha) / R) = 1 - F  with  alpha = 1 / (1 + beta^2)

    E is 1 where P and R are 0.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    rel
        Least relevant grade.
    alpha
        Weight of precision; above 1/2 it counts more than recall.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    P = 1/2 and R = 1: 1 - 1 / (1 + 1/2).

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> round(certus.ranking.e_measure(qrels, run).value, 4)
    0.3333
    """
    beta = sqrt((1 - alpha) / alpha)
    values = kernels.f_measure(ranking.columns, rel=rel, cutoff=cutoff, beta=beta, average=ranking.average)
    return Mean(1 - values, unit="query")
