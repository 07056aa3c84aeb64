"""A share of the relevant items as a function of two counts, and its posterior law."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from certus.core.arrays import Floats, Ints
from certus.inference.finite.unimodal import CountLaw, compress
from certus.inference.special import normal_quantile

FAR = 2**53
"""More items than any population has here."""


@dataclass(frozen=True)
class ShareOf:
    """``(x_factor x + y_factor (size - y)) / (size + x + y)``, or over the size alone; 0 where it is 0/0.

    It never falls in x and never rises in y. Recall has no parameters; F1 has the predicted items as size and x counts
    twice; with `y_factor` 1 it is 1 less F1, y being relevant among the predicted items and x among the others. A share
    `of_size` is a count over the size. Values are compared as the correctly rounded quotients of whole numbers, so that
    a limit given back is found again.
    """

    size: int = 0
    x_factor: int = 1
    y_factor: int = 0
    of_size: bool = False

    def value(self, x: Any, y: Any) -> Any:
        """The share; 0 where it is 0/0."""
        numerator = self.x_factor * x + self.y_factor * (self.size - y)
        return numerator / np.maximum(self.size if self.of_size else self.size + x + y, 1)

    def boundary(self, x: Floats, r: float) -> Floats:
        """The y, not a whole number, at which the share is r."""
        if r + self.y_factor <= 0:
            return np.where(x > 0, np.inf, 0.0)
        return ((self.x_factor - r) * x + (self.y_factor - r) * self.size) / (r + self.y_factor)

    def inverse(self, y: Floats, r: float) -> Floats:
        """The x, not a whole number, at which the share is r, for r above 0 and below 1."""
        growth = 0.0 if self.of_size else r
        return ((r - self.y_factor) * self.size + (growth + self.y_factor) * y) / (self.x_factor - growth)


def first_y(share: ShareOf, x: Ints, r: float, *, strict: bool) -> Ints:
    """The least y of at least 0 with which the share is at most r, or, if `strict`, less than r."""
    if r < 0 or (strict and r == 0):
        return np.full(len(x), FAR)
    r = r if r > 1 / FAR else 0.0  # no share lies in between
    guess = np.minimum(share.boundary(x.astype(np.float64), r), float(FAR)).astype(np.int64) - 1
    y = np.maximum(guess, 0)
    while True:
        value = share.value(x, y)
        short = ((value >= r) if strict else (value > r)) & (y < FAR)
        if not short.any():
            return y
        y += short  # one or two steps: the guess is off by the rounding of the boundary


def first_x(share: ShareOf, y: Ints, r: float, max_x: int) -> Ints:
    """The least x of at least 0 with which the share is more than r; ``most + 1`` where no x up to `max_x` is."""
    if r >= 1:
        return np.full(len(y), max_x + 1)
    # Beyond `most` the guess could be off by far more than a few steps: near 1 shares hardly differ.
    guess = np.clip(share.inverse(y.astype(np.float64), r), 0.0, float(max_x)).astype(np.int64) - 1
    x = np.maximum(guess, 0)
    while True:
        short = (share.value(x, y) <= r) & (x <= max_x)
        if not short.any():
            return x
        x += short


_SMALLEST = 1e-16
"""Probabilities nearer to 0 or 1 are taken as this near where a search takes its direction from them."""
_SPARE = 8
"""Steps that a search may take beyond those of halving."""


class SharePosterior:
    """Posterior law for a share made from two independent counts: a frozen distribution with the names of scipy's."""

    def __init__(self, x: CountLaw, y: CountLaw, share: ShareOf, *, given_any: bool = False) -> None:
        self._x, self._y, self._share = x, y, share
        self._over_y = len(y.mass) <= len(x.mass)
        self._outer, self._inner = (y, x) if self._over_y else (x, y)
        self._lost = x.probability(0) * y.probability(0) if given_any else 0.0
        self.truncation = x.cut + y.cut
        """Bound of the posterior mass that the sums leave out."""

    def __repr__(self) -> str:
        return f"SharePosterior(mean={self.mean():.6g}, std={self.std():.6g})"

    def cdf(self, r: ArrayLike) -> Any:
        """Probability that the share is at most r."""
        return _elementwise(lambda r: float(r >= 1) if r < 0 or r >= 1 else self._mass_up_to(self._edge(r)), r)

    def sf(self, r: ArrayLike) -> Any:
        """Probability that the share is more than r."""
        return _elementwise(lambda r: float(r < 0) if r < 0 or r >= 1 else self._mass_above(self._edge(r)), r)

    def ppf(self, q: ArrayLike) -> Any:
        """The least value of the share of which the cdf is at least q; NaN where q is not a probability."""
        return _elementwise(lambda q: self._quantile(q, self._mass_up_to, 1.0), q, probabilities=True)

    def isf(self, q: ArrayLike) -> Any:
        """The least value of the share of which the sf is at most q; NaN where q is not a probability."""
        return _elementwise(lambda q: self._quantile(q, self._mass_above, -1.0), q, probabilities=True)

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

    def _edge(self, r: float) -> Ints:
        """Least y with which the share is at most r, for each x; or least x with which it is more, for each y."""
        if self._over_y:
            return first_x(self._share, self._outer.support, r, self._inner.last)
        return first_y(self._share, self._outer.support, r, strict=False)

    def _mass_up_to(self, edge: Ints) -> float:
        """Mass of the shares that are at most r, by their edge."""
        parts = self._inner.chances_below(edge) if self._over_y else self._inner.chances_from(edge)
        return min(max(float(self._outer.mass @ parts) - self._lost, 0.0) / (1 - self._lost), 1.0)

    def _mass_above(self, edge: Ints) -> float:
        """Mass of the shares above r. Without a relevant item the share counts as 0 here, which is never above."""
        parts = self._inner.chances_from(edge) if self._over_y else self._inner.chances_below(edge)
        return min(float(self._outer.mass @ parts) / (1 - self._lost), 1.0)

    def _quantile(self, q: float, mass: Callable[[Ints], float], sign: float) -> float:
        """The least value at which ``sign * (mass - q)``, which never falls, is 0 or more."""
        # Secant steps on the normal scale in a bracket that takes hardly more steps than halving would (ITP; Oliveira
        # & Takahashi 2020, ACM TOMS 47(1):5, doi:10.1145/3423597). A bracket with few pairs is sorted: exact.
        goal = normal_quantile(min(max(q, _SMALLEST), 1 - _SMALLEST))

        def score(p: float) -> float:
            return sign * (normal_quantile(min(max(p, _SMALLEST), 1 - _SMALLEST)) - goal)

        low, high = 0.0, 1.0
        edge_low, edge_high = self._edge(low), self._edge(high)
        at_low, at_high = mass(edge_low), mass(edge_high)
        if sign * (at_low - q) >= 0:
            return 0.0
        if sign * (at_high - q) < 0:  # by rounding only
            return 1.0
        max_pairs = max(len(edge_low), 10_000)
        slack = 2.0**_SPARE
        z_low, z_high = score(at_low), score(at_high)
        while abs(float((edge_low - edge_high).sum(dtype=np.float64))) > max_pairs:
            middle, width = low + (high - low) / 2, high - low
            secant = (z_high * low - z_low * high) / (z_high - z_low) if z_high > z_low else middle
            side = 1.0 if middle >= secant else -1.0
            step = 0.2 * width * width
            point = secant + side * step if step <= abs(middle - secant) else middle
            radius = max(slack - width / 2, 0.0)
            slack /= 2
            point = point if abs(point - middle) <= radius else middle - side * radius
            point = point if low < point < high else middle
            if not low < point < high:
                break
            edge = self._edge(point)
            height = mass(edge)
            if sign * (height - q) >= 0:
                high, edge_high, z_high = point, edge, score(height)
            else:
                low, edge_low, at_low, z_low = point, edge, height, score(height)
        first, end = (edge_low, edge_high) if self._over_y else (edge_high, edge_low)
        return self._value_between(first, end, sign * (q - at_low), high)

    def _value_between(self, first: Ints, end: Ints, wanted: float, high: float) -> float:
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
        index = min(int(np.searchsorted(sums, wanted)), len(order) - 1)
        return float(values[order[index]])

    @functools.cached_property
    def _moments(self) -> tuple[float, float]:
        x, p = compress(self._x)
        y, q = compress(self._y)
        values = self._share.value(x[:, np.newaxis], y)
        mean = float(p @ values @ q) / (1 - self._lost)
        spread = float(p @ (values - mean) ** 2 @ q) - self._lost * mean * mean
        return mean, math.sqrt(max(spread / (1 - self._lost), 0.0))


def _elementwise(function: Callable[[float], float], values: ArrayLike, *, probabilities: bool = False) -> Any:
    points = np.asarray(values, dtype=np.float64)
    low, high = (0.0, 1.0) if probabilities else (-math.inf, math.inf)
    results = np.array([function(value) if low <= value <= high else math.nan for value in points.ravel().tolist()])
    return results.reshape(points.shape) if points.ndim else float(results[0])
