"""The root of a mean over units with masses, whose sums lie in a file."""

import math
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NoReturn

import numpy as np

from certus.arrays import Floats
from certus.errors import DataError, keyword
from certus.inference.clusters import cluster_error_of_parts
from certus.metrics import Metric
from certus.states._sums import PowerSums
from certus.statistic import Influence, Ratio
from certus.statistic.moments import Moments

__all__ = ["RootOfMean"]


class RootOfMean:
    """The root of a mean of squares over units with masses: to first order what each unit adds, as in memory.

    See `certus.metrics.regression.smooth`.
    """

    def __init__(self, metric: Metric, value: float, mean: Ratio, *, zero: bool) -> None:
        self.metric, self.value, self.mean, self.zero = metric, value, mean, zero

    @cached_property
    def totals(self) -> tuple[float, float]:
        """The sums of numerators and denominators."""
        sums = [(float(above.sum()), float(below.sum())) for above, below in self.mean.parts()]
        return math.fsum(above for above, _ in sums), math.fsum(below for _, below in sums)

    def _without(self) -> Iterator[tuple[Floats, Floats]]:
        """The value without each unit, and the share of all that it has."""
        above, below = self.totals
        for numerators, denominators in self.mean.parts():
            with np.errstate(all="ignore"):
                yield np.sqrt((above - numerators) / (below - denominators)), denominators / below

    def lost(self) -> Iterator[tuple[Floats, Floats]]:
        """What is lost without each unit, and its share."""
        for without, share in self._without():
            yield (1 - share) * (self.middle - without), share

    @cached_property
    def middle(self) -> float:
        """The mean of the values without each unit."""
        total = math.fsum(float(without.sum()) for without, _ in self._without())
        if not math.isfinite(total):
            raise DataError(f"{self.metric}: it hangs on a single unit; give more with {keyword('memory')}")
        return total / self.mean.n

    @cached_property
    def terms(self) -> PowerSums:
        """Sums of powers of what is lost."""
        sums = PowerSums()
        for lost, _ in self.lost():
            sums.add(lost, None)
        return sums

    def moments(self) -> Moments | None:
        """Those of the influence values, which are n times the distances of what is lost from its mean."""
        if self.zero:
            return None
        n, (mean, second, third, fourth, least, greatest) = self.mean.n, self.terms.moments()
        if not second > 0:
            return None
        return Moments(0.0, n**2 * second, n**3 * third, n**4 * fourth, n * (least - mean), n * (greatest - mean))

    @cached_property
    def clustered(self) -> list[tuple[float, float, float]]:
        """The variance, its degrees of freedom and the effective number of units, of one stratum."""
        squares = math.fsum(float((share**2).sum()) for _, share in self._without())
        effective = math.fsum(float(share.sum()) for _, share in self._without()) ** 2 / squares
        if self.zero:
            return [(0.0, self.mean.n - 1.0, effective)]
        mean = self.terms.moments()[0]
        error, freedom = cluster_error_of_parts(
            lambda: ((lost - mean, share) for lost, share in self.lost()), weighted=self.mean.weighted
        )
        return [(error**2, freedom, effective)]

    def statistic(self) -> Influence:
        """The form of the root."""

        def influence() -> Floats:
            if not self.zero and self.terms.moments()[1] > 0:
                raise _refusal(self.metric)
            return np.zeros(self.mean.n)

        def resample(*_: object) -> NoReturn:
            raise _refusal(self.metric)

        return Influence.later(
            *(self.value, self.mean.n, influence, resample),
            reason=self.mean.why,
            unit=self.mean.unit,
            weighted=self.mean.weighted,
            unbounded=True,
            root_of=lambda: self.mean,
            moments=cache(self.moments),
            clustered=lambda: self.clustered,
        )


def _refusal(metric: Metric) -> DataError:
    return DataError(
        f"{metric}: this interval needs every value; take the default interval, or give more with {keyword('memory')}"
    )
