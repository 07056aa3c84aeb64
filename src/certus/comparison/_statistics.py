"""Pairs of systems whose metric has a statistic over the same units."""

from collections.abc import Mapping
from typing import Any

from certus.comparison._family import Pair
from certus.inference import Estimate, Paired, difference

__all__ = ["pairs_of"]


def pairs_of(estimates: Mapping[str, Estimate]) -> Pair:
    """The function that compares two of the systems by the form of their statistics."""

    def pair(system: str, baseline: str, **how: Any) -> Paired:
        a, b = estimates[system], estimates[baseline]
        return difference(a.statistic, b.statistic, bounds=a.bounds, **how)

    return pair
