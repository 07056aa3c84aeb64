"""Average precision from documents judged with unequal chances."""

import numpy as np
from numpy.typing import NDArray

from certus.data.sampled import SampledList

__all__ = ["stat_ap", "sum_of_precisions"]


def stat_ap(judged: SampledList, rel: int = 1) -> float:
    """The estimated sum of the precisions at relevant documents, divided by their estimated number."""
    relevant = judged.grades >= rel
    total = float((1 / judged.inclusion[relevant]).sum())
    return sum_of_precisions(judged, rel) / total if total else 0.0


def sum_of_precisions(judged: SampledList, rel: int = 1) -> float:
    """An unbiased estimate of the sum of the precisions at the relevant documents.

    That sum is one over the rank of the lower, over all pairs of relevant documents, each with itself too. A pair that
    was judged stands for as many as one over the chance that both were.
    """
    chosen = (judged.grades >= rel) & (judged.ranks > 0)
    order = np.argsort(judged.ranks[chosen], kind="stable")
    ranks, chance = judged.ranks[chosen][order], judged.inclusion[chosen][order]
    apart = np.cumsum(1 / chance) - 1 / chance  # as if all documents were drawn independently
    pairs = apart / chance
    if judged.strata is not None:
        pairs += _together(judged.strata, judged.grades >= 0, np.flatnonzero(chosen)[order])
    return float(((1 / chance + pairs) / ranks).sum())


def _together(strata: NDArray[np.int64], drawn: NDArray[np.bool_], chosen: NDArray[np.intp]) -> NDArray[np.float64]:
    """What pairs of one stratum add, from which a sample of fixed size was drawn."""
    more = np.zeros(len(chosen))
    for stratum in np.unique(strata[chosen]).tolist():
        size, n = int((strata == stratum).sum()), int((strata == stratum)[drawn].sum())
        if n > 1:
            here = np.flatnonzero(strata[chosen] == stratum)
            more[here] = np.arange(len(here)) * (size * (size - 1) / (n * (n - 1)) - (size / n) ** 2)
    return more
