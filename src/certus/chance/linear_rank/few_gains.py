"""The law of a sum of gain times discount where all items but one, two or three have the same gain: ranks counted."""

import math
from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.chance.additive.exact import Term
from certus.chance.additive.pieces import Hits
from certus.chance.distribution import SAME, Answer
from certus.chance.lattice.hypergeometric import falling
from certus.chance.linear_rank.gains import Ranks, differing
from certus.chance.linear_rank.statistic import LinearRankStatistic
from certus.chance.linear_rank.triple_counts import TripleCounts
from certus.transform.quantile import quantile

_STEPS = 4e7
"""Steps of a count that is exact: less than a tenth of a second."""


_ROUNDED = 1e-14
"""Sums nearer than this part of the greatest are one value."""

_SHORT = 500
"""Of so few ranks every count is quick."""


class _Tails(NamedTuple):
    """Logs of P(S < x), P(S = x) and P(S > x), and a bound of their error."""

    below: float
    at: float
    above: float
    error: float


class FewGains(LinearRankStatistic):
    """The law by counting the ranks of the one, two or three items that differ from all others.

    The sums of two items are counted in one walk down both lists of their values, and are exact; so are those of three
    of up to some 4,000 ranks, and in far tails. In the body of longer lists the pairs of the second and the third item
    are counted at some places, and read off between them for each rank of the first. What is read off was within 3e-8
    of the count in all 50 tails of 8,000 to 50,000 ranks where both were compared; the error that is stated is a bound,
    some hundred times as wide, that random pairs give with a confidence of 0.999. Sums nearer than 1e-14 of the
    greatest are one value.

    Parameters
    ----------
    gains
        How many items have each gain.
    ranks
        The ranks' discounts, each by itself.
    scale
        What the sum is multiplied by.
    """

    def __init__(self, gains: Mapping[float, int], ranks: Ranks, scale: float) -> None:
        super().__init__(gains, ranks, scale)
        common, *others = self.cells.gains.tolist()
        each = [gain - common for gain, count in zip(others, self.cells.counts[1:], strict=True) for _ in range(count)]
        # The greatest first: its values lie furthest apart.
        self._gains = tuple(sorted(each, key=abs, reverse=True))
        self._base: float = common * kernels.exact_sum(ranks.discounts)
        self._total = falling(self.cells.items, len(each))
        self._behind = self.cells.items - ranks.depth
        self._tails = lru_cache(maxsize=256)(self._find)

    def __reduce__(self) -> tuple[Any, ...]:
        gains = dict(zip(self.cells.gains.tolist(), self.cells.counts, strict=True))
        return type(self), (gains, self._ranks, self._scale)

    @property
    def terms(self) -> list[Term]:
        """The sum over hits that it is where the others gain 0 and all differing items the same, to be averaged."""
        alike = len(set(self._gains)) == 1 and not self._base and self._gains[0] > 0
        hits = Hits(self.cells.items, len(self._gains), "rank", self._ranks.discounts)
        return [(self._scale * self._gains[0], 1, hits)] if alike else []

    @property
    def method(self) -> str:
        """``"enumeration"``, or ``"counting"`` where three items are not always counted one by one."""
        return "enumeration" if self.exact else "counting"

    @property
    def exact(self) -> bool:
        """True if all counts are whole numbers."""
        return len(self._gains) < 3 or 2.0 * self._ranks.depth**2 <= _STEPS

    @property
    def _quick(self) -> bool:
        """True if all counts that a search makes may be exact."""
        return len(self._gains) < 3 or self._ranks.depth <= _SHORT

    @property
    def _slack(self) -> float:
        # Sums of three terms are hardly rounded, and of a million items thousands lie within 1e-12 of the support.
        return _ROUNDED * max(map(abs, self._bounds))

    def _values(self, gain: float) -> Floats:
        """Gain times discount at each rank, ascending."""
        discounts = self._ranks.discounts
        return np.ascontiguousarray(gain * (discounts[::-1] if gain > 0 else discounts))

    @cached_property
    def _ways(self) -> list[tuple[int, tuple[float, ...]]]:
        """Number and gains of items at ranks that need not differ: what adds up to those at different ranks.

        Of three items at any ranks those with two at one rank are taken away, and twice those with all three at one are
        added again. Items behind the last rank that counts add nothing.
        """
        found: list[tuple[int, tuple[float, ...]]] = []
        for seen in range(len(self._gains) + 1):
            behind = falling(self._behind, len(self._gains) - seen)
            for gains in combinations(self._gains, seen):
                found.append((behind, gains))
                if seen == 2:
                    found.append((-behind, (sum(gains),)))
                if seen == 3:
                    one, two, three = gains
                    pairs = [(one, two + three), (two, one + three), (three, one + two)]
                    found += [*((-behind, pair) for pair in pairs), (2 * behind, (sum(gains),))]
        together: dict[tuple[float, ...], int] = {}
        for ways, gains in found:
            together[gains] = together.get(gains, 0) + ways
        return [(ways, gains) for gains, ways in together.items() if ways]

    @cached_property
    def _lists(self) -> dict[float, Floats]:
        return {gain: self._values(gain) for _, gains in self._ways for gain in gains}

    @cached_property
    def _triples(self) -> TripleCounts:
        return TripleCounts(*(self._lists[gain] for gain in self._gains))

    def _at_least(self, x: float, *, exact: bool) -> int:
        """The placings with a sum of at least x, without scale and base."""
        total = 0
        for ways, gains in self._ways:
            lists = [self._lists[gain] for gain in gains]
            if not lists:
                total += ways * (x <= 0)
            elif len(lists) == 1:
                total += ways * (self._ranks.depth - int(np.searchsorted(lists[0], x)))
            elif len(lists) == 2:
                total += ways * int(kernels.sums_at_least(lists[0], lists[1], np.array([x]))[0])
            else:
                total += ways * (self._triples.counted(x) if exact else self._triples.read(x))
        return min(max(total, 0), self._total)

    def _exactly(self, x: float) -> bool:
        return self.exact or self._triples.steps(x) <= _STEPS

    def _inner(self, x: float) -> float:
        return float(x / self._scale - self._base)

    def _find(self, x: float) -> _Tails:
        slack, exact = self._slack / self._scale, self._exactly(self._inner(x))
        ends = self._inner(x) - slack, self._inner(x) + slack
        here, beyond = (self._at_least(end, exact=exact) for end in ends)
        beyond = min(beyond, here)
        counts = (self._total - here, here - beyond, beyond)
        below, at, above = (_log(count, self._total) for count in counts)
        return _Tails(below, at, above, 0.0 if exact else max(map(self._triples.off, ends)) / self._total)

    def _answer(self, log: float, tails: _Tails) -> Answer:
        return log, tails.error, "counting" if tails.error else "enumeration"

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        tails = self._tails(x)
        side = tails.above if upper else tails.below
        return self._answer(min(float(np.logaddexp(side, tails.at)), 0.0) if atom else side, tails)

    def _log_pmf(self, x: float) -> Answer:
        tails = self._tails(x)
        # It is the difference of two counts.
        return self._answer(tails.at, tails._replace(error=2 * tails.error))

    def _inverse(self, q: float, *, upper: bool) -> float:
        start = self.mean(), self.std(), self.skewness()

        def quick(x: float) -> tuple[float, float]:
            return self._upto(x, quick=True)

        near = quantile(quick, q, not upper, self._bounds, start, lambda x: x, width=self._slack)
        if near <= self._bounds[0] + 2 * self._slack:
            near = self._bounds[0]
        if len(self._gains) < 3:
            return near
        # A single value is kept where the exact counts have it too.
        before = near - 4 * self._slack
        reached = self._reaches(near, q, upper=upper)
        if reached and (before < self._bounds[0] or not self._reaches(before, q, upper=upper)):
            return near
        if not self._exactly(self._inner(near)):
            return quantile(self._upto, q, not upper, self._bounds, start, None, lambda *_: near, self._slack)
        low = high = near
        step = 64 * self._slack
        while low > self._bounds[0] and self._reaches(low, q, upper=upper):
            low, step = max(low - step, self._bounds[0]), 16 * step
        while high < self._bounds[1] and not self._reaches(high, q, upper=upper):
            high, step = min(high + step, self._bounds[1]), 16 * step
        return quantile(self._upto, q, not upper, (low, high), start, lambda x: x, width=self._slack)

    def _reaches(self, x: float, q: float, *, upper: bool) -> bool:
        below, above = self._upto(x)
        return above <= math.log(q) + 2 * SAME if upper else below >= math.log(q) - 2 * SAME

    def _upto(self, x: float, *, quick: bool = False) -> tuple[float, float]:
        """Logs of P(S <= x) and P(S > x)."""
        inner = self._inner(x)
        exact = self._quick if quick else self._exactly(inner)
        beyond = self._at_least(inner + self._slack / self._scale, exact=exact)
        return _log(self._total - beyond, self._total), _log(beyond, self._total)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        total, taken = np.full(size, self._base), np.zeros((0, size))
        for number, gain in enumerate(self._gains):
            # One of the ranks that are left: behind each of those taken, in order, it is one further down.
            rank = np.floor(generator.random(size) * (self.cells.items - number))
            for other in np.sort(taken, axis=0):
                rank += rank >= other
            taken = np.vstack([taken, rank])
            total += np.where(rank < self._ranks.depth, gain / np.log2(rank + 2), 0.0)
        return np.asarray(total * self._scale)


def _log(count: int, all_counted: int) -> float:
    return math.log(count / all_counted) if count > 0 else -math.inf


def few_gains(gains: Mapping[float, int], ranks: Ranks, scale: float) -> FewGains | None:
    """The law, if all items but one, two or three have the same gain and each rank is by itself."""
    few = 1 <= differing(gains) <= 3 and not ranks.grouped
    return FewGains(gains, ranks, scale) if few else None
