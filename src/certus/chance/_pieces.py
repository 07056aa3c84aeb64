"""What an additive distribution is made of: laws of hits, finite laws, and mixtures."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.chance._distribution import Floats
from certus.chance._finite import Finite

__all__ = ["Fixed", "Hits", "Mixed", "Piece", "random_ranks"]

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

    @cached_property
    def law(self) -> kernels.HitLaw:
        """The engine's form of it."""
        weights = self.weights.tolist()
        if self.kind in ("average", "together"):
            return kernels.HitLaw.tied(self.items, self.hits, weights, self.groups, self.kind == "average")
        return getattr(kernels.HitLaw, self.kind)(self.items, self.hits, weights)

    @property
    def key(self) -> Hashable:
        """Pieces with equal keys are alike."""
        return self.items, self.hits, self.kind, self.weights.tobytes(), self.groups

    @property
    def cells(self) -> float:
        """About how many states a pass visits."""
        spread = math.sqrt(self.hits * (self.items - self.hits) / max(self.items, 1) / 4) + 1
        return float(len(self.weights) * min(self.hits + 1, 18 * spread))

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
        """No hit, one, or nothing but hits."""
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
        """How many values there are."""
        return float(len(self.law.values))

    def source(self) -> kernels.HitSource:
        """The engine's form of it."""
        return kernels.HitSource.atoms(self.law.values, self.law.logs)

    def atoms(self, limit: int) -> tuple[Floats, Floats] | None:
        """All values and their chances."""
        return (self.law.values, np.exp(self.law.logs)) if len(self.law.values) <= limit else None

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

    def source(self) -> kernels.HitSource:
        """The engine's form of it."""
        return kernels.HitSource.mixture([(log, scale, piece.source()) for log, scale, piece in self.terms])

    def atoms(self, limit: int) -> tuple[Floats, Floats] | None:
        """All values and their chances, if there are few."""
        found = []
        for log, scale, piece in self.terms:
            atoms = piece.atoms(limit)
            if atoms is None:
                return None
            limit -= len(atoms[0])
            found.append((scale * atoms[0], math.exp(log) * atoms[1]))
        values, chances = (np.concatenate(column) for column in zip(*found, strict=True))
        order = np.argsort(values, kind="stable")
        return values[order], chances[order]

    def draw(self, size: int, generator: np.random.Generator) -> Floats:
        """Random values."""
        chances = np.exp([log for log, _, _ in self.terms])
        chosen = np.searchsorted(np.cumsum(chances), generator.random(size) * chances.sum(), side="right")
        drawn = np.zeros(size)
        for index, (_, scale, piece) in enumerate(self.terms):
            here = chosen == index
            drawn[here] = scale * piece.draw(int(here.sum()), generator)
        return drawn


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
