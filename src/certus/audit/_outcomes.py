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
        """Hits among `checked` random items, where the population has `size` items and `count` hits.

        From the ratios of neighbours, which keep their digits for any size: scipy's law goes through logarithms of
        factorials, which do not, and sums up its tails term by term.
        """
        misses_less_checked = size - count - checked
        lowest, highest = max(0, -misses_less_checked), min(checked, count)
        mean = checked * (count / size)
        spread = math.sqrt(mean * (1 - count / size) * max(size - checked, 0) / max(size - 1, 1))
        reach = 8 * spread + 30
        hits = np.arange(max(lowest, math.floor(mean - reach)), min(highest, math.ceil(mean + reach)) + 1)
        k = hits[:-1].astype(np.float64)
        ratios = (count - k) * (checked - k) / ((k + 1) * (misses_less_checked + k + 1))
        logarithms = np.concatenate(([0.0], np.cumsum(np.log(ratios))))
        chance = np.exp(logarithms - logarithms.max())
        chance /= chance.sum()
        is_likely = (np.cumsum(chance) > LEFT_OUT / 2) & (np.cumsum(chance[::-1])[::-1] > LEFT_OUT / 2)
        return cls(hits[is_likely], chance[is_likely] / chance[is_likely].sum())

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


NODES = 64
HALVINGS = 24
LOWEST_RECALL = 1e-9


@dataclass(frozen=True)
class _Law:
    """The relevant items of a stratum: `hits`, and of the `unchecked` a share with a beta law.

    The beta law has the mean and the variance of the share under the beta-binomial posterior.
    """

    hits: int
    unchecked: int
    a: float
    b: float

    @classmethod
    def from_sample(cls, items: int, checked: int, hits: int, prior: float) -> "_Law":
        a, b = hits + prior, checked - hits + prior
        unchecked = items - checked
        if not unchecked:
            return cls(hits, 0, 1.0, 1.0)
        factor = max(unchecked * (a + b + 1) / (a + b + unchecked) - 1, 0.1) / (a + b)
        return cls(hits, unchecked, a * factor, b * factor)

    def coefficient_of_variation(self) -> float:
        """The standard deviation over the mean."""
        total = self.a + self.b
        mean = self.hits + self.unchecked * self.a / total
        return self.unchecked * math.sqrt(self.a * self.b / (total + 1)) / total / mean if mean else 0.0

    def quantiles(self, p: Floats) -> Floats:
        return self.hits + self.unchecked * np.asarray(preload().betaincinv(self.a, self.b, p))

    def probability_below(self, counts: Floats) -> Floats:
        """The probability of less."""
        if not self.unchecked:
            return (counts > self.hits).astype(np.float64)
        return np.asarray(preload().betainc(self.a, self.b, np.clip((counts - self.hits) / self.unchecked, 0, 1)))


def rough_width(
    items: tuple[int, int], checked: tuple[int, int], hits: tuple[int, int], level: float, prior: NamedPrior
) -> float:
    """Width of the equal-tailed interval for X / (X + Y), from beta instead of beta-binomial laws.

    The law of the ratio is the mean of the one law's distribution function over the other law, the narrower, for
    which there are Gauss-Legendre nodes in its quantiles.
    """
    parameter = 0.5 if prior == "jeffreys" else 1.0
    x, y = (
        _Law.from_sample(*counts_of_stratum, parameter) for counts_of_stratum in zip(items, checked, hits, strict=True)
    )
    if not x.unchecked and not y.unchecked:
        return 0.0
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    over_y = y.coefficient_of_variation() <= x.coefficient_of_variation()
    counts = (y if over_y else x).quantiles((nodes + 1) / 2)

    def chance_below(recall: float) -> float:
        odds = recall / (1 - recall)
        probabilities = x.probability_below(counts * odds) if over_y else 1 - y.probability_below(counts / odds)
        return float(weights @ probabilities) / 2

    def quantile(p: float) -> float:
        low, high = LOWEST_RECALL, 1 - LOWEST_RECALL
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if chance_below(middle) > p else (middle, high)
        return (low + high) / 2

    # limits reach the estimate where it is 0 or 1
    high = quantile((1 + level) / 2) if hits[1] else 1.0
    return high - (quantile((1 - level) / 2) if hits[0] or not hits[1] else 0.0)
