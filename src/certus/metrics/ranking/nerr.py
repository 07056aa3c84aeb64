"""Normalised expected reciprocal rank."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, TopGrade
from certus.metrics._declare import metric
from certus.metrics.ranking._scale import check_scale
from certus.statistic import Mean

__all__ = ["nerr"]


@metric(
    "nERR",
    aliases=("NERR",),
    source="Clarke, Craswell, Soboroff & Ashkan (2011), A comparative analysis of cascade measures, WSDM, "
    "doi:10.1145/1935826.1935847",
    averages_ties=True,
    monotone=True,
)
def nerr(ranking: Ranking, *, cutoff: Cutoff = None, max_grade: TopGrade = 4) -> Mean:
    """Expected reciprocal rank, as a fraction of the best possible ranking's.

    ::

        nERR = ERR / ERR of all judged documents in decreasing order of grade

    Both are cut at the same depth. A query without a document of positive grade counts 0.

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
    The only relevant document stands at rank 2 and not at rank 1.

    >>> import certus
    >>> qrels = {"q1": {"d2": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8}}
    >>> certus.ranking.nerr(qrels, run, max_grade=1).value
    0.5
    """
    check_scale(ranking, max_grade, "nERR")
    values = kernels.nerr(ranking.columns, cutoff=cutoff, max_grade=max_grade, average=ranking.average)
    return Mean(values, unit="query")
