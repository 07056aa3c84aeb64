"""Calibration error: a norm of the gaps between outcomes and predicted probabilities in bins."""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.statistic.common import Converted, column, set_fields, sum_by_code, undefined_reason_of

CalibrationNorm = Literal["l1", "l2", "l2-debiased", "max"]


PAIRLESS = 1e-12
"""Pairs of different units that weigh less than this part of all pairs are rounding."""


class BinTotals(NamedTuple):
    """Sums over the rows of each bin."""

    weight: Floats
    gap: Floats
    """Sum of ``weight * (observed - predicted)`` over units."""
    squares: Floats
    """Sum of the squares of these."""
    hits: Floats
    """Weight of the rows whose outcome is 1."""


def _codes(codes: ArrayLike, _: str) -> NDArray[np.int64]:
    """Convert bin codes to a contiguous int64 array."""
    return np.ascontiguousarray(codes, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class CalibrationError:
    """Distance between outcomes and predicted probabilities: a norm of the gaps in bins.

    The gap of a bin is the weighted mean over its rows of ``observed - predicted``. A norm of estimated gaps is biased
    upwards: chance opens gaps where there are none, and a norm counts all of them.

    Parameters
    ----------
    bins
        The bin of each row, from 0.
    predicted, observed
        The probability that each row's outcome had, and the outcome, 0 or 1.
    norm
        With ``W_b`` the weight of a bin, out of W: ``"l1"``, sum of ``W_b/W |gap_b|``; ``"l2"``, square root of the sum
        of ``W_b/W gap_b^2``; ``"l2-debiased"``, the same with the unbiased estimate of each squared gap, the mean
        product over the pairs of different units in the bin (0 for a bin of one unit), and 0 where the sum is negative;
        ``"max"``, the greatest ``|gap_b|``.
    weights
        One per row, above 0; None: 1 for each.
    groups
        The independent unit of each row, as a code; None: each row is one.
    unit
        What a unit is, in the singular.
    unseen
        For ``"max"``: a gap that a bin without rows may well have; 0 where there is no such bin.

    Examples
    --------
    >>> gaps = CalibrationError([0, 0, 1], [0.25, 0.25, 0.5], [1, 0, 1])
    >>> gaps.value  # gaps 1/4 of two rows and 1/2 of one
    0.3333333333333333
    """

    bins: Converted[NDArray[np.int64]] = Converted(_codes)
    predicted: Converted[Floats] = Converted(column)
    observed: Converted[Floats] = Converted(column)
    norm: CalibrationNorm = "l1"
    _: KW_ONLY
    weights: Floats | None = None
    groups: NDArray[np.integer[Any]] | None = None
    unit: str = "sample"
    unseen: float = 0.0

    def __post_init__(self) -> None:
        if self.groups is not None:
            set_fields(self, groups=np.unique(np.asarray(self.groups), return_inverse=True)[1])

    totals: ClassVar[BinTotals | None] = None
    """Those of the bins, where rows are not known."""

    @classmethod
    def of_totals(cls, totals: BinTotals, norm: CalibrationNorm, *, unseen: float = 0.0) -> Self:
        """Calibration error of single samples, from the sums over each bin alone.

        Examples
        --------
        >>> totals = BinTotals(*map(np.array, ([2.0, 1.0], [0.5, 0.5], [0.625, 0.25], [1.0, 1.0])))
        >>> CalibrationError.of_totals(totals, "l1").value
        0.3333333333333333
        """
        statistic = cls([], [], [], norm, unseen=unseen)
        statistic.__dict__["totals"] = totals
        return statistic

    @cached_property
    def n(self) -> int:
        """Number of independent units."""
        if self.totals is not None:
            return int(self.totals.weight.sum())
        if self.groups is None or not len(self.groups):
            return len(self.bins)
        return int(self.groups.max()) + 1

    @cached_property
    def parts(self) -> "CalibrationParts":
        """Weight and gap that each unit contributes to each bin in which it has rows."""
        weights = np.ones(len(self.bins)) if self.weights is None else self.weights
        gaps = weights * (self.observed - self.predicted)
        if self.groups is None:
            return CalibrationParts(np.arange(len(self.bins)), self.bins, weights, gaps)
        size = self.bin_count
        pairs, here = np.unique(self.groups * size + self.bins, return_inverse=True)
        return CalibrationParts(pairs // size, pairs % size, sum_by_code(here, weights), sum_by_code(here, gaps))

    @property
    def bin_count(self) -> int:
        """Number of bins, up to the last one with a row."""
        return int(self.bins.max()) + 1 if len(self.bins) else 0

    def of(self, counts: NDArray[Any] | None = None) -> float:
        """Norm of the gaps with unit i counted `counts[i]` times, by default once; NaN if all counts are 0."""
        if self.totals is not None:
            if counts is not None:
                raise DataError(
                    "this interval needs every row, but the totals of bins are known", "take the default one"
                )
            weight, gap, squares, _ = self.totals
            return self._norm(weight, gap, lambda: (weight, squares))
        units, bins, weights, gaps = self.parts
        times = None if counts is None else counts[units]

        def total(values: Floats) -> Floats:
            return sum_by_code(bins, values if times is None else times * values, self.bin_count)

        return self._norm(total(weights), total(gaps), lambda: (total(weights**2), total(gaps**2)))

    def _norm(self, weight: Floats, gap: Floats, squared: Callable[[], tuple[Floats, Floats]]) -> float:
        """Norm of the gaps, from weights and gaps summed by bin; `squared` returns their sums of squares."""
        everything = weight.sum()
        if not everything > 0:
            return math.nan
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.norm == "l1":
                return float(np.abs(gap).sum() / everything)
            if self.norm == "max":
                return float(np.nanmax(np.abs(gap / weight)))
            if self.norm == "l2":
                return math.sqrt(np.nansum(gap * (gap / weight)) / everything)
        weights, gaps = squared()
        pairs, products = weight**2 - weights, gap**2 - gaps
        return math.sqrt(max(_debiased(weight, pairs, products), 0.0))

    @property
    def square(self) -> float:
        """An unbiased estimate of the sum of ``W_b/W gap_b^2``, see the norm ``"l2-debiased"``; it may be negative."""
        if self.totals is not None:
            weight, gap, squares, _ = self.totals
            return _debiased(weight, weight**2 - weight, gap**2 - squares)
        _, bins, weights, gaps = self.parts
        weight = sum_by_code(bins, weights)
        pairs = weight**2 - sum_by_code(bins, weights**2)
        return _debiased(weight, pairs, sum_by_code(bins, gaps) ** 2 - sum_by_code(bins, gaps**2))

    @cached_property
    def value(self) -> float:
        """The norm of the gaps; NaN where `reason` says so."""
        return self.of() if self.n else math.nan

    @property
    def reason(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return undefined_reason_of(self.n, self.value, self.unit)


def _debiased(weight: Floats, pairs: Floats, products: Floats) -> float:
    """Weighted mean over bins of the mean product of two different units' gaps."""
    several = pairs > PAIRLESS * weight**2
    return float((weight[several] * products[several] / pairs[several]).sum() / weight.sum())


class CalibrationParts(NamedTuple):
    """Weight and gap that each unit contributes to each bin in which it has rows, see `CalibrationError`."""

    units: NDArray[np.integer[Any]]
    bins: NDArray[np.integer[Any]]
    weights: Floats
    gaps: Floats
    """Sums of ``weight * (observed - predicted)``."""
