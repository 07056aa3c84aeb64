"""Intervals for a mean of one value per unit.

Every method works on the values as they are averaged: for a geometric mean on their logarithms, the limits being mapped
back by exp; for a total on the mean, the limits being multiplied by the number of units.
"""

import math
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats
from certus.inference.declare import Form, IntervalFunction, declare_form, interval
from certus.inference.interval import Limits, Request
from certus.inference.intervals import proportion, resample, skewness
from certus.inference.intervals.bounded import (
    BETA_SOURCE,
    BETWEEN_BOUNDS,
    BoundedUnits,
    beta_limits,
    constant_limits,
    hardly_skewed,
    of_trials,
    shares_of,
)
from certus.inference.special import normal_quantile, t_quantile
from certus.statistic import Mean
from certus.statistic.common import TOO_SKEWED, mean_of, plural
from certus.statistic.moments import deviation

FEW_OF_ALL = 25.0
"""The squared coefficient of variation of values of which 1 in 26 is alike and all others are 0."""
FEW_AT_FLOOR = 2
"""Units at the floor of a geometric mean that a sample may well be without."""
EQUALITY = 1e-12
"""Values that differ by no more than this part of the largest, or of themselves on the log scale, are equal."""


def standard_error(statistic: Mean) -> float:
    """Sample standard deviation over the square root of n; by the delta method for a geometric mean."""
    if statistic.n < 2 or (statistic.moments is None and not np.isfinite(statistic.scaled).all()):
        return math.nan
    error = _error(statistic)
    if statistic.scale == "log":
        return statistic.value * error
    return statistic.n * error if statistic.total else error


@interval(
    "t",
    Mean,
    label="Student t",
    aliases=("student", "welch"),
    source="Student (1908), Biometrika 6(1):1-25, doi:10.1093/biomet/6.1.1",
)
def t(statistic: Mean, request: Request) -> Limits:
    """``mean +- t(n - 1) s / sqrt(n)``."""
    quantile = -t_quantile(request.tail, statistic.n - 1)
    return Limits.around(_centre(statistic), quantile * _error(statistic))


@interval("hall", Mean, label="skewness-corrected t", aliases=("skewness-adjusted-t",), source=skewness.SOURCE)
def hall(statistic: Mean, request: Request) -> Limits:
    """Student's t with the limit on the long tail's side corrected for skewness, see `intervals.skewness`."""
    skew = skewness.Skew(statistic.skewness)
    if _few_units_decide(statistic, request.bounds):
        return Limits.undefined(skewness.FEW_UNITS)
    return skewness.limits(_centre(statistic), _error(statistic), skew, request.tail, statistic.n - 1)


@interval("beta-moments", Mean, label="beta limits", aliases=("moment-matched-beta",), source=BETA_SOURCE)
def beta(statistic: Mean, request: Request) -> Limits:
    """Beta limits for values between known bounds, see `intervals.bounded.beta_limits`."""
    return beta_limits(BoundedUnits.of_mean(statistic, request.bounds), request)


@interval("wilson", Mean)
def wilson(statistic: Mean, request: Request) -> Limits:
    """Wilson's interval for the share of values at the upper bound, if each value is at a bound."""
    return of_trials(statistic, request, "wilson")


@interval("modified-wilson", Mean)
def modified_wilson(statistic: Mean, request: Request) -> Limits:
    """Modified Wilson interval, if each value is at a bound and very few are at one of them."""
    return of_trials(statistic, request, "modified-wilson")


@interval("normal", Mean, label="normal", aliases=("z", "gaussian"))
def normal(statistic: Mean, request: Request) -> Limits:
    """``mean +- z s / sqrt(n)``; shorter than Student's t and too short for few units."""
    return Limits.around(_centre(statistic), -normal_quantile(request.tail) * _error(statistic))


@interval(
    "percentile",
    Mean,
    label="percentile bootstrap",
    aliases=("bootstrap", "bootstrap-percentile"),
    source=resample.PERCENTILE_SOURCE,
)
def percentile(statistic: Mean, request: Request) -> Limits:
    """Percentile bootstrap, see `intervals.resample.percentile`."""
    return resample.percentile(_means(statistic.ordered, request), request)


@interval("bca", Mean, label="BCa bootstrap", aliases=("bootstrap-bca",), source=resample.BCA_SOURCE)
def bca(statistic: Mean, request: Request) -> Limits:
    """BCa bootstrap, see `intervals.resample.bca`; the acceleration is a sixth of the skewness over sqrt(n)."""
    values = statistic.ordered
    center = mean_of(values)
    return resample.bca(_means(values, request), center, resample.acceleration(values - center), request)


@interval(
    "bootstrap-t",
    Mean,
    label="bootstrap-t",
    aliases=("studentized", "studentized-bootstrap"),
    source="Efron (1982), The Jackknife, the Bootstrap and Other Resampling Plans, section 10.10; Hall (1988), "
    "Ann. Stat. 16(3):927-953, doi:10.1214/aos/1176350933",
)
def bootstrap_t(statistic: Mean, request: Request) -> Limits:
    """``mean - q s / sqrt(n)`` with q the quantiles of ``(mean* - mean) / (s* / sqrt(n))`` over resamples.

    A resample of equal values has s* = 0 and a t* beyond all others. Where so many resamples do (few units, or values
    nearly all alike) that they reach the quantile, the limit is the metric's bound.
    """
    values = statistic.ordered
    center = mean_of(values)
    resample.check_replicates(request)
    ratios = resample.studentized(values - center, request)
    error = _standard_error(values)
    low = center - resample.quantile(ratios, 1 - request.tail) * error
    high = center - resample.quantile(ratios, request.tail) * error
    reason = "" if math.isfinite(low) and math.isfinite(high) else "too many resamples consist of equal values"
    return Limits(low, high, reason)


def _few_units_decide(statistic: Mean, bounds: tuple[float, float]) -> bool:
    """True if the mean, bounded below only, depends on few large values while most are near the bound."""
    lower_bound, upper_bound = bounds
    if statistic.skewness <= skewness.FAR_TOO_MUCH or not math.isfinite(lower_bound) or math.isfinite(upper_bound):
        return False
    return math.sqrt(statistic.n) * _error(statistic) > math.sqrt(FEW_OF_ALL) * (_centre(statistic) - lower_bound)


def _centre(statistic: Mean) -> float:
    """Mean on the scale of averaging (logarithms for a geometric mean)."""
    return statistic.centre if statistic.moments is None else statistic.moments.mean


def _error(statistic: Mean) -> float:
    """Standard error on the scale of averaging."""
    if statistic.moments is None:
        return _standard_error(statistic.scaled)
    return math.sqrt(statistic.moments.second / (statistic.n - 1) / statistic.n)


def _standard_error(values: Floats) -> float:
    """Sample standard deviation divided by the square root of the number of values."""
    return deviation(values) / math.sqrt(len(values))


def _means(values: Floats, request: Request) -> Floats:
    """Bootstrap replicates of the mean."""
    center = mean_of(values)
    resample.check_replicates(request)
    rows = (values - center)[:, np.newaxis]
    sums = kernels.resample_sums(rows, replicates=request.replicates, seed=request.seed)
    return np.asarray(center + sums[:, 0] / len(values))


def _bounds(statistic: Mean, bounds: tuple[float, float]) -> tuple[float, float]:
    """Bounds of a unit's value on the scale of averaging."""
    if statistic.bounds is not None:
        bounds = statistic.bounds
    if statistic.scale == "linear":
        return bounds
    with np.errstate(divide="ignore", invalid="ignore"):
        lower_bound, upper_bound = np.log(np.maximum(bounds, statistic.floor))
    return float(lower_bound), float(upper_bound)


def default(statistic: Mean, bounds: tuple[float, float]) -> str:
    """Student's t, unless the values are skewed or are all 0 or 1."""
    if statistic.n < 2 or statistic.reason:
        return "t"
    unit = _bounds(statistic, bounds)
    share = shares_of(statistic, unit) if _finite(unit) else None
    if share is not None and 0 < share.successes < share.trials:
        return proportion.default(share, (0.0, 1.0))
    if _finite(unit):
        if statistic.scale == "log":  # a floor is a convention: a note
            is_straight = abs(statistic.skewness) <= BETWEEN_BOUNDS
        else:
            is_straight = hardly_skewed(statistic.skewness, BoundedUnits.of_mean(statistic, unit))
        return "t" if is_straight else "beta-moments"
    return "t" if abs(statistic.skewness) <= skewness.LITTLE else "hall"


def unavailable(statistic: Mean, bounds: tuple[float, float]) -> Collection[str]:
    """Methods that need known bounds, or values that are all at a bound."""
    unit = _bounds(statistic, bounds)
    if not _finite(unit):
        return "wilson", "modified-wilson", "beta-moments"
    return () if shares_of(statistic, unit) is not None else ("wilson", "modified-wilson")


def _finite(bounds: tuple[float, float]) -> bool:
    """True if both bounds are finite."""
    return math.isfinite(bounds[0]) and math.isfinite(bounds[1])


def _floor_note(statistic: Mean, limit: float, lower_bound: float) -> str:
    """Remark that the floor of a geometric mean may decide it; `limit` and `lower_bound` are logarithms."""
    # Without any unit at the floor, up to 2 more often do not show among the units, and are so far from the others that
    # the limits may not allow for them: geometric means covered .71 to .90 where 0.3 to 2 such units were expected.
    if statistic.scale != "log":
        return ""
    n_low = int(np.count_nonzero(statistic.values < statistic.floor))
    floor = f"the floor of {statistic.floor:g}"
    if n_low:
        return f"{n_low} of {plural(statistic.n, statistic.unit)} counted as {floor}, which determines the value"
    with_more = (kernels.exact_sum(statistic.scaled) + FEW_AT_FLOOR * lower_bound) / (statistic.n + FEW_AT_FLOOR)
    if not (math.isfinite(lower_bound) and lower_bound <= math.log(statistic.floor)) or not with_more < limit:
        return ""
    units = plural(FEW_AT_FLOOR, statistic.unit)
    return f"the interval may be too short: {units} more at {floor} would take the value below its lower limit"


def _on_scale(method: IntervalFunction, statistic: Mean, request: Request) -> Limits:
    """Apply a method on the scale of averaging and map its limits back, after the cases that no method can handle."""
    unit = replace(request, bounds=_bounds(statistic, request.bounds))
    if statistic.moments is not None and statistic.moments.varies:
        return method(statistic, unit).clip(unit.bounds).noting(statistic.caution).clip(request.bounds)
    values = statistic.scaled
    if len(values) == 1:
        return Limits.undefined(f"{plural(1, statistic.unit)} alone has no variance")
    if not np.isfinite(values).all():
        return Limits.undefined("a value is infinite" if statistic.scale == "linear" else "a value is not positive")
    if values.max() - values.min() <= EQUALITY * (np.abs(values).max() if statistic.scale == "linear" else 1):
        limits = constant_limits(float(values[0]), len(values), unit)
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            limits = method(statistic, unit)
        if not np.isfinite(limits[:2]).all() and limits.reason in ("", TOO_SKEWED):
            return Limits.undefined("the values are too large to compute their spread")
    limits = limits.clip(unit.bounds)
    limits = limits.noting(_floor_note(statistic, limits.low, unit.bounds[0]), statistic.caution)
    if statistic.scale == "log":
        with np.errstate(over="ignore"):
            limits = limits._replace(low=float(np.exp(limits.low)), high=float(np.exp(limits.high)))
    limits = limits.clip(request.bounds)
    factor = statistic.n if statistic.total else 1
    return limits._replace(low=limits.low * factor, high=limits.high * factor)


declare_form(
    Mean,
    Form(
        "a mean",
        "t",
        standard_error,
        choose=default,
        unavailable=unavailable,
        guard=_on_scale,
        measured="coverage-means.md",
    ),
)
