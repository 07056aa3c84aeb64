"""Distributions of the DCG and the nDCG of a random ranking."""

import math
from collections.abc import Iterable, Mapping
from typing import Literal

from certus.chance.declare import CUTOFF, GAIN, GRADES, law
from certus.chance.distribution import Distribution
from certus.chance.exact import constant
from certus.chance.fourier import Additive
from certus.chance.laws.graded import (
    EnumeratedStatistic,
    FewGains,
    Ranks,
    best,
    differing,
    gains_of,
    ranks,
    sequences,
    single_ranks,
)
from certus.chance.laws.graded_fourier import ApproximateStatistic
from certus.chance.laws.sums_of_hits import Hits

_MAX_LOG_SEQUENCES = math.log(1.2e6)
"""So many sequences of gains are listed one by one."""
_MAX_LOG_LOOKUPS = math.log(4e6)
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
    if not ranks.grouped and sequences(depth, counts) <= _MAX_LOG_SEQUENCES:
        return law.enumerate_values()
    if differing(gains) <= 3 and not ranks.grouped:
        return FewGains(gains, ranks, scale)
    if len(gains) == 2 and 0.0 in gains and ranks.depth <= _SINGLE:
        gain = max(gains)
        discounts = single_ranks(ranks.depth).discounts if ranks.grouped else ranks.discounts
        engine = Additive(
            [(scale * gain, 1, Hits(law.cells.items, gains[gain], "rank", discounts))], law.closed_moments
        )
        if engine.method != "Monte Carlo" and (not ranks.grouped or (engine.is_grouped and gains[gain] <= _RARE)):
            return engine
    half = depth - depth // 2
    states = math.fsum(math.log(min(count, half) + 1) for count in counts[1:])
    if not ranks.grouped and sequences(half, counts) + states <= _MAX_LOG_LOOKUPS:
        return law
    return ApproximateStatistic(gains, ranks, scale)


@law("dcg", "DCG", GRADES, CUTOFF, GAIN)
def dcg(
    grades: Iterable[int] | Mapping[int, int],
    cutoff: int | None = None,
    gain: Literal["linear", "exp"] = "linear",
) -> Distribution:
    """Distribution of the discounted cumulative gain when the items are ranked at random.

    ::

        DCG = sum over ranks i <= cutoff of gain(grade_i) / log2(i + 1)

    Mean, variance, skewness and kurtosis are closed forms (a sum of gain times discount over a random permutation).
    Probabilities come from all sequences of gains in the first ranks, listed or met in the middle, as long as they are
    few, or where up to three items have another gain than all others, from counts of their ranks; from the moment
    generating function by tilted Fourier inversion beyond; and from random rankings where that has no digits. Each says
    which, and how far it is off at most: random rankings with a confidence of 0.999.

    Parameters
    ----------
    grades
        The grades of all items, one each; or how many items have each grade, as ``{0: 990, 1: 10}``. A grade below 0
        gains 0. Binary relevance is the grades 1 and 0.
    cutoff
        Look at the first `cutoff` ranks only.
    gain
        ``"linear"``: an item's gain is its grade. ``"exp"``: it is ``2^grade - 1``.

    Raises
    ------
    DataError
        If there is no item, a grade or a number is not whole, or the gain has no such name.

    Examples
    --------
    One item of grade 3 and one of grade 0: DCG is 3/log2(2) or 3/log2(3).

    >>> law = dcg([3, 0])
    >>> [round(x, 4) for x in law.support()], float(law.tail(3.0))
    ([1.8928, 3.0], 0.5)
    """
    gains = gains_of(grades, gain)
    return linear_rank_statistic(gains, ranks(gains, cutoff))


@law("ndcg", "nDCG", GRADES, CUTOFF, GAIN)
def ndcg(
    grades: Iterable[int] | Mapping[int, int],
    cutoff: int | None = None,
    gain: Literal["linear", "exp"] = "linear",
) -> Distribution:
    """Distribution of the normalised discounted cumulative gain when the items are ranked at random.

    ::

        nDCG = DCG / DCG of the items in decreasing order of gain

    The divisor, cut at the same depth, is a constant: everything is as `certus.chance.dcg` has it. Where no item has a
    gain, nDCG is 0, as in trec_eval.

    Parameters
    ----------
    grades, cutoff, gain
        As for `dcg`.

    Raises
    ------
    DataError
        As for `dcg`.

    Examples
    --------
    Ten relevant items among a thousand: what nDCG@10 is by chance, and how often 0.3 or more.

    >>> law = ndcg({1: 10, 0: 990}, cutoff=10)
    >>> round(law.mean(), 12), law.method
    (0.01, 'enumeration')
    >>> p = law.tail(0.3)
    >>> 0 < p < 1e-3, p.exact
    (True, True)
    """
    gains = gains_of(grades, gain)
    discounted = ranks(gains, cutoff)
    highest = best(gains, discounted)
    return linear_rank_statistic(gains, discounted, 1 / highest if highest else 0.0)
