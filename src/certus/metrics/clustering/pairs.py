"""Agreement of two clusterings on sample pairs, and purity of predicted clusters."""

import math
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.data import Partition
from certus.metrics.check import Doc, Share
from certus.metrics.clustering._table import Shares, cells_of, slopes_of
from certus.metrics.declaration import metric
from certus.metrics.spellings import SCIKIT_LEARN
from certus.statistic import TableFunction

OfPairs: TypeAlias = Annotated[
    TableFunction,
    Doc(
        raises="The samples have weights: what a pair of them weighs is not settled.",
    ),
]
"""A function of the pairs of samples."""


class Pairs(NamedTuple):
    """Numbers of sample pairs that are together or apart: each pair once, exact integers."""

    tn: int
    """Apart in both."""
    fp: int
    """Apart in the truth, together in the prediction."""
    fn: int
    """Together in the truth, apart in the prediction."""
    tp: int
    """Together in both."""


class PairShares(NamedTuple):
    """Shares of all pairs that are together: in both labellings, in the truth, in the prediction."""

    joint: Any
    true: Any
    pred: Any


def pairs_of(partition: Partition) -> Pairs:
    """The pairs, from sums of squares that cannot overflow."""
    n = partition.n
    tp, true, pred = (
        (_square_sum(counts, n) - n) // 2 for counts in (partition.counts, partition.true_sizes, partition.pred_sizes)
    )
    return Pairs(n * (n - 1) // 2 - true - pred + tp, pred - tp, true - tp, tp)


def _square_sum(values: NDArray[Any], n: int) -> int:
    if n * n < 2**63:
        return int(np.dot(values, values))
    return sum(value * value for value in values.tolist())


def pair_cells(
    partition: Partition,
    function: Callable[[PairShares], Any],
    *,
    value: float | None = None,
    undefined: float | None = None,
    reason: str = "",
) -> TableFunction:
    """A function of the three pair shares, which takes complex numbers, by which its derivatives are found."""
    # Of two different samples: (n sum(p^2) - 1) / (n - 1) from squared shares p.
    return cells_of(
        partition,
        partial(_of_shares, partition.n, function),
        partial(_by_shares, partition.n, function),
        value=value,
        undefined=undefined,
        reason=reason,
        curved=False,
        fillable=False,
    )


def _pair_shares(n: int, shares: Shares) -> PairShares:
    parts = (shares.cells, shares.rows, shares.columns)
    return PairShares(*((n * (part * part).sum(-1) - 1) / np.float64(n - 1) for part in parts))


def _of_shares(n: int, function: Callable[[PairShares], Any], shares: Shares) -> Any:
    return function(_pair_shares(n, shares))


def _by_shares(n: int, function: Callable[[PairShares], Any], shares: Shares) -> Floats:
    joint, true, pred = slopes_of(function, _pair_shares(n, shares))
    slope = joint * shares.cells + true * shares.of_row + pred * shares.of_column
    return np.asarray(2 * n / np.float64(n - 1) * slope)


def root_of(numerator: int, radicand: int) -> float:
    """``numerator / sqrt(radicand)``, exactly where the root is a whole number."""
    root = math.isqrt(radicand)
    if root * root == radicand:
        return numerator / root
    return numerator / math.sqrt(radicand) if radicand < 2**1000 else 0.0


@metric(
    "Rand",
    words=("Rand index", "兰德指数"),
    aliases=("RI",),
    spellings=SCIKIT_LEARN("rand_score"),
    source="Rand (1971), JASA 66(336):846-850, doi:10.1080/01621459.1971.10482356",
    weighted=False,
)
def rand(partition: Partition) -> OfPairs:
    """Share of the pairs of samples on which two clusterings agree: together in both, or apart in both.

    ``Rand = (tp + tn) / (tp + fp + fn + tn)``, over all pairs of two samples. Random clusterings do not score 0 but
    often much more: see `adjusted_rand`. The pairs are counted in whole numbers of any size. One sample makes no pair;
    two clusterings of it are the same, which is 1.

    Examples
    --------
    Of 6 pairs {1, 2} is together in both, and {1, 3}, {1, 4}, {2, 3} and {2, 4} are apart in both.

    >>> import certus
    >>> round(certus.clustering.rand([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.8333
    >>> certus.clustering.rand(contingency=[[2, 0, 0], [0, 1, 1]]).n
    4
    """
    tn, fp, fn, tp = pairs_of(partition)
    every = tn + fp + fn + tp
    value = (tp + tn) / every if every else 1.0
    return pair_cells(partition, _agreed, value=value if partition.n else None)


def _agreed(pairs: PairShares) -> Any:
    return 1 - (pairs.true + pairs.pred - 2 * pairs.joint)


@metric(
    "ARI",
    words=("adjusted Rand index", "调整兰德指数"),
    aliases=("AdjustedRand",),
    spellings=SCIKIT_LEARN("adjusted_rand_score"),
    bounds=(-1.0, 1.0),
    source="Hubert & Arabie (1985), J. Classif. 2(1):193-218, doi:10.1007/BF01908075",
    weighted=False,
)
def adjusted_rand(partition: Partition) -> OfPairs:
    """Rand index with what chance gives taken off: 0 for random clusterings on average, 1 for the same ones.

    ::

        ARI = (Rand - E[Rand]) / (1 - E[Rand])
            = 2 (tp tn - fp fn) / ((tp + fn) (fn + tn) + (tp + fp) (fp + tn))

    over pairs of samples, the mean being that over all ways to put the samples into clusters of the sizes they have. It
    is computed from whole numbers of any size. Two clusterings that are the same score exactly 1, also where all
    samples are in one cluster or each is alone, which would be 0/0. The least value is -1/2.

    Examples
    --------
    With tp = 1, tn = 4, fp = 0, fn = 1 it is 2 (4 - 0) / (2 * 5 + 1 * 4).

    >>> import certus
    >>> round(certus.clustering.adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.5714
    """
    tn, fp, fn, tp = pairs_of(partition)
    value = 1.0 if fp == fn == 0 else 2 * (tp * tn - fp * fn) / ((tp + fn) * (fn + tn) + (tp + fp) * (fp + tn))
    return pair_cells(partition, _adjusted, value=value if partition.n else None)


def _adjusted(pairs: PairShares) -> Any:
    by_chance = pairs.true * pairs.pred
    return (pairs.joint - by_chance) / ((pairs.true + pairs.pred) / 2 - by_chance)


@metric(
    "FM",
    aliases=("Fowlkes-Mallows", "FMI"),
    spellings=SCIKIT_LEARN("fowlkes_mallows_score"),
    source="Fowlkes & Mallows (1983), JASA 78(383):553-569, doi:10.1080/01621459.1983.10478008",
    weighted=False,
)
def fowlkes_mallows(partition: Partition, *, undefined: Share | Literal["nan"] = 0.0) -> OfPairs:
    """Geometric mean of precision and recall over pairs of samples that are together.

    ``FM = tp / sqrt((tp + fp) (tp + fn))``. It is 0/0 where no two samples are together in the truth, or in the
    prediction: where each is alone. The pairs are counted in whole numbers of any size.

    Parameters
    ----------
    undefined
        What 0/0 counts as: a number, or ``"nan"``. The default 0 is scikit-learn's, so that two clusterings into single
        samples score 0 although they are the same: no pair was found to be together.

    Examples
    --------
    Of two pairs together in the truth one is found, and no other: 1 / sqrt(1 * 2).

    >>> import certus
    >>> round(certus.clustering.fowlkes_mallows([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.7071
    >>> certus.clustering.fowlkes_mallows([0, 1, 2], [0, 1, 2]).value
    0.0
    >>> print(certus.clustering.fowlkes_mallows([0, 1, 2], [0, 1, 2], undefined="nan"))
    nan  (no two samples are together in the truth)
    """
    pairs = pairs_of(partition)
    true, pred = pairs.tp + pairs.fn, pairs.tp + pairs.fp
    instead = float("nan") if undefined == "nan" else undefined
    value = root_of(pairs.tp, true * pred) if true and pred else instead
    reason = f"no two samples are together in the {'prediction' if true else 'truth'}"
    return pair_cells(
        partition,
        _geometric_mean,
        value=value if partition.n else None,
        undefined=None if undefined == "nan" else instead,
        reason=reason if value != value and partition.n else "",
    )


def _geometric_mean(pairs: PairShares) -> Any:
    # A resampled share of 0 pairs is 0 but for rounding.
    true, pred = (np.where(np.real(share) > 1e-15, share, np.nan) for share in pairs[1:])
    mean = pairs.joint / (np.sqrt(true) * np.sqrt(pred))
    return np.where(np.real(mean) > 1, 1.0, mean)


@metric(
    "Purity",
    source="Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, section 16.3",
)
def purity(partition: Partition) -> TableFunction:
    """Share of the samples that belong to the most frequent true cluster of their predicted one.

    ``purity = (1 / n) sum over predicted clusters of max over true clusters of their common samples``. More clusters
    are always purer, up to 1 where each sample is alone: compare it at one number of clusters only. The other way
    round, ``purity(labels_pred, labels_true)``, it is sometimes called inverse purity.

    Examples
    --------
    Three of four samples are of their predicted cluster's main kind.

    >>> import certus
    >>> certus.clustering.purity([0, 0, 1, 1], [0, 0, 0, 1]).value
    0.75
    """
    value = None
    if partition.n:
        order = np.argsort(partition.columns, kind="stable")
        starts = np.flatnonzero(np.diff(partition.columns[order], prepend=-1))
        largest = np.maximum.reduceat(partition.counts[order], starts)
        value = float(largest.sum() / partition.counts.sum())
    return cells_of(partition, _purity_of, _slopes_of_purity, value=value, curved=False, smooth=False)


def _purity_of(shares: Shares) -> Any:
    return _largest(shares)[1].sum(-1)


def _largest(shares: Shares) -> tuple[NDArray[np.intp], Floats, NDArray[np.intp]]:
    """The cells by column, the largest of each column, and where each column starts."""
    order = np.argsort(shares.grid.columns, kind="stable")
    starts = np.flatnonzero(np.diff(shares.grid.columns[order], prepend=-1))
    return order, np.maximum.reduceat(shares.cells[..., order], starts, axis=-1), starts


def _slopes_of_purity(shares: Shares) -> Floats:
    """Clusters that are equally frequent share what there is to gain."""
    order, largest, starts = _largest(shares)
    top = (shares.cells == largest[shares.grid.columns]).astype(np.float64)
    return np.asarray(top / np.add.reduceat(top[order], starts)[shares.grid.columns])
