"""Choose how to compute the law of a sum of gain times discount, by the number of distinct rankings."""

import math
from collections.abc import Mapping

from certus.chance.additive.additive import Additive
from certus.chance.additive.pieces import Hits
from certus.chance.distribution import Distribution
from certus.chance.finite import constant
from certus.chance.linear_rank.approximate import ApproximateStatistic
from certus.chance.linear_rank.few_gains import few_gains
from certus.chance.linear_rank.gains import Ranks, best, every
from certus.chance.linear_rank.sequences import enumerated, sequences
from certus.chance.linear_rank.statistic import EnumeratedStatistic

_LISTED = math.log(1.2e6)
"""So many sequences of gains are listed one by one."""
_MET = math.log(4e6)
"""So many look-ups find a tail when two halves of the ranks are met in the middle."""

_SINGLE = 5_000_000
"""Up to so many ranks of binary gains have each their own discount."""
_RARE = 30
"""Up to so many hits in long rankings the transform does not die down, and ranks are better grouped."""


def linear_rank_statistic(gains: Mapping[float, int], ranks: Ranks, scale: float = 1.0) -> Distribution:
    """The law of the sum of gain times discount over the ranks, times `scale`.

    Few sequences of gains are listed, and the ranks of up to three items are counted. Beyond, binary gains are the
    engine's, that of all sums over hits. For graded ones two halves are met in the middle; where they are too many, the
    moment generating function is inverted, or random rankings are drawn where that would cost too much
    (`ApproximateStatistic`).
    """
    if len(gains) == 1 or not scale:
        return constant(best(gains, ranks) * scale, "closed")
    law = EnumeratedStatistic(gains, ranks, scale)
    counts, depth = law.cells.counts, len(ranks.discounts)
    if not ranks.grouped and sequences(depth, counts) <= _LISTED:
        return enumerated(law.cells, scale)
    few = few_gains(gains, ranks, scale)
    if few is not None:
        return few
    if len(gains) == 2 and 0.0 in gains and ranks.depth <= _SINGLE:
        worth = max(gains)
        discounts = every(ranks.depth).discounts if ranks.grouped else ranks.discounts
        engine = Additive([(scale * worth, 1, Hits(law.cells.items, gains[worth], "rank", discounts))], law._moments)
        if engine.method != "Monte Carlo" and (not ranks.grouped or (engine.is_grouped and gains[worth] <= _RARE)):
            return engine
    half = depth - depth // 2
    states = math.fsum(math.log(min(count, half) + 1) for count in counts[1:])
    if not ranks.grouped and sequences(half, counts) + states <= _MET:
        return law
    return ApproximateStatistic(gains, ranks, scale)
