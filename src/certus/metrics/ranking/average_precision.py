"""Average precision."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from certus import kernels
from certus.data import Ranking
from certus.metrics._check import Cutoff, Grade
from certus.metrics._declare import metric
from certus.metrics._random_list import RandomList
from certus.statistic import Mean

if TYPE_CHECKING:
    from certus.chance import Distribution

__all__ = ["average_precision"]


def _law(shuffled: RandomList, *, cutoff: int | None, rel: int, denominator: str) -> "Distribution | None":
    from certus.chance import average_precision as law
    from certus.chance.finite import constant

    n, m, total = shuffled.items, shuffled.hits(rel), shuffled.relevant(rel)
    depth = shuffled.depth(cutoff)
    if not m:
        return constant(0.0)
    if shuffled.ties is not None:
        known = depth == n and denominator == "relevant"
        return law(n, m, total=total, ties=shuffled.ties[::-1], tied="average") if known else None
    if denominator == "hits":
        return law(n, m, cutoff=depth, denominator="hits")
    if denominator == "min" and cutoff is not None:
        total = min(total, cutoff)
    if total < m:  # there are more relevant documents than the cutoff; not known where the list is shorter than that
        return law(n, m, cutoff=cutoff, denominator="min") if depth == cutoff else None
    return law(n, m, cutoff=depth, total=total)


def _is_monotone(parameters: Mapping[str, Any]) -> bool:
    # Divided by the hits above the cutoff, a further hit just above it can lower the average.
    return not (parameters["denominator"] == "hits" and parameters["cutoff"] is not None)


@metric(
    "AP",
    aliases=("MAP", "MeanAveragePrecision"),
    spellings=("map", "map_cut_{cutoff}"),
    source="Buckley & Voorhees (2005), Retrieval System Evaluation, in TREC: Experiment and Evaluation, MIT Press",
    averages_ties=True,
    monotone=_is_monotone,
    chance=_law,
)
def average_precision(
    ranking: Ranking,
    *,
    cutoff: Cutoff = None,
    rel: Grade = 1,
    denominator: Literal["relevant", "min", "hits"] = "relevant",
) -> Mean:
    """Precision averaged over the relevant documents: the area under the precision-recall function.

    With the relevant documents retrieved at ranks ``r_1 < r_2 < ...``::

        AP = (1/r_1 + 2/r_2 + 3/r_3 + ...) / D

    A relevant document that is not retrieved, or lies below the cutoff, adds 0. The mean over queries is MAP. A query
    without relevant documents counts 0, as in trec_eval.

    Parameters
    ----------
    cutoff
        Look at the first `cutoff` documents only.
    rel
        Least relevant grade.
    denominator
        The ``D`` of the formula. ``"relevant"``: the relevant documents of the query, as trec_eval's map and map_cut.
        ``"min"``: that number or the cutoff, whichever is smaller, so that a perfect ranking reaches 1. ``"hits"``: the
        relevant documents retrieved above the cutoff; recall then plays no part.

    Returns
    -------
    Mean
        One value per query, in [0, 1].

    Examples
    --------
    Two of three relevant documents retrieved, at ranks 1 and 3: (1/1 + 2/3) / 3.

    >>> import certus
    >>> qrels = {"q1": {"d1": 1, "d2": 0, "d3": 2, "d4": 1}}
    >>> run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}}
    >>> round(certus.ranking.average_precision(qrels, run).value, 4)
    0.5556
    >>> round(certus.ranking.average_precision(qrels, run, denominator="hits").value, 4)
    0.8333
    """
    values = kernels.average_precision(
        ranking.columns, rel=rel, cutoff=cutoff, denominator=denominator, average=ranking.average
    )
    return Mean(values, unit="query")
