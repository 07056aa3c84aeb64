"""Pairs of systems whose metric has a statistic over the same units."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from certus.comparison._family import Pair
from certus.errors import DataError
from certus.inference import Estimate, Paired, paired
from certus.statistic import Mean

__all__ = ["pairs_of"]


def pairs_of(estimates: Mapping[str, Estimate]) -> Pair:
    """The function that compares two of the systems by the form of their statistics."""

    def pair(system: str, baseline: str, **how: Any) -> Paired:
        a, b = estimates[system].statistic, estimates[baseline].statistic
        if not (isinstance(a, Mean) and isinstance(b, Mean) and a.scale == b.scale == "linear"):
            raise DataError(f"{estimates[system].metric} is no mean over units")
        found = paired(a.values, b.values, unit=a.unit, **how)
        if a.total:
            summed = Mean(found.difference.statistic.values, unit=a.unit, total=True)
            found = replace(found, difference=replace(found.difference, statistic=summed))
        return found

    return pair
