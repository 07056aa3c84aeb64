"""Set-based metrics: shares of the documents retrieved, and of the relevant ones."""

from math import sqrt
from typing import Annotated

from certus.core import kernels
from certus.core.arrays import Floats
from certus.data import Ranking
from certus.metrics.check import Beta, Cutoff, Grade, Range, Weight
from certus.metrics.orders import MaybeLaw, RandomList
from certus.metrics.ranking._shared import hits, is_order_irrelevant, looked_at, of_hits, ranked
from certus.metrics.spellings import IR_MEASURES, MTEB, RANX, TREC_EVAL
from certus.statistic import Ratio

_RIJSBERGEN = "van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7"


@ranked(
    "P",
    words=("查准率", "正确率"),
    aliases=("Precision",),
    spellings=(
        *TREC_EVAL("P_{cutoff}", "set_P"),
        *IR_MEASURES("P", "Precision", "SetP", "SetP(relative=False)"),
        *RANX("precision"),
        *MTEB("precision_at_{cutoff}"),
    ),
    source=_RIJSBERGEN,
    chance=lambda shuffled, *, cutoff, rel: of_hits(
        shuffled, rel, cutoff, shuffled.length if cutoff is None else cutoff
    ),
)
def precision(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Floats:
    """Share of the retrieved documents that are relevant.

    ::

        P@k = relevant documents among the first k / k
        P   = relevant documents retrieved / documents retrieved

    With a cutoff the denominator is always `cutoff`, also where fewer documents were retrieved, as in trec_eval's P.
    Without one it is the precision of the retrieved set, trec_eval's set_P; a query that retrieves nothing counts 0.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.precision(qrels, run).value
    0.5
    >>> certus.ranking.precision(qrels, run, cutoff=10).value
    0.2
    """
    return kernels.precision(ranking.columns, rel=rel, cutoff=cutoff, average=ranking.average)


@ranked(
    "R",
    words=("查全率",),
    aliases=("Recall",),
    spellings=(
        *TREC_EVAL("recall_{cutoff}", "set_recall"),
        *IR_MEASURES("R", "Recall", "SetR"),
        *RANX("recall"),
        *MTEB("recall_at_{cutoff}"),
    ),
    source=_RIJSBERGEN,
    chance=lambda shuffled, *, cutoff, rel: of_hits(shuffled, rel, cutoff, shuffled.relevant(rel)),
)
def recall(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Floats:
    """Share of the relevant documents that are retrieved.

    ``R@k = relevant documents among the first k / relevant documents``. A query without relevant documents counts 0, as
    in trec_eval. Some papers call Success@k recall; see `success`.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1, "d8": 1, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.recall(qrels, run).value
    0.5
    >>> certus.ranking.recall(qrels, run, cutoff=2).value
    0.25
    """
    return kernels.recall(ranking.columns, rel=rel, cutoff=cutoff, average=ranking.average)


def _law_of_success(shuffled: RandomList, *, cutoff: int | None, rel: int) -> MaybeLaw:
    from certus.chance import success as law

    depth = shuffled.depth(cutoff)
    return law(shuffled.items, shuffled.hits(rel), depth) if is_order_irrelevant(shuffled, depth) else None


@ranked(
    "Success",
    aliases=("HitRate", "HR"),
    spellings=(
        *TREC_EVAL("success_{cutoff}"),
        *IR_MEASURES("Success"),
        *RANX("hit_rate"),
        *MTEB("hit_rate_at_{cutoff}"),
    ),
    source="Craswell & Hawking (2004), Overview of the TREC-2004 Web Track, TREC 2004",
    chance=_law_of_success,
)
def success(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Floats:
    """Share of queries with a relevant document among the first.

    Also called hit rate, and in question answering sometimes recall.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d3": 1}}
    >>> run = {query: {"d1": 0.9, "d2": 0.8, "d3": 0.7} for query in qrels}
    >>> certus.ranking.success(qrels, run, cutoff=1).value
    0.5
    """
    return kernels.success(ranking.columns, rel=rel, cutoff=cutoff, average=ranking.average)


@ranked(
    "F",
    words=("F value", "F值"),
    aliases=("F{beta}",),
    spellings=(*TREC_EVAL("set_F", "set_F_{beta^2}"), *IR_MEASURES("SetF", "SetF(beta={beta^2})"), *RANX("f1")),
    source=_RIJSBERGEN,
)
def f_measure(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, beta: Beta = 1.0) -> Floats:
    """Weighted harmonic mean of precision and recall.

    ``F = (1 + beta^2) P R / (beta^2 P + R),  0 where P and R are 0``. P and R are `precision` and `recall` with the
    same cutoff. ``F1`` and ``F0.5`` name ``F(beta=1)`` and ``F(beta=0.5)``. The number behind trec_eval's set_F is
    ``beta^2``, and so is the beta of ir_measures' SetF: ``SetF(beta=4)`` is ``F(beta=2)``.

    Examples
    --------
    P = 1/2 and R = 1: F = 2 (1/2) / (3/2).

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> round(certus.ranking.f_measure(qrels, run).value, 4)
    0.6667
    """
    return kernels.f_measure(ranking.columns, rel=rel, cutoff=cutoff, beta=beta, average=ranking.average)


@ranked("E", words=("E value", "E值"), better="lower", source=_RIJSBERGEN)
def e_measure(
    ranking: Ranking,
    *,
    cutoff: Cutoff = None,
    rel: Grade = 1,
    alpha: Annotated[float, Range(greater_than=0, high=1)] = 0.5,
) -> Floats:
    """Effectiveness lost: one minus the weighted harmonic mean of precision and recall. Lower is better.

    ``E = 1 - 1 / (alpha / P + (1 - alpha) / R) = 1 - F  with  alpha = 1 / (1 + beta^2)``. E is 1 where P and R are 0.

    Parameters
    ----------
    alpha
        Weight of precision; above 1/2 it counts more than recall.

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
    return 1 - values


@ranked(
    "RelP",
    spellings=(
        *TREC_EVAL("relative_P_{cutoff}", "set_relative_P"),
        *IR_MEASURES("SetRelP", "SetRelP(relative=True)", "SetP(relative=True)"),
    ),
    source="trec_eval 9.0.8, measures relative_P and set_relative_P",
)
def relative_precision(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Floats:
    """Precision as a fraction of the best precision possible at that depth.

    ``RelP@k = relevant documents among the first k / min(k, relevant documents)``. Without a cutoff k is the number of
    documents retrieved. A query without relevant documents counts 0.

    Examples
    --------
    One of two relevant documents is among the first ten.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> certus.ranking.relative_precision(qrels, run, cutoff=10).value
    0.5
    """
    return kernels.relative_precision(ranking.columns, rel=rel, cutoff=cutoff, average=ranking.average)


def _law_of_r_precision(shuffled: RandomList, *, rel: int, multiple: float) -> MaybeLaw:
    cutoff = int(multiple * shuffled.relevant(rel) + 0.9)
    return of_hits(shuffled, rel, cutoff, cutoff)


@ranked(
    "Rprec",
    aliases=("RPrec", "R-Prec", "R-Precision"),
    spellings=(*TREC_EVAL("Rprec", "Rprec_mult_{multiple}"), *IR_MEASURES("Rprec", "RPrec"), *RANX("r-precision")),
    source="Buckley & Voorhees (2005), Retrieval System Evaluation, in TREC: Experiment and Evaluation, MIT Press",
    chance=_law_of_r_precision,
)
def r_precision(ranking: Ranking, *, rel: Grade = 1, multiple: Weight = 1.0) -> Floats:
    """Precision at the rank that equals the query's number of relevant documents, R.

    There precision equals recall. The denominator is R also where fewer documents were retrieved; a query without
    relevant documents counts 0, as in trec_eval.

    Parameters
    ----------
    multiple
        Cut after ``multiple * R`` documents, rounded up, instead (trec_eval's Rprec_mult).

    Examples
    --------
    Two relevant documents, one of them among the first two.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.r_precision(qrels, run).value
    0.5
    """
    return kernels.r_precision(ranking.columns, rel=rel, multiple=multiple, average=ranking.average)


@ranked(
    "BEP",
    words=("break point",),
    source="Lewis (1992), An evaluation of phrasal and clustered representations, SIGIR, doi:10.1145/133160.133172",
)
def break_even_point(ranking: Ranking, *, rel: Grade = 1) -> Floats:
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


@ranked("SetAP", spellings=(*TREC_EVAL("set_map"), *IR_MEASURES("SetAP")), source="trec_eval 9.0.8, measure set_map")
def set_average_precision(ranking: Ranking, *, rel: Grade = 1) -> Floats:
    """Precision times recall of the retrieved set, whatever its order.

    ``SetAP = (relevant retrieved)^2 / (retrieved * relevant)``. A query that retrieves nothing, or has no relevant
    documents, counts 0.

    Examples
    --------
    P = 1/2 and R = 1/2.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> certus.ranking.set_average_precision(qrels, run).value
    0.25
    """
    return kernels.set_map(ranking.columns, rel=rel)


@ranked("MicroP", source=_RIJSBERGEN)
def micro_precision(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Ratio:
    """Share of all documents retrieved, over all queries together, that are relevant.

    ``MicroP = sum over queries of relevant retrieved / sum over queries of retrieved``. Queries that retrieve more
    weigh more; `precision` weighs all alike. With a cutoff each query counts `cutoff` documents, as in P@k. NaN if
    nothing is retrieved at all.

    Examples
    --------
    One of one and one of three: 2/4.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> run = {"q1": {"d1": 1}, "q2": {"d1": 3, "d2": 2, "d3": 1}}
    >>> certus.ranking.micro_precision(qrels, run).value
    0.5
    """
    return Ratio(hits(ranking, rel, cutoff), looked_at(ranking, cutoff), unit="query")


@ranked("MicroR", source=_RIJSBERGEN)
def micro_recall(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Ratio:
    """Share of all relevant documents, over all queries together, that are retrieved.

    ``MicroR = sum over queries of relevant retrieved / sum over queries of relevant``. NaN if no query has a relevant
    document.

    Examples
    --------
    One of one and one of three: 2/4.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1, "d8": 1, "d9": 1}}
    >>> run = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> certus.ranking.micro_recall(qrels, run).value
    0.5
    """
    return Ratio(hits(ranking, rel, cutoff), kernels.num_relevant(ranking.columns, rel=rel), unit="query")


@ranked("MicroF", source=_RIJSBERGEN)
def micro_f(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, beta: Beta = 1.0) -> Ratio:
    """Weighted harmonic mean of micro-averaged precision and recall.

    ``MicroF = (1 + beta^2) relevant retrieved / (beta^2 relevant + retrieved),  each summed over queries``. NaN if
    nothing is relevant and nothing retrieved.

    Examples
    --------
    Two relevant documents retrieved, four retrieved, two relevant: 2 * 2 / (2 + 4).

    >>> import certus
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> run = {"q1": {"d1": 1}, "q2": {"d1": 3, "d2": 2, "d3": 1}}
    >>> round(certus.ranking.micro_f(qrels, run).value, 4)
    0.6667
    """
    weight, relevant_retrieved = beta * beta, hits(ranking, rel, cutoff)
    # Rounded term by term as below, so that a perfect value is 1.
    return Ratio(
        weight * relevant_retrieved + relevant_retrieved,
        weight * kernels.num_relevant(ranking.columns, rel=rel) + looked_at(ranking, cutoff),
        unit="query",
    )
