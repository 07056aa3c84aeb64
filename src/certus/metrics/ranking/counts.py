"""Counts over all queries, as trec_eval prints them first."""

import numpy as np

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Grade
from certus.metrics._declare import metric
from certus.metrics.ranking._hits import hits
from certus.statistic import Mean

__all__ = [
    "num_nonrelevant_judged_retrieved",
    "num_queries",
    "num_relevant",
    "num_relevant_retrieved",
    "num_retrieved",
]

_ANY = (0.0, float("inf"))


@metric(
    "NumQ",
    spellings=("num_q",),
    better=None,
    bounds=_ANY,
    source="trec_eval 9.0.8, measure num_q",
    averages_ties=True,
    monotone=True,
)
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


@metric(
    "NumRet",
    spellings=("num_ret",),
    better=None,
    bounds=_ANY,
    source="trec_eval 9.0.8, measure num_ret",
    averages_ties=True,
    monotone=True,
)
def num_retrieved(ranking: Ranking, *, rel: Grade | None = None) -> Mean:
    """Number of documents retrieved.

    Parameters
    ----------
    rel
        Count only documents of at least this grade, as in ir_measures; None counts all.

    Returns
    -------
    Mean
        One count per query; the value is their sum.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_retrieved(qrels, run).value
    3.0
    """
    return Mean(
        kernels.num_retrieved(ranking.columns) if rel is None else hits(ranking, rel, None), unit="query", total=True
    )


@metric(
    "NumRel",
    spellings=("num_rel",),
    better=None,
    bounds=_ANY,
    source="trec_eval 9.0.8, measure num_rel",
    averages_ties=True,
    monotone=True,
)
def num_relevant(ranking: Ranking, *, rel: Grade = 1) -> Mean:
    """Number of relevant documents, retrieved or not.

    Parameters
    ----------
    rel
        Least relevant grade.

    Returns
    -------
    Mean
        One count per query; the value is their sum.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_relevant(qrels, run).value
    2.0
    """
    return Mean(kernels.num_relevant(ranking.columns, rel=rel), unit="query", total=True)


@metric(
    "NumRelRet",
    spellings=("num_rel_ret",),
    better=None,
    bounds=_ANY,
    source="trec_eval 9.0.8, measure num_rel_ret",
    averages_ties=True,
    monotone=True,
)
def num_relevant_retrieved(ranking: Ranking, *, rel: Grade = 1) -> Mean:
    """Number of relevant documents retrieved.

    Parameters
    ----------
    rel
        Least relevant grade.

    Returns
    -------
    Mean
        One count per query; the value is their sum.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_relevant_retrieved(qrels, run).value
    1.0
    """
    return Mean(kernels.num_relevant_retrieved(ranking.columns, rel=rel), unit="query", total=True)


@metric(
    "NumNonrelJudgedRet",
    spellings=("num_nonrel_judged_ret",),
    better=None,
    bounds=_ANY,
    source="trec_eval 9.0.8, measure num_nonrel_judged_ret",
    averages_ties=True,
    monotone=True,
)
def num_nonrelevant_judged_retrieved(ranking: Ranking, *, rel: Grade = 1) -> Mean:
    """Number of documents retrieved that were judged and found not relevant.

    Parameters
    ----------
    rel
        Least relevant grade.

    Returns
    -------
    Mean
        One count per query; the value is their sum.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d9": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.num_nonrelevant_judged_retrieved(qrels, run).value
    1.0
    """
    return Mean(kernels.num_nonrelevant_judged_retrieved(ranking.columns, rel=rel), unit="query", total=True)
