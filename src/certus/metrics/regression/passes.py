"""Values of true and predicted numbers that are functions of their sums, computed in passes.

Means, then sums of products about them give the value. What it gains without each sample gives the moments.
"""

import math
from abc import abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, NamedTuple, NoReturn

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import memory_error
from certus.statistic import Influence
from certus.statistic.common import TOO_SKEWED
from certus.statistic.influence import SmoothFunction
from certus.statistic.moments import Moments
from certus.statistic.passes import Columns, Numbers, Passes, Powers, Quantity, Sum, Terms, Totals, Work, blocks_of

LARGEST = 2.0**200
"""Squares of numbers beyond this lose digits, and so do those of numbers below its inverse."""
LONG_TAILS = 0.5
"""Skewness of a mean squared difference beyond which a correlation says that it may cover less."""
BEND = 0.1
"""The step of a second difference, in standard errors."""
ROUNDED = 1e-12
"""Part of a spread that rounding may leave of it without the one sample that has it all."""


class Sums(NamedTuple):
    """Sums over samples: 1, the distances a, b, e of truth, prediction and error from shifts, and products."""

    n: float
    a: float = 0.0
    b: float = 0.0
    e: float = 0.0
    aa: float = 0.0
    bb: float = 0.0
    ee: float = 0.0
    ab: float = 0.0

    def about_mean(self, squares: float, total: float) -> float:
        """The sum of squares about the mean."""
        return max(squares - total**2 / self.n, 0.0)

    @property
    def cross(self) -> float:
        """The sum of products of both about their means."""
        return self.ab - self.a * self.b / self.n

    @property
    def true_spread(self) -> float:
        """The sum of squares of the truth about its mean."""
        return self.about_mean(self.aa, self.a)

    @property
    def predicted_spread(self) -> float:
        """The sum of squares of the predictions about their mean."""
        return self.about_mean(self.bb, self.b)


FIRST = {"true": "a", "predicted": "b", "error": "e"}
SECOND = {"true^2": "aa", "predicted^2": "bb", "error^2": "ee", "product": "ab"}


class OfSums(Passes):
    """A value that is a function of sums over samples, of the terms `first` and `second`; `clipped` to [-1, 1]."""

    ROUNDS = (("means",), ("products",), ("gains", "differences"), ("powers", "skewness", "bend"))
    first: ClassVar[tuple[str, ...]]
    second: ClassVar[tuple[str, ...]]
    clipped: ClassVar[bool] = False
    cautious: ClassVar[bool] = False

    @abstractmethod
    def value_of(self, sums: Sums, distance: float) -> float:
        """The value from sums, and from the distance of the means; NaN where it is undefined."""

    @abstractmethod
    def gains(self, true: Floats, predicted: Floats) -> Floats:
        """Gain of the value without each sample, written so that nothing cancels."""

    @property
    def undefined(self) -> str:
        """The reason of a value that is NaN."""
        return "all targets are equal: there is no variance to compare with"

    def differences(self, true: Floats, predicted: Floats) -> Floats:
        """Squared differences."""
        return np.asarray((true - predicted) ** 2)

    @property
    def gain(self) -> Quantity:
        """The gain as a quantity."""
        return Quantity(function=self.gains)

    @cached_property
    def n(self) -> int:
        """The number of samples."""
        return self.totals("means").n

    @cached_property
    def shifts(self) -> Numbers:
        """Numbers near the means of truth, predictions and errors, those that are needed; the farthest true number."""
        means = self.totals("means")
        middles = [
            min(max(total / means.n, lowest), highest)
            for total, lowest, highest in zip(means.sums.rounded(), means.least, means.greatest, strict=True)
        ]
        middle_of = dict(zip(self.first, middles, strict=True))
        true = middle_of["true"]
        farthest = max(means.greatest[0] - true, true - means.least[0])
        return true, middle_of.get("predicted", 0.0), middle_of.get("error", 0.0), farthest, 0.0

    @cached_property
    def sums(self) -> Sums:
        """The sums over samples."""
        means, middles = self.totals("means"), dict(zip(FIRST, self.shifts, strict=False))
        about = means.about([middles[name] for name in self.first])
        sums = dict(zip((FIRST[name] for name in self.first), about, strict=True))
        products = zip((SECOND[name] for name in self.second), self.totals("products").sums.rounded(), strict=True)
        return Sums(float(means.n), **sums, **dict(products))

    @cached_property
    def distance(self) -> float:
        """The distance of the means, where the value needs it."""
        return self.totals("means").sums.rounded()[self.first.index("error")] / self.n if "error" in self.first else 0.0

    @cached_property
    def is_extreme(self) -> bool:
        """True if numbers are so large or small that their squares lose digits."""
        means = self.totals("means")
        sizes = [max(map(abs, limits)) for limits in zip(means.least, means.greatest, strict=True)]
        column_sizes = [size for name, size in zip(self.first, sizes, strict=True) if name != "error"]
        fit = all(size <= LARGEST and not 0 < size < 1 / LARGEST for size in column_sizes)
        return not (fit and sum(map(abs, self.sums)) <= 4 * LARGEST**2 * self.n)

    @cached_property
    def value(self) -> float:
        """The value; NaN where it is undefined."""
        value = self.value_of(self.sums, self.distance)
        return min(max(value, -1.0), 1.0) if self.clipped else value

    @property
    def reason(self) -> str:
        """The reason why there is no value; empty where there is one."""
        return self.undefined if math.isnan(self.value) else ""

    def work(self, name: str) -> Work | None:
        """A work of a pass."""
        if name == "means":
            return Terms(self.first)
        if name == "products":
            return Terms(self.second, self.shifts)
        if self.is_extreme or self.reason or self.n < 2:
            return None
        if name == "gains":
            return Sum(self.gain)
        if name in ("differences", "skewness") and not self.cautious:
            return None
        difference = Quantity(function=self.differences)
        if name == "differences":
            return Sum(difference)
        if name == "skewness":
            return Powers.about_mean(difference, self.totals("differences"))
        if self.hangs:
            return None
        powers = Powers.about_mean(self.gain, self.totals("gains"))
        return powers if name == "powers" else Bend(self, powers.mean)

    @cached_property
    def hangs(self) -> bool:
        """True if the value is undefined without some sample."""
        gains = self.totals("gains")
        return not all(map(math.isfinite, (gains.sums.rounded()[0], gains.least[0], gains.greatest[0])))

    @cached_property
    def gained(self) -> Moments | None:
        """The moments of the gains; None where they differ by rounding only, or hang on one sample."""
        if self.work("powers") is None:
            return None
        powers = Powers.about_mean(self.gain, self.totals("gains"))
        moments = powers.moments(self.totals("gains"), self.totals("powers"))
        return moments if moments.second > 0 and moments.varies else None

    def moments(self) -> Moments | None:
        """The moments of the influence values, n - 1 times the loss of value without a sample; None for no spread."""
        times, gained = 1.0 - self.n, self.gained
        if gained is None or not gained.moderate:
            return None
        limits = times * (gained.greatest - gained.mean), times * (gained.least - gained.mean)
        return Moments(0.0, times**2 * gained.second, times**3 * gained.third, times**4 * gained.fourth, *limits)

    def curvature(self) -> float:
        """Curvature of the value along the influence values, see `certus.inference.intervals.skewness.Skew`."""
        moments = self.moments()
        if moments is None:
            return 0.0
        length = math.sqrt(moments.second)
        along = [BEND * (1.0 - self.n) * total / length for total in self.totals("bend").sums.rounded()]

        def value_at(step: float) -> float:
            sums = Sums(*(total + step * change for total, change in zip(self.sums, along, strict=True)))
            distance = self.shifts[0] - self.shifts[1] + (sums.a - sums.b) / sums.n
            return self.value_of(sums, distance)

        bent = (value_at(-1.0) - 2 * value_at(0.0) + value_at(1.0)) / 2 / BEND**2 / (length / self.n)
        return bent if math.isfinite(bent) else 0.0

    def caution(self) -> str:
        """Warn of differences so skewed that limits may not hold."""
        differences = self.totals("differences")
        powers = Powers.about_mean(Quantity(), differences)
        moments = powers.moments(differences, self.totals("skewness"))
        return TOO_SKEWED if moments.second > 0 and moments.skewness > LONG_TAILS else ""

    def columns(self, true: Floats, predicted: Floats) -> list[Floats]:
        """Contributions of each sample to the sums."""
        errors = true - predicted
        a, b, e = true - self.shifts[0], predicted - self.shifts[1], errors - self.shifts[2]
        return [np.ones(len(true)), a, b, e, a * a, b * b, e * e, a * b]

    def statistic(self, subject: object) -> Influence:
        """The form of the value, of samples that are read no more; errors name the place."""
        if self.is_extreme:
            raise memory_error("numbers as large or small as these need every row", subject)
        if self.reason:
            return SmoothFunction.of_units(
                math.nan, self.n, self.influence, self.resample, undefined_reason=self.reason
            )
        if self.hangs:
            raise memory_error("it hangs on a single sample", subject)
        if self.gained is not None and not self.gained.moderate:
            raise memory_error("numbers as large or small as these need every row", subject)
        influence = SmoothFunction.of_units(
            *(self.value, self.n, self.influence, self.resample), moments=self.moments, curvature=self.curvature
        )
        return replace(influence, caution=self.caution) if self.cautious else influence

    def influence(self) -> Floats:
        """The influence of each sample, if it is 0."""
        if self.gained is not None:
            self.resample()
        return np.zeros(self.n)

    def resample(self, *_: object) -> NoReturn:
        """Nothing: resamples need every sample."""
        raise memory_error("this interval needs every value", alternative="take the default interval")


class PartOfSpread(OfSums):
    """1 less what is lost over the spread of the targets."""

    @property
    @abstractmethod
    def lost(self) -> float:
        """The sum of what is lost."""


class Bend(Work):
    """Sums of the gains less their mean, times what each sample adds to the sums."""

    def __init__(self, value: OfSums, mean: float) -> None:
        self.value, self.mean = value, mean

    size = len(Sums._fields)

    def add(self, totals: Totals, columns: Columns) -> None:
        """Add some samples."""
        for true, predicted in blocks_of(columns):
            off = self.value.gains(true, predicted) - self.mean
            for index, column in enumerate(self.value.columns(true, predicted)):
                totals.sums.add_products(index, off, column)


def less(spread: Floats, total: float) -> Floats:
    """The parts that single samples have of a spread; all of it where rounding may be all that they leave."""
    return np.where(spread < (1 - ROUNDED) * total, spread, total)
