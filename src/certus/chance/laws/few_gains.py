"""The law of a sum of gain times discount where all items but one, two or three have the same gain: ranks counted."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from certus.chance.laws.graded import LinearRankStatistic, Ranks
from certus.chance.laws.hits import falling
from certus.chance.laws.sums_of_hits import Hits, Tails, Term, log_share
from certus.chance.probability import Answer
from certus.core import kernels
from certus.core.arrays import Floats
from certus.transform.quantile import RELATIVE_TOLERANCE, quantile

_FAR = 64
"""Numbers of the second and the third list, those furthest from the others, that are taken one by one."""

_CELLS = 1 << 21
"""Cells of equal width for the sums of all other pairs."""


class TripleCounts:
    """Counts of triples from three ascending lists of one length whose sum reaches a goal."""

    def __init__(self, first: Floats, second: Floats, third: Floats) -> None:
        self._lists = first, second, third

    def steps(self, x: float) -> float:
        """Numbers that are passed in counting one by one."""
        first, second, third = self._lists
        goals, _ = _split(x - first, second, third)
        total = 0.0
        for left, right in ((second, third), (third, second)):
            n_out, n_in = (np.searchsorted(left, goals - end).astype(np.float64) for end in (right[-1], right[0]))
            total += float((n_in - n_out).sum())
        return total

    def count(self, x: float) -> int:
        """The number of triples with a sum of at least x."""
        first, second, third = self._lists
        return _count_pairs(second, third, x - first)

    def limits(self, x: float) -> tuple[int, int]:
        """Lower and upper limit for the number of triples that reach x.

        Two numbers, each in its cell, have a sum in one of two cells; pairs with few such sums are taken one by one.
        """
        first, second, third = self._lists
        dense, far = _split_far(second)
        certain = _count_pairs(first, third, x - far)
        certain += _count_pairs(first, dense, x - _split_far(third)[1])
        start, width, counts = self._pairs_by_cell
        cells = (x - first - start) / width
        low, high = (
            int(counts[np.clip(np.ceil(cells + shift), 0, _CELLS).astype(np.int64)].sum())
            for shift in (1e-7, -2 - 1e-7)
        )
        return certain + low, certain + high

    @cached_property
    def _pairs_by_cell(self) -> tuple[float, float, NDArray[np.int64]]:
        """Lowest sum of two dense numbers, cell width, and for each cell the number of pairs there or higher."""
        dense = [_split_far(numbers)[0] for numbers in self._lists[1:]]
        width = sum(float(np.ptp(numbers)) for numbers in dense) / (_CELLS - 3)
        transforms = [
            np.fft.rfft(np.bincount(((numbers - numbers[0]) / width).astype(np.int64), minlength=_CELLS))
            for numbers in dense
        ]
        pairs = np.rint(np.fft.irfft(transforms[0] * transforms[1], _CELLS)).astype(np.int64)
        return float(dense[0][0] + dense[1][0]), width, np.append(np.cumsum(pairs[::-1])[::-1], 0)


def _count_pairs(left: Floats, right: Floats, goals: Floats) -> int:
    """The pairs that reach each goal, added up."""
    goals, n_all = _split(goals, left, right)
    return n_all * len(left) * len(right) + int(kernels.sums_at_least(left, right, goals).sum())


def _split(goals: Floats, left: Floats, right: Floats) -> tuple[Floats, int]:
    """The goals that some but not all pairs reach, and how many goals all pairs reach."""
    low, high = left[0] + right[0], left[-1] + right[-1]
    return np.ascontiguousarray(goals[(goals > low) & (goals <= high)]), int((goals <= low).sum())


def _split_far(numbers: Floats) -> tuple[Floats, Floats]:
    """The dense numbers, and those at the end that is further from 0."""
    if abs(numbers[-1]) >= abs(numbers[0]):
        return numbers[:-_FAR], numbers[-_FAR:]
    return numbers[_FAR:], numbers[:_FAR]


_STEPS = 4e7
"""Steps of a count that is exact: less than a tenth of a second."""

_ROUNDED = 1e-14
"""Sums nearer than this part of the greatest are one value."""

_SHORT = 500
"""Of so few ranks every count is quick."""


class FewGains(LinearRankStatistic):
    """The law by counting the ranks of the one, two or three items that differ from all others.

    The sums of two items are counted in one walk down both lists of their values, and are exact; so are those of three
    of up to some 4,000 ranks, and in far tails. In the body of longer lists the pairs of the second and the third item
    are counted by cells, which gives certain limits. Sums nearer than 1e-14 of the greatest are one value.
    """

    def __init__(self, gains: Mapping[float, int], ranks: Ranks, scale: float) -> None:
        super().__init__(gains, ranks, scale)
        common, *other_gains = self.cells.gains.tolist()
        repeated = np.repeat(np.array(other_gains) - common, self.cells.counts[1:]).tolist()
        # The greatest first: its values lie furthest apart.
        self._gains: tuple[float, ...] = tuple(sorted(repeated, key=abs, reverse=True))
        self._total = falling(self.cells.items, len(self._gains))
        self._behind = self.cells.items - ranks.depth
        self._tails = lru_cache(maxsize=256)(self._find)

    @property
    def terms(self) -> list[Term]:
        """The sum over hits that it is where the others gain 0 and all differing items the same, to be averaged."""
        is_sum_over_hits = len(set(self._gains)) == 1 and not self._base and self._gains[0] > 0
        hits = Hits(self.cells.items, len(self._gains), "rank", self._ranks.discounts)
        return [(self._scale * self._gains[0], 1, hits)] if is_sum_over_hits else []

    @property
    def method(self) -> str:
        """``"enumeration"``, or ``"counting"`` where three items are not always counted one by one."""
        return "enumeration" if self.exact else "counting"

    @property
    def exact(self) -> bool:
        """True if all counts are whole numbers."""
        return len(self._gains) < 3 or 2.0 * self._ranks.depth**2 <= _STEPS

    @property
    def _slack(self) -> float:
        # Sums of three terms are hardly rounded, and of a million items thousands lie within 1e-12 of the support.
        return _ROUNDED * max(map(abs, self._bounds))

    def _values(self, gain: float) -> Floats:
        """Gain times discount at each rank, ascending."""
        discounts = self._ranks.discounts
        return np.ascontiguousarray(gain * (discounts[::-1] if gain > 0 else discounts))

    @cached_property
    def _arrangements(self) -> list[tuple[int, tuple[float, ...]]]:
        """Number and gains of items at ranks that need not differ: what adds up to those at different ranks.

        Of three items at any ranks those with two at one rank are taken away, and twice those with all three at one are
        added again. Items behind the last rank that counts add nothing.
        """
        numbers: Counter[tuple[float, ...]] = Counter()
        for n_visible in range(len(self._gains) + 1):
            behind = falling(self._behind, len(self._gains) - n_visible)
            for gains in combinations(self._gains, n_visible):
                numbers[gains] += behind
                if n_visible == 2:
                    numbers[sum(gains),] -= behind
                if n_visible == 3:
                    first, second, third = gains
                    for pair in ((first, second + third), (second, first + third), (third, first + second)):
                        numbers[pair] -= behind
                    numbers[sum(gains),] += 2 * behind
        return [(number, gains) for gains, number in numbers.items() if number]

    @cached_property
    def _lists(self) -> dict[float, Floats]:
        return {gain: self._values(gain) for _, gains in self._arrangements for gain in gains}

    @cached_property
    def _triples(self) -> TripleCounts:
        return TripleCounts(*(self._lists[gain] for gain in self._gains))

    def _count_from(self, x: float, *, exact: bool) -> tuple[int, float]:
        """The placings with a sum of at least x, without scale and base; and how far the number may be off."""
        total, error = 0, 0.0
        for number, gains in self._arrangements:
            lists = [self._lists[gain] for gain in gains]
            if not lists:
                total += number * (x <= 0)
            elif len(lists) == 1:
                total += number * (self._ranks.depth - int(np.searchsorted(lists[0], x)))
            elif len(lists) == 2:
                total += number * int(kernels.sums_at_least(lists[0], lists[1], np.array([x]))[0])
            elif exact:
                total += number * self._triples.count(x)
            else:
                low, high = self._triples.limits(x)
                total, error = total + number * (low + high) // 2, number * (high - low + 1) / 2
        return min(max(total, 0), self._total), error

    def _is_countable(self, inner: float) -> bool:
        return self.exact or self._triples.steps(inner) <= _STEPS

    def _find(self, x: float) -> Tails:
        inner, slack = self._inner(x), self._slack / self._scale
        exact = self._is_countable(inner)
        (here, error), (upper, upper_error) = (self._count_from(inner + sign * slack, exact=exact) for sign in (-1, 1))
        upper = min(upper, here)
        lower_log, upper_log, atom_log = (
            log_share(count, self._total) for count in (self._total - here, upper, here - upper)
        )
        return Tails(
            lower_log,
            upper_log,
            atom_log,
            max(error, upper_error) / self._total,
            "enumeration" if exact else "counting",
        )

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        tails = self._tails(x)
        side = tails.upper if upper else tails.lower
        return min(float(np.logaddexp(side, tails.atom)), 0.0) if atom else side, tails.error, tails.method

    def _log_pmf(self, x: float) -> Answer:
        tails = self._tails(x)
        # It is the difference of two counts.
        return tails.atom, 2 * tails.error, tails.method

    def _inverse(self, q: float, *, upper: bool) -> float:
        start = self.mean(), self.std(), self.skewness()
        is_quick = len(self._gains) < 3 or self._ranks.depth <= _SHORT

        def logs(x: float, exact: bool = True) -> tuple[float, float]:
            """Logs of P(S <= x) and P(S > x)."""
            count, _ = self._count_from(self._inner(x) + self._slack / self._scale, exact=exact)
            return log_share(self._total - count, self._total), log_share(count, self._total)

        def search(logs: Callable[[float], tuple[float, float]], bounds: tuple[float, float]) -> float:
            return quantile(logs, q, not upper, bounds, start, lambda x: x, width=self._slack)

        def reaches(x: float) -> bool:
            lower_log, upper_log = logs(x)
            return (
                upper_log <= math.log(q) + 2 * RELATIVE_TOLERANCE
                if upper
                else lower_log >= math.log(q) - 2 * RELATIVE_TOLERANCE
            )

        near = search(lambda x: logs(x, is_quick), self._bounds)
        if near <= self._bounds[0] + 2 * self._slack:
            near = self._bounds[0]
        if is_quick or not self._is_countable(self._inner(near)):
            return near
        # A single value is kept where the exact counts have it too.
        before = near - 4 * self._slack
        if reaches(near) and (before < self._bounds[0] or not reaches(before)):
            return near
        low = high = near
        step = 64 * self._slack
        while low > self._bounds[0] and reaches(low):
            low, step = max(low - step, self._bounds[0]), 16 * step
        while high < self._bounds[1] and not reaches(high):
            high, step = min(high + step, self._bounds[1]), 16 * step
        return search(logs, (low, high))

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        total, used = np.full(size, self._base), np.zeros((0, size))
        for number, gain in enumerate(self._gains):
            # One of the ranks that are left: behind each of those used, in order, it is one further down.
            rank = np.floor(generator.random(size) * (self.cells.items - number))
            for other in np.sort(used, axis=0):
                rank += rank >= other
            used = np.vstack([used, rank])
            total += np.where(rank < self._ranks.depth, gain / np.log2(rank + 2), 0.0)
        return np.asarray(total * self._scale)
