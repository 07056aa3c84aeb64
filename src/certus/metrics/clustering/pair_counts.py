"""Metrics of pairs of samples: whether two are together in the truth, and in the prediction."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.data import Partition
from certus.metrics.clustering._table import Shares, cells_of
from certus.statistic import TableFunction

__all__ = ["Pairs", "Together", "pair_cells", "pairs_of", "root_of"]


class Pairs(NamedTuple):
    """Numbers of pairs of samples that are together or apart; each pair once, as whole numbers of any size."""

    tn: int
    """Apart in both."""
    fp: int
    """Apart in the truth, together in the prediction."""
    fn: int
    """Together in the truth, apart in the prediction."""
    tp: int
    """Together in both."""


class Together(NamedTuple):
    """Shares of all pairs: of those together in both, in the truth, in the prediction."""

    both: Any
    true: Any
    pred: Any


def pairs_of(partition: Partition) -> Pairs:
    """The pairs, from sums of squares that cannot overflow."""
    n = partition.n
    tp, true, pred = (
        (_square_sum(each, n) - n) // 2 for each in (partition.counts, partition.true_sizes, partition.pred_sizes)
    )
    return Pairs(n * (n - 1) // 2 - true - pred + tp, pred - tp, true - tp, tp)


def _square_sum(values: NDArray[Any], n: int) -> int:
    if n * n < 2**63:
        return int(np.dot(values, values))
    return sum(value * value for value in values.tolist())


def pair_cells(
    partition: Partition,
    function: Callable[[Together], Any],
    slopes: Callable[[Together], Together],
    *,
    value: float | None = None,
    undefined: float | None = None,
    reason: str = "",
) -> TableFunction:
    """A function of the shares of pairs, with its derivative by each of the three.

    The shares are those of pairs of two different samples: from sums of squared shares p,
    ``(n sum(p^2) - 1) / (n - 1)`` with the n of these data.
    """
    n = partition.n

    def together(shares: Shares) -> Together:
        parts = (shares.cells, shares.rows, shares.columns)
        return Together(*((n * (each * each).sum(-1) - 1) / np.float64(n - 1) for each in parts))

    def by_shares(shares: Shares) -> Floats:
        both, true, pred = slopes(together(shares))
        found = both * shares.cells + true * shares.of_row + pred * shares.of_column
        return np.asarray(2 * n / np.float64(n - 1) * found)

    return cells_of(
        partition,
        lambda shares: function(together(shares)),
        by_shares,
        value=value,
        undefined=undefined,
        reason=reason,
        curved=False,
        fillable=False,
    )


def root_of(above: int, below: int) -> float:
    """``above / sqrt(below)``, exactly where the root is a whole number."""
    root = math.isqrt(below)
    if root * root == below:
        return above / root
    return above / math.sqrt(below) if below < 2**1000 else 0.0
