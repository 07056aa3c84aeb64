"""Samples with their clusters: what metrics of a clustering without any truth are computed from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError, MetricNameError
from certus.data.codes import coded, codes_in_order
from certus.data.columns import axes, float_matrix
from certus.data.samples import SampleData, pair_samples, renumber_groups

Distance = str | Callable[..., float]
"""The name of a distance, or a function of two samples."""

SAFE = 2.0**400
"""Coordinates up to here, and from its inverse on, have squares that are neither infinite nor 0."""
ZERO = 100 * np.finfo(np.float64).eps
"""Up to here the distance of a sample from itself is rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class Clustered(SampleData):
    """Samples, as rows of numbers or by their distances from each other, and the cluster of each.

    Attributes
    ----------
    values
        A row for each sample, or the distances from each to all others; finite.
    labels
        The cluster of each sample, numbered from 0.
    metric
        How far apart two samples are: the name of a distance, a function, or ``"precomputed"``.
    metric_params
        What the distance is told besides.
    groups
        The group of each sample, numbered from 0; None where each is independent.

    Examples
    --------
    >>> data = Clustered.from_arrays([[0.0], [1.0], [5.0]], ["a", "a", "b"])
    >>> data.n, data.sizes.tolist()
    (3, [2, 1])
    """

    arguments: ClassVar[tuple[str, str]] = ("X", "labels")
    shapes: ClassVar[str] = "a row of numbers and one cluster for each sample"
    keywords: ClassVar[tuple[str, ...]] = ("metric", "metric_params", "groups")
    reported: ClassVar[tuple[str]] = ("metric",)
    """Conventions of the data that an estimate keeps."""

    values: Floats
    labels: NDArray[np.int64]
    metric: Distance = "euclidean"
    metric_params: Mapping[str, Any] = field(default_factory=dict)
    groups: NDArray[np.int64] | None = None
    weights: None = None

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """True if there is a row of numbers and a label per sample."""
        return axes(y_true) == 2 and axes(other) == 1

    @classmethod
    def from_arrays(
        cls,
        X: Any,
        labels: Any,
        *,
        metric: Distance = "euclidean",
        metric_params: Mapping[str, Any] | None = None,
        groups: Any = None,
    ) -> Self:
        """Samples and their clusters.

        Parameters
        ----------
        X
            A row of finite numbers per sample, or the table of all distances where `metric` is ``"precomputed"``.
        labels
            The cluster of each sample.
        metric
            ``"euclidean"``, ``"precomputed"``, another distance of ``scipy.spatial.distance`` by its name
            (``"manhattan"``, ``"l1"`` and ``"l2"`` are understood, ``"haversine"`` is there too), or a function of two
            samples.
        metric_params
            What the distance is told besides, such as ``{"p": 3}`` for ``"minkowski"``.
        groups
            The group each sample belongs to; samples of different groups are independent.

        Raises
        ------
        DataError
            The arguments do not pair up, or X is not finite; precomputed distances are not square, negative, or not 0
            from a sample to itself.
        """
        values = float_matrix(X, "X", infinite=False).astype(np.float64, copy=False)
        column = coded(labels, "labels")
        clusters = pair_samples({"X": X, "labels": labels}, (values, column), groups=groups).groups
        if not (isinstance(metric, str) or callable(metric)):
            raise DataError(
                f"is {metric!r}", "it must be the name of a distance or a function of two samples", argument="metric"
            )
        if metric == "precomputed":
            _check_distances(values)
        if metric_params and metric in ("euclidean", "precomputed"):
            raise MetricNameError(
                f"is {dict(metric_params)!r}, but the distance {metric!r} takes none",
                "leave it out",
                argument="metric_params",
            )
        codes = renumber_groups(codes_in_order(column))
        return cls(values, codes, metric, dict(metric_params or {}), clusters)

    @property
    def n(self) -> int:
        """Number of samples."""
        return len(self.labels)

    def __len__(self) -> int:
        return self.n

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of samples of each cluster."""
        return np.bincount(self.labels)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """The samples by their clusters, those of a cluster by their rows: the same samples in whatever order given."""
        return kernels.cluster_order(np.ascontiguousarray(self.values), self.labels)

    @cached_property
    def cluster_ends(self) -> NDArray[np.uint64]:
        """The end of each cluster in that order."""
        return np.cumsum(self.sizes).astype(np.uint64)

    @cached_property
    def scaled(self) -> Floats:
        """The rows, divided by a power of two where squares of them would be infinite or 0."""
        largest = max(float(self.values.max(initial=0.0)), -float(self.values.min(initial=0.0)))
        if largest == 0 or 1 / SAFE <= largest <= SAFE:
            return self.values
        return np.ldexp(self.values, -int(np.frexp(largest)[1]))

    def undefined_reason_of(self) -> str:
        """Why there is nothing to compare clusters by; empty where there is."""
        n_clusters = len(self.sizes)
        if self.n == 0:
            return "there are no samples"
        if n_clusters == 1:
            return "all samples are in one cluster; there must be at least 2"
        return "each sample is a cluster of its own; one must have at least 2" if n_clusters == self.n else ""

    def __repr__(self) -> str:
        return f"<Clustered: {self.n} samples in {len(self.sizes)} clusters>"


def _check_distances(values: Floats) -> None:
    if values.shape[0] != values.shape[1]:
        raise DataError(
            f"has shape {values.shape}", "precomputed distances have a row and a column per sample", argument="X"
        )
    if values.size and values.min() < 0:
        row, column = np.argwhere(values < 0)[0].tolist()
        raise DataError(
            f"is {values[row, column]:g} in row {row}, column {column}", "no distance is below 0", argument="X"
        )
    nonzero = np.flatnonzero(np.abs(values.diagonal()) > ZERO)
    if len(nonzero):
        raise DataError(
            f"is {values[nonzero[0], nonzero[0]]:g} in row {nonzero[0]}, column {nonzero[0]}",
            "the distance of a sample from itself must be 0",
            argument="X",
        )
