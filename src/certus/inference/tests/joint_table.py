"""Joint table of two functions of cell counts, and permutation tests that swap both systems' results on a unit.

The joint table says which cell a unit fills for a, and which for b. If the systems are exchangeable on every unit,
whatever system a did there could as well have been done by b. So each choice of units on which the two trade places is
as likely as the data, and the p-value is the share of the choices with a difference as far out. Few choices are listed
with their probabilities, of many a seeded sample is drawn.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats, Ints
from certus.core.errors import CertusError, DataError
from certus.inference.clusters import cluster_mean, cluster_sums
from certus.inference.interval import Request
from certus.inference.intervals import pseudocounts
from certus.inference.intervals.cell_functions import blocks, gradient
from certus.inference.intervals.proportion import clopper_pearson_limits
from certus.inference.intervals.student import Student
from certus.inference.many.joint import row_order
from certus.inference.special import binomial_chances
from certus.inference.tests.means import PairedDifferences
from certus.inference.tests.result import Alternative, Outcome, extremes
from certus.statistic import Contributions, Ratio, TableFunction
from certus.statistic.common import sum_by_code

MAX_CELLS = 4096
"""Cells that the joint table may have where it is written out with those that no unit fills."""
TOLERANCE = 1e-12
COUNTS_ALONE = (
    "counts alone do not say which samples two systems share",
    "compare the predictions themselves with certus.compare, or give paired=False for two test sets",
)


@dataclass(frozen=True, eq=False)
class JointCells:
    """Functions of the cell counts of systems a and b, and the cells that each row (a sample) fills in both tables."""

    a: TableFunction
    b: TableFunction
    first: Ints
    second: Ints
    units: Ints
    weights: Floats | None

    @property
    def has_single_rows(self) -> bool:
        """True if each unit has one row."""
        return len(self.units) == self.a.n

    @property
    def is_multinomial(self) -> bool:
        """True if each unit fills one cell of the joint table, once: the counts are then multinomial."""
        return self.has_single_rows and self.weights is None

    @cached_property
    def is_exchangeable(self) -> bool:
        """True if both tables have the same cells, so that a unit's two cells can be swapped."""
        return self.a.counts.shape == self.b.counts.shape

    def statistic(self, unit: str) -> TableFunction:
        """Difference of the values as a function of the joint table."""
        # Its derivative by a joint cell is that of a's function by a's cell less that of b's by b's cell. Where cells
        # come in rows, one row for each true class, which a prediction does not leave, the table is (rows, cells of a,
        # cells of b); else, or where that would be large, it is the list of the pairs of cells that occur either way.
        layout, flat = _layout(self)
        size = len(layout.pairs)
        counts = sum_by_code(flat, np.ones(len(flat)) if self.weights is None else self.weights, size)
        squares = None
        if self.weights is not None and self.has_single_rows:
            squares = sum_by_code(flat, self.weights**2, size).reshape(layout.shape)
        return TableFunction(
            counts.reshape(layout.shape),
            layout.value,
            gradient=layout.gradient,
            squares=squares,
            contributions=None if self.is_multinomial else partial(Contributions, flat, self.units, self.weights),
            unit=unit,
            n=self.a.n,
            exact_value=self.a.value - self.b.value,
        )

    def discordant_counts(self) -> tuple[int, int, int] | None:
        """Number of units on which only a is right, only b is right, and of all; None unless shares are compared."""
        # Shares are compared if each joint cell counts 1, 0 or -1 in the numerator, and 1 in the denominator or
        # nothing.
        if not self.is_multinomial or not self.is_exchangeable:
            return None
        # Also the cells that a unit fills when its predictions trade places.
        layout, flat = _occurring(self)
        signs = share_signs(layout.value, len(layout.pairs))
        if signs is None:
            return None
        unit_signs = signs[flat]
        return int((unit_signs == 1).sum()), int((unit_signs == -1).sum()), int((~np.isnan(unit_signs)).sum())

    def values(self, first: Floats, second: Floats) -> Floats:
        """Differences of the values for pairs of tables, each table one row."""
        with np.errstate(divide="ignore", invalid="ignore"):
            a = np.asarray(self.a.function(first.reshape(-1, *self.a.counts.shape)), dtype=np.float64)
            b = np.asarray(self.b.function(second.reshape(-1, *self.b.counts.shape)), dtype=np.float64)
            return a - b


def joint_cells(a: TableFunction, b: TableFunction) -> JointCells:
    """Pair the cells that two systems' predictions fill for the same units."""
    if a.parts is None or b.parts is None:
        raise CertusError(*COUNTS_ALONE)
    rows_a, rows_b = a.parts.rows(), b.parts.rows()
    if not np.array_equal(rows_a.units, rows_b.units):
        raise DataError("the units of a and b differ", "both must hold the same samples in the same order")
    weights = [part.weights for part in (rows_a, rows_b)]
    if (weights[0] is None) != (weights[1] is None) or (
        weights[0] is not None and weights[1] is not None and not np.array_equal(weights[0], weights[1])
    ):
        raise DataError("the weights of a and b differ", "both must have the same sample_weight")
    first, second = (np.asarray(part.cells, dtype=np.int64) for part in (rows_a, rows_b))
    return JointCells(a, b, first, second, np.asarray(rows_a.units, dtype=np.int64), weights[0])


def share_signs(values: Callable[[Floats], Floats], size: int) -> Floats | None:
    """Change of a difference of shares by a unit in each cell, -1 to 1 or NaN; None if it is not one."""
    # `values` computes the function of tables, the cells of each in a row.
    if size > MAX_CELLS:
        return None
    rows = blocks(size, size)
    signs = np.concatenate([values(np.eye(block.stop - block.start, size, block.start)) for block in rows])
    is_defined = ~np.isnan(signs)
    if not is_defined.any() or not np.isin(signs[is_defined], (-1.0, 0.0, 1.0)).all():
        return None
    # A function that agrees with the share at some tables of any numbers is that share.
    tables = np.random.default_rng(0).uniform(0.5, 2.0, (4, size))
    shares = (tables[:, is_defined] * signs[is_defined]).sum(axis=1) / tables[:, is_defined].sum(axis=1)
    return signs if (np.abs(values(tables) - shares) <= TOLERANCE).all() else None


class _Layout(NamedTuple):
    """Shape of the joint table, and the pair (a's cell, b's cell) for each joint cell."""

    joint: JointCells
    pairs: Ints
    shape: tuple[int, ...]

    def value(self, tables: Floats) -> Floats:
        """Difference of the values for joint tables."""
        flat = tables.reshape(-1, len(self.pairs))
        values = np.empty(len(flat))
        for block in blocks(len(flat), max(self.joint.a.counts.size, self.joint.b.counts.size)):
            values[block] = self.joint.values(*(self._margin(flat[block], system) for system in (0, 1)))
        return values.reshape(tables.shape[: tables.ndim - len(self.shape)])

    def gradient(self, table: Floats) -> Floats:
        """Derivative of the difference by each joint cell."""
        flat = table.reshape(1, -1)
        slopes_a, slopes_b = (
            slopes_of(statistic, self._margin(flat, system)[0])
            for system, statistic in enumerate((self.joint.a, self.joint.b))
        )
        return np.asarray(slopes_a[self.pairs[:, 0]] - slopes_b[self.pairs[:, 1]]).reshape(self.shape)

    def _margin(self, tables: Floats, system: int) -> Floats:
        """Table of one system, from joint tables."""
        order = np.argsort(self.pairs[:, system], kind="stable")
        cells, starts = np.unique(self.pairs[order, system], return_index=True)
        margin = np.zeros((len(tables), (self.joint.a, self.joint.b)[system].counts.size))
        margin[:, cells] = np.add.reduceat(tables[:, order], starts, axis=1)
        return margin


def _occurring(joint: JointCells) -> tuple[_Layout, Ints]:
    """List of the cell pairs that occur, also after swaps, and the position of each unit's pair."""
    pairs = np.column_stack([joint.first, joint.second])
    either_way = np.concatenate([pairs, pairs[:, ::-1]]) if joint.is_exchangeable else pairs
    distinct, inverse = np.unique(either_way, axis=0, return_inverse=True)
    return _Layout(joint, distinct, (len(distinct),)), inverse.reshape(-1)[: len(pairs)].astype(np.int64)


def _layout(joint: JointCells) -> tuple[_Layout, Ints]:
    """Full joint table (rows, cells of a, cells of b) if it is small, otherwise `_occurring`."""
    shape, size_of_a, size_of_b = joint.a.counts.shape, joint.a.counts.size, joint.b.counts.size
    down = shape[-1] if joint.is_exchangeable and len(shape) > 1 else 0
    rows = 1
    if down and np.array_equal(joint.first // down, joint.second // down) and size_of_a * down <= MAX_CELLS:
        rows = size_of_a // down
    elif len(shape) != 1 or size_of_a * size_of_b > MAX_CELLS:
        return _occurring(joint)
    grid = rows, size_of_a // rows, size_of_b // rows
    row, cell_of_a, cell_of_b = np.indices(grid).reshape(3, -1)
    pairs = np.column_stack([row * grid[1] + cell_of_a, row * grid[2] + cell_of_b])
    return _Layout(joint, pairs, grid), joint.first * grid[2] + joint.second % grid[2]


FEW_UNITS = 15
"""Units of a class below which the table is adjusted.

With errors of 10 and 25 %, two equally good systems get p <= .05 without the adjustment in .04 to .068 of the samples
if the rarer class has 16 units or more, in .16 if it has 2 (balanced accuracy, MCC); with it in .04 or less (1,000
samples a setting).
"""


def student_of_cells(joint: JointCells) -> Student:
    """Difference by the delta method, with pseudo-counts if some class has few units."""
    # What each unit adds to the difference is, to first order, a sum of derivatives. Swapped systems have the same
    # error and the mirrored centre, bit for bit.
    adjusted = _adjusted(joint) if joint.is_multinomial else None
    if adjusted is not None:
        return adjusted
    slopes_a, slopes_b = (slopes_of(statistic, statistic.counts).reshape(-1) for statistic in (joint.a, joint.b))
    rows = slopes_a[joint.first] - slopes_b[joint.second]
    weights = np.ones(len(rows)) if joint.weights is None else joint.weights
    sums, sizes = (cluster_sums(joint.units, statistic, joint.a.n) for statistic in (rows * weights, weights))
    sample = PairedDifferences.from_sums(sums * math.fsum(weights), sizes, joint.a.unit)
    _, error, freedom = cluster_mean(sample.sums, sample.sizes)
    return Student(joint.a.value - joint.b.value, error, freedom)


def _adjusted(joint: JointCells) -> Student | None:
    """Difference with pseudo-counts if some class has few units; otherwise None."""
    shape = joint.a.counts.shape
    down = shape[-1] if joint.is_exchangeable and len(shape) == 2 else 0
    if not 2 <= down <= pseudocounts.SPREAD or not np.array_equal(joint.first // down, joint.second // down):
        return None
    table = sum_by_code(joint.first * down + joint.second % down, np.ones(len(joint.first)), joint.a.counts.size * down)
    table = table.reshape(shape[0], down, down)
    classes = table.sum(axis=(1, 2))
    if classes[classes > 0].min() >= FEW_UNITS:
        return None
    extra = pseudocounts.pseudocounts(table)
    full = table + extra
    # summed alike for both, so that swapped systems have the same bits
    ours, theirs = full.sum(axis=-1), np.ascontiguousarray(full.swapaxes(-1, -2)).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = float(joint.a.function(ours)) - float(joint.b.function(theirs))
    slopes = slopes_of(joint.a, ours)[:, :, np.newaxis] - slopes_of(joint.b, theirs)[:, np.newaxis, :]
    n, total = joint.a.n, math.fsum(full.reshape(-1))
    mean = math.fsum((full * slopes).reshape(-1)) / total
    squares = math.fsum((full * (slopes - mean) ** 2).reshape(-1))
    error = math.sqrt(total / n * squares)
    return Student(centre, error, math.inf) if math.isfinite(centre + error) else None


def slopes_of(statistic: TableFunction, table: Floats) -> Floats:
    """Derivative of a statistic by each nonempty cell of a table; 0 for empty cells."""
    flat = table.reshape(-1)
    nonempty = np.flatnonzero(flat)
    slopes = np.zeros(len(flat))
    slopes[nonempty] = gradient(statistic, flat, nonempty)
    return slopes.reshape(table.shape)


Values = Callable[[Floats, Floats], Floats]
"""From sums over all units, for a and for b, one row per choice, to the differences."""

MAX_LISTED = 2**20
"""Choices that are listed, if their tables are small."""
MOST_NUMBERS = 2**25
"""Numbers in all the tables listed."""
FEW_DIFFERING = 14
"""Units that differ, up to which all choices are listed where units cannot be counted together."""
SURE = 0.99
"""Level of the interval of a drawn p-value."""


class _TailShare:
    """Probability, under random swaps, of a difference at least as extreme as the observed one."""

    def __init__(self, observed: float, size: float, alternative: Alternative) -> None:
        self.observed, self.slack, self.alternative = observed, TOLERANCE * size, alternative
        self.reached = self.undefined = 0.0

    def add(self, values: Floats, weights: Floats | float) -> None:
        """Count the differences for several swaps, with their probabilities or one weight for all."""
        out = extremes(values, self.observed, self.slack, self.alternative)
        # A choice without a value says nothing against the null.
        missing = np.isnan(values)
        shares = np.broadcast_to(weights, values.shape)
        self.reached += float(shares[out | missing].sum())
        self.undefined += float(shares[missing].sum())

    def enumerated(self) -> Outcome:
        """Exact p-value, after all swaps were added."""
        note = f"; {self.undefined:.2g} of the choices have no value and count as far out" if self.undefined else ""
        return min(self.reached, 1.0), self.observed, f"enumeration{note}", 0.0, ""

    def sampled(self, replicates: int) -> Outcome:
        """P-value from random swaps, with its interval; the data count as one more swap."""
        count = round(self.reached)
        p = (count + 1) / (replicates + 1)
        low, high = clopper_pearson_limits(count, replicates, (1 - SURE) / 2)
        note = f"; {round(self.undefined)} without a value count as far out" if self.undefined else ""
        method_note = f"{replicates} random swaps, {100 * SURE:g}% interval {low:.4g} to {high:.4g}{note}"
        return p, self.observed, method_note, math.sqrt(p * (1 - p) / replicates), ""


def swap_cells(joint: JointCells, alternative: Alternative, request: Request) -> Outcome:
    """Permutation test for two functions of cell counts."""
    # Units of one row and weight 1 that fill cells p and q of the two tables are exchanged a binomial number of times,
    # for each pair of cells at once. Other units, such as clusters of samples, are exchanged one by one with all their
    # rows.
    if joint.is_multinomial:
        return _binomials(joint, alternative, request)
    sizes = joint.a.counts.size, joint.b.counts.size
    weights = np.ones(len(joint.units)) if joint.weights is None else joint.weights
    cells = np.unique(np.concatenate([joint.first, joint.second]))
    columns = [np.searchsorted(cells, cells_of_system) for cells_of_system in (joint.first, joint.second)]

    def values(first: Floats, second: Floats) -> Floats:
        tables = []
        for sums, size in zip((first, second), sizes, strict=True):
            table = np.zeros((len(sums), size))
            table[:, cells] = sums
            tables.append(table)
        return joint.values(*tables)

    from scipy.sparse import csr_matrix

    a, b = (csr_matrix((weights, (joint.units, column)), shape=(joint.a.n, len(cells))) for column in columns)
    return swap_units(a, b, values, value_size(joint.a, joint.b), alternative, request)


def swap_units(
    a: Any, b: Any, values: Values, size_of_values: float, alternative: Alternative, request: Request
) -> Outcome:
    """Permutation test for two functions of sums over units; `a` and `b` have one row per unit, dense or sparse."""
    from scipy.sparse import csr_matrix

    a, b = csr_matrix(a), csr_matrix(b)
    exchanged = a - b
    exchanged.eliminate_zeros()
    differing = np.flatnonzero(np.diff(exchanged.indptr))
    total_a, total_b = (np.asarray(sums.sum(axis=0), dtype=np.float64).reshape(1, -1) for sums in (a, b))
    tail = _TailShare(float(values(total_a, total_b)[0]), size_of_values, alternative)
    if not len(differing):
        return 1.0, tail.observed, "no differences", 0.0, ""
    exchanged, size = exchanged[differing], total_a.shape[1]
    rounding = TOLERANCE * (total_a + total_b)

    def values_of(chosen: NDArray[np.bool_]) -> Floats:
        shifted = np.asarray((exchanged.T @ chosen.T.astype(np.float64)).T)
        # What rounding leaves of a cell that was emptied is not a part of a sample.
        tables = [total_a - shifted, total_b + shifted]
        return values(*(np.where(np.abs(table) <= rounding, 0.0, table) for table in tables))

    n = len(differing)
    if n <= FEW_DIFFERING:
        chosen = (np.arange(2**n)[:, np.newaxis] >> np.arange(n)) & 1 == 1
        for part in blocks(2**n, max(size, n)):
            tail.add(values_of(chosen[part]), 2.0**-n)
        return tail.enumerated()
    # Equal units share their two sums, so that the draws do not depend on the order of the units.
    exchanged = exchanged[row_order(exchanged @ np.random.default_rng(0).random((size, 2)))]
    rng = np.random.default_rng(request.seed)
    for part in blocks(request.replicates, max(size, n)):
        tail.add(values_of(rng.random((part.stop - part.start, n)) < 0.5), 1.0)
    return tail.sampled(request.replicates)


def swap_ratios(a: Ratio, b: Ratio, alternative: Alternative, request: Request) -> Outcome:
    """Permutation test for two ratios of sums."""

    def values(first: Floats, second: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(first[:, 0] / first[:, 1] - second[:, 0] / second[:, 1])

    first, second = (np.column_stack([statistic.numerators, statistic.denominators]) for statistic in (a, b))
    return swap_units(first, second, values, value_size(a, b), alternative, request)


def _binomials(joint: JointCells, alternative: Alternative, request: Request) -> Outcome:
    """Permutation test for units that fill one cell each: swaps per cell pair are binomial."""
    size = joint.a.counts.size
    first, second = (sum_by_code(cells, np.ones(len(cells)), size)[np.newaxis] for cells in (joint.first, joint.second))
    tail = _TailShare(float(joint.values(first, second)[0]), value_size(joint.a, joint.b), alternative)
    low, high = np.minimum(joint.first, joint.second), np.maximum(joint.first, joint.second)
    differ = low != high
    if not differ.any():
        return 1.0, tail.observed, "no differences", 0.0, ""
    pairs, times = np.unique(np.column_stack([low[differ], high[differ]]), axis=0, return_counts=True)
    fixed = sum_by_code(low[~differ], np.ones(int((~differ).sum())), size)

    def values_of(chosen: NDArray[np.int64]) -> Floats:
        # One row of `tables` per cell, so that a pair is added to all choices in one go.
        tables = [np.repeat(fixed[:, np.newaxis], len(chosen), axis=1) for _ in range(2)]
        for pair, (p, q) in enumerate(pairs.tolist()):
            here, there = chosen[:, pair], times[pair] - chosen[:, pair]
            tables[0][p] += here
            tables[0][q] += there
            tables[1][p] += there
            tables[1][q] += here
        return joint.values(*(np.ascontiguousarray(table.T) for table in tables))

    choices = math.prod((times + 1).tolist())
    if choices <= MAX_LISTED and choices * size <= MOST_NUMBERS:
        chances = [binomial_chances(number) for number in times.tolist()]
        for part in blocks(choices, size):
            chosen = np.column_stack(np.unravel_index(np.arange(part.start, part.stop), tuple(times + 1)))
            weights = np.prod([chance[column] for chance, column in zip(chances, chosen.T, strict=True)], axis=0)
            tail.add(values_of(chosen), weights)
        return tail.enumerated()
    rng = np.random.default_rng(request.seed)
    for part in blocks(request.replicates, max(size, len(pairs))):
        tail.add(values_of(rng.binomial(times, 0.5, (part.stop - part.start, len(pairs)))), 1.0)
    return tail.sampled(request.replicates)


def value_size(a: TableFunction | Ratio, b: TableFunction | Ratio) -> float:
    """Size of the terms that may cancel in the values; rounding is relative to it."""
    if isinstance(a, Ratio) and isinstance(b, Ratio):
        return sum(float(np.abs(r.numerators).sum() / abs(r.denominators.sum())) for r in (a, b))
    # Functions of shares of the units.
    return 1.0 + abs(a.value) + abs(b.value)
