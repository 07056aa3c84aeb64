"""Entropies of two clusterings and the information that they share, without cancellation."""

import math
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.data import Partition
from certus.metrics.check import Doc, Range
from certus.metrics.clustering._table import Shares, cells_of, slopes_of
from certus.metrics.declaration import metric
from certus.metrics.spellings import MTEB, SCIKIT_LEARN
from certus.statistic import TableFunction

ROUNDING = 1e-14
AverageMethod: TypeAlias = Literal["arithmetic", "geometric", "min", "max"]
"""Average of two entropies."""
_COVER = "Cover & Thomas (2006), Elements of Information Theory, 2nd ed., sections 2.1 and 2.2"

Labelling: TypeAlias = Annotated[
    Literal["true", "pred"], Doc('Whose entropy: that of the ``"true"`` labels or of the predicted ones, ``"pred"``.')
]
_ROSENBERG = "Rosenberg & Hirschberg (2007), EMNLP-CoNLL 2007:410-420"


class Information(NamedTuple):
    """Mutual information of two clusterings, and the entropy of each, in nats."""

    mutual: Any
    true: Any
    pred: Any


def _of_one_labelling(function: Any) -> Any:
    """Mark a function that one labelling is enough for."""
    function.takes_one_column = True
    return function


@metric("Entropy", words=("熵",), better=None, bounds=(0.0, math.inf), source=_COVER)
@_of_one_labelling
def entropy(partition: Partition, *, labelling: Labelling = "true") -> TableFunction:
    """Uncertainty about the label of a sample drawn at random, in nats.

    With p the shares of the labels: ``H = -sum p(i) log(p(i))``.

    It is 0 where all samples have one label, and log(k) where k labels are equally frequent; divide by log(2) for bits.
    Of small samples it is too small on average, by about (k - 1) / (2 n). One labelling is enough.

    Examples
    --------
    Two labels, equally frequent: log(2).

    >>> import certus
    >>> labels = [0, 0, 1, 1]
    >>> round(certus.clustering.entropy(labels).value, 4)
    0.6931
    """
    sizes = partition.true_sizes if labelling == "true" else partition.pred_sizes
    value = _entropy_of_counts(sizes.astype(np.float64)) if partition.n else None
    return information_cells(partition, attrgetter(labelling), value=value)


@metric("JointEntropy", better=None, bounds=(0.0, math.inf), source=_COVER)
def joint_entropy(partition: Partition) -> TableFunction:
    """Uncertainty about both labels of a sample drawn at random, in nats.

    With p the shares of the cells of the contingency table: ``H(true, pred) = -sum p(i, j) log(p(i, j)) = H(true) +
    H(pred) - MI``.

    Examples
    --------
    Cells of 2, 1 and 1 of four samples: 1.5 log(2).

    >>> import certus
    >>> round(certus.clustering.joint_entropy([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    1.0397
    """
    value = _entropy_of_counts(partition.counts.astype(np.float64)) if partition.n else None
    return information_cells(partition, _joint, value=value)


def _joint(x: Information) -> Any:
    return x.true + x.pred - x.mutual


@metric("ConditionalEntropy", better="lower", bounds=(0.0, math.inf), source=_COVER)
def conditional_entropy(partition: Partition, *, labelling: Labelling = "true") -> TableFunction:
    """Uncertainty about one label of a sample that the other leaves, in nats.

    ``H(true | pred) = -sum p(i, j) log(p(i, j) / p(j)) = H(true) - MI``. It is computed as a sum over cells without
    negative terms: exactly 0 where the other label determines it.

    Parameters
    ----------
    labelling
        ``"true"``: the true label's, given the predicted one. ``"pred"``: the other way round.

    Examples
    --------
    The truth leaves open how one of two clusters is split: half of log(2).

    >>> import certus
    >>> round(certus.clustering.conditional_entropy([0, 0, 1, 1], [0, 0, 1, 2], labelling="pred").value, 4)
    0.3466
    >>> certus.clustering.conditional_entropy([0, 0, 1, 1], [0, 0, 1, 2]).value
    0.0
    """
    value = None
    if partition.n:
        counts = partition.counts.astype(np.float64)
        condition_sizes = (
            partition.pred_sizes[partition.columns] if labelling == "true" else partition.true_sizes[partition.rows]
        )
        value = float((counts / counts.sum() * np.log(condition_sizes / counts)).sum()) + 0.0
    return information_cells(partition, partial(_conditional, labelling), value=value)


def _conditional(labelling: str, x: Information) -> Any:
    return _clipped((x.true if labelling == "true" else x.pred) - x.mutual, low=0.0)


def _entropy_of_counts(counts: Floats) -> float:
    """Entropy of counts, none of which is 0: a sum without negative terms."""
    return float((counts / counts.sum() * np.log(counts.sum() / counts)).sum()) + 0.0


@metric(
    "MI",
    words=("mutual information", "互信息"),
    spellings=SCIKIT_LEARN("mutual_info_score"),
    bounds=(0.0, math.inf),
    source="Cover & Thomas (2006), Elements of Information Theory, 2nd ed., section 2.3",
)
def mutual_info(partition: Partition) -> TableFunction:
    """Information that two clusterings have about each other, in nats.

    With p the shares of the cells of the contingency table, and of its rows and columns: ``MI = sum p(i, j) log(p(i, j)
    / (p(i) p(j)))``.

    It is computed as a sum without negative terms, so that it is right to the last digits for clusterings that are
    nearly independent. It is at most the entropy of either; divide by log(2) for bits. Of small samples it is too large
    on average, by about (rows - 1) (columns - 1) / (2 n), for which intervals allow: the value may be their upper
    limit.

    Examples
    --------
    The prediction tells the truth, one bit of it: log(2).

    >>> import certus
    >>> round(certus.clustering.mutual_info([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.6931
    """
    value = float(information_of(partition).mutual) if partition.n else None
    return information_cells(partition, attrgetter("mutual"), value=value)


@metric(
    "NMI",
    words=("normalized mutual information", "normalised mutual information", "标准化后的互信息"),
    spellings=SCIKIT_LEARN("normalized_mutual_info_score"),
    source="Strehl & Ghosh (2002), JMLR 3:583-617; the averages: Vinh, Epps & Bailey (2010), JMLR 11:2837-2854",
)
def normalized_mutual_info(partition: Partition, *, average_method: AverageMethod = "arithmetic") -> TableFunction:
    """Mutual information as a part of the average of the two entropies.

    ``NMI = MI / average(H(true), H(pred))``. Clusterings that are the same score exactly 1, also where all samples are
    in one cluster. Where only one of the two has a single cluster it is 0, of every average.

    Parameters
    ----------
    average_method
        How the two entropies become one: ``"arithmetic"`` (as scikit-learn has it since version 0.22, and as the
        V-measure), ``"geometric"`` (as Strehl & Ghosh, and scikit-learn before), ``"min"`` or ``"max"``.

    Examples
    --------
    Entropies log(2) and 1.5 log(2): 1 / 1.25, or 1 / sqrt(1.5).

    >>> import certus
    >>> round(certus.clustering.normalized_mutual_info([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.8
    >>> nmi = certus.clustering.normalized_mutual_info([0, 0, 1, 1], [0, 0, 1, 2], average_method="geometric")
    >>> round(nmi.value, 4)
    0.8165
    """
    value = None
    if partition.n:
        information = information_of(partition)
        scale = average(information.true, information.pred, average_method)
        value = (
            1.0 if partition.identical else min(1.0, float(information.mutual / scale)) if information.mutual else 0.0
        )
    return information_cells(partition, partial(_normalized, average_method), value=value)


def _normalized(method: AverageMethod, x: Information) -> Any:
    return _part(x.mutual, average(x.true, x.pred, method))


def _part(mutual: Any, scale: Any) -> Any:
    """Their ratio, of resampled tables; 0 where nothing is shared, 1 where both have a single cluster."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.real(scale) > 0, _clipped(mutual / scale, high=1.0), _without_slope(1.0, mutual + scale))


@metric(
    "AMI",
    words=("adjusted mutual information", "调整互信息"),
    spellings=SCIKIT_LEARN("adjusted_mutual_info_score"),
    # The least entropy can come near to what chance shares.
    bounds=lambda values: (-math.inf if values["average_method"] == "min" else -1.0, 1.0),
    source="Vinh, Epps & Bailey (2010), JMLR 11:2837-2854",
    weighted=False,
)
def adjusted_mutual_info(partition: Partition, *, average_method: AverageMethod = "arithmetic") -> TableFunction:
    """Normalised mutual information with what chance gives taken off: 0 for random clusterings on average.

    ``AMI = (MI - E[MI]) / (average(H(true), H(pred)) - E[MI])``. The mean is that over all ways to put the samples into
    clusters of the sizes they have, a sum over hypergeometric probabilities, which are computed from their ratios and
    not from factorials: it is right to about 14 digits.

    Clusterings that are the same score exactly 1. Otherwise, where one of the two has a single cluster or each sample
    alone, any other one would share as much with it: that is exactly 0, of every average, even where it would be 0/0.

    Parameters
    ----------
    average_method
        How the two entropies become one: ``"arithmetic"`` (scikit-learn's default), ``"geometric"``, ``"min"`` or
        ``"max"`` (the one that Vinh, Epps & Bailey prefer).

    Raises
    ------
    DataError
        The samples have weights: chance would have to know how many samples they stand for.

    Examples
    --------
    >>> import certus
    >>> round(certus.clustering.adjusted_mutual_info([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.5714
    >>> certus.clustering.adjusted_mutual_info([0, 0, 1, 1], [0, 1, 2, 3]).value
    0.0
    """
    n = partition.n
    if not n:
        return information_cells(partition, attrgetter("mutual"))
    by_chance = expected(partition.true_sizes, partition.pred_sizes, n)
    if partition.identical:
        value = 1.0
    elif {1, n} & set(partition.shape):
        value = 0.0
    else:
        information = information_of(partition)
        value = float(
            (information.mutual - by_chance) / (average(information.true, information.pred, average_method) - by_chance)
        )
    function = partial(_adjusted, average_method, by_chance)
    limit = partial(_normalized, average_method)
    return information_cells(partition, function, value=value, curved=False, limit=limit)


def _adjusted(method: AverageMethod, by_chance: float, x: Information) -> Any:
    excess, room = x.mutual - by_chance, average(x.true, x.pred, method) - by_chance
    with np.errstate(divide="ignore", invalid="ignore"):
        # Equal parts are agreement, whatever they are parts of.
        return np.where(
            excess == room,
            1.0,
            np.where(np.real(room) > 0, _clipped(excess / room, high=1.0), _without_slope(math.nan, room + excess)),
        )


def _weighted(partition: Partition, of_true: float, of_pred: float) -> TableFunction:
    """Mutual information over a weighted mean of the two entropies; 1 where that is 0."""
    function = partial(_share_of_mean, of_true, of_pred)
    value = None
    if partition.n:
        height, width = partition.shape
        cells = len(partition.rows)
        # Each predicted cluster within one true one (or the other way round) is perfect, without rounding.
        perfect = (not of_true or cells == width) and (not of_pred or cells == height)
        value = 1.0 if perfect else float(function(information_of(partition)))
    return information_cells(partition, function, value=value)


def _share_of_mean(of_true: float, of_pred: float, x: Information) -> Any:
    return _part(x.mutual, of_true * x.true + of_pred * x.pred)


@metric("Homogeneity", spellings=SCIKIT_LEARN("homogeneity_score"), source=_ROSENBERG)
def homogeneity(partition: Partition) -> TableFunction:
    """Degree to which each predicted cluster holds samples of a single true one.

    ``homogeneity = 1 - H(true | pred) / H(true) = MI / H(true)``. It is exactly 1 where every predicted cluster lies
    within a true one, and where there is a single true one.

    Examples
    --------
    >>> import certus
    >>> certus.clustering.homogeneity([0, 0, 1, 1], [0, 0, 1, 2]).value
    1.0
    """
    return _weighted(partition, 1.0, 0.0)


@metric("Completeness", spellings=SCIKIT_LEARN("completeness_score"), source=_ROSENBERG)
def completeness(partition: Partition) -> TableFunction:
    """Degree to which the samples of each true cluster are in a single predicted one.

    ``completeness = 1 - H(pred | true) / H(pred) = MI / H(pred)``. It is exactly 1 where every true cluster lies within
    a predicted one, and where there is a single predicted one.

    Examples
    --------
    log(2) of 1.5 log(2).

    >>> import certus
    >>> round(certus.clustering.completeness([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.6667
    """
    return _weighted(partition, 0.0, 1.0)


@metric(
    "V",
    aliases=("VMeasure",),
    spellings=(*SCIKIT_LEARN("v_measure_score"), *MTEB("v_measure")),
    source=_ROSENBERG,
)
def v_measure(partition: Partition, *, beta: Annotated[float, Range(0, limit=1e6)] = 1.0) -> TableFunction:
    """Weighted harmonic mean of homogeneity and completeness.

    ::

        V = (1 + beta) homogeneity completeness / (beta homogeneity + completeness)
          = (1 + beta) MI / (H(true) + beta H(pred))

    With beta 1 it is the normalised mutual information with the arithmetic average. It is 0 where nothing is shared,
    and 1 where both have a single cluster.

    Parameters
    ----------
    beta
        Above 1 completeness counts more, below 1 homogeneity.

    Examples
    --------
    The harmonic mean of 1 and 2/3.

    >>> import certus
    >>> round(certus.clustering.v_measure([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.8
    """
    return _weighted(partition, 1 / (1 + beta), beta / (1 + beta))


@metric(
    "VI",
    better="lower",
    bounds=(0.0, math.inf),
    source="Meilă (2007), J. Multivar. Anal. 98(5):873-895, doi:10.1016/j.jmva.2006.11.013",
)
def variation_of_information(partition: Partition) -> TableFunction:
    """Information that each of two clusterings lacks about the other, in nats: a distance between them.

    ``VI = H(true | pred) + H(pred | true) = H(true) + H(pred) - 2 MI``. It is computed as a sum over cells without
    negative terms: exactly 0 for clusterings that are the same. It is a metric in the sense of mathematics, at most
    log(n); divide by log(2) for bits.

    Examples
    --------
    The truth leaves open how one of two clusters is split: half of log(2).

    >>> import certus
    >>> round(certus.clustering.variation_of_information([0, 0, 1, 1], [0, 0, 1, 2]).value, 4)
    0.3466
    """
    value = None
    if partition.n:
        counts = partition.counts.astype(np.float64)
        row, column = partition.true_sizes[partition.rows], partition.pred_sizes[partition.columns]
        value = float((counts / counts.sum() * (np.log(row / counts) + np.log(column / counts))).sum())
    return information_cells(partition, _variation, value=value)


def _variation(x: Information) -> Any:
    return _clipped(x.true + x.pred - 2 * x.mutual, low=0.0)


def information_of(partition: Partition) -> Information:
    """Information of a table, from whole numbers where it holds them."""
    # The sum over all cells of p log(p/q) - p + q, q the product of both shares: no term is negative, an empty one is
    # q.
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
    *,
    value: float | None = None,
    curved: bool = True,
    limit: Callable[[Information], Any] | None = None,
) -> TableFunction:
    """A function of the three, which takes complex numbers, by which its derivatives are found."""
    return cells_of(
        partition,
        partial(_of_shares, function),
        partial(_by_shares, function),
        value=value,
        curved=curved,
        limit=None if limit is None else partial(_of_shares, limit),
    )


def _of_shares(function: Callable[[Information], Any], shares: Shares) -> Any:
    return function(_information(shares))


def _by_shares(function: Callable[[Information], Any], shares: Shares) -> Floats:
    mutual, true, pred = slopes_of(function, _information(shares))
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
    sign = 1 if method == "min" else -1
    distance = sign * np.real(true - pred)
    return np.where(distance == 0, (true + pred) / 2, np.where(distance < 0, true, pred))


def expected(true_sizes: NDArray[np.int64], pred_sizes: NDArray[np.int64], n: int) -> float:
    """The mean mutual information over all ways to put the samples into clusters of these sizes."""
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


def _without_slope(value: float, parts: Any) -> complex:
    """The value, with a slope that is NaN if the parts are complex numbers, by which slopes are found."""
    return complex(value, math.nan) if np.iscomplexobj(parts) else value


def _clipped(values: Any, low: float = -math.inf, high: float = math.inf) -> Any:
    """Values of rounding beyond a bound moved to it; of complex numbers by their real part."""
    return np.where(np.real(values) < low, low, np.where(np.real(values) > high, high, values))
