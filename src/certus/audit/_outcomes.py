"""Possible outcomes of a planned audit, and the widths of the intervals they give: exactly, and about."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.inference.special import preload
from certus.statistic.sampled import NamedPrior

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


NODES = 64
HALVINGS = 24
LEAST = 1e-9


@dataclass(frozen=True)
class _Law:
    """The relevant items of a stratum: `found`, and of the `rest` a share with a beta law.

    The beta law has the mean and the variance of the share under the beta-binomial posterior.
    """

    found: int
    rest: int
    a: float
    b: float

    @classmethod
    def of(cls, items: int, checked: int, hits: int, prior: float) -> "_Law":
        a, b = hits + prior, checked - hits + prior
        rest = items - checked
        if not rest:
            return cls(hits, 0, 1.0, 1.0)
        factor = max(rest * (a + b + 1) / (a + b + rest) - 1, 0.1) / (a + b)
        return cls(hits, rest, a * factor, b * factor)

    def coefficient_of_variation(self) -> float:
        """The standard deviation over the mean."""
        total = self.a + self.b
        mean = self.found + self.rest * self.a / total
        return self.rest * math.sqrt(self.a * self.b / (total + 1)) / total / mean if mean else 0.0

    def quantiles(self, p: Floats) -> Floats:
        return self.found + self.rest * np.asarray(preload().betaincinv(self.a, self.b, p))

    def below(self, counts: Floats) -> Floats:
        """The probability of less."""
        if not self.rest:
            return (counts > self.found).astype(np.float64)
        return np.asarray(preload().betainc(self.a, self.b, np.clip((counts - self.found) / self.rest, 0, 1)))


def rough_width(
    items: tuple[int, int], checked: tuple[int, int], hits: tuple[int, int], level: float, prior: NamedPrior
) -> float:
    """The width of the equal-tailed interval of X / (X + Y), with beta laws instead of the beta-binomial ones of X, Y.

    The law of the ratio is the mean of the one law's distribution function over the other law, the narrower, for
    which there are Gauss-Legendre nodes in its quantiles.
    """
    parameter = 0.5 if prior == "jeffreys" else 1.0
    x, y = (_Law.of(*each, parameter) for each in zip(items, checked, hits, strict=True))
    if not x.rest and not y.rest:
        return 0.0
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    over_y = y.coefficient_of_variation() <= x.coefficient_of_variation()
    counts = (y if over_y else x).quantiles((nodes + 1) / 2)

    def chance_below(recall: float) -> float:
        odds = recall / (1 - recall)
        found = x.below(counts * odds) if over_y else 1 - y.below(counts / odds)
        return float(weights @ found) / 2

    def quantile(p: float) -> float:
        low, high = LEAST, 1 - LEAST
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if chance_below(middle) > p else (middle, high)
        return (low + high) / 2

    # limits reach the estimate where it is 0 or 1
    high = quantile((1 + level) / 2) if hits[1] else 1.0
    return high - (quantile((1 - level) / 2) if hits[0] or not hits[1] else 0.0)
