"""The law of a sum of gain times discount with too many values to list, by inversion or by random rankings.

The transform is the chance that independent ranks hold exactly the given items, with a turn. It is a Fourier sum over
the numbers of each gain among the ranks looked at. Those numbers are whole and spread by a few standard deviations
only, so that a few nodes a gain give it to all digits; what the other ranks must hold is a multinomial probability.
Where few items have a gain, the numbers are counted rank by rank instead.
"""

import math
from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from certus.chance.laws.graded import LinearRankStatistic, Ranks, quadrature_ranks, single_ranks
from certus.chance.laws.hits import log_remainder
from certus.chance.laws.sums_of_hits import growing_groups, random_ranks
from certus.chance.monte_carlo import Replicates, log_cantelli
from certus.chance.probability import Answer, log_rest
from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.transform.inversion import Cumulants, Inversion, Limits, Tilted, around, find_tilt
from certus.transform.quantile import Start, quantile


class RankedItems(NamedTuple):
    """The items and the ranks, with the most common gain taken off every other."""

    gains: Floats
    """The other gains less the most common one."""
    counts: Floats
    """Number of items with each of them."""
    common: float
    """Number of items with the most common gain."""
    discounts: Floats
    """Of the ranks; 0 for those that are not looked at."""
    weights: Floats
    """Number of ranks with each discount."""

    @property
    def shares(self) -> Floats:
        """The share of each gain among the items."""
        return np.asarray(self.counts / (self.common + self.counts.sum()))

    @property
    def n_seen(self) -> int:
        """The number of places of ranks that are looked at; those behind have one more."""
        return len(self.discounts) - int(self.discounts[-1] == 0)

    @property
    def sharp(self) -> float:
        """Up to this frequency the places that stand for many ranks are good for nine digits.

        Five nodes of Gauss's quadrature sum exp(i u y) over a group with an error of 4e-10 (u width / 2)^10, and are at
        most 0.54 of half of its width apart.
        """
        here = self.discounts > 0
        stands = (self.weights != 1)[here]
        gaps = -np.diff(self.discounts[here])[stands[1:] | stands[:-1]]
        return 2.35 / (3.72 * float(gaps.max()) * float(np.abs(self.gains).max())) if len(gaps) else math.inf

    def log_coincidence(self) -> float:
        """Log probability that independent ranks with these shares hold exactly these numbers."""
        every = np.append(self.counts, self.common)
        return float(log_remainder(every.sum()) - log_remainder(every).sum())


class TiltedRanks:
    """The tilted law at one s."""

    def __init__(self, ranked: RankedItems, s: float, start: Floats | None = None) -> None:
        self.ranked, self.s = ranked, s
        self.tau = np.zeros(len(ranked.gains)) if start is None else start.copy()
        self._sizes = np.outer(ranked.discounts, ranked.gains)
        self._balance()

    def _balance(self) -> None:
        """Newton's steps on the tau, which are less those at s = 0, shortened until a convex function falls."""
        counts = self.ranked.counts
        self._assign()
        for _ in range(200):
            excess = self.ranked.weights @ self.chances - counts
            if np.all(np.abs(excess) <= 1e-10 * np.sqrt(counts)):
                return
            step = self._solved(-excess)
            step *= min(1.0, 8.0 / float(np.abs(step).max()))
            height, start, length = self._height(), self.tau, 1.0
            limit = height + 1e-13 * abs(height)
            while length > 1e-6:
                self.tau = start + length * step
                self._assign()
                if self._height() <= limit + 1e-4 * length * float(excess @ step):
                    break
                length /= 2

    def _solved(self, excess: Floats) -> Floats:
        """The change of the tau for a change of the numbers; where ranks have hardly a choice, a large one."""
        slight = 1e-13 * max(float(np.trace(self.spread)), 1e-6)
        return np.asarray(np.linalg.solve(self.spread + slight * np.eye(len(excess)), excess), dtype=np.float64)

    def _height(self) -> float:
        return float(self.ranked.weights @ self.log_norms - self.tau @ self.ranked.counts)

    def _assign(self) -> None:
        shares = self.ranked.shares
        logs = self.s * self._sizes + self.tau
        # Near 1 a norm keeps its digits by its difference from 1, far from it by its logarithm.
        self.log_norms = np.log1p(np.expm1(np.minimum(logs, 1.0)) @ shares)
        if (large := logs.max(axis=1) > 1).any():
            every = np.logaddexp.reduce(logs[large] + np.log(shares), axis=1)
            self.log_norms[large] = np.logaddexp(math.log(1 - float(shares.sum())), every)
        self.chances = shares * np.exp(logs - self.log_norms[:, None])
        weighted = self.chances * self.ranked.weights[:, None]
        self.spread = np.diag(weighted.sum(axis=0)) - self.chances.T @ weighted

    @property
    def is_degenerate(self) -> bool:
        """True if almost all rankings of that score have the same ranks, as at the ends of the range."""
        return not float(np.linalg.eigvalsh(self.spread)[0]) > 1e-7

    def mean(self) -> float:
        """Mean of the statistic without the condition on the numbers."""
        return float(self.ranked.weights @ (self.chances * self._sizes).sum(axis=1))

    def _shared(self) -> tuple[float, Floats]:
        """Variance of the statistic, and its covariances with the numbers."""
        parts = self.chances * self._sizes
        means = parts.sum(axis=1)
        weights = self.ranked.weights
        variance = float(weights @ ((parts * self._sizes).sum(axis=1) - means**2))
        return variance, weights @ parts - (weights * means) @ self.chances

    def regression(self) -> Floats:
        """Contribution of one more item of each gain to the statistic's mean."""
        return self._solved(self._shared()[1])

    def var(self) -> float:
        """Variance of the statistic that the numbers do not explain."""
        variance, covariances = self._shared()
        return variance - float(covariances @ self._solved(covariances))

    def log_likelihood(self) -> float:
        """K(s, tau) - tau * counts, less the same at s = 0."""
        return math.fsum((self.ranked.weights * self.log_norms).tolist()) - float(self.tau @ self.ranked.counts)


class RankedLaw:
    """The statistic for the transform engine."""

    def __init__(self, ranked: RankedItems, support: tuple[float, float], centre: TiltedRanks | None = None) -> None:
        self.ranked, self._support = ranked, support
        self.last = TiltedRanks(ranked, 0.0) if centre is None else centre
        self._start = ranked.log_coincidence()

    def range(self) -> tuple[float, float]:
        """Least and greatest value."""
        return self._support

    def ranks_at(self, tilt: float) -> TiltedRanks:
        """The ranks under a tilt, sought from those under the last one."""
        near = self.last
        if tilt != near.s:
            start = near.tau if near.is_degenerate else near.tau - (tilt - near.s) * near.regression()
            self.last = TiltedRanks(self.ranked, tilt, start)
        return self.last

    def log(self, tilted: TiltedRanks) -> float:
        """A bound of log E exp(s S): that the numbers of items coincide is less than certain."""
        return tilted.log_likelihood() - self._start

    def transform(self, tilted: TiltedRanks) -> "ConditionalTransform":
        """The statistic under the tilt of the ranks."""
        transform = conditional_transform(tilted)
        transform.log = self.log(tilted) + math.log(transform.probability)
        return transform

    def tilted(self, tilt: float) -> Tilted:
        """The statistic under a tilt."""
        return self.transform(self.ranks_at(tilt))

    def cumulants(self, tilt: float, rough: bool = False) -> Cumulants:
        """The bound of the logarithm, and mean and variance as if the ranks were independent."""
        tilted = self.ranks_at(tilt)
        if not rough and tilted.is_degenerate:
            raise ValueError(f"found no tilt beyond {tilt}")
        return self.log(tilted), tilted.mean(), tilted.var(), math.nan, math.nan


_Complex = NDArray[np.complex128]

_REACH = 6.6
"""Standard deviations beyond which a normal law has less than 4e-10 of its peak."""
_MAX_NODES = 2_000
"""Of so many nodes, or fewer, all are taken; of more, if all ranks are looked at, those that can be seen."""


_MAX_SETS = 1 << 14
"""Of so many sets of numbers each is counted, if there are fewer of them than nodes."""


class ConditionalTransform:
    """The transform E exp(i u (S - x)) under the tilted random ranking, for one tilt."""

    log = 0.0
    """Logarithm of the generating function."""
    lost = 0.0
    """Size of what is left out of the transform, at most."""
    probability = 1.0
    """That the ranks hold exactly the items there are, in the tilted law."""
    cells: float
    """Complex factors of one value of the transform."""

    def transform(self, u: Floats, x: float = 0.0) -> _Complex:
        """The values at each u."""
        raise NotImplementedError

    def characteristic(self, step: float, first: int, count: int) -> tuple[Floats, Floats]:
        """Real and imaginary parts at multiples of a step."""
        values = self.transform(step * np.arange(float(first), first + count))
        return values.real, values.imag


class ByNodes(ConditionalTransform):
    """The nodes for one tilt."""

    def __init__(self, tilted: TiltedRanks) -> None:
        ranked = tilted.ranked
        self._has_unseen_ranks = ranked.discounts[-1] == 0
        inside = slice(0, ranked.n_seen)
        self._chances = tilted.chances[inside]
        self._sizes = np.outer(ranked.discounts[inside], ranked.gains)
        self._counts = ranked.counts
        self._weights = ranked.weights[inside]
        self.nodes, self._first = _box(self._chances, self._weights)
        self._all = math.prod(self.nodes.tolist())
        if self._has_unseen_ranks:
            self._box = _elsewhere(tilted, self._numbers())
        self._windowed = not self._has_unseen_ranks and self._all > _MAX_NODES
        self._grid, self._index = self._laid(_widest(tilted))
        self._regression = tilted.regression() if self._windowed else np.zeros(len(ranked.gains))
        self._edge = np.zeros(self._grid.shape[1], dtype=bool)
        if self._windowed:
            size = np.abs(self._terms(np.zeros(1))[0])
            visible = size > 1e-10 * size.max()
            self._grid, self._index = self._grid[:, visible], self._index[:, visible]
            self._edge = size[visible] < 1e-8 * size.max()
        self.cells = float(self._grid.shape[1] * _work(self._weights))
        self.probability = float(self.transform(np.zeros(1))[0].real)

    def _laid(self, widest: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """The nodes, a row a gain, and their places in the box's transform."""
        axes = [
            [k for k in range(size) if not self._windowed or min(k, size - k) * 2 * math.pi <= reach * size]
            for size, reach in zip(self.nodes.tolist(), widest.tolist(), strict=True)
        ]
        index = np.array(list(product(*axes)), dtype=np.int64).T
        return 2 * math.pi * index / self.nodes[:, None], index

    def transform(self, u: Floats, x: float = 0.0) -> _Complex:
        """The values at each u."""
        if (self._weights == 1).all():
            sums, edges = self._sum_nodes(u)
        else:
            terms = self._terms(u)
            sums, edges = terms.sum(axis=1), np.abs(terms[:, self._edge]).sum(axis=1)
        if self._windowed:
            self.lost = max(self.lost, float(edges.max()) / self.probability)
        return np.asarray(sums * np.exp(-1j * u * x) / self.probability)

    def _sum_nodes(self, u: Floats) -> tuple[_Complex, Floats]:
        """Sum the terms of all nodes, and the sizes of those at the edge; for single ranks only."""
        if self._has_unseen_ranks:
            back, turns = self._back, np.ones(len(u))
        else:
            back = np.exp(-1j * (self._counts @ self._grid)) / self._all
            turns = np.exp(1j * u * (self._regression @ self._counts))
        re, im, edges = kernels.conditional_transform(
            np.ascontiguousarray(self._chances),
            np.ascontiguousarray(self._sizes - self._regression),
            u=np.ascontiguousarray(u),
            angles=np.ascontiguousarray(self._grid),
            back_re=np.ascontiguousarray(back.real),
            back_im=np.ascontiguousarray(back.imag),
            edge=self._edge,
        )
        return np.asarray((re + 1j * im) * turns), edges

    def _terms(self, u: Floats) -> _Complex:
        """Contribution of each node, a row for each u: the ranks' factors, and those of the items elsewhere.

        In a window, the regression on the numbers is taken off the statistic, so that what can be seen stays inside it.
        """
        turned = np.exp(1j * self._grid)
        missing = 1 - self._chances.sum(axis=1)
        product_of_ranks = np.ones((len(u), turned.shape[1]), dtype=np.complex128)
        powers = np.zeros_like(product_of_ranks)
        # By hand: a product of small complex matrices is slower where the library starts threads for it.
        for sizes, chances, none, weight in zip(
            self._sizes, self._chances, missing.tolist(), self._weights.tolist(), strict=True
        ):
            factors = chances * np.exp(1j * np.multiply.outer(u, sizes - self._regression))
            part = factors[:, :1] * turned[0]
            for g in range(1, len(turned)):
                part += factors[:, g : g + 1] * turned[g]
            part += none
            if weight == 1:
                product_of_ranks *= part
            else:
                powers += weight * np.log(part)
        product_of_ranks *= np.exp(powers)
        if not self._has_unseen_ranks:
            turns = np.subtract.outer(u * (self._regression @ self._counts), self._counts @ self._grid)
            return np.asarray(product_of_ranks * np.exp(1j * turns) / self._all)
        return np.asarray(product_of_ranks * self._back)

    @cached_property
    def _back(self) -> _Complex:
        """The transform of what must be elsewhere."""
        elsewhere = np.fft.fftn(self._box)[tuple(self._index)]
        return np.asarray(elsewhere * np.exp(-1j * (self._first @ self._grid)) / self._all)

    def _numbers(self) -> list[Floats]:
        """The numbers of each gain in the box."""
        axes = [first + np.arange(size) for first, size in zip(self._first, self.nodes, strict=True)]
        return list(np.meshgrid(*axes, indexing="ij"))


class ByNumbers(ConditionalTransform):
    """All sets of numbers of each gain, for one tilt; each rank is by itself."""

    def __init__(self, tilted: TiltedRanks) -> None:
        ranked = tilted.ranked
        inside = slice(0, ranked.n_seen)
        self._chances = np.ascontiguousarray(tilted.chances[inside])
        self._sizes = np.ascontiguousarray(np.outer(ranked.discounts[inside], ranked.gains))
        self._counts = [int(count) for count in ranked.counts]
        numbers = np.indices([count + 1 for count in self._counts]).astype(np.float64)
        if ranked.discounts[-1] == 0:
            self._end_weights = _elsewhere(tilted, list(numbers)).ravel()
        else:
            self._end_weights = np.append(np.zeros(numbers[0].size - 1), 1.0)
        self.cells = float(len(self._end_weights) * len(self._chances))
        self.probability = float(self.transform(np.zeros(1))[0].real)

    def transform(self, u: Floats, x: float = 0.0) -> _Complex:
        """The values at each u."""
        re, im = kernels.counted_transform(
            self._chances, self._sizes, u=np.ascontiguousarray(u), counts=self._counts, ends=self._end_weights
        )
        return np.asarray((re + 1j * im) * np.exp(-1j * u * x) / self.probability)


def conditional_transform(tilted: TiltedRanks) -> ConditionalTransform:
    """The transform for one tilt, by whatever takes less."""
    return ByNumbers(tilted) if _sets(tilted) < _nodes(tilted) else ByNodes(tilted)


def _elsewhere(tilted: TiltedRanks, numbers: list[Floats]) -> Floats:
    """The probability that the last ranks hold the other items, by the numbers of each gain that are looked at."""
    chances, ranks = tilted.chances[-1], float(tilted.ranked.weights[-1])
    left = [count - number for count, number in zip(tilted.ranked.counts, numbers, strict=True)]
    common = ranks - np.sum(left, axis=0)
    log = log_remainder(np.asarray(ranks)) - np.zeros_like(common)
    for number, chance in zip([*left, common], [*chances.tolist(), 1 - chances.sum()], strict=True):
        number = np.maximum(number, 0.0)
        excess = (number - ranks * chance) / (ranks * chance)
        log -= log_remainder(number) + ranks * chance * (special.xlog1py(1 + excess, excess) - excess)
    possible = np.all([number >= 0 for number in [*left, common]], axis=0)
    return np.where(possible, np.exp(log), 0.0)


def bound(tilted: TiltedRanks) -> float:
    """At most how many complex factors a value of the transform will cost."""
    return min(_nodes(tilted), _sets(tilted)) * _work(tilted.ranked.weights[: tilted.ranked.n_seen])


def _sets(tilted: TiltedRanks) -> float:
    """Count the possible numbers of items with each gain."""
    sets = float(np.prod(tilted.ranked.counts + 1))
    return sets if sets <= _MAX_SETS and (tilted.ranked.weights[: tilted.ranked.n_seen] == 1).all() else math.inf


def _nodes(tilted: TiltedRanks) -> float:
    """At most how many nodes there will be."""
    ranks = tilted.ranked.n_seen
    nodes, _ = _box(tilted.chances[:ranks], tilted.ranked.weights[:ranks])
    every = float(np.prod(nodes.astype(np.float64)))
    if every > _MAX_NODES and ranks == len(tilted.ranked.discounts):
        every = max(float(_MAX_NODES), float(np.prod(np.minimum(nodes, nodes * _widest(tilted) / math.pi + 1))))
    return every


def _work(weights: Floats) -> float:
    """Complex factors of one node; a power costs as much as some five."""
    return float(np.where(weights == 1, 1.0, 5.0).sum())


def _box(chances: Floats, weights: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return size and first corner of a box that contains the number of items with each gain."""
    spreads = np.sqrt(np.maximum(weights @ (chances * (1 - chances)), 0.0))
    # Not held to the items there are: the ranks alone may hold more, which must not be taken for fewer.
    limit = weights.sum() + 1
    nodes = np.minimum(np.ceil(7 * spreads + 9), limit)
    return nodes.astype(np.int64), np.clip(np.round(weights @ chances - nodes / 2), 0, limit - nodes)


def _widest(tilted: TiltedRanks) -> Floats:
    """Distance from 0 at which a node of each gain can be seen."""
    inverse = np.sqrt(np.diag(np.linalg.inv(tilted.spread)))
    return np.asarray(2 * np.arcsin(np.minimum(1.0, _REACH * inverse / 2)))


_DEEPEST = 10**7
"""The powers of so many ranks' factors keep nine digits."""
_MAX_SINGLE_RANKS = 2000
"""Of more ranks a few places stand for all."""
_TERMS = 4096
"""So many frequencies are worth summing rank by rank."""
_WORK = 1e9
"""Complex factors that one inversion may cost: some two seconds of one core."""
_LEAST_TERMS = 64
"""Fewer frequencies are not worth inverting."""
_QUANTILE_ERROR = 0.02
"""Relative difference of the tail at which a quantile is sought again."""
_FINE = 1e-3
"""An inversion with a relative error of this is not followed by random rankings."""
_AT_ONCE = 2e7
"""Ranks that are filled together."""
_COUNTABLE = 10**9
"""Items among which numpy draws without replacement."""
_RATIO = 0.1
"""Size of a group of ranks of a random ranking, as a part of the ranks above it."""


class ApproximateStatistic(LinearRankStatistic):
    """The law by tilted Fourier inversion, or where that has no digits by random rankings.

    An atom other than the least and the greatest value counts half in `tail`, `sf` and `cdf` alike, and the error has
    the other half.
    """

    @property
    def method(self) -> str:
        """The way probabilities are found: ``"fourier"`` or ``"Monte Carlo"``."""
        return "fourier" if self._is_invertible else "Monte Carlo"

    @cached_property
    def _ranked(self) -> RankedItems:
        """All ranks, or a few places that stand for them."""
        depth = self._ranks.depth
        # Of few items the transform does not die down, and the places are too coarse for what is left of it.
        numbers = math.prod(float(count) + 1 for count in self.cells.counts[1:])
        if depth <= _MAX_SINGLE_RANKS or numbers * depth * _TERMS <= _WORK:
            return self._with_discounts(single_ranks(depth) if self._ranks.grouped else self._ranks)
        return self._with_discounts(quadrature_ranks(depth))

    def _with_discounts(self, ranks: Ranks) -> RankedItems:
        discounts, weights = ranks.discounts, ranks.weights
        unseen = self.cells.items - ranks.depth
        if unseen:
            discounts, weights = np.append(discounts, 0.0), np.append(weights, float(unseen))
        common, *counts = (float(count) for count in self.cells.counts)
        return RankedItems(self.cells.gains[1:] - self.cells.gains[0], np.array(counts), common, discounts, weights)

    @cached_property
    def _centre(self) -> TiltedRanks:
        return TiltedRanks(self._ranked, 0.0)

    @cached_property
    def _is_invertible(self) -> bool:
        return self._ranks.depth <= _DEEPEST and bound(self._centre) * _LEAST_TERMS <= _WORK

    @cached_property
    def _inner_support(self) -> tuple[float, float]:
        low, high = self._bounds
        return self._inner(low), self._inner(high)

    def _tilt_at(self, x: float) -> TiltedRanks:
        """The tilt under which the mean is x, or the strongest that leaves the ranks a choice, and beyond."""
        law = RankedLaw(self._ranked, self._inner_support, self._centre)
        try:
            return law.ranks_at(find_tilt(law, x, 1e-9, rough=False)[0])
        except ValueError:
            return law.last

    def _inverse(self, q: float, *, upper: bool) -> float:
        """The point at which the smaller of the two tails has the wanted probability."""
        upper, q = (upper, q) if q <= 0.5 else (not upper, 1 - q)
        if not self._is_invertible:
            return self._rankings._inverse(q, upper=upper)
        low, high = self._bounds
        moments = self.mean(), self.std(), self.skewness()
        z = kernels.normal_quantile(q) or 0.0
        x = min(max(Start(self._bounds, moments).quantile(-z if upper else z), low), high)
        for _ in range(8):
            inversion = self._inversion(self._inner(x), self._tilt_at(self._inner(x)), upper=upper)
            if inversion is None:
                break
            before = x
            x = min(max(self._scale * (inversion.quantile(q) + self._base), low), high)
            if abs(x - before) <= 0.5 * inversion.spread * self._scale:
                break
        log, _, method = self._log_side(x, upper=upper, atom=False)
        if method == "Monte Carlo":
            return self._rankings._inverse(q, upper=upper)
        if abs(math.exp(log) - q) <= _QUANTILE_ERROR * q:
            return x
        # Few items have too few values for one inversion to lead to the next; the tails that are stated do.
        x = quantile(lambda y: (self._log_cdf(y)[0], self._log_sf(y)[0]), q, not upper, self._bounds, moments, None)
        return min(max(x, low), high)

    @cached_property
    def _log_half(self) -> Callable[[float, bool], Answer]:
        """Log P(S > x) for an upper tail, log P(S < x) for a lower one, with half the atom; error and method."""
        return lru_cache(maxsize=256)(self._find)

    def _find(self, x: float, upper: bool) -> Answer:
        tilted = self._tilt_at(self._inner(x))
        inversion = self._inversion(self._inner(x), tilted, upper=upper) if self._is_invertible else None
        p, error = inversion.tail() if inversion is not None else (0.0, math.inf)
        if p > 0 and error <= _FINE * p:
            return math.log(p), error, "fourier"
        low, high = self._limits(x, upper=upper)
        answers = [self._half_of_bound(x, tilted), (math.log((low + high) / 2), (high - low) / 2, "Monte Carlo")]
        if p > 0 and low <= p <= high:
            # The truth is within the reach of both; the inversion is mostly much nearer to it than can be shown.
            answers.append((math.log(p), min(error, max(high - p, p - low)), "fourier"))
        return min(answers, key=lambda answer: answer[1])

    def _half_of_bound(self, x: float, tilted: TiltedRanks) -> Answer:
        """Half of the least of Cantelli's and Chernoff's bound, and as much for its error."""
        is_upper = x > self.mean()
        log = log_cantelli(self, x, upper=is_upper)
        if self._ranks.depth <= _DEEPEST and (tilted.s > 0 if is_upper else tilted.s < 0):
            log = min(log, tilted.log_likelihood() - self._ranked.log_coincidence() - tilted.s * self._inner(x))
        return log - math.log(2), math.exp(log) / 2, "bound"

    def _inversion(self, x: float, tilted: TiltedRanks, *, upper: bool) -> "InvertedTail | None":
        """The law as seen from a tilt, for tails near its mean; None where all values there are alike."""
        sign = 1.0 if upper else -1.0
        if tilted.is_degenerate:
            return None
        spread = math.sqrt(max(tilted.var(), 0.0))
        if spread and tilted.s * sign * spread < 1:
            tilted = TiltedRanks(self._ranked, sign / spread, tilted.tau)
            spread = math.sqrt(max(tilted.var(), 0.0))
        if tilted.is_degenerate or not spread > 1e-9 * self.std() / self._scale:
            return None
        if _crowded(tilted):
            if self._ranks.grouped:
                return None
            tilted = TiltedRanks(self._with_discounts(self._ranks), tilted.s, tilted.tau)
        return InvertedTail(tilted, x, self._inner_support, spread)

    @cached_property
    def _end_logs(self) -> tuple[float, float]:
        """Log probabilities of the least and the greatest value."""
        if self._ranks.grouped:
            return -math.inf, -math.inf
        return self.cells.end_log(highest=False), self.cells.end_log(highest=True)

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        is_upper = x >= self.mean()
        outside = x - self._bounds[1] if is_upper else self._bounds[0] - x
        log, error, method = -math.inf, 0.0, "closed"
        if outside < -self._slack:
            log, error, method = self._log_half(x, is_upper)
        elif outside <= self._slack and atom == (is_upper == upper):
            log = self._end_logs[is_upper]
        log = min(log, 0.0)
        return (log if is_upper == upper else log_rest(log)), error, method

    def _log_pmf(self, x: float) -> Answer:
        for end, log in zip(self._bounds, self._end_logs, strict=True):
            if abs(x - end) <= self._slack:
                return log, 0.0, "closed"
        if not self._bounds[0] < x < self._bounds[1]:
            return -math.inf, 0.0, "closed"
        raise DataError(
            f"this law has too many values to tell the probability of {x:g} alone",
            "ask for tail, sf or cdf, or for a smaller cutoff",
        )

    def _limits(self, x: float, *, upper: bool) -> tuple[float, float]:
        """Limits of the tail at x, with and without its atom, by random rankings."""
        (outer, off, _), (inner, more, _) = (self._rankings._log_side(x, upper=upper, atom=a) for a in (False, True))
        return max(math.exp(outer) - off, 0.0), min(math.exp(inner) + more, 1.0)

    @cached_property
    def _rankings(self) -> Replicates:
        cost = self._few_items or len(self._groups) * 8 if self._ranks.grouped else self._ranks.depth
        return Replicates.from_law(self, float(cost), self._bounds)

    @property
    def _few_items(self) -> int:
        """The number of items with another gain, where their ranks can be drawn one by one; otherwise 0."""
        count = int(self.cells.items - self.cells.counts[0])
        return count if count**2 <= self.cells.items and self.cells.items < 1 << 62 else 0

    @cached_property
    def _groups(self) -> tuple[int, ...]:
        return growing_groups(self._ranks.depth, self._ranks.depth, _RATIO)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        if not self._ranks.grouped:
            return super()._draw(size, generator)
        if not self._few_items:
            return self._draw_by_groups(size, generator)
        gains = np.repeat(self._ranked.gains, self._ranked.counts.astype(np.int64))
        sums, rows = np.empty(size), max(1, int(_AT_ONCE) // len(gains))
        for start in range(0, size, rows):
            part = sums[start : start + rows]
            ranks = random_ranks(self.cells.items, len(gains), len(part), generator)
            generator.permuted(ranks, axis=1, out=ranks)
            part[:] = np.where(ranks <= self._ranks.depth, 1 / np.log2(ranks + 1.0), 0.0) @ gains
        return np.asarray((sums + self._base) * self._scale)

    def _draw_by_groups(self, size: int, generator: np.random.Generator) -> Floats:
        """Draw how many items of each gain a group of ranks has; what is not expected counts at its middle rank."""
        sums = np.zeros(size)
        left = np.tile(np.array(self.cells.counts, dtype=np.float64), (size, 1))
        depth = 0
        for ranks in self._groups:
            n_draws = np.full(size, float(ranks))
            discount = 1 / math.log2(depth + (ranks + 1) / 2 + 1)
            later = left.sum(axis=1)
            for kind, (gain, count) in enumerate(zip(self.cells.gains.tolist(), self.cells.counts, strict=True)):
                later -= left[:, kind]
                n_items = _numbers(left[:, kind], later, n_draws, generator)
                left[:, kind] -= n_items
                n_draws = n_draws - n_items
                sums += gain * discount * (n_items - ranks * (count / self.cells.items))
            depth += ranks
        return sums * self._scale + self.mean()


def _numbers(good: Floats, bad: Floats, n_draws: Floats, generator: np.random.Generator) -> Floats:
    """Numbers of good items at the places; of a billion items and more from the normal or Poisson law near it."""
    bad = np.maximum(bad, 0)
    total = np.maximum(good + bad, 1)
    if total[0] < _COUNTABLE:
        return generator.hypergeometric(*(numbers.astype(np.int64) for numbers in (good, bad, n_draws))).astype(
            np.float64
        )
    mean = n_draws * good / total
    spread = np.sqrt(mean * (bad / total) * np.maximum(1 - n_draws / total, 0))
    large = np.round(mean + spread * generator.standard_normal(len(mean)))
    numbers = np.where(mean > 1000, large, generator.poisson(np.minimum(mean, 1000)))
    return np.asarray(np.clip(numbers, np.maximum(n_draws - bad, 0), np.minimum(good, n_draws)))


def _crowded(tilted: TiltedRanks) -> bool:
    """True if ranks treated as one often have an infrequent gain: a power of their factor would have several values."""
    ranked = tilted.ranked
    stands = (ranked.weights != 1) & (ranked.discounts > 0)
    return bool((tilted.chances[stands].sum(axis=1) > 0.45).any())


class InvertedTail:
    """The inversion at one tilt, to the upper tail where that is more than 0, otherwise to the lower."""

    def __init__(self, tilted: TiltedRanks, x: float, support: tuple[float, float], spread: float) -> None:
        self.spread = spread
        self._x, self._sign, tilt = x, math.copysign(1.0, tilted.s), abs(tilted.s)
        law = RankedLaw(tilted.ranked, support, tilted)
        at_tilt = law.transform(tilted)
        view = around(law, self._sign, self._sign * x, tilt, spread)
        period = view.period(tilt, at_tilt.log)
        sharp = tilted.ranked.sharp * period / (2 * math.pi)
        limits = Limits(lambda cost: min(max(_LEAST_TERMS, _WORK / cost), _TERMS, max(sharp, 1.0)), 1e-13)
        self._inversion = Inversion(at_tilt, view.x, tilt, period, limits, self._sign)
        # What all frequencies together have lost beyond the window, none of it cancelled.
        reach = math.asinh(2 * math.pi * limits.max_terms(at_tilt.cells) / period / tilt) / math.pi
        self._lost = math.exp(min(self._inversion.log, 700)) * at_tilt.lost * (1 / period / tilt + reach)

    def tail(self) -> tuple[float, float]:
        """P(S > x), or P(S < x) for a tilt to the lower tail, with half of an atom at x; and a bound of its error."""
        try:
            tail = self._inversion.tail()
        except ValueError:
            return 0.0, math.inf
        p = math.exp(min(tail.log, 0.0))
        # The places that stand for many ranks, and the nodes that are left out, are good for nine digits.
        return p, self._lost + p * (2e-9 + (tail.left if tail.bound is None else tail.bound))

    def quantile(self, q: float) -> float:
        """The point at which the tail is q, within two standard deviations of x."""
        wanted = math.exp(min(math.log(q) - self._inversion.log, 700))
        return self._x + self._sign * self._inversion.distance_to(wanted, 2 * self.spread)
