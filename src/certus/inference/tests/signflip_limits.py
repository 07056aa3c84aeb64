"""The interval that inverts the sign-flip test, for single units and for clusters of them."""

import math

import numpy as np

from certus.arrays import Floats
from certus.inference.clusters import cluster_mean
from certus.inference.interval import Limits
from certus.inference.special import normal_quantile
from certus.inference.tests.search import ROUNDING, passing
from certus.inference.tests.signflip import SAME, sign_flip
from certus.statistic.common import plural

__all__ = ["flip_limits", "flip_p", "less"]

MOST_LISTED = 18
"""Clusters up to which the means of all their subsets are listed."""


def flip_p(sums: Floats, sizes: Floats, shift: float = 0.0) -> float:
    """The p-value of a mean of at most `shift`: the sign flip of the clusters' sums less what the shift gives them."""
    # The test itself, whose p-value at 0 decides, is as exact as it can be.
    return sign_flip(less(sums, sizes, shift), quick=shift != 0).p


def less(sums: Floats, sizes: Floats, shift: float) -> Floats:
    """The clusters' sums less what the shift gives them; what rounding leaves of one is 0."""
    moved = sums - shift * sizes
    return np.where(np.abs(moved) <= SAME * np.abs(sums).max(initial=0.0), 0.0, moved)


def flip_limits(sums: Floats, sizes: Floats, tail: float, unit: str) -> Limits:
    """The means that the sign-flip test does not reject, ``tail`` being rejected on either side.

    The sum of all differences less d is at most that of a choice of signs if the clusters whose sign is turned have a
    mean of at most d. So one less than 2^G times the p-value is the number of subsets of the G clusters with a mean of
    at most d, and a limit is the mean of a subset: for up to 18 clusters the one that is found by listing all, for more
    the value at which the test's own p-value passes its level.

    Sources: Hartigan (1969), JASA 64(328):1303-1317, doi:10.1080/01621459.1969.10501057, for the means of subsets;
    Tritchler (1984), JASA 79(385):200-207, doi:10.1080/01621459.1984.10477085, for inverting the test.

    Parameters
    ----------
    sums
        The sum of the differences of each cluster.
    sizes
        The number of its units, or their weight, above 0.
    tail
        One-sided level of the test.
    unit
        What a cluster is called.
    """
    ratios = sums / sizes
    if len(sums) == 1:
        return Limits.undefined(f"1 {unit} alone does not show its spread")
    if np.ptp(ratios) <= SAME * np.abs(ratios).max():
        return Limits.undefined(
            f"the differences of all {plural(len(sums), unit)} are equal: they do not show a spread"
        )
    low, high = _lower(sums, sizes, tail), -_lower(-sums, sizes, tail)
    if math.isinf(low) or math.isinf(high):
        least = 2.0 ** -len(sums)
        return Limits(low, high, f"no p-value of {plural(len(sums), unit)} is below {least:.3g} on either side")
    return Limits(low, high)


def _lower(sums: Floats, sizes: Floats, tail: float) -> float:
    n = len(sums)
    if tail * (1 + ROUNDING) < 2.0**-n:
        return -math.inf
    ratios = sums / sizes
    order = np.lexsort((sizes, sums, ratios))  # the same bits for any order of the units
    sums, sizes, ratios = sums[order], sizes[order], ratios[order]
    if n <= MOST_LISTED:
        found = _means(sums, sizes)
        place = math.floor(tail * (1 + ROUNDING) * 2.0**n) - 1
        return float(np.partition(found, place)[place])
    mean, error, _ = cluster_mean(sums, sizes)
    return passing(
        lambda shift: flip_p(sums, sizes, shift),
        tail,
        float(ratios[0]) - error,
        float(ratios[-1]),
        mean + normal_quantile(tail) * error,
        error,
    )


def _means(sums: Floats, sizes: Floats) -> Floats:
    """The means of all subsets but the empty one."""
    above, below = np.zeros(1), np.zeros(1)
    for one, size in zip(sums.tolist(), sizes.tolist(), strict=True):
        above = np.concatenate([above, above + one])
        below = np.concatenate([below, below + size])
    # As the test has it: what rounding leaves of a sum is 0.
    above[np.abs(above) <= SAME / 2 * float(np.abs(sums).sum())] = 0.0
    return np.asarray(above[1:] / below[1:])
