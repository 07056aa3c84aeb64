"""Two clusterings of the same samples, from which metrics of agreement are computed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, Ints
from certus.core.errors import DataError, MetricNameError, mention
from certus.data.cells import whole_counts
from certus.data.columns import (
    Coded,
    as_array,
    axes,
    check_nulls,
    check_shape,
    coded,
    codes_in_order,
    floats,
    sorted_labels,
)
from certus.data.samples import PairedSamples, SampleData, pair_samples, renumber_groups
from certus.statistic.common import sum_by_code

MOST_LABELS = 1024
"""With more labels than this the table is counted by its cells that are not empty."""
_TABLE = "a row per true and a column per predicted cluster"


@dataclass(frozen=True, eq=False, repr=False)
class Partition(PairedSamples):
    """The contingency table of true and predicted clusters, only the cells that are not empty.

    A label is any hashable value; the labels of truth and prediction need have nothing in common, not even their kind.

    Attributes
    ----------
    rows, columns
        The true and the predicted cluster of each cell, numbered from 0; by row and then by column.
    counts
        How many samples each cell has, int64; with weights their sums, float64.
    n
        Number of samples.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.
    squares
        Of each cell the sum of the squared weights; None without weights.

    Examples
    --------
    >>> data = Partition.from_arrays(["a", "a", "b", "b"], [7, 7, 7, 5])
    >>> data.rows.tolist(), data.columns.tolist(), data.counts.tolist()
    ([0, 1, 1], [1, 0, 1], [2, 1, 1])
    >>> Partition.from_counts([[0, 2], [1, 1]]).true_sizes.tolist()
    [2, 2]
    """

    arguments: ClassVar[tuple[str, str]] = ("labels_true", "labels_pred")
    keywords: ClassVar[tuple[str, ...]] = ("contingency", "sample_weight", "groups")

    rows: Ints
    columns: Ints
    counts: NDArray[Any]
    n: int
    weights: NDArray[np.float64] | None = None
    groups: Ints | None = None
    squares: NDArray[np.float64] | None = None
    _columns: tuple[Coded, Coded] | None = None

    @classmethod
    def from_arrays(cls, labels_true: Any, labels_pred: Any, *, sample_weight: Any = None, groups: Any = None) -> Self:
        """The table of two columns of labels.

        Parameters
        ----------
        labels_true, labels_pred
            The cluster of each sample, true and predicted.
        sample_weight
            A weight of at least 0 for each sample.
        groups
            The group each sample belongs to; samples of different groups are independent.

        Raises
        ------
        DataError
            The columns do not pair up, hold nulls, or mix kinds of labels.
        """
        arguments = {"labels_true": labels_true, "labels_pred": labels_pred}
        columns = [_in_order(coded(labels, name)) for name, labels in arguments.items()]
        (true, predicted), weights, clusters = pair_samples(arguments, columns, sample_weight, groups)
        rows, cols, counts = _count_cells(true, predicted)
        partition = cls(rows, cols, counts, len(true.values), weights, clusters, None, (true, predicted))
        if weights is None:
            return partition
        cells = partition.cells
        sums, squares = (sum_by_code(cells, values, len(rows)) for values in (weights, weights**2))
        return replace(partition, counts=sums, squares=squares)

    @classmethod
    def from_counts(cls, contingency: Any) -> Self:
        """The clusterings of which only the table is known: rows are true clusters, columns predicted ones.

        Parameters
        ----------
        contingency
            A table of whole numbers, an array or one of scipy's sparse ones. Empty rows and columns are not clusters.

        Raises
        ------
        DataError
            It is not a table, or holds anything but whole numbers of at least 0.
        """
        if hasattr(contingency, "tocoo"):
            table = contingency.tocoo()
            check_shape(table, 2, "contingency", _TABLE)
            rows, columns, values = table.row, table.col, table.data
        else:
            array = as_array(contingency, "contingency")
            check_shape(array, 2, "contingency", _TABLE)
            check_nulls(array, "contingency")
            rows, columns = np.nonzero(array)
            values = array[rows, columns]
        counts, n = whole_counts(values, "contingency")
        cell_codes = np.unique(rows, return_inverse=True)[1], np.unique(columns, return_inverse=True)[1]
        order = np.lexsort(cell_codes[::-1])
        row, column = (np.asarray(codes, dtype=np.int64)[order] for codes in cell_codes)
        if len(row) and ((np.diff(row) == 0) & (np.diff(column) == 0)).any():
            raise DataError("has a cell twice", "sum the duplicates of the sparse table first", argument="contingency")
        return cls(row, column, counts[order], n)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of true and of predicted clusters."""
        return int(self.rows.max(initial=-1)) + 1, int(self.columns.max(initial=-1)) + 1

    def __len__(self) -> int:
        return self.n

    @cached_property
    def true_sizes(self) -> NDArray[Any]:
        """Number of samples, or their total weight, in each true cluster."""
        return _sums(self.rows, self.counts)

    @cached_property
    def pred_sizes(self) -> NDArray[Any]:
        """Number of samples, or their total weight, in each predicted cluster."""
        order = np.argsort(self.columns, kind="stable")
        return _sums(self.columns[order], self.counts[order])

    @property
    def identical(self) -> bool:
        """True if both clusterings have the same clusters."""
        return self.shape == (len(self.rows), len(self.rows))

    @cached_property
    def codes(self) -> tuple[Ints, Ints] | None:
        """The true and the predicted cluster of each sample; None of a table alone."""
        if self._columns is None:
            return None
        first, second = (kernels.code_numbers(column.values)[1].astype(np.int64) for column in self._columns)
        return first, second

    @property
    def cells(self) -> Ints:
        """The cell that each sample falls into.

        Raises
        ------
        DataError
            Only the table is known.
        """
        if self.codes is None:
            raise DataError(
                "contingency alone does not say which sample is where",
                f"give {mention('labels_true')} and {mention('labels_pred')}",
                argument="labels_true",
                subject="",
            )
        width = self.shape[1]
        keys = self.rows * width + self.columns
        return np.searchsorted(keys, self.codes[0] * width + self.codes[1]).astype(np.int64)

    def __repr__(self) -> str:
        return f"<Partition: {self.n} samples, {self.shape[0]} true and {self.shape[1]} predicted clusters>"


def _in_order(column: Coded) -> Coded:
    """The column with names numbered in their order, so that no order of rows changes the order of the cells."""
    if column.names is None:
        return column
    names, _ = sorted_labels(column.names)
    return Coded(codes_in_order(column), names, column.kind, boolean=column.boolean, order=column.order)


def _count_cells(true: Coded, predicted: Coded) -> tuple[Ints, Ints, Ints]:
    """True cluster, predicted cluster and count of each nonempty cell in the contingency table."""
    try:
        table = kernels.count_pairs(true.values, predicted.values, most=MOST_LABELS)[2]
    except ValueError:  # more labels than that
        (labels, first), (_, second) = (kernels.code_numbers(column.values) for column in (true, predicted))
        cells = kernels.count_cells(first, second, len(labels))
        return cells[0].astype(np.int64), cells[1].astype(np.int64), cells[2]
    rows, columns = np.nonzero(table)
    return rows.astype(np.int64), columns.astype(np.int64), table[rows, columns]


def _sums(codes: Ints, values: NDArray[Any]) -> NDArray[Any]:
    """The sums of the values of each code; the codes ascend."""
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    return np.add.reduceat(values, starts) if len(starts) else values[:0]


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
        Further arguments of the distance.
    groups
        The group of each sample, numbered from 0; None where each is independent.

    Examples
    --------
    >>> data = Clustered.from_arrays([[0.0], [1.0], [5.0]], ["a", "a", "b"])
    >>> data.n, data.sizes.tolist()
    (3, [2, 1])
    """

    arguments: ClassVar[tuple[str, str]] = ("X", "labels")
    first_column = "labels"
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
            Further arguments of the distance, such as ``{"p": 3}`` for ``"minkowski"``.
        groups
            The group each sample belongs to; samples of different groups are independent.

        Raises
        ------
        DataError
            The arguments do not pair up, or X is not finite; precomputed distances are not square, negative, or not 0
            from a sample to itself.
        """
        values = floats(X, "X", infinite=False, dimensions=2).astype(np.float64, copy=False)
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
        return len(self)

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
    """Refuse a distance matrix that is not square, or has negative entries or a nonzero diagonal."""
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
