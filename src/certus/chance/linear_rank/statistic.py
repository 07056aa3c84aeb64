"""The law of a sum of gains, each times its rank's discount, when the items are ranked at random."""

import math
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.chance.distribution import SAME, Answer, Distribution, KnownMoments
from certus.chance.linear_rank.gains import Ranks, best
from certus.chance.linear_rank.sequences import GradedItems, Halves, halves
from certus.chance.replicates import Replicates
from certus.transform.quantile import quantile


class LinearRankStatistic(Distribution):
    """Common parts of all such laws: moments in closed form, bounds, random values, quantiles by bisection.

    Parameters
    ----------
    gains
        How many items have each gain; two gains at least.
    ranks
        The ranks' discounts.
    scale
        What the sum is multiplied by.
    """

    def __init__(self, gains: Mapping[float, int], ranks: Ranks, scale: float) -> None:
        self._ranks, self._scale = ranks, scale
        ordered = sorted(gains.items(), key=lambda pair: (-pair[1], pair[0]))
        self.cells = GradedItems(
            np.array([gain for gain, _ in ordered]), [count for _, count in ordered], ranks.discounts
        )
        highest = best(gains, ranks)
        lowest = 0.0 - best({-gain: count for gain, count in gains.items()}, ranks)
        self._bounds = lowest * scale, highest * scale

    def _replicates(self) -> Replicates | None:
        return None if self.exact else Replicates.of(self)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return self._bounds

    @property
    def _slack(self) -> float:
        return SAME * (self._bounds[1] - self._bounds[0])

    @cached_property
    def _moments(self) -> KnownMoments:
        """Moments in closed form, from central power sums of the gains and of the discounts."""
        gains, counts = self.cells.gains, np.array(self.cells.counts, dtype=np.float64)
        n = float(self.cells.items)
        total = math.fsum((gains * counts).tolist())
        mean = self._scale * total * kernels.exact_sum(self._ranks.discounts * self._ranks.weights) / n
        g2, g3, g4 = _central(gains, counts, 0.0, n)
        d2, d3, d4 = _central(self._ranks.discounts, self._ranks.weights, float(n - self._ranks.depth), n)
        if not g2 * d2:
            return KnownMoments(mean, 0.0, math.nan, math.nan)
        skewness = n * g3 * d3 / ((n - 1) * (n - 2)) / (g2 * d2 / (n - 1)) ** 1.5 if n > 2 else 0.0
        # By how many of the four ranks are distinct: none, pairs, one pair, all.
        fourth = d4 * g4 / n + (4 * d4 * g4 + 3 * (d2 * d2 - d4) * (g2 * g2 - g4)) / (n * (n - 1))
        if n > 2:
            fourth += 6 * (2 * d4 - d2 * d2) * (2 * g4 - g2 * g2) / (n * (n - 1) * (n - 2))
        if n > 3:
            rest = n * (n - 1) * (n - 2) * (n - 3)
            fourth += (3 * d2 * d2 - 6 * d4) * (3 * g2 * g2 - 6 * g4) / rest
        var = self._scale**2 * g2 * d2 / (n - 1)
        return KnownMoments(mean, var, skewness, fourth / (g2 * d2 / (n - 1)) ** 2 - 3)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        left = np.tile(np.array(self.cells.counts, dtype=np.float64), (size, 1))
        total = np.zeros(size)
        for rank, discount in enumerate(self._ranks.discounts.tolist()):
            steps = np.cumsum(left, axis=1)
            drawn = (generator.random(size) * (self.cells.items - rank))[:, None] >= steps[:, :-1]
            kind = drawn.sum(axis=1)
            total += self.cells.gains[kind] * discount
            left[np.arange(size), kind] -= 1
        return total * self._scale


class EnumeratedStatistic(LinearRankStatistic):
    """The law by two halves of the ranks, met in the middle: exact, atoms too."""

    _method = "enumeration"
    _exact = True

    @cached_property
    def _halves(self) -> Halves:
        return halves(self.cells)

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        x += self._slack if upper != atom else -self._slack
        return min(self._halves.log_side(x / self._scale, upper=upper), 0.0), 0.0, self._method

    def _inverse(self, q: float, *, upper: bool) -> float:
        start = self.mean(), self.std(), self.skewness()
        return quantile(
            lambda x: (self._log_cdf(x)[0], self._log_sf(x)[0]), q, not upper, self._bounds, start, lambda x: x
        )

    def _log_pmf(self, x: float) -> Answer:
        # The difference of the two on the side where they are smaller.
        upper = self._log_tail(x)[0] <= self._log_cdf(x)[0]
        whole, beyond = (self._log_side(x, upper=upper, atom=atom)[0] for atom in (True, False))
        return (whole + math.log(-math.expm1(beyond - whole)) if beyond < whole else -math.inf), 0.0, self._method


def _central(values: Floats, weights: Floats, zeros: float, n: float) -> list[float]:
    mean = kernels.exact_sum(values * weights) / n
    return [math.fsum([kernels.exact_sum((values - mean) ** p * weights), zeros * (-mean) ** p]) for p in (2, 3, 4)]
