"""Posterior laws of shares of counts: frozen distributions with the names of scipy's."""

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from certus.arrays import Ints
from certus.inference.finite.shares import ShareOf, first_x, first_y
from certus.inference.finite.unimodal import CountLaw, compress
from certus.inference.special import normal_quantile

_LEAST = 1e-16
"""Probabilities nearer to 0 or 1 are taken as this near where a search takes its direction from them."""
_SPARE = 8
"""Steps that a search may take beyond those of halving."""


class Posterior(ABC):
    """The posterior law of a share. A frozen distribution: `cdf`, `sf`, `ppf`, `isf`, `mean`, `std`, `interval`."""

    truncation: float
    """Bound of the posterior mass that the sums leave out: 0, or at most a few 1e-16."""

    def cdf(self, r: ArrayLike) -> Any:
        """Probability that the share is at most r."""
        return _each(self._at_most, r)

    def sf(self, r: ArrayLike) -> Any:
        """Probability that the share is more than r."""
        return _each(self._above, r)

    def ppf(self, q: ArrayLike) -> Any:
        """The least value of the share of which the cdf is at least q; NaN where q is not a probability."""
        return _each(self._quantile, q, probabilities=True)

    def isf(self, q: ArrayLike) -> Any:
        """The least value of the share of which the sf is at most q; NaN where q is not a probability."""
        return _each(self._upper_quantile, q, probabilities=True)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The two values outside which, on either side, lies a mass of at most ``(1 - level) / 2``."""
        tail = (1 - level) / 2
        return self.ppf(tail), self.isf(tail)

    def median(self) -> float:
        """The least value of which the cdf is at least one half."""
        return float(self.ppf(0.5))

    def mean(self) -> float:
        """The expected share."""
        return self._moments[0]

    def std(self) -> float:
        """The standard deviation of the share."""
        return self._moments[1]

    @abstractmethod
    def _at_most(self, r: float) -> float: ...

    @abstractmethod
    def _above(self, r: float) -> float: ...

    @abstractmethod
    def _quantile(self, q: float) -> float: ...

    @abstractmethod
    def _upper_quantile(self, q: float) -> float: ...

    @functools.cached_property
    @abstractmethod
    def _moments(self) -> tuple[float, float]: ...


class CountPosterior(Posterior):
    """The law of ``X / size``: precision and elusion."""

    def __init__(self, x: CountLaw, size: int) -> None:
        self._x, self._size = x, size
        self.truncation = x.cut

    def _at_most(self, r: float) -> float:
        return float(self._x.below(np.array([self._count(r) + 1]))[0])

    def _above(self, r: float) -> float:
        return float(self._x.at_least(np.array([self._count(r) + 1]))[0])

    def _quantile(self, q: float) -> float:
        place = int(np.searchsorted(self._x.up_to[1:], q))
        return (self._x.start + min(place, len(self._x.mass) - 1)) / self._size

    def _upper_quantile(self, q: float) -> float:
        falling = self._x.from_on[1:]
        place = len(falling) - int(np.searchsorted(falling[::-1], q, side="right"))
        return (self._x.start + min(place, len(falling) - 1)) / self._size

    def _count(self, r: float) -> int:
        """The greatest count of which the share is at most r, as a correctly rounded quotient."""
        count = math.floor(min(max(r, -1.0), 2.0) * self._size) + 1
        while count / self._size > r and count >= 0:
            count -= 1
        return count

    @functools.cached_property
    def _moments(self) -> tuple[float, float]:
        x = self._x.support.astype(np.float64)
        mean = float(self._x.mass @ x)
        return mean / self._size, math.sqrt(float(self._x.mass @ (x - mean) ** 2)) / self._size


class SharePosterior(Posterior):
    """The law of a share of two independent counts: recall and F1.

    ``P(share <= r)`` is the sum over the count x of its probability times that of as many y as bring the share down to
    r, or, where y has fewer values, the sum over y of its probability times that of so few x.

    Parameters
    ----------
    x, y
        Laws of the relevant items among the predicted ones and among the others.
    share
        The share as a function of the two.
    given_any
        Whether the share is undefined without a relevant item (recall); the law is then that given that there is one.
    """

    def __init__(self, x: CountLaw, y: CountLaw, share: ShareOf, *, given_any: bool = False) -> None:
        self._x, self._y, self._share = x, y, share
        self._over_y = len(y.mass) < len(x.mass)
        self._outer, self._inner = (y, x) if self._over_y else (x, y)
        self._lost = x.at_zero() * y.at_zero() if given_any else 0.0
        self.truncation = x.cut + y.cut

    def _at_most(self, r: float) -> float:
        return float(r >= 1) if r < 0 or r >= 1 else self._up_to(self._edge(r))

    def _above(self, r: float) -> float:
        return float(r < 0) if r < 0 or r >= 1 else self._beyond(self._edge(r))

    def _quantile(self, q: float) -> float:
        return self._least(q, self._up_to, 1.0)

    def _upper_quantile(self, q: float) -> float:
        return self._least(q, self._beyond, -1.0)

    def _edge(self, r: float) -> Ints:
        """For each x the least y with which the share is at most r; or for each y the least x with which it is more."""
        if self._over_y:
            return first_x(self._share, self._outer.support, r, self._inner.last)
        return first_y(self._share, self._outer.support, r, strict=False)

    def _up_to(self, edge: Ints) -> float:
        """Mass of the shares that are at most r, by their edge."""
        parts = self._inner.below(edge) if self._over_y else self._inner.at_least(edge)
        return min(max(float(self._outer.mass @ parts) - self._lost, 0.0) / (1 - self._lost), 1.0)

    def _beyond(self, edge: Ints) -> float:
        """Mass of the shares above r. Without a relevant item the share counts as 0 here, which is never above."""
        parts = self._inner.at_least(edge) if self._over_y else self._inner.below(edge)
        return min(float(self._outer.mass @ parts) / (1 - self._lost), 1.0)

    def _least(self, q: float, mass: Callable[[Ints], float], sign: float) -> float:
        """The least value at which ``sign * (mass - q)``, which never falls, is 0 or more.

        Secant steps on the normal scale, where it is close to a line, inside a bracket that never takes many more
        steps than halving would (ITP; Oliveira & Takahashi 2020, ACM TOMS 47(1):5, doi:10.1145/3423597). Once few
        pairs of counts have their value in the bracket, they are sorted, and the answer is exact.
        """
        goal = normal_quantile(min(max(q, _LEAST), 1 - _LEAST))

        def score(p: float) -> float:
            return sign * (normal_quantile(min(max(p, _LEAST), 1 - _LEAST)) - goal)

        low, high = 0.0, 1.0
        edge_low, edge_high = self._edge(low), self._edge(high)
        at_low, at_high = mass(edge_low), mass(edge_high)
        if sign * (at_low - q) >= 0:
            return 0.0
        if sign * (at_high - q) < 0:  # by rounding only
            return 1.0
        few = max(len(edge_low), 10_000)
        slack = 2.0**_SPARE
        z_low, z_high = score(at_low), score(at_high)
        while abs(float((edge_low - edge_high).sum(dtype=np.float64))) > few:
            middle, width = low + (high - low) / 2, high - low
            secant = (z_high * low - z_low * high) / (z_high - z_low) if z_high > z_low else middle
            side = 1.0 if middle >= secant else -1.0
            moved = 0.2 * width * width
            point = secant + side * moved if moved <= abs(middle - secant) else middle
            radius = max(slack - width / 2, 0.0)
            slack /= 2
            point = point if abs(point - middle) <= radius else middle - side * radius
            point = point if low < point < high else middle
            if not low < point < high:
                break
            edge = self._edge(point)
            found = mass(edge)
            if sign * (found - q) >= 0:
                high, edge_high, z_high = point, edge, score(found)
            else:
                low, edge_low, at_low, z_low = point, edge, found, score(found)
        first, end = (edge_low, edge_high) if self._over_y else (edge_high, edge_low)
        return self._among(first, end, sign * (q - at_low), high)

    def _among(self, first: Ints, end: Ints, wanted: float, high: float) -> float:
        """The least value of the pairs between two edges up to which they hold the mass `wanted`."""
        first, end = np.maximum(first, self._inner.start), np.minimum(end, self._inner.last + 1)
        lengths = np.maximum(end - first, 0)
        outer = np.repeat(np.arange(len(lengths)), lengths)
        inner = np.arange(len(outer)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(first, lengths)
        if not len(outer):
            return high
        counts = self._outer.support[outer], inner
        values = self._share.value(*(counts[::-1] if self._over_y else counts))
        order = np.argsort(values)
        masses = self._outer.mass[outer] * self._inner.mass[inner - self._inner.start]
        sums = np.cumsum(masses[order]) / (1 - self._lost)
        place = min(int(np.searchsorted(sums, wanted)), len(order) - 1)
        return float(values[order[place]])

    @functools.cached_property
    def _moments(self) -> tuple[float, float]:
        x, p = compress(self._x)
        y, q = compress(self._y)
        values = self._share.value(x[:, np.newaxis], y)
        mean = float(p @ values @ q) / (1 - self._lost)
        spread = float(p @ (values - mean) ** 2 @ q) - self._lost * mean * mean
        return mean, math.sqrt(max(spread / (1 - self._lost), 0.0))


def _each(function: Callable[[float], float], values: ArrayLike, *, probabilities: bool = False) -> Any:
    given = np.asarray(values, dtype=np.float64)
    least, most = (0.0, 1.0) if probabilities else (-math.inf, math.inf)
    found = np.array([function(value) if least <= value <= most else math.nan for value in given.ravel().tolist()])
    return found.reshape(given.shape) if given.ndim else float(found[0])
