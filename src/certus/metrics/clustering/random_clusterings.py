"""Agreement of random clusterings whose clusters are as large as those at hand: exactly, or by draws."""

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from certus.core.arrays import Floats
from certus.core.errors import CertusError
from certus.data import Partition
from certus.metrics.clustering._table import grid_of
from certus.metrics.clustering.information import information_of
from certus.metrics.declaration import Metric
from certus.metrics.orders import DRAWS, versus_random_samples

if TYPE_CHECKING:
    from certus.chance import Distribution
    from certus.chance.versus import VersusChance


MIN_DRAWS = 1000
WORK = 200_000_000
"""Greatest number of cells in all tables drawn: of large tables fewer are drawn, but at least `MIN_DRAWS`."""
MOST_TABLES = 100_000
"""Up to this number all tables with the sizes at hand are enumerated, otherwise some are drawn."""
BLOCK = 1 << 20
TOLERANCE = 1e-12


def versus_random_partitions(metric: Metric, partition: Partition, value: float, **options: Any) -> "VersusChance":
    """A metric's value where samples change places between the predicted clusters, of which the sizes stay."""
    words = f"which samples are in which predicted cluster, the sizes of all clusters kept (n = {partition.n})"
    law, draw = partial(_enumerated, metric, partition), partial(_monte_carlo, metric, partition)
    options |= {"order": "clustering", "needs_equal": "samples that are not alike cannot change places"}
    return versus_random_samples(metric, partition, value, law, draw, words, **options)


def _values(metric: Metric, partition: Partition, tables: Floats) -> Floats:
    """The metric of tables with the sizes at hand, a row of all cells each."""
    grid, cell_indices = grid_of(partition, all_cells=True)
    counts = np.zeros(len(grid.rows), dtype=np.int64)
    counts[cell_indices] = partition.counts
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic: Any = metric.compute(Partition(grid.rows, grid.columns, counts, partition.n))
        return np.asarray(statistic.function(tables), dtype=np.float64)


def _enumerated(metric: Metric, partition: Partition) -> "Distribution | None":
    """The exact law, where there are few enough tables."""
    from certus.chance.exact import Finite

    rows, columns = partition.true_sizes.tolist(), partition.pred_sizes.tolist()
    tables: list[tuple[int, ...]] = []
    for table in _tables(rows, columns):
        tables.append(table)
        if len(tables) > MOST_TABLES:
            return None
    from scipy.special import gammaln

    logs = -gammaln(np.array(tables, dtype=np.float64) + 1).sum(axis=1)
    logs -= logs.max()
    logs -= math.log(math.fsum(np.exp(logs).tolist()))
    values = _values(metric, partition, np.array(tables, dtype=np.float64))
    order = np.argsort(values, kind="stable")
    values, logs = values[order], logs[order]
    # Tables that differ in the order of their clusters only have one value, but for rounding.
    starts = np.flatnonzero(np.diff(values, prepend=-np.inf) > TOLERANCE * max(1.0, float(np.abs(values).max())))
    return Finite(values[starts], np.logaddexp.reduceat(logs, starts), "enumeration of all tables")


def _tables(rows: list[int], columns: list[int]) -> Iterator[tuple[int, ...]]:
    """All tables of these sums, a row after the other."""
    if len(rows) == 1:
        yield tuple(columns)
        return
    for row in _rows(rows[0], columns):
        remaining = [size - count for size, count in zip(columns, row, strict=True)]
        for other_rows in _tables(rows[1:], remaining):
            yield (*row, *other_rows)


def _rows(size: int, room: list[int]) -> Iterator[tuple[int, ...]]:
    """All ways to take `size` from what there is room for."""
    if len(room) == 1:
        yield (size,)
        return
    later = sum(room[1:])
    for count in range(max(0, size - later), min(size, room[0]) + 1):
        for other_counts in _rows(size - count, room[1:]):
            yield (count, *other_counts)


def _monte_carlo(metric: Metric, partition: Partition, replicates: int | None, seed: int) -> "Distribution":
    from certus.chance.monte_carlo import Replicates

    generator = np.random.Generator(np.random.PCG64(seed))
    height, width = partition.shape
    replicates = replicates or max(MIN_DRAWS, min(DRAWS, WORK // max(height * width, 1)))
    step = max(1, BLOCK // max(height * width, 1))
    values = np.empty(replicates)
    for first in range(0, replicates, step):
        size = min(step, replicates - first)
        shuffled = partition.n * (1 if partition.codes is not None else math.inf) <= height * width
        tables = (
            _shuffled(partition, size, generator) if shuffled else _hypergeometric_tables(partition, size, generator)
        )
        values[first : first + size] = _values(metric, partition, tables)
    return Replicates(values, _support(metric, partition))


def _support(metric: Metric, partition: Partition) -> tuple[float, float]:
    """Least and greatest value that two clusterings of these entropies can have."""
    low, high = metric.bounds
    if math.isinf(high):
        _, true, pred = information_of(partition)
        high = true + pred if metric.better == "lower" else min(true, pred)
    return (0.0 if math.isinf(low) else low), high


def _shuffled(partition: Partition, size: int, generator: np.random.Generator) -> Floats:
    """Tables of samples in random order: for many clusters of few samples each."""
    true, pred = partition.codes or (np.zeros(0, np.int64),) * 2
    height, width = partition.shape
    tables = np.empty((size, height * width))
    for table in tables:
        table[:] = np.bincount(true * width + generator.permutation(pred), minlength=height * width)
    return tables


def _hypergeometric_tables(partition: Partition, size: int, generator: np.random.Generator) -> Floats:
    """Tables cell by cell, each hypergeometric given those before it; all tables at once."""
    height, width = partition.shape
    rows, columns = partition.true_sizes, partition.pred_sizes
    if partition.n >= 10**9:
        raise CertusError(
            f"there are {partition.n} samples", "tables of random clusterings are drawn of up to 10**9 - 1"
        )
    tables = np.zeros((size, height, width), dtype=np.int64)
    room = np.tile(columns, (size, 1))
    for row in range(height - 1):
        left = np.full(size, rows[row])
        room_after = room.sum(axis=1)
        for column in range(width - 1):
            room_after -= room[:, column]
            tables[:, row, column] = generator.hypergeometric(room[:, column], room_after, left)
            left -= tables[:, row, column]
        tables[:, row, -1] = left
        room -= tables[:, row]
    tables[:, -1] = room
    return tables.reshape(size, -1).astype(np.float64)
