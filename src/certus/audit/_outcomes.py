"""Possible outcomes of a planned audit, and the widths of the intervals they give."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats

__all__ = ["Outcomes", "widths_at"]

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
        """The hypergeometric law of the hits among `checked` of `size` items, `count` of which are hits.

        From the ratios of neighbours, which keep their digits for any size: scipy's law goes through logarithms of
        factorials, which do not, and sums up its tails term by term.
        """
        rest = size - count - checked
        least, most = max(0, -rest), min(checked, count)
        mean = checked * (count / size)
        spread = math.sqrt(mean * (1 - count / size) * max(size - checked, 0) / max(size - 1, 1))
        reach = 8 * spread + 30
        hits = np.arange(max(least, math.floor(mean - reach)), min(most, math.ceil(mean + reach)) + 1)
        k = hits[:-1].astype(np.float64)
        ratios = (count - k) * (checked - k) / ((k + 1) * (rest + k + 1))
        logarithms = np.concatenate(([0.0], np.cumsum(np.log(ratios))))
        chance = np.exp(logarithms - logarithms.max())
        chance /= chance.sum()
        kept = (np.cumsum(chance) > LEFT_OUT / 2) & (np.cumsum(chance[::-1])[::-1] > LEFT_OUT / 2)
        return cls(hits[kept], chance[kept] / chance[kept].sum())

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
