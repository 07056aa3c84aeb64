"""Intervals from plain numbers: values, counts or fold values, without a metric."""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from certus.core.errors import CertusError
from certus.inference.clusters import clusters_of
from certus.inference.declare import form_of
from certus.inference.estimate import Estimate
from certus.inference.interval import DEFAULT_REPLICATES, Interval
from certus.inference.intervals.folds import ratio_of
from certus.statistic import Mean, Proportion, Ratio
from certus.statistic.common import require_integer
from certus.statistic.folds import Folds


def mean_interval(
    values: ArrayLike,
    level: float = 0.95,
    method: str | None = None,
    *,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    bounds: tuple[float, float] = (-math.inf, math.inf),
    scale: Literal["linear", "log"] = "linear",
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Interval:
    """A confidence interval for the mean of independent values.

    Parameters
    ----------
    values
        One value per unit. A NaN makes the limits NaN.
    level
        Wanted coverage, strictly between 0 and 1.
    method
        ``"t"`` (Student), ``"hall"`` (corrected for skewness), ``"normal"``, ``"percentile"``, ``"bca"`` or
        ``"bootstrap-t"``; with finite `bounds` also ``"beta-moments"``, and ``"wilson"`` where every value is one of
        them. None: Student's t, unless the values are skewed or are all one of the bounds; see docs/intervals.md. With
        groups or weights ``"t"``, which then has the CR2 standard error with its degrees of freedom
        (`certus.inference.clusters.cluster_mean`), ``"hall"``, ``"jackknife"``, ``"percentile"`` or ``"bca"``.
    groups
        The cluster of each value; clusters, not values, are then independent.
    weights
        How much each value counts, at least 0.
    bounds
        Least and greatest possible value, where there are such; no limit leaves them.
    scale
        ``"log"``: an interval for the geometric mean.
    replicates, seed
        For the bootstrap methods.

    Returns
    -------
    Interval
        ``(low, high, level, method)``; NaN limits with a reason in ``reason`` for fewer than two values, and for values
        all alike without finite `bounds`.

    Raises
    ------
    CertusError
        The level, the method, the replicates or the seed are not valid.

    Examples
    --------
    >>> print(mean_interval([1.0, 2.0, 3.0, 4.0, 5.0]))
    [1.0368, 4.9632]
    >>> mean_interval([0.7]).reason
    '1 observation alone has no variance'
    """
    mean = Mean(values, unit="observation", scale=scale)
    clusters = clusters_of(mean.n, groups, weights)
    if clusters is not None:
        if scale != "linear":
            raise CertusError(
                "groups and weights are for arithmetic means", "give the logarithms, and map the limits back"
            )
        unit = "group" if clusters.grouped else mean.unit
        sums = Ratio(clusters.sums(mean.values), clusters.sizes, unit=unit, weighted=not clusters.grouped)
        # Student's t with CR2's standard error is what a ratio of sums calls the delta method
        spelled = form_of(mean).method(method) if method is not None and method not in form_of(sums).methods else method
        return Estimate(sums, bounds=bounds).interval(
            level, "delta" if spelled == "t" else method, replicates=replicates, seed=seed
        )
    return Estimate(mean, bounds=bounds).interval(level, method, replicates=replicates, seed=seed)


def proportion_interval(hits: int, n: int, level: float = 0.95, method: str | None = None) -> Interval:
    """A confidence interval for the probability behind `hits` successes in `n` independent trials.

    Parameters
    ----------
    hits, n
        Successes and trials, ``0 <= hits <= n``.
    level
        Wanted coverage, strictly between 0 and 1.
    method
        ``"wilson"``, ``"modified-wilson"``, ``"clopper-pearson"``, ``"jeffreys"``, ``"agresti-coull"``, ``"mid-p"``,
        ``"blaker"`` or ``"wald"``. None: Wilson's, modified for very few successes or failures.

    Returns
    -------
    Interval
        ``(low, high, level, method)``; NaN limits with a reason in ``reason`` for n = 0.

    Raises
    ------
    CertusError
        The counts, the level or the method are not valid.

    Examples
    --------
    >>> print(proportion_interval(0, 10))
    [0.0000, 0.2775]
    >>> print(proportion_interval(0, 10, method="clopper-pearson"))
    [0.0000, 0.3085]
    """
    return Estimate(Proportion(hits, n, unit="trial"), bounds=(0.0, 1.0)).interval(level, method)


def f1_interval(tp: int, fp: int, fn: int, level: float = 0.95, method: str | None = None) -> Interval:
    """A confidence interval for F1, the harmonic mean of precision and recall, from bare counts.

    F1 is ``2 q / (1 + q)`` of the share ``q = tp / (tp + fp + fn)``. Among the samples that are positive or predicted
    so, tp is binomial; so any interval for the share gives one for F1. An interval for a proportion of F1 n in n
    successes, as it is often computed, is not one for F1.

    Parameters
    ----------
    tp, fp, fn
        True positives, false positives and false negatives, each at least 0.
    level
        Wanted coverage, strictly between 0 and 1.
    method
        As for `proportion_interval`, and ``"goutte-gaussier"``.

    Returns
    -------
    Interval
        ``(low, high, level, method)``; NaN limits with a reason in ``reason`` where all counts are 0.

    Raises
    ------
    CertusError
        The counts, the level or the method are not valid.

    Examples
    --------
    >>> print(f1_interval(40, 10, 10))
    [0.7018, 0.8718]
    """
    counts = [require_integer(count, name) for name, count in (("tp", tp), ("fp", fp), ("fn", fn))]
    statistic = Proportion(counts[0], sum(counts), scale="dice")
    return Estimate(statistic, bounds=(0.0, 1.0)).interval(level, method)


def from_folds(
    values: ArrayLike,
    *,
    train_sizes: ArrayLike | None = None,
    test_sizes: ArrayLike | None = None,
    test_fraction: float | None = None,
    metric: str = "",
    bounds: tuple[float, float] = (-math.inf, math.inf),
) -> Estimate:
    """The mean of a metric over the folds of a cross-validation, or over random splits, as an estimate.

    Its interval is the corrected resampled t of Nadeau & Bengio (2003), method ``"nadeau-bengio"``; ``"t"``, by name,
    takes the folds for independent, which they are not, and is too short. What the correction supposes is described at
    `intervals.folds.nadeau_bengio`.

    Parameters
    ----------
    values
        One value per fold, of all repetitions if there are several.
    train_sizes, test_sizes
        Number of samples that a fold is trained on and tested on: one number, or one per fold.
    test_fraction
        Instead of them the fraction tested on: 1/k for k folds.
    metric
        What the values are, for printing.
    bounds
        Least and greatest value the metric can take, where there are such; no limit leaves them.

    Raises
    ------
    DataError
        The sizes are missing or not valid.

    Examples
    --------
    >>> print(from_folds([0.81, 0.84, 0.79, 0.86, 0.82], test_fraction=1 / 5, bounds=(0, 1)))
    0.8240 [0.7737, 0.8743]  95% corrected resampled t, 5 folds
    """
    column = np.asarray(values, dtype=np.float64)
    ratio = ratio_of(column.size, train_sizes, test_sizes, test_fraction)
    return Estimate(Folds(column, ratio), metric=metric, bounds=bounds)
