"""Percentile of a hit list among equally long ones with as many hits, from the law of its score.

Without its last hit, which all of them share, a hit list is a random ranking of ``n = length - 1`` items of which
``c = hits - 1`` are relevant: its average precision is that ranking's up to a constant, and its s falls with the sum of
the ranks as the area under that ranking's ROC curve does.
"""

import math

from certus.chance.auc import auc
from certus.chance.average_precision import average_precision
from certus.chance.distribution import Distribution
from certus.chance.probability import Probability


def by_law(ranks: tuple[int, ...], score: str) -> Probability:
    """Probability that a random list scores lower, plus half the probability of a tie."""
    hit_ranks = ranks[:-1]
    n, c = ranks[-1] - 1, len(hit_ranks)
    law: Distribution
    if score == "average_precision":
        law, value = average_precision(n, c), math.fsum(i / rank for i, rank in enumerate(hit_ranks, start=1)) / c
    else:
        law, value = auc(c, n - c), 1 - (sum(hit_ranks) - c * (c + 1) // 2) / (c * (n - c))
    upper_tail = law.sf(value)
    if upper_tail <= 0.5:
        other = law.tail(value)
        return Probability(1 - (upper_tail + other) / 2, other.method, (upper_tail.error + other.error) / 2)
    lower_tail, here = law.cdf(value), law.pmf(value)
    return Probability(lower_tail - here / 2, lower_tail.method, lower_tail.error + here.error / 2)
