"""Posterior laws of shares of counts: frozen distributions with the names of scipy's."""

import functools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.inference.finite._compress import compress
from certus.inference.finite._count_law import CountLaw
from certus.inference.finite._shares import ShareOf, first_y

__all__ = ["CountPosterior", "Posterior", "SharePosterior"]

Floats = NDArray[np.float64]

RESOLUTION = 1e-14
"""Width of the bracket of a quantile; the values of a share are further apart in populations up to ten million."""


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
        """The least value of the share of which the cdf is at least q."""
        return _each(self._quantile, q)

    def isf(self, q: ArrayLike) -> Any:
        """The least value of the share of which the sf is at most q."""
        return _each(self._upper_quantile, q)

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

    ``P(share <= r)`` is the sum over the first count x of its probability times that of as many of the second as bring
    the share down to r.

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
        self._lost = x.at_zero() * y.at_zero() if given_any else 0.0
        self.truncation = x.cut + y.cut

    def _at_most(self, r: float) -> float:
        if r < 0 or r >= 1:
            return float(r >= 1)
        mass = float(self._x.mass @ self._y.at_least(self._first_y(r)))
        return min(max(mass - self._lost, 0.0) / (1 - self._lost), 1.0)

    def _above(self, r: float) -> float:
        if r < 0 or r >= 1:
            return float(r < 0)
        # Without a relevant item the share counts as 0 here, which is never above r.
        return min(float(self._x.mass @ self._y.below(self._first_y(r))) / (1 - self._lost), 1.0)

    def _quantile(self, q: float) -> float:
        return self._least(lambda r: self._at_most(r) - q)

    def _upper_quantile(self, q: float) -> float:
        return self._least(lambda r: q - self._above(r))

    def _first_y(self, r: float) -> NDArray[np.int64]:
        return first_y(self._share, self._x.support, r, strict=False)

    def _least(self, excess: Callable[[float], float]) -> float:
        """The least attained value at which a function that never falls is 0 or more.

        By the ITP method (Oliveira & Takahashi 2020, ACM TOMS 47(1):5, doi:10.1145/3423597): secant steps where the
        function is smooth, and nowhere more steps than halving takes.
        """
        low, high, at_low, at_high = 0.0, 1.0, excess(0.0), excess(1.0)
        if at_low >= 0 or at_high < 0:
            return self._attained(0.0 if at_low >= 0 else 1.0)
        steps = math.ceil(math.log2(1 / RESOLUTION)) + 1
        while high - low > RESOLUTION:
            middle, width = low + (high - low) / 2, high - low
            radius = max(RESOLUTION / 2 * 2.0**steps - width / 2, 0.0)
            steps -= 1
            secant = (at_high * low - at_low * high) / (at_high - at_low)
            side = 1.0 if middle >= secant else -1.0
            moved = 0.2 * width * width
            point = secant + side * moved if moved <= abs(middle - secant) else middle
            point = point if abs(point - middle) <= radius else middle - side * radius
            if not low < point < high:
                point = middle
            found = excess(point)
            if found >= 0:
                high, at_high = point, found
            else:
                low, at_low = point, found
        return self._attained(high)

    def _attained(self, r: float) -> float:
        """The greatest value with mass that is at most r; values with mass are whole numbers of both counts."""
        y = np.maximum(self._first_y(r), self._y.start)
        possible = y <= self._y.last
        if not possible.any():
            return r
        return float(np.max(self._share.value(self._x.support[possible], y[possible])))

    @functools.cached_property
    def _moments(self) -> tuple[float, float]:
        x, p = compress(self._x)
        y, q = compress(self._y)
        values = self._share.value(x[:, np.newaxis], y)
        mean = float(p @ values @ q) / (1 - self._lost)
        spread = float(p @ (values - mean) ** 2 @ q) - self._lost * mean * mean
        return mean, math.sqrt(max(spread / (1 - self._lost), 0.0))


def _each(function: Callable[[float], float], values: ArrayLike) -> Any:
    given = np.asarray(values, dtype=np.float64)
    found = np.array([math.nan if math.isnan(value) else function(float(value)) for value in given.ravel()])
    return found.reshape(given.shape) if given.ndim else float(found[0])
