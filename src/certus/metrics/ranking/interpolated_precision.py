"""Interpolated precision at a recall level."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Grade, Rounding, Share
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["interpolated_precision"]


@metric(
    "IPrec",
    spellings=("iprec_at_recall_{recall}",),
    spelled={"rounding": "trec9"},
    at="recall",
    source="Buckley & Voorhees (2005), Retrieval System Evaluation, in TREC: Experiment and Evaluation, MIT Press",
    averages_ties=True,
    monotone=True,
)
def interpolated_precision(ranking: Ranking, *, recall: Share, rel: Grade = 1, rounding: Rounding = "exact") -> Mean:
    """Highest precision at this or any higher level of recall.

    ::

        IPrec@r = max of P@k over the ranks k at which recall is at least r

    0 where that recall is never reached. With r = 0, 0.1, ..., 1 it draws the precision-recall curve.

    Parameters
    ----------
    recall
        Level of recall, in [0, 1].
    rel
        Least relevant grade.
    rounding
        How a recall level r becomes a number of the R relevant documents. ``"exact"``: the fewest whose share is at
        least r, as the formula says. ``"trec9"``: ``r R + 0.9`` without its fraction, as trec_eval 9, pytrec_eval and
        ir_measures do, so that 2 of 3 documents reach recall 0.7; trec_eval's name of the metric means this one.
        ``"trec10"``: ``r R`` rounded, as trec_eval 10 does.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    Relevant documents at ranks 2 and 3: precision is 1/2, then 2/3, at recall 1/2 and 1.

    >>> import certus
    >>> qrels = {"q1": {"d2": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> round(certus.ranking.interpolated_precision(qrels, run, recall=0.5).value, 4)
    0.6667
    """
    values = kernels.interpolated_precision(
        ranking.columns, rel=rel, recall=recall, rounding=rounding, average=ranking.average
    )
    return Mean(values, unit="query")
