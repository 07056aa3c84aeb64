"""Permutation tests that exchange what two systems did on a unit.

If the systems are exchangeable on every unit, whatever system a did there could as well have been done by b. So each
choice of units on which the two trade places is as likely as the data, and the p-value is the share of the choices with
a difference as far out. Few choices are listed with their probabilities, of many a seeded sample is drawn.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.inference.interval import Request
from certus.inference.intervals.contingency_variance import BLOCK
from certus.inference.many.max_t import row_order
from certus.inference.special import beta_quantile, beta_upper_quantile, binomial_chances
from certus.inference.tests.joint_table import JointCells
from certus.inference.tests.result import Alternative, Outcome, extremes
from certus.statistic import Ratio, TableFunction
from certus.statistic.common import sum_by_code

Values = Callable[[Floats, Floats], Floats]
"""From sums over all units, for a and for b, one row per choice, to the differences."""

TOLERANCE = 1e-12
"""Differences nearer to that observed than this part of the values are equal to it but for rounding."""
MAX_LISTED = 2**20
"""Choices that are listed, if their tables are small."""
MOST_NUMBERS = 2**25
"""Numbers in all the tables listed."""
FEW_UNITS = 14
"""Units that differ, up to which all choices are listed where units cannot be counted together."""
SURE = 0.99
"""Level of the interval of a drawn p-value."""


class _TailShare:
    """The probability of differences as far out as the one observed."""

    def __init__(self, observed: float, size: float, alternative: Alternative) -> None:
        self.observed, self.slack, self.alternative = observed, TOLERANCE * size, alternative
        self.reached = self.undefined = 0.0

    def add(self, values: Floats, weights: Floats | float) -> None:
        """Add the differences of several choices, with their probabilities or one weight for each."""
        out = extremes(values, self.observed, self.slack, self.alternative)
        # A choice without a value says nothing against the null.
        missing = np.isnan(values)
        shares = np.broadcast_to(weights, values.shape)
        self.reached += float(shares[out | missing].sum())
        self.undefined += float(shares[missing].sum())

    def enumerated(self) -> Outcome:
        """The exact p-value."""
        note = f"; {self.undefined:.2g} of the choices have no value and count as far out" if self.undefined else ""
        return min(self.reached, 1.0), self.observed, f"enumeration{note}", 0.0, ""

    def sampled(self, replicates: int) -> Outcome:
        """P-value from sampled choices, the data being one more, with its interval."""
        count = round(self.reached)
        p = (count + 1) / (replicates + 1)
        tail = (1 - SURE) / 2
        low = beta_quantile(tail, count, replicates - count + 1) if count else 0.0
        high = beta_upper_quantile(tail, count + 1, replicates - count) if count < replicates else 1.0
        note = f"; {round(self.undefined)} without a value count as far out" if self.undefined else ""
        method_note = f"{replicates} random swaps, {100 * SURE:g}% interval {low:.4g} to {high:.4g}{note}"
        return p, self.observed, method_note, math.sqrt(p * (1 - p) / replicates), ""


def swap_cells(joint: JointCells, alternative: Alternative, request: Request) -> Outcome:
    """Permutation test for two functions of cells."""
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
    """Permutation test for two functions of sums over units; `a` and `b` have a row for each unit, dense or sparse."""
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
    if n <= FEW_UNITS:
        chosen = (np.arange(2**n)[:, np.newaxis] >> np.arange(n)) & 1 == 1
        for part in _blocks(2**n, max(size, n)):
            tail.add(values_of(chosen[part]), 2.0**-n)
        return tail.enumerated()
    # Equal units share their two sums, so that the draws do not depend on the order of the units.
    exchanged = exchanged[row_order(exchanged @ np.random.default_rng(0).random((size, 2)))]
    rng = np.random.default_rng(request.seed)
    for part in _blocks(request.replicates, max(size, n)):
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
    """Permutation test of independent samples: each pair of cells is exchanged a binomial number of times."""
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
        for part in _blocks(choices, size):
            chosen = np.column_stack(np.unravel_index(np.arange(part.start, part.stop), tuple(times + 1)))
            weights = np.prod([chance[column] for chance, column in zip(chances, chosen.T, strict=True)], axis=0)
            tail.add(values_of(chosen), weights)
        return tail.enumerated()
    rng = np.random.default_rng(request.seed)
    for part in _blocks(request.replicates, max(size, len(pairs))):
        tail.add(values_of(rng.binomial(times, 0.5, (part.stop - part.start, len(pairs)))), 1.0)
    return tail.sampled(request.replicates)


def value_size(a: TableFunction | Ratio, b: TableFunction | Ratio) -> float:
    """Size of the values that rounding is relative to: terms that may cancel."""
    if isinstance(a, Ratio) and isinstance(b, Ratio):
        return sum(float(np.abs(r.numerators).sum() / abs(r.denominators.sum())) for r in (a, b))
    # Functions of shares of the units.
    return 1.0 + abs(a.value) + abs(b.value)


def _blocks(choices: int, size: int) -> Iterator[slice]:
    step = max(1, BLOCK // size)
    for start in range(0, choices, step):
        yield slice(start, min(start + step, choices))
