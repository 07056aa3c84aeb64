"""Metrics for judgments that are incomplete."""

from typing import Literal

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats
from certus.data import Ranking
from certus.metrics.check import Floor, Grade
from certus.metrics.declaration import metric
from certus.metrics.orders import MaybeLaw, RandomList
from certus.metrics.ranking._shared import hits, ranked
from certus.metrics.spellings import IR_MEASURES, RANX, TREC_EVAL
from certus.statistic import Mean


def _law(shuffled: RandomList, *, rel: int, normalizer: str) -> MaybeLaw:
    from certus.chance.exact import Scaled

    law, relevant = _law_of_trec_eval(shuffled, rel), shuffled.relevant(rel)
    nonrelevant = shuffled.relevant(0) - relevant
    if normalizer == "min" or law is None or nonrelevant >= relevant:
        return law
    part = nonrelevant / relevant
    return Scaled(law, part, (1 - part) * shuffled.hits(rel) / relevant) if part else law


def _law_of_trec_eval(shuffled: RandomList, rel: int) -> MaybeLaw:
    from certus.chance import auc
    from certus.chance import bpref as law
    from certus.chance.exact import Scaled, constant

    relevant, nonrelevant = shuffled.relevant(rel), shuffled.relevant(0) - shuffled.relevant(rel)
    relevant_retrieved, nonrelevant_retrieved = shuffled.hits(rel), shuffled.hits(0) - shuffled.hits(rel)
    if not relevant_retrieved or shuffled.ties is not None or shuffled.length < shuffled.items:
        return None if relevant_retrieved else constant(0.0)
    if not nonrelevant_retrieved:
        return constant(relevant_retrieved / relevant)
    if nonrelevant_retrieved <= relevant:
        # No document has more than R others above it, so the sum of their numbers is a rank sum.
        highest = relevant_retrieved / relevant * nonrelevant_retrieved / min(relevant, nonrelevant)
        return Scaled(auc(relevant_retrieved, nonrelevant_retrieved), highest, relevant_retrieved / relevant - highest)
    return (
        law(relevant=relevant, nonrelevant=nonrelevant)
        if (relevant_retrieved, nonrelevant_retrieved) == (relevant, nonrelevant)
        else None
    )


@ranked(
    "bpref",
    words=("binary preference",),
    aliases=("Bpref", "BPref"),
    spellings=(
        *TREC_EVAL("bpref"),
        *IR_MEASURES("Bpref", "BPref"),
        *RANX("bpref", differs=True, note="NaN for a query without relevant or without nonrelevant judgments"),
    ),
    source="Buckley & Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR, "
    "doi:10.1145/1008992.1009000",
    chance=_law,
)
def bpref(ranking: Ranking, *, rel: Grade = 1, normalizer: Literal["min", "relevant"] = "min") -> Floats:
    """Preference for relevant documents over those judged not relevant; unjudged documents play no part.

    With R relevant and N judged non-relevant documents: ``bpref = (1/R) sum over relevant retrieved of 1 - min(n, R) /
    min(R, N)``, where n is how many judged non-relevant documents stand above the relevant one. A relevant document
    that is not retrieved adds 0. A query without relevant documents counts 0. A negative grade stands for a document in
    the pool that was not judged.

    Parameters
    ----------
    normalizer
        What n is divided by. ``"min"``: ``min(R, N)``, as in trec_eval. ``"relevant"``: R, as in the paper; the two
        differ where fewer documents were judged non-relevant than relevant.

    Examples
    --------
    One of the two judged non-relevant documents stands above the second relevant one: (1 + (1 - 1/2)) / 2.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d4": 1, "d9": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.bpref(qrels, run).value
    0.75
    """
    values = kernels.bpref(ranking.columns, rel=rel, average=ranking.average)
    if normalizer == "relevant":
        # Both are found/R less a sum over the same documents, of which only the divisor differs.
        relevant, judged = (kernels.num_relevant(ranking.columns, rel=grade) for grade in (rel, 0))
        wanted = np.maximum(relevant, 1)
        part = np.minimum((judged - relevant) / wanted, 1)
        values = (1 - part) * (hits(ranking, rel, None) / wanted) + part * values
    return values


@ranked("GMbpref", spellings=TREC_EVAL("gm_bpref"), source="trec_eval 9.0.8, measure gm_bpref")
def geometric_bpref(ranking: Ranking, *, rel: Grade = 1, floor: Floor = 1e-5) -> Mean:
    """Geometric mean of bpref over queries.

    ``GMbpref = exp( (1/n) sum over queries of log(max(bpref, floor)) )``

    Parameters
    ----------
    floor
        Least bpref that enters the mean; trec_eval has 0.00001.

    Examples
    --------
    bpref is 1 and 1/4: in the second query one of four relevant documents is retrieved.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "n": 0}, "q2": {"d1": 1, "d2": 1, "d3": 1, "d4": 1, "n": 0}}
    >>> run = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> certus.ranking.geometric_bpref(qrels, run).value
    0.5
    """
    values = kernels.bpref(ranking.columns, rel=rel, average=ranking.average)
    return Mean(values, unit="query", scale="log", floor=floor)


@metric(
    "infAP",
    spellings=(*TREC_EVAL("infAP"), *IR_MEASURES("infAP")),
    source="Yilmaz & Aslam (2006), Estimating average precision with incomplete and imperfect judgments, CIKM, "
    "doi:10.1145/1183614.1183633",
    averages_ties=True,
)
def inf_ap(ranking: Ranking, *, rel: Grade = 1) -> Floats:
    """Average precision estimated from a pool of which only a random sample was judged.

    The expected precision at a relevant document of rank k is: ``1/k + (k - 1)/k * pooled/(k - 1) * (relevant + e) /
    (relevant + nonrelevant + 2 e)``, where pooled, relevant and nonrelevant count documents above it: in the pool,
    judged relevant, judged non-relevant, and ``e = 0.00001`` as in trec_eval. The values are summed and divided by the
    number of documents judged relevant. A negative grade marks a document in the pool that was not judged; documents
    without a grade are outside it and taken as not relevant. A query without relevant documents counts 0.

    Examples
    --------
    With a pool that was judged in full it is nearly average precision, here (1/1 + 2/3) / 2.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> round(certus.ranking.inf_ap(qrels, run).value, 4)
    0.8333
    """
    return kernels.inf_ap(ranking.columns, rel=rel, average=ranking.average)
