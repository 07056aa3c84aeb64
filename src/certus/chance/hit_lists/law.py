"""Place of a hit list among all of its length and number of hits, by the law of its score under a random ranking.

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
    """The probability of scoring less, and half of that of scoring the same."""
    others = ranks[:-1]
    n, c = ranks[-1] - 1, len(others)
    law: Distribution
    if score == "average_precision":
        law, value = average_precision(n, c), math.fsum(i / rank for i, rank in enumerate(others, start=1)) / c
    else:
        law, value = auc(c, n - c), 1 - (sum(others) - c * (c + 1) // 2) / (c * (n - c))
    above = law.sf(value)
    if above <= 0.5:
        other = law.tail(value)
        return Probability(1 - (above + other) / 2, other.method, (above.error + other.error) / 2)
    below, here = law.cdf(value), law.pmf(value)
    return Probability(below - here / 2, below.method, below.error + here.error / 2)
