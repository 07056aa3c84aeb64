"""The law of a sum of gain times discount where all items but one, two or three have the same gain: ranks counted."""

import math
from collections.abc import Mapping
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np

from certus.chance.laws.graded import LinearRankStatistic, Ranks
from certus.chance.laws.hits import falling
from certus.chance.laws.sums_of_hits import Hits, Tails, Term, log_share
from certus.chance.monte_carlo import LEVEL
from certus.chance.probability import Answer
from certus.core import kernels
from certus.core.arrays import Floats
from certus.transform.quantile import SAME, quantile

_PLACES = 1024
"""Places at which all pairs are counted."""

_STRATA = 512
"""Parts of each list; one number stands for all of its part."""

_APART = 64
"""Numbers of the second and the third list, those furthest apart, that are taken one by one."""

_EDGES = 640
"""Squares along each axis at most; from each a random pair of numbers is drawn."""


class TripleCounts:
    """Counts of triples from three ascending lists of one length whose sum reaches a goal."""

    def __init__(self, first: Floats, second: Floats, third: Floats) -> None:
        self._lists = first, second, third

    def steps(self, x: float) -> float:
        """Numbers that are passed in counting one by one."""
        first, second, third = self._lists
        goals, _ = _split(x - first, second, third)
        found = 0.0
        for one, other in ((second, third), (third, second)):
            none, every = (np.searchsorted(one, goals - end).astype(np.float64) for end in (other[-1], other[0]))
            found += float((every - none).sum())
        return found

    def counted(self, x: float) -> int:
        """The triples with a sum of at least x."""
        first, second, third = self._lists
        return _counted(second, third, x - first)

    def read(self, x: float) -> int:
        """The same, nearly: pairs of the last two are read off between places where they are counted.

        The numbers that lie far apart make steps, and are taken one by one.
        """
        first, second, third = self._lists
        dense, alone = _parted(second)
        total = _counted(first, third, x - alone)
        denser, alone = _parted(third)
        total += _counted(first, dense, x - alone)
        goals, whole = _split(x - first, dense, denser)
        places, cubics, counts = self._table
        before = np.clip(np.searchsorted(places, goals, side="right") - 1, 0, len(places) - 2)
        along = (goals - places[before]) / (places[before + 1] - places[before])
        found = np.zeros(len(goals))
        for coefficient in cubics:
            found = found * along + coefficient[before]
        found = np.clip(found, counts[before + 1], counts[before])
        return total + whole * len(dense) * len(denser) + round(math.fsum(found.tolist()))

    def off(self, x: float) -> float:
        """Bound, with confidence `LEVEL`, of the distance between the count that is read off and the exact one.

        Another estimate, without bias, has an error with a bound. For each number of the second and the third list, the
        numbers of the first that reach the goal are counted at the corners of squares of such pairs, and at one random
        pair in each square. Within a square the counts lie between those at its corners, so that independent terms have
        known limits; theorem 11 of Maurer & Pontil (2009), COLT, holds for any such terms.
        """
        most, one, other = self._lists
        one, other = (numbers if abs(numbers[0]) > abs(numbers[-1]) else numbers[::-1] for numbers in (one, other))
        edges = np.unique(np.floor((len(one) - 1) * (np.arange(_EDGES + 1) / _EDGES) ** 2).astype(np.int64))
        corners = len(most) - np.searchsorted(most, x - np.add.outer(one[edges], other[edges])).astype(np.float64)
        widths = np.diff(edges)
        sizes = widths.astype(np.float64)
        sizes[-1] += 1  # the last square has its far edge, too
        behind = sizes * (sizes - 1) / (2 * widths)  # places along each square, added up
        weights = np.append(sizes - behind, 0.0) + np.append(0.0, behind)
        quarters = corners[:-1, :-1], corners[:-1, 1:], corners[1:, :-1], corners[1:, 1:]
        room = (np.maximum.reduce(quarters) - np.minimum.reduce(quarters)) * np.outer(sizes, sizes)
        row, column = np.nonzero(room * (np.outer(sizes, sizes) > 1))
        generator = np.random.Generator(np.random.PCG64(0))
        down, right = (np.floor(generator.random(len(at)) * sizes[at]) for at in (row, column))
        sums = one[edges[row] + down.astype(np.int64)] + other[edges[column] + right.astype(np.int64)]
        down, right = down / widths[row], right / widths[column]
        between = [(1 - down) * (1 - right), (1 - down) * right, down * (1 - right), down * right]
        expected = sum(share * corner[row, column] for share, corner in zip(between, quarters, strict=True))
        terms = (len(most) - np.searchsorted(most, x - sums) - expected) * sizes[row] * sizes[column]
        apart = abs(self.read(x) - float((corners * np.outer(weights, weights)).sum()) - float(terms.sum()))
        if len(terms) < 2:
            return apart + float(room.sum())
        log = math.log(8 / (1 - LEVEL))  # on both sides, at two places at once
        spread = math.sqrt(2 * log * len(terms) * float(terms.var(ddof=1)))
        return apart + spread + 14 / 3 * log * float(room[row, column].max()) * len(terms) / (len(terms) - 1)

    @cached_property
    def _table(self) -> tuple[Floats, Floats, Floats]:
        """Places, cubics from each to the next, and the pairs from each on."""
        one, other = (_parted(numbers)[0] for numbers in self._lists[1:])
        turns = np.pi * (np.arange(_STRATA) + 0.5) / _STRATA
        index = ((1 - np.cos(turns)) / 2 * len(one)).astype(np.int64)
        sums = np.add.outer(one[index], other[index]).ravel()
        order = np.argsort(sums)
        shares = np.cumsum(np.multiply.outer(np.sin(turns), np.sin(turns)).ravel()[order])
        # Close to each other towards the ends, where the numbers that are left lie far apart.
        wanted = np.sin(np.pi / 2 * np.sin(np.pi / 2 * np.arange(1, _PLACES - 1) / (_PLACES - 1)) ** 2) ** 2
        places = sums[order][np.searchsorted(shares, wanted * shares[-1])]
        ends = one[0] + other[0], np.nextafter(one[-1] + other[-1], math.inf)
        places = np.unique(np.concatenate([[ends[0]], places, [ends[1]]]))
        counts = kernels.sums_at_least(one, other, places).astype(np.float64)
        number = np.arange(len(places) - 1)
        around = np.clip(number - 1, 0, len(places) - 4)[:, None] + np.arange(4)
        along = (places[around] - places[:-1, None]) / np.diff(places)[:, None]
        powers = along[:, :, None] ** np.arange(3, -1, -1)
        return places, np.linalg.solve(powers, counts[around][:, :, None])[:, :, 0].T, counts


def _counted(one: Floats, other: Floats, goals: Floats) -> int:
    """The pairs that reach each goal, added up."""
    goals, whole = _split(goals, one, other)
    return whole * len(one) * len(other) + int(kernels.sums_at_least(one, other, goals).sum())


def _split(goals: Floats, one: Floats, other: Floats) -> tuple[Floats, int]:
    """The goals that some but not all pairs reach, and how many goals all pairs reach."""
    low, high = one[0] + other[0], one[-1] + other[-1]
    return np.ascontiguousarray(goals[(goals > low) & (goals <= high)]), int((goals <= low).sum())


def _parted(numbers: Floats) -> tuple[Floats, Floats]:
    """The dense numbers, and those at the end that is further from 0."""
    if abs(numbers[-1]) >= abs(numbers[0]):
        return numbers[:-_APART], numbers[-_APART:]
    return numbers[_APART:], numbers[:_APART]


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
    are counted at some places, and read off between them for each rank of the first. What is read off was within 3e-8
    of the count in all 50 tails of 8,000 to 50,000 ranks where both were compared; the error that is stated is a bound,
    some hundred times as wide, that random pairs give with a confidence of 0.999. Sums nearer than 1e-14 of the
    greatest are one value.
    """

    def __init__(self, gains: Mapping[float, int], ranks: Ranks, scale: float) -> None:
        super().__init__(gains, ranks, scale)
        common, *others = self.cells.gains.tolist()
        each = [gain - common for gain, count in zip(others, self.cells.counts[1:], strict=True) for _ in range(count)]
        # The greatest first: its values lie furthest apart.
        self._gains = tuple(sorted(each, key=abs, reverse=True))
        self._total = falling(self.cells.items, len(each))
        self._behind = self.cells.items - ranks.depth
        self._tails = lru_cache(maxsize=256)(self._find)

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

    def _find(self, x: float) -> Tails:
        slack, exact = self._slack / self._scale, self._exactly(self._inner(x))
        ends = self._inner(x) - slack, self._inner(x) + slack
        here, beyond = (self._at_least(end, exact=exact) for end in ends)
        beyond = min(beyond, here)
        counts = (self._total - here, beyond, here - beyond)
        below, above, at = (log_share(count, self._total) for count in counts)
        error = 0.0 if exact else max(map(self._triples.off, ends)) / self._total
        return Tails(below, above, at, error, "counting" if error else "enumeration")

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        tails = self._tails(x)
        side = tails.above if upper else tails.below
        return min(float(np.logaddexp(side, tails.at)), 0.0) if atom else side, tails.error, tails.method

    def _log_pmf(self, x: float) -> Answer:
        tails = self._tails(x)
        # It is the difference of two counts.
        return tails.at, 2 * tails.error, tails.method

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
        return log_share(self._total - beyond, self._total), log_share(beyond, self._total)

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
