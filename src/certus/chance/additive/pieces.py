"""Parts of an additive distribution: above all, sums over the hits of a random ranking."""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.chance.lattice.hypergeometric import log_atom

_FEW_HITS = 200
"""Most hits of a ranking whose ranks are grouped; a group of more has too many numbers of hits."""
_LONG = 20_000
"""Items from which on hits are drawn one ranking at a time rather than by a number for each rank."""
_AT_ONCE = 1 << 22
"""Random numbers drawn together."""


class Piece(Protocol):
    """One source of independent values."""

    @property
    def key(self) -> Hashable:
        """Pieces with equal keys are alike."""

    @property
    def cells(self) -> float:
        """About how many states a pass visits."""

    @property
    def log_arrangements(self) -> float:
        """Logarithm of the number of equally likely cases behind a typical value."""

    @property
    def draw_cost(self) -> float:
        """Ranks that one random value fills."""

    def source(self) -> kernels.HitSource:
        """The engine's form of it."""

    def grouped(self, ratio: float) -> "Piece | None":
        """Nearly the same with ranks in groups, each at most that part of the ranks above it; None without ranks."""

    def atoms(self, limit: int) -> tuple[Floats, Floats] | None:
        """All values, ascending, and their chances; None if finding them takes more than `limit` sums."""

    def draw(self, size: int, generator: np.random.Generator) -> Floats:
        """Independent random values."""


@dataclass(frozen=True, eq=False)
class Hits:
    """The sum over the hits of a random ranking.

    Attributes
    ----------
    items, hits
        Ranks, and how many of them hold a hit.
    kind
        What the r-th hit adds at rank t: ``"times"`` weights[t-1] r, ``"rank"`` weights[t-1], ``"first"`` the same for
        r = 1 only, ``"above"`` weights[t-r]; ``"average"`` and ``"together"`` as ``"times"`` where groups of equal
        scores are in random order and count by their average or by their last rank.
    weights
        At most one for each rank; ranks behind the last add nothing.
    groups
        Sizes of the groups of equal scores.
    """

    items: int
    hits: int
    kind: Literal["times", "rank", "first", "above", "average", "together"]
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
        """The mean of the sum given the hits in groups of ranks, each that part of the ranks above it."""
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
        few = (
            self.groups
            or self.kind == "above"
            or (not (np.diff(self.weights) < 0).all() and len(np.unique(self.weights)) < half)
        )
        if few and self.items * self.hits > limit:
            return None
        if not few and _log_choices(half, min(self.hits, half // 2)) > math.log(limit):
            return None
        try:
            return self.law.halves(limit)
        except ValueError:
            return None

    def atoms(self, limit: int) -> tuple[Floats, Floats] | None:
        """All values and their chances, if there are few."""
        if self.hits in (0, 1, self.items):
            return self._simple() if self.items <= limit else None
        few = bool(self.groups) or self.kind == "above"
        if not few and _log_choices(len(self.weights), min(self.hits, len(self.weights) // 2)) > math.log(limit):
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
        drawn = [
            self._sums(random_ranks(self.items, self.hits, min(rows, size - start), generator))
            for start in range(0, size, rows)
        ]
        return np.concatenate(drawn) if drawn else np.zeros(0)

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
        ends = np.cumsum(self.groups)
        group = np.searchsorted(ends, ranks)
        flat = group + len(ends) * np.arange(len(ranks))[:, None]
        counts = np.bincount(flat.ravel(), minlength=len(ends) * len(ranks)).reshape(len(ranks), -1)
        before = counts.cumsum(axis=1) - counts
        lead, inner = self._group_gains(ends)
        return np.asarray((counts * ((before + 1) * lead + np.maximum(counts - 1, 0) * inner)).sum(axis=1))

    def _group_gains(self, ends: NDArray[np.int64]) -> tuple[Floats, Floats]:
        weights = np.append(self.weights, np.zeros(self.items - len(self.weights)))
        if self.kind == "together":
            return weights[ends - 1], weights[ends - 1]
        sizes = np.asarray(self.groups)
        starts = ends - sizes
        within = np.arange(self.items) - np.repeat(starts, sizes)
        lead = np.add.reduceat(weights, starts) / sizes
        inner = np.add.reduceat(weights * within, starts) / (sizes * np.maximum(sizes - 1, 1))
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


@lru_cache(maxsize=64)
def growing_groups(depth: int, items: int, ratio: float) -> tuple[int, ...]:
    """Sizes of groups of the first ranks, each at most a part of the ranks above it, and of the ranks behind them."""
    sizes, above = [], 0
    while above < depth:
        sizes.append(min(max(int(above * ratio), 1), depth - above))
        above += sizes[-1]
    return (*sizes, items - depth) if items > depth else tuple(sizes)


def _log_choices(n: int, k: int) -> float:
    """Logarithm of a binomial coefficient."""
    from scipy.special import gammaln

    return float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
