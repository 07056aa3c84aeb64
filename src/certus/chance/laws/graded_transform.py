"""Transform of the statistic's law: the chance that independent ranks hold exactly the given items, with a turn.

The probability is a Fourier sum over the numbers of each gain among the ranks looked at. Those numbers are whole and
spread by a few standard deviations only, so that a few nodes a gain give it to all digits; what the other ranks must
hold is a multinomial probability. Where few items have a gain, the numbers are counted rank by rank instead.
"""

import math
from functools import cached_property
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from certus import kernels
from certus.arrays import Floats
from certus.chance.laws.hypergeometric import log_remainder
from certus.transform.inversion import Cumulants


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
        self._exponents = s * np.outer(ranked.discounts, ranked.gains)
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
            most = height + 1e-13 * abs(height)
            while length > 1e-6:
                self.tau = start + length * step
                self._assign()
                if self._height() <= most + 1e-4 * length * float(excess @ step):
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
        logs = self._exponents + self.tau
        # Near 1 a norm keeps its digits by its difference from 1, far from it by its logarithm.
        self.log_norms = np.log1p(np.expm1(np.minimum(logs, 1.0)) @ shares)
        if (large := logs.max(axis=1) > 1).any():
            every = np.logaddexp.reduce(logs[large] + np.log(shares), axis=1)
            self.log_norms[large] = np.logaddexp(math.log(1 - float(shares.sum())), every)
        self.chances = shares * np.exp(logs - self.log_norms[:, None])
        weighted = self.chances * self.ranked.weights[:, None]
        self.spread = np.diag(weighted.sum(axis=0)) - self.chances.T @ weighted

    @property
    def _sizes(self) -> Floats:
        return np.outer(self.ranked.discounts, self.ranked.gains)

    @property
    def settled(self) -> bool:
        """True if almost all rankings of that score have the same ranks, as at the ends of the range."""
        return not float(np.linalg.eigvalsh(self.spread)[0]) > 1e-7

    def mean(self) -> float:
        """Mean of the statistic without the condition on the numbers."""
        return float(self.ranked.weights @ (self.chances * self._sizes).sum(axis=1))

    def _shared(self) -> tuple[float, Floats]:
        """Variance of the statistic, and its covariances with the numbers."""
        parts = self.chances * self._sizes
        each = parts.sum(axis=1)
        weights = self.ranked.weights
        own = float(weights @ ((parts * self._sizes).sum(axis=1) - each**2))
        return own, weights @ parts - (weights * each) @ self.chances

    def regression(self) -> Floats:
        """Contribution of one more item of each gain to the statistic's mean."""
        return self._solved(self._shared()[1])

    def var(self) -> float:
        """Variance of the statistic that the numbers do not explain."""
        own, shared = self._shared()
        return own - float(shared @ self._solved(shared))

    def log_likelihood(self) -> float:
        """K(s, tau) - tau * counts, less the same at s = 0."""
        return math.fsum((self.ranked.weights * self.log_norms).tolist()) - float(self.tau @ self.ranked.counts)


class RankedLaw:
    """The statistic for the transform engine."""

    def __init__(self, ranked: RankedItems, ends: tuple[float, float], centre: TiltedRanks | None = None) -> None:
        self.ranked, self._ends = ranked, ends
        self.last = TiltedRanks(ranked, 0.0) if centre is None else centre
        self._start = ranked.log_coincidence()

    def range(self) -> tuple[float, float]:
        """Least and greatest value."""
        return self._ends

    def at(self, tilt: float) -> TiltedRanks:
        """The ranks under a tilt, sought from those under the last one."""
        near = self.last
        if tilt != near.s:
            start = near.tau if near.settled else near.tau - (tilt - near.s) * near.regression()
            self.last = TiltedRanks(self.ranked, tilt, start)
        return self.last

    def log(self, tilted: TiltedRanks) -> float:
        """A bound of log E exp(s S): that the numbers of items coincide is less than certain."""
        return tilted.log_likelihood() - self._start

    def cumulants(self, tilt: float, rough: bool = False) -> Cumulants:
        """The bound of the logarithm, and mean and variance as if the ranks were independent."""
        tilted = self.at(tilt)
        if not rough and tilted.settled:
            raise ValueError(f"found no tilt beyond {tilt}")
        return self.log(tilted), tilted.mean(), tilted.var(), math.nan, math.nan


_Complex = NDArray[np.complex128]

_REACH = 6.6
"""Standard deviations beyond which a normal law has less than 4e-10 of its peak."""
_MOST = 2_000
"""Of so many nodes, or fewer, all are taken; of more, if all ranks are looked at, those that can be seen."""


_COUNTED = 1 << 14
"""Of so many sets of numbers each is counted, if there are fewer of them than nodes."""


class ByNodes:
    """The nodes for one tilt."""

    def __init__(self, tilted: TiltedRanks) -> None:
        ranked = tilted.ranked
        self._rest = ranked.discounts[-1] == 0
        seen = slice(0, -1) if self._rest else slice(None)
        self._chances = tilted.chances[seen]
        self._sizes = np.outer(ranked.discounts[seen], ranked.gains)
        self._counts = ranked.counts
        self._weights = ranked.weights[seen]
        self.nodes, self._first = _box(self._chances, self._weights)
        if self._rest:
            self._box = _elsewhere(tilted, self._numbers())
        self._windowed = not self._rest and math.prod(self.nodes.tolist()) > _MOST
        self._grid, self._index = self._laid(_widest(tilted))
        self._regression = tilted.regression() if self._windowed else np.zeros(len(ranked.gains))
        self._edge = np.zeros(self._grid.shape[1], dtype=bool)
        if self._windowed:
            size = np.abs(self._terms(np.zeros(1))[0])
            kept = size > 1e-10 * size.max()
            self._grid, self._index = self._grid[:, kept], self._index[:, kept]
            self._edge = size[kept] < 1e-8 * size.max()
        self.lost = 0.0
        self.probability = 1.0
        self.probability = float(self.transform(np.zeros(1))[0].real)
        """That the ranks hold exactly the items there are, in the tilted law."""

    @property
    def cost(self) -> float:
        """Complex factors of one value of the transform."""
        return float(self._grid.shape[1] * _work(self._weights))

    def _laid(self, widest: Floats) -> tuple[Floats, NDArray[np.int64]]:
        """The nodes, a row a gain, and their places in the box's transform."""
        axes = [
            [k for k in range(size) if not self._windowed or min(k, size - k) * 2 * math.pi <= reach * size]
            for size, reach in zip(self.nodes.tolist(), widest.tolist(), strict=True)
        ]
        index = np.array(list(product(*axes)), dtype=np.int64).T
        return 2 * math.pi * index / self.nodes[:, None], index

    def transform(self, u: Floats, x: float = 0.0) -> _Complex:
        """E exp(i u (S - x)) under the tilted random ranking, at each u."""
        if (self._weights == 1).all():
            sums, edges = self._summed(u)
        else:
            terms = self._terms(u)
            sums, edges = terms.sum(axis=1), np.abs(terms[:, self._edge]).sum(axis=1)
        if self._windowed:
            self.lost = max(self.lost, float(edges.max()) / self.probability)
        return np.asarray(sums * np.exp(-1j * u * x) / self.probability)

    def _summed(self, u: Floats) -> tuple[_Complex, Floats]:
        """The sum of all nodes' terms, and that of the sizes of those at the edge, where each rank is by itself."""
        if self._rest:
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
        found = np.ones((len(u), turned.shape[1]), dtype=np.complex128)
        powers = np.zeros_like(found)
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
                found *= part
            else:
                powers += weight * np.log(part)
        if (self._weights != 1).any():
            found *= np.exp(powers)
        if not self._rest:
            turns = np.subtract.outer(u * (self._regression @ self._counts), self._counts @ self._grid)
            return np.asarray(found * np.exp(1j * turns) / self._all)
        return np.asarray(found * self._back)

    @property
    def _all(self) -> int:
        return math.prod(self.nodes.tolist())

    @cached_property
    def _back(self) -> _Complex:
        """The transform of what must be elsewhere."""
        elsewhere = np.fft.fftn(self._box)[tuple(self._index)]
        return np.asarray(elsewhere * np.exp(-1j * (self._first @ self._grid)) / self._all)

    def _numbers(self) -> list[Floats]:
        """The numbers of each gain in the box."""
        axes = [first + np.arange(size) for first, size in zip(self._first, self.nodes, strict=True)]
        return list(np.meshgrid(*axes, indexing="ij"))


class ByNumbers:
    """All sets of numbers of each gain, for one tilt; each rank is by itself."""

    lost = 0.0

    def __init__(self, tilted: TiltedRanks) -> None:
        ranked = tilted.ranked
        seen = slice(0, -1) if ranked.discounts[-1] == 0 else slice(None)
        self._chances = np.ascontiguousarray(tilted.chances[seen])
        self._sizes = np.ascontiguousarray(np.outer(ranked.discounts[seen], ranked.gains))
        self._counts = [int(count) for count in ranked.counts]
        numbers = np.indices([count + 1 for count in self._counts]).astype(np.float64)
        if ranked.discounts[-1] == 0:
            self._ends = _elsewhere(tilted, list(numbers)).ravel()
        else:
            self._ends = np.append(np.zeros(numbers[0].size - 1), 1.0)
        self.probability = 1.0
        self.probability = float(self.transform(np.zeros(1))[0].real)

    @property
    def cost(self) -> float:
        """Complex factors of one value of the transform."""
        return float(len(self._ends) * len(self._chances))

    def transform(self, u: Floats, x: float = 0.0) -> _Complex:
        """E exp(i u (S - x)) under the tilted random ranking, at each u."""
        re, im = kernels.counted_transform(
            self._chances, self._sizes, u=np.ascontiguousarray(u), counts=self._counts, ends=self._ends
        )
        return np.asarray((re + 1j * im) * np.exp(-1j * u * x) / self.probability)


ConditionalTransform: TypeAlias = ByNodes | ByNumbers


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
        beyond = (number - ranks * chance) / (ranks * chance)
        log -= log_remainder(number) + ranks * chance * (special.xlog1py(1 + beyond, beyond) - beyond)
    possible = np.all([number >= 0 for number in [*left, common]], axis=0)
    return np.where(possible, np.exp(log), 0.0)


def bound(tilted: TiltedRanks) -> float:
    """At most how many complex factors a value of the transform will cost."""
    ranks = len(tilted.ranked.discounts) - int(tilted.ranked.discounts[-1] == 0)
    return min(_nodes(tilted), _sets(tilted)) * _work(tilted.ranked.weights[:ranks])


def _sets(tilted: TiltedRanks) -> float:
    """The number of sets of numbers of each gain, where they can be counted."""
    ranks = len(tilted.ranked.discounts) - int(tilted.ranked.discounts[-1] == 0)
    sets = float(np.prod(tilted.ranked.counts + 1))
    return sets if sets <= _COUNTED and (tilted.ranked.weights[:ranks] == 1).all() else math.inf


def _nodes(tilted: TiltedRanks) -> float:
    """At most how many nodes there will be."""
    ranks = len(tilted.ranked.discounts) - int(tilted.ranked.discounts[-1] == 0)
    nodes, _ = _box(tilted.chances[:ranks], tilted.ranked.weights[:ranks])
    every = float(np.prod(nodes.astype(np.float64)))
    if every > _MOST and ranks == len(tilted.ranked.discounts):
        every = max(float(_MOST), float(np.prod(np.minimum(nodes, nodes * _widest(tilted) / math.pi + 1))))
    return every


def _work(weights: Floats) -> float:
    """Complex factors of one node; a power costs as much as some five."""
    return float(np.where(weights == 1, 1.0, 5.0).sum())


def _box(chances: Floats, weights: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Size of the box of numbers of each gain, one of which must be held, and its first corner."""
    spreads = np.sqrt(np.maximum(weights @ (chances * (1 - chances)), 0.0))
    # Not held to the items there are: the ranks alone may hold more, which must not be taken for fewer.
    most = weights.sum() + 1
    nodes = np.minimum(np.ceil(7 * spreads + 9), most)
    return nodes.astype(np.int64), np.clip(np.round(weights @ chances - nodes / 2), 0, most - nodes)


def _widest(tilted: TiltedRanks) -> Floats:
    """Distance from 0 at which a node of each gain can be seen."""
    inverse = np.sqrt(np.diag(np.linalg.inv(tilted.spread)))
    return np.asarray(2 * np.arcsin(np.minimum(1.0, _REACH * inverse / 2)))
