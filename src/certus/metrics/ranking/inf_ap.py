"""Inferred average precision."""

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Grade
from certus.metrics._declare import metric
from certus.metrics.ranking._forms import PerQuery
from certus.statistic import Mean

__all__ = ["inf_ap"]


@metric(
    "infAP",
    source="Yilmaz & Aslam (2006), Estimating average precision with incomplete and imperfect judgments, CIKM, "
    "doi:10.1145/1183614.1183633",
    averages_ties=True,
)
def inf_ap(ranking: Ranking, *, rel: Grade = 1) -> PerQuery:
    """Average precision estimated from a pool of which only a random sample was judged.

    The expected precision at a relevant document of rank k is::

        1/k + (k - 1)/k * pooled/(k - 1) * (relevant + e) / (relevant + nonrelevant + 2 e)

    where pooled, relevant and nonrelevant count documents above it: in the pool, judged relevant, judged non-relevant,
    and ``e = 0.00001`` as in trec_eval. The values are summed and divided by the number of documents judged relevant. A
    negative grade marks a document in the pool that was not judged; documents without a grade are outside it and taken
    as not relevant. A query without relevant documents counts 0.

    Examples
    --------
    With a pool that was judged in full it is nearly average precision, here (1/1 + 2/3) / 2.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> round(certus.ranking.inf_ap(qrels, run).value, 4)
    0.8333
    """
    return Mean(kernels.inf_ap(ranking.columns, rel=rel, average=ranking.average), unit="query")
