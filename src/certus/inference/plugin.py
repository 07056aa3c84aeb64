"""Intervals for any function of weighted units: bootstrap by weights, and the jackknife."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.inference import resample
from certus.inference.interval import Limits, Request
from certus.statistic import Plugin, counted

__all__ = ["METHODS", "standard_error"]

Floats = NDArray[np.float64]

BLOCK = 1 << 22
"""Weights held at a time: 16 MB."""


def standard_error(statistic: Plugin) -> float:
    """The jackknife's, see `certus.inference.resample.jackknife_error`."""
    return math.nan if statistic.n < 2 or statistic.why else resample.jackknife_error(_without_each(statistic))


def jackknife(statistic: Plugin, request: Request) -> Limits:
    """``value +- t(n - 1) SE`` with the jackknife's standard error; for smooth functions only, not for a median.

    Source: Efron & Stein (1981), Ann. Stat. 9(3):586-596, doi:10.1214/aos/1176345462.
    """
    return resample.jackknife(statistic.value, _without_each(statistic), request)


def percentile(statistic: Plugin, request: Request) -> Limits:
    """Percentile bootstrap over units, see `certus.inference.resample.percentile`."""
    return resample.percentile(_replicates(statistic, request), request)


def bca(statistic: Plugin, request: Request) -> Limits:
    """BCa bootstrap over units, the acceleration from the jackknife, see `certus.inference.resample.bca`."""
    without = _without_each(statistic)
    if np.isnan(without).any():
        return Limits.undefined(resample.NO_JACKKNIFE)
    acceleration = resample.acceleration(without.mean() - without)
    return resample.bca(_replicates(statistic, request), statistic.value, acceleration, request)


def _without_each(statistic: Plugin) -> Floats:
    weights = np.ones(statistic.n)
    values = np.empty(statistic.n)
    for i in range(statistic.n):
        weights[i] = 0.0
        values[i] = statistic.function(statistic.rows, weights.copy())
        weights[i] = 1.0
    return values


def _replicates(statistic: Plugin, request: Request) -> Floats:
    resample.check_replicates(request)
    values = np.empty(request.replicates)
    step = max(1, BLOCK // statistic.n)
    for first in range(0, request.replicates, step):
        replicates = min(step, request.replicates - first)
        counts = kernels.resample_counts(statistic.n, first=first, replicates=replicates, seed=request.seed)
        for i, weights in enumerate(counts, start=first):
            values[i] = statistic.function(statistic.rows, weights.astype(np.float64))
    return values


def _guarded(method: Callable[[Plugin, Request], Limits]) -> Callable[[Plugin, Request], Limits]:
    def limits(statistic: Plugin, request: Request) -> Limits:
        if statistic.n == 1:
            return Limits.undefined(f"{counted(1, statistic.unit)} alone does not show its spread")
        return method(statistic, request).within(request.bounds)

    limits.__doc__ = method.__doc__
    return limits


METHODS: dict[str, Callable[[Plugin, Request], Limits]] = {
    "bca": _guarded(bca),
    "percentile": _guarded(percentile),
    "jackknife": _guarded(jackknife),
}
