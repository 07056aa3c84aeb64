"""The pairs of samples of two clusterings."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data import Partition
from certus.inference import Estimate, Estimates
from certus.metrics.clustering.pairs import Pairs, PairShares, pair_cells, pairs_of


@dataclass(frozen=True)
class PairConfusion:
    """Numbers of pairs of samples that are together or apart in two clusterings; each pair counts once.

    Attributes
    ----------
    tn
        Apart in both.
    fp
        Apart in the truth, together in the prediction.
    fn
        Together in the truth, apart in the prediction.
    tp
        Together in both.
    shares
        Each as a share of all pairs, with intervals, by these names.

    Examples
    --------
    >>> from certus.clustering import pair_confusion
    >>> pairs = pair_confusion(contingency=[[600_000_000, 0], [0, 400_000_000]])
    >>> pairs.tp
    259999999500000000
    >>> round(pairs.shares["tp"].value, 4)
    0.52
    """

    tn: int
    fp: int
    fn: int
    tp: int
    shares: Estimates

    @property
    def ordered(self) -> NDArray[np.generic]:
        """``[[tn, fp], [fn, tp]]`` of ordered pairs, twice as many, as scikit-learn counts them."""
        twice = [2 * each for each in (self.tn, self.fp, self.fn, self.tp)]
        return np.array(twice, dtype=np.int64 if sum(twice) < 2**63 else object).reshape(2, 2)

    def __repr__(self) -> str:
        return f"PairConfusion(tn={self.tn}, fp={self.fp}, fn={self.fn}, tp={self.tp})"


def pair_confusion_of(partition: Partition) -> PairConfusion:
    """The pairs of a table."""
    pairs = pairs_of(partition)
    every = sum(pairs)
    found: dict[Hashable, Estimate] = {}
    for name, slopes in _SLOPES.items():
        statistic = pair_cells(
            partition,
            partial(_share, slopes, float(name == "tn")),
            partial(_slopes, slopes),
            value=getattr(pairs, name) / every if every else math.nan,
            reason="" if every else "there are no pairs of samples",
        )
        found[name] = Estimate(statistic, f"PairConfusion.{name}", (0.0, 1.0))
    return PairConfusion(*pairs, Estimates(found, metric="PairConfusion"))


def _share(slopes: PairShares, start: float, shares: PairShares) -> Any:
    joint, true, pred = slopes
    return start + joint * shares.joint + true * shares.true + pred * shares.pred


def _slopes(slopes: PairShares, _: PairShares) -> PairShares:
    return slopes


_SLOPES = dict(
    zip(
        Pairs._fields,
        (
            PairShares(1.0, -1.0, -1.0),
            PairShares(-1.0, 0.0, 1.0),
            PairShares(-1.0, 1.0, 0.0),
            PairShares(1.0, 0.0, 0.0),
        ),
        strict=True,
    )
)
