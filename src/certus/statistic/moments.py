"""Moments of values: sums of powers, variance and standard deviation, without overflow."""

import math
from typing import NamedTuple

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.statistic.common import mean_of

EQUAL_WITHIN = 1e-12
"""Values that differ by no more than this part of the largest are equal."""

MODERATE = 2.0**300
"""Squares of values up to this are finite, and those down to its reciprocal are not 0."""


class Moments(NamedTuple):
    """Mean, sums of the 2nd to 4th powers of the deviations from it, least and greatest value."""

    mean: float
    second: float
    third: float
    fourth: float
    least: float
    greatest: float

    @property
    def moderate(self) -> bool:
        """True if no power of the deviations overflows or underflows."""
        return 1e-60 < self.greatest - self.least < 1e60

    @property
    def varies(self) -> bool:
        """True if the values differ by more than rounding."""
        return self.greatest - self.least > EQUAL_WITHIN * max(abs(self.least), abs(self.greatest))

    @property
    def skewness(self) -> float:
        """Skewness of the mean: ``sum(d^3) / sum(d^2)^1.5``."""
        return self.third / math.sqrt(self.second) ** 3


def variance(values: Floats) -> float:
    """Sample variance, the same bits for any order of the values and for opposite signs; NaN for a single value."""
    if len(values) < 2:
        return math.nan
    with np.errstate(over="ignore", invalid="ignore"):
        off = values - mean_of(values)
        off *= off
        return kernels.exact_sum(off) / (len(values) - 1)


def power_of_two(values: Floats) -> float:
    """Power of two that scales the greatest absolute value to [1, 2); 1 if it is 0 or not finite."""
    greatest = float(np.abs(values).max(initial=0.0))
    return math.ldexp(1.0, math.frexp(greatest)[1] - 1) if 0 < greatest < math.inf else 1.0


def root_of_squares(values: Floats, weights: Floats | None = None) -> float:
    """``sqrt(sum of (weights *) squares)`` for values of any size, without overflow or underflow."""
    scale = power_of_two(values)
    squares = (values / scale) ** 2
    return math.sqrt(float(squares.sum() if weights is None else product(weights, squares))) * scale


def deviation(values: Floats) -> float:
    """Sample standard deviation for values of any size; NaN for a single value."""
    if len(values) < 2:
        return math.nan
    scale = power_of_two(values)
    if 1 / MODERATE < scale < MODERATE:
        return math.sqrt(variance(values))
    return math.sqrt(variance(values / scale)) * scale
