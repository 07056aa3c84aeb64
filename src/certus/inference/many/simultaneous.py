"""Simultaneous limits for several paired differences: the joint sign-flip test inverted."""

import math
from typing import NamedTuple

import numpy as np

from certus.core.arrays import Floats, Ints
from certus.inference.clusters import cluster_mean
from certus.inference.declare import label
from certus.inference.interval import Side
from certus.inference.many.joint import TOLERANCE, row_order
from certus.inference.search import first_passing, passes
from certus.inference.tests.equivalence import limit_agreeing_with_p
from certus.statistic.moments import power_of_two, root_of_squares

MAX_LISTED = 13
"""Units up to which all choices of signs are listed."""


class Simultaneous(NamedTuple):
    """Adjusted p-values and limits of comparisons; limits are NaN where all differences are equal.

    `p_below` and `p_above` are those of "at or below minus the margin" and of "at or above the margin", to be
    compared with half the level of a test of two sides; NaN without a margin.
    """

    p: Floats
    low: Floats
    high: Floats
    p_below: Floats
    p_above: Floats


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
    """Invert the single-step maximum test of joint sign flips: p-values and limits of all comparisons.

    A comparison's adjusted p-value is the share of sign flips in which the largest t of all comparisons is at least its
    own. Shifted by d, its own t and its flips change, those of the others stay; the limits are where the p-value passes
    ``1 - level``. So they exclude 0 if and only if the adjusted p-value is at most that.

    `values` has one row per unit or cluster (then sums over it) and one column per system, `sizes` the number of units
    in each row, `pairs` the columns of each comparison. Signs are drawn at random for more than 13 rows.
    """
    n, columns = len(values), len(pairs)
    if n <= MAX_LISTED:
        bits = (np.arange(2**n)[:, np.newaxis] >> np.arange(n)) & 1
        signs = np.where(bits == 1, -1.0, 1.0)
    else:
        order = row_order(values, sizes, pairs)
        values, sizes = values[order], sizes[order]
        signs = np.where(np.random.default_rng(seed).random((draws, n)) < 0.5, -1.0, 1.0)
        signs[0] = 1.0  # the data are one of the choices
    flips = _JointFlips(values, sizes, signs, pairs)
    p, low, high = np.ones(columns), np.full(columns, -np.inf), np.full(columns, np.inf)
    p_margin = {1.0: np.full(columns, np.nan), -1.0: np.full(columns, np.nan)}
    for turned in (1.0, -1.0):
        if (side, turned) in (("greater", -1.0), ("less", 1.0)):
            continue
        largest = flips.largest(turned, two_sided=side == "two-sided")
        for index in range(columns):
            one_side = _OneSide(flips, index, turned, largest, two_sided=side == "two-sided")
            p_at_0 = one_side.p(0.0)
            p[index] = min(p[index], p_at_0) if side == "two-sided" else p_at_0
            limit = one_side.limit(1 - level)
            if not math.isnan(margin):
                bound = -margin / flips.scales[index]
                p_margin[turned][index] = 1.0 if limit == -np.inf else one_side.p(bound) / 2
                limit = limit_agreeing_with_p(limit, bound, float(p_margin[turned][index]), (1 - level) / 2)
            if turned > 0:
                low[index] = limit * flips.scales[index]
            else:
                high[index] = -limit * flips.scales[index]
    is_missing = np.isnan(low) | np.isnan(high)
    low[is_missing] = high[is_missing] = math.nan
    return Simultaneous(p, low, high, p_margin[1.0], p_margin[-1.0])


class _JointFlips:
    """Sums of all comparisons under random signs of the units; one row for each draw."""

    def __init__(self, values: Floats, sizes: Floats, signs: Floats, pairs: Ints) -> None:
        self.values, self.sizes, self.signs, self.pairs = values, sizes, signs, pairs
        # Differences stay what they are, and those between systems that are near to each other keep their digits.
        columns = values - values[:, :1]
        self.scale = power_of_two(columns)  # t has no unit, and no square overflows or vanishes
        self.sums, self.flipped_sizes = np.asfortranarray(signs @ (columns / self.scale)), signs @ sizes
        differences = [self.differences(index) for index in range(len(pairs))]
        self.scales = np.array([power_of_two(column) for column in differences])
        squares = [float(((column / scale) ** 2).sum()) for column, scale in zip(differences, self.scales, strict=True)]
        self.lengths = np.sqrt(squares)
        # What rounding leaves of the systems' sums would count beside these differences.
        rounding = np.finfo(np.float64).eps * np.abs(columns).sum(axis=0)
        self.is_lost = rounding[pairs].sum(axis=1) > TOLERANCE / 8 * self.lengths * self.scales

    def differences(self, index: int) -> Floats:
        """Differences of a comparison, one per unit."""
        first, second = self.pairs[index]
        return np.asarray(self.values[:, first] - self.values[:, second])

    def flipped(self, index: int) -> Floats:
        """Sum of a comparison's differences for each draw of signs, on the comparison's scale."""
        if self.is_lost[index]:
            return np.asarray(self.signs @ (self.differences(index) / self.scales[index]))
        first, second = self.pairs[index]
        return np.asarray((self.sums[:, first] - self.sums[:, second]) * (self.scale / self.scales[index]))

    def reached(self, index: int, turned: float, *, two_sided: bool) -> Floats:
        """Statistic of a comparison for each draw of signs; `turned` is -1 for the other direction."""
        statistics = self.flipped(index) / (self.lengths[index] or 1.0)
        return np.abs(statistics) if two_sided else turned * statistics

    def largest(self, turned: float, *, two_sided: bool) -> tuple[Floats, Floats]:
        """Largest and second largest statistic of all comparisons for each draw of signs."""
        largest, second = np.full((2, len(self.signs)), -np.inf)
        for index in range(len(self.pairs)):
            statistics = self.reached(index, turned, two_sided=two_sided)
            second = np.maximum(second, np.minimum(largest, statistics))
            largest = np.maximum(largest, statistics)
        return largest, second


class _OneSide:
    """One-sided tests of the hypotheses that a comparison's mean difference is at most a value."""

    def __init__(
        self, flips: _JointFlips, index: int, turned: float, largest: tuple[Floats, Floats], *, two_sided: bool
    ) -> None:
        self.sums, self.sizes = turned * flips.differences(index) / flips.scales[index], flips.sizes
        self.two_sided = two_sided
        self.flipped, self.flipped_sizes = turned * flips.flipped(index), flips.flipped_sizes
        self.other_largest = np.where(
            flips.reached(index, turned, two_sided=two_sided) == largest[0], largest[1], largest[0]
        )

    def p(self, shift: float) -> float:
        """Adjusted p-value of the hypothesis that the mean difference is `shift`."""
        shifted = self.sums - shift * self.sizes
        length = root_of_squares(shifted)  # a margin may be far beyond the differences
        if length <= TOLERANCE * float(np.abs(self.sums).max(initial=0.0)):
            return 1.0
        observed = float(shifted.sum()) / length - TOLERANCE * len(shifted)
        flipped = (self.flipped - shift * self.flipped_sizes) / length
        flipped = np.abs(flipped) if self.two_sided else flipped
        return float(((flipped >= observed) | (self.other_largest >= observed)).mean())

    def limit(self, tail: float) -> float:
        """Least mean difference that is not rejected."""
        mean, error, _ = cluster_mean(self.sums, self.sizes)
        there = self.sizes > 0
        ratios = self.sums[there] / self.sizes[there]
        if not error > TOLERANCE * float(np.abs(ratios).max(initial=0.0)):
            return math.nan
        far = float(ratios.min()) - 1e3 * error
        if passes(self.p(far), tail):
            return -np.inf
        inside = max(mean, 0.0) if passes(self.p(mean), tail) else float(ratios.max())
        return first_passing(self.p, tail, far, inside, mean - 2.5 * error, error)


label("max-t", "maximum test inverted")
