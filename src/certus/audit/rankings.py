"""Metrics of rankings when only a random sample of the documents was judged."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from certus.core.errors import CertusError
from certus.inference import Estimate

if TYPE_CHECKING:
    from certus.metrics import Metric


Queries = Literal["intersection", "judged"]


def xinf_ap(
    judgments: Any, run: Any, *, rel: int = 1, queries: Queries = "intersection", bounds: bool = False
) -> Estimate:
    """Extended inferred average precision: the documents of each stratum were judged at a rate of its own.

    The expected precision at a relevant document of rank k is::

        (1 + sum over strata of above * (relevant + e) / (judged + 2 e)) / k

    where above, judged and relevant count the stratum's documents above it, and ``e = 0.00001`` as in infAP. A judged
    document stands for as many as its stratum has for each one judged. With one stratum it is infAP, with everything
    judged nearly average precision. Documents outside of all strata, and in strata of which none was judged, count as
    not relevant. A query without relevant documents counts 0.

    Parameters
    ----------
    judgments
        A path to TREC's five columns query, iteration, document, stratum, grade (negative for documents that were not
        judged), or ``{query: {document: (stratum, grade)}}``. All documents of a stratum must be there.
    run
        What was retrieved, as `certus.evaluate` takes it.
    rel
        Least relevant grade.
    queries
        Average over those in both files (``"intersection"``) or over all ``"judged"`` ones.
    bounds
        Also the range of average precision from taking all documents retrieved without judgment as not relevant to
        taking them as relevant, as ``unjudged="bounds"`` of `certus.evaluate` does.

    Returns
    -------
    Estimate
        The mean over queries. Its interval covers both what the choice of queries and what the sampling of documents
        leave open, since each query's value differs for both reasons.

    Raises
    ------
    DataError
        The judgments or the run cannot be read; the message names file and line.

    References
    ----------
    Yilmaz, Kanoulas & Aslam (2008), A simple and efficient sampling method for estimating AP and NDCG, SIGIR,
    doi:10.1145/1390334.1390437.

    Examples
    --------
    The two first documents were judged, and one of the other three.

    >>> judgments = {"q": {"a": ("top", 1), "b": ("top", 0), "c": ("rest", -1), "d": ("rest", 1), "e": ("rest", -1)}}
    >>> run = {"q": {"a": 5, "b": 4, "c": 3, "d": 2, "e": 1}}
    >>> round(xinf_ap(judgments, run).value, 4)  # (1 + 3 (1 + 1 + 1/2) / 4) / (1 + 3)
    0.7188
    """
    from certus.metrics.ranking.sampled import inferred_ap

    metric = "xinfAP" if _grade(rel) == 1 else f"xinfAP(rel={rel})"
    return _estimate(judgments, run, metric, inferred_ap, {"rel": rel}, queries, bounds)


def xinf_ndcg(
    judgments: Any,
    run: Any,
    *,
    cutoff: int | None = None,
    gain: Literal["linear", "exp"] = "linear",
    queries: Queries = "intersection",
    bounds: bool = False,
) -> Estimate:
    """Inferred nDCG: discounted gain of a list, estimated from a stratified sample of judgments.

    Each judged document stands for as many as its stratum has for each one judged: in the gain of the list, which is
    thus estimated without bias, and in the numbers of documents of each grade, of which the best possible list is made.
    A query without a document of positive grade counts 0. Values may exceed 1.

    Parameters
    ----------
    judgments, run, queries, bounds
        As for `xinf_ap`; the bounds are those of nDCG.
    cutoff
        Only the first documents count.
    gain
        A grade's gain: itself (``"linear"``) or ``2**grade - 1`` (``"exp"``).

    Raises
    ------
    DataError
        The judgments or the run cannot be read; the message names file and line.

    References
    ----------
    Yilmaz, Kanoulas & Aslam (2008), as for `xinf_ap`.

    Examples
    --------
    >>> judgments = {"q": {"a": ("top", 2), "b": ("top", 0), "c": ("rest", -1), "d": ("rest", 1)}}
    >>> run = {"q": {"a": 5, "b": 4, "c": 3, "d": 2}}
    >>> round(xinf_ndcg(judgments, run).value, 4)  # (2 + 2 / log2(5)) / (2 + 1 / log2(3) + 1 / log2(4))
    0.9139
    """
    from certus.metrics.ranking.sampled import inferred_ndcg

    if cutoff is not None and cutoff < 1:
        raise CertusError(f"is {cutoff}", "it must be at least 1, or None for the whole list", argument="cutoff")
    if gain not in ("linear", "exp"):
        raise CertusError(f"is {gain!r}", "it must be 'linear' or 'exp'", argument="gain")
    metric = "xinfNDCG" + ("" if gain == "linear" else "(gain='exp')") + ("" if cutoff is None else f"@{cutoff}")
    return _estimate(judgments, run, metric, inferred_ndcg, {"cutoff": cutoff, "gain": gain}, queries, bounds)


def stat_ap(
    judgments: Any, run: Any, *, rel: int = 1, queries: Queries = "intersection", bounds: bool = False
) -> Estimate:
    """StatAP: average precision from documents that were judged with known, unequal chances.

    The sum of the precisions at relevant documents, estimated without bias, is divided by the estimated number of
    relevant documents. A pair of documents counts one over the chance that both were judged: the product of their
    chances, or that of a sample of fixed size for two documents of a stratum, where strata are known. A query without
    relevant documents counts 0. Values may exceed 1.

    Parameters
    ----------
    judgments
        A path to TREC's prels with the five columns query, document, grade, method, chance, or
        ``{query: {document: (grade, chance)}}``; or what `certus.io.prels.as_sampled_qrels` makes of strata.
    run, rel, queries, bounds
        As for `xinf_ap`.

    Raises
    ------
    DataError
        The judgments or the run cannot be read; the message names file and line.

    Notes
    -----
    TREC's ``statAP_MQ_eval`` rounds the number of relevant documents; here it is left as estimated.

    References
    ----------
    Aslam & Pavlu (2007), A practical sampling strategy for efficient retrieval evaluation, Northeastern University;
    Carterette, Pavlu, Kanoulas, Aslam & Allan (2008), Evaluation over thousands of queries, SIGIR,
    doi:10.1145/1390334.1390445.

    Examples
    --------
    >>> prels = {"q": {"a": (1, 1.0), "b": (0, 0.5), "d": (1, 0.25)}}
    >>> run = {"q": {"a": 5, "b": 4, "c": 3, "d": 2}}
    >>> round(stat_ap(prels, run).value, 4)  # (1/1 + 4 (1 + 1) / 4) / (1 + 4)
    0.6
    """
    from certus.metrics.ranking.sampled import stat_ap as of_one

    metric = "statAP" if _grade(rel) == 1 else f"statAP(rel={rel})"
    return _estimate(judgments, run, metric, of_one, {"rel": rel}, queries, bounds)


def _estimate(
    judgments: Any,
    run: Any,
    metric: str,
    metric_of_list: Callable[..., float],
    chosen: Mapping[str, object],
    queries: Queries,
    bounds: bool,
) -> Estimate:
    from certus.io import as_run
    from certus.io.prels import as_prels, as_sampled_qrels, rank_sampled
    from certus.statistic import Mean

    if queries not in ("intersection", "judged"):
        raise CertusError(f"is {queries!r}", "it must be 'intersection' or 'judged'", argument="queries")
    sample = as_prels(judgments) if metric.startswith("statAP") else as_sampled_qrels(judgments)
    rankings = as_run(run)
    lists = rank_sampled(sample, rankings, queries=queries)
    statistic = Mean([metric_of_list(ranking, **chosen) for ranking in lists], unit="query")
    limits = (0.0, 1.0) if metric.startswith("xinfAP") else (0.0, float("inf"))
    conventions = {**chosen, "queries": queries}
    if not bounds:
        return Estimate(statistic, metric, limits, conventions)
    import certus.ranking

    complete_metric: Metric = certus.ranking.ndcg if metric.startswith("xinfNDCG") else certus.ranking.average_precision
    bounded = complete_metric(sample.judged(), rankings, queries=queries, unjudged="bounds", **chosen)
    return Estimate(statistic, metric, limits, conventions, range=bounded.range, range_of="unjudged")


def _grade(rel: int) -> int:
    if isinstance(rel, bool) or rel < 1:
        raise CertusError(f"is {rel!r}", "it must be a whole number of at least 1", argument="rel")
    return rel
