"""Estimates of one query's value from judgments that were sampled."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from certus.data.ranking import SampledList

SMOOTHING = 1e-5
"""As in trec_eval's infAP: what a share of relevant documents is drawn to 1/2 by."""


def inferred_ap(judged: SampledList, rel: int = 1) -> float:
    """The expected precision at a relevant document chosen at random, estimated stratum by stratum."""
    weights = _weights(judged)
    relevant = judged.grades >= rel
    total = float(weights[relevant].sum())
    if total == 0:
        return 0.0
    by_rank = np.argsort(judged.ranks, kind="stable")
    by_rank = by_rank[judged.ranks[by_rank] > 0]
    strata = np.zeros(len(by_rank), np.int64) if judged.strata is None else judged.strata[by_rank]
    of_stratum = (strata[:, np.newaxis] == np.arange(strata.max(initial=0) + 1)) & (
        judged.inclusion[by_rank] > 0  # of a stratum without judgments nothing is known
    )[:, np.newaxis]
    is_judged = of_stratum & (judged.grades[by_rank] >= 0)[:, np.newaxis]
    hits = is_judged & relevant[by_rank][:, np.newaxis]
    n_above, judged_above, hits_above = (
        np.cumsum(indicator, axis=0) - indicator for indicator in (of_stratum, is_judged, hits)
    )
    share = (hits_above + SMOOTHING) / (judged_above + 2 * SMOOTHING)
    precision = (1 + (n_above * share).sum(axis=1)) / judged.ranks[by_rank]
    chosen = relevant[by_rank]
    return float((weights[by_rank] * precision)[chosen].sum()) / total


def inferred_ndcg(judged: SampledList, cutoff: int | None = None, gain: Literal["linear", "exp"] = "linear") -> float:
    """The estimated discounted gain, divided by the gain of the best ranking."""
    weights = _weights(judged)
    gains = np.maximum(judged.grades, 0).astype(np.float64)
    if gain == "exp":
        gains = np.exp2(gains) - 1
    inside = judged.ranks > 0 if cutoff is None else (judged.ranks > 0) & (judged.ranks <= cutoff)
    total = float((weights[inside] * gains[inside] / np.log2(judged.ranks[inside] + 1.0)).sum())
    order = np.argsort(-gains, kind="stable")
    cumulative = np.cumsum(weights[order])
    best = float((np.diff(_discounts(cumulative, cutoff), prepend=0.0) * gains[order]).sum())
    return total / best if best > 0 else 0.0


def _discounts(count: NDArray[np.float64], cutoff: int | None) -> NDArray[np.float64]:
    """The sum of the first `count` ranks' discounts, for counts that need not be whole."""
    last = int(np.ceil(count.max(initial=0.0))) + 1
    discounts = 1 / np.log2(np.arange(last) + 2.0)
    if cutoff is not None:
        discounts[cutoff:] = 0
    sums = np.concatenate(([0.0], np.cumsum(discounts)))
    # rounding must not make of 3 documents the part of a fourth
    near = np.round(count, 9)
    return np.asarray(np.interp(near, np.arange(last + 1), sums))


def _weights(judged: SampledList) -> NDArray[np.float64]:
    """Number of documents that each judged one stands for; 0 for those not judged."""
    weights = np.zeros(len(judged.grades))
    np.divide(1, judged.inclusion, out=weights, where=judged.grades >= 0)
    return weights


def stat_ap(judged: SampledList, rel: int = 1) -> float:
    """The estimated sum of the precisions at relevant documents, divided by their estimated number."""
    relevant = judged.grades >= rel
    total = float((1 / judged.inclusion[relevant]).sum())
    return sum_of_precisions(judged, rel) / total if total else 0.0


def sum_of_precisions(judged: SampledList, rel: int = 1) -> float:
    """An unbiased estimate of the sum of the precisions at the relevant documents, over pairs that were judged."""
    chosen = (judged.grades >= rel) & (judged.ranks > 0)
    order = np.argsort(judged.ranks[chosen], kind="stable")
    ranks, chance = judged.ranks[chosen][order], judged.inclusion[chosen][order]
    independent = np.cumsum(1 / chance) - 1 / chance  # as if all documents were drawn independently
    pairs = independent / chance
    if judged.strata is not None:
        pairs += _pairs_within_strata(judged.strata, judged.grades >= 0, np.flatnonzero(chosen)[order])
    return float(((1 / chance + pairs) / ranks).sum())


def _pairs_within_strata(
    strata: NDArray[np.int64], is_judged: NDArray[np.bool_], chosen: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Contribution of pairs in one stratum, whose sample has a fixed size."""
    contributions = np.zeros(len(chosen))
    for stratum in np.unique(strata[chosen]).tolist():
        size, n = int((strata == stratum).sum()), int((strata == stratum)[is_judged].sum())
        if n > 1:
            here = np.flatnonzero(strata[chosen] == stratum)
            contributions[here] = np.arange(len(here)) * (size * (size - 1) / (n * (n - 1)) - (size / n) ** 2)
    return contributions
