"""Units that belong together, and units that count unequally: the sums over independent clusters."""

import math
from collections.abc import Hashable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.arrays import Floats
from certus.errors import DataError
from certus.statistic import Mean, Ratio, Statistic

__all__ = ["Clusters", "cluster_sums", "clusters_of", "over_clusters"]


class Clusters(NamedTuple):
    """Which cluster each unit belongs to, and its weight."""

    codes: NDArray[np.int64]
    weights: Floats
    size: int
    grouped: bool

    @property
    def sizes(self) -> Floats:
        """The number of units of each cluster, or their weight."""
        return cluster_sums(self.codes, self.weights, self.size)

    def sums(self, values: Floats) -> Floats:
        """The sum of the values of each cluster, or of weight times value."""
        return cluster_sums(self.codes, values * self.weights, self.size)


def cluster_sums(codes: NDArray[np.int64], values: Floats, size: int) -> Floats:
    """The sum of the values of each code, rightly rounded: the same bits for any order, and with all signs turned."""
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(size + 1)).tolist()
    if ends == list(range(size + 1)):
        return np.asarray(values[order])
    sorted_values = values[order].tolist()
    return np.array([math.fsum(sorted_values[first:last]) for first, last in pairwise(ends)])


def clusters_of(n: int, groups: ArrayLike | None, weights: ArrayLike | None) -> Clusters | None:
    """The clusters of n units; None where each counts alike and for itself, as it does with weights that are equal.

    Raises
    ------
    DataError
        Groups or weights are not one per unit, a unit has no group, a weight is negative or not finite, or all are 0.
    """
    weight = None if weights is None else _weights(weights, n)
    if groups is None:
        if weight is None:
            return None
        return Clusters(np.arange(n), weight, n, grouped=False)
    if isinstance(groups, str | bytes):
        raise DataError(f"groups is {groups!r}; give one group per unit")
    labels = np.asarray(groups).tolist() if not isinstance(groups, list | tuple) else list(groups)
    if not isinstance(labels, list) or len(labels) != n:
        held = len(labels) if isinstance(labels, list) else 1
        raise DataError(f"groups has {held} labels for {n} units; give one group per unit")
    known: dict[Hashable, int] = {}
    codes = np.empty(n, dtype=np.int64)
    for place, label in enumerate(labels):
        if label is None or label != label:
            raise DataError(f"groups has no value at index {place}; give each unit a group, or leave the unit out")
        if not isinstance(label, Hashable):
            raise DataError(f"groups has {label!r} at index {place}; give one label per unit")
        codes[place] = known.setdefault(label, len(known))
    return Clusters(codes, np.ones(n) if weight is None else weight, len(known), grouped=True)


def over_clusters(statistic: Statistic, clusters: Clusters) -> Statistic | None:
    """The same value over clusters of its units; None where it is no arithmetic mean or ratio over them."""
    unit = "group" if clusters.grouped else statistic.unit
    if isinstance(statistic, Mean) and statistic.scale == "linear" and not statistic.total:
        if statistic.why:
            return statistic
        return Ratio(clusters.sums(statistic.values), clusters.sizes, unit=unit, bounds=statistic.bounds)
    if isinstance(statistic, Ratio):
        above, below = clusters.sums(statistic.numerators), clusters.sums(statistic.denominators)
        return Ratio(above, below, unit=unit, bounds=statistic.bounds)
    return None


def _weights(given: ArrayLike, n: int) -> Floats | None:
    """The weights as parts of the greatest; None where they are equal."""
    weights = np.asarray(given, dtype=np.float64)
    if weights.shape != (n,):
        raise DataError(f"weights has shape {weights.shape} for {n} units; give one weight per unit")
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        value = weights[wrong[0]]
        raise DataError.of_cell("weights", (wrong[0],), value, f"{value:g}", "a weight is finite and at least 0")
    if not weights.any():
        raise DataError("every weight is 0; some unit must count")
    parts = np.asarray(weights / weights.max())
    return None if (parts == 1).all() else parts
