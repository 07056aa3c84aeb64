"""Possible outcomes of a planned audit, and the widths of the intervals they give: exactly, and about."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.inference.finite import hypergeometric
from certus.inference.finite.buehler import Ordering
from certus.inference.finite.strata_posterior import ShareOf
from certus.inference.intervals.strata import SHAPES
from certus.statistic.sampled import NamedPrior, Stratum

LEFT_OUT = 1e-9
MOST_EXACT, INTERPOLATION_NODES = 160, 48
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
    def hypergeometric(cls, size: int, count: int, checked: int) -> "Outcomes":
        """Hits among `checked` random items, where the population has `size` items and `count` hits."""
        law = hypergeometric.law(size, checked, count)
        is_likely = (law.up_to[1:] > LEFT_OUT / 2) & (law.from_on[:-1] > LEFT_OUT / 2)
        return cls(law.support[is_likely], law.mass[is_likely] / law.mass[is_likely].sum())

    def nodes(self, max_count: int) -> NDArray[np.int64]:
        """At most so many of the outcomes, spread evenly, the first and the last among them."""
        return np.unique(np.round(np.linspace(self.hits[0], self.hits[-1], max_count)).astype(np.int64))

    def quadrature(self, max_count: int) -> tuple[list[int], Floats]:
        """At most so many outcomes, and for every outcome the weights of these in the polynomial through their values.

        They are about those of Gauss and Hermite for a normal law with the same mean and variance, so that the mean of
        the polynomial is close to that of a smooth function.
        """
        mean = float(self.chance @ self.hits)
        spread = math.sqrt(float(self.chance @ (self.hits - mean) ** 2))
        points = mean + spread * np.polynomial.hermite_e.hermegauss(max_count)[0]
        nodes = np.unique(np.clip(np.round(points).astype(np.int64), self.hits[0], self.hits[-1]))
        weights = np.ones((len(self.hits), len(nodes)))
        for i, node in enumerate(nodes):
            for other in np.delete(nodes, i):
                weights[:, i] *= (self.hits - other) / (node - other)
        return nodes.tolist(), weights


def widths_at(outcomes: Outcomes, width: Callable[[int], float]) -> Floats:
    """The width for each outcome; of many outcomes it is computed for some, and taken to be linear in between."""
    nodes = outcomes.nodes(INTERPOLATION_NODES) if len(outcomes.hits) > MOST_EXACT else outcomes.hits
    return np.interp(outcomes.hits, nodes, [width(int(hits)) for hits in nodes])


HALVINGS = 24
"""Steps of the search for a limit: to 1e-7."""


def rough_width(
    items: tuple[int, int], checked: tuple[int, int], hits: tuple[int, int], level: float, prior: NamedPrior
) -> float:
    """Width of the equal-tailed interval for X / (X + Y), in large strata from beta instead of beta-binomial laws."""
    x, y = map(Stratum, items, checked, hits)
    if not x.rest and not y.rest:
        return 0.0
    ends = [Ordering(*pair, ShareOf(), SHAPES[prior], (1 - level) / 2).seen(HALVINGS) for pair in ((x, y), (y, x))]
    # limits reach the estimate where it is 0 or 1
    return 1 - (ends[1] if y.hits else 0.0) - (ends[0] if x.hits or not y.hits else 0.0)
