"""Binary preference."""

from typing import TYPE_CHECKING

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Grade
from certus.metrics._declare import metric
from certus.metrics._random_list import RandomList
from certus.statistic import Mean

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["bpref"]


def _law(shuffled: RandomList, *, rel: int) -> "Distribution | None":
    from certus.chance import auc
    from certus.chance import bpref as law
    from certus.chance.finite import constant
    from certus.chance.scaled import Scaled

    relevant, nonrelevant = shuffled.relevant(rel), shuffled.relevant(0) - shuffled.relevant(rel)
    found, others = shuffled.hits(rel), shuffled.hits(0) - shuffled.hits(rel)
    if not found or shuffled.ties is not None or shuffled.shown < shuffled.items:
        return None if found else constant(0.0)
    if not others:
        return constant(found / relevant)
    if others <= relevant:
        # No document has more than R others above it, so the sum of their numbers is a rank sum.
        most = found / relevant * others / min(relevant, nonrelevant)
        return Scaled(auc(found, others), most, found / relevant - most)
    return law(relevant=relevant, nonrelevant=nonrelevant) if (found, others) == (relevant, nonrelevant) else None


@metric(
    "bpref",
    aliases=("Bpref", "BPref"),
    source="Buckley & Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR, "
    "doi:10.1145/1008992.1009000",
    averages_ties=True,
    monotone=True,
    chance=_law,
)
def bpref(ranking: Ranking, *, rel: Grade = 1) -> Mean:
    """How seldom documents judged not relevant stand above relevant ones; unjudged documents play no part.

    With R relevant and N judged non-relevant documents::

        bpref = (1/R) sum over relevant retrieved of 1 - min(n, R) / min(R, N)

    where n is how many judged non-relevant documents stand above the relevant one. That is trec_eval's form; the paper
    divides by R instead of ``min(R, N)``. A relevant document that is not retrieved adds 0. A query without relevant
    documents counts 0. A negative grade stands for a document in the pool that was not judged.

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
    One of the two judged non-relevant documents stands above the second relevant one: (1 + (1 - 1/2)) / 2.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d4": 1, "d9": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.bpref(qrels, run).value
    0.75
    """
    return Mean(kernels.bpref(ranking.columns, rel=rel, average=ranking.average), unit="query")
