"""Shares as functions of two counts, and limits for them that take the population for endless or a count for normal.

Recall ``x / (x + y)`` and F1 ``2 x / (P + x + y)`` never fall in x and never rise in y. Values are compared as the
correctly rounded quotients of whole numbers, so that a limit given back is found again.

R1 names the references of `wilson` and `beta`. Limits are real numbers between 0 and 1.
"""

from typing import Any, Protocol

import numpy as np

from certus.arrays import Floats, Ints
from certus.inference.interval import Request
from certus.inference.intervals import proportion
from certus.inference.special import beta_quantile, beta_upper_quantile, normal_quantile
from certus.statistic import Proportion

Shares = tuple[float, float]


def wilson(k: int, n: int, _population: int, level: float) -> Shares:
    """Wilson's interval for independent trials: as if the population had no end, and so too wide for a large sample.

    Source: Wilson (1927), JASA 22(158):209-212, doi:10.1080/01621459.1927.10502953.
    """
    return proportion.wilson(Proportion(k, n), Request(level))[:2]


def wilson_fpc(k: int, n: int, population: int, level: float) -> Shares:
    """Wilson's interval with the variance times ``(N - n) / (N - 1)``, the finite-population correction.

    It is Wilson's for ``n (N - 1) / (N - n)`` trials; a sample of everything has no width.

    Source: Cochran (1977), Sampling Techniques, third edition, sections 2.6 and 3.2, for the correction.
    """
    share = k / n
    if n == population:
        return share, share
    trials = n * ((population - 1) / (population - n))
    z = -normal_quantile((1 - level) / 2)
    center = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half_width = z * (share * (1 - share) / trials + (z / (2 * trials)) ** 2) ** 0.5 / (1 + z * z / trials)
    return 0.0 if k == 0 else center - half_width, 1.0 if k == n else center + half_width


def beta(k: int, n: int, _population: int, level: float) -> Shares:
    """Equal-tailed interval of the posterior Beta(k + 1, n - k + 1), which takes the population for endless.

    Its lower limit is above 0 even without hits, so before all are checked it never covers a recall of 0, nor one of 1.
    """
    tail = (1 - level) / 2
    return beta_quantile(tail, k + 1, n - k + 1), beta_upper_quantile(tail, k + 1, n - k + 1)


def clopper_pearson(k: int, n: int, _population: int, level: float) -> Shares:
    """Clopper and Pearson's exact interval for independent trials; it covers at least its level here too.

    Source: Clopper & Pearson (1934), Biometrika 26(4):404-413, doi:10.1093/biomet/26.4.404.
    """
    return proportion.clopper_pearson(Proportion(k, n), Request(level))[:2]


FAR = 2**53
"""More items than any population has here."""


class ShareOf(Protocol):
    """A share as a function of the two counts."""

    def value(self, x: Any, y: Any) -> Any:
        """The share; 0 where it is 0/0."""

    def boundary(self, x: Floats, r: float) -> Floats:
        """The y, not a whole number, at which the share is r."""

    def inverse(self, y: Floats, r: float) -> Floats:
        """The x, not a whole number, at which the share is r, for r above 0 and below 1."""


class Recall:
    """``x / (x + y)``."""

    def value(self, x: Any, y: Any) -> Any:
        """The share; 0 where it is 0/0."""
        return x / np.maximum(x + y, 1)

    def boundary(self, x: Floats, r: float) -> Floats:
        """The y at which the share is r."""
        return x * ((1 - r) / r) if r > 0 else np.where(x > 0, np.inf, 0.0)

    def inverse(self, y: Floats, r: float) -> Floats:
        """The x at which the share is r."""
        return y * (r / (1 - r))


class F1:
    """``2 x / (predicted + x + y)``."""

    def __init__(self, predicted: int) -> None:
        self.predicted = predicted

    def value(self, x: Any, y: Any) -> Any:
        """The share; 0 where it is 0/0."""
        return 2 * x / np.maximum(self.predicted + x + y, 1)

    def boundary(self, x: Floats, r: float) -> Floats:
        """The y at which the share is r."""
        if r <= 0:
            return np.where(x > 0, np.inf, 0.0)
        return x * (2 / r - 1) - self.predicted

    def inverse(self, y: Floats, r: float) -> Floats:
        """The x at which the share is r."""
        return (self.predicted + y) * (r / (2 - r))


class F1Short:
    """``1 - F1`` by x relevant items among the others and y among the predicted ones: rises in x, falls in y."""

    def __init__(self, predicted: int) -> None:
        self.predicted = predicted

    def value(self, x: Any, y: Any) -> Any:
        """The distance of F1 from 1; 0 where it is 0/0."""
        return (self.predicted + x - y) / np.maximum(self.predicted + x + y, 1)

    def boundary(self, x: Floats, r: float) -> Floats:
        """The y at which the value is r."""
        return (self.predicted + x) * ((1 - r) / (1 + r))

    def inverse(self, y: Floats, r: float) -> Floats:
        """The x at which the value is r."""
        return y * ((1 + r) / (1 - r)) - self.predicted


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


def first_x(share: ShareOf, y: Ints, r: float, most: int) -> Ints:
    """The least x of at least 0 with which the share is more than r; ``most + 1`` where no x up to `most` is."""
    if r >= 1:
        return np.full(len(y), most + 1)
    # Beyond `most` the guess could be off by far more than a few steps: near 1 shares hardly differ.
    guess = np.clip(share.inverse(y.astype(np.float64), r), 0.0, float(most)).astype(np.int64) - 1
    x = np.maximum(guess, 0)
    while True:
        short = (share.value(x, y) <= r) & (x <= most)
        if not short.any():
            return x
        x += short
