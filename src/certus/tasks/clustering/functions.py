"""Functions of clusterings beside their metrics: pairs of samples, silhouettes, expected mutual information."""

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, mention
from certus.data import Clustered, Partition
from certus.data.clusterings import Distance
from certus.evaluation import call
from certus.inference import Estimate, Estimates
from certus.metrics import Metric
from certus.metrics.clustering.information import expected
from certus.metrics.clustering.internal import coefficients
from certus.metrics.clustering.pairs import PairShares, pair_cells, pairs_of


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
        twice = [2 * count for count in (self.tn, self.fp, self.fn, self.tp)]
        return np.array(twice, dtype=np.int64 if sum(twice) < 2**63 else object).reshape(2, 2)

    def __repr__(self) -> str:
        return f"PairConfusion(tn={self.tn}, fp={self.fp}, fn={self.fn}, tp={self.tp})"


def _share(slopes: PairShares, start: float, shares: PairShares) -> Any:
    """Linear function of the shares of pairs: `start` plus each share times its slope."""
    joint, true, pred = slopes
    return start + joint * shares.joint + true * shares.true + pred * shares.pred


_SLOPES = {
    "tn": PairShares(1.0, -1.0, -1.0),
    "fp": PairShares(-1.0, 0.0, 1.0),
    "fn": PairShares(-1.0, 1.0, 0.0),
    "tp": PairShares(1.0, 0.0, 0.0),
}


def _partition(name: str, columns: Iterable[Any], contingency: Any, other: str = "", groups: Any = None) -> Partition:
    """The table, from labels, from counts, or made already; `other` names a convention that counts do not go with."""
    data = [column for column in columns if column is not None]
    if contingency is not None:
        if data:
            raise DataError(f"{name} was given labels and contingency", "give one of them")
        if other:
            raise DataError("contingency does not say which sample is where", f"leave out {other}, or give labels")
        return Partition.from_counts(contingency)
    if len(data) == 1 and isinstance(data[0], Partition):
        if groups is not None:
            raise DataError("groups must be given where the Partition is made, not with it")
        return data[0]
    if len(data) != 2:
        raise DataError(
            f"takes {mention('labels_true')} and {mention('labels_pred')}, two columns, or contingency=",
            f"it got {len(data)}",
            argument=name,
        )
    return Partition.from_arrays(*data, groups=groups)


def prepare_data(metric: Metric, data: tuple[Any, ...], conventions: Mapping[str, Any]) -> Any:
    """The data of a metric, from columns or from the counts of a table."""
    if "contingency" not in conventions or Partition not in metric.input_types:
        return call.prepare_data(metric, data, conventions)
    other = next((name for name in conventions if name != "contingency"), "")
    return _partition(metric.name, data, conventions["contingency"], other)


def versus_chance(metric: Metric, prepared: Any) -> "partial[Any] | None":
    """The comparison of a metric on prepared data with random clusterings; None where there is none."""
    from certus.metrics.clustering.random_clusterings import versus_random_partitions

    return partial(versus_random_partitions, metric, prepared) if isinstance(prepared, Partition) else None


def pair_confusion(
    labels_true: Any = None, labels_pred: Any = None, *, contingency: Any = None, groups: Any = None
) -> PairConfusion:
    """Numbers of pairs of samples that are together or apart, in the truth and in the prediction.

    Parameters
    ----------
    labels_true, labels_pred, contingency, groups
        As for the metrics of agreement; labels_true may be a `Partition`.

    Returns
    -------
    PairConfusion
        Four whole numbers of any size, and their shares with intervals.

    Examples
    --------
    >>> pairs = pair_confusion([0, 0, 1, 1], [0, 0, 1, 2])
    >>> pairs.tn, pairs.fp, pairs.fn, pairs.tp
    (4, 0, 1, 1)
    """
    other = "" if groups is None else "groups"
    partition = _partition("pair_confusion", (labels_true, labels_pred), contingency, other, groups)
    pairs = pairs_of(partition)
    every = sum(pairs)
    shares: dict[Hashable, Estimate] = {}
    for name, slopes in _SLOPES.items():
        statistic = pair_cells(
            partition,
            partial(_share, slopes, float(name == "tn")),
            value=getattr(pairs, name) / every if every else math.nan,
            reason="" if every else "there are no pairs of samples",
        )
        shares[name] = Estimate(statistic, f"PairConfusion.{name}", (0.0, 1.0))
    return PairConfusion(*pairs, Estimates(shares, metric="PairConfusion"))


def silhouette_samples(
    X: Any,
    labels: Any,
    *,
    metric: Distance = "euclidean",
    metric_params: Mapping[str, Any] | None = None,
) -> NDArray[np.float64]:
    """The silhouette coefficient of each sample; see `silhouette`.

    Raises
    ------
    DataError
        All samples are in one cluster, or each is one.

    Examples
    --------
    >>> silhouette_samples([[0], [1], [4], [6]], [0, 0, 1, 1]).round(2).tolist()
    [0.8, 0.75, 0.43, 0.64]
    """
    data = Clustered.from_arrays(X, labels, metric=metric, metric_params=metric_params)
    reason = data.undefined_reason_of()
    if reason:
        raise DataError(f"leaves the silhouette undefined: {reason}", argument="labels")
    return coefficients(data)


def expected_mutual_information(labels_true: Any = None, labels_pred: Any = None, *, contingency: Any = None) -> float:
    """The mean mutual information, in nats, of random clusterings whose clusters are as large as these.

    Right to about 14 digits. It depends on the sizes of the clusters only: see `adjusted_mutual_info`.

    Examples
    --------
    Of 6 ways to pair 4 samples 2 agree with a given one, which is log(2); 4 share nothing.

    >>> round(expected_mutual_information([0, 0, 1, 1], [0, 1, 0, 1]), 4)
    0.231
    """
    table = _partition("expected_mutual_information", (labels_true, labels_pred), contingency)
    if not table.n:
        raise DataError("there are no samples", "the expected mutual information is undefined")
    return expected(table.true_sizes, table.pred_sizes, table.n)
