"""Linear utility of the retrieved set."""

from typing import Annotated

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Between, Grade
from certus.metrics._declare import metric
from certus.statistic import Mean

__all__ = ["utility"]

Collection = Annotated[int, Between(0, most=2**53)]


@metric(
    "Utility",
    spellings=("utility", "utility_{a},{b},{c},{d}"),
    bounds=(float("-inf"), float("inf")),
    source="Hull & Robertson (1999), The TREC-8 Filtering Track Final Report, TREC-8",
    averages_ties=True,
    monotone=True,
)
def utility(
    ranking: Ranking,
    *,
    rel: Grade = 1,
    a: float = 1.0,
    b: float = -1.0,
    c: float = 0.0,
    d: float = 0.0,
    collection: Collection = 0,
) -> Mean:
    """Worth of the retrieved set when every relevant document earns and every other one costs.

    ::

        Utility = a * relevant retrieved      + b * other retrieved
                + c * relevant not retrieved  + d * other not retrieved

    Parameters
    ----------
    rel
        Least relevant grade.
    a, b, c, d
        Worth of each kind of document.
    collection
        Number of documents in the collection; only the last term needs it, and trec_eval takes it from ``-N``.

    Returns
    -------
    Mean
        One value per query.

    Examples
    --------
    One relevant document retrieved and two others: 1 - 2.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> certus.ranking.utility(qrels, run).value
    -1.0
    """
    return Mean(kernels.utility(ranking.columns, rel=rel, a=a, b=b, c=c, d=d, collection=collection), unit="query")
