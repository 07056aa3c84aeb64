"""The forms a metric can return: what was computed, over which independent units.

Interval methods look at these forms only, never at a metric's name. A form that has no value (no units, a unit without
a value, a zero denominator) has the value NaN and says so in `why`; it never falls back to 0 silently.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.errors import DataError

__all__ = [
    "Cells",
    "Contributions",
    "Folds",
    "Gaps",
    "Influence",
    "Mean",
    "Plugin",
    "Proportion",
    "Ratio",
    "Resample",
    "Statistic",
    "UStatistic",
    "counted",
    "whole",
]

Floats = NDArray[np.float64]
Bounds = tuple[float, float]
GapNorm = Literal["l1", "l2", "l2-debiased", "max"]
PAIRLESS = 1e-12
"""Pairs of different units that weigh less than this part of all pairs are rounding."""


def counted(n: int, unit: str) -> str:
    """`n` and the unit in words: ``"1 query"``, ``"250 queries"``.

    Examples
    --------
    >>> counted(250, "query"), counted(1, "query"), counted(3, "class"), counted(0, "sample")
    ('250 queries', '1 query', '3 classes', '0 samples')
    """
    if n == 1:
        return f"1 {unit}"
    if unit.endswith("y") and unit[-2:-1] not in "aeiou":
        return f"{n} {unit[:-1]}ies"
    return f"{n} {unit}{'es' if unit.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean, geometric mean or sum of one value per unit.

    Parameters
    ----------
    values
        One value per unit. NaN marks a unit for which the metric is undefined; the mean is then undefined too.
    unit
        What one value belongs to, in the singular.
    scale
        ``"linear"``: the arithmetic mean. ``"log"``: the geometric mean ``exp(mean(log(max(v, floor))))``.
    floor
        Least value that enters a geometric mean, so that one zero does not decide it; the default is trec_eval's. It
        has no part in the linear scale.
    total
        The summary is the sum of the values instead of their mean (counts, on the linear scale).
    bounds
        Least and greatest possible value of a unit, where they are narrower than the metric's.

    Examples
    --------
    >>> Mean([0.5, 1.0, 0.0]).value
    0.5
    >>> Mean([0.25, 1.0], scale="log").value
    0.5
    >>> undefined = Mean([0.5, float("nan")])
    >>> undefined.value, undefined.why
    (nan, '1 of 2 queries has no value')
    """

    values: Floats
    unit: str = "query"
    scale: Literal["linear", "log"] = "linear"
    floor: float = 1e-5
    total: bool = False
    bounds: Bounds | None = None

    def __init__(
        self,
        values: ArrayLike,
        unit: str = "query",
        *,
        scale: Literal["linear", "log"] = "linear",
        floor: float = 1e-5,
        total: bool = False,
        bounds: Bounds | None = None,
    ) -> None:
        if scale not in ("linear", "log"):
            raise DataError(f"scale is {scale!r}; it must be 'linear' or 'log'")
        if total and scale == "log":
            raise DataError("total=True sums values; it needs scale='linear'")
        if not 0 <= floor < math.inf:
            raise DataError(f"floor is {floor}; it must be a finite number of at least 0")
        column = _column(values, "values")
        _set(self, values=column, unit=unit, scale=scale, floor=floor, total=total, bounds=bounds)

    def with_values(self, values: ArrayLike) -> "Mean":
        """The same summary of other values."""
        return Mean(values, self.unit, scale=self.scale, floor=self.floor, total=self.total, bounds=self.bounds)

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.values)

    @cached_property
    def scaled(self) -> Floats:
        """The values on the scale on which they are averaged: themselves, or the logarithms of the floored values."""
        if self.scale == "linear":
            return self.values
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(self.values, self.floor))

    @cached_property
    def value(self) -> float:
        """The summary of the values; NaN where `why` says so."""
        if self.why:
            return math.nan
        if self.total:
            return float(self.values.sum())
        mean = mean_of(self.scaled)
        return mean if self.scale == "linear" else math.exp(mean)

    @cached_property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return _why_no_mean(self.values, self.unit)


@dataclass(frozen=True, eq=False)
class Ratio:
    """A sum over a sum: ``sum(numerators) / sum(denominators)``, as in a micro-average.

    Parameters
    ----------
    numerators, denominators
        One of each per unit, in the same order.
    unit
        What one pair belongs to, in the singular.
    bounds
        Least and greatest possible ratio of a unit, where they are narrower than the metric's.

    Examples
    --------
    >>> Ratio([1, 3], [2, 6]).value
    0.5
    >>> Ratio([0, 0], [0, 0]).why
    'the denominators of 2 queries sum to zero'
    """

    numerators: Floats
    denominators: Floats
    unit: str = "query"
    bounds: Bounds | None = None

    def __init__(
        self, numerators: ArrayLike, denominators: ArrayLike, unit: str = "query", *, bounds: Bounds | None = None
    ) -> None:
        above, below = _column(numerators, "numerators"), _column(denominators, "denominators")
        if len(above) != len(below):
            raise DataError(
                f"numerators has {len(above)} values but denominators has {len(below)}; they must pair up one to one"
            )
        _set(self, numerators=above, denominators=below, unit=unit, bounds=bounds)

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.numerators)

    @property
    def values(self) -> Floats:
        """Each unit's own ratio; NaN where it is 0/0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.numerators / self.denominators

    @cached_property
    def value(self) -> float:
        """The ratio of the sums; NaN where `why` says so."""
        return math.nan if self.why else float(self.numerators.sum() / self.denominators.sum())

    @cached_property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        why = _why_no_mean(self.numerators + self.denominators, self.unit)
        if not why and self.denominators.sum() == 0:
            return f"the denominators of {counted(self.n, self.unit)} sum to zero"
        return why


@dataclass(frozen=True)
class Proportion:
    """Successes among independent trials.

    Parameters
    ----------
    successes
        Number of trials that succeeded, ``0 <= successes <= trials``.
    trials
        Number of trials.
    unit
        What one trial is, in the singular.
    scale
        ``"dice"``: the value is ``2 q / (1 + q)`` of the share q, as F1 is of ``tp / (tp + fp + fn)``. Being increasing
        in q, it takes every interval of q with it.

    Examples
    --------
    >>> Proportion(9, 12).value
    0.75
    >>> Proportion(1, 3, scale="dice").value
    0.5
    >>> Proportion(0, 0).why
    'there are no samples'
    """

    successes: int
    trials: int
    unit: str = "sample"
    scale: Literal["linear", "dice"] = "linear"

    def __post_init__(self) -> None:
        _set(self, successes=whole(self.successes, "successes"), trials=whole(self.trials, "trials"))
        if self.scale not in ("linear", "dice"):
            raise DataError(f"scale is {self.scale!r}; it must be 'linear' or 'dice'")
        if self.successes > self.trials:
            raise DataError(
                f"successes is {self.successes} but trials is {self.trials}; successes cannot exceed trials"
            )

    @property
    def n(self) -> int:
        """Number of trials."""
        return self.trials

    @property
    def value(self) -> float:
        """Share of successes; NaN without trials."""
        if self.why:
            return math.nan
        if self.scale == "dice":
            return 2 * self.successes / (self.trials + self.successes)
        return self.successes / self.trials

    @property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return f"there are no {counted(0, self.unit)[2:]}" if self.trials == 0 else ""


@dataclass(frozen=True, eq=False)
class Folds:
    """The mean of one value per fold of a cross-validation, or per random split into training and test data.

    The folds are no independent units: their training data overlap, and in a cross-validation each is test data of one
    fold and training data of the others.

    Parameters
    ----------
    values
        One value per fold; NaN where it is undefined.
    ratio
        Samples tested on in a fold over samples trained on: 1/4 for five folds.
    unit
        What one value belongs to, in the singular.

    Examples
    --------
    >>> Folds([0.8, 0.9, 0.7], 1 / 2).n
    3
    """

    values: Floats
    ratio: float
    unit: str = "fold"

    def __init__(self, values: ArrayLike, ratio: float, unit: str = "fold") -> None:
        if not 0 < ratio < math.inf:
            raise DataError(f"ratio is {ratio}; it must be a finite number above 0")
        _set(self, values=_column(values, "values"), ratio=float(ratio), unit=unit)

    @property
    def n(self) -> int:
        """Number of folds."""
        return len(self.values)

    @cached_property
    def value(self) -> float:
        """The mean of the values; NaN where `why` says so."""
        return math.nan if self.why else mean_of(self.values)

    @cached_property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return _why_no_mean(self.values, self.unit)


@dataclass(frozen=True, eq=False)
class Plugin:
    """Any function of weighted units, evaluated with every weight 1.

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
    resample: "Resample | None" = None

    def __init__(
        self,
        rows: ArrayLike,
        function: Callable[[NDArray[Any], Floats], float],
        unit: str = "query",
        *,
        resample: "Resample | None" = None,
    ) -> None:
        array = np.asarray(rows)
        if array.ndim == 0:
            raise DataError("rows is a single value; it must hold one row per unit")
        _set(self, rows=array, function=function, unit=unit, resample=resample)

    @property
    def n(self) -> int:
        """Number of units."""
        return len(self.rows)

    @cached_property
    def value(self) -> float:
        """The function with every weight 1; NaN where `why` says so."""
        return float(self.function(self.rows, np.ones(self.n))) if self.n else math.nan

    @property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return _why_undefined(self.n, self.value, self.unit)


class Contributions(NamedTuple):
    """What each independent unit adds to the cells, where a unit fills more than one cell or more than once.

    Row ``r`` adds ``weights[r]`` to the flat cell ``cells[r]`` on behalf of unit ``units[r]``.
    """

    cells: NDArray[np.int64]
    units: NDArray[np.int64]
    """From 0 to the number of units - 1, each at least once."""
    weights: Floats | None = None
    """None: 1 for each row."""


@dataclass(frozen=True, eq=False)
class Cells:
    """A smooth function of the cell counts of a table.

    Parameters
    ----------
    counts
        How many units fell into each cell, or the sums of their weights; any shape.
    function
        ``function(tables) -> values``: of tables with any leading axes, ``(..., *counts.shape)``, one value each; NaN
        where it is undefined. The tables need not hold whole numbers, and the value does not change when a table is
        multiplied by a number.
    gradient
        ``gradient(table) -> table``: the derivative by each cell; None differentiates `function` numerically.
    squares
        Sums of squared weights, where units fill one cell each and have weights; None where each has weight 1.
    contributions
        Where a unit fills several cells (clusters of samples; several labels of one sample): which. None where each
        fills one cell, so that the counts are multinomial. With `squares` they are needed by the bootstrap only.
    unit
        What one unit is, in the singular.
    value
        The function of the counts, where it is known already (from whole numbers, without rounding).
    reason
        Why the value is undefined, where more can be said than that it is.

    Examples
    --------
    >>> odds = Cells([[20, 5], [10, 15]], lambda t: t[..., 0, 0] * t[..., 1, 1] / (t[..., 0, 1] * t[..., 1, 0]))
    >>> odds.value, odds.n
    (6.0, 50)
    """

    counts: Floats
    function: Callable[[Floats], Any]
    gradient: Callable[[Floats], Floats] | None = None
    squares: Floats | None = None
    contributions: Callable[[], Contributions] | None = None
    unit: str = "sample"
    n: int = -1
    reason: str = ""

    def __init__(
        self,
        counts: ArrayLike,
        function: Callable[[Floats], Any],
        *,
        gradient: Callable[[Floats], Floats] | None = None,
        squares: ArrayLike | None = None,
        contributions: Callable[[], Contributions] | None = None,
        unit: str = "sample",
        n: int | None = None,
        value: float | None = None,
        reason: str = "",
    ) -> None:
        """Make the form; `n` is the number of units, needed with `squares` or `contributions`, else the counts' sum."""
        table = np.ascontiguousarray(counts, dtype=np.float64)
        if not (table >= 0).all():
            raise DataError("a cell count is negative or NaN; each must be at least 0")
        _set(
            self,
            counts=table,
            function=function,
            gradient=gradient,
            squares=None if squares is None else np.ascontiguousarray(squares, dtype=np.float64),
            contributions=contributions,
            unit=unit,
            n=round(float(table.sum())) if n is None else n,
            reason=reason,
        )
        if value is not None:
            self.__dict__["value"] = value

    @cached_property
    def parts(self) -> Contributions | None:
        """The contributions of the units, where they are given."""
        return None if self.contributions is None else self.contributions()

    @cached_property
    def value(self) -> float:
        """The function of the counts; NaN where `why` says so."""
        return float(self.function(self.counts)) if self.n else math.nan

    @property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        why = _why_undefined(self.n, self.value, self.unit)
        return self.reason or why if why and self.n else why


class Resample(Protocol):
    """Bootstrap replicates of a statistic by a fast way of its own."""

    def __call__(self, replicates: int, seed: int, stratified: bool) -> Floats:
        """One value per replicate, NaN where it is undefined; `stratified` keeps the size of each stratum."""
        ...


@dataclass(frozen=True, eq=False)
class Influence:
    """A value whose error is, to first order, a mean of known influence values in each of some strata.

    In large samples ``value - truth = sum over strata of mean(influence values of its units)``, the influence values
    having mean 0 in each stratum; so the variance is the sum of ``variances[s] / sizes[s]``.

    Parameters
    ----------
    value
        The value itself; NaN where it is undefined.
    sizes
        Number of units in each stratum (the positives and the negatives; or a single one).
    variances
        Sample variance (divided by size - 1) of the influence values in each stratum; NaN for a single unit.
    influence
        Gives the influence values of each stratum, in the order of its units in the data.
    resample
        Gives bootstrap replicates.
    exact
        ``exact(tail) -> (low, high)``: for data whose influence values are all 0 (a perfect ranking), limits such that
        data like these have at most the probability `tail` where the truth lies beyond one of them. Without it such
        data have no interval.
    reason
        Why the value is undefined.
    unit
        What one unit is, in the singular.

    Examples
    --------
    >>> mean = Influence(2.0, (3,), (1.0,))
    >>> mean.value, mean.n
    (2.0, 3)
    """

    value: float
    sizes: tuple[int, ...]
    variances: tuple[float, ...]
    influence: Callable[[], tuple[Floats, ...]] | None = None
    resample: Resample | None = None
    exact: Callable[[float], tuple[float, float]] | None = None
    reason: str = ""
    unit: str = "sample"

    @property
    def n(self) -> int:
        """Number of units."""
        return sum(self.sizes)

    @property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return self.reason or _why_undefined(self.n, self.value, self.unit)


@dataclass(frozen=True, eq=False)
class UStatistic(Influence):
    """A mean over all pairs of a unit from one sample and a unit from another: the probability of a right order.

    The strata are the two samples, positives first; their influence values are the placements (how large a part of the
    other sample the unit wins against) less the value. `exact` is not needed.

    Parameters
    ----------
    span
        The value with every pair in the wrong order, and with every pair in the right one: (-1, 1) for the Gini
        coefficient 2 AUC - 1. The value, the variances, the influence values and the replicates are all on that scale.

    Examples
    --------
    >>> UStatistic(0.75, (4, 6), (0.05, 0.02)).n
    10
    >>> gini = UStatistic(0.5, (4, 6), (0.20, 0.08), span=(-1.0, 1.0))
    """

    span: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Gaps:
    """How far outcomes are from the probabilities predicted for them: a norm of the gaps of bins.

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

    Examples
    --------
    >>> gaps = Gaps([0, 0, 1], [0.25, 0.25, 0.5], [1, 0, 1])
    >>> gaps.value  # gaps 1/4 of two rows and 1/2 of one
    0.3333333333333333
    """

    bins: NDArray[np.int64]
    predicted: Floats
    observed: Floats
    norm: GapNorm = "l1"
    weights: Floats | None = None
    groups: NDArray[np.integer[Any]] | None = None
    unit: str = "sample"

    def __init__(
        self,
        bins: ArrayLike,
        predicted: ArrayLike,
        observed: ArrayLike,
        norm: GapNorm = "l1",
        *,
        weights: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        unit: str = "sample",
    ) -> None:
        _set(
            self,
            bins=np.ascontiguousarray(bins, dtype=np.int64),
            predicted=_column(predicted, "predicted"),
            observed=_column(observed, "observed"),
            norm=norm,
            weights=None if weights is None else _column(weights, "weights"),
            groups=None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1],
            unit=unit,
        )

    @cached_property
    def n(self) -> int:
        """Number of independent units."""
        if self.groups is None or not len(self.groups):
            return len(self.bins)
        return int(self.groups.max()) + 1

    @cached_property
    def parts(self) -> "GapParts":
        """What each unit adds to each bin it has rows in."""
        weights = np.ones(len(self.bins)) if self.weights is None else self.weights
        gaps = weights * (self.observed - self.predicted)
        if self.groups is None:
            return GapParts(np.arange(len(self.bins)), self.bins, weights, gaps)
        size = self.bin_count
        pairs, here = np.unique(self.groups * size + self.bins, return_inverse=True)
        return GapParts(pairs // size, pairs % size, tally(here, weights), tally(here, gaps))

    @property
    def bin_count(self) -> int:
        """Number of bins up to the last one that has a row."""
        return int(self.bins.max()) + 1 if len(self.bins) else 0

    def of(self, counts: NDArray[Any] | None = None) -> float:
        """The norm with each unit standing there as often as `counts` says, by default once; NaN without any."""
        units, bins, weights, gaps = self.parts
        times = None if counts is None else counts[units]

        def total(values: Floats) -> Floats:
            return tally(bins, values if times is None else times * values, self.bin_count)

        weight, gap = total(weights), total(gaps)
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
        pairs, products = weight**2 - total(weights**2), gap**2 - total(gaps**2)
        return math.sqrt(max(_debiased(weight, pairs, products), 0.0))

    @property
    def square(self) -> float:
        """An unbiased estimate of the sum of ``W_b/W gap_b^2``, see the norm ``"l2-debiased"``; it may be negative."""
        _, bins, weights, gaps = self.parts
        weight = tally(bins, weights)
        pairs, products = weight**2 - tally(bins, weights**2), tally(bins, gaps) ** 2 - tally(bins, gaps**2)
        return _debiased(weight, pairs, products)

    @cached_property
    def value(self) -> float:
        """The norm of the gaps; NaN where `why` says so."""
        return self.of() if self.n else math.nan

    @property
    def why(self) -> str:
        """Why the value is undefined; empty where it is defined."""
        return _why_undefined(self.n, self.value, self.unit)


def _debiased(weight: Floats, pairs: Floats, products: Floats) -> float:
    """The weighted mean over bins of the mean product over pairs of different units."""
    several = pairs > PAIRLESS * weight**2
    return float((weight[several] * products[several] / pairs[several]).sum() / weight.sum())


class GapParts(NamedTuple):
    """What each unit adds to each bin it has rows in, see `Gaps`."""

    units: NDArray[np.integer[Any]]
    bins: NDArray[np.integer[Any]]
    weights: Floats
    gaps: Floats
    """Sums of ``weight * (observed - predicted)``."""


Statistic = Mean | Ratio | Proportion | Plugin | Cells | Influence | Gaps | Folds


def tally(codes: NDArray[np.integer[Any]], values: Floats, size: int = 0) -> Floats:
    """The sum of the values of each code from 0 to the greatest, or to `size` - 1."""
    return np.bincount(codes, values, size).astype(np.float64, copy=False)


def whole(count: float, name: str) -> int:
    """The count as an int.

    Raises
    ------
    DataError
        It is negative or no whole number.
    """
    if not count >= 0 or count == math.inf or count != int(count):
        raise DataError(f"{name} is {count}; it must be a whole number of at least 0")
    return int(count)


def mean_of(values: Floats) -> float:
    """The mean, kept between the least and the greatest value, which rounding alone can leave."""
    return float(np.clip(values.mean(), values.min(), values.max()))


def _column(values: ArrayLike, name: str) -> Floats:
    column = np.ascontiguousarray(values, dtype=np.float64)
    if np.ndim(values) != 1:
        raise DataError(f"{name} has {np.ndim(values)} dimensions; it must have one value per unit")
    return column


def _why_no_mean(values: Floats, unit: str) -> str:
    if len(values) == 0:
        return f"there are no {counted(0, unit)[2:]}"
    missing = int(np.isnan(values).sum())
    return f"{missing} of {counted(len(values), unit)} {'has' if missing == 1 else 'have'} no value" if missing else ""


def _why_undefined(n: int, value: float, unit: str) -> str:
    if n == 0:
        return f"there are no {counted(0, unit)[2:]}"
    return "the metric is undefined for these data" if math.isnan(value) else ""


def _set(instance: object, **fields: object) -> None:
    for name, value in fields.items():
        object.__setattr__(instance, name, value)
