"""Rand index, as it is and adjusted for chance."""

from typing import Any

from certus.data import Partition
from certus.metrics._declare import metric
from certus.metrics.clustering._pairs import Together, pair_cells, pairs_of
from certus.statistic import Cells

__all__ = ["adjusted_rand", "rand"]


@metric(
    "Rand",
    aliases=("rand", "rand_score", "RI"),
    source="Rand (1971), JASA 66(336):846-850, doi:10.1080/01621459.1971.10482356",
    weighted=False,
)
def rand(partition: Partition) -> Cells:
    """Share of the pairs of samples on which two clusterings agree: together in both, or apart in both.

    ::

        Rand = (tp + tn) / (tp + fp + fn + tn)

    over all pairs of two samples. Random clusterings do not score 0 but often much more: see `adjusted_rand`. The pairs
    are counted in whole numbers of any size. One sample makes no pair; two clusterings of it are the same, which is 1.

    Returns
    -------
    Cells
        A function of the contingency table, in [0, 1].

    Raises
    ------
    DataError
        The samples have weights: what a pair of them weighs is not settled.

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
    return pair_cells(partition, _agreed, lambda _: Together(2.0, -1.0, -1.0), value=value if partition.n else None)


def _agreed(pairs: Together) -> Any:
    return 1 - (pairs.true + pairs.pred - 2 * pairs.both)


@metric(
    "ARI",
    aliases=("adjusted_rand", "adjusted_rand_score", "AdjustedRand"),
    bounds=(-1.0, 1.0),
    source="Hubert & Arabie (1985), J. Classif. 2(1):193-218, doi:10.1007/BF01908075",
    weighted=False,
)
def adjusted_rand(partition: Partition) -> Cells:
    """Rand index with what chance gives taken off: 0 for random clusterings on average, 1 for the same ones.

    ::

        ARI = (Rand - E[Rand]) / (1 - E[Rand])
            = 2 (tp tn - fp fn) / ((tp + fn) (fn + tn) + (tp + fp) (fp + tn))

    over pairs of samples, the mean being that over all ways to put the samples into clusters of the sizes they have. It
    is computed from whole numbers of any size. Two clusterings that are the same score exactly 1, also where all
    samples are in one cluster or each is alone, which would be 0/0. The least value is -1/2.

    Returns
    -------
    Cells
        A function of the contingency table, in [-1, 1].

    Raises
    ------
    DataError
        The samples have weights: what a pair of them weighs is not settled.

    Examples
    --------
    With tp = 1, tn = 4, fp = 0, fn = 1 it is 2 (4 - 0) / (2 * 5 + 1 * 4).

    >>> import certus
    >>> round(certus.clustering.adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.5714
    """
    tn, fp, fn, tp = pairs_of(partition)
    value = 1.0 if fp == fn == 0 else 2 * (tp * tn - fp * fn) / ((tp + fn) * (fn + tn) + (tp + fp) * (fp + tn))
    return pair_cells(partition, _adjusted, _by_pairs, value=value if partition.n else None)


def _parts(pairs: Together) -> tuple[Any, Any]:
    by_chance = pairs.true * pairs.pred
    return pairs.both - by_chance, (pairs.true + pairs.pred) / 2 - by_chance


def _adjusted(pairs: Together) -> Any:
    above, below = _parts(pairs)
    return above / below


def _by_pairs(pairs: Together) -> Together:
    above, below = _parts(pairs)

    def by(other: Any) -> Any:
        return (-other * below - above * (0.5 - other)) / below**2

    return Together(1 / below, by(pairs.pred), by(pairs.true))
