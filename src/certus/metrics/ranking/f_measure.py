"""F measure."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, Grade, Weight
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["f_measure"]


@metric(
    "F",
    spellings=("F{beta}", "set_F", "set_F_{beta^2}", "SetF"),
    source="van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7",
    averages_ties=True,
    monotone=True,
)
def f_measure(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, beta: Weight = 1.0) -> Mean:
    """Weighted harmonic mean of precision and recall.

    ::

        F = (1 + beta^2) P R / (beta^2 P + R),  0 where P and R are 0

    P and R are `precision` and `recall` with the same cutoff. ``F1`` and ``F0.5`` name ``F(beta=1)`` and
    ``F(beta=0.5)``. The number behind trec_eval's set_F is ``beta^2``, and so is the beta of
    ir_measures' SetF: ``SetF(beta=4)`` is ``F(beta=2)``.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    rel
        Least relevant grade.
    beta
        How many times as important recall is as precision.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    P = 1/2 and R = 1: F = 2 (1/2) / (3/2).

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> round(certus.ranking.f_measure(qrels, run).value, 4)
    0.6667
    """
    values = kernels.f_measure(ranking.columns, rel=rel, cutoff=cutoff, beta=beta, average=ranking.average)
    return Mean(values, unit="query")
