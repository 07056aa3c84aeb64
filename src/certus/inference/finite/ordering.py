"""Samples at least as extreme as the one seen, where extreme means a high posterior lower limit of a share.

The share rises in the count x of one stratum and falls in the count y of the other. The posterior of x rises with the
hits k in its sample and that of y with its hits j; so the samples with a limit of at least t are, for each k, those
with j up to some ``c(k)``, and c never falls. It is traced from sample to sample with one posterior probability a step:
the limit is at least t where the posterior mass of shares below t is less than `tail`.

Exact limits are exact for any order of the samples. So where a stratum has more than 20,000 unchecked items, the
beta-binomial counts are replaced, for the order alone, by beta laws with the same mean and variance, which rise with
the hits too.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats, Ints
from certus.inference.finite.count_law import CountLaw, beta_binomial
from certus.inference.finite.share_of_two import FAR, ShareOf, first_y
from certus.inference.finite.strata_posterior import SharePosterior
from certus.inference.special import preload
from certus.statistic.strata import Stratum

__all__ = ["Ordering"]

LATTICE = 20_000
_NODES = 64
_REACH = 9.0


class _BetaLaw(NamedTuple):
    """The law of ``shift + scale * B`` with B of the law Beta(a, b)."""

    shift: int
    scale: int
    a: float
    b: float

    @property
    def coefficient_of_variation(self) -> float:
        """The standard deviation as a part of the mean."""
        total = self.a + self.b
        deviation = math.sqrt(self.a * self.b / (total + 1)) / total
        return self.scale * deviation / (self.shift + self.scale * self.a / total)

    def ends(self) -> tuple[float, float]:
        """Beyond nine standard deviations of ``arcsin(sqrt(B))``, whose law is near a normal one for any mean."""
        middle, reach = math.atan2(math.sqrt(self.a), math.sqrt(self.b)), _REACH / (2 * math.sqrt(self.a + self.b))
        return max(middle - reach, 0.0), min(middle + reach, math.pi / 2)

    def points(self) -> tuple[Floats, Floats]:
        """Points and weights of an expectation."""
        low, high = self.ends()
        nodes, weights = _legendre()
        u = low + (high - low) * nodes
        sine, cosine = np.sin(u), np.cos(u)
        log_density = (2 * self.a - 1) * np.log(sine) + (2 * self.b - 1) * np.log(cosine)
        mass = weights * np.exp(log_density - log_density.max())
        return self.shift + self.scale * sine**2, mass / mass.sum()

    def below(self, edge: Floats) -> Floats:
        """Probability of less than `edge`."""
        low, high = (math.sin(end) ** 2 for end in self.ends())
        rate = (edge - self.shift) / self.scale
        found = (rate >= high).astype(np.float64)
        inside = (rate > low) & (rate < high)
        found[inside] = preload().betainc(self.a, self.b, rate[inside])
        return found


class Ordering:
    """The samples of two strata by the posterior lower limit, which leaves out `tail`, of a share of x and y.

    Parameters
    ----------
    x, y
        The strata; their own hits are those of the sample seen.
    share
        The share; it rises in x and falls in y.
    a
        Both parameters of the beta prior of the strata's rates.
    tail
        Posterior mass below the limit.
    """

    def __init__(self, x: Stratum, y: Stratum, share: ShareOf, a: float, tail: float) -> None:
        self._x, self._y, self._share, self._tail = x, y, share, tail
        few = LATTICE if max(x.rest, y.rest) <= LATTICE else 2 * _NODES
        self._x_law = functools.lru_cache(maxsize=1)(lambda hits: _law(x, hits, a, few))
        self._y_law = functools.lru_cache(maxsize=1)(lambda hits: _law(y, hits, a, few))

    def seen(self) -> float:
        """The limit of the sample seen."""
        k, j = self._x.hits, self._y.hits
        x, y = self._x_law(k), self._y_law(j)
        if isinstance(x, CountLaw) and isinstance(y, CountLaw):
            return float(SharePosterior(x, y, self._share).ppf(self._tail))
        low, high = 0.0, 1.0
        while True:
            middle = low + (high - low) / 2
            if middle in (low, high):
                return low
            if self._below(k, j, middle) < self._tail:
                low = middle
            else:
                high = middle

    def threshold(self, first: int, end: int) -> Ints:
        """For each number of hits in the first sample, the most in the other with a limit as high; -1 for none.

        Numbers of hits before `first` and from `end` on are not looked at: their entries mean nothing.
        """
        limit = self.seen()
        most = np.full(self._x.checked + 1, -1, dtype=np.int64)
        low, high = -1, self._y.checked + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._below(first, middle, limit) < self._tail else (low, middle)
        for k in range(first, end):
            while low < self._y.checked and self._below(k, low + 1, limit) < self._tail:
                low += 1
            most[k] = low
        # The sample itself, should rounding have put it a last digit below its own limit.
        most[self._x.hits :] = np.maximum(most[self._x.hits :], self._y.hits)
        return most

    def _below(self, k: int, j: int, t: float) -> float:
        """Posterior probability, after k and j hits, that the share is less than t."""
        if t <= 1 / FAR:  # no share lies between 0 and that
            return 0.0
        x, y = self._x_law(k), self._y_law(j)
        if isinstance(x, CountLaw):
            if isinstance(y, CountLaw):
                return float(x.mass @ y.at_least(first_y(self._share, x.support, t, strict=True)))
            return 1 - float(x.mass @ y.below(self._share.boundary(x.support.astype(np.float64), t)))
        if isinstance(y, CountLaw):
            return float(y.mass @ x.below(self._share.inverse(y.support.astype(np.float64), t)))
        # Over the law that leaves the other's probability smooth.
        if x.coefficient_of_variation < y.coefficient_of_variation:
            points, weights = x.points()
            return 1 - float(weights @ y.below(self._share.boundary(points, t)))
        points, weights = y.points()
        return float(weights @ x.below(self._share.inverse(points, t)))


def _law(stratum: Stratum, hits: int, a: float, few: int) -> CountLaw | _BetaLaw:
    """The posterior of the count; for more than `few` unchecked items the beta law of the same mean and variance."""
    missed = stratum.checked - hits
    if stratum.rest <= few:
        return beta_binomial(stratum.rest, hits + a, missed + a, hits)
    total = stratum.checked + 2 * a
    factor = (stratum.rest - 1) / (total + stratum.rest)
    return _BetaLaw(hits, stratum.rest, factor * (hits + a), factor * (missed + a))


@functools.cache
def _legendre() -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2
