"""A distribution known from random draws."""

import math
from collections.abc import Callable
from functools import cached_property, partial
from typing import Self

import numpy as np

from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.probability import Answer
from certus.core.arrays import Floats
from certus.transform.quantile import RELATIVE_TOLERANCE

_DRAWS = 20_000
"""Draws of a picture."""

_WORK = 2e7
"""Ranks filled in all draws: less than a second."""
_LEAST_DRAWS, _MOST_DRAWS = 1000, 1 << 17

LEVEL = 0.999
"""Confidence of the errors that random draws have; an error of 95 % would be exceeded in one answer of twenty."""

LogBound = Callable[[float, bool], float]
"""Logarithm of an upper bound of P(X >= x), or of P(X <= x) where the second argument is False."""


class Replicates(Distribution):
    """A distribution of which there are independent draws, and nothing else.

    P(X >= x) and P(X <= x) are ``(1 + draws there) / (1 + draws)``: the observed value counts as one draw more, so that
    a p-value is never 0 and never too small on average (Davison & Hinkley 1997, chapter 4). Their error is how far the
    limits of the exact binomial interval (Clopper & Pearson 1934) at level 0.999 lie from them at most.

    The draws of a law say of a side without draws only that it is rare, and a bound of the law may say more: its
    probability is half of what one draw there would give, or half of the bound, and its error reaches up to the lesser
    of the two limits.
    """

    _method = "Monte Carlo"

    def __init__(
        self, values: Floats, support: tuple[float, float] | None = None, bound: LogBound | None = None
    ) -> None:
        self._values = np.sort(values)
        low, high = float(self._values[0]), float(self._values[-1])
        self._support = (low, high) if support is None else (min(low, support[0]), max(high, support[1]))
        self._bound = bound

    @classmethod
    def from_law(
        cls,
        law: Distribution,
        cost: float = 0.0,
        support: tuple[float, float] | None = None,
        bound: Callable[[float], float] | None = None,
    ) -> Self:
        """Draws of a law: as many as a picture shows, or as the `cost` of one draw, in ranks filled, allows.

        `bound` gives the logarithm of an upper bound of P(X >= x).
        """
        size = int(min(max(_WORK / cost, _LEAST_DRAWS), _MOST_DRAWS)) if cost else _DRAWS
        return cls(law.rvs(size), support, partial(_log_bound, law, bound))

    def __len__(self) -> int:
        return len(self._values)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return self._support

    @cached_property
    def _moments(self) -> KnownMoments:
        """Moments of the draws; the variance is the unbiased estimate."""
        count = len(self._values)
        mean = math.fsum(self._values.tolist()) / count
        if self._values[0] == self._values[-1]:
            return KnownMoments(mean, 0.0, math.nan, math.nan)
        deviations = self._values - mean
        second, third, fourth = (float(np.mean(deviations**power)) for power in (2, 3, 4))
        return KnownMoments.central(mean, second, third, fourth)._replace(var=second * count / (count - 1))

    def _index_range(self, x: float) -> tuple[int, int]:
        """Numbers of draws below x, and at or below it."""
        low, high = self._support
        slack = RELATIVE_TOLERANCE * max(high - low, abs(low), abs(high))
        return (
            int(np.searchsorted(self._values, x - slack, side="left")),
            int(np.searchsorted(self._values, x + slack, side="right")),
        )

    def _log_share(self, hits: int, extra: int) -> Answer:
        draws = len(self._values)
        share = (hits + extra) / (draws + 1)
        low, high = _clopper_pearson(hits, draws)
        return (math.log(share) if share else -math.inf), max(high - share, share - low), self._method

    def log_unseen(self, x: float, *, upper: bool) -> tuple[float, float, str] | None:
        """Logs of the probability from x on and of its upper limit, and the method; None where draws lie there."""
        if self._bound is None or self._index_range(x)[not upper] != (len(self._values) if upper else 0):
            return None
        rare, bound = math.log(least_error(len(self._values))), self._bound(x, upper)
        log = min(-math.log(len(self._values) + 1), bound) - math.log(2)
        return log, min(rare, bound), "bound" if bound < rare else self._method

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        for is_tail in (True, False):
            if (unseen := self.log_unseen(x, upper=upper == is_tail)) is not None:
                log, limit, method = unseen
                error = max(math.exp(limit) - math.exp(log), math.ulp(0.0))
                return log if is_tail else math.log1p(-math.exp(log)), error, method
        n_below = self._index_range(x)[upper != atom]
        return self._log_share(len(self._values) - n_below if upper else n_below, int(atom))

    def _log_pmf(self, x: float) -> Answer:
        n_below, up_to = self._index_range(x)
        return self._log_share(up_to - n_below, 0)

    def _inverse(self, q: float, *, upper: bool) -> float:
        q = 1 - q if upper else q
        return float(self._values[max(math.ceil(q * len(self._values) - RELATIVE_TOLERANCE) - 1, 0)])

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        return np.asarray(generator.choice(self._values, size))


def log_cantelli(law: Distribution, x: float, *, upper: bool) -> float:
    """Log of Cantelli's bound of the probability from x on, by mean and variance alone."""
    distance = (x - law.mean()) * (1 if upper else -1)
    return -math.log1p(distance**2 / law.var()) if distance > 0 and law.var() > 0 else 0.0


def _log_bound(law: Distribution, bound: Callable[[float], float] | None, x: float, upper: bool) -> float:
    cantelli = log_cantelli(law, x, upper=upper)
    return min(cantelli, bound(x)) if upper and bound is not None else cantelli


def least_error(draws: int) -> float:
    """Error of a probability of which no draw is an example."""
    return _clopper_pearson(0, draws)[1]


def _clopper_pearson(hits: int, draws: int) -> tuple[float, float]:
    from scipy.special import betaincinv

    tail = (1 - LEVEL) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, draws - hits + 1, tail))
    high = 1.0 if hits == draws else float(betaincinv(hits + 1, draws - hits, 1 - tail))
    return low, high
