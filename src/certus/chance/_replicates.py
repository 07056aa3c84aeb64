"""A distribution known from random draws."""

import math
from functools import cached_property

import numpy as np

from certus.chance._distribution import SAME, Distribution, Floats

__all__ = ["LEVEL", "Replicates"]

LEVEL = 0.999
"""Confidence of the errors that random draws have; an error of 95 % would be exceeded in one answer of twenty."""


class Replicates(Distribution):
    """A distribution of which there are independent draws, and nothing else.

    P(X >= x) and P(X <= x) are ``(1 + draws there) / (1 + draws)``: the observed value counts as one draw more, so that
    a p-value is never 0 and never too small on average (Davison & Hinkley 1997, chapter 4). Their error is how far the
    limits of the exact binomial interval (Clopper & Pearson 1934) at level 0.999 lie from them at most.

    Parameters
    ----------
    values
        The draws, in any order.
    support
        Least and greatest possible value, where known; else the least and greatest draw.
    """

    def __init__(self, values: Floats, support: tuple[float, float] | None = None) -> None:
        self._values = np.sort(values)
        low, high = float(self._values[0]), float(self._values[-1])
        self._support = (low, high) if support is None else (min(low, support[0]), max(high, support[1]))

    @property
    def method(self) -> str:
        """How probabilities are found."""
        return "Monte Carlo"

    @property
    def exact(self) -> bool:
        """Whether probabilities are exact up to rounding."""
        return False

    def __len__(self) -> int:
        return len(self._values)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return self._support

    def mean(self) -> float:
        """Mean of the draws."""
        return math.fsum(self._values.tolist()) / len(self._values)

    @cached_property
    def _deviations(self) -> Floats:
        return np.asarray(self._values - self.mean())

    def _central(self, power: int) -> float:
        return float(np.mean(self._deviations**power))

    def var(self) -> float:
        """Variance of the draws, the unbiased estimate."""
        if self._values[0] == self._values[-1]:
            return 0.0
        return self._central(2) * len(self._values) / (len(self._values) - 1)

    def skewness(self) -> float:
        """Third central moment over the cube of the standard deviation; NaN where that is 0."""
        return self._central(3) / self._central(2) ** 1.5 if self.var() else math.nan

    def kurtosis(self) -> float:
        """Fourth central moment over the squared variance, less 3; NaN where the variance is 0."""
        return self._central(4) / self._central(2) ** 2 - 3 if self.var() else math.nan

    def _places(self, x: float) -> tuple[int, int]:
        """How many draws lie below x, and how many at or below."""
        low, high = self._support
        slack = SAME * max(high - low, abs(low), abs(high))
        return (
            int(np.searchsorted(self._values, x - slack, side="left")),
            int(np.searchsorted(self._values, x + slack, side="right")),
        )

    def _log_share(self, hits: int, extra: int) -> tuple[float, float, str]:
        draws = len(self._values)
        share = (hits + extra) / (draws + 1)
        low, high = _clopper_pearson(hits, draws)
        return (math.log(share) if share else -math.inf), max(high - share, share - low), self.method

    def _log_tail(self, x: float) -> tuple[float, float, str]:
        return self._log_share(len(self._values) - self._places(x)[0], 1)

    def _log_sf(self, x: float) -> tuple[float, float, str]:
        return self._log_share(len(self._values) - self._places(x)[1], 0)

    def _log_cdf(self, x: float) -> tuple[float, float, str]:
        return self._log_share(self._places(x)[1], 1)

    def _log_pmf(self, x: float) -> tuple[float, float, str]:
        below, up_to = self._places(x)
        return self._log_share(up_to - below, 0)

    def _ppf(self, q: float) -> float:
        return float(self._values[max(math.ceil(q * len(self._values) - SAME) - 1, 0)])

    def _isf(self, q: float) -> float:
        return self._ppf(1 - q)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        return np.asarray(generator.choice(self._values, size))


def _clopper_pearson(hits: int, draws: int) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail = (1 - LEVEL) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, draws - hits + 1, tail))
    high = 1.0 if hits == draws else float(betaincinv(hits + 1, draws - hits, 1 - tail))
    return low, high
