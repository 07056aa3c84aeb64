"""Average precision, precision at levels of recall, and reciprocal rank."""

from typing import Annotated, Literal, TypeAlias

from certus.core import kernels
from certus.core.arrays import Floats
from certus.data import Ranking
from certus.metrics.check import Cutoff, Doc, Floor, Grade, Rounding, Share
from certus.metrics.declaration import metric
from certus.metrics.orders import MaybeLaw, RandomList
from certus.metrics.ranking._shared import ranked
from certus.metrics.spellings import IR_MEASURES, MTEB, RANX, TREC_EVAL
from certus.statistic import Mean

_BUCKLEY = "Buckley & Voorhees (2005), Retrieval System Evaluation, in TREC: Experiment and Evaluation, MIT Press"

Level: TypeAlias = Annotated[Share, Doc("Level of recall, in [0, 1].")]


def _law(shuffled: RandomList, *, cutoff: int | None, rel: int, denominator: str) -> MaybeLaw:
    from certus.chance import average_precision as law
    from certus.chance.exact import constant

    n, m, total = shuffled.items, shuffled.hits(rel), shuffled.relevant(rel)
    depth = shuffled.depth(cutoff)
    if not m:
        return constant(0.0)
    if shuffled.ties is not None:
        has_law = depth == n and denominator == "relevant"
        return law(n, m, total=total, ties=shuffled.ties[::-1], tied="average") if has_law else None
    if denominator == "hits":
        return law(n, m, cutoff=depth, denominator="hits")
    if denominator == "min" and cutoff is not None:
        total = min(total, cutoff)
    if total < m:  # there are more relevant documents than the cutoff; not known where the list is shorter than that
        return law(n, m, cutoff=cutoff, denominator="min") if depth == cutoff else None
    return law(n, m, cutoff=depth, total=total)


@metric(
    "AP",
    words=("平均正确率", "平均精确率", "uninterpolated AP", "未插值的AP"),
    aliases=("MAP", "MeanAveragePrecision"),
    spellings=(
        *TREC_EVAL("map", "map_cut_{cutoff}"),
        *IR_MEASURES("AP", "MAP"),
        *RANX("map"),
        *MTEB("map_at_{cutoff}"),
    ),
    source=_BUCKLEY,
    averages_ties=True,
    # Divided by the hits above the cutoff, a further hit just above it can lower the average.
    monotone=lambda values: values["denominator"] != "hits" or values["cutoff"] is None,
    chance=_law,
)
def average_precision(
    ranking: Ranking,
    *,
    cutoff: Cutoff = None,
    rel: Grade = 1,
    denominator: Literal["relevant", "min", "hits"] = "relevant",
) -> Floats:
    """Precision averaged over the relevant documents: the area under the precision-recall function.

    With the relevant documents retrieved at ranks ``r_1 < r_2 < ...``: ``AP = (1/r_1 + 2/r_2 + 3/r_3 + ...) / D``.

    A relevant document that is not retrieved, or lies below the cutoff, adds 0. The mean over queries is MAP. A query
    without relevant documents counts 0, as in trec_eval.

    Parameters
    ----------
    denominator
        The ``D`` of the formula. ``"relevant"``: the relevant documents of the query, as trec_eval's map and map_cut.
        ``"min"``: that number or the cutoff, whichever is smaller, so that a perfect ranking reaches 1. ``"hits"``: the
        relevant documents retrieved above the cutoff; recall then plays no part.

    Examples
    --------
    Two of three relevant documents retrieved, at ranks 1 and 3: (1/1 + 2/3) / 3.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 2, "d4": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> round(certus.ranking.average_precision(qrels, run).value, 4)
    0.5556
    >>> round(certus.ranking.average_precision(qrels, run, denominator="hits").value, 4)
    0.8333
    """
    return kernels.average_precision(
        ranking.columns, rel=rel, cutoff=cutoff, denominator=denominator, average=ranking.average
    )


@ranked(
    "GMAP",
    spellings=TREC_EVAL("gm_map"),
    source="Robertson (2006), On GMAP: and other transformations, CIKM, doi:10.1145/1183614.1183630",
)
def geometric_map(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, floor: Floor = 1e-5) -> Mean:
    """Geometric mean of average precision over queries: rewards help where a system is worst.

    ``GMAP = exp( (1/n) sum over queries of log(max(AP, floor)) )``. Doubling the AP of a hard query counts as much as
    doubling that of an easy one. The values per query are plain average precision; only their mean is geometric. Under
    ``ties="average"`` it is the geometric mean of the expected average precisions.

    Parameters
    ----------
    floor
        Least AP that enters the mean, so that one query at 0 does not make it 0; trec_eval's gm_map has 0.00001.

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


@ranked(
    "IPrec",
    spellings=(
        *TREC_EVAL("iprec_at_recall_{recall}", rounding="trec9"),
        *IR_MEASURES(
            "IPrec",
            rounding="trec9",
            differs=True,
            note="trec_eval's rounding of levels; a measure object has it, too, but the name alone does not",
        ),
    ),
    at_parameter="recall",
    source=_BUCKLEY,
)
def interpolated_precision(ranking: Ranking, *, recall: Level, rel: Grade = 1, rounding: Rounding = "exact") -> Floats:
    """Highest precision at this or any higher level of recall.

    ``IPrec@r = max of P@k over the ranks k at which recall is at least r``. 0 where that recall is never reached. With
    r = 0, 0.1, ..., 1 it draws the precision-recall curve.

    Examples
    --------
    Relevant documents at ranks 2 and 3: precision is 1/2, then 2/3, at recall 1/2 and 1.

    >>> import certus
    >>> qrels = {"q1": {"d2": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> round(certus.ranking.interpolated_precision(qrels, run, recall=0.5).value, 4)
    0.6667
    """
    return kernels.interpolated_precision(
        ranking.columns, rel=rel, recall=recall, rounding=rounding, average=ranking.average
    )


@ranked(
    "11pt-AP",
    words=("11 point average precision", "interpolated AP", "11点平均正确率", "插值的AP"),
    spellings=TREC_EVAL("11pt_avg", rounding="trec9"),
    source=_BUCKLEY,
)
def eleven_point_average_precision(ranking: Ranking, *, rel: Grade = 1, rounding: Rounding = "exact") -> Floats:
    """Interpolated precision averaged over the recall levels 0, 0.1, ..., 1.

    The interpolated form of average precision. Each level is `interpolated_precision`.

    Examples
    --------
    The one of two relevant documents that is retrieved stands first: precision 1 at the levels 0 to 0.5, then 0.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> round(certus.ranking.eleven_point_average_precision(qrels, run).value, 4)
    0.5455
    """
    return kernels.eleven_point(ranking.columns, rel=rel, rounding=rounding, average=ranking.average)


@ranked(
    "P@recall",
    aliases=("precision@recall",),
    at_parameter="recall",
    source="Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, Cambridge, chapter 8",
)
def precision_at_recall(ranking: Ranking, *, recall: Level, rel: Grade = 1) -> Floats:
    """Precision at the first rank where recall reaches a level.

    ``P@recall(r) = P@k  at  k = k@recall(r)``. Not interpolated, unlike IPrec. 0 where that recall is never reached,
    and for recall 0, which no document reaches.

    Examples
    --------
    Recall 1/2 is reached at rank 2, where precision is 1/2.

    >>> import certus
    >>> qrels = {"q1": {"d2": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.precision_at_recall(qrels, run, recall=0.5).value
    0.5
    """
    return kernels.precision_at_recall(ranking.columns, rel=rel, recall=recall, average=ranking.average)


@ranked(
    "k@recall",
    at_parameter="recall",
    better="lower",
    bounds=(0.0, float("inf")),
    source="Raghavan, Bollmann & Jung (1989), A critical investigation of recall and precision as measures of "
    "retrieval system performance, ACM TOIS 7(3):205-229, doi:10.1145/65943.65945",
)
def k_at_recall(ranking: Ranking, *, recall: Level, rel: Grade = 1) -> Floats:
    """Smallest number of documents, from the top, that reaches a level of recall. Lower is better.

    ``k@recall(r) = min of k with R@k >= r``. 0 for recall 0. A query that never reaches the level, or has no relevant
    documents, has no such number: NaN, and so has the mean.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d2": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.k_at_recall(qrels, run, recall=1).value
    3.0
    """
    return kernels.k_at_recall(ranking.columns, rel=rel, recall=recall, average=ranking.average)


def _law_of_reciprocal_rank(shuffled: RandomList, *, cutoff: int | None, rel: int) -> MaybeLaw:
    from certus.chance import reciprocal_rank as law

    if shuffled.ties is not None:
        return None
    return law(shuffled.items, shuffled.hits(rel), cutoff=shuffled.depth(cutoff))


@ranked(
    "RR",
    aliases=("MRR", "MeanReciprocalRank"),
    spellings=(*TREC_EVAL("recip_rank"), *IR_MEASURES("RR", "MRR"), *RANX("mrr"), *MTEB("mrr_at_{cutoff}")),
    source="Voorhees (1999), The TREC-8 Question Answering Track Report, TREC-8:77-82",
    chance=_law_of_reciprocal_rank,
)
def reciprocal_rank(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Floats:
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
