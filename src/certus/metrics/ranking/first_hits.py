"""The first relevant documents: reciprocal rank, success, break-even point."""

from typing import TYPE_CHECKING

from certus import kernels
from certus.data import Ranking
from certus.metrics.check import Cutoff, Grade
from certus.metrics.random_rankings import RandomList
from certus.metrics.ranking._shared import PerQuery, ranked
from certus.metrics.spellings import IR_MEASURES, MTEB, RANX, TREC_EVAL

if TYPE_CHECKING:
    from certus.chance import Distribution


def _law(shuffled: RandomList, *, cutoff: int | None, rel: int) -> "Distribution | None":
    from certus.chance import reciprocal_rank as law

    if shuffled.ties is not None:
        return None
    return law(shuffled.items, shuffled.hits(rel), cutoff=shuffled.depth(cutoff))


@ranked(
    "RR",
    aliases=("MRR", "MeanReciprocalRank"),
    spellings=(*TREC_EVAL("recip_rank"), *IR_MEASURES("RR", "MRR"), *RANX("mrr"), *MTEB("mrr_at_{cutoff}")),
    source="Voorhees (1999), The TREC-8 Question Answering Track Report, TREC-8:77-82",
    chance=_law,
)
def reciprocal_rank(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> PerQuery:
    """One over the rank of the first relevant document; 0 where none is retrieved.

    The mean over queries is MRR.

    Examples
    --------
    The right answers stand at ranks 2 and 4: (1/2 + 1/4) / 2.

    >>> import certus
    >>> qrels = {"q1": {"d2": 1}, "q2": {"d4": 1}}
    >>> run = {query: {"d1": 4, "d2": 3, "d3": 2, "d4": 1} for query in qrels}
    >>> certus.ranking.reciprocal_rank(qrels, run).value
    0.375
    """
    return kernels.reciprocal_rank(ranking.columns, rel=rel, cutoff=cutoff, average=ranking.average)


@ranked(
    "BEP",
    words=("break point",),
    source="Lewis (1992), An evaluation of phrasal and clustered representations, SIGIR, doi:10.1145/133160.133172",
)
def break_even_point(ranking: Ranking, *, rel: Grade = 1) -> PerQuery:
    """The value at which precision equals recall.

    With h hits among the first k documents, precision is ``h / k`` and recall ``h / R``. They are equal at ``k = R``,
    which makes the break-even point of a ranking its R-precision, and also wherever ``h = 0``, which does not count. A
    list shorter than R is read as if irrelevant documents followed; a query without relevant documents counts 0.

    Examples
    --------
    After two documents precision and recall are both 1/2.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.break_even_point(qrels, run).value
    0.5
    """
    return kernels.r_precision(ranking.columns, rel=rel, multiple=1.0, average=ranking.average)
