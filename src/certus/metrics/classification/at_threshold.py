"""Metrics at the best threshold, or at one that a wanted recall, precision or depth tells."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeAlias

import numpy as np

from certus.arrays import Floats
from certus.data import Scores
from certus.kernels import ScoreMetric
from certus.metrics._declare import metric
from certus.metrics.check import Between, Doc, Share
from certus.metrics.classification._cautions import (
    distance_caution,
    effective,
    lift_caution,
    precision_caution,
    recall_caution,
)
from certus.metrics.classification._ordered import (
    OfPositives,
    OfTwo,
    linear,
    no_positives_reason,
    one_class_reason,
    replace_undefined,
)
from certus.metrics.classification._thresholds import (
    at_depth,
    best_precision,
    best_recall,
    distance,
    largest_distance,
    precision_crossing,
    recall_crossing,
    with_crossing,
)
from certus.metrics.state_kinds import Order
from certus.statistic import Influence
from certus.statistic.influence import Maximum, extended

_EBAN = "Eban et al. (2017), Scalable learning of non-decomposable objectives, AISTATS, PMLR 54:832-840"
OfUnits: TypeAlias = Annotated[Influence, Doc("Of the samples, or the groups.")]


def _limits(positive: Floats, negative: Floats) -> tuple[float, float]:
    """Between cells the distance is known; within one it is that of a corner at most."""
    true, false = np.append(0, np.cumsum(positive)) / positive.sum(), np.append(0, np.cumsum(negative)) / negative.sum()
    least = np.abs(true - false).max()
    corners = np.maximum(np.abs(true[1:] - false[:-1]), np.abs(true[:-1] - false[1:]))
    return float(least), float(max(least, corners.max()))


@metric(
    "KS",
    aliases=("ks_statistic",),
    source="Massey (1951), JASA 46(253):68-78, doi:10.1080/01621459.1951.10500769",
    state=Order(limits=_limits),
)
def ks(scores: Scores, *, one_sided: bool = False, undefined: OfTwo = "nan") -> Influence:
    """Largest distance between the distribution functions of the scores of positives and negatives.

    It is the largest distance of the ROC curve from its diagonal::

        KS = max over thresholds of |TPR - FPR|

    the statistic of the two-sample Kolmogorov-Smirnov test; one-sided, the highest informedness (Youden's J) of any
    threshold. It is undefined where one of the classes has no samples.

    Parameters
    ----------
    one_sided
        Only look at ``TPR - FPR``, so that scores in reversed order give 0.

    Returns
    -------
    Influence
        Positives and negatives are its strata; to first order a move of the best threshold changes nothing.

    Examples
    --------
    At the threshold 0.4 both positives and one of two negatives are above: 2/2 - 1/2. So it is at 0.9: 1/2 - 0/2.

    >>> import certus
    >>> certus.classification.ks([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.5
    >>> certus.classification.ks([0, 1, 0, 1], [0.9, 0.4, 0.4, 0.1], one_sided=True).value
    0.0
    """
    if scores.weights is None and scores.groups is None and all(scores.sizes):
        return largest_distance(scores, either_side=not one_sided)
    kernel, metric = partial(distance, not one_sided, None), ScoreMetric.ks(not one_sided)
    caution = partial(distance_caution, scores, either_side=not one_sided)
    influence = linear(scores, kernel, metric, stratified=True, reason=one_class_reason(scores), caution=caution)
    if influence.reason:
        return replace_undefined(influence, undefined)
    return extended(influence, Maximum, samples=len(scores), rival=partial(_rival_of_distance, scores, not one_sided))


def _rival_of_distance(scores: Scores, either_side: bool) -> Influence:
    kernel = partial(distance, either_side, effective(scores))
    return linear(scores, kernel, ScoreMetric.ks(either_side), stratified=True)


def _of_positives(
    scores: Scores,
    kernel: Callable[..., Any],
    metric: ScoreMetric,
    parameter: float | None,
    caution: Callable[[], str],
    scale: tuple[float, float] = (0, 1),
) -> Influence:
    """The form of a metric that is undefined without positives; the kernel takes the metric and its parameter first."""
    options: dict[str, Any] = {
        "stratified": False,
        "reason": no_positives_reason(scores),
        "scale": scale,
        "caution": caution,
    }
    return linear(scores, partial(kernel, metric, parameter, scores.units), metric, **options)


@metric(
    "BEP",
    source="Joachims (1998), Text categorization with support vector machines, ECML, doi:10.1007/BFb0026683",
)
def break_even_point(scores: Scores, *, undefined: OfPositives = "nan") -> OfUnits:
    """The value at which precision equals recall.

    Precision is ``tp / predicted positives`` and recall ``tp / positives``: they are equal where as many samples are
    predicted positive as there are positives. Where tied samples stand across that point, they are taken in proportion,
    which is the mean over their orders. It is undefined where there are no positives.

    Examples
    --------
    Of the two samples with the highest scores, as there are two positives, one is positive.

    >>> import certus
    >>> certus.classification.break_even_point([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).value
    0.5
    """
    influence = _of_positives(scores, at_depth, ScoreMetric.break_even(), None, partial(precision_caution, scores))
    return replace_undefined(influence, undefined)


@metric("PrecisionAtRecall", at="recall", source=_EBAN)
def precision_at_recall(scores: Scores, *, recall: Share, undefined: OfPositives = "nan") -> OfUnits:
    """Highest precision of a threshold that finds at least the wanted share of the positives.

    Every distinct score is a threshold. It is undefined where there are no positives.

    Parameters
    ----------
    recall
        The wanted share of the positives.

    Examples
    --------
    Both positives are found at 0.7, with precision 2/3; the first one alone with precision 1.

    >>> import certus
    >>> round(certus.classification.precision_at_recall([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], recall=0.8).value, 4)
    0.6667
    """
    metric, caution = ScoreMetric.precision_at_recall(recall), partial(precision_caution, scores, recall)
    influence = _of_positives(scores, best_precision, metric, recall, caution)
    return replace_undefined(with_crossing(scores, influence, recall, recall_crossing), undefined)


@metric("RecallAtPrecision", at="precision", source=_EBAN)
def recall_at_precision(scores: Scores, *, precision: Share, undefined: OfPositives = "nan") -> OfUnits:
    """Highest recall of a threshold whose precision is at least the wanted one.

    Every distinct score is a threshold; where none is precise enough, nothing is predicted positive and the recall is
    0. It is undefined where there are no positives.

    Parameters
    ----------
    precision
        The wanted precision.

    Examples
    --------
    The threshold 0.7 has precision 2/3 and recall 1; the threshold 0.9 precision 1 and recall 1/2.

    >>> import certus
    >>> certus.classification.recall_at_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], precision=0.9).value
    0.5
    """
    metric, caution = ScoreMetric.recall_at_precision(precision), partial(recall_caution, scores, precision)
    influence = _of_positives(scores, best_recall, metric, precision, caution)
    return replace_undefined(with_crossing(scores, influence, precision, precision_crossing), undefined)


@metric(
    "Lift",
    at="depth",
    bounds=lambda values: (0.0, 1 / values["depth"]),
    source="Piatetsky-Shapiro & Masand (1999), Estimating campaign benefits and modeling lift, KDD, "
    "doi:10.1145/312129.312225",
)
def lift(
    scores: Scores, *, depth: Annotated[float, Between(above=0, below=1)] = 0.1, undefined: OfPositives = "nan"
) -> Influence:
    """Positives among the highest scores, relative to their number among as many samples drawn at random.

    ::

        lift = (share of the positives among the first samples) / depth

    The number of samples, depth times all samples, need not be whole, and tied samples may stand across it: both are
    taken in proportion, which is a straight line between the points of the gain curve. It is undefined where there are
    no positives.

    Parameters
    ----------
    depth
        The share of the samples looked at, highest scores first; of all samples the lift is 1.

    Returns
    -------
    Influence
        Of the samples, or the groups; at most ``1 / depth``.

    Examples
    --------
    The first quarter of the samples holds half of the positives.

    >>> import certus
    >>> certus.classification.lift([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], depth=0.25).value
    2.0
    """
    caution = partial(lift_caution, scores, depth, scores.units)
    influence = _of_positives(scores, at_depth, ScoreMetric.gain_at(depth), depth, caution, (0.0, 1 / depth))
    return replace_undefined(influence, undefined)
