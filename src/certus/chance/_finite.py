"""Distributions given by all their values and probabilities."""

import math
from functools import cached_property

import numpy as np

from certus.chance._distribution import SAME, Central, Floats

__all__ = ["Finite", "constant"]


class Finite(Central):
    """A distribution of which every value and its probability are known.

    Parameters
    ----------
    values
        The possible values, ascending, each once.
    logs
        The natural logarithm of each value's probability; the probabilities are taken to add up to 1.
    method
        How the probabilities were found.
    """

    def __init__(self, values: Floats, logs: Floats, method: str) -> None:
        self._values = values
        self._logs = logs
        self._method = method

    def __len__(self) -> int:
        """Number of possible values."""
        return len(self._values)

    @property
    def method(self) -> str:
        """How probabilities are found."""
        return self._method

    @property
    def exact(self) -> bool:
        """Whether probabilities are exact up to rounding."""
        return True

    @property
    def values(self) -> Floats:
        """The possible values, ascending."""
        return self._values

    @property
    def logs(self) -> Floats:
        """The logarithms of their probabilities."""
        return self._logs

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return float(self._values[0]), float(self._values[-1])

    @cached_property
    def _weights(self) -> Floats:
        return np.exp(self._logs)

    def mean(self) -> float:
        """Expected value."""
        return math.fsum((self._values * self._weights).tolist())

    def _central(self, power: int) -> float:
        return math.fsum(((self._values - self.mean()) ** power * self._weights).tolist())

    @cached_property
    def _tails(self) -> Floats:
        """Log P(X >= each value), and -inf behind the last."""
        tails = np.append(np.logaddexp.accumulate(self._logs[::-1])[::-1], -math.inf)
        tails[0] = 0.0
        return tails

    @cached_property
    def _sums(self) -> Floats:
        """-inf, and log P(X <= each value)."""
        sums = np.insert(np.logaddexp.accumulate(self._logs), 0, -math.inf)
        sums[-1] = 0.0
        return sums

    def _places(self, x: float) -> tuple[int, int]:
        """How many values lie below x, and how many at or below."""
        low, high = self.support()
        # A sum of constants is rounded too.
        slack = max(SAME * (high - low), 4 * np.finfo(float).eps * max(abs(low), abs(high)))
        first, last = np.searchsorted(self._values, (x - slack, x + slack), side="left")
        if last < len(self._values) and self._values[last] == x + slack:
            last += 1
        return int(first), int(last)

    def _log_tail(self, x: float) -> tuple[float, float, str]:
        return float(self._tails[self._places(x)[0]]), 0.0, self._method

    def _log_sf(self, x: float) -> tuple[float, float, str]:
        return float(self._tails[self._places(x)[1]]), 0.0, self._method

    def _log_cdf(self, x: float) -> tuple[float, float, str]:
        return float(self._sums[self._places(x)[1]]), 0.0, self._method

    def _log_pmf(self, x: float) -> tuple[float, float, str]:
        first, last = self._places(x)
        here = self._logs[first:last]
        return float(np.logaddexp.reduce(here)) if len(here) else -math.inf, 0.0, self._method

    def _ppf(self, q: float) -> float:
        # A q that is a rounded P(X <= x) gives that x back.
        reached = self._sums[1:] >= math.log(q) - SAME
        return float(self._values[int(reached.argmax()) if reached.any() else -1])

    def _isf(self, q: float) -> float:
        reached = self._tails[1:] <= math.log(q) + SAME
        return float(self._values[int(reached.argmax())])

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        steps = np.cumsum(self._weights)
        drawn = np.searchsorted(steps, generator.random(size) * steps[-1], side="right")
        return np.asarray(self._values[np.minimum(drawn, len(self._values) - 1)])


def constant(value: float) -> Finite:
    """The distribution of what is always the same."""
    return Finite(np.array([value]), np.zeros(1), "constant")
