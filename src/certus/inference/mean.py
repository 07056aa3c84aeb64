"""Intervals for a mean of one value per unit.

Every method works on the values as they are averaged: for a geometric mean on their logarithms, the limits being mapped
back by exp; for a total on the mean, the limits being multiplied by the number of units.
"""

import dataclasses
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.inference import resample
from certus.inference._special import normal_quantile, t_quantile
from certus.inference.interval import Limits, Request
from certus.statistic import Mean, counted, deviation, mean_of

__all__ = ["METHODS", "constant_limits", "standard_error"]

Floats = NDArray[np.float64]

SAME = 1e-12
"""Values that differ by no more than this part of the largest, or of themselves on the log scale, are equal."""


def standard_error(statistic: Mean) -> float:
    """Sample standard deviation over the square root of n; by the delta method for a geometric mean."""
    if statistic.n < 2 or not np.isfinite(statistic.scaled).all():
        return math.nan
    error = _standard_error(statistic.scaled)
    if statistic.scale == "log":
        return statistic.value * error
    return statistic.n * error if statistic.total else error


def t(values: Floats, request: Request) -> Limits:
    """``mean +- t(n - 1) s / sqrt(n)``.

    Source: Student (1908), Biometrika 6(1):1-25, doi:10.1093/biomet/6.1.1.
    """
    quantile = -t_quantile(request.tail, len(values) - 1)
    return Limits.around(mean_of(values), quantile * _standard_error(values))


def normal(values: Floats, request: Request) -> Limits:
    """``mean +- z s / sqrt(n)``; shorter than Student's t and too short for few units."""
    return Limits.around(mean_of(values), -normal_quantile(request.tail) * _standard_error(values))


def percentile(values: Floats, request: Request) -> Limits:
    """Percentile bootstrap, see `certus.inference.resample.percentile`."""
    return resample.percentile(_means(values, request), request)


def bca(values: Floats, request: Request) -> Limits:
    """BCa bootstrap, see `certus.inference.resample.bca`; the acceleration is a sixth of the skewness over sqrt(n)."""
    center = mean_of(values)
    return resample.bca(_means(values, request), center, resample.acceleration(values - center), request)


def bootstrap_t(values: Floats, request: Request) -> Limits:
    """``mean - q s / sqrt(n)`` with q the quantiles of ``(mean* - mean) / (s* / sqrt(n))`` over resamples.

    A resample of equal values has s* = 0 and a t* beyond all others. Where so many resamples do (few units, or values
    nearly all alike) that they reach the quantile, the limit is the metric's bound.

    Source: Efron (1982), The Jackknife, the Bootstrap and Other Resampling Plans, section 10.10; Hall (1988), Ann.
    Stat. 16(3):927-953, doi:10.1214/aos/1176350933.
    """
    n, center = len(values), mean_of(values)
    deviations = values - center
    sums = _sums(np.column_stack([deviations, deviations**2]), request)
    means, squares = sums[:, 0] / n, sums[:, 1]
    variances = (squares - n * means**2) / (n - 1)
    # What a resample of equal values leaves by rounding is not a variance.
    errors = np.sqrt(np.where(variances > 1e-12 * squares, variances, 0.0) / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(means == 0, 0.0, means / errors)
    error = _standard_error(values)
    low = center - resample.quantile(ratios, 1 - request.tail) * error
    high = center - resample.quantile(ratios, request.tail) * error
    why = "" if math.isfinite(low) and math.isfinite(high) else "too many resamples consist of equal values"
    return Limits(low, high, why)


def constant_limits(value: float, n: int, request: Request) -> Limits:
    """Limits for a mean when all n values were equal to `value`.

    Every other method gives zero width here, as if the mean were known. But a share p of units with another value stays
    unseen among n with probability ``(1 - p)^n``, so shares up to ``1 - (tail)^(1/n)`` are not excluded: the
    Clopper-Pearson limit for 0 of n. Such a share can move the mean towards either bound of the metric. For values 0
    and 1 this is the Clopper-Pearson interval. Without finite bounds the limits are undefined.

    Source: Clopper & Pearson (1934), Biometrika 26(4):404-413, for the share.
    """
    least, greatest = request.bounds
    if not (math.isfinite(least) and math.isfinite(greatest)):
        return Limits.undefined(f"all {n} values are equal: they do not tell how far the mean can be off")
    share = -math.expm1(math.log(request.tail) / n)
    why = f"all {n} values are equal: exact binomial limits for the share of others"
    return Limits(value - share * (value - least), value + share * (greatest - value), why)


def _standard_error(values: Floats) -> float:
    return deviation(values) / math.sqrt(len(values))


def _means(values: Floats, request: Request) -> Floats:
    center = mean_of(values)
    means: Floats = center + _sums((values - center)[:, np.newaxis], request)[:, 0] / len(values)
    return means


def _sums(rows: Floats, request: Request) -> Floats:
    resample.check_replicates(request)
    return kernels.resample_sums(rows, replicates=request.replicates, seed=request.seed)


def _bounds(statistic: Mean, request: Request) -> Request:
    """The request with the metric's bounds on the scale of the mean."""
    if statistic.scale == "linear":
        return request
    with np.errstate(divide="ignore", invalid="ignore"):
        least, greatest = np.log(np.maximum(request.bounds, statistic.floor))
    return dataclasses.replace(request, bounds=(float(least), float(greatest)))


def _on_scale(method: Callable[[Floats, Request], Limits]) -> Callable[[Mean, Request], Limits]:
    """The method for a `Mean`: on its scale and back again, with the cases that no method can handle taken out."""

    def limits(statistic: Mean, request: Request) -> Limits:
        values = statistic.scaled
        if len(values) == 1:
            return Limits.undefined(f"{counted(1, statistic.unit)} alone does not show its spread")
        if not np.isfinite(values).all():
            return Limits.undefined("a value is infinite" if statistic.scale == "linear" else "a value is not positive")
        bounds = _bounds(statistic, request)
        if values.max() - values.min() <= SAME * (np.abs(values).max() if statistic.scale == "linear" else 1):
            scaled = constant_limits(float(values[0]), len(values), bounds)
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                scaled = method(values, request)
            if not scaled.why and not np.isfinite(scaled[:2]).all():
                return Limits.undefined("the values are too large to compute their spread")
        scaled = scaled.within(bounds.bounds)
        if statistic.scale == "log":
            with np.errstate(over="ignore"):
                scaled = Limits(float(np.exp(scaled.low)), float(np.exp(scaled.high)), scaled.why)
        inside = scaled.within(request.bounds)
        if not statistic.total:
            return inside
        return Limits(inside.low * statistic.n, inside.high * statistic.n, inside.why)

    limits.__doc__ = method.__doc__
    return limits


METHODS: dict[str, Callable[[Mean, Request], Limits]] = {
    "t": _on_scale(t),
    "normal": _on_scale(normal),
    "percentile": _on_scale(percentile),
    "bca": _on_scale(bca),
    "bootstrap-t": _on_scale(bootstrap_t),
}
