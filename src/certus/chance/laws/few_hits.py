"""Two or three hits in a long ranking, each of which adds its number over its rank: rankings counted in closed form."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.chance.laws.sums_of_hits import Hits, Tails, Term
from certus.transform.quantile import SAME, quantile

_PAIRS = 2e7
"""Pairs of ranks that are looked at one by one: less than a tenth of a second."""

_ROUNDED = 1e-14
"""Relative rounding error of a sum of counts."""


class Count(NamedTuple):
    """A number of rankings, and a bound of its error."""

    value: float
    error: float


class FewHits:
    """The sum of 1/r_1 + 2/r_2 + .. over the hits at ranks r_1 < r_2 < .. up to a last rank.

    With the ranks but the last of two or three hits given, the last one may be any down to a threshold U, so that
    rankings are counted without being listed. Of three hits, the thresholds behind r_1 are ::

        U = 3 / (q - 2/r_2)        q = x - 1/r_1

    for the r_2 where some, but not all, ranks behind it will do. Few pairs (r_1, r_2) are looked at one by one, which
    is exact. Of many, U - r_2 - 1/2 takes the place of the number of whole numbers in (r_2, U], from which it is at
    most 1/2 apart, and the sum of U over r_2 is a difference of two digamma functions.
    """

    def __init__(self, items: int, hits: int, depth: int) -> None:
        self._items, self._hits, self._depth = items, hits, depth

    @cached_property
    def rankings(self) -> int:
        """All of them."""
        return math.comb(self._items, self._hits)

    @property
    def exact(self) -> bool:
        """True if all counts are whole numbers, without rounding."""
        return self._hits == 2 or self._depth**2 / 2 <= _PAIRS

    def tails(self, x: float) -> Tails:
        """The tails at x; sums that differ by 1e-12 of themselves are one."""
        slack = SAME * max(x, 1 / self._depth)
        here, above_x = self.at_least(x - slack), self.at_least(x + slack)
        if here.error or above_x.error:
            smooth_count = self.at_least(x, smooth=True)
            return Tails(*self._logs(smooth_count.value), -math.inf, smooth_count.error / self.rankings, "counting")
        lower_log, _ = self._logs(here.value)
        _, upper_log = self._logs(above_x.value)
        return Tails(lower_log, upper_log, _log(here.value - above_x.value, self.rankings), 0.0, "enumeration")

    def _logs(self, count: float) -> tuple[float, float]:
        """Logs of the probabilities outside and inside a set of `count` rankings."""
        return _log(self.rankings - count, self.rankings), _log(count, self.rankings)

    def quantile(
        self, q: float, lower: bool, support: tuple[float, float], moments: tuple[float, float, float]
    ) -> float:
        """Least x with P(X <= x) >= q (`lower`), or with P(X > x) <= q: found by smooth counts, then by exact ones."""

        def smooth(x: float) -> tuple[float, float]:
            return self._logs(self.at_least(x, smooth=True).value)

        def exact(x: float) -> tuple[float, float]:
            tails = self.tails(x)
            return float(np.logaddexp(tails.below, tails.at)), tails.above

        near = quantile(smooth, q, lower, support, moments, None, width=SAME * moments[0])
        return quantile(exact, q, lower, support, moments, None, lambda *_: near, SAME * near)

    def at_least(self, x: float, *, smooth: bool = False) -> Count:
        """The rankings with a sum of at least `x`; a smooth count, which is quick, is never one by one."""
        behind = self._items - self._depth
        counts = [self._count_sets(j, x, smooth=smooth) for j in range(self._hits + 1)]
        arrangements = [math.comb(behind, self._hits - j) for j in range(self._hits + 1)]
        value = math.fsum(
            n_arrangements * count.value for n_arrangements, count in zip(arrangements, counts, strict=True)
        )
        error = math.fsum(
            n_arrangements * count.error for n_arrangements, count in zip(arrangements, counts, strict=True)
        )
        return Count(value, error)

    def _count_sets(self, hits: int, x: float, *, smooth: bool) -> Count:
        """The sets of so many ranks, all of which add something."""
        if x <= 0:
            return Count(float(math.comb(self._depth, hits)), 0.0)
        if hits == 0:
            return Count(0.0, 0.0)
        if hits == 1:
            return Count(float(min(math.floor(1 / x), self._depth)), 0.0)
        firsts = self._firsts(hits, x)
        # Before the first of these, any ranks behind will do.
        free = int(firsts[0]) - 1 if len(firsts) else self._certain(hits, x)
        certain = math.comb(self._depth, hits) - math.comb(self._depth - free, hits)
        needed = x - 1 / firsts
        count = self._seconds(firsts, needed) if hits == 2 else self._pairs(firsts, needed, smooth=smooth)
        return Count(certain + count.value, count.error)

    def _certain(self, hits: int, x: float) -> int:
        """First ranks up to which the least that the others add is enough."""
        fewest = sum(r / (self._depth - hits + r) for r in range(2, hits + 1))
        return min(math.floor(1 / (x - fewest)), self._depth) if x > fewest else self._depth

    def _firsts(self, hits: int, x: float) -> Floats:
        """The first ranks that may do, but for those with which all others do."""
        # The others stand right behind at best: the sum is at most hits (hits + 1) / 2 over the first rank.
        last = min(self._depth - hits + 1, math.floor(hits * (hits + 1) / 2 / x))
        return np.arange(self._certain(hits, x) + 1, last + 1, dtype=np.float64)

    def _seconds(self, firsts: Floats, needed: Floats) -> Count:
        """The second ranks that do."""
        reach = np.minimum(np.floor(2 / needed), self._depth)
        return Count(float(np.maximum(reach - firsts, 0).sum()), 0.0)

    def _pairs(self, firsts: Floats, needed: Floats, *, smooth: bool) -> Count:
        """The second and third ranks that do."""
        last = self._depth
        # Up to `all_up_to`, all third ranks do; from `low` to `high`, some.
        all_up_to = np.clip(np.floor(2 / (needed - 3 / last)), firsts, last - 1)
        low = all_up_to + 1
        # 2/s + 3/(s + 1) >= rest
        half = 5 - needed
        high = np.minimum(np.floor((half + np.sqrt(half**2 + 8 * needed)) / (2 * needed)), last - 1)
        behind = (all_up_to - firsts) * (2 * last - firsts - all_up_to - 1) / 2
        nonempty = high >= low
        low, high, needed = low[nonempty], high[nonempty], needed[nonempty]
        pairs = float((high - low + 1).sum())
        if not smooth and pairs <= _PAIRS:
            kind = np.uint32
            partial = kernels.pairs_at_least(needed, low.astype(kind), high.astype(kind), last=last)
            return Count(float(behind.sum()) + partial, 0.0)
        value = float(behind.sum()) + _smooth(needed, low, high)
        # One more for each first rank: a second rank at an end may lie on the other side by rounding.
        return Count(value, pairs / 2 + len(low) + _ROUNDED * value)


def _smooth(needed: Floats, low: Floats, high: Floats) -> float:
    """The sum of 3 / (rest - 2/s) - s - 1/2 over s from `low` to `high`."""
    from scipy.special import digamma

    pole = 2 / needed
    number = high - low + 1
    thresholds = 3 / needed * (number + pole * (digamma(high + 1 - pole) - digamma(low - pole)))
    return float((thresholds - number * (low + high + 1) / 2).sum())


def _log(count: float, all_counted: int) -> float:
    return math.log(count / all_counted) if count > 0 else -math.inf


def few_hits(terms: Sequence[Term]) -> FewHits | None:
    """The law of one ranking with two or three hits that add their number over their rank."""
    (scale, count, piece), *further_terms = terms
    if further_terms or count > 1 or scale <= 0 or not isinstance(piece, Hits) or piece.kind != "times":
        return None
    depth = len(piece.weights)
    inverse = piece.hits in (2, 3) and depth > piece.hits and np.array_equal(piece.weights, 1 / np.arange(1, depth + 1))
    return FewHits(piece.items, piece.hits, depth) if inverse else None
