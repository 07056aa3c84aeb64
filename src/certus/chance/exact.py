"""Distributions given by all their values and probabilities, and distributions on another scale."""

import math
from functools import cached_property

import numpy as np

from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.probability import Answer
from certus.core.arrays import Floats
from certus.transform.quantile import RELATIVE_TOLERANCE


class Finite(Distribution):
    """A distribution of which every value and its probability are known."""

    _exact = True

    def __init__(self, values: Floats, logs: Floats, method: str) -> None:
        self.values = values
        self.logs = logs
        self._method = method

    def __len__(self) -> int:
        """Number of possible values."""
        return len(self.values)

    def _enumerate(self, limit: int) -> "Finite | None":
        return self if len(self) <= limit else None

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return float(self.values[0]), float(self.values[-1])

    @cached_property
    def chances(self) -> Floats:
        """The probability of each value."""
        return np.exp(self.logs)

    @cached_property
    def _moments(self) -> KnownMoments:
        mean = math.fsum((self.values * self.chances).tolist())
        central = (math.fsum(((self.values - mean) ** power * self.chances).tolist()) for power in (2, 3, 4))
        return KnownMoments.central(mean, *central)

    @cached_property
    def _cumulative_logs(self) -> tuple[Floats, Floats]:
        """-inf and log P(X <= each value); log P(X >= each value) and -inf."""
        lower = np.insert(np.logaddexp.accumulate(self.logs), 0, -math.inf)
        upper = np.append(np.logaddexp.accumulate(self.logs[::-1])[::-1], -math.inf)
        lower[-1] = upper[0] = 0.0
        return lower, upper

    def _index_range(self, x: float) -> tuple[int, int]:
        """Numbers of values below x, and at or below it."""
        low, high = self.support()
        # A sum of constants is rounded too.
        slack = max(RELATIVE_TOLERANCE * (high - low), 4 * np.finfo(float).eps * max(abs(low), abs(high)))
        return (
            int(np.searchsorted(self.values, x - slack, side="left")),
            int(np.searchsorted(self.values, x + slack, side="right")),
        )

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        # Values at x are in front of the second place, and behind the first.
        return float(self._cumulative_logs[upper][self._index_range(x)[upper != atom]]), 0.0, self._method

    def _log_pmf(self, x: float) -> Answer:
        first, last = self._index_range(x)
        here = self.logs[first:last]
        return float(np.logaddexp.reduce(here)) if len(here) else -math.inf, 0.0, self._method

    def _inverse(self, q: float, *, upper: bool) -> float:
        # A q that is a rounded probability gives its x back.
        logs = self._cumulative_logs[upper][1:]
        reached = logs <= math.log(q) + RELATIVE_TOLERANCE if upper else logs >= math.log(q) - RELATIVE_TOLERANCE
        return float(self.values[int(reached.argmax()) if reached.any() else -1])

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        steps = np.cumsum(self.chances)
        indices = np.searchsorted(steps, generator.random(size) * steps[-1], side="right")
        return np.asarray(self.values[np.minimum(indices, len(self.values) - 1)])


def constant(value: float, method: str = "constant") -> Finite:
    """The distribution of what is always the same."""
    return Finite(np.array([value]), np.zeros(1), method)


def merged(values: Floats, chances: Floats, tolerance: float = RELATIVE_TOLERANCE) -> tuple[Floats, Floats]:
    """Values ascending with their chances; those nearer than `same` of the width are one, rounding moved them apart."""
    order = np.argsort(values, kind="stable")
    values, chances = values[order], chances[order]
    starts = np.flatnonzero(np.diff(values, prepend=-math.inf) > tolerance * (values[-1] - values[0]))
    return values[starts], np.add.reduceat(chances, starts)


def merged_logs(values: Floats, logs: Floats, tolerance: float = RELATIVE_TOLERANCE) -> tuple[Floats, Floats]:
    """`merged` of logarithms of chances."""
    order = np.argsort(values, kind="stable")
    values, logs = values[order], logs[order]
    starts = np.flatnonzero(np.diff(values, prepend=-math.inf) > tolerance * (values[-1] - values[0]))
    return values[starts], np.logaddexp.reduceat(logs, starts)


class Scaled(Distribution):
    """The distribution of ``factor * X + shift``, for a factor above 0."""

    def __init__(self, law: Distribution, factor: float, shift: float = 0.0) -> None:
        self.law, self.factor, self.shift = law, factor, shift
        self._method, self._exact = law.method, law.exact

    def _rescale(self, x: float) -> float:
        return self.factor * x + self.shift

    def _enumerate(self, limit: int) -> Finite | None:
        law = self.law._enumerate(limit)
        return None if law is None else Finite(self.factor * law.values + self.shift, law.logs, law.method)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        low, high = self.law.support()
        return self._rescale(low), self._rescale(high)

    @property
    def _moments(self) -> KnownMoments:
        law = self.law
        return KnownMoments(self._rescale(law.mean()), self.factor**2 * law.var(), law.skewness(), law.kurtosis())

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        return self.law._log_side((x - self.shift) / self.factor, upper=upper, atom=atom)

    def _log_pmf(self, x: float) -> Answer:
        return self.law._log_pmf((x - self.shift) / self.factor)

    def _inverse(self, q: float, *, upper: bool) -> float:
        return self._rescale(self.law._inverse(q, upper=upper))

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        return self.factor * self.law._draw(size, generator) + self.shift
