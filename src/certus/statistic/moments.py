"""Sums of powers of many values, from which an interval needs no more of them."""

import math
from typing import NamedTuple

__all__ = ["Moments"]

SAME = 1e-12
"""Values that differ by no more than this part of the largest are equal."""


class Moments(NamedTuple):
    """The mean, the sums of the second to fourth powers of the distances from it, the least and the greatest value."""

    mean: float
    second: float
    third: float
    fourth: float
    least: float
    greatest: float

    @property
    def moderate(self) -> bool:
        """Whether no power of the distances has left the range of floats."""
        return 1e-60 < self.greatest - self.least < 1e60

    @property
    def spread(self) -> bool:
        """Whether the values differ by more than rounding."""
        return self.greatest - self.least > SAME * max(abs(self.least), abs(self.greatest))

    @property
    def skewness(self) -> float:
        """That of the mean: ``sum(d^3) / sum(d^2)^1.5``."""
        return self.third / math.sqrt(self.second) ** 3
