"""Any function of weighted units, and a quantile of one value per sample."""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.statistic.common import Resample, column, no_mean_reason, set_fields, sum_by_code, undefined_reason_of


@dataclass(frozen=True, eq=False)
class Plugin:
    """Any user-defined function of weighted units, evaluated with every weight 1.

    The bootstrap gives each unit the number of times it was drawn as its weight, the jackknife gives one unit weight 0,
    so the function must read a weight of 2 as the unit standing there twice and 0 as the unit not being there.

    Parameters
    ----------
    rows
        One row per unit along the first axis.
    function
        ``function(rows, weights) -> float`` with one float64 weight per unit; NaN where it is undefined.
    unit
        What one row belongs to, in the singular.
    resample
        Gives bootstrap replicates faster than by calling the function for each.

    Examples
    --------
    >>> weighted_max = lambda rows, weights: rows[weights > 0].max()
    >>> Plugin([3.0, 7.0, 5.0], weighted_max).value
    7.0
    """

    rows: NDArray[Any]
    function: Callable[[NDArray[Any], Floats], float]
    unit: str = "query"
    _: KW_ONLY
    resample: Resample | None = None

    def __post_init__(self) -> None:
        set_fields(self, rows=np.asarray(self.rows))
        if self.rows.ndim == 0:
            raise DataError("is a single value", "it must hold one row per unit", argument="rows")

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.rows)

    @cached_property
    def value(self) -> float:
        """The function with all weights 1; NaN where `reason` says so."""
        return float(self.function(self.rows, np.ones(self.n))) if self.n else math.nan

    @property
    def reason(self) -> str:
        """Reason why the value is undefined; empty if it is defined."""
        return undefined_reason_of(self.n, self.value, self.unit)


Interpolation: TypeAlias = Literal[
    "averaged_inverted_cdf", "inverted_cdf", "linear", "hazen", "weibull", "median_unbiased"
]
"""Where a quantile lies between two values, by numpy's names."""


@dataclass(frozen=True, eq=False)
class Quantile:
    """The `q` quantile of one value per sample.

    Parameters
    ----------
    values
        One per sample; NaN marks a sample without a value, and there is then no quantile.
    q
        The share, from 0 (the least value) to 1 (the greatest).
    interpolation
        Where the quantile lies between two values, by numpy's names. ``"averaged_inverted_cdf"``: the least value that
        at least a share `q` of the samples does not exceed, or midway to the next one where the share is just `q`; for
        q = 1/2 it is the usual median. With weights only that and ``"inverted_cdf"`` have a meaning.
    weights
        One above 0 per sample; None: 1.
    groups
        The cluster of each sample, numbered from 0, where clusters are what is independent; None: samples are.
    unit
        What an independent unit is, in the singular.

    Examples
    --------
    >>> Quantile([1.0, 2.0, 3.0, 10.0], 0.5).value
    2.5
    >>> Quantile([1.0, 2.0, 3.0, 10.0], 0.5, weights=[1, 1, 1, 3]).value
    6.5
    """

    values: Floats
    q: float
    _: KW_ONLY
    interpolation: Interpolation = "averaged_inverted_cdf"
    weights: Floats | None = None
    groups: NDArray[np.integer] | None = None
    unit: str = "sample"

    def __post_init__(self) -> None:
        set_fields(self, values=column(self.values, "values"), q=float(self.q))
        if not 0 <= self.q <= 1:
            raise DataError(f"is {self.q}", "it must be a number from 0 to 1", argument="q")
        if self.weights is not None:
            if self.interpolation not in ("averaged_inverted_cdf", "inverted_cdf"):
                raise DataError(
                    f"is {self.interpolation!r} but samples have weights",
                    "take 'inverted_cdf' or 'averaged_inverted_cdf'",
                    argument="interpolation",
                )
            set_fields(self, weights=column(self.weights, "weights"))

    @classmethod
    def of_sorted(cls, values: Floats, q: float, *, unit: str = "sample") -> Self:
        """Quantile of sorted values without NaN, weights and groups.

        No value is copied, so that they may lie in a file.

        Examples
        --------
        >>> Quantile.of_sorted(np.array([1.0, 2.0, 3.0, 10.0]), 0.5).value
        2.5
        """
        quantile = cls(values, q, unit=unit)
        quantile.__dict__.update(
            ordered=quantile.values, reason=no_mean_reason(values[:0], unit) if not len(values) else ""
        )
        if len(values):
            quantile.__dict__["value"] = _averaged_inverted_cdf(values, quantile.q)
        return quantile

    @property
    def n(self) -> int:
        """Number of independent units."""
        return len(self.values) if self.groups is None else int(self.groups.max(initial=-1)) + 1

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Indices that sort the samples by value."""
        return np.argsort(self.values, kind="stable")

    @cached_property
    def ordered(self) -> Floats:
        """The values in increasing order."""
        return np.sort(self.values)

    def of(self, mass: Floats) -> float:
        """Quantile if the samples, in increasing order of value, have the weights `mass`."""
        total = np.cumsum(mass)
        if not len(total) or not total[-1] > 0:
            return math.nan
        aim = self.q * total[-1]
        rounding = 4 * np.finfo(np.float64).eps * total[-1]
        # The first sample at which the share is reached and that has a weight itself.
        index = min(int(np.searchsorted(total, max(aim - rounding, np.nextafter(0, 1)))), len(total) - 1)
        quantile = float(self.ordered[index])
        if self.interpolation == "inverted_cdf" or total[index] > aim + rounding:
            return quantile
        after = int(np.searchsorted(total, total[index], side="right"))
        if after >= len(total) or math.isinf(quantile):
            return quantile
        return quantile + (float(self.ordered[after]) - quantile) / 2

    @cached_property
    def value(self) -> float:
        """The quantile; NaN where `reason` says so."""
        if self.reason:
            return math.nan
        if self.weights is not None:
            return self.of(self.weights[self.order])
        with np.errstate(invalid="ignore"):
            found = float(np.quantile(self.values, self.q, method=self.interpolation))
        if not math.isnan(found):
            return found
        # numpy's interpolation is NaN at, and between, infinite values
        if self.interpolation == "averaged_inverted_cdf":
            return _averaged_inverted_cdf(self.ordered, self.q)
        return float(np.quantile(self.values, self.q, method="lower"))

    @cached_property
    def reason(self) -> str:
        """Reason why the value is undefined; empty if it is defined."""
        return no_mean_reason(self.values, "sample" if self.groups is not None else self.unit)

    def below(self, limit: float) -> tuple[Floats, Floats]:
        """Weights per unit: of its samples with values up to `limit`, and of all its samples."""
        mass = np.ones(len(self.values)) if self.weights is None else self.weights
        mass_below = np.where(self.values <= limit, mass, 0.0)
        if self.groups is None:
            return mass_below, mass
        return sum_by_code(self.groups, mass_below), sum_by_code(self.groups, mass)


def _averaged_inverted_cdf(ordered: Floats, q: float) -> float:
    """Quantile of sorted values: one of them, or the midpoint if the share lies between two."""
    position = len(ordered) * q - 1
    low = min(max(math.floor(position), 0), len(ordered) - 1)
    high = low if position < 0 else min(low + 1, len(ordered) - 1)
    first, second = float(ordered[low]), float(ordered[high])
    if position != low or first == second:
        return second
    if math.isinf(first) or math.isinf(second):
        return second if math.isfinite(first) else first
    return second - (second - first) * 0.5
