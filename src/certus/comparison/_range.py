"""The range of values whose bounds are not known, as the user states it."""

import math
from collections.abc import Iterable
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from certus.comparison._family import Family, Material
from certus.comparison.assemble import pairs_of
from certus.errors import DataError, MetricNameError
from certus.io.scores import Scores
from certus.printable import exact
from certus.statistic import Mean, Ratio
from certus.statistic.common import Bounds

KNOWN = "is for values whose range is not known, but {} knows its own"
STATE = "state the range that is possible"


def checked_range(value_range: Any) -> Bounds:
    """The range as two increasing numbers."""
    pair = tuple(value_range) if isinstance(value_range, tuple | list) else (value_range,)
    numbers = [float(each) for each in pair if not isinstance(each, bool) and isinstance(each, Real)]
    if len(pair) != 2 or len(numbers) != 2 or not numbers[0] < numbers[1]:
        raise DataError(
            f"is {value_range!r}",
            "give the least and the greatest possible value, such as (0, 1)",
            argument="value_range",
        )
    return numbers[0], numbers[1]


def with_range(material: Material, value_range: Any) -> Material:
    """The material with the stated range as the bounds of its metrics, which must be means without bounds."""
    low, high = checked_range(value_range)
    families = tuple(_family_with_range(family, (low, high)) for family in material.families)
    return replace(material, families=families, conventions={**material.conventions, "value_range": [low, high]})


def _family_with_range(family: Family, bounds: Bounds) -> Family:
    if math.isfinite(family.bounds[1] - family.bounds[0]):
        raise MetricNameError(KNOWN.format(family.metric), "leave it out", argument="value_range")
    for system, estimate in family.estimates.items():
        mean = estimate.statistic
        if isinstance(mean, Ratio):
            values = mean.numerators[mean.denominators > 0] / mean.denominators[mean.denominators > 0]
        elif isinstance(mean, Mean):
            values = mean.values
        else:
            raise MetricNameError(
                f"is for means over units, which {family.metric} is not", "leave it out", argument="value_range"
            )
        outside = np.flatnonzero((values < bounds[0]) | (values > bounds[1]))
        if len(outside):
            raise DataError(
                f"{family.metric} of {mean.unit} {outside[0] + 1} of {system} is {exact(values[outside[0]])}, outside "
                f"of [{bounds[0]:g}, {bounds[1]:g}]",
                STATE,
            )
    estimates = {system: replace(estimate, bounds=bounds) for system, estimate in family.estimates.items()}
    return replace(family, bounds=bounds, estimates=estimates, pair=pairs_of(estimates))


def check_range(scores: Iterable[Scores], metric: str, bounds: Bounds) -> None:
    """Refuse a value outside of the range."""
    for each in scores:
        outside = np.flatnonzero((each.values < bounds[0]) | (each.values > bounds[1]))
        if len(outside):
            first = int(outside[0])
            raise DataError(
                f"{metric} of item {each.items[first]!r} of {each.system} is {exact(each.values[first])}, outside of "
                f"[{bounds[0]:g}, {bounds[1]:g}]",
                STATE,
                place=None if each.place is None else each.place(first),
            )
