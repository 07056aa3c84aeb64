"""Exact sums of powers of one value per sample, which a mean and its interval need no more of."""

import math
from fractions import Fraction
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.errors import DataError
from certus.states._rows import ENOUGH
from certus.statistic import Mean
from certus.statistic.common import Bounds

__all__ = ["POINTWISE", "PowerSums"]

POINTWISE = {
    "classification": frozenset({"LogLoss", "Hinge"}),
    "regression": frozenset(
        {"MAE", "MSE", "MSLE", "MAPE", "Pinball", "Huber", "TweedieDeviance", "PoissonDeviance", "GammaDeviance"}
    ),
    "efficiency": frozenset({"MeanLatency", "MeanSpace", "Age", "UpdateRate"}),
}
"""Metrics that are the mean of one value of each sample by itself, by task.

Not those with values between two bounds, whose default interval depends on more than sums."""
BITS = 32
LEAST = -1074
"""The power of two of the last place of exact sums."""


class PowerSums:
    """The number of values, the exact sums of their first four powers, the least and the greatest."""

    def __init__(self) -> None:
        self.n = 0
        self.least, self.greatest = math.inf, -math.inf
        self.bounds: Bounds | None = None
        self._sums = kernels.ExactSums(4)
        self._waiting: list[Floats] = []
        self._pending = 0

    def add(self, values: Floats, bounds: Bounds | None) -> None:
        """Add values, which become the sums' own."""
        self.bounds = bounds
        self._waiting.append(values)
        self._pending += len(values)
        self.n += len(values)
        if self._pending > ENOUGH:
            self.settle()

    def settle(self) -> kernels.ExactSums:
        """The sums of all values."""
        if self._pending:
            values = np.concatenate(self._waiting)
            # -0.0 is 0: which of them came first must not matter
            self.least = min(self.least, float(values.min()) + 0.0)
            self.greatest = max(self.greatest, float(values.max()) + 0.0)
            self._sums.add_powers(0, values)
        self._waiting, self._pending = [], 0
        return self._sums

    def merge(self, other: "PowerSums") -> None:
        """Add the values of another state."""
        self._sums.merge(other.settle())
        self.n += other.n
        self.bounds = other.bounds if self.bounds is None else self.bounds
        self.least, self.greatest = min(self.least, other.least), max(self.greatest, other.greatest)

    @classmethod
    def of_parts(cls, n: int, extremes: tuple[float, float], bounds: Bounds | None, parts: NDArray[np.int64]) -> Self:
        """The sums that have these parts."""
        made = cls()
        made.n, made.bounds = n, bounds
        made.least, made.greatest = extremes
        made._sums = kernels.ExactSums.of_parts(parts)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self.parts
        return PowerSums.of_parts, (self.n, (self.least, self.greatest), self.bounds, parts)

    @property
    def parts(self) -> NDArray[np.int64]:
        """The parts of the sums, see `kernels.ExactSums.parts`."""
        return self.settle().parts()

    def mean(self, metric: str, caution: str = "", unit: str = "sample") -> Mean:
        """The mean of all values."""
        if not self.n:
            return Mean([], unit, bounds=self.bounds)
        total = self.settle().rounded()[0]

        def values() -> NoReturn:
            raise DataError(
                f"{metric}: this interval needs every value, and the state has kept their sums only; take the default "
                "interval, or make the state with rows=True"
            )

        value = min(max(total / self.n, self.least), self.greatest)
        if not math.isfinite(value) or self.least == self.greatest:
            return Mean(np.full(self.n, value), unit, bounds=self.bounds, caution=caution)
        return Mean.later(value, self.n, values, unit, bounds=self.bounds, moments=self._moments, caution=caution)

    def _moments(self) -> tuple[float, ...]:
        s1, s2, s3, s4 = map(_exact, self.parts.reshape(4, -1))
        n = self.n
        m = s1 / n
        second = s2 - n * m**2
        third = s3 - 3 * m * s2 + 2 * n * m**3
        fourth = s4 - 4 * m * s3 + 6 * m**2 * s2 - 3 * n * m**4
        return (*map(float, (m, second, third, fourth)), self.least, self.greatest)


def _exact(parts: NDArray[np.int64]) -> Fraction:
    chunks = parts.tolist()[:-1]
    whole = sum(chunk << BITS * place for place, chunk in enumerate(chunks))
    return Fraction(whole, 1 << -LEAST)
