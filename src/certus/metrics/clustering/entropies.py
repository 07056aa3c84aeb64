"""Entropies of two clusterings and what they share, without cancellation."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.arrays import Floats
from certus.data import Partition
from certus.metrics.clustering._table import Shares, cells_of
from certus.statistic import TableFunction

ROUNDING = 1e-14
AverageMethod: TypeAlias = Literal["arithmetic", "geometric", "min", "max"]
"""Average of two entropies."""


class Information(NamedTuple):
    """Mutual information of two clusterings, and the entropy of each, in nats."""

    mutual: Any
    true: Any
    pred: Any


def information_of(partition: Partition) -> Information:
    """Information of a table, from whole numbers where it holds them.

    With p the share of a cell and q the product of the shares of its row and column, the mutual information is the sum
    over all cells of ``p log(p/q) - p + q``, of which no term is negative; that of an empty cell is q.
    """
    counts, n = partition.counts, partition.n
    true, pred = partition.true_sizes, partition.pred_sizes
    total: Any = float(counts.sum()) if partition.weights is not None else n
    entropies = (_entropy(true / total), _entropy(pred / total))
    if len(true) <= 1 or len(pred) <= 1:
        return Information(0.0, *entropies)
    if partition.identical:
        return Information(entropies[0], entropies[0], entropies[0])
    row, column = true[partition.rows], pred[partition.columns]
    if partition.weights is None and n * n >= 2**63:  # Python's whole numbers have no end
        counts, row, column = (array.astype(object) for array in (counts, row, column))
    products = row * column
    excess = ((counts * total - products) / products).astype(np.float64)
    by_chance = (products / (total * total)).astype(np.float64)
    empty = (total * total - products.sum()) / (total * total)
    mutual = float((by_chance * phi(excess)).sum()) + max(0.0, float(empty))
    return Information(min(mutual, *entropies), *entropies)


def phi(d: Floats) -> Floats:
    """``(1 + d) log(1 + d) - d``, right to the last digits near 0 too."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.log1p(d)
        values *= 1 + d
        values -= d
    values[d <= -1] = 1.0
    # log(1 + d) = 2 atanh(s), whose series has only odd powers.
    small = np.abs(d) <= 0.25
    s = d[small]
    s = s / (2 + s)
    t = s * s
    tail = np.zeros_like(t)
    for power in range(23, 1, -2):
        tail *= t
        tail += 1 / power
    values[small] = 2 * t * (1 + (t + s) * tail) / (1 - s)
    return values


def _entropy(shares: Floats) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return -np.where(shares > 0, shares * np.log(shares), 0.0).sum(-1) + 0.0


def _information(shares: Shares) -> Information:
    by_chance = shares.of_row
    by_chance *= shares.of_column
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = shares.cells / by_chance
        excess -= 1
        terms = phi(excess)
        terms *= by_chance
    terms[by_chance == 0] = 0.0
    empty = np.maximum(0.0, 1 - by_chance.sum(-1))
    true, pred = _entropy(shares.rows), _entropy(shares.columns)
    return Information(np.minimum(terms.sum(-1) + empty, np.minimum(true, pred)), true, pred)


def information_cells(
    partition: Partition,
    function: Callable[[Information], Any],
    slopes: Information | Callable[[Information], Information],
    *,
    value: float | None = None,
    curved: bool = True,
    limit: Callable[[Information], Any] | None = None,
) -> TableFunction:
    """A function of the three, with its derivative by each of them, which may be constants."""
    return cells_of(
        partition,
        partial(_of_shares, function),
        partial(_by_shares, slopes),
        value=value,
        curved=curved,
        limit=None if limit is None else partial(_of_shares, limit),
    )


def _of_shares(function: Callable[[Information], Any], shares: Shares) -> Any:
    return function(_information(shares))


def _by_shares(slopes: Information | Callable[[Information], Information], shares: Shares) -> Floats:
    mutual, true, pred = slopes if isinstance(slopes, Information) else slopes(_information(shares))
    row, column = shares.of_row, shares.of_column
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = np.log1p(shares.cells / (row * column) - 1)
        parts = (mutual * shared, -true * np.log(row), -pred * np.log(column))
    # Of parts that make up for each other nothing must be left, or agreement would seem to have some spread.
    total = sum(parts)
    return np.where(np.abs(total) <= ROUNDING * sum(map(np.abs, parts)), 0.0, total)


def average(true: Any, pred: Any, method: AverageMethod) -> Any:
    """One entropy from two."""
    if method == "arithmetic":
        return (true + pred) / 2
    if method == "geometric":
        return np.sqrt(true) * np.sqrt(pred) if np.ndim(true) or true != pred else true
    return np.minimum(true, pred) if method == "min" else np.maximum(true, pred)


def slopes_of(true: Any, pred: Any, method: AverageMethod) -> tuple[Any, Any]:
    """The derivatives of the average by each of the two."""
    if method == "arithmetic":
        return 0.5, 0.5
    if method == "geometric":
        return np.sqrt(pred / true) / 2, np.sqrt(true / pred) / 2
    first = 0.5 if true == pred else float((true < pred) == (method == "min"))
    return first, 1 - first


def expected(true_sizes: NDArray[np.int64], pred_sizes: NDArray[np.int64], n: int) -> float:
    """The mean of the mutual information over all ways to put the samples into clusters of these sizes.

    It depends on how often each size occurs only, so clusters of one size are taken together.
    """
    (rows, row_times), (columns, column_times) = (
        np.unique(sizes, return_counts=True) for sizes in (true_sizes, pred_sizes)
    )
    return kernels.expected_information(
        rows.astype(np.uint64),
        row_times.astype(np.float64),
        columns.astype(np.uint64),
        column_times.astype(np.float64),
        n,
    )
