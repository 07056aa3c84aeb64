"""Expected reciprocal rank."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, TopGrade
from certus.metrics._declare import metric
from certus.metrics.ranking._scale import check_scale
from certus.statistic import Mean

__all__ = ["err"]


@metric(
    "ERR",
    source="Chapelle, Metzler, Zhang & Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM, "
    "doi:10.1145/1645953.1646033",
    averages_ties=True,
    monotone=True,
)
def err(ranking: Ranking, *, cutoff: Cutoff = None, max_grade: TopGrade = 4) -> Mean:
    """Expected reciprocal rank at which a user who reads from the top is satisfied and stops.

    ::

        ERR = sum over ranks i of (1/i) s_i (1 - s_1) ... (1 - s_(i-1)),   s_i = (2^grade_i - 1) / 2^max_grade

    Unjudged documents and negative grades satisfy nobody.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    max_grade
        The highest grade of the scale, 4 as in TREC's web track and gdeval. With binary judgments say ``max_grade=1``;
        a relevant document then satisfies with probability 1/2.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Raises
    ------
    DataError
        If a judged grade exceeds `max_grade`.

    Examples
    --------
    The first document satisfies with probability 1/2, the third then too: 1/2 + (1/3)(1/2)(1/2).

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> round(certus.ranking.err(qrels, run, max_grade=1).value, 4)
    0.5833
    """
    check_scale(ranking, max_grade, "ERR")
    values = kernels.err(ranking.columns, cutoff=cutoff, max_grade=max_grade, average=ranking.average)
    return Mean(values, unit="query")
