"""Metrics at the best threshold, or at one that a wanted recall, precision or depth tells; Hand's H-measure."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.kernels import ScoreMetric
from certus.data import Scores
from certus.metrics.check import Range, Share
from certus.metrics.classification._thresholds import (
    at_depth,
    best_precision,
    best_recall,
    class_size_caution,
    distance,
    distance_caution,
    effective,
    largest_distance,
    lift_caution,
    precision_caution,
    precision_crossing,
    recall_caution,
    recall_crossing,
    with_crossing,
)
from certus.metrics.classification.score_forms import (
    OfPositives,
    OfTwo,
    ThresholdSteps,
    linear,
    no_positives_reason,
    one_class_reason,
    replace_undefined,
    strata_of,
)
from certus.metrics.declaration import metric
from certus.metrics.state_kinds import Order
from certus.statistic import Influence
from certus.statistic.influence import Maximum, extended

_EBAN = "Eban et al. (2017), Scalable learning of non-decomposable objectives, AISTATS, PMLR 54:832-840"


def _limits(positive: Floats, negative: Floats) -> tuple[float, float]:
    """Between cells the distance is known; within one it is that of a corner at most."""
    true, false = np.append(0, np.cumsum(positive)) / positive.sum(), np.append(0, np.cumsum(negative)) / negative.sum()
    lowest = np.abs(true - false).max()
    corners = np.maximum(np.abs(true[1:] - false[:-1]), np.abs(true[:-1] - false[1:]))
    return float(lowest), float(max(lowest, corners.max()))


@metric(
    "KS",
    aliases=("ks_statistic",),
    source="Massey (1951), JASA 46(253):68-78, doi:10.1080/01621459.1951.10500769",
    state=Order(limits=_limits),
)
def ks(scores: Scores, *, one_sided: bool = False, undefined: OfTwo = "nan") -> Influence:
    """Largest distance between the distribution functions of the scores of positives and negatives.

    It is the largest distance of the ROC curve from its diagonal: ``KS = max over thresholds of |TPR - FPR|``, the
    statistic of the two-sample Kolmogorov-Smirnov test; one-sided, the highest informedness (Youden's J) of any
    threshold. It is undefined where one of the classes has no samples.

    Parameters
    ----------
    one_sided
        Only look at ``TPR - FPR``, so that scores in reversed order give 0.

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
    kernel, reason = partial(kernel, metric, parameter, scores.units), no_positives_reason(scores)
    return linear(scores, kernel, metric, stratified=False, reason=reason, scale=scale, caution=caution)


@metric(
    "BEP",
    source="Joachims (1998), Text categorization with support vector machines, ECML, doi:10.1007/BFb0026683",
)
def break_even_point(scores: Scores, *, undefined: OfPositives = "nan") -> Influence:
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


@metric("PrecisionAtRecall", at_parameter="recall", source=_EBAN)
def precision_at_recall(scores: Scores, *, recall: Share, undefined: OfPositives = "nan") -> Influence:
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


@metric("RecallAtPrecision", at_parameter="precision", source=_EBAN)
def recall_at_precision(scores: Scores, *, precision: Share, undefined: OfPositives = "nan") -> Influence:
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
    at_parameter="depth",
    bounds=lambda values: (0.0, 1 / values["depth"]),
    source="Piatetsky-Shapiro & Masand (1999), Estimating campaign benefits and modeling lift, KDD, "
    "doi:10.1145/312129.312225",
)
def lift(
    scores: Scores, *, depth: Annotated[float, Range(greater_than=0, less_than=1)] = 0.1, undefined: OfPositives = "nan"
) -> Influence:
    """Positives among the highest scores, relative to their number among as many samples drawn at random.

    ``lift = (share of the positives among the first samples) / depth``. The number of samples, depth times all samples,
    need not be whole, and tied samples may stand across it: both are taken in proportion, which is a straight line
    between the points of the gain curve. It is undefined where there are no positives.

    Parameters
    ----------
    depth
        The share of the samples looked at, highest scores first; of all samples the lift is 1.

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


Prior = Literal["hand", "hand-anagnostopoulos", "hmeasure"]


@metric(
    "HMeasure",
    source="Hand (2009), Mach. Learn. 77(1):103-123, doi:10.1007/s10994-009-5119-5",
)
def h_measure(scores: Scores, *, prior: Prior = "hand", undefined: OfTwo = "nan") -> Influence:
    """Part of the loss of the best trivial classifier that the best thresholds save, averaged over costs.

    A false positive costs c and a false negative 1 - c. For each c the threshold of least loss is taken, which lies on
    the convex hull of the ROC curve, and the least losses are averaged over a distribution of c that is the same for
    all classifiers (AUC averages over one that depends on the classifier)::

        H = 1 - average least loss / average least loss of calling every sample positive, or every sample negative

    1 is perfect; 0 is a constant score, or one whose ROC curve stays below the diagonal. It is undefined where one of
    the classes has no samples.

    Parameters
    ----------
    prior
        The distribution of c. ``"hand"``: Beta(2, 2), whatever the classes (Hand 2009).
        ``"hand-anagnostopoulos"``: Beta(1 + p, 1 + q) with the shares p of positives and q of negatives, so that
        mistakes about the rarer class cost more (Hand & Anagnostopoulos 2014, Pattern Recognit. Lett. 40:41-46,
        doi:10.1016/j.patrec.2013.12.004). ``"hmeasure"``: Beta(2, 1 + q / p), the default of the R package hmeasure.

    Examples
    --------
    The hull runs from (0, 0) over (0, 1/2) and (1/2, 1) to (1, 1). Only the two samples of its middle side, a positive
    and a negative, are confused; for each c they lose half of what all four would lose without a score.

    >>> import certus
    >>> certus.classification.h_measure([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1]).value
    0.5
    """
    kernel = partial(_value_and_contributions, prior=prior)
    resample = partial(_resample_hulls, scores, prior)
    caution = partial(class_size_caution, scores, warn_of_groups=False)
    influence = linear(
        scores, kernel, ScoreMetric.auc(), stratified=False, reason=one_class_reason(scores), caution=caution
    )
    if influence.reason:
        return replace_undefined(influence, undefined)
    return extended(influence, Maximum, resample=resample, samples=len(scores), squared=True)


def _resample_hulls(scores: Scores, prior: Prior, replicates: int, seed: int, stratified: bool) -> Floats:
    ordered = scores.ordered
    hulls = kernels.score_bootstrap_hulls(
        **ordered._asdict(), strata=strata_of(ordered) if stratified else None, replicates=replicates, seed=seed
    )
    return _saved(*hulls, prior)


def _value_and_contributions(marks: NDArray[np.uint8], weights: Floats, prior: Prior) -> tuple[float, Floats]:
    """The value and what each sample adds to it to first order, at fixed corners of the hull."""
    corners = kernels.score_hull(marks, weights)
    value = float(_saved(corners, np.array([len(corners)]), prior)[0])
    steps = ThresholdSteps(marks, weights)
    totals = corners[-1:]
    a, b = _costs(totals, prior)
    edges = np.diff(corners, axis=0)
    loss, trivial_loss = (_cost_of_edges(rows, a.repeat(len(rows)), b.repeat(len(rows))) for rows in (edges, totals))
    middle = steps.true_positives + steps.false_positives - (steps.a + steps.b) / 2
    edge = np.clip(np.searchsorted(corners.sum(1), middle) - 1, 0, len(edges) - 1)
    by_class = []
    for column in (1, 0):
        # The loss of a side is a sum over its samples.
        edge_slopes, total_slopes = (
            _mean_costs(rows, a.repeat(len(rows)), b.repeat(len(rows)))[column] for rows in (edges, totals)
        )
        step = 1e-5 * totals[0, column]
        direction = np.eye(2)[column]
        shifted = [_with_shares(edges, totals, totals + sign * step * direction, prior) for sign in (1, -1)]
        by_prior = (shifted[0] - shifted[1]) / (2 * step) if prior != "hand" else 0.0
        by_class.append(
            (-edge_slopes[edge] + loss.sum() / trivial_loss[0] * total_slopes[0]) / trivial_loss[0] + by_prior
        )
    return value, steps.terms(*by_class)


def _with_shares(edges: Floats, totals: Floats, shares: Floats, prior: Prior) -> float:
    """H of a hull for the cost distribution that belongs to other class sizes."""
    a, b = _costs(shares, prior)
    loss, trivial_loss = (
        _cost_of_edges(rows, a.repeat(len(rows)), b.repeat(len(rows))).sum() for rows in (edges, totals)
    )
    return float(1 - loss / trivial_loss)


def _saved(corners: Floats, lengths: NDArray[np.int64], prior: Prior) -> Floats:
    """H for each hull; corners are rows of negatives and positives passed."""
    last = np.cumsum(lengths) - 1
    totals = corners[last]
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = _costs(totals, prior)
        # From each corner to the next; where the next one is the first of another hull there is no side.
        edges = np.diff(corners, axis=0, append=corners[-1:])
        edges[last] = 0.0
        hull = np.repeat(np.arange(len(lengths)), lengths)
        losses = np.bincount(hull, np.nan_to_num(_cost_of_edges(edges, a[hull], b[hull])))
        saved: Floats = np.where(totals.all(1), 1 - losses / _cost_of_edges(totals, a, b), np.nan)
        return saved


def _costs(totals: Floats, prior: Prior) -> tuple[Floats, Floats]:
    """The parameters of c's Beta distribution, for rows of all negatives and all positives."""
    negatives, positives = totals.T
    if prior == "hand":
        return np.full(len(totals), 2.0), np.full(len(totals), 2.0)
    if prior == "hmeasure":
        return np.full(len(totals), 2.0), 1 + negatives / positives
    return 1 + positives / totals.sum(1), 1 + negatives / totals.sum(1)


def _cost_of_edges(edges: Floats, a: Floats, b: Floats) -> Floats:
    """The average least loss where the samples of a side of the hull are called positive or negative together."""
    # v negatives and r positives are called positive for c up to r / (r + v), which costs c v, then negative: (1 - c)
    # r.
    of_negatives, of_positives = _mean_costs(edges, a, b)
    loss: Floats = edges[:, 0] * of_negatives + edges[:, 1] * of_positives
    return loss


def _mean_costs(edges: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Mean cost of each negative and each positive of a side."""
    negatives, positives = edges.T
    up_to = positives / (positives + negatives)
    complement = negatives / (positives + negatives)
    if (a == 2).all() and (b == 2).all():
        # The distribution function of Beta(3, 2) is c^3 (4 - 3 c).
        return up_to**3 * (4 - 3 * up_to) / 2, complement**3 * (4 - 3 * complement) / 2
    from scipy.special import betainc

    return a / (a + b) * betainc(a + 1, b, up_to), b / (a + b) * betainc(b + 1, a, complement)
