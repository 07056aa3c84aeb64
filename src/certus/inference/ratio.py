"""Intervals for a ratio of sums over units, such as a micro-average."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.inference import resample
from certus.inference._special import t_quantile
from certus.inference.interval import Limits, Request
from certus.inference.mean import constant_limits
from certus.statistic import Ratio, counted, root_of_squares

__all__ = ["METHODS", "standard_error"]

Floats = NDArray[np.float64]


def standard_error(statistic: Ratio) -> float:
    """Of the linearised ratio: ``sqrt(n / (n - 1) sum((a_i - R b_i)^2)) / |sum(b)|``.

    Source: Cochran (1977), Sampling Techniques, 3rd ed., equation 6.13, without the finite population factor.
    """
    n = statistic.n
    if n < 2 or statistic.why:
        return math.nan
    residuals = _residuals(statistic)
    return root_of_squares(residuals, factor=n / (n - 1)) / abs(float(statistic.denominators.sum()))


def delta(statistic: Ratio, request: Request) -> Limits:
    """``R +- t(n - 1) SE`` with the standard error of the linearised ratio.

    Source: Cochran (1977), Sampling Techniques, 3rd ed., section 6.4.
    """
    quantile = -t_quantile(request.tail, statistic.n - 1)
    return Limits.around(statistic.value, quantile * standard_error(statistic))


def jackknife(statistic: Ratio, request: Request) -> Limits:
    """``R +- t(n - 1) SE`` with ``SE^2 = (n - 1) / n sum((R_(i) - mean R_(i))^2)``, R_(i) the ratio without unit i.

    Source: Efron & Stein (1981), Ann. Stat. 9(3):586-596, doi:10.1214/aos/1176345462.
    """
    return resample.jackknife(statistic.value, _without_each(statistic), request)


def percentile(statistic: Ratio, request: Request) -> Limits:
    """Percentile bootstrap over units, see `certus.inference.resample.percentile`."""
    return resample.percentile(_replicates(statistic, request), request)


def bca(statistic: Ratio, request: Request) -> Limits:
    """BCa bootstrap over units, see `certus.inference.resample.bca`."""
    without = _without_each(statistic)
    if np.isnan(without).any():
        return Limits.undefined(resample.NO_JACKKNIFE)
    acceleration = resample.acceleration(without.mean() - without)
    return resample.bca(_replicates(statistic, request), statistic.value, acceleration, request)


def _residuals(statistic: Ratio) -> Floats:
    return statistic.numerators - statistic.value * statistic.denominators


def _without_each(statistic: Ratio) -> Floats:
    above, below = statistic.numerators, statistic.denominators
    return _quotient(above.sum() - above, below.sum() - below)


def _replicates(statistic: Ratio, request: Request) -> Floats:
    resample.check_replicates(request)
    pairs = np.column_stack([statistic.numerators, statistic.denominators])
    sums = kernels.resample_sums(pairs, replicates=request.replicates, seed=request.seed)
    return _quotient(sums[:, 0], sums[:, 1])


def _quotient(above: Floats, below: Floats) -> Floats:
    quotient: Floats = np.divide(above, below, out=np.full(len(above), math.nan), where=below != 0)
    return quotient


def _guarded(method: Callable[[Ratio, Request], Limits]) -> Callable[[Ratio, Request], Limits]:
    """The method, with the cases taken out in which the units show no spread."""

    def limits(statistic: Ratio, request: Request) -> Limits:
        n, below = statistic.n, statistic.denominators
        if n == 1:
            return Limits.undefined(f"{counted(1, statistic.unit)} alone does not show its spread")
        if not np.isfinite(statistic.value):
            return Limits.undefined("a value is infinite")
        if np.abs(_residuals(statistic)).max() > 1e-12 * np.abs(statistic.numerators).max():
            return method(statistic, request).within(request.bounds)
        if below.min() == below.max():
            return constant_limits(statistic.value, n, request).within(request.bounds)
        return Limits.undefined(f"all {counted(n, statistic.unit)} have the same ratio: they show no spread")

    limits.__doc__ = method.__doc__
    return limits


METHODS: dict[str, Callable[[Ratio, Request], Limits]] = {
    "delta": _guarded(delta),
    "jackknife": _guarded(jackknife),
    "percentile": _guarded(percentile),
    "bca": _guarded(bca),
}
