"""Number and share of unjudged documents."""

from certus.data import Ranking
from certus.metrics._check import Cutoff
from certus.metrics._declare import metric
from certus.metrics.ranking._hits import depths, hits
from certus.statistic import Mean

__all__ = ["num_unjudged", "unjudged"]


@metric("Unjudged", better=None, source="certus: the rest of Judged", averages_ties=True, monotone=True)
def unjudged(ranking: Ranking, *, cutoff: Cutoff = None) -> Mean:
    """Share of the retrieved documents that were not judged.

    The denominator is the number of documents looked at, the cutoff or the length of a shorter list. A negative grade
    counts as not judged. A query that retrieves nothing counts 0, as in `judged`.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.unjudged(qrels, run, cutoff=4).value
    0.5
    """
    looked_at = depths(ranking, cutoff)
    return Mean((looked_at - hits(ranking, 0, cutoff)) / looked_at.clip(min=1), unit="query")


@metric(
    "NumUnjudged",
    better=None,
    bounds=(0.0, float("inf")),
    source="certus: the rest of Judged",
    averages_ties=True,
    monotone=True,
)
def num_unjudged(ranking: Ranking, *, cutoff: Cutoff = None) -> Mean:
    """Number of retrieved documents that were not judged, summed over queries.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.

    Returns
    -------
    Mean
        One count per query; the value is their sum.

    Examples
    --------
    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6}}
    >>> certus.ranking.num_unjudged(qrels, run).value
    2.0
    """
    return Mean(depths(ranking, cutoff) - hits(ranking, 0, cutoff), unit="query", total=True)
