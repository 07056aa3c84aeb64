"""Parts of an additive distribution: above all, sums over the hits of a random ranking."""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats

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

    def source(self) -> kernels.HitSource:
        """The engine's form of it."""

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
        weights = self.weights.tolist()
        if self.kind in ("average", "together"):
            return kernels.HitLaw.tied(self.items, self.hits, weights, self.groups, self.kind == "average")
        make: Callable[[int, int, list[float]], kernels.HitLaw] = getattr(kernels.HitLaw, self.kind)
        return make(self.items, self.hits, weights)

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

    def source(self) -> kernels.HitSource:
        """The engine's form of it, as a source."""
        return kernels.HitSource.hits(self.law)

    def halves(self, limit: int) -> kernels.HitHalves | None:
        """The sums of the upper and lower ranks, unless there are more than `limit`."""
        half = len(self.weights) // 2
        # Groups and equal weights give few sums to many rankings.
        few = self.groups or self.kind == "above" or len(np.unique(self.weights)) < half
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
    order = np.argpartition(generator.random((size, items)), hits - 1, axis=1)[:, :hits]
    return np.sort(order + 1, axis=1)


def _log_choices(n: int, k: int) -> float:
    """Logarithm of a binomial coefficient."""
    from scipy.special import gammaln

    return float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
