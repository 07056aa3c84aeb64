"""The interval that inverts the sign-flip test, for single units and for clusters of them."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from certus.arrays import Floats
from certus.inference.clusters import cluster_mean
from certus.inference.interval import Limits
from certus.inference.special import normal_quantile
from certus.inference.tests.search import ROUNDING, passes, passing
from certus.inference.tests.signflip import SAME, sign_flip
from certus.statistic.common import plural

MOST_LISTED = 18
"""Clusters up to which the means of all their subsets are listed."""
BELOW_HALF = 0.49
"""A level up to which it does not matter by how much a p-value is above one half."""


def less(sums: Floats, sizes: Floats, shift: float) -> Floats:
    """The clusters' sums less what the shift gives them; what rounding leaves of one is 0."""
    moved = sums - shift * sizes
    return np.where(np.abs(moved) <= SAME * np.abs(sums).max(initial=0.0), 0.0, moved)


def flip_limits(
    sums: Floats,
    sizes: Floats,
    tail: float,
    unit: str,
    p_at_0: Callable[[float], float],
    reach: tuple[float, float] = (math.inf, -math.inf),
) -> Limits:
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
    p_at_0
        The test's own p-value of a mean of at most 0, or of at least 0 where it is given -1.
    reach
        Limits of another test: those of both together are returned.
    """
    ratios = sums / sizes
    if len(sums) == 1:
        return Limits.undefined(f"1 {unit} alone does not show its spread")
    if np.ptp(ratios) <= SAME * np.abs(ratios).max():
        return Limits.undefined(
            f"the differences of all {plural(len(sums), unit)} are equal: they do not show a spread"
        )
    mean, error, _ = cluster_mean(sums, sizes)
    low = _lower(sums, sizes, (mean, error), tail, partial(p_at_0, 1.0), reach[0])
    high = -_lower(-sums, sizes, (-mean, error), tail, partial(p_at_0, -1.0), -reach[1])
    if math.isinf(low) or math.isinf(high):
        least = 2.0 ** -len(sums)
        return Limits(low, high, f"no p-value of {plural(len(sums), unit)} is below {least:.3g} on either side")
    return Limits(low, high)


def _lower(
    sums: Floats,
    sizes: Floats,
    student: tuple[float, float],
    tail: float,
    p_at_0: Callable[[], float],
    reach: float,
) -> float:
    n, (mean, error) = len(sums), student
    if tail * (1 + ROUNDING) < 2.0**-n:
        return -math.inf
    ratios = sums / sizes

    def p(shift: float) -> float:
        if shift:
            return sign_flip(less(sums, sizes, shift), quick=True).p
        # At 0 the test itself decides, as exact as it can be. At least half of all signs reach a sum below 0.
        return 1.0 if mean < 0 and tail < BELOW_HALF else p_at_0()

    inside, start = float(ratios.max()), mean + normal_quantile(tail) * error
    if math.isfinite(reach):
        # Where p at 0 says on which side of the reach the limit lies, nothing else is asked.
        passed = passes(p(0.0), tail)
        if passed == (reach <= 0):
            height = p(reach)
            passed = passes(height, tail)
            inside = reach if passed else inside
            start = reach - (normal_quantile(height) - normal_quantile(tail)) * error
        if not passed:
            return reach
    if n <= MOST_LISTED:
        found = _means(sums, sizes)
        place = math.floor(tail * (1 + ROUNDING) * 2.0**n) - 1
        return min(float(np.partition(found, place)[place]), reach)
    return passing(p, tail, float(ratios.min()) - error, inside, start, error)


def _means(sums: Floats, sizes: Floats) -> Floats:
    """The means of all subsets but the empty one."""
    above, below = np.zeros(1), np.zeros(1)
    for one, size in zip(sums.tolist(), sizes.tolist(), strict=True):
        above = np.concatenate([above, above + one])
        below = np.concatenate([below, below + size])
    # As the test has it: what rounding leaves of a sum is 0.
    above[np.abs(above) <= SAME / 2 * float(np.abs(sums).sum())] = 0.0
    return np.asarray(above[1:] / below[1:])
