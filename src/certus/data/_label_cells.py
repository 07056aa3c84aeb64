"""The cells that samples with several labels fill, of which most are true negatives, and their contributions."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.statistic.common import sum_by_code
from certus.statistic.contributions import Codes, Contributions, InParts, Tables

ROUNDING = 1e-12
"""Part of the samples of a label that rounding of their weights may leave in an empty cell."""
NARROW = 2**31 - 1
"""The greatest place that 32 bits hold; scipy copies all places where only some are 64 bits wide."""
ROWS = 255
"""Rows of which a byte holds the sum."""


@dataclass(frozen=True, eq=False)
class LabelCells:
    """The cell of ``[[tn, fp], [fn, tp]]`` that each sample fills, for each label.

    Attributes
    ----------
    incidence
        A sparse table of 1 (CSR): a row for each sample, four columns for each label.
    unlisted
        The columns of true negatives that `incidence` leaves out: of labels that most samples, by number and by weight,
        have neither truly nor as predicted. They have what the other three leave.
    """

    incidence: Any
    unlisted: NDArray[np.int64]

    @classmethod
    def from_tables(cls, true: Any, predicted: Any, weights: Floats | None) -> "LabelCells":
        """The cells by two tables of truth values with a row for each sample and a column for each label."""
        from scipy.sparse import csr_array

        codes = _codes(true, predicted)
        samples, labels = codes.shape
        crowded = 2 * np.bincount(codes.indices, minlength=labels) > samples
        if weights is not None:
            heavy = sum_by_code(codes.indices, np.repeat(weights, np.diff(codes.indptr)), labels)
            crowded |= 2 * heavy > weights.sum()
        crowded_labels = np.flatnonzero(crowded)
        if 2 * len(crowded_labels) > labels:
            cells = (codes.toarray() + 4 * np.arange(labels, dtype=np.int32)).reshape(-1)
            row_ends = labels * np.arange(samples + 1, dtype=np.int32 if len(cells) <= NARROW else np.int64)
            return cls(
                csr_array((np.ones(len(cells)), cells, row_ends), shape=(samples, 4 * labels)), crowded_labels[:0]
            )
        cells = 4 * codes.indices + codes.data
        incidence = csr_array((np.ones(len(cells)), cells, codes.indptr), shape=(samples, 4 * labels))
        if len(crowded_labels):
            rows, columns = np.nonzero(codes[:, crowded_labels].toarray() == 0)
            incidence = incidence + csr_array(
                (np.ones(len(rows)), (rows, 4 * crowded_labels[columns])), shape=incidence.shape
            )
        return cls(incidence, 4 * np.flatnonzero(~crowded))

    def by_sample(self, slopes: Floats) -> Floats:
        """The sum of a number for each cell over the cells that a sample fills."""
        first = slopes[self.unlisted]
        differences = slopes.copy()
        for cell in range(4):
            differences[self.unlisted + cell] -= first
        sums: Floats = self.incidence @ differences + first.sum()
        return sums

    def tables(self, amounts: Any) -> Floats:
        """The cells in a row where each sample counts several times, for each row of `amounts`, which may be sparse.

        What rounding leaves of an empty cell is 0.
        """
        sums = (self.incidence.T @ amounts.T).T
        tables: Floats = np.ascontiguousarray(sums.toarray() if hasattr(sums, "toarray") else sums)
        totals, sizes = amounts.sum(1), abs(amounts).sum(1)
        stacked = tables.reshape(len(tables), -1, 4)
        labels = self.unlisted // 4
        left = totals[:, np.newaxis] - stacked[:, labels].sum(-1)
        stacked[:, labels, 0] = np.where(np.abs(left) <= ROUNDING * sizes[:, np.newaxis], 0.0, left)
        return tables


def _codes(true: Any, predicted: Any) -> Any:
    """1 for a false positive, 2 for a false negative and 3 for a true positive, as a sparse table."""
    from scipy.sparse import csr_array

    if not isinstance(true, np.ndarray):
        codes = 2 * true.tocsr().astype(np.int8) + predicted.tocsr().astype(np.int8)
        codes.sort_indices()
        return codes
    samples, labels = true.shape
    flat_indices = np.flatnonzero(true | predicted)
    codes = 2 * true.reshape(-1)[flat_indices].astype(np.int8) + predicted.reshape(-1)[flat_indices]
    row_ends = np.searchsorted(flat_indices, labels * np.arange(samples + 1))
    row_ends = row_ends.astype(np.int32) if len(flat_indices) <= NARROW else row_ends
    return csr_array((codes, (flat_indices % max(1, labels)).astype(np.int32), row_ends), shape=true.shape)


@dataclass(frozen=True, eq=False)
class LabelContributions:
    """Contributions of units to the cells of all labels: `certus.statistic.contributions.Parts`.

    Attributes
    ----------
    cells
        The cells that samples fill.
    units
        The unit of each sample; None: each is one.
    weights
        One for each sample; None: each is 1.
    rows
        See `Parts`.
    """

    cells: LabelCells
    units: Codes | None
    weights: Floats | None
    rows: Callable[[], Contributions]

    @property
    def size(self) -> int:
        """See `Parts`."""
        samples, cells = self.cells.incidence.shape
        return int(samples * (cells // 4))

    def by_unit(self, slopes: Floats, n: int) -> Floats:
        """See `Parts`."""
        return self._sum_by_unit(self._weighted(self.cells.by_sample(slopes)), n)

    def masses(self, n: int) -> Floats:
        """See `Parts`."""
        return self._sum_by_unit(self._weighted(np.ones(self.cells.incidence.shape[0])), n)

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """See `Parts`."""
        columns = [(self.by_unit(slopes, n), self.masses(n))]
        return lambda: columns

    def tables(self, amounts: Floats, cells: int) -> Floats:
        """See `Parts`."""
        del cells
        return self.cells.tables(self._weighted(amounts if self.units is None else amounts[:, self.units]))

    def by_group(self, groups: Codes, cells: int) -> Tables:
        """See `Parts`."""
        from scipy.sparse import csr_array

        del cells
        samples = self.cells.incidence.shape[0]
        sample_groups = groups if self.units is None else groups[self.units]
        shape = int(groups.max()) + 1, samples
        amounts = csr_array((self._weighted(np.ones(samples)), (sample_groups, np.arange(samples))), shape=shape)
        return lambda first, end: self.cells.tables(amounts[first:end])

    def over(self, clusters: Codes) -> "LabelContributions":
        """See `Parts`."""
        units = clusters if self.units is None else clusters[self.units]
        return replace(self, units=units, rows=partial(_rows_by_cluster, self.rows, clusters))

    def _weighted(self, values: Floats) -> Floats:
        return values if self.weights is None else values * self.weights

    def _sum_by_unit(self, values: Floats, n: int) -> Floats:
        return values if self.units is None else sum_by_code(self.units, values, n)


def _rows_by_cluster(rows: Callable[[], Contributions], clusters: Codes) -> Contributions:
    return rows().over(clusters)


def column_sums(table: Any) -> NDArray[np.int64]:
    """The number of true values in each column."""
    if not isinstance(table, np.ndarray) or table.shape[1] < ROWS:
        return np.asarray(table.sum(0), dtype=np.int64)
    totals = np.zeros(table.shape[1], dtype=np.int64)
    for first in range(0, len(table), ROWS):  # sums of bytes take a tenth of the time
        totals += table[first : first + ROWS].view(np.uint8).sum(0, dtype=np.uint8)
    return totals
