"""Areas under the ROC curve, or a part of it, and their twins on the scale from -1 to 1."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError, MetricNameError
from certus.core.kernels import ScoreMetric
from certus.data import ClassScores, MultilabelScores, Scores
from certus.data.samples import Parts
from certus.metrics.check import Range
from certus.metrics.classification._thresholds import part_of_area, partial_area_caution
from certus.metrics.classification.average import Result, Undefined
from certus.metrics.classification.score_forms import (
    Average,
    Measure,
    OfTwo,
    averaged,
    linear,
    no_influence,
    of_pairs,
    of_samples,
    one_class_reason,
    only_scores,
    replace_undefined,
    resampled,
    rescale,
)
from certus.metrics.declaration import metric
from certus.metrics.orders import MaybeLaw
from certus.metrics.random_labels import RandomLabels
from certus.metrics.spellings import SCIKIT_LEARN
from certus.metrics.state_kinds import WHOLE_AREA, Order
from certus.statistic import Influence, UStatistic
from certus.statistic.cached import constant
from certus.statistic.influence import UStatistics, stratum_influences


def area(scores: Scores, low: Literal[0, -1] = 0) -> Influence:
    """The area, or with ``low=-1`` the Gini coefficient ``2 area - 1``: a `UStatistic`; of groups an `Influence`."""
    if scores.weights is None and scores.groups is None:
        return _area(*scores.sizes, *scores.auc(), constant(scores), low)
    reason = one_class_reason(scores)
    if scores.weights is not None and scores.groups is None and len(scores) and not reason:
        return _weighted(scores, scores.weights, low)
    influence = linear(
        scores, kernels.score_auc_influence, ScoreMetric.auc(), stratified=True, reason=reason, scale=(low, 1)
    )
    if reason or scores.groups is None:
        return influence
    return replace(influence, apart=partial(_ungrouped, scores, low))


def _ungrouped(scores: Scores, low: Literal[0, -1]) -> Influence:
    return area(replace(scores, groups=None), low)


def _weighted(scores: Scores, weights: Floats, low: Literal[0, -1]) -> UStatistic:
    value, by_class, positives, masses = kernels.score_weighted_auc(scores.score, scores.truth, weights)
    squared = (1 - low) ** 2
    return UStatistic(
        value=rescale((low, 1), value),
        sizes=(positives, len(masses) - positives),
        sample_variances=tuple(squared * variance for variance, *_ in by_class),
        influence=partial(_influence, constant(scores), low),
        resample=resampled(scores, ScoreMetric.auc(), (low, 1)),
        masses=masses,
        weighted=True,
        spreads=tuple((squared * error, freedom, size) for _, error, freedom, size in by_class),
        span=(low, 1),
    )


def _area(
    m: int, n: int, won: int, of_positives: int, of_negatives: int, samples: Callable[[], Scores], low: Literal[0, -1]
) -> UStatistic:
    """The area of positives and negatives from counts of their pairs; `samples` returns them when asked for."""
    if not m or not n:
        reason = f"there are no {'negatives' if m else 'positives'}" if m or n else ""
        return UStatistic(math.nan, (m, n), (math.nan, math.nan), undefined_reason=reason, span=(low, 1))
    pairs = 2 * m * n
    squared = (1 - low) ** 2
    variances = (
        squared * of_positives / (m * (m - 1) * (2 * n) ** 2) if m > 1 else math.nan,
        squared * of_negatives / (n * (n - 1) * (2 * m) ** 2) if n > 1 else math.nan,
    )
    return UStatistic(
        value=(won + low * (pairs - won)) / pairs,
        sizes=(m, n),
        sample_variances=variances,
        influence=partial(_influence, samples, low) if any(variances) else partial(no_influence, m, n),
        resample=partial(_resample, samples, low),
        span=(low, 1),
        losses=partial(_losses, samples),
    )


def _influence(samples: Callable[[], Scores], low: Literal[0, -1]) -> tuple[Floats, ...]:
    scores = samples()
    terms = of_samples(scores, kernels.score_auc_influence)[1]
    return stratum_influences((1 - low) * terms, scores.weights, None, ~scores.truth)


def _resample(
    samples: Callable[[], Scores], low: Literal[0, -1], replicates: int, seed: int, stratified: bool
) -> Floats:
    return resampled(samples(), ScoreMetric.auc(), (low, 1))(replicates, seed, stratified)


def _losses(samples: Callable[[], Scores]) -> list[tuple[float, float, float]]:
    return kernels.score_losses(*samples().ordered_sides())


def _areas(parts: Parts[Scores], low: Literal[0, -1] = 0) -> UStatistics:
    """The `area` of each part."""
    counts, losses, large = kernels.score_auc_of_parts(parts.data.score, parts.data.truth, parts.codes, len(parts))
    exact = {index: (won, *squares) for index, won, *squares in large}
    m, n, won, *squares = counts.T
    make = partial(_area_of_part, parts, low, counts, exact)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Whole numbers below 2^53, of which the ratios are as exact as those of Python's integers.
        values = (won + low * (2 * m * n - won)) / (2 * m * n)
        spreads = (1 - low) ** 2 * np.column_stack(squares)
        variances = spreads / np.column_stack([m * (m - 1) * (2 * n) ** 2, n * (n - 1) * (2 * m) ** 2])
    for index in exact:
        statistic = make(index)
        values[index], variances[index] = statistic.value, statistic.variances
    return UStatistics(make, values, np.ascontiguousarray(counts[:, :2]), variances, losses, (low, 1))


def _area_of_part(
    parts: Parts[Scores], low: Literal[0, -1], counts: Floats, exact: Mapping[int, tuple[int, ...]], index: int
) -> UStatistic:
    positives, negatives, *pair_counts = map(int, counts[index].tolist())
    wins, first, second = exact.get(index, pair_counts)
    return _area(positives, negatives, wins, first, second, partial(parts.__getitem__, index), low)


def _areas_of_parts(
    parts: Parts[Any],
    low: Literal[0, -1] = 0,
    *,
    undefined: Undefined,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    **_: Any,
) -> UStatistics | list[Influence] | None:
    """The area for each part of the samples; None for a partial area and for scores of several classes."""
    if max_fpr not in (None, 1) or min_tpr not in (None, 0) or not isinstance(parts.data, Scores):
        return None
    areas = _areas(parts, low)
    return areas if isinstance(undefined, str) else [replace_undefined(statistic, undefined) for statistic in areas]


def _law(
    labels: RandomLabels,
    low: Literal[0, -1] = 0,
    *,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    **_: Any,
) -> MaybeLaw:
    """The distribution of the whole area where the labels are in random order."""
    from certus.chance import auc
    from certus.chance.exact import Scaled

    if max_fpr not in (None, 1) or min_tpr not in (None, 0):
        return None
    # Its groups begin with the lowest score.
    area = auc(labels.positives, labels.negatives, ties=None if labels.ties is None else labels.ties[::-1])
    return Scaled(area, 2.0, -1.0) if low else area


AREA = Measure(area, ScoreMetric.auc(), kernels.score_auc_influence, one_class_reason)


def _bounds_of_part(parameters: Mapping[str, Any]) -> tuple[float, float]:
    if parameters["partial"] == "raw":
        if parameters["max_fpr"] is not None:
            return 0.0, parameters["max_fpr"]
        if parameters["min_tpr"] is not None:
            return 0.0, 1.0 - parameters["min_tpr"]
    return 0.0, 1.0


def _limits_of_area(positive: Floats, negative: Floats) -> tuple[float, float]:
    """Pairs in different cells are decided; those within one may all be wrong, or all right."""
    positives_above = np.cumsum(positive) - positive
    total = float(positive.sum() * negative.sum())
    sure = math.fsum(positives_above * negative) / total
    return sure, sure + math.fsum(positive * negative) / total


@metric(
    "AUC",
    words=("area under curve", "area under the curve", "area under the ROC curve", "AUC score", "AUC分数"),
    aliases=("AUROC",),
    spellings=(
        *SCIKIT_LEARN("roc_auc", "roc_auc_score", "auc"),
        *SCIKIT_LEARN("roc_auc_{multi_class}", average="macro"),
        *SCIKIT_LEARN("roc_auc_{multi_class}_{average}"),
    ),
    bounds=_bounds_of_part,
    source="Hanley & McNeil (1982), Radiology 143(1):29-36, doi:10.1148/radiology.143.1.7063747",
    chance=_law,
    parts=_areas_of_parts,
    state=Order(minimum=0, limits=_limits_of_area, when=WHOLE_AREA),
)
def roc_auc(
    scores: Scores | ClassScores | MultilabelScores,
    *,
    max_fpr: Annotated[float, Range(greater_than=0, high=1)] | None = None,
    min_tpr: Annotated[float, Range(low=0, less_than=1)] | None = None,
    partial: Literal["mcclish", "raw"] = "mcclish",
    multi_class: Literal["raise", "ovr", "ovo"] = "raise",
    average: Average = "macro",
    undefined: Undefined = "nan",
) -> Result:
    """Probability that a positive sample has a higher score than a negative one: the area under the ROC curve.

    Over all pairs of a positive and a negative, a pair with equal scores counting half::

        AUC = (pairs in which the positive has the higher score + half the tied pairs) / (positives * negatives)

    Where one of the classes has no samples it is undefined. Of two columns of scores that of the positive class is
    taken. With weights a pair counts as much as the product of its two weights.

    Parameters
    ----------
    max_fpr
        Only the part of the curve with a false positive rate of at most this, above 0.
    min_tpr
        Only the part with a true positive rate of at least this, below 1: the area to the right of the curve.
    partial
        What a part gives. ``"mcclish"``: ``(1 + (A - chance) / (best - chance)) / 2``, which is 1 at best and 1/2 by
        chance (McClish 1989). ``"raw"``: its area A, at most `max_fpr` or ``1 - min_tpr``.
    multi_class
        For more than two classes. ``"ovr"``: each class against the rest (Provost & Domingos 2000). ``"ovo"``: the mean
        over ordered pairs of classes, with the samples of these two classes only (Hand & Till 2001).
    average
        For several classes or labels. ``"macro"``: the mean. ``"weighted"``: weighted by the samples of a class, or of
        a pair of classes. ``"micro"``: the area over all cells of the table. ``"samples"``: the mean over samples of
        the area over the labels. None: each class against the rest, or each label, by itself.
    undefined
        What a class or label without positives or without negatives counts as: ``"nan"``, ``"skip"`` (left out of an
        average) or a number.

    Returns
    -------
    UStatistic or Influence
        For two classes with the variances of DeLong, DeLong & Clarke-Pearson (1988); with weights or groups those of
        the weighted placements, summed over each group (Obuchowski 1997). A part of the curve has influence values of
        its own. An average is the mean of its areas with the sum of their influence values; several classes keep their
        sizes, samples with several labels have none to keep.

    Raises
    ------
    DataError
        There are more than two classes and `multi_class` does not say how they are compared; they are compared in pairs
        and `average` is neither ``"macro"`` nor ``"weighted"``; or a part is asked for of several curves.
    MetricNameError
        Two parts are asked for.

    Examples
    --------
    Of the 2 x 2 pairs three are in the right order and one is tied: 3.5 of 4.

    >>> import certus
    >>> certus.classification.roc_auc([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.875

    Up to a false positive rate of 1/2, where the curve runs from (0, 1/2) to (1/2, 1), the area is 3/8 of at most 4/8;
    by chance it would be 1/8.

    >>> certus.classification.roc_auc([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1], max_fpr=0.5, partial="raw").value
    0.375
    >>> round(certus.classification.roc_auc([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1], max_fpr=0.5).value, 4)
    0.8333
    """
    scores = only_scores(scores) if isinstance(scores, ClassScores) else scores
    if max_fpr not in (None, 1) or min_tpr not in (None, 0):
        if max_fpr not in (None, 1) and min_tpr not in (None, 0):
            raise MetricNameError("max_fpr and min_tpr are two different parts of the curve", "give one of them")
        if not isinstance(scores, Scores):
            raise DataError("max_fpr and min_tpr are for two classes", "leave them out for an average over several")
        return replace_undefined(_part(scores, max_fpr, min_tpr, partial), undefined)
    if isinstance(scores, Scores):
        return replace_undefined(area(scores), undefined)
    if isinstance(scores, MultilabelScores) or multi_class == "ovr":
        return averaged(scores, AREA, average, undefined)
    if multi_class == "raise":
        raise DataError(
            f"has {len(scores.classes)} classes",
            "say how they are compared with multi_class='ovr' or 'ovo'",
            argument="y_true",
        )
    if average not in ("macro", "weighted"):
        raise DataError(
            f"is {average!r}", "pairs of classes (multi_class='ovo') have 'macro' and 'weighted'", argument="average"
        )
    return of_pairs(scores, AREA, average, undefined)


def _part(scores: Scores, max_fpr: float | None, min_tpr: float | None, kind: str) -> Influence:
    if max_fpr is not None:
        metric, width = ScoreMetric.auc_to_fpr(max_fpr), max_fpr
    else:
        metric, width = ScoreMetric.auc_from_tpr(min_tpr or 0.0), 1 - (min_tpr or 0.0)
    # The least area has half the width as its height by chance, so McClish's index of no area is (1 - w) / (2 - w).
    scale = (0.0, width) if kind == "raw" else ((1 - width) / (2 - width), 1.0)
    kernel = partial(part_of_area, metric, max_fpr, min_tpr)
    influence = linear(scores, kernel, metric, stratified=True, reason=one_class_reason(scores), scale=scale)
    if influence.reason:
        return influence
    widths = (1 - (min_tpr or 0.0), 1.0 if max_fpr is None else max_fpr)
    variance = sum(v / n for v, n in zip(influence.variances, influence.sizes, strict=True))
    return replace(
        influence, caution=partial(partial_area_caution, scores, widths, math.sqrt(variance) / (scale[1] - scale[0]))
    )


above_diagonal = partial(
    metric,
    bounds=(-1.0, 1.0),
    chance=partial(_law, low=-1),
    parts=partial(_areas_of_parts, low=-1),
    state=Order(minimum=-1, when=WHOLE_AREA),
)
"""Declares a metric that is ``2 AUC - 1``."""


@above_diagonal(
    "Gini",
    words=("Gini coefficient", "基尼系数"),
    aliases=("SomersD",),
    source="Somers (1962), Am. Sociol. Rev. 27(6):799-811, doi:10.2307/2090408",
)
def gini(scores: Scores, *, undefined: OfTwo = "nan") -> Influence:
    """Share of the pairs of a positive and a negative in the right order, less the share in the wrong order.

    It is the area between the ROC curve and its diagonal, as a part of the area above the diagonal, and Somers' D:
    ``Gini = 2 AUC - 1``.

    Tied pairs count on neither side. It is undefined where one of the classes has no samples.

    Examples
    --------
    Of the 2 x 2 pairs three are in the right order and one is tied.

    >>> import certus
    >>> certus.classification.gini([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.75
    """
    return replace_undefined(area(scores, -1), undefined)


@above_diagonal(
    "GainCapture",
    aliases=("AccuracyRatio",),
    source="Engelmann, Hayden & Tasche (2003), Testing rating accuracy, Risk 16(1):82-86",
)
def gain_capture(scores: Scores, *, undefined: OfTwo = "nan") -> Influence:
    """Area between the cumulative gain curve and its diagonal, as a part of that under a perfect order.

    The gain curve gives the share of the positives among the first samples by decreasing score, against the share of
    samples. With equal scores joined by a straight line, the gain capture (accuracy ratio, in credit scoring) is the
    Gini coefficient ``2 AUC - 1`` whatever the share of positives is. It is undefined where one of the classes has no
    samples.

    Examples
    --------
    The gain curve runs through (0, 0), (1/4, 1/2), (3/4, 1) and (1, 1) and has the area 11/16; the diagonal has 8/16,
    the perfect curve 12/16.

    >>> import certus
    >>> certus.classification.gain_capture([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.75
    """
    return replace_undefined(area(scores, -1), undefined)
