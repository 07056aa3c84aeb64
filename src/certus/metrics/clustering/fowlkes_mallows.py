"""Fowlkes-Mallows index of two clusterings."""

from typing import Any, Literal

import numpy as np

from certus.data import Partition
from certus.metrics._check import Share
from certus.metrics._declare import metric
from certus.metrics.clustering._pairs import Together, pair_cells, pairs_of, root_of
from certus.statistic import Cells

__all__ = ["fowlkes_mallows"]


@metric(
    "FM",
    aliases=("Fowlkes-Mallows", "fowlkes_mallows", "fowlkes_mallows_score", "FMI"),
    source="Fowlkes & Mallows (1983), JASA 78(383):553-569, doi:10.1080/01621459.1983.10478008",
    weighted=False,
)
def fowlkes_mallows(partition: Partition, *, undefined: Share | Literal["nan"] = 0.0) -> Cells:
    """Geometric mean of precision and recall over pairs of samples that are together.

    ::

        FM = tp / sqrt((tp + fp) (tp + fn))

    It is 0/0 where no two samples are together in the truth, or in the prediction: where each is alone. The pairs are
    counted in whole numbers of any size.

    Parameters
    ----------
    undefined
        What 0/0 counts as: a number, or ``"nan"``. The default 0 is scikit-learn's, so that two clusterings into single
        samples score 0 although they are the same: no pair was found to be together.

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
    why = f"no two samples are together in the {'prediction' if true else 'truth'}"
    return pair_cells(
        partition,
        _function,
        _slopes,
        value=value if partition.n else None,
        undefined=None if undefined == "nan" else instead,
        reason=why if value != value and partition.n else "",
    )


def _function(pairs: Together) -> Any:
    # A resampled share of 0 pairs is 0 but for rounding.
    true, pred = (np.where(each > 1e-15, each, np.nan) for each in pairs[1:])
    return np.minimum(1.0, pairs.both / (np.sqrt(true) * np.sqrt(pred)))


def _slopes(pairs: Together) -> Together:
    scale = np.sqrt(pairs.true) * np.sqrt(pairs.pred)
    value = pairs.both / scale
    return Together(1 / scale, -value / (2 * pairs.true), -value / (2 * pairs.pred))
