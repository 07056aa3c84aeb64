"""Numbers of documents, and shares of judged ones."""

import math
from functools import partial

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.data import Ranking
from certus.metrics.check import Cutoff, Grade
from certus.metrics.ranking._shared import PerQuery, Total, depths, of_hits, ranked
from certus.metrics.ranking._shared import hits as counted
from certus.metrics.spellings import IR_MEASURES, RANX, TREC_EVAL, TREC_EVAL_10
from certus.statistic import Mean

_REST_OF_JUDGED = "certus: the rest of Judged"
count = partial(ranked, better=None, bounds=(0.0, math.inf))
"""Declares a number of documents or queries."""


@count("NumQ", spellings=(*TREC_EVAL("num_q"), *IR_MEASURES("NumQ")), source="trec_eval 9.0.8, measure num_q")
def num_queries(ranking: Ranking) -> Mean:
    """Number of queries evaluated.

    Returns
    -------
    Mean
        A 1 per query; the value is their sum.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_queries(qrels, run).value
    1.0
    """
    return Mean(np.ones(len(ranking)), unit="query", total=True)


@count("NumRet", spellings=(*TREC_EVAL("num_ret"), *IR_MEASURES("NumRet")), source="trec_eval 9.0.8, measure num_ret")
def num_retrieved(ranking: Ranking, *, rel: Grade | None = None) -> Total:
    """Number of documents retrieved.

    Parameters
    ----------
    rel
        Count only documents of at least this grade, as in ir_measures; None counts all.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_retrieved(qrels, run).value
    3.0
    """
    return Mean(
        kernels.num_retrieved(ranking.columns) if rel is None else counted(ranking, rel, None), unit="query", total=True
    )


@count("NumRel", spellings=(*TREC_EVAL("num_rel"), *IR_MEASURES("NumRel")), source="trec_eval 9.0.8, measure num_rel")
def num_relevant(ranking: Ranking, *, rel: Grade = 1) -> Total:
    """Number of relevant documents, retrieved or not.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_relevant(qrels, run).value
    2.0
    """
    return Mean(kernels.num_relevant(ranking.columns, rel=rel), unit="query", total=True)


@count(
    "NumRelRet",
    spellings=(*TREC_EVAL("num_rel_ret"), *IR_MEASURES("NumRelRet")),
    source="trec_eval 9.0.8, measure num_rel_ret",
)
def num_relevant_retrieved(ranking: Ranking, *, rel: Grade = 1) -> Total:
    """Number of relevant documents retrieved.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_relevant_retrieved(qrels, run).value
    1.0
    """
    return Mean(kernels.num_relevant_retrieved(ranking.columns, rel=rel), unit="query", total=True)


@count(
    "NumNonrelJudgedRet",
    spellings=TREC_EVAL("num_nonrel_judged_ret"),
    source="trec_eval 9.0.8, measure num_nonrel_judged_ret",
)
def num_nonrelevant_judged_retrieved(ranking: Ranking, *, rel: Grade = 1) -> Total:
    """Number of documents retrieved that were judged and found not relevant.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_nonrelevant_judged_retrieved(qrels, run).value
    1.0
    """
    return Mean(kernels.num_nonrelevant_judged_retrieved(ranking.columns, rel=rel), unit="query", total=True)


@ranked(
    "Judged",
    spellings=IR_MEASURES("Judged"),
    better=None,
    source="Buckley & Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR, "
    "doi:10.1145/1008992.1009000",
)
def judged(ranking: Ranking, *, cutoff: Cutoff = None) -> PerQuery:
    """Share of the retrieved documents that were judged: how far the other metrics can be trusted.

    The denominator is the number of documents looked at, the cutoff or the length of a shorter list, as in ir_measures.
    A negative grade does not count as judged. A query that retrieves nothing counts 0.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.judged(qrels, run).value
    0.5
    """
    return kernels.judged(ranking.columns, cutoff=cutoff, average=ranking.average)


@ranked(
    "Unjudged",
    spellings=TREC_EVAL_10("unj_{cutoff}", differs=True, note="divided by the cutoff, also where the list is shorter"),
    better=None,
    source=_REST_OF_JUDGED,
)
def unjudged(ranking: Ranking, *, cutoff: Cutoff = None) -> PerQuery:
    """Share of the retrieved documents that were not judged.

    The denominator is the number of documents looked at, the cutoff or the length of a shorter list. A negative grade
    counts as not judged. A query that retrieves nothing counts 0, as in `judged`.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.unjudged(qrels, run, cutoff=4).value
    0.5
    """
    looked_at = depths(ranking, cutoff)
    return np.asarray((looked_at - counted(ranking, 0, cutoff)) / looked_at.clip(min=1))


@count("NumUnjudged", source=_REST_OF_JUDGED)
def num_unjudged(ranking: Ranking, *, cutoff: Cutoff = None) -> Total:
    """Number of retrieved documents that were not judged, summed over queries.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.num_unjudged(qrels, run).value
    2.0
    """
    return Mean(depths(ranking, cutoff) - counted(ranking, 0, cutoff), unit="query", total=True)


@ranked(
    "Hits",
    spellings=RANX("hits"),
    bounds=(0.0, math.inf),
    source="ranx 0.3.21, metric hits",
    chance=partial(of_hits, unit=1),
)
def hits(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Floats:
    """Number of relevant documents among the first, averaged over queries.

    The sum over queries is `num_relevant_retrieved`. Where every query has one relevant document, as in the completion
    of knowledge graphs, it equals `success`, which is called Hits@k there.

    Returns
    -------
    Mean
        One count per query.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}, "q2": {"d9": 1}}
    >>> run = {query: {"d1": 0.9, "d2": 0.8, "d3": 0.7} for query in qrels}
    >>> certus.ranking.hits(qrels, run, cutoff=10).value
    1.0
    """
    return counted(ranking, rel, cutoff)
