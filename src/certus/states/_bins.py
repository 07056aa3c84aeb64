"""Totals of bins of equal width, of which calibration errors need no more."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.metrics import Metric
from certus.metrics.classification.calibration_error import of_totals
from certus.statistic import CalibrationError
from certus.statistic.calibration_error import BinTotals

MOST_BINS = 1000


def is_binned(metric: Metric) -> bool:
    """True if totals of bins suffice, the bins being fixed before the samples are seen."""
    told = metric.conventions
    return metric.name in ("ECE", "MCE") and told["strategy"] == "uniform" and told["n_bins"] <= MOST_BINS


class BinSums:
    """Samples of each bin and those that came true, counted, and the exact sums of gaps and squared gaps."""

    def __init__(self, bins: int) -> None:
        self.weight, self.hits = np.zeros((2, bins), dtype=np.int64)
        self._sums = kernels.ExactSums(2 * bins)

    def add(self, statistic: CalibrationError) -> None:
        """Add samples."""
        bins, size = statistic.bins, len(self.weight)
        gaps = statistic.observed - statistic.predicted
        self.weight += np.bincount(bins, minlength=size)
        self.hits += np.bincount(bins, statistic.observed, size).astype(np.int64)
        order = np.argsort(bins, kind="stable")
        ends = np.cumsum(np.bincount(bins, minlength=size))
        for place, own in enumerate(np.split(gaps[order], ends[:-1])):
            if len(own):
                self._sums.add(place, own)
                self._sums.add(size + place, own * own)

    def merge(self, other: "BinSums") -> None:
        """Add the samples of another state."""
        self._sums.merge(other._sums)
        self.weight, self.hits = self.weight + other.weight, self.hits + other.hits

    @property
    def parts(self) -> NDArray[np.int64]:
        """The parts of the sums, see `kernels.ExactSums.parts`."""
        return self._sums.parts()

    def told(self) -> list[Any]:
        """The other numbers, as JSON holds them."""
        return [self.weight.tolist(), self.hits.tolist()]

    @classmethod
    def of_parts(cls, told: list[Any], parts: NDArray[np.int64], n: int) -> Self:
        """The sums that have these parts, of n samples."""
        made = cls(len(told[0]))
        made.weight, made.hits = (np.array(each, dtype=np.int64) for each in told)
        made._sums = kernels.ExactSums.of_parts(parts)
        fits = len(made.weight) == len(made.hits) and len(made._sums) == 2 * len(made.weight)
        if not fits or made.weight.sum() != n or not ((made.hits >= 0) & (made.hits <= made.weight)).all():
            raise ValueError("the numbers of bins do not fit together")
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return BinSums.of_parts, (self.told(), self.parts, int(self.weight.sum()))

    def statistic(self, metric: Metric, classes: int) -> CalibrationError:
        """The error of all samples."""
        sums = np.array(self._sums.rounded())
        gap, squares = np.split(sums, 2)
        totals = BinTotals(self.weight.astype(np.float64), gap, squares, self.hits.astype(np.float64))
        told = metric.conventions
        return of_totals(totals, told.get("norm", "max"), told["confidence"], classes)
