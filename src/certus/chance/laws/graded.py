"""Grades as gains, ranks as discounts, and the exact laws of the sum of gain times discount in a random ranking."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate, combinations, pairwise, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import Finite, merged
from certus.chance.laws.average_precision_moments import MAX_ITEMS
from certus.chance.laws.hits import falling
from certus.chance.laws.sums_of_hits import Hits, Tails, Term, log_share
from certus.chance.monte_carlo import Replicates
from certus.chance.probability import Answer, log_minus, require_integer
from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.transform.meeting import Sums, lower_tail, upper_tail
from certus.transform.quantile import RELATIVE_TOLERANCE, quantile

_SINGLE = 20_000
"""Up to so many ranks have each their own discount."""
_MAX_COUNTED_RANKS = {0: 5_000_000, 1: 5_000_000, 2: 5_000_000, 3: 1_000_000}
"""The same where so few items have another gain than all others: their ranks are counted."""
_FIRST, _GROWTH, _NODES = 64, 1.5, 5
"""Beyond, the first ranks have, and groups that grow by half are represented by five places each."""


class Ranks(NamedTuple):
    """The discounts of the ranks that are looked at, and how many ranks have each."""

    discounts: Floats
    weights: Floats
    depth: int

    @property
    def grouped(self) -> bool:
        """True if some ranks are treated as one."""
        return len(self.discounts) < self.depth


def gains_of(grades: Iterable[int] | Mapping[int, int], gain: str) -> dict[float, int]:
    """Number of items with each gain."""
    if gain not in ("linear", "exp"):
        raise DataError(f"is {gain!r}", "it must be 'linear' or 'exp'", argument="gain")
    grades_or_counts: Any = grades
    if isinstance(grades_or_counts, Mapping):
        pairs: list[tuple[Any, int]] = [
            (grade, require_integer(count, f"the number of items of grade {grade!r}"))
            for grade, count in grades_or_counts.items()
        ]
    elif not isinstance(grades_or_counts, Iterable) or getattr(grades_or_counts, "ndim", 1) != 1:
        shape = getattr(grades_or_counts, "shape", None)
        text = repr(grades_or_counts) if shape is None else f"an array of shape {shape}"
        raise DataError(
            f"is {text}", "give one grade for each item, or how many items have each grade", argument="grades"
        )
    else:
        grade_list: list[Any] = list(grades_or_counts)
        is_whole = [isinstance(grade, int | np.integer) for grade in grade_list]
        pairs = list(Counter(grade_list).items()) if all(is_whole) else [(grade_list[is_whole.index(False)], 1)]
    limit = 1000 if gain == "linear" else 250  # the fourth power of a gain is a float
    gains: dict[float, int] = {}
    for grade, count in pairs:
        if isinstance(grade, bool) or not isinstance(grade, int | np.integer):
            raise DataError(f"has {grade!r}", "a grade is a whole number", argument="grades")
        if grade > limit:
            raise DataError(f"has {grade}", f"with gain {gain!r} a grade is at most {limit}", argument="grades")
        value = float(max(grade, 0)) if gain == "linear" else 2.0 ** max(grade, 0) - 1
        if count:
            gains[value] = gains.get(value, 0) + count
    items = sum(gains.values())
    if not 1 <= items <= MAX_ITEMS:
        raise DataError(f"has {items} items", "there must be at least one and at most 1e30", argument="grades")
    return gains


def differing(gains: Mapping[float, int]) -> int:
    """The number of items that have another gain than most."""
    return sum(gains.values()) - max(gains.values())


def ranks(gains: Mapping[float, int], cutoff: int | None) -> Ranks:
    """The discounts of the ranks, all of them or the first `cutoff`."""
    items = sum(gains.values())
    depth = items if cutoff is None else min(items, require_integer(cutoff, "cutoff", 1))
    return quadrature_ranks(depth) if depth > _MAX_COUNTED_RANKS.get(differing(gains), _SINGLE) else single_ranks(depth)


def single_ranks(depth: int) -> Ranks:
    """Each rank by itself."""
    return Ranks(1 / np.log2(np.arange(2.0, depth + 2)), np.ones(depth), depth)


def quadrature_ranks(depth: int) -> Ranks:
    """Some two hundred places and weights with which smooth functions of the discount sum up as over all ranks.

    Gauss's quadrature for a sum over whole numbers: the nodes are the eigenvalues of the Jacobi matrix of the discrete
    Chebyshev polynomials, so that polynomials of the rank up to the ninth degree are summed exactly in every group.
    """
    first = min(depth, _FIRST)
    positions, weights = [np.arange(1.0, first + 1)], [np.ones(first)]
    begin = first
    while begin < depth:
        end = min(depth, math.ceil(begin * _GROWTH))
        size = float(end - begin)
        count = min(_NODES, end - begin)
        k = np.arange(1.0, count)
        side = np.sqrt(k * k * (size * size - k * k) / (4 * (4 * k * k - 1)))
        nodes, vectors = np.linalg.eigh(np.diag(side, 1) + np.diag(side, -1))
        positions.append(begin + 1 + (size - 1) / 2 + nodes)
        weights.append(size * vectors[0] ** 2)
        begin = end
    return Ranks(1 / np.log2(np.concatenate(positions) + 1), np.concatenate(weights), depth)


def best(gains: Mapping[float, int], ranks: Ranks) -> float:
    """The greatest sum: the items in decreasing order of gain."""
    if not ranks.grouped:
        counts = (count for _, count in sorted(gains.items(), reverse=True))
        depths = [min(depth, ranks.depth) for depth in accumulate(counts, initial=0)]
        parts = [kernels.exact_sum(ranks.discounts[start:stop]) for start, stop in pairwise(depths)]
        return math.fsum(gain * part for gain, part in zip(sorted(gains, reverse=True), parts, strict=True))
    last_ranks = np.cumsum(ranks.weights)
    sums = np.append(0.0, np.cumsum(ranks.discounts * ranks.weights))
    total, start = 0.0, 0.0
    for gain, count in sorted(gains.items(), reverse=True):
        stop = min(start + count, float(last_ranks[-1]))
        first, last = (np.interp(depth, np.append(0.0, last_ranks), sums) for depth in (start, stop))
        total += gain * float(last - first)
        start = stop
    return total


_State = tuple[int, ...]


class GradedItems(NamedTuple):
    """Items by their gain, and the discounts of the ranks that count."""

    gains: Floats
    """The gains there are, each once; that of the most items first."""
    counts: list[int]
    """Number of items with each."""
    discounts: Floats
    """One a rank."""

    @property
    def items(self) -> int:
        """The number of ranked items."""
        return sum(self.counts)

    def end_log(self, *, highest: bool) -> float:
        """Log probability of the highest or lowest sum: the discounts differ, so one sequence has it."""
        state, start = [0] * len(self.counts), 0
        depth = len(self.discounts)
        for index in np.argsort(self.gains)[:: -1 if highest else 1].tolist():
            state[index] = min(self.counts[index], depth - start)
            start += state[index]
        return log_state(self, tuple(state[1:]))


def log_state(cells: GradedItems, state: _State) -> float:
    """Log probability of one sequence, by its number of items with each other gain; -inf if too few exist."""
    depth, used = len(cells.discounts), sum(state)
    n_common = depth - used
    if n_common < 0 or n_common > cells.counts[0] or any(k > c for k, c in zip(state, cells.counts[1:], strict=True)):
        return -math.inf
    n = cells.items
    # Of the most common gain one factor (c - i) / (n - i) a rank, of the others what is left of the denominator.
    total = float(np.log1p(-float(n - cells.counts[0]) / (float(n) - np.arange(n_common))).sum())
    left = n - n_common
    for k, count in zip(state, cells.counts[1:], strict=True):
        for i in range(k):
            total += math.log((count - i) / left)
            left -= 1
    return total


def sequences(depth: int, counts: list[int]) -> float:
    """Logarithm of a bound for the number of gain sequences."""
    hits = min(sum(counts[1:]), depth)
    n_other_gains = len(counts) - 1
    log, total = 0.0, 0.0
    for j in range(1, hits + 1):
        log += math.log((depth - j + 1) / j * n_other_gains)
        total = float(np.logaddexp(total, log))
        if total > 100:
            break
    return total


def _sums_by_state(gains: Floats, limits: list[int], discounts: Floats) -> dict[_State, Floats]:
    """All sums by numbers of items of each gain but the first, which is taken off every other."""
    sums: dict[_State, list[Floats]] = {}
    if len(discounts) == 1 or sum(limits) == 1:
        states = np.eye(len(limits), dtype=int).tolist()
        ones = {tuple(states[g]): (gains[g + 1] - gains[0]) * discounts for g in range(len(limits)) if limits[g]}
        return {(0,) * len(limits): np.zeros(1), **ones}
    middle = len(discounts) // 2
    left, right = (_sums_by_state(gains, limits, part) for part in (discounts[:middle], discounts[middle:]))
    for (u, left_sums), (v, right_sums) in product(left.items(), right.items()):
        state = tuple(a + b for a, b in zip(u, v, strict=True))
        if all(a <= b for a, b in zip(state, limits, strict=True)):
            sums.setdefault(state, []).append(np.add.outer(left_sums, right_sums).ravel())
    return {state: np.concatenate(parts) for state, parts in sums.items()}


class LinearRankStatistic(Distribution):
    """Common parts of all such laws: moments in closed form, bounds, random values, quantiles by bisection."""

    def __init__(self, gains: Mapping[float, int], ranks: Ranks, scale: float) -> None:
        self._arguments, self._ranks, self._scale = (gains, ranks, scale), ranks, scale
        ordered = sorted(gains.items(), key=lambda pair: (-pair[1], pair[0]))
        self.cells = GradedItems(
            np.array([gain for gain, _ in ordered]), [count for _, count in ordered], ranks.discounts
        )
        highest = best(gains, ranks)
        lowest = 0.0 - best({-gain: count for gain, count in gains.items()}, ranks)
        self._bounds = lowest * scale, highest * scale

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments

    def _replicates(self) -> Replicates | None:
        return None if self.exact else Replicates.from_law(self)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return self._bounds

    @cached_property
    def _base(self) -> float:
        """The sum, without scale, if all items had the first gain."""
        return float(self.cells.gains[0]) * kernels.exact_sum(self._ranks.discounts * self._ranks.weights)

    def _inner(self, x: float) -> float:
        """The sum without scale, the first gain taken off every other."""
        return float(x / self._scale - self._base)

    @property
    def _slack(self) -> float:
        return RELATIVE_TOLERANCE * (self._bounds[1] - self._bounds[0])

    @cached_property
    def _moments(self) -> KnownMoments:
        return self.closed_moments()

    def closed_moments(self) -> KnownMoments:
        """Moments in closed form, from central power sums of the gains and of the discounts."""
        gains, counts = self.cells.gains, np.array(self.cells.counts, dtype=np.float64)
        n = float(self.cells.items)
        total = math.fsum((gains * counts).tolist())
        mean = self._scale * total * kernels.exact_sum(self._ranks.discounts * self._ranks.weights) / n
        g2, g3, g4 = _central(gains, counts, 0.0, n)
        d2, d3, d4 = _central(self._ranks.discounts, self._ranks.weights, float(n - self._ranks.depth), n)
        if not g2 * d2:
            return KnownMoments(mean, 0.0, math.nan, math.nan)
        skewness = n * g3 * d3 / ((n - 1) * (n - 2)) / (g2 * d2 / (n - 1)) ** 1.5 if n > 2 else 0.0
        # By how many of the four ranks are distinct: none, pairs, one pair, all.
        fourth = d4 * g4 / n + (4 * d4 * g4 + 3 * (d2 * d2 - d4) * (g2 * g2 - g4)) / (n * (n - 1))
        if n > 2:
            fourth += 6 * (2 * d4 - d2 * d2) * (2 * g4 - g2 * g2) / (n * (n - 1) * (n - 2))
        if n > 3:
            denominator = n * (n - 1) * (n - 2) * (n - 3)
            fourth += (3 * d2 * d2 - 6 * d4) * (3 * g2 * g2 - 6 * g4) / denominator
        var = self._scale**2 * g2 * d2 / (n - 1)
        return KnownMoments(mean, var, skewness, fourth / (g2 * d2 / (n - 1)) ** 2 - 3)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        left = np.tile(np.array(self.cells.counts, dtype=np.float64), (size, 1))
        total = np.zeros(size)
        for rank, discount in enumerate(self._ranks.discounts.tolist()):
            steps = np.cumsum(left, axis=1)
            passed = (generator.random(size) * (self.cells.items - rank))[:, None] >= steps[:, :-1]
            kind = passed.sum(axis=1)
            total += self.cells.gains[kind] * discount
            left[np.arange(size), kind] -= 1
        return total * self._scale


class EnumeratedStatistic(LinearRankStatistic):
    """The law by two halves of the ranks, met in the middle: exact, atoms too."""

    _method = "enumeration"
    _exact = True

    def enumerate_values(self) -> Finite:
        """The law with all its values, every sequence listed."""
        cells = self.cells
        parts = [
            (sums, log)
            for state, sums in _sums_by_state(cells.gains, cells.counts[1:], cells.discounts).items()
            if (log := log_state(cells, state)) > -math.inf
        ]
        values = np.concatenate([sums for sums, _ in parts])
        logs = np.concatenate([np.full(len(sums), log) for sums, log in parts])
        return Finite(*merged((values + self._base) * self._scale, logs, add=np.logaddexp), "enumeration")

    @cached_property
    def _halves(self) -> list[tuple[Sums, Sums, float]]:
        """The sums in both halves of the ranks, and the log probability of one sequence, by split."""
        cells, halves = self.cells, np.split(self.cells.discounts, [len(self.cells.discounts) // 2])
        by_state = (_sums_by_state(cells.gains, cells.counts[1:], half).items() for half in halves)
        parts = ([(state, Sums(sums, np.ones(len(sums)))) for state, sums in items] for items in by_state)
        return [
            (first, second, log)
            for (u, first), (v, second) in product(*parts)
            if (log := log_state(cells, tuple(a + b for a, b in zip(u, v, strict=True)))) > -math.inf
        ]

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        x += self._slack if upper != atom else -self._slack
        count, goal = upper_tail if upper else lower_tail, self._inner(x)
        logs = [log + math.log(n) for first, second, log in self._halves if (n := count(first, second, goal))]
        if not logs:
            return -math.inf, 0.0, self._method
        greatest = max(logs)
        total = greatest + math.log(math.fsum(math.exp(log - greatest) for log in logs))
        return min(total, 0.0), 0.0, self._method

    def _inverse(self, q: float, *, upper: bool) -> float:
        start = self.mean(), self.std(), self.skewness()
        return quantile(
            lambda x: (self._log_cdf(x)[0], self._log_sf(x)[0]), q, not upper, self._bounds, start, lambda x: x
        )

    def _log_pmf(self, x: float) -> Answer:
        # The difference of the two on the side where they are smaller.
        upper = self._log_tail(x)[0] <= self._log_cdf(x)[0]
        with_atom, without = (self._log_side(x, upper=upper, atom=atom)[0] for atom in (True, False))
        return log_minus(with_atom, without), 0.0, self._method


def _central(values: Floats, weights: Floats, zeros: float, n: float) -> list[float]:
    mean = kernels.exact_sum(values * weights) / n
    return [math.fsum([kernels.exact_sum((values - mean) ** p * weights), zeros * (-mean) ** p]) for p in (2, 3, 4)]


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
        counts = self._total - here, upper, here - upper
        lower_log, upper_log, atom_log = (log_share(count, self._total) for count in counts)
        method = "enumeration" if exact else "counting"
        return Tails(lower_log, upper_log, atom_log, max(error, upper_error) / self._total, method)

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
        is_quick, log_q = len(self._gains) < 3 or self._ranks.depth <= _SHORT, math.log(q)

        def logs(x: float, exact: bool = True) -> tuple[float, float]:
            """Logs of P(S <= x) and P(S > x)."""
            count, _ = self._count_from(self._inner(x) + self._slack / self._scale, exact=exact)
            return log_share(self._total - count, self._total), log_share(count, self._total)

        def search(logs: Callable[[float], tuple[float, float]], bounds: tuple[float, float]) -> float:
            return quantile(logs, q, not upper, bounds, start, lambda x: x, width=self._slack)

        def reaches(x: float) -> bool:
            log = logs(x)[upper]
            return log <= log_q + 2 * RELATIVE_TOLERANCE if upper else log >= log_q - 2 * RELATIVE_TOLERANCE

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
