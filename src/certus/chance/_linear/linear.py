"""The law of a sum of gains, each times its rank's discount, when the items are ranked at random."""

import math
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from certus.chance._additive.additive import Additive
from certus.chance._additive.pieces import Hits
from certus.chance._distribution import SAME, Distribution, Floats
from certus.chance._finite import Finite
from certus.chance._linear.cells import Cells, enumerated, halves, sequences
from certus.chance._linear.gains import Ranks, best
from certus.errors import DataError

__all__ = ["Linear", "Meeting", "linear"]

_LISTED = math.log(1.2e6)
"""So many sequences of gains are listed one by one."""
_MET = math.log(4e6)
"""So many look-ups find a tail when two halves of the ranks are met in the middle."""


class Linear(Distribution):
    """What all such laws share: moments in closed form, bounds, random values, quantiles by bisection.

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
        self.cells = Cells(np.array([gain for gain, _ in ordered]), [count for _, count in ordered], ranks.discounts)
        highest = best(gains, ranks)
        lowest = 0.0 - best({-gain: count for gain, count in gains.items()}, ranks)
        self._bounds = lowest * scale, highest * scale

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return self._bounds

    @property
    def _slack(self) -> float:
        return SAME * (self._bounds[1] - self._bounds[0])

    def mean(self) -> float:
        """Expected value: the mean gain times the sum of the discounts."""
        n = self.cells.items
        gains = math.fsum(g * c for g, c in zip(self.cells.gains.tolist(), self.cells.counts, strict=True))
        return self._scale * gains * math.fsum((self._ranks.discounts * self._ranks.weights).tolist()) / n

    @cached_property
    def _powers(self) -> tuple[list[float], list[float]]:
        """Sums of the second, third and fourth powers of the gains and of the discounts, each less its mean."""
        n = float(self.cells.items)
        of_gains = _central(self.cells.gains, np.array(self.cells.counts, dtype=np.float64), 0.0, n)
        return of_gains, _central(self._ranks.discounts, self._ranks.weights, float(n - self._ranks.depth), n)

    def var(self) -> float:
        """Variance."""
        (g2, _, _), (d2, _, _) = self._powers
        return self._scale**2 * g2 * d2 / (float(self.cells.items) - 1)

    def skewness(self) -> float:
        """Third central moment over the cube of the standard deviation; NaN where that is 0."""
        n = float(self.cells.items)
        (g2, g3, _), (d2, d3, _) = self._powers
        if not g2 * d2:
            return math.nan
        return n * g3 * d3 / ((n - 1) * (n - 2)) / (g2 * d2 / (n - 1)) ** 1.5 if n > 2 else 0.0

    def kurtosis(self) -> float:
        """Fourth central moment over the squared variance, less 3; NaN where the variance is 0."""
        n = float(self.cells.items)
        (g2, _, g4), (d2, _, d4) = self._powers
        if not g2 * d2:
            return math.nan
        # By how many of the four ranks are distinct: none, pairs, one pair, all.
        fourth = d4 * g4 / n + (4 * d4 * g4 + 3 * (d2 * d2 - d4) * (g2 * g2 - g4)) / (n * (n - 1))
        if n > 2:
            fourth += 6 * (2 * d4 - d2 * d2) * (2 * g4 - g2 * g2) / (n * (n - 1) * (n - 2))
        if n > 3:
            rest = n * (n - 1) * (n - 2) * (n - 3)
            fourth += (3 * d2 * d2 - 6 * d4) * (3 * g2 * g2 - 6 * g4) / rest
        return fourth / (g2 * d2 / (n - 1)) ** 2 - 3

    def _ppf(self, q: float) -> float:
        if q <= 0.5:
            return self._crossing(lambda x: self._log_cdf(x)[0] - math.log(q))
        return self._crossing(lambda x: math.log1p(-q) - self._log_sf(x)[0])

    def _isf(self, q: float) -> float:
        if q <= 0.5:
            return self._crossing(lambda x: math.log(q) - self._log_sf(x)[0])
        return self._crossing(lambda x: self._log_cdf(x)[0] - math.log1p(-q))

    def _crossing(self, excess: Callable[[float], float]) -> float:
        """The least x at which `excess`, which grows with x, is not negative; q rounded up by a probability counts."""
        low, high = self._bounds
        if excess(low) >= -SAME:
            return low
        below, above = -40.0, 40.0
        side = 0
        while high - low > self._slack:
            # Regula falsi, the older end's weight halved (Illinois), never closer to an end than a hundredth.
            share = min(max(-below / (above - below), 0.01), 0.99)
            x = low + share * (high - low)
            value = min(max(excess(x) + SAME, -1e6), 1e6)
            if value >= 0:
                high, above = x, max(value, 1e-300)
                below, side = (below / 2 if side > 0 else below), 1
            else:
                low, below = x, value
                above, side = (above / 2 if side < 0 else above), -1
        return high

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        if self._ranks.grouped:
            raise DataError(
                f"{self._ranks.depth} ranks are too many to draw one by one; give a cutoff of at most 20000"
            )
        left = np.tile(np.array(self.cells.counts, dtype=np.float64), (size, 1))
        total = np.zeros(size)
        for rank, discount in enumerate(self._ranks.discounts.tolist()):
            steps = np.cumsum(left, axis=1)
            drawn = (generator.random(size) * (self.cells.items - rank))[:, None] >= steps[:, :-1]
            kind = drawn.sum(axis=1)
            total += self.cells.gains[kind] * discount
            left[np.arange(size), kind] -= 1
        return total * self._scale


class Meeting(Linear):
    """The law by two halves of the ranks, met in the middle: exact, atoms too."""

    @cached_property
    def _halves(self) -> tuple[Callable[[float], float], Callable[[float], float]]:
        found = halves(self.cells)
        return found.log_at_least, found.log_below

    @property
    def method(self) -> str:
        """How probabilities are found."""
        return "enumeration"

    @property
    def exact(self) -> bool:
        """Whether probabilities are exact up to rounding."""
        return True

    def _log_tail(self, x: float) -> tuple[float, float, str]:
        return min(self._halves[0]((x - self._slack) / self._scale), 0.0), 0.0, self.method

    def _log_sf(self, x: float) -> tuple[float, float, str]:
        return min(self._halves[0]((x + self._slack) / self._scale), 0.0), 0.0, self.method

    def _log_cdf(self, x: float) -> tuple[float, float, str]:
        return min(self._halves[1]((x + self._slack) / self._scale), 0.0), 0.0, self.method

    def _log_pmf(self, x: float) -> tuple[float, float, str]:
        # The difference of the two on the side where they are smaller.
        (upto, _, _), (above, _, _), (atleast, _, _) = self._log_cdf(x), self._log_sf(x), self._log_tail(x)
        if atleast > upto:
            above, atleast = self._halves[1]((x - self._slack) / self._scale), upto
        return (atleast + math.log(-math.expm1(above - atleast)) if above < atleast else -math.inf), 0.0, self.method


class _Known:
    """The closed moments, as the engine asks for them."""

    def __init__(self, law: Linear) -> None:
        self._law = law

    @property
    def mean(self) -> float:
        return self._law.mean()

    @property
    def var(self) -> float:
        return self._law.var()

    @property
    def skewness(self) -> float:
        return self._law.skewness()

    @property
    def kurtosis(self) -> float:
        return self._law.kurtosis()


def linear(gains: Mapping[float, int], ranks: Ranks, scale: float = 1.0) -> Distribution:
    """The law of the sum of gain times discount over the ranks, times `scale`.

    Few sequences of gains are listed. Beyond, binary gains are the engine's, that of all sums over hits. For graded
    ones two halves are met in the middle; where they are too many, the moment generating function is inverted, or
    random rankings are drawn where that would cost too much (`Smooth`).
    """
    if len(gains) == 1 or not scale:
        return Finite(np.array([best(gains, ranks) * scale]), np.zeros(1), "closed")
    law = Meeting(gains, ranks, scale)
    counts, depth = law.cells.counts, len(ranks.discounts)
    if not ranks.grouped and sequences(depth, counts) <= _LISTED:
        return enumerated(law.cells, scale)
    if len(gains) == 2 and 0.0 in gains and not ranks.grouped:
        worth = max(gains)
        hits = Hits(law.cells.items, gains[worth], "rank", ranks.discounts)
        engine = Additive([(scale * worth, 1, hits)], _Known(law))
        if engine.method != "saddlepoint":
            return engine
    half = depth - depth // 2
    states = math.fsum(math.log(min(count, half) + 1) for count in counts[1:])
    if not ranks.grouped and sequences(half, counts) + states <= _MET:
        return law
    from certus.chance._linear.smooth import Smooth

    return Smooth(gains, ranks, scale)


def _central(values: Floats, weights: Floats, zeros: float, n: float) -> list[float]:
    mean = math.fsum((values * weights).tolist()) / n
    return [math.fsum([*((values - mean) ** p * weights).tolist(), zeros * (-mean) ** p]) for p in (2, 3, 4)]
