"""Accuracy: relevant documents ranked before others."""

import numpy as np
from numpy.typing import NDArray

from certus.data import Ranking
from certus.metrics._declare import metric
from certus.metrics.check import Cutoff, Grade
from certus.metrics.ranking._shared import depths, hits, whole_list
from certus.metrics.spellings import IR_MEASURES
from certus.statistic import Ratio


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

    ::

        Accuracy = pairs in the right order / (relevant retrieved * others retrieved)

    Documents that were not retrieved play no part: a diagnosis of how a list is ordered, not of what it misses. A query
    that retrieves no relevant document, or nothing else, has no pairs; the mean is over the other queries, as in
    ir_measures. Not the accuracy of sentence-transformers, which is `success`.

    Returns
    -------
    Ratio
        The share of each query that has pairs, over 1; the value is their mean, in [0, 1], or NaN without pairs.

    Examples
    --------
    Relevant documents at ranks 1 and 3 of three: one of the two pairs is in the right order.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.accuracy(qrels, run).value
    0.5
    """
    relevant_retrieved = hits(ranking, rel, cutoff)
    pairs = relevant_retrieved * (depths(ranking, cutoff) - relevant_retrieved)
    has_pairs = pairs > 0
    wrong = _others_above(ranking, rel, cutoff)
    return Ratio(
        np.where(has_pairs, 1 - wrong / np.where(has_pairs, pairs, 1), 0), has_pairs.astype(np.float64), unit="query"
    )


def _others_above(ranking: Ranking, rel: int, cutoff: int | None) -> NDArray[np.float64]:
    """Pairs in the wrong order, per query; where ties are averaged a tied pair is half wrong."""
    columns = ranking.columns
    relevant = columns.grades >= rel
    if cutoff is not None:
        relevant &= columns.ranks <= cutoff
    query = np.repeat(np.arange(len(ranking)), np.diff(columns.offsets))[relevant]
    index = np.arange(len(query)) - np.searchsorted(query, query)
    nonrelevant_above = columns.ranks[relevant] - 1.0 - index
    if ranking.average:
        first, size = columns.tie_first[relevant].astype(np.float64), columns.tie_size[relevant]
        group = query * (columns.retrieved.max(initial=0) + 1.0) + first
        start, end = np.searchsorted(group, group), np.searchsorted(group, group, side="right")
        nonrelevant_above = first - 1 - (start - np.searchsorted(query, query)) + (size - (end - start)) / 2
    return np.bincount(query, weights=nonrelevant_above, minlength=len(ranking)).astype(np.float64)
