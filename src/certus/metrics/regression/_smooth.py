"""Smooth functions of sums over samples, such as a root of a mean or a ratio of variances."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import Targets
from certus.statistic import Influence, Mean, Moments, Ratio, tally

__all__ = ["centred", "enough", "masses", "smooth", "summed"]

Floats = NDArray[np.float64]
STEP = 1e-100
"""The imaginary step of a derivative: nothing is subtracted, so it may be as small as this."""
BEND = 0.1
"""The step of a second difference, in standard errors."""
TWICE = np.array([1.0, -2.0, 1.0])


def smooth(
    data: Targets,
    columns: Callable[[], Sequence[Floats]],
    function: Callable[[NDArray[Any]], Any],
    value: float,
    *,
    reason: str = "",
    root_of: Callable[[], Mean | Ratio] | None = None,
    moments: Callable[[], Moments | None] | None = None,
) -> Influence:
    """A function of weighted sums over samples, with the influence of each unit on it and its bootstrap.

    The influence of a unit is n - 1 times what the value loses without it, so that the variance is the jackknife's:
    right for any distribution of the errors, and for errors whose spread changes from sample to sample, and for few
    samples nearer to the truth than that of derivatives (as HC3 is than HC0 in regression). Where the value is
    undefined without some unit, the derivatives by the sums are taken instead (the delta method).

    Units of unequal size, that is groups or samples with weights, lose ``1 - h`` of that, h their part of the weight:
    what a unit adds to first order, of which the standard error is made as of clusters.

    Source: Efron & Stein (1981), Ann. Stat. 9(3):586-596, doi:10.1214/aos/1176345462.

    Parameters
    ----------
    data
        Where weights and groups come from.
    columns
        Gives one value per sample for each sum; a column of ones is put before them.
    function
        From sums ``(..., 1 + columns)`` to values ``(...)``, NaN where undefined. It does not change when all sums are
        multiplied by a number, and is written so that it takes complex numbers, which its derivatives are found by.
    value
        The value, computed in a way that rounds as little as possible.
    reason
        Why the value is undefined.
    root_of
        Gives the mean that the value is the root of.
    moments
        Gives the moments of the influence values without making them; None where that cannot be.
    """

    @cache
    def rows() -> Floats:
        made = np.column_stack([np.ones(len(data)), *columns()])
        if data.weights is not None:
            made *= data.weights[:, np.newaxis]
        if data.groups is not None:
            made = np.column_stack([tally(data.groups, column, data.units) for column in made.T])
        return np.ascontiguousarray(made)

    def influence() -> Floats:
        table = rows()
        n = len(table)
        with np.errstate(all="ignore"):
            sums = table.sum(axis=0)
            without = np.asarray(function(sums - table), dtype=np.float64)
            if np.isfinite(without).all():
                lost = (1 - table[:, 0] / sums[0]) * (without.mean() - without)
                return np.asarray(n * (lost - lost.mean()))
            slopes = np.asarray(function(sums + 1j * STEP * np.eye(len(sums)))).imag / STEP
            found: Floats = n * (table @ slopes)
        # A perfect prediction of a metric with a kink there, such as a root: no unit makes a difference.
        return np.where(np.isfinite(found), found, 0.0)

    @cache
    def curvature() -> float:
        """Of the value along the influence values, see `certus.inference.intervals.skewness.Skew`."""
        table = rows()
        values = influence()
        length = math.sqrt(float(values @ values))
        if not 0 < length < math.inf:
            return 0.0
        with np.errstate(all="ignore"):
            sums, along = table.sum(axis=0), BEND * (values / length) @ table
            bent = np.asarray(function(np.stack([sums - along, sums, sums + along])), dtype=np.float64) @ TWICE
        found = float(bent) / 2 / BEND**2 / (length / len(table))
        return found if math.isfinite(found) else 0.0

    def resample(replicates: int, seed: int, stratified: bool) -> Floats:
        del stratified  # there is one stratum
        sums = kernels.resample_sums(rows(), replicates=replicates, seed=seed)
        with np.errstate(all="ignore"):
            return np.asarray(function(sums), dtype=np.float64)

    return Influence.later(
        value,
        data.units,
        influence,
        resample,
        reason=reason,
        unit=data.unit,
        masses=masses(data),
        weighted=data.groups is None,
        unbounded=True,
        root_of=root_of,
        moments=moments,
        curvature=curvature,
    )


def masses(data: Targets) -> Floats | None:
    """The number of samples, or the sum of their weights, in each unit; None where the units are equal."""
    if data.groups is None:
        return data.weights
    return tally(data.groups, np.ones(len(data)) if data.weights is None else data.weights, data.units)


def summed(values: Floats, weights: Floats | None) -> Floats:
    """The weighted sum over samples, of one output or of each."""
    return np.asarray(values.sum(axis=0) if weights is None else weights @ values)


def centred(values: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """Distances of the values from (about) their mean, and the weighted sum of their squares from just the mean.

    The distances are from a value between the least and the greatest, so those of equal values are exactly 0, and
    what rounding left of the mean is taken off the sum. Nothing cancels, however far the values lie from 0.
    """
    if not len(values):
        return values, np.zeros(values.shape[1:])
    mass = len(values) if weights is None else float(weights.sum())
    # from a value of the data first, so that a mean of values far from 0 keeps its digits
    first = values[0]
    middle = first + summed(values - first, weights) / mass
    off = values - np.clip(middle, values.min(axis=0), values.max(axis=0))
    spread = summed(off * off, weights) - summed(off, weights) ** 2 / mass
    return off, np.maximum(spread, 0.0)


def enough(data: Targets) -> str:
    """Why a variance of the targets is undefined for want of samples; empty where there are two."""
    if len(data) == 0:
        return "there are no samples"
    return "" if len(data) > 1 else "1 sample alone has no variance to compare with"
