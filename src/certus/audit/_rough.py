"""About how wide the posterior interval of recall is for two samples of a large population, in milliseconds."""

import math
from dataclasses import dataclass

import numpy as np

from certus.arrays import Floats
from certus.inference.special import preload
from certus.statistic.strata import Prior

__all__ = ["rough_width"]

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
    items: tuple[int, int], checked: tuple[int, int], hits: tuple[int, int], level: float, prior: Prior
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

    return quantile((1 + level) / 2) - quantile((1 - level) / 2)
