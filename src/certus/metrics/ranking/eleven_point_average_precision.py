"""Eleven-point average precision."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Grade, Rounding
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["eleven_point_average_precision"]


@metric(
    "11pt-AP",
    spellings=("11pt_avg",),
    spelled={"rounding": "trec9"},
    source="Buckley & Voorhees (2005), Retrieval System Evaluation, in TREC: Experiment and Evaluation, MIT Press",
    averages_ties=True,
    monotone=True,
)
def eleven_point_average_precision(ranking: Ranking, *, rel: Grade = 1, rounding: Rounding = "exact") -> Mean:
    """Interpolated precision averaged over the recall levels 0, 0.1, ..., 1.

    The interpolated form of average precision. Each level is `interpolated_precision`.

    Parameters
    ----------
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
    The one of two relevant documents that is retrieved stands first: precision 1 at the levels 0 to 0.5, then 0.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> round(certus.ranking.eleven_point_average_precision(qrels, run).value, 4)
    0.5455
    """
    values = kernels.eleven_point(ranking.columns, rel=rel, rounding=rounding, average=ranking.average)
    return Mean(values, unit="query")
