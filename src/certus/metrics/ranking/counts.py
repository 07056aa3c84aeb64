"""Numbers of documents, shares of judged ones, and pairs in the right order."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.data import Ranking
from certus.data.ranking import queries_of
from certus.metrics.check import Cutoff, Grade
from certus.metrics.declaration import Function, Metric, metric
from certus.metrics.ranking._shared import depths, of_hits, ranked, whole_list
from certus.metrics.ranking._shared import hits as counted
from certus.metrics.spellings import IR_MEASURES, RANX, TREC_EVAL, TREC_EVAL_10, Spelling
from certus.statistic import Mean, Ratio

_REST_OF_JUDGED = "certus: the rest of Judged"
count = partial(ranked, better=None, bounds=(0.0, math.inf))
"""Declares a number of documents or queries."""


def trec_count(name: str, measure: str, *other_tools: Spelling) -> Callable[[Function], Metric]:
    """Declare a number that trec_eval prints."""
    return count(name, spellings=(*TREC_EVAL(measure), *other_tools), source=f"trec_eval 9.0.8, measure {measure}")


def _total(values: Floats) -> Mean:
    return Mean(values, unit="query", total=True)


@trec_count("NumQ", "num_q", *IR_MEASURES("NumQ"))
def num_queries(ranking: Ranking) -> Mean:
    """Number of queries evaluated.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_queries(qrels, run).value
    1.0
    """
    return _total(np.ones(len(ranking)))


@trec_count("NumRet", "num_ret", *IR_MEASURES("NumRet"))
def num_retrieved(ranking: Ranking, *, rel: Grade | None = None) -> Mean:
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
    return _total(kernels.num_retrieved(ranking.columns) if rel is None else counted(ranking, rel, None))


@trec_count("NumRel", "num_rel", *IR_MEASURES("NumRel"))
def num_relevant(ranking: Ranking, *, rel: Grade = 1) -> Mean:
    """Number of relevant documents, retrieved or not.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_relevant(qrels, run).value
    2.0
    """
    return _total(kernels.num_relevant(ranking.columns, rel=rel))


@trec_count("NumRelRet", "num_rel_ret", *IR_MEASURES("NumRelRet"))
def num_relevant_retrieved(ranking: Ranking, *, rel: Grade = 1) -> Mean:
    """Number of relevant documents retrieved.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_relevant_retrieved(qrels, run).value
    1.0
    """
    return _total(kernels.num_relevant_retrieved(ranking.columns, rel=rel))


@trec_count("NumNonrelJudgedRet", "num_nonrel_judged_ret")
def num_nonrelevant_judged_retrieved(ranking: Ranking, *, rel: Grade = 1) -> Mean:
    """Number of documents retrieved that were judged and found not relevant.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_nonrelevant_judged_retrieved(qrels, run).value
    1.0
    """
    return _total(kernels.num_nonrelevant_judged_retrieved(ranking.columns, rel=rel))


@ranked(
    "Judged",
    spellings=IR_MEASURES("Judged"),
    better=None,
    source="Buckley & Voorhees (2004), Retrieval evaluation with incomplete information, SIGIR, "
    "doi:10.1145/1008992.1009000",
)
def judged(ranking: Ranking, *, cutoff: Cutoff = None) -> Floats:
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
def unjudged(ranking: Ranking, *, cutoff: Cutoff = None) -> Floats:
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
def num_unjudged(ranking: Ranking, *, cutoff: Cutoff = None) -> Mean:
    """Number of retrieved documents that were not judged, summed over queries.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.num_unjudged(qrels, run).value
    2.0
    """
    return _total(depths(ranking, cutoff) - counted(ranking, 0, cutoff))


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

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}, "q2": {"d9": 1}}
    >>> run = {query: {"d1": 0.9, "d2": 0.8, "d3": 0.7} for query in qrels}
    >>> certus.ranking.hits(qrels, run, cutoff=10).value
    1.0
    """
    return counted(ranking, rel, cutoff)


@metric(
    "Accuracy",
    aliases=("PairAccuracy",),
    spellings=IR_MEASURES("Accuracy"),
    source="ir_measures 0.4.3, measure Accuracy",
    averages_ties=whole_list,
    monotone=whole_list,
)
def accuracy(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Ratio:
    """Share of pairs of a relevant and another document retrieved in which the relevant one stands first.

    ``Accuracy = pairs in the right order / (relevant retrieved * others retrieved)``. Documents that were not retrieved
    play no part: a diagnosis of how a list is ordered, not of what it misses. A query that retrieves no relevant
    document, or nothing else, has no pairs; the mean is over the other queries, as in ir_measures. Not the accuracy of
    sentence-transformers, which is `success`.

    Examples
    --------
    Relevant documents at ranks 1 and 3 of three: one of the two pairs is in the right order.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.accuracy(qrels, run).value
    0.5
    """
    relevant_retrieved = counted(ranking, rel, cutoff)
    pairs = relevant_retrieved * (depths(ranking, cutoff) - relevant_retrieved)
    has_pairs = pairs > 0
    wrong = _wrong_pairs(ranking, rel, cutoff)
    return Ratio(
        np.where(has_pairs, 1 - wrong / np.where(has_pairs, pairs, 1), 0), has_pairs.astype(np.float64), unit="query"
    )


def _wrong_pairs(ranking: Ranking, rel: int, cutoff: int | None) -> NDArray[np.float64]:
    """Pairs in the wrong order, per query; where ties are averaged a tied pair is half wrong."""
    columns = ranking.columns
    relevant = columns.grades >= rel
    if cutoff is not None:
        relevant &= columns.ranks <= cutoff
    query = queries_of(columns.offsets)[relevant]
    index = np.arange(len(query)) - np.searchsorted(query, query)
    nonrelevant_above = columns.ranks[relevant] - 1.0 - index
    if ranking.average:
        first, size = columns.tie_first[relevant].astype(np.float64), columns.tie_size[relevant]
        group = query * (columns.retrieved.max(initial=0) + 1.0) + first
        start, end = np.searchsorted(group, group), np.searchsorted(group, group, side="right")
        nonrelevant_above = first - 1 - (start - np.searchsorted(query, query)) + (size - (end - start)) / 2
    return np.bincount(query, weights=nonrelevant_above, minlength=len(ranking)).astype(np.float64)
