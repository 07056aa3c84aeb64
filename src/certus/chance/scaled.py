"""A distribution on another scale."""

import numpy as np

from certus.arrays import Floats
from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import Finite
from certus.chance.probability import Answer


class Scaled(Distribution):
    """The distribution of ``factor * X + shift``, for a factor above 0."""

    def __init__(self, law: Distribution, factor: float, shift: float = 0.0) -> None:
        self.law, self.factor, self.shift = law, factor, shift
        self._method, self._exact = law.method, law.exact

    def _on(self, x: float) -> float:
        return self.factor * x + self.shift

    def _listed(self, most: int) -> Finite | None:
        law = self.law._listed(most)
        return None if law is None else Finite(self.factor * law.values + self.shift, law.logs, law.method)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        low, high = self.law.support()
        return self._on(low), self._on(high)

    @property
    def _moments(self) -> KnownMoments:
        law = self.law
        return KnownMoments(self._on(law.mean()), self.factor**2 * law.var(), law.skewness(), law.kurtosis())

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        return self.law._log_side((x - self.shift) / self.factor, upper=upper, atom=atom)

    def _log_pmf(self, x: float) -> Answer:
        return self.law._log_pmf((x - self.shift) / self.factor)

    def _inverse(self, q: float, *, upper: bool) -> float:
        return self._on(self.law._inverse(q, upper=upper))

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        return self.factor * self.law._draw(size, generator) + self.shift
