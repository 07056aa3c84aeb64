"""Sums over the hits of random rankings, alone, mixed and added up, and their exact laws where these are cheap."""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.chance.exact import Finite, merged
from certus.chance.laws.hits import log_atom
from certus.core import kernels
from certus.core.arrays import Floats
from certus.transform.meeting import Sums, interval_probability, lower_tail, next_sum, upper_tail
from certus.transform.quantile import RELATIVE_TOLERANCE, quantile

_FEW_HITS = 200
"""Most hits of a ranking whose ranks are grouped; a group of more has too many numbers of hits."""
_LONG = 20_000
"""Items from which on hits are drawn one ranking at a time rather than by a number for each rank."""
_AT_ONCE = 1 << 22
"""Random numbers drawn together."""


@dataclass(frozen=True, eq=False)
class Hits:
    """The sum over the hits of a random ranking."""

    items: int
    hits: int
    kind: Literal["times", "rank", "first", "above", "average", "together"]
    """What the r-th hit adds at rank t: ``"times"`` weights[t-1] r, ``"rank"`` weights[t-1], ``"first"`` the same for
    r = 1 only, ``"above"`` weights[t-r]; ``"average"`` and ``"together"`` as ``"times"`` where groups of equal scores
    are in random order and count by their average or by their last rank. Ranks behind the last weight add nothing."""
    weights: Floats
    groups: tuple[int, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "law"}

    @cached_property
    def law(self) -> kernels.HitLaw:
        """The engine's form of it."""
        if self.groups:
            return kernels.HitLaw.tied(self.items, self.hits, self.weights, self.groups, self.kind)
        make: Callable[[int, int, Floats], kernels.HitLaw] = getattr(kernels.HitLaw, self.kind)
        return make(self.items, self.hits, self.weights)

    @property
    def key(self) -> Hashable:
        """Pieces with equal keys are alike."""
        return self.items, self.hits, self.kind, self.weights.tobytes(), self.groups

    @property
    def cells(self) -> float:
        """About how many states a pass visits."""
        spread = math.sqrt(self.hits * (self.items - self.hits) / max(self.items, 1) / 4) + 1
        return float(len(self.weights) * min(self.hits + 1, 18 * spread))

    @property
    def log_arrangements(self) -> float:
        """Logarithm of the number of rankings behind a typical value."""
        depth = sum(self.groups) if self.groups else min(len(self.weights), self.items)
        return _log_choices(depth, round(self.hits * (depth / self.items)))

    @property
    def draw_cost(self) -> float:
        """Ranks that one random ranking fills."""
        return float(self.hits + 1 if self.hits**2 <= self.items or self.items > _LONG else self.items)

    def source(self) -> kernels.HitSource:
        """The engine's form of it, as a source."""
        return kernels.HitSource.hits(self.law)

    def grouped(self, ratio: float) -> "Hits | None":
        """The conditional mean of the sum given the hits in each group of ranks, if ranks can be grouped."""
        if self.groups or self.kind not in ("times", "rank") or not 0 < self.hits <= _FEW_HITS:
            return None
        kind: Literal["average", "rank"] = "average" if self.kind == "times" else "rank"
        return replace(self, kind=kind, groups=growing_groups(len(self.weights), self.items, ratio))

    def end(self, *, upper: bool) -> float:
        """Log probability of the greatest or the least sum, where weights fall."""
        depth = len(self.weights)
        forced = min(self.hits, depth) if upper else max(0, self.hits - (self.items - depth))
        return log_atom(self.items, self.hits, depth, forced) - _log_choices(depth, forced)

    def halves(self, limit: int) -> kernels.HitHalves | None:
        """The sums of the upper and lower ranks, unless there are more than `limit`."""
        half = len(self.weights) // 2
        # Groups and equal weights give few sums to many rankings.
        has_few_sums = (
            self.groups
            or self.kind == "above"
            or (not (np.diff(self.weights) < 0).all() and len(np.unique(self.weights)) < half)
        )
        if has_few_sums and self.items * self.hits > limit:
            return None
        if not has_few_sums and _log_choices(half, min(self.hits, half // 2)) > math.log(limit):
            return None
        try:
            return self.law.halves(limit)
        except ValueError:
            return None

    def atoms(self, limit: int) -> tuple[Floats, Floats] | None:
        """All values and their chances, if there are few."""
        if self.hits in (0, 1, self.items):
            return self._simple() if self.items <= limit else None
        has_few_sums = bool(self.groups) or self.kind == "above"
        if not has_few_sums and _log_choices(len(self.weights), min(self.hits, len(self.weights) // 2)) > math.log(
            limit
        ):
            return None
        halves = self.halves(limit)
        return None if halves is None else halves.atoms(limit)

    def _simple(self) -> tuple[Floats, Floats]:
        """No hit, one, or only hits."""
        if self.hits == 0:
            return np.zeros(1), np.ones(1)
        if self.hits == self.items:
            return self._sums(np.arange(1, self.items + 1)[None, :]), np.ones(1)
        values, counts = np.unique(self._sums(np.arange(1, self.items + 1)[:, None]), return_counts=True)
        return values, counts / self.items

    def draw(self, size: int, generator: np.random.Generator) -> Floats:
        """The sums of random rankings."""
        if self.hits == 0:
            return np.zeros(size)
        rows = max(1, _AT_ONCE // max(self.items if self.hits**2 > self.items else self.hits, len(self.groups)))
        sums = [
            self._sums(random_ranks(self.items, self.hits, min(rows, size - start), generator))
            for start in range(0, size, rows)
        ]
        return np.concatenate(sums) if sums else np.zeros(0)

    def _sums(self, ranks: NDArray[np.int64]) -> Floats:
        """The sum for each row of ascending ranks."""
        numbers = np.arange(1, self.hits + 1)
        if self.groups:
            return self._sums_of_groups(ranks)
        if self.kind == "above":
            return np.asarray(self.weights[ranks - numbers].sum(axis=1))
        inside = ranks <= len(self.weights)
        gains = (
            np.where(inside, self.weights[np.where(inside, ranks, 1) - 1], 0.0) if len(self.weights) else 0.0 * ranks
        )
        if self.kind == "first":
            return np.asarray(gains[:, 0])
        return np.asarray((gains * numbers if self.kind == "times" else gains).sum(axis=1))

    def _sums_of_groups(self, ranks: NDArray[np.int64]) -> Floats:
        group_ends = np.cumsum(self.groups)
        group = np.searchsorted(group_ends, ranks)
        flat = group + len(group_ends) * np.arange(len(ranks))[:, None]
        counts = np.bincount(flat.ravel(), minlength=len(group_ends) * len(ranks)).reshape(len(ranks), -1)
        before = counts.cumsum(axis=1) - counts
        lead, inner = self._group_gains(group_ends)
        return np.asarray((counts * ((before + 1) * lead + np.maximum(counts - 1, 0) * inner)).sum(axis=1))

    def _group_gains(self, group_ends: NDArray[np.int64]) -> tuple[Floats, Floats]:
        weights = np.append(self.weights, np.zeros(self.items - len(self.weights)))
        if self.kind == "together":
            return weights[group_ends - 1], weights[group_ends - 1]
        sizes = np.asarray(self.groups)
        starts = group_ends - sizes
        position = np.arange(self.items) - np.repeat(starts, sizes)
        lead = np.add.reduceat(weights, starts) / sizes
        inner = np.add.reduceat(weights * position, starts) / (sizes * np.maximum(sizes - 1, 1))
        return lead, inner


def random_ranks(items: int, hits: int, size: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """The ranks of the hits, ascending, in `size` random rankings: every set of ranks is equally likely."""
    if hits**2 <= items:
        # With so few hits, most draws with replacement have no rank twice; the others are drawn again.
        ranks = np.sort(generator.integers(1, items + 1, (size, hits)), axis=1)
        while len(again := np.flatnonzero((np.diff(ranks, axis=1) == 0).any(axis=1))):
            ranks[again] = np.sort(generator.integers(1, items + 1, (len(again), hits)), axis=1)
        return ranks
    if items > _LONG and 20 * hits <= items:
        rankings = [generator.choice(items, hits, replace=False, shuffle=False) for _ in range(size)]
        return np.sort(np.array(rankings, dtype=np.int64).reshape(size, hits) + 1, axis=1)
    order = np.argpartition(generator.random((size, items)), hits - 1, axis=1)[:, :hits]
    return np.sort(order + 1, axis=1)


def log_bound_of_precisions(items: int, hits: int, total: float) -> float:
    """Bound, as a logarithm, how likely the precisions at the hits of a random ranking sum to a total or more.

    A k-th hit at rank q or above has k hits among the first q ranks: at most ``exp(-q KL(k / q, hits / items))``
    (Hoeffding 1963, theorem 1, which holds without replacement). Where no k-th hit is so early that this is below
    ``exp(-c)``, the sum is at most that of ``k / (q + 1)``; so that total has at most ``hits exp(-c)``.
    """
    if not 0 < hits < items or hits > _MOST_BOUNDED:
        return 0.0
    share, numbers = hits / items, np.arange(1, hits + 1, dtype=np.float64)

    def divergence(precision: Floats) -> Floats:
        error_rate = 1 - precision
        log_ratio = np.log(np.where(error_rate > 0, error_rate, 1) / (1 - share))
        return np.asarray(precision * np.log(precision / share) + error_rate * log_ratio)

    def largest_sum(exponent: float) -> float:
        rare = numbers[numbers * -math.log(share) >= exponent]
        low, high = rare.copy(), rare / share
        for _ in range(40):
            middle = (low + high) / 2
            is_early = middle * divergence(rare / middle) >= exponent
            low, high = np.where(is_early, middle, low), np.where(is_early, high, middle)
        return hits - len(rare) + float((rare / (np.floor(low) + 1)).sum())

    exponent, step = 0.0, 1.0
    while largest_sum(exponent + step) < total * (1 - 1e-9) and step < 1e9:
        exponent, step = exponent + step, 2 * step
    while step > 1e-3:
        step /= 2
        if largest_sum(exponent + step) < total * (1 - 1e-9):
            exponent += step
    return min(math.log(hits) - exponent, 0.0)


@lru_cache(maxsize=64)
def growing_groups(depth: int, items: int, ratio: float) -> tuple[int, ...]:
    """Split the first ranks into groups, each at most `ratio` times the ranks above it; the last has all others."""
    sizes, depth_above = [], 0
    while depth_above < depth:
        sizes.append(min(max(int(depth_above * ratio), 1), depth - depth_above))
        depth_above += sizes[-1]
    return (*sizes, items - depth) if items > depth else tuple(sizes)


def _log_choices(n: int, k: int) -> float:
    """Logarithm of a binomial coefficient."""
    from scipy.special import gammaln

    return float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


@dataclass(frozen=True, eq=False)
class Fixed:
    """A law with few values."""

    law: Finite

    @property
    def key(self) -> Hashable:
        """Pieces with equal keys are alike."""
        return self.law.values.tobytes(), self.law.logs.tobytes()

    @property
    def cells(self) -> float:
        """The number of values."""
        return float(len(self.law.values))

    @property
    def log_arrangements(self) -> float:
        """Logarithm of the number of values."""
        return math.log(len(self.law.values))

    draw_cost = 1.0

    def grouped(self, _ratio: float) -> None:
        """Return None: a law without ranks has no groups."""

    def source(self) -> kernels.HitSource:
        """The engine's form of it."""
        return kernels.HitSource.atoms(self.law.values, self.law.logs)

    def atoms(self, limit: int) -> tuple[Floats, Floats] | None:
        """All values and their chances."""
        return (self.law.values, self.law.chances) if len(self.law.values) <= limit else None

    def draw(self, size: int, generator: np.random.Generator) -> Floats:
        """Random values."""
        return self.law._draw(size, generator)


@dataclass(frozen=True, eq=False)
class Mixed:
    """One of several pieces: log of its chance, what its value is multiplied by, and the piece."""

    terms: tuple[tuple[float, float, "Hits | Fixed"], ...]

    @property
    def key(self) -> Hashable:
        """Pieces with equal keys are alike."""
        return tuple((log, scale, piece.key) for log, scale, piece in self.terms)

    @property
    def cells(self) -> float:
        """About how many states a pass visits."""
        return sum(piece.cells for _, _, piece in self.terms)

    @property
    def log_arrangements(self) -> float:
        """Log of the arrangements in the likeliest piece."""
        return max(self.terms, key=lambda term: term[0])[2].log_arrangements

    @property
    def draw_cost(self) -> float:
        """Ranks that one random value fills, at most."""
        return max(piece.draw_cost for _, _, piece in self.terms)

    def grouped(self, _ratio: float) -> None:
        """Its parts are answered one by one where their ranks are many."""

    def source(self) -> kernels.HitSource:
        """The engine's form of it."""
        return kernels.HitSource.mixture([(log, scale, piece.source()) for log, scale, piece in self.terms])

    def atoms(self, limit: int) -> tuple[Floats, Floats] | None:
        """All values and their chances, if there are few."""
        scaled_atoms = []
        for log, scale, piece in self.terms:
            atoms = piece.atoms(limit)
            if atoms is None:
                return None
            limit -= len(atoms[0])
            scaled_atoms.append((scale * atoms[0], math.exp(log) * atoms[1]))
        values, chances = (np.concatenate(column) for column in zip(*scaled_atoms, strict=True))
        order = np.argsort(values, kind="stable")
        return values[order], chances[order]

    def draw(self, size: int, generator: np.random.Generator) -> Floats:
        """Random values."""
        chances = np.exp([log for log, _, _ in self.terms])
        chosen = np.searchsorted(np.cumsum(chances), generator.random(size) * chances.sum(), side="right")
        sample = np.zeros(size)
        for index, (_, scale, piece) in enumerate(self.terms):
            here = chosen == index
            sample[here] = scale * piece.draw(int(here.sum()), generator)
        return sample


Piece = Hits | Fixed | Mixed

Term = tuple[float, int, Piece]
"""Factor of a value, number of independent values added, and their source."""


_SUM_TOLERANCE = 0.1 * RELATIVE_TOLERANCE
"""Of sums that are added up further."""


def all_values(terms: Sequence[Term], limit: int) -> Finite | None:
    """The whole law of a sum of terms, if it takes at most `limit` sums."""
    values, chances = np.zeros(1), np.ones(1)
    for scale, count, piece in terms:
        atoms = piece.atoms(limit)
        if atoms is None:
            return None
        here = merged(scale * atoms[0], atoms[1], _SUM_TOLERANCE)
        for _ in range(count):
            if len(values) * len(here[0]) > limit:
                return None
            values, chances = merged(
                np.add.outer(values, here[0]).ravel(), np.multiply.outer(chances, here[1]).ravel(), _SUM_TOLERANCE
            )
    with np.errstate(divide="ignore"):
        return Finite(values, np.log(chances), "enumeration")


def halves(terms: Sequence[Term], limit: int) -> "Halves | None":
    """Split the ranks of one ranking, or the terms, into two halves with at most `limit` sums."""
    if len(terms) == 1 and terms[0][1] == 1 and isinstance(piece := terms[0][2], Hits):
        return replace(piece, weights=terms[0][0] * piece.weights).halves(limit)
    single = [(scale, 1, piece) for scale, count, piece in terms for _ in range(min(count, 65))]
    middle = len(single) // 2
    if middle == 0 or len(single) > 64:
        return None
    first, second = all_values(single[:middle], limit), all_values(single[middle:], limit)
    return None if first is None or second is None else _Pair(first, second)


class _Pair:
    """Two independent laws."""

    def __init__(self, first: Finite, second: Finite) -> None:
        smaller, larger = sorted((first, second), key=len)
        self._smaller, self._larger = Sums(smaller.values, smaller.chances), Sums(larger.values, larger.chances)
        self._slack = RELATIVE_TOLERANCE * float(sum(law.values[-1] - law.values[0] for law in (first, second)))

    def count(self, x: float) -> tuple[float, float, float]:
        parts, low, high = (self._smaller, self._larger), x - self._slack, math.nextafter(x + self._slack, math.inf)
        return lower_tail(*parts, low), interval_probability(*parts, low, high), upper_tail(*parts, high)

    def least_from(self, x: float) -> float | None:
        return next_sum(self._smaller, self._larger, x - self._slack)


Halves = kernels.HitHalves | _Pair


@dataclass(frozen=True)
class Tails:
    """Logs of P(X < x), P(X = x) and P(X > x).

    Where the atom is unknown (-inf), `lower` and `upper` have half of it each, and `error` covers that.
    """

    lower: float
    upper: float
    atom: float
    error: float
    method: str


_MOST_BOUNDED = 20_000
"""Hits of which tails have a bound: half a second."""

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
        slack = RELATIVE_TOLERANCE * max(x, 1 / self._depth)
        here, above_x = self.count_from(x - slack), self.count_from(x + slack)
        if here.error or above_x.error:
            smooth_count = self.count_from(x, smooth=True)
            return Tails(*self._logs(smooth_count.value), -math.inf, smooth_count.error / self.rankings, "counting")
        lower_log, _ = self._logs(here.value)
        _, upper_log = self._logs(above_x.value)
        return Tails(lower_log, upper_log, log_share(here.value - above_x.value, self.rankings), 0.0, "enumeration")

    def _logs(self, count: float) -> tuple[float, float]:
        """Logs of the probabilities outside and inside a set of `count` rankings."""
        return log_share(self.rankings - count, self.rankings), log_share(count, self.rankings)

    def quantile(
        self, q: float, lower: bool, support: tuple[float, float], moments: tuple[float, float, float]
    ) -> float:
        """Least x with P(X <= x) >= q (`lower`), or with P(X > x) <= q: found by smooth counts, then by exact ones."""

        def smooth(x: float) -> tuple[float, float]:
            return self._logs(self.count_from(x, smooth=True).value)

        def exact(x: float) -> tuple[float, float]:
            tails = self.tails(x)
            return float(np.logaddexp(tails.lower, tails.atom)), tails.upper

        near = quantile(smooth, q, lower, support, moments, None, width=RELATIVE_TOLERANCE * moments[0])
        return quantile(exact, q, lower, support, moments, None, lambda *_: near, RELATIVE_TOLERANCE * near)

    def count_from(self, x: float, *, smooth: bool = False) -> Count:
        """The rankings with a sum of at least `x`; a smooth count, which is quick, is never one by one."""
        behind = self._items - self._depth
        numbers = range(self._hits + 1)
        counts = [(math.comb(behind, self._hits - j), self._count_sets(j, x, smooth=smooth)) for j in numbers]
        value = math.fsum(arrangements * count.value for arrangements, count in counts)
        return Count(value, math.fsum(arrangements * count.error for arrangements, count in counts))

    def _count_sets(self, hits: int, x: float, *, smooth: bool) -> Count:
        """The sets of so many ranks, all of which add something."""
        if x <= 0:
            return Count(float(math.comb(self._depth, hits)), 0.0)
        if hits == 0:
            return Count(0.0, 0.0)
        if hits == 1:
            return Count(float(min(math.floor(1 / x), self._depth)), 0.0)
        # Up to the first rank `free` the least that the others add is enough: any ranks behind will do.
        fewest = sum(r / (self._depth - hits + r) for r in range(2, hits + 1))
        free = min(math.floor(1 / (x - fewest)), self._depth) if x > fewest else self._depth
        certain = math.comb(self._depth, hits) - math.comb(self._depth - free, hits)
        # The others stand right behind at best: the sum is at most hits (hits + 1) / 2 over the first rank.
        last = min(self._depth - hits + 1, math.floor(hits * (hits + 1) / 2 / x))
        firsts = np.arange(free + 1, last + 1, dtype=np.float64)
        needed = x - 1 / firsts
        if hits == 2:
            reach = np.minimum(np.floor(2 / needed), self._depth)
            return Count(certain + float(np.maximum(reach - firsts, 0).sum()), 0.0)
        count = self._pairs(firsts, needed, smooth=smooth)
        return Count(certain + count.value, count.error)

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


def log_share(count: float, total: int) -> float:
    """Logarithm of a count over a total."""
    return math.log(count / total) if count > 0 else -math.inf


def few_hits(terms: Sequence[Term]) -> FewHits | None:
    """The law of one ranking with two or three hits that add their number over their rank."""
    (scale, count, piece), *further_terms = terms
    if further_terms or count > 1 or scale <= 0 or not isinstance(piece, Hits) or piece.kind != "times":
        return None
    depth = len(piece.weights)
    inverse = piece.hits in (2, 3) and depth > piece.hits and np.array_equal(piece.weights, 1 / np.arange(1, depth + 1))
    return FewHits(piece.items, piece.hits, depth) if inverse else None
