"""Laws with few values, and mixtures, as pieces of an additive distribution."""

import math
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.chance.additive.pieces import Hits
from certus.chance.finite import Finite


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
        """It has no ranks."""

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
