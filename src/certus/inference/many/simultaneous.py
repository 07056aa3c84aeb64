"""Limits for several paired differences at once, which hold together: the joint sign-flip test inverted."""

import math
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.inference.clusters import cluster_mean
from certus.inference.declare import label
from certus.inference.interval import Side
from certus.inference.many.max_t import SAME, row_order
from certus.inference.tests.equivalence import beside
from certus.inference.tests.search import passes, passing
from certus.statistic.moments import power_of_two, root_of_squares

__all__ = ["Simultaneous", "simultaneous_limits"]

MOST_LISTED = 13
"""Units up to which all choices of signs are listed."""


class Simultaneous(NamedTuple):
    """Adjusted p-values and the limits that belong to them, one for each comparison.

    Limits are NaN where all differences are equal: these do not show a spread.

    `below` and `above` are those of "at or below minus the margin" and of "at or above the margin", to be compared with
    half the level of a test of two sides: NaN without a margin.
    """

    p: Floats
    low: Floats
    high: Floats
    below: Floats
    above: Floats


def simultaneous_limits(
    sums: Floats,
    sizes: Floats,
    *,
    side: Side = "two-sided",
    level: float = 0.95,
    margin: float = math.nan,
    draws: int = 10_000,
    seed: int = 0,
) -> Simultaneous:
    """The single-step maximum test of joint sign flips, and the differences of each comparison that it does not reject.

    A comparison's adjusted p-value is the share of sign flips in which the largest t of all comparisons is at least its
    own. Moved by d, its own t and its flips change, those of the others stay; the limits are where the p-value passes
    ``1 - level``. So they exclude 0 if and only if the adjusted p-value is at most that.

    Parameters
    ----------
    sums
        The differences, one row per unit or cluster (then their sums) and one column per comparison.
    sizes
        The number of units in each row.
    side, level
        Of the tests and their limits.
    margin
        Of two sides, the difference that is tested besides that of 0.
    draws, seed
        Random sign flips, where there are more than 13 units.
    """
    n, columns = sums.shape
    scales = [power_of_two(column) for column in sums.T]  # t has no unit, and no square overflows or vanishes
    sums = sums / scales
    exact = n <= MOST_LISTED
    if exact:
        signs = 1.0 - 2.0 * ((np.arange(2**n)[:, np.newaxis] >> np.arange(n)) & 1)
    else:
        order = row_order(sums, sizes)
        sums, sizes = sums[order], sizes[order]
        signs = np.where(np.random.default_rng(seed).random((draws, n)) < 0.5, -1.0, 1.0)
        signs[0] = 1.0  # the data are one of the choices
    flipped_sizes = np.asarray(signs @ sizes, dtype=np.float64)
    p, low, high = np.ones(columns), np.full(columns, -np.inf), np.full(columns, np.inf)
    beyond = {1.0: np.full(columns, np.nan), -1.0: np.full(columns, np.nan)}
    for turned in (1.0, -1.0):
        if (side, turned) in (("greater", -1.0), ("less", 1.0)):
            continue
        one = _OneSide(
            turned * sums, sizes, np.asarray(signs, dtype=np.float64), flipped_sizes, both=side == "two-sided"
        )
        for place in range(columns):
            here = one.p(place, 0.0)
            p[place] = min(p[place], here) if side == "two-sided" else here
            limit = one.limit(place, 1 - level)
            if not math.isnan(margin):
                bad = -margin / scales[place]
                beyond[turned][place] = 1.0 if limit == -np.inf else one.p(place, bad) / 2
                limit = beside(limit, bad, float(beyond[turned][place]), (1 - level) / 2)
            if turned > 0:
                low[place] = limit * scales[place]
            else:
                high[place] = -limit * scales[place]
    bare = np.isnan(low) | np.isnan(high)
    low[bare] = high[bare] = math.nan
    return Simultaneous(p, low, high, beyond[1.0], beyond[-1.0])


class _OneSide:
    """The tests that the differences lie above a value."""

    def __init__(self, sums: Floats, sizes: Floats, signs: Floats, flipped_sizes: Floats, *, both: bool) -> None:
        self.sums, self.sizes, self.both = sums, sizes, both
        self.flipped, self.flipped_sizes = signs @ sums, flipped_sizes
        lengths = np.sqrt((sums**2).sum(axis=0))
        reached = self.flipped / np.where(lengths > 0, lengths, 1.0)
        reached = np.abs(reached) if both else reached
        ordered = np.sort(reached, axis=1)
        largest, second = ordered[:, -1:], ordered[:, -2:-1] if sums.shape[1] > 1 else np.full((len(signs), 1), -np.inf)
        self.others = np.where(reached == largest, second, largest)

    def p(self, place: int, shift: float) -> float:
        """The adjusted p-value of the value `shift`."""
        moved = self.sums[:, place] - shift * self.sizes
        length = root_of_squares(moved)  # a margin may be far beyond the differences
        if length <= SAME * float(np.abs(self.sums[:, place]).max(initial=0.0)):
            return 1.0
        seen = float(moved.sum()) / length
        own = (self.flipped[:, place] - shift * self.flipped_sizes) / length
        own = np.abs(own) if self.both else own
        seen = seen - SAME * len(moved)
        return float((np.maximum(own, self.others[:, place]) >= seen).mean())

    def limit(self, place: int, tail: float) -> float:
        """The least value that is not rejected."""
        column = self.sums[:, place]
        mean, error, _ = cluster_mean(column, self.sizes)
        there = self.sizes > 0
        ratios = column[there] / self.sizes[there]
        if not error > SAME * float(np.abs(ratios).max(initial=0.0)):
            return math.nan
        far = float(ratios.min()) - 1e3 * error
        if passes(self.p(place, far), tail):
            return -np.inf
        inside = max(mean, 0.0) if passes(self.p(place, mean), tail) else float(ratios.max())
        return passing(lambda shift: self.p(place, shift), tail, far, inside, mean - 2.5 * error, error)


label("max-t", "maximum test inverted")
