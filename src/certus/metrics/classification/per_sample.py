"""The form of a metric that has one value per sample."""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.data.samples import renumber_groups
from certus.statistic import Mean, Ratio
from certus.statistic.common import Bounds, clip_mean, sum_by_code
from certus.statistic.moments import power_of_two

MODERATE = 2.0**100
"""Weights beyond, or below its inverse, are divided by a power of two; their products with values are then numbers."""

HUGE = 2.0**900
"""Values beyond are taken times parts of the weight, in sums too."""


class Sampled(Protocol):
    """Data with a weight and a group for each sample, or without."""

    @property
    def weights(self) -> Floats | None:
        """One per sample, above 0."""

    @property
    def groups(self) -> NDArray[np.integer[Any]] | None:
        """Codes from 0, each at least once."""


class Units(Sampled, Protocol):
    """Data of samples that also know their independent units and how many there are."""

    @property
    def units(self) -> int:
        """The number of independent units."""

    @property
    def unit(self) -> str:
        """The name of one."""

    def __len__(self) -> int: ...


class _Remaining(NamedTuple):
    """Weights and groups of the samples that are not left out."""

    weights: Floats | None
    groups: NDArray[np.int64] | None


def mean_without(values: Floats, data: Sampled, left_out: NDArray[np.bool_], bounds: Bounds | None) -> Mean | Ratio:
    """The mean of one value per sample, over those that are not left out."""
    if not left_out.any():
        return per_sample(values, data, bounds=bounds)
    mask = ~left_out
    weights = None if data.weights is None else data.weights[mask]
    groups = None if data.groups is None else renumber_groups(data.groups[mask])
    return per_sample(values[mask], _Remaining(weights, groups), bounds=bounds)


def mean_with_default(
    values: Floats, data: Sampled, undefined: float | str, bounds: Bounds | None = None
) -> Mean | Ratio:
    """The mean of one value per sample, NaN counting as `undefined`; ``"skip"`` leaves it out."""
    if undefined == "skip":
        return mean_without(values, data, np.isnan(values), bounds)
    if not isinstance(undefined, str):
        values = np.where(np.isnan(values), undefined, values)
    return per_sample(values, data, bounds=bounds)


def per_sample(
    values: Floats, data: Sampled, *, normalize: bool = True, bounds: Bounds | None = None, caution: str = ""
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
    values: Floats, data: Sampled, *, bounds: Bounds | None = None, caution: str = "", unit: str = "sample"
) -> Ratio:
    """The (weighted) mean of one value per sample; units as of `sample_ratio`. Of equal values it is exactly these."""
    ratio = sample_ratio(values, np.ones(len(values)), data, bounds=bounds, caution=caution, unit=unit)
    return ratio if ratio.reason else ratio.known(clip_mean(ratio.value, float(values[0]), lambda: values))


def sample_ratio(
    numerator: Floats,
    denominator: Floats,
    data: Sampled,
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
