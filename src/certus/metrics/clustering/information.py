"""Information that two clusterings share."""

from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from typing import Annotated, Any

import numpy as np

from certus.data import Partition
from certus.metrics._declare import metric
from certus.metrics.check import Between
from certus.metrics.clustering._table import OfTable
from certus.metrics.clustering.entropies import (
    AverageMethod,
    Information,
    average,
    expected,
    information_cells,
    information_of,
    slopes_of,
)
from certus.metrics.spellings import MTEB, SCIKIT_LEARN
from certus.statistic import TableFunction

_ROSENBERG = "Rosenberg & Hirschberg (2007), EMNLP-CoNLL 2007:410-420"


@metric(
    "MI",
    words=("mutual information", "互信息"),
    spellings=SCIKIT_LEARN("mutual_info_score"),
    bounds=(0.0, float("inf")),
    source="Cover & Thomas (2006), Elements of Information Theory, 2nd ed., section 2.3",
)
def mutual_info(partition: Partition) -> OfTable:
    """Information that two clusterings have about each other, in nats.

    With p the shares of the cells of the contingency table, and of its rows and columns::

        MI = sum p(i, j) log(p(i, j) / (p(i) p(j)))

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
    return information_cells(partition, attrgetter("mutual"), Information(1.0, 0.0, 0.0), value=value)


@metric(
    "NMI",
    words=("normalized mutual information", "normalised mutual information", "标准化后的互信息"),
    spellings=SCIKIT_LEARN("normalized_mutual_info_score"),
    source="Strehl & Ghosh (2002), JMLR 3:583-617; the averages: Vinh, Epps & Bailey (2010), JMLR 11:2837-2854",
)
def normalized_mutual_info(partition: Partition, *, average_method: AverageMethod = "arithmetic") -> OfTable:
    """Mutual information as a part of the average of the two entropies.

    ::

        NMI = MI / average(H(true), H(pred))

    Clusterings that are the same score exactly 1, also where all samples are in one cluster. Where only one of the two
    has a single cluster it is 0, of every average.

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
    function, slopes = partial(_normalized, average_method), partial(_normalized_slopes, average_method)
    return information_cells(partition, function, slopes, value=value)


def _normalized(method: AverageMethod, x: Information) -> Any:
    return _part(x.mutual, average(x.true, x.pred, method))


def _normalized_slopes(method: AverageMethod, x: Information) -> Information:
    scale = average(x.true, x.pred, method)
    true, pred = slopes_of(x.true, x.pred, method)
    ratio = x.mutual / scale
    return Information(1 / scale, -ratio / scale * true, -ratio / scale * pred)


def _part(mutual: Any, scale: Any) -> Any:
    """Their ratio, of resampled tables; 0 where nothing is shared, 1 where both have a single cluster."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(scale > 0, np.minimum(1.0, mutual / scale), 1.0)


def _bounds(parameters: Mapping[str, Any]) -> tuple[float, float]:
    # The least entropy can come near to what chance shares.
    return (-float("inf") if parameters["average_method"] == "min" else -1.0), 1.0


@metric(
    "AMI",
    words=("adjusted mutual information", "调整互信息"),
    spellings=SCIKIT_LEARN("adjusted_mutual_info_score"),
    bounds=_bounds,
    source="Vinh, Epps & Bailey (2010), JMLR 11:2837-2854",
    weighted=False,
)
def adjusted_mutual_info(partition: Partition, *, average_method: AverageMethod = "arithmetic") -> TableFunction:
    """Normalised mutual information with what chance gives taken off: 0 for random clusterings on average.

    ::

        AMI = (MI - E[MI]) / (average(H(true), H(pred)) - E[MI])

    The mean is that over all ways to put the samples into clusters of the sizes they have, a sum over hypergeometric
    probabilities, which are computed from their ratios and not from factorials: it is right to about 14 digits.

    Clusterings that are the same score exactly 1. Otherwise, where one of the two has a single cluster or each sample
    alone, any other one would share as much with it: that is exactly 0, of every average, even where it would be 0/0.

    Parameters
    ----------
    average_method
        How the two entropies become one: ``"arithmetic"`` (scikit-learn's default), ``"geometric"``, ``"min"`` or
        ``"max"`` (the one that Vinh, Epps & Bailey prefer).

    Returns
    -------
    TableFunction
        A function of the contingency table, in [-1, 1]; with ``"min"`` it may be below. Intervals are for what it tends
        to with more samples, which is NMI; those of other names than ``"bias-aware"`` take E[MI] as it is for these
        sizes.

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
        return information_cells(partition, attrgetter("mutual"), Information(1.0, 0.0, 0.0))
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
    slopes = partial(_adjusted_slopes, average_method, by_chance)
    limit = partial(_normalized, average_method)
    return information_cells(partition, function, slopes, value=value, curved=False, limit=limit)


def _adjusted(method: AverageMethod, by_chance: float, x: Information) -> Any:
    excess, room = x.mutual - by_chance, average(x.true, x.pred, method) - by_chance
    with np.errstate(divide="ignore", invalid="ignore"):
        # Equal parts are agreement, whatever they are parts of.
        return np.where(excess == room, 1.0, np.where(room > 0, np.minimum(excess / room, 1.0), np.nan))


def _adjusted_slopes(method: AverageMethod, by_chance: float, x: Information) -> Information:
    room = average(x.true, x.pred, method) - by_chance
    true, pred = slopes_of(x.true, x.pred, method)
    ratio = (x.mutual - by_chance) / room
    return Information(1 / room, -ratio / room * true, -ratio / room * pred)


def _weighted(partition: Partition, of_true: float, of_pred: float) -> TableFunction:
    """Mutual information over a weighted mean of the two entropies; 1 where that is 0."""
    function, slopes = partial(_share_of_mean, of_true, of_pred), partial(_share_of_mean_slopes, of_true, of_pred)
    value = None
    if partition.n:
        height, width = partition.shape
        cells = len(partition.rows)
        # Each predicted cluster within one true one (or the other way round) is perfect, without rounding.
        perfect = (not of_true or cells == width) and (not of_pred or cells == height)
        value = 1.0 if perfect else float(function(information_of(partition)))
    return information_cells(partition, function, slopes, value=value)


def _share_of_mean(of_true: float, of_pred: float, x: Information) -> Any:
    return _part(x.mutual, of_true * x.true + of_pred * x.pred)


def _share_of_mean_slopes(of_true: float, of_pred: float, x: Information) -> Information:
    scale = of_true * x.true + of_pred * x.pred
    ratio = x.mutual / scale
    return Information(1 / scale, -ratio / scale * of_true, -ratio / scale * of_pred)


@metric("Homogeneity", spellings=SCIKIT_LEARN("homogeneity_score"), source=_ROSENBERG)
def homogeneity(partition: Partition) -> OfTable:
    """Degree to which each predicted cluster holds samples of a single true one.

    ::

        homogeneity = 1 - H(true | pred) / H(true) = MI / H(true)

    It is exactly 1 where every predicted cluster lies within a true one, and where there is a single true one.

    Examples
    --------
    >>> import certus
    >>> certus.clustering.homogeneity([0, 0, 1, 1], [0, 0, 1, 2]).value
    1.0
    """
    return _weighted(partition, 1.0, 0.0)


@metric("Completeness", spellings=SCIKIT_LEARN("completeness_score"), source=_ROSENBERG)
def completeness(partition: Partition) -> OfTable:
    """Degree to which the samples of each true cluster are in a single predicted one.

    ::

        completeness = 1 - H(pred | true) / H(pred) = MI / H(pred)

    It is exactly 1 where every true cluster lies within a predicted one, and where there is a single predicted one.

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
def v_measure(partition: Partition, *, beta: Annotated[float, Between(0, most=1e6)] = 1.0) -> OfTable:
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
    bounds=(0.0, float("inf")),
    source="Meilă (2007), J. Multivar. Anal. 98(5):873-895, doi:10.1016/j.jmva.2006.11.013",
)
def variation_of_information(partition: Partition) -> OfTable:
    """Information that each of two clusterings lacks about the other, in nats: a distance between them.

    ::

        VI = H(true | pred) + H(pred | true) = H(true) + H(pred) - 2 MI

    It is computed as a sum over cells without negative terms: exactly 0 for clusterings that are the same. It is a
    metric in the sense of mathematics, at most log(n); divide by log(2) for bits.

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
    return information_cells(partition, _variation, Information(-2.0, 1.0, 1.0), value=value)


def _variation(x: Information) -> Any:
    return np.maximum(0.0, x.true + x.pred - 2 * x.mutual)
