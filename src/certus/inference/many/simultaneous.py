"""Limits for several paired differences at once, which hold together: the joint sign-flip test inverted."""

import math
from typing import NamedTuple

import numpy as np

from certus.core.arrays import Floats, Ints
from certus.inference.clusters import cluster_mean
from certus.inference.declare import label
from certus.inference.interval import Side
from certus.inference.many.max_t import SAME, row_order
from certus.inference.tests.equivalence import beside
from certus.inference.tests.search import passes, passing
from certus.statistic.moments import power_of_two, root_of_squares

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
    values: Floats,
    sizes: Floats,
    pairs: Ints,
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
    values
        One row per unit or cluster (then sums over it) and one column per system.
    sizes
        The number of units in each row.
    pairs
        The columns of each comparison: the first less the second.
    side, level
        Of the tests and their limits.
    margin
        Of two sides, the difference that is tested besides that of 0.
    draws, seed
        Random sign flips, where there are more than 13 units.
    """
    n, columns = len(values), len(pairs)
    if n <= MOST_LISTED:
        bits = (np.arange(2**n)[:, np.newaxis] >> np.arange(n)) & 1
        signs = np.where(bits == 1, -1.0, 1.0)
    else:
        order = row_order(values, sizes, pairs)
        values, sizes = values[order], sizes[order]
        signs = np.where(np.random.default_rng(seed).random((draws, n)) < 0.5, -1.0, 1.0)
        signs[0] = 1.0  # the data are one of the choices
    flips = _Flips(values, sizes, signs, pairs)
    p, low, high = np.ones(columns), np.full(columns, -np.inf), np.full(columns, np.inf)
    beyond = {1.0: np.full(columns, np.nan), -1.0: np.full(columns, np.nan)}
    for turned in (1.0, -1.0):
        if (side, turned) in (("greater", -1.0), ("less", 1.0)):
            continue
        largest = flips.largest(turned, both=side == "two-sided")
        for place in range(columns):
            one = _OneSide(flips, place, turned, largest, both=side == "two-sided")
            here = one.p(0.0)
            p[place] = min(p[place], here) if side == "two-sided" else here
            limit = one.limit(1 - level)
            if not math.isnan(margin):
                bad = -margin / flips.scales[place]
                beyond[turned][place] = 1.0 if limit == -np.inf else one.p(bad) / 2
                limit = beside(limit, bad, float(beyond[turned][place]), (1 - level) / 2)
            if turned > 0:
                low[place] = limit * flips.scales[place]
            else:
                high[place] = -limit * flips.scales[place]
    bare = np.isnan(low) | np.isnan(high)
    low[bare] = high[bare] = math.nan
    return Simultaneous(p, low, high, beyond[1.0], beyond[-1.0])


class _Flips:
    """The sums of all comparisons over random signs: differences of those of two systems, one draw a row."""

    def __init__(self, values: Floats, sizes: Floats, signs: Floats, pairs: Ints) -> None:
        self.values, self.sizes, self.signs, self.pairs = values, sizes, signs, pairs
        # Differences stay what they are, and those between systems that are near to each other keep their digits.
        columns = values - values[:, :1]
        self.scale = power_of_two(columns)  # t has no unit, and no square overflows or vanishes
        self.sums, self.flipped_sizes = np.asfortranarray(signs @ (columns / self.scale)), signs @ sizes
        differences = [self.differences(place) for place in range(len(pairs))]
        self.scales = np.array([power_of_two(each) for each in differences])
        squares = [float(((each / scale) ** 2).sum()) for each, scale in zip(differences, self.scales, strict=True)]
        self.lengths = np.sqrt(squares)
        # What rounding leaves of the systems' sums would count beside these differences.
        rounding = np.finfo(np.float64).eps * np.abs(columns).sum(axis=0)
        self.is_lost = rounding[pairs].sum(axis=1) > SAME / 8 * self.lengths * self.scales

    def differences(self, place: int) -> Floats:
        """The differences of a comparison."""
        first, second = self.pairs[place]
        return np.asarray(self.values[:, first] - self.values[:, second])

    def flipped(self, place: int) -> Floats:
        """Their sum for each draw, over the comparison's own scale."""
        if self.is_lost[place]:
            return np.asarray(self.signs @ (self.differences(place) / self.scales[place]))
        first, second = self.pairs[place]
        return np.asarray((self.sums[:, first] - self.sums[:, second]) * (self.scale / self.scales[place]))

    def reached(self, place: int, turned: float, *, both: bool) -> Floats:
        """The statistic of a comparison for each draw."""
        found = self.flipped(place) / (self.lengths[place] or 1.0)
        return np.abs(found) if both else turned * found

    def largest(self, turned: float, *, both: bool) -> tuple[Floats, Floats]:
        """The largest statistic of all comparisons for each draw, and the second."""
        largest, second = np.full((2, len(self.signs)), -np.inf)
        for place in range(len(self.pairs)):
            found = self.reached(place, turned, both=both)
            second = np.maximum(second, np.minimum(largest, found))
            largest = np.maximum(largest, found)
        return largest, second


class _OneSide:
    """The tests that the differences of one comparison lie above a value."""

    def __init__(self, flips: _Flips, place: int, turned: float, largest: tuple[Floats, Floats], *, both: bool) -> None:
        self.sums, self.sizes, self.both = turned * flips.differences(place) / flips.scales[place], flips.sizes, both
        self.flipped, self.flipped_sizes = turned * flips.flipped(place), flips.flipped_sizes
        self.others = np.where(flips.reached(place, turned, both=both) == largest[0], largest[1], largest[0])

    def p(self, shift: float) -> float:
        """The adjusted p-value of the value `shift`."""
        moved = self.sums - shift * self.sizes
        length = root_of_squares(moved)  # a margin may be far beyond the differences
        if length <= SAME * float(np.abs(self.sums).max(initial=0.0)):
            return 1.0
        seen = float(moved.sum()) / length - SAME * len(moved)
        own = (self.flipped - shift * self.flipped_sizes) / length
        own = np.abs(own) if self.both else own
        return float(((own >= seen) | (self.others >= seen)).mean())

    def limit(self, tail: float) -> float:
        """The least value that is not rejected."""
        mean, error, _ = cluster_mean(self.sums, self.sizes)
        there = self.sizes > 0
        ratios = self.sums[there] / self.sizes[there]
        if not error > SAME * float(np.abs(ratios).max(initial=0.0)):
            return math.nan
        far = float(ratios.min()) - 1e3 * error
        if passes(self.p(far), tail):
            return -np.inf
        inside = max(mean, 0.0) if passes(self.p(mean), tail) else float(ratios.max())
        return passing(self.p, tail, far, inside, mean - 2.5 * error, error)


label("max-t", "maximum test inverted")
