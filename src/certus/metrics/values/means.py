"""Mean, geometric mean and median of one score per item."""

import math
from typing import Any

import numpy as np

from certus.core.errors import DataError
from certus.data.values import Values
from certus.metrics.classification.per_sample import sample_mean
from certus.metrics.declaration import metric
from certus.metrics.regression.smooth import mass_of, smooth, weighted_sum
from certus.metrics.state_kinds import Quantiles, SampleSums
from certus.statistic import Influence, Mean, Proportion, Quantile, Ratio
from certus.statistic.cached import constant
from certus.statistic.common import clip_mean


@metric(
    "Mean",
    aliases=("mean", "average", "share", "proportion"),
    better=None,
    bounds=(float("-inf"), float("inf")),
    source="the arithmetic mean",
    state=SampleSums(several=False),
)
def mean(data: Values) -> Mean | Proportion | Ratio:
    """Mean of the items' values; the share of ones where every value is 0 or 1.

    ``mean = sum of weight * value / sum of weights``. A share of single items is a proportion, with the default
    interval of one (Wilson, modified for few items). Every other mean has the interval of
    `certus.inference.mean_interval`. It stays within [0, 1] where every value is 0 or 1.

    Examples
    --------
    >>> import certus
    >>> print(certus.values.mean([1, 0, 1, 1]))
    0.7500 [0.3006, 0.9872]  95% modified Wilson, 4 items
    >>> print(certus.values.mean([2.5, 3.5, 4.0, 3.0]))
    3.2500 [2.2229, 4.2771]  95% Student t, 4 items
    """
    bounds = (0.0, 1.0) if data.binary else None
    if data.is_simple:
        if data.binary and data.repeats == 1:
            return Proportion(int(data.values.sum()), len(data), unit="item")
        return Mean(data.values, unit="item", bounds=bounds)
    return sample_mean(data.values, data, bounds=bounds, unit="item")


@metric(
    "GeometricMean",
    aliases=("geometric_mean", "gmean"),
    better=None,
    bounds=(0.0, float("inf")),
    source="the geometric mean",
)
def geometric_mean(data: Values) -> Mean | Influence:
    """Geometric mean of the values, which must be above 0: of ratios, speed-ups and times.

    ``geometric mean = exp(sum of weight * log(value) / sum of weights)``

    Examples
    --------
    >>> import certus
    >>> certus.values.geometric_mean([0.5, 2, 4, 0.25]).value
    1.0
    """
    if data.values.size and data.values.min() <= 0:
        index = int(np.argmax(data.values <= 0))
        nonpositive = data.values[index]
        raise DataError.for_value(
            "values", (index,), nonpositive, f"{nonpositive:g}", "a geometric mean is of values above 0"
        )
    if data.is_simple:
        return Mean(data.values, unit="item", scale="log", floor=0.0)
    logs = np.log(data.values)
    value = math.exp(float(weighted_sum(logs, data.weights)) / mass_of(logs, data.weights))
    value = clip_mean(value, float(data.values[0]), lambda: data.values)
    return smooth(data, constant([logs]), _exp_of_mean, value)


def _exp_of_mean(sums: Any) -> Any:
    return np.exp(sums[..., 1] / sums[..., 0])


@metric(
    "Median",
    aliases=("median",),
    better=None,
    bounds=(float("-inf"), float("inf")),
    source="the quantile 0.5",
    state=Quantiles(),
)
def median(data: Values) -> Quantile:
    """Median of the values of the items.

    The interval is distribution-free: two of the values themselves, by the binomial distribution of how many lie below
    the median; over groups Woodruff's, which allows for clusters.

    Examples
    --------
    >>> import certus
    >>> certus.values.median([12, 15, 11, 90]).value
    13.5
    """
    return Quantile(data.values, 0.5, weights=data.weights, groups=data.groups, unit=data.unit)
