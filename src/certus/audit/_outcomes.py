"""What samples of a planned audit may show, and how wide the intervals will then be."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Outcomes", "widths_at"]

Floats = NDArray[np.float64]
LEFT_OUT = 1e-9
EACH, SOME = 160, 48
"""An interval is made for each of so many outcomes; of more for some, and the widths in between are interpolated."""


@dataclass(frozen=True)
class Outcomes:
    """The numbers of hits that a sample may show, with their probabilities.

    Attributes
    ----------
    hits
        All but the least likely ones, which have a probability of less than 1e-9 together.
    chance
        The probability of each.
    """

    hits: NDArray[np.int64]
    chance: Floats

    @classmethod
    def of(cls, size: int, count: int, checked: int) -> "Outcomes":
        """The hypergeometric law of the hits among `checked` of `size` items, `count` of which are hits."""
        from scipy.stats import hypergeom

        law = hypergeom(size, count, checked)
        low, high = int(law.ppf(LEFT_OUT / 2)), int(law.isf(LEFT_OUT / 2))
        hits = np.arange(low, high + 1)
        chance = np.asarray(law.pmf(hits))
        return cls(hits, chance / chance.sum())

    def nodes(self, most: int) -> NDArray[np.int64]:
        """At most so many of the outcomes, spread evenly, the first and the last among them."""
        return np.unique(np.round(np.linspace(self.hits[0], self.hits[-1], most)).astype(np.int64))

    def quadrature(self, most: int) -> tuple[list[int], Floats]:
        """At most so many outcomes, and for every outcome the weights of these in the polynomial through their values.

        They are about those of Gauss and Hermite for a normal law with the same mean and variance, so that the mean of
        the polynomial is close to that of a smooth function.
        """
        mean = float(self.chance @ self.hits)
        spread = math.sqrt(float(self.chance @ (self.hits - mean) ** 2))
        points = mean + spread * np.polynomial.hermite_e.hermegauss(most)[0]
        nodes = np.unique(np.clip(np.round(points).astype(np.int64), self.hits[0], self.hits[-1]))
        weights = np.ones((len(self.hits), len(nodes)))
        for i, node in enumerate(nodes):
            for other in np.delete(nodes, i):
                weights[:, i] *= (self.hits - other) / (node - other)
        return nodes.tolist(), weights


def widths_at(outcomes: Outcomes, width: Callable[[int], float]) -> Floats:
    """The width for each outcome; of many outcomes it is computed for some, and taken to be linear in between."""
    nodes = outcomes.nodes(SOME) if len(outcomes.hits) > EACH else outcomes.hits
    return np.interp(outcomes.hits, nodes, [width(int(hits)) for hits in nodes])
