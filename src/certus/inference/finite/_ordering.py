"""Which samples are at least as extreme as the one seen, where extreme means a high posterior lower limit of a share.

The share rises in the count x of one stratum and falls in the count y of the other. The posterior of x rises with the
hits k in its sample and that of y with its hits j; so the samples with a limit of at least t are, for each k, those
with j up to some ``c(k)``, and c never falls. It is traced from sample to sample with one posterior probability a step:
the limit is at least t where the posterior mass of shares below t is less than `tail`.

Exact limits are exact for any order of the samples. So where a stratum has more than 20,000 unchecked items, its
beta-binomial count is replaced, for the order alone, by a beta law with the same mean and variance, which rises with
the hits too.
"""

import functools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.inference._special import preload
from certus.inference.finite._count_law import CountLaw, beta_binomial
from certus.inference.finite._shares import ShareOf, first_y
from certus.inference.finite.strata_posterior import SharePosterior
from certus.statistic import Stratum

__all__ = ["Ordering"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LATTICE = 20_000
_NODES = 128
_REACH = 9.0


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
        # A sum over whole numbers x of beta tails would cost most of all: beside a beta law x soon has one too.
        few = LATTICE if y.rest <= LATTICE else _NODES
        self._x_law = functools.lru_cache(maxsize=1)(lambda hits: _points(x, hits, a, few))
        self._y_law = functools.lru_cache(maxsize=1)(lambda hits: _law(y, hits, a, LATTICE))

    def seen(self) -> float:
        """The limit of the sample seen."""
        k, j = self._x.hits, self._y.hits
        _, _, law = self._x_law(k)
        other = self._y_law(j)
        if law is not None and isinstance(other, CountLaw):
            return SharePosterior(law, other, self._share).ppf(self._tail)  # type: ignore[no-any-return]
        low, high = 0.0, 1.0
        while True:
            middle = low + (high - low) / 2
            if middle in (low, high):
                return low
            if self._below(k, j, middle) < self._tail:
                low = middle
            else:
                high = middle

    def threshold(self) -> Ints:
        """For each number of hits k in the first sample, the most hits in the other with a limit as high as seen; -1
        for none.
        """
        limit = self.seen()
        most = np.empty(self._x.checked + 1, dtype=np.int64)
        j = -1
        for k in range(self._x.checked + 1):
            while j < self._y.checked and self._below(k, j + 1, limit) < self._tail:
                j += 1
            most[k] = j
        # The sample itself, should rounding have put it a last digit below its own limit.
        most[self._x.hits :] = np.maximum(most[self._x.hits :], self._y.hits)
        return most

    def _below(self, k: int, j: int, t: float) -> float:
        """Posterior probability, after k and j hits, that the share is less than t."""
        points, weights, law = self._x_law(k)
        other = self._y_law(j)
        if law is not None and isinstance(other, CountLaw):
            return float(weights @ other.at_least(first_y(self._share, law.support, t, strict=True)))
        edge = self._share.boundary(points, t)
        if isinstance(other, CountLaw):
            clipped = np.clip(edge, -1.0, float(self._y.size))
            return float(weights @ other.at_least(np.floor(clipped).astype(np.int64) + 1))
        shift, scale, a, b = other
        return float(weights @ preload().betaincc(a, b, np.clip((edge - shift) / scale, 0.0, 1.0)))


def _points(stratum: Stratum, hits: int, a: float, few: int) -> tuple[Floats, Floats, CountLaw | None]:
    """Points and weights of the law of the count; and that law, where it is one of whole numbers."""
    law = _law(stratum, hits, a, few)
    if isinstance(law, CountLaw):
        return law.support.astype(np.float64), law.mass, law
    shift, scale, a, b = law
    # With rate = sin(u)**2 the law of u is near a normal one of standard deviation 1 / (2 sqrt(a + b)) at any rate.
    middle, reach = math.atan2(math.sqrt(a), math.sqrt(b)), _REACH / (2 * math.sqrt(a + b))
    low, high = max(middle - reach, 0.0), min(middle + reach, math.pi / 2)
    nodes, weights = _legendre()
    u = low + (high - low) * nodes
    sine, cosine = np.sin(u), np.cos(u)
    log_density = (2 * a - 1) * np.log(sine) + (2 * b - 1) * np.log(cosine)
    mass = weights * np.exp(log_density - log_density.max())
    return shift + scale * sine**2, mass / mass.sum(), None


def _law(stratum: Stratum, hits: int, a: float, few: int) -> Any:
    """The posterior of the count: a `CountLaw` for up to `few` unchecked items, else ``(shift, scale, a, b)`` of a beta
    law with its mean and variance.
    """
    missed = stratum.checked - hits
    if stratum.rest <= few:
        return beta_binomial(stratum.rest, hits + a, missed + a, hits)
    total = stratum.checked + 2 * a
    factor = (stratum.rest - 1) / (total + stratum.rest)
    return hits, stratum.rest, factor * (hits + a), factor * (missed + a)


@functools.cache
def _legendre() -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2
