"""Clusters by their centroids, and statistics of them with the influence of each sample."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data import Clustered
from certus.statistic import Influence, tally

__all__ = ["Centroids", "centroid_influence", "undefined"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Centroids:
    """Samples about the centroid of their cluster.

    All data are centred first, then each cluster, and the centroid is corrected by the mean of what is left: nothing is
    lost where the samples lie far from 0.
    """

    values: Floats
    labels: NDArray[np.int64]
    clusters: int
    weights: Floats | None = None

    @cached_property
    def sizes(self) -> Floats:
        """Number of samples (sum of weights) of each cluster."""
        return np.bincount(self.labels, self.weights, self.clusters).astype(np.float64)

    @cached_property
    def total(self) -> float:
        """Number of samples (sum of weights)."""
        return float(self.sizes.sum())

    @cached_property
    def centred(self) -> Floats:
        """The samples about the mean of all."""
        centred = self.values - self.values[0] if len(self.values) else self.values
        for _ in range(2):
            centred = centred - self._mean(centred)
        return centred

    def _mean(self, rows: Floats) -> Floats:
        return np.asarray((rows if self.weights is None else rows * self.weights[:, np.newaxis]).sum(0) / self.total)

    def means(self, rows: Floats) -> Floats:
        """The mean of each cluster's rows; NaN of an empty one."""
        weighted = rows if self.weights is None else rows * self.weights[:, np.newaxis]
        columns = [tally(self.labels, column, self.clusters) for column in weighted.T]
        with np.errstate(invalid="ignore"):
            return np.stack(columns, axis=1) / self.sizes[:, np.newaxis]

    @cached_property
    def centroids(self) -> Floats:
        """Of each cluster, about the mean of all samples."""
        first = self.means(self.centred)
        return first + self.means(self.centred - first[self.labels])

    @cached_property
    def left(self) -> Floats:
        """The samples about the centroid of their cluster."""
        return np.asarray(self.centred - self.centroids[self.labels])


def centroid_influence(
    data: Clustered,
    rows: Floats,
    value: float,
    influence: Floats,
    function: Callable[[Centroids], float],
) -> Influence:
    """The form of a statistic of centroids, given its influence values; the bootstrap evaluates `function`."""
    units, unit = data.units
    if data.groups is not None:
        influence = units / data.n * tally(data.groups, influence, units)
    influence = influence - influence.mean()
    variance = float((influence**2).sum() / (units - 1)) if units > 1 else float("nan")

    def resample(replicates: int, seed: int, stratified: bool) -> Floats:  # noqa: ARG001
        found = np.empty(replicates)
        step = max(1, (1 << 22) // units)
        for first, last in pairwise([*range(0, replicates, step), replicates]):
            drawn: Any = kernels.resample_counts(units, first=first, replicates=last - first, seed=seed)
            for place, times in enumerate(drawn, first):
                counts = (times if data.groups is None else times[data.groups]).astype(np.float64)
                there = counts > 0
                labels, codes = np.unique(data.labels[there], return_inverse=True)
                resampled = Centroids(rows[there], codes, len(labels), counts[there])
                found[place] = function(resampled) if 1 < len(labels) < there.sum() else np.nan
        return found

    return Influence(value, (units,), (variance,), lambda: (influence,), resample, unit=unit)


def undefined(data: Clustered, why: str) -> Influence:
    """No value, for the reason given."""
    units, unit = data.units
    return Influence(float("nan"), (units,), (float("nan"),), reason=why, unit=unit)
