"""Smooth functions of two sums over units, which lie in a file: the root of a mean, and a part of a loss."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import NoReturn

import numpy as np

from certus.arrays import Floats, product
from certus.errors import DataError, keyword
from certus.inference.clusters import cluster_error_of_parts
from certus.metrics import Metric
from certus.states._memory import needs_every_value
from certus.states._sums import PowerSums
from certus.statistic import Influence, Ratio
from certus.statistic.cached import constant
from certus.statistic.influence import SmoothFunction
from certus.statistic.moments import Moments

BEND = 0.1
"""The step of a second difference, in standard errors."""


class _OfTwoSums(ABC):
    """A function of two sums, with what each unit adds to it to first order: as in memory, but part by part.

    See `certus.metrics.regression.smooth`.

    Parameters
    ----------
    metric, value, n
        The metric, its value, and the number of units.
    pairs
        What each unit adds to both sums, part by part.
    """

    def __init__(
        self, metric: Metric, value: float, n: int, pairs: Callable[[], Iterable[tuple[Floats, Floats]]]
    ) -> None:
        self.metric, self.value, self.n, self.pairs = metric, value, n, pairs

    @abstractmethod
    def of(self, one: Floats, other: Floats) -> Floats:
        """The function of sums."""

    @abstractmethod
    def share(self, other: Floats) -> Floats:
        """The part of all that each unit has."""

    @cached_property
    def totals(self) -> tuple[float, float]:
        """Both sums."""
        sums = [(float(one.sum()), float(other.sum())) for one, other in self.pairs()]
        return math.fsum(one for one, _ in sums), math.fsum(other for _, other in sums)

    def _without(self) -> Iterator[tuple[Floats, Floats]]:
        """The value without each unit, and the part of all that it has."""
        first, second = self.totals
        for one, other in self.pairs():
            with np.errstate(all="ignore"):
                yield self.of(first - one, second - other), self.share(other)

    def lost(self) -> Iterator[tuple[Floats, Floats]]:
        """Loss of value without each unit, and the part of all that it has."""
        for without, share in self._without():
            yield (1 - share) * (self.middle - without), share

    @cached_property
    def middle(self) -> float:
        """The mean of the values without each unit."""
        total = math.fsum(float(without.sum()) for without, _ in self._without())
        if not math.isfinite(total):
            raise DataError(
                "it hangs on a single unit",
                f"give more with {keyword('memory')}",
                argument="memory",
                subject="",
                place=self.metric,
            )
        return total / self.n

    @cached_property
    def terms(self) -> PowerSums:
        """Sums of powers of what is lost."""
        sums = PowerSums()
        for lost, _ in self.lost():
            sums.add(lost, None)
        return sums

    @cached_property
    def moments(self) -> Moments | None:
        """Those of the influence values, which are n times the distances of what is lost from its mean."""
        n, (mean, second, third, fourth, least, greatest) = self.n, self.terms.moments()
        if not second > 0:
            return None
        return Moments(0.0, n**2 * second, n**3 * third, n**4 * fourth, n * (least - mean), n * (greatest - mean))

    def influence(self) -> Floats:
        """The influence of each unit, if it is 0."""
        if self.moments is not None:
            raise needs_every_value(self.metric)
        return np.zeros(self.n)

    def resample(self, *_: object) -> NoReturn:
        """Nothing: resamples need every unit."""
        raise needs_every_value(self.metric)


class RootOfMean(_OfTwoSums):
    """The root of a mean of squares over units with masses; all of them may be 0."""

    def __init__(self, metric: Metric, value: float, mean: Ratio, *, zero: bool) -> None:
        super().__init__(metric, value, mean.n, mean.parts)
        self.mean, self.zero = mean, zero

    def of(self, one: Floats, other: Floats) -> Floats:
        """The root of the quotient."""
        return np.sqrt(one / other)

    def share(self, other: Floats) -> Floats:
        """The part of the masses."""
        return other / self.totals[1]

    @cached_property
    def moments(self) -> Moments | None:
        """None where all squares are 0."""
        return None if self.zero else super().moments

    def spread(self) -> tuple[float, float, float]:
        """The variance, its degrees of freedom and the effective number of units."""
        squares = math.fsum(float((share**2).sum()) for _, share in self._without())
        effective = math.fsum(float(share.sum()) for _, share in self._without()) ** 2 / squares
        if self.zero:
            return 0.0, self.n - 1.0, effective
        mean = self.terms.moments()[0]
        error, freedom = cluster_error_of_parts(
            lambda: ((lost - mean, share) for lost, share in self.lost()), weighted=self.mean.weighted
        )
        return error**2, freedom, effective

    def statistic(self) -> Influence:
        """The form of the root."""
        made = SmoothFunction.of_units(
            *(self.value, self.n, self.influence, self.resample),
            reason=self.mean.why,
            unit=self.mean.unit,
            weighted=self.mean.weighted,
            root_of=constant(self.mean),
            moments=partial(getattr, self, "moments"),
        )
        return made if made.why or self.n < 2 else replace(made, spreads=(self.spread(),))


class PartSaved(_OfTwoSums):
    """The part of a loss that is saved: 1 less what is lost over what there is, of samples that count alike."""

    def of(self, one: Floats, other: Floats) -> Floats:
        """1 less the quotient."""
        return np.asarray(1 - one / other)

    def share(self, other: Floats) -> Floats:
        """The same of each."""
        return np.full(len(other), 1 / self.n)

    @cached_property
    def curvature(self) -> float:
        """Curvature of the value along the influence values, as `certus.metrics.regression.smooth` has it."""
        if self.moments is None:
            return 0.0
        length, mean = math.sqrt(self.moments.second), self.terms.moments()[0]
        along = np.zeros(2)
        for (lost, _), pair in zip(self.lost(), self.pairs(), strict=True):
            along += [float(product(self.n * (lost - mean) / length, column)) for column in pair]
        steps = BEND * along
        with np.errstate(all="ignore"):
            low, here, high = (float(self.of(*(np.array(self.totals) + step * steps))) for step in (-1, 0, 1))
        found = (low - 2 * here + high) / 2 / BEND**2 / (length / self.n)
        return found if math.isfinite(found) else 0.0

    def statistic(self, reason: str) -> Influence:
        """The form of the part; `reason` says why there is none."""
        return SmoothFunction.of_units(
            *(math.nan if reason else self.value, self.n, self.influence, self.resample),
            reason=reason,
            moments=partial(getattr, self, "moments"),
            curvature=partial(getattr, self, "curvature"),
        )
