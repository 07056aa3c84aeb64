"""Micro-averaged precision, recall and F: the queries pooled into one."""

from certus.data import Ranking
from certus.metrics.check import Beta, Cutoff, Grade
from certus.metrics.ranking._shared import hits, looked_at, ranked, relevant
from certus.statistic import Ratio

_RIJSBERGEN = "van Rijsbergen (1979), Information Retrieval, 2nd ed., Butterworths, chapter 7"


@ranked("MicroP", source=_RIJSBERGEN)
def micro_precision(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Ratio:
    """Share of all documents retrieved, over all queries together, that are relevant.

    ::

        MicroP = sum over queries of relevant retrieved / sum over queries of retrieved

    Queries that retrieve more weigh more; `precision` weighs all alike. With a cutoff each query counts `cutoff`
    documents, as in P@k. NaN if nothing is retrieved at all.

    Returns
    -------
    Ratio
        Relevant retrieved over retrieved, per query; the value is in [0, 1].

    Examples
    --------
    One of one and one of three: 2/4.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> run = {"q1": {"d1": 1}, "q2": {"d1": 3, "d2": 2, "d3": 1}}
    >>> certus.ranking.micro_precision(qrels, run).value
    0.5
    """
    return Ratio(hits(ranking, rel, cutoff), looked_at(ranking, cutoff), unit="query")


@ranked("MicroR", source=_RIJSBERGEN)
def micro_recall(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1) -> Ratio:
    """Share of all relevant documents, over all queries together, that are retrieved.

    ::

        MicroR = sum over queries of relevant retrieved / sum over queries of relevant

    NaN if no query has a relevant document.

    Returns
    -------
    Ratio
        Relevant retrieved over relevant, per query; the value is in [0, 1].

    Examples
    --------
    One of one and one of three: 2/4.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1, "d8": 1, "d9": 1}}
    >>> run = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> certus.ranking.micro_recall(qrels, run).value
    0.5
    """
    return Ratio(hits(ranking, rel, cutoff), relevant(ranking, rel), unit="query")


@ranked("MicroF", source=_RIJSBERGEN)
def micro_f(ranking: Ranking, *, cutoff: Cutoff = None, rel: Grade = 1, beta: Beta = 1.0) -> Ratio:
    """Weighted harmonic mean of micro-averaged precision and recall.

    ::

        MicroF = (1 + beta^2) relevant retrieved / (beta^2 relevant + retrieved),  each summed over queries

    NaN if nothing is relevant and nothing retrieved.

    Returns
    -------
    Ratio
        The two sums' terms, per query; the value is in [0, 1].

    Examples
    --------
    Two relevant documents retrieved, four retrieved, two relevant: 2 * 2 / (2 + 4).

    >>> import certus
    >>> qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    >>> run = {"q1": {"d1": 1}, "q2": {"d1": 3, "d2": 2, "d3": 1}}
    >>> round(certus.ranking.micro_f(qrels, run).value, 4)
    0.6667
    """
    weight, relevant_retrieved = beta * beta, hits(ranking, rel, cutoff)
    # Rounded term by term as below, so that a perfect value is 1.
    return Ratio(
        weight * relevant_retrieved + relevant_retrieved,
        weight * relevant(ranking, rel) + looked_at(ranking, cutoff),
        unit="query",
    )
