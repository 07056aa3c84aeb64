"""R-precision."""

from typing import TYPE_CHECKING

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Grade, Weight
from certus.metrics._declare import metric
from certus.metrics._random_list import RandomList
from certus.metrics.ranking._chance import of_hits
from certus.statistic import Mean

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["r_precision"]


def _law(shuffled: RandomList, *, rel: int, multiple: float) -> "Distribution | None":
    cutoff = int(multiple * shuffled.relevant(rel) + 0.9)
    return of_hits(shuffled, rel, cutoff, cutoff)


@metric(
    "Rprec",
    aliases=("RPrec", "R-Prec", "R-Precision"),
    spellings=("Rprec_mult_{multiple}",),
    source="Buckley & Voorhees (2005), Retrieval System Evaluation, in TREC: Experiment and Evaluation, MIT Press",
    averages_ties=True,
    monotone=True,
    chance=_law,
)
def r_precision(ranking: Ranking, *, rel: Grade = 1, multiple: Weight = 1.0) -> Mean:
    """Precision at the rank that equals the query's number of relevant documents, R.

    There precision equals recall. The denominator is R also where fewer documents were retrieved; a query without
    relevant documents counts 0, as in trec_eval.

    Parameters
    ----------
    rel
        Least relevant grade.
    multiple
        Cut after ``multiple * R`` documents, rounded up, instead (trec_eval's Rprec_mult).

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    Two relevant documents, one of them among the first two.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.r_precision(qrels, run).value
    0.5
    """
    values = kernels.r_precision(ranking.columns, rel=rel, multiple=multiple, average=ranking.average)
    return Mean(values, unit="query")
