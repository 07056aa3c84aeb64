"""Paired comparison of two scores for the same samples, by ROC areas or average precisions."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError, MetricNameError
from certus.core.kernels import ScoreMetric
from certus.inference.interval import DEFAULT_REPLICATES
from certus.inference.tests.difference import difference
from certus.inference.tests.pairs import pair_ranks
from certus.inference.tests.result import Alternative, Paired
from certus.statistic import Influence
from certus.statistic.influence import masses, stratum_influences

Kernel = Callable[[Any, Floats], tuple[float, Floats]]
"""The value of ranked scores, and what each sample adds to it."""

_METRICS: dict[str, tuple[Kernel, ScoreMetric]] = {
    "roc_auc": (kernels.score_auc_influence, ScoreMetric.auc()),
    "average_precision": (kernels.score_average_precision_influence, ScoreMetric.average_precision()),
}
_ALIASES = {"auc": "roc_auc", "auroc": "roc_auc", "ap": "average_precision", "roc_auc_score": "roc_auc"}


def paired_scores(
    y_true: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    metric: Literal["roc_auc", "average_precision"] = "roc_auc",
    *,
    groups: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    interval: str | None = None,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Paired:
    """Compare two scores of the same samples by the area under the ROC curve, or by average precision.

    The value is, to first order, a mean of one influence value for each positive and one for each negative; the
    difference of the two systems is that of the differences, sample by sample. For the area this is the comparison of
    DeLong, DeLong & Clarke-Pearson, here with Student's quantile and Satterthwaite's degrees of freedom.

    Parameters
    ----------
    y_true
        The truth, 1 or True for a positive sample and 0 or False for a negative one.
    score_a, score_b
        The scores of both systems: the higher, the more likely positive. They need not be on one scale.
    metric
        ``"roc_auc"`` or ``"average_precision"`` (steps; positives and negatives are as many as they are by design).
    groups
        The cluster that each sample belongs to; clusters, not samples, are then independent.
    alternative
        ``"two-sided"``; ``"greater"``: a is better; ``"less"``: b is.
    level
        The level of the interval.
    interval
        ``"influence"`` (the default), ``"influence-logit"``, ``"percentile"`` or ``"bca"``.
    replicates, seed
        For the bootstrap intervals, which resample samples (or clusters).

    Returns
    -------
    Paired
        Scores that order the samples alike have a difference of exactly 0 and p = 1.

    Raises
    ------
    DataError
        The columns differ in length, or hold something else, or one of the classes has no samples.
    MetricNameError
        There is no such metric.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44(3):837-845, doi:10.2307/2531595.

    Examples
    --------
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    >>> a = [0.9, 0.8, 0.6, 0.4, 0.7, 0.3, 0.2, 0.2, 0.1, 0.0]
    >>> b = [0.9, 0.3, 0.6, 0.2, 0.7, 0.8, 0.1, 0.5, 0.1, 0.0]
    >>> print(paired_scores(y, a, b))
    difference 0.2500 [-0.1379, 0.6379]  95% influence function, 10 samples
    p = 0.1754 (t test, 8 degrees of freedom)
    """
    name = _ALIASES.get(metric.lower(), metric.lower())
    if name not in _METRICS:
        raise MetricNameError(f"no metric of scores is named {metric!r}", f"there are {', '.join(_METRICS)}")
    truth = _truth(y_true)
    clusters = None if groups is None else _clusters(groups, len(truth))
    columns = [
        _scores(scores, argument, len(truth)) for argument, scores in (("score_a", score_a), ("score_b", score_b))
    ]
    kernel, score_metric = _METRICS[name]
    a, b = (_statistic(truth, column, clusters, kernel) for column in columns)
    return difference(
        a,
        b,
        alternative=alternative,
        interval=interval,
        level=level,
        bounds=(0.0, 1.0),
        resample=partial(_resample, truth, columns, clusters, score_metric),
        replicates=replicates,
        seed=seed,
    )


def _statistic(
    truth: NDArray[np.bool_], score: Floats, clusters: NDArray[np.int64] | None, kernel: Kernel
) -> Influence:
    """Area or average precision with its influence values, from a kernel that returns both."""
    order, marks = kernels.score_ranked(score, truth)
    value, terms = kernel(marks, np.ones(len(order)))
    contributions = np.empty(len(order))
    contributions[order] = terms
    return Influence.of_strata(
        value,
        stratum_influences(contributions, None, clusters, ~truth),
        unit="sample" if clusters is None else "group",
        masses=None if clusters is None else masses(contributions, np.ones(len(order)), clusters, truth),
    )


def _resample(
    truth: NDArray[np.bool_],
    columns: list[Floats],
    clusters: NDArray[np.int64] | None,
    metric: ScoreMetric,
    replicates: int,
    seed: int,
    stratified: bool,
) -> Floats:
    """Bootstrap replicates of the difference; both systems share the resampled units."""
    units = pair_ranks(*columns, truth) if clusters is None else clusters
    strata = (~truth).astype(np.uint32) if stratified and clusters is None else None
    values = []
    for column in columns:
        order, marks = kernels.score_ranked(column, truth)
        values.append(
            kernels.score_bootstrap(
                metric,
                marks,
                weights=None,
                units=units[order].astype(np.uint32),
                size=int(units.max()) + 1,
                strata=strata,
                replicates=replicates,
                seed=seed,
            )
        )
    return np.asarray(values[0] - values[1])


def _truth(y_true: ArrayLike) -> NDArray[np.bool_]:
    """Convert the truth to booleans; refuse values other than 0 and 1, and a truth with one class only."""
    column = np.asarray(y_true)
    if column.ndim != 1:
        raise DataError(f"has {column.ndim} dimensions", "give one value per sample", argument="y_true")
    wrong = ~np.isin(column, (0, 1))
    if wrong.any():
        index = int(wrong.argmax())
        value = column.tolist()[index]
        raise DataError(f"is {value!r} at index {index}", "it must hold 0 and 1, or False and True", argument="y_true")
    truth = np.ascontiguousarray(column == 1)
    for name, value in (("positives", truth.any()), ("negatives", not truth.all())):
        if not value:
            raise DataError(f"has no {name}", "a score cannot be judged without them", argument="y_true")
    return truth


def _scores(scores: ArrayLike, name: str, n: int) -> Floats:
    """Convert scores to a float column; refuse NaN and lengths other than n."""
    column = np.ascontiguousarray(scores, dtype=np.float64)
    if column.ndim != 1:
        raise DataError(f"has {column.ndim} dimensions", "give one value per sample", argument=name)
    if len(column) != n:
        raise DataError(
            f"has {n} samples but {name} has {len(column)}", "they must pair up one to one", argument="y_true"
        )
    if np.isnan(column).any():
        raise DataError(
            f"is NaN at index {int(np.isnan(column).argmax())}", "every sample needs a score", argument=name
        )
    return column


def _clusters(groups: ArrayLike, n: int) -> NDArray[np.int64]:
    """Integer code of each sample's cluster, from 0; lengths other than n are refused."""
    column = np.asarray(groups)
    if column.shape != (n,):
        raise DataError(
            f"has {n} samples but groups has shape {column.shape}", "give one cluster per sample", argument="y_true"
        )
    return np.unique(column, return_inverse=True)[1].astype(np.int64)
