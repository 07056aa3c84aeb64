"""The form of a metric that has one value per sample."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.data.samples import SampleColumns, SampleData, select_masked
from certus.data.values import Timings
from certus.statistic import Mean, Ratio
from certus.statistic.common import Bounds, clip_mean, sum_by_code
from certus.statistic.moments import power_of_two

MODERATE = 2.0**100
"""Weights beyond, or below its inverse, are divided by a power of two; their products with values are then numbers."""

HUGE = 2.0**900
"""Values beyond are taken times parts of the weight, in sums too."""


Samples: TypeAlias = SampleData | SampleColumns | Timings
"""Data with a weight and a group for each sample, or without."""


def mean_without(
    values: Floats, data: Samples, left_out: NDArray[np.bool_], bounds: Bounds | None = None
) -> Mean | Ratio:
    """The mean of one value per sample, over those that are not left out."""
    if left_out.any():
        data = select_masked(~left_out, [values], data.weights, data.groups)
        values = data.columns[0]
    return per_sample(values, data, bounds=bounds)


def mean_with_default(values: Floats, data: Samples, undefined: float | str) -> Mean | Ratio:
    """The mean of one value per sample, NaN counting as `undefined`; ``"skip"`` leaves it out."""
    if undefined == "skip":
        return mean_without(values, data, np.isnan(values))
    if not isinstance(undefined, str):
        values = np.where(np.isnan(values), undefined, values)
    return per_sample(values, data)


def per_sample(
    values: Floats, data: Samples, *, normalize: bool = True, bounds: Bounds | None = None, caution: str = ""
) -> Mean | Ratio:
    """The mean or the sum of one value per sample, over groups and weighted where the data are."""
    weights, groups = data.weights, data.groups
    if normalize:
        if weights is None and groups is None:
            return Mean(values, unit="sample", bounds=bounds, caution=caution)
        return sample_mean(values, data, bounds=bounds, caution=caution)
    sums = values if weights is None else weights * values
    if groups is None:
        return Mean(sums, unit="sample", total=True, caution=caution)
    return Mean(sum_by_code(groups, sums), unit="group", total=True, caution=caution)


def sample_mean(
    values: Floats, data: Samples, *, bounds: Bounds | None = None, caution: str = "", unit: str = "sample"
) -> Ratio:
    """The (weighted) mean of one value per sample; units as of `sample_ratio`. Of equal values it is exactly these."""
    ratio = sample_ratio(values, np.ones(len(values)), data, bounds=bounds, caution=caution, unit=unit)
    return ratio if ratio.reason else ratio.known(clip_mean(ratio.value, float(values[0]), lambda: values))


def sample_ratio(
    numerator: Floats,
    denominator: Floats,
    data: Samples,
    *,
    bounds: Bounds | None = None,
    caution: str = "",
    unit: str = "sample",
) -> Ratio:
    """The (weighted) sum of one value per sample over that of another; units are samples (called `unit`) or groups."""
    weights = data.weights
    if weights is not None:
        scale = power_of_two(weights)
        weights = weights if 1 / MODERATE <= scale <= MODERATE else weights / scale
    if power_of_two(numerator) > HUGE:  # sums of parts of the weight cannot overflow
        weights = np.ones(len(numerator)) if weights is None else weights
        weights = weights / power_of_two(weights.sum(keepdims=True)) / 2
    if weights is not None:
        numerator, denominator = weights * numerator, weights * denominator
    if data.groups is None:
        return Ratio(numerator, denominator, unit, bounds=bounds, weighted=data.weights is not None, caution=caution)
    return Ratio(
        sum_by_code(data.groups, numerator),
        sum_by_code(data.groups, denominator),
        "group",
        bounds=bounds,
        caution=caution,
    )
