"""Pairs of systems whose metric has a statistic over the same units."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from certus.comparison._family import Pair
from certus.inference import Estimate, Paired, difference
from certus.statistic import Mean

__all__ = ["pairs_of"]


def pairs_of(estimates: Mapping[str, Estimate]) -> Pair:
    """The function that compares two of the systems by the form of their statistics."""

    def pair(system: str, baseline: str, **how: Any) -> Paired:
        a, b = estimates[system], estimates[baseline]
        found = difference(a.statistic, b.statistic, bounds=a.bounds, **how)
        of_units = found.difference.statistic
        if isinstance(a.statistic, Mean) and a.statistic.total and isinstance(of_units, Mean) and not of_units.total:
            # The metric is a sum over the units, and so is its difference.
            summed = Mean(of_units.values, unit=of_units.unit, total=True)
            found = replace(found, difference=replace(found.difference, statistic=summed))
        return found

    return pair
