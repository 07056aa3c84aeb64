"""Exact sums of powers of one value per sample, which a mean and its interval need no more of."""

import math
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.errors import DataError
from certus.metrics import Metric
from certus.states._rows import ENOUGH
from certus.statistic import Influence, Mean, Proportion
from certus.statistic.cached import constant
from certus.statistic.common import Bounds, why_missing
from certus.statistic.influence import SmoothFunction
from certus.statistic.mean import MeanByMoments

OF_SETS = frozenset({"F1", "Fbeta", "Jaccard", "Precision", "Recall"})
"""Metrics of several labels that have a value for each sample, unless they average over labels."""
ROOTS = {"RMSE": "MSE", "RMSLE": "MSLE"}
"""Metrics that are the root of another one, where there is one output."""
POINTWISE = {
    "classification": frozenset({"Brier", "Hinge", "LogLoss", "TopK"}),
    "regression": frozenset(
        {"MAE", "MSE", "MSLE", "MAPE", "sMAPE", "Pinball", "Huber", "TweedieDeviance", "PoissonDeviance"}
        | {"GammaDeviance", *ROOTS}
    ),
    "multilabel": OF_SETS | {"CoverageError", "Hamming", "LRAP", "nDCG", "OneError", "RankingLoss", "SubsetAccuracy"},
    "efficiency": frozenset({"Age", "CollectionCoverage", "Freshness", "MeanLatency", "MeanSpace", "UpdateRate"}),
    "values": frozenset({"Mean"}),
}
"""Metrics that are the mean of one value of each sample by itself, by task, or a share of samples, or a root of it."""
MODERATE = 1e60
"""Squares of errors from one over this to this have lost no digit."""
POWERS = 4
BITS = 32
LEAST = -1074
"""The power of two of the last place of exact sums."""


class PowerSums:
    """The number of values, the exact sums of their first four powers, the least and the greatest.

    Parameters
    ----------
    limits
        Least and greatest possible value; `bounds`, if there are any, are narrower.

    Attributes
    ----------
    ends
        How many values are equal to the one and to the other, where both are finite.
    share
        The values are 0 and 1, and their mean a share of trials.
    missing
        Values that are not defined, which are none of the others.
    """

    def __init__(self, limits: Bounds = (-math.inf, math.inf)) -> None:
        self.limits = limits
        self.ends = (0, 0)
        self.share: bool | None = None
        self.n = self.missing = 0
        self.least, self.greatest = math.inf, -math.inf
        self.bounds: Bounds | None = None
        self._sums = kernels.ExactSums(POWERS)
        self._waiting: list[Floats] = []
        self._pending = 0

    def add(self, values: Floats, bounds: Bounds | None, share: bool = False) -> None:
        """Add values, which become the sums' own."""
        self.bounds = bounds
        if len(values):
            self.share = share if self.share is None else self.share and share
        if np.isnan(values).any():
            known = values[~np.isnan(values)]
            self.missing += len(values) - len(known)
            values = known
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
            low, high = self.bounds or self.limits
            if math.isfinite(low) and math.isfinite(high):
                self._count(int(np.count_nonzero(values == low)), int(np.count_nonzero(values == high)))
        self._waiting, self._pending = [], 0
        return self._sums

    def _count(self, low: int, high: int) -> None:
        self.ends = self.ends[0] + low, self.ends[1] + high

    def merge(self, other: "PowerSums") -> None:
        """Add the values of another state."""
        self._sums.merge(other.settle())
        self._count(*other.ends)
        if other.share is not None:
            self.share = other.share if self.share is None else self.share and other.share
        self.n += other.n
        self.missing += other.missing
        self.bounds = other.bounds if self.bounds is None else self.bounds
        self.least, self.greatest = min(self.least, other.least), max(self.greatest, other.greatest)

    def told(self) -> list[Any]:
        """All but the sums, as JSON holds it."""
        bounds = None if self.bounds is None else list(map(repr, self.bounds))
        self.settle()
        return [repr(self.least), repr(self.greatest), bounds, self.n, self.missing, self.share, *self.ends]

    @classmethod
    def of_parts(cls, limits: Bounds, told: list[Any], parts: NDArray[np.int64], most: int) -> Self:
        """The sums that have these parts and what `told` gave, of at most so many values."""
        made = cls(limits)
        least, greatest, bounds, made.n, made.missing, made.share, low, high = told
        made.least, made.greatest, made.ends = _number(least), _number(greatest), (low, high)
        made.bounds = None if bounds is None else (_number(bounds[0]), _number(bounds[1]))
        if not 0 <= max(low, high) <= made.n <= made.n + made.missing <= most or min(low, high, made.missing) < 0:
            raise ValueError("the number of values is another")
        made._sums = kernels.ExactSums.of_parts(parts)
        if len(made._sums) != POWERS:
            raise ValueError("the number of sums is another")
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        parts, told = self.parts, self.told()
        return PowerSums.of_parts, (self.limits, told, parts, self.n + self.missing)

    @property
    def parts(self) -> NDArray[np.int64]:
        """The parts of the sums, see `kernels.ExactSums.parts`."""
        return self.settle().parts()

    def statistic(self, metric: Metric, caution: str = "") -> Mean | Proportion | Influence:
        """The mean of all values, a share of them, or the root of their mean."""
        if self.share and not self.missing:
            return Proportion(int(self.settle().rounded()[0]), self.n, metric.unit)
        if metric.name not in ROOTS:
            return self.mean(str(metric), caution, metric.unit)
        squares = self.mean(str(metric), unit=metric.unit)
        value = math.sqrt(squares.value)
        if squares.value and not 1 / MODERATE < value < MODERATE:
            raise DataError(
                "errors as large or small as these need rows", "make the state with rows=True", place=metric
            )
        return SmoothFunction.of_units(
            value,
            self.n,
            partial(self._influence, str(metric)),
            partial(_refuse_values, str(metric)),
            unit=metric.unit,
            root_of=constant(squares),
        )

    def _influence(self, metric: str) -> Floats:
        if self.least != self.greatest:
            raise _no_values(metric)
        return np.zeros(self.n)  # no sample makes a difference

    def mean(self, metric: str, caution: str = "", unit: str = "sample") -> Mean:
        """The mean of all values."""
        n = self.n + self.missing
        if not n:
            return Mean([], unit, bounds=self.bounds)
        total = self.settle().rounded()[0]
        values = partial(_refuse_values, metric)
        if self.missing:
            why = why_missing(self.missing, n, unit)
            return MeanByMoments(
                *(math.nan, n, values, unit), bounds=self.bounds, ends=self.ends, caution=caution, missing=why
            )
        value = min(max(total / self.n, self.least), self.greatest)
        if not math.isfinite(value) or self.least == self.greatest:
            return Mean(np.full(self.n, value), unit, bounds=self.bounds, caution=caution)
        finite = all(map(math.isfinite, self.bounds or self.limits))
        return MeanByMoments(
            value,
            self.n,
            values,
            unit,
            bounds=self.bounds,
            moments=self.moments,
            ends=self.ends if finite else None,
            caution=caution,
        )

    def moments(self) -> tuple[float, ...]:
        """The mean, the sums of the second to fourth powers of distances from it, the least and the greatest value."""
        return (*central(self.n, *map(_exact, self.parts.reshape(4, -1))), self.least, self.greatest)


def central(n: int, s1: Fraction, s2: Fraction, s3: Fraction, s4: Fraction) -> tuple[float, ...]:
    """The mean, and the sums of the second to fourth powers of distances from it, of n numbers with sums of powers."""
    m = s1 / n
    second = s2 - n * m**2
    third = s3 - 3 * m * s2 + 2 * n * m**3
    fourth = s4 - 4 * m * s3 + 6 * m**2 * s2 - 3 * n * m**4
    return tuple(map(_rounded, (m, second, third, fourth)))


def _refuse_values(metric: str, *_: object) -> NoReturn:
    raise _no_values(metric)


def _no_values(metric: str) -> DataError:
    return DataError(
        "this interval needs every value, and the state has kept their sums only",
        "take the default interval, or make the state with rows=True",
        place=metric,
    )


def _exact(parts: NDArray[np.int64]) -> Fraction:
    chunks = parts.tolist()[:-1]
    whole = sum(chunk << BITS * place for place, chunk in enumerate(chunks))
    return Fraction(whole, 1 << -LEAST)


def _rounded(number: Fraction) -> float:
    """The nearest float; infinite where the number is beyond all of them."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _number(text: str) -> float:
    number = float(text)
    if math.isnan(number):
        raise ValueError("a number is NaN")
    return number
