"""A distribution on another scale."""

import numpy as np

from certus.chance._distribution import Distribution, Floats

__all__ = ["Scaled", "scaled"]

Answer = tuple[float, float, str]


class Scaled(Distribution):
    """The distribution of ``factor * X + shift``, factor > 0."""

    def __init__(self, law: Distribution, factor: float, shift: float) -> None:
        self.law = law
        self.factor = factor
        self.shift = shift

    def _back(self, x: float) -> float:
        return (x - self.shift) / self.factor

    def _on(self, x: float) -> float:
        return self.factor * x + self.shift

    @property
    def method(self) -> str:
        """How probabilities are found."""
        return self.law.method

    @property
    def exact(self) -> bool:
        """Whether probabilities are exact up to rounding."""
        return self.law.exact

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        low, high = self.law.support()
        return self._on(low), self._on(high)

    def mean(self) -> float:
        """Expected value."""
        return self._on(self.law.mean())

    def var(self) -> float:
        """Variance."""
        return self.factor**2 * self.law.var()

    def skewness(self) -> float:
        """Third central moment over the cube of the standard deviation; NaN where that is 0."""
        return self.law.skewness()

    def kurtosis(self) -> float:
        """Fourth central moment over the squared variance, less 3; NaN where the variance is 0."""
        return self.law.kurtosis()

    def _log_tail(self, x: float) -> Answer:
        return self.law._log_tail(self._back(x))

    def _log_sf(self, x: float) -> Answer:
        return self.law._log_sf(self._back(x))

    def _log_cdf(self, x: float) -> Answer:
        return self.law._log_cdf(self._back(x))

    def _log_pmf(self, x: float) -> Answer:
        return self.law._log_pmf(self._back(x))

    def _ppf(self, q: float) -> float:
        return self._on(self.law._ppf(q))

    def _isf(self, q: float) -> float:
        return self._on(self.law._isf(q))

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        return self.factor * self.law._draw(size, generator) + self.shift


def scaled(law: Distribution, factor: float, shift: float = 0.0) -> Distribution:
    """The distribution of ``factor * X + shift``, for a factor above 0."""
    return Scaled(law, factor, shift)
