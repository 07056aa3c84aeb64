"""Average precision."""

import math
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.core.errors import DataError
from certus.core.kernels import ScoreMetric, score_metric_of_masses
from certus.data import ClassScores, MultilabelScores, Scores
from certus.metrics.check import Doc
from certus.metrics.classification._thresholds import highest_precision
from certus.metrics.classification.average import Result, Undefined
from certus.metrics.classification.score_forms import (
    Average,
    Kernel,
    Measure,
    ThresholdSteps,
    averaged,
    linear,
    no_influence,
    no_positives_reason,
    of_samples,
    only_scores,
    replace_undefined,
    resampled,
)
from certus.metrics.declaration import metric
from certus.metrics.orders import MaybeLaw
from certus.metrics.random_labels import RandomLabels
from certus.metrics.spellings import MTEB, SCIKIT_LEARN
from certus.metrics.state_kinds import Order
from certus.statistic import Influence
from certus.statistic.cached import constant
from certus.statistic.influence import UnseenUnits, stratum_influences
from certus.statistic.moments import Moments

Marks = NDArray[np.uint8]
SMALL = 0.1
"""Where the samples of a step are fewer than this part of those above it, integrals are taken by quadrature."""
FIRST = 2**16
"""Samples on top of which it is computed what more of them would change."""
WEIGHED = 30
"""Samples of a class, those with its highest scores, whose mean weight one above them is taken to have."""
NEGATIVE, POSITIVE = 2, 3
"""Marks of a sample that has a score of its own."""
OF_POSITIVES = 1 / 6
"""Positives that may be missing on top, as a part of the negatives: the value is too high on average as it is."""
STEP = ScoreMetric.average_precision()
AT_ELEVEN = "the interval may be too short: the sample itself sets the eleven thresholds"


def trapezoid(marks: Marks, weights: Floats) -> tuple[float, Floats]:
    """Area under straight lines, and its influence values."""
    value = float(score_metric_of_masses(ScoreMetric.trapezoid_precision(), marks, weights))
    steps = ThresholdSteps(marks, weights)
    a, samples = steps.a, steps.true_positives + steps.false_positives
    precision = steps.true_positives / samples
    before = np.concatenate([[1.0], precision[:-1]])
    counts = (a + np.concatenate([a[1:], [0.0]])) / 2 / samples
    by_positive = _from_here(counts * (1 - precision)) + (before + precision) / 2 - value
    by_negative = _from_here(-counts * precision)
    return value, steps.terms(by_positive / steps.positives, by_negative / steps.positives)


def curved(marks: Marks, weights: Floats) -> tuple[float, Floats]:
    """Area under the curve of evenly mixed samples, and its influence values."""
    # A step adds the integral over x from 0 to 1 of a (r + x a) / (t + x (a + b)), r positives and t samples being
    # above.
    value = float(score_metric_of_masses(ScoreMetric.curved_precision(), marks, weights))
    steps = ThresholdSteps(marks, weights)
    a, b = steps.a, steps.b
    r, t = steps.true_positives - a, steps.true_positives + steps.false_positives - a - b
    s = a + b
    first, second = _integrals(s, t)
    # Of a: the value over a, and a in the numerator; of all in the denominator: less the square of it.
    lost = [a * (r * second[k] + a * second[k + 1]) for k in (0, 1)]
    by_a = r * first[0] + 2 * a * first[1] - lost[1]
    by_b = -lost[1]
    by_r, by_v = a * first[0] - lost[0], -lost[0]
    if s[0] > 0:  # nothing is above the first step, whose precision is the same all through it
        by_a[0], by_b[0] = (a[0] ** 2 + 2 * a[0] * b[0]) / s[0] ** 2, -((a[0] / s[0]) ** 2)
    by_r[0] = by_v[0] = 0.0
    by_positive = by_a + _from_here(by_r) - by_r - value
    by_negative = by_b + _from_here(by_v) - by_v
    return value, steps.terms(by_positive / steps.positives, by_negative / steps.positives)


def _integrals(s: Floats, t: Floats) -> tuple[list[Floats], list[Floats]]:
    """Integrals of ``x^k / (t + x s)`` for k up to 1, and of ``x^k / (t + x s)^2`` for k up to 2, x from 0 to 1."""
    t = np.where(t > 0, t, 1.0)
    u = s / t
    is_small = u < SMALL
    big = np.where(is_small, 1.0, u)
    log, end = np.log1p(big), 1 + big
    first = [log / big, (1 - log / big) / big]
    second = [1 / end, (log - big / end) / big**2, (big - 2 * log + big / end) / big**3]
    # Where u is small the differences would cancel; the integrands are then so smooth that ten points are exact.
    nodes, weights = np.polynomial.legendre.leggauss(10)
    nodes, weights = (nodes + 1) / 2, weights / 2
    for x, weight in zip(nodes, weights, strict=True):
        denominator = 1 + x * u[is_small]
        for k, integral in enumerate(first):
            integral[is_small] = (0.0 if x == nodes[0] else integral[is_small]) + weight * x**k / denominator
        for k, integral in enumerate(second):
            integral[is_small] = (0.0 if x == nodes[0] else integral[is_small]) + weight * x**k / denominator**2
    return [integral / t for integral in first], [integral / t**2 for integral in second]


def eleven_points(units: int, marks: Marks, weights: Floats) -> tuple[float, Floats]:
    """The mean of the highest precisions at eleven recalls, and its influence values."""
    value = float(score_metric_of_masses(ScoreMetric.eleven_point_precision(), marks, weights))
    steps = ThresholdSteps(marks, weights)
    recall = np.where(steps.true_positives < steps.positives, np.floor(10 * steps.true_positives / steps.positives), 10)
    terms = sum(highest_precision(steps, recall >= level, units) for level in range(11))
    return value, np.asarray(terms) / 11


def _from_here(values: Floats) -> Floats:
    """The sum of each value and all behind it."""
    return np.cumsum(values[::-1])[::-1]


INTERPOLATED: dict[str, tuple[Callable[[int], Kernel], ScoreMetric]] = {
    "trapezoid": (lambda _: trapezoid, ScoreMetric.trapezoid_precision()),
    "davis-goadrich": (lambda _: curved, ScoreMetric.curved_precision()),
    "11-point": (lambda units: partial(eleven_points, units), ScoreMetric.eleven_point_precision()),
}


def _law(labels: RandomLabels, *, interpolation: str, **_: Any) -> MaybeLaw:
    from certus.chance import average_precision as law

    if interpolation != "step":
        return None
    if labels.ties is None:
        return law(labels.items, labels.positives)
    return law(labels.items, labels.positives, ties=labels.ties[::-1], tied="together")


def _limits(positive: Floats, negative: Floats) -> tuple[float, float]:
    """Least and greatest value within cells: the negatives first, or the positives."""
    # sum of (true + i) / (true + i + b) is p - b sum of 1 / (true + b + i), of which that is at most log(1 + p / (true
    # + b)).
    true, false = np.cumsum(positive) - positive, np.cumsum(negative) - negative
    wrong = false + negative
    with np.errstate(divide="ignore", invalid="ignore"):
        lowest = positive - np.where(wrong > 0, wrong * np.log1p(positive / (true + wrong)), 0)
        first = np.where(positive > 0, positive * (true + 1) / (true + 1 + wrong), 0)
        best = np.where(positive > 0, positive * (true + positive) / (true + positive + false), 0)
    total = float(positive.sum())
    return math.fsum(np.maximum(lowest, first)) / total, math.fsum(best) / total


@metric(
    "AP",
    words=("AP分数",),
    spellings=(*SCIKIT_LEARN("average_precision", "average_precision_score"), *MTEB("ap")),
    source="Boyd, Eng & Page (2013), ECML PKDD, LNCS 8190:451-466, doi:10.1007/978-3-642-40994-3_29",
    chance=_law,
    state=Order(limits=_limits, when={"interpolation": ("step",)}),
)
def average_precision(
    scores: Scores | ClassScores | MultilabelScores,
    *,
    interpolation: Literal["step", "trapezoid", "davis-goadrich", "11-point"] = "step",
    prevalence: Literal["random", "fixed"] = "random",
    average: Average = "macro",
    undefined: Undefined = "nan",
) -> Annotated[Result, Doc(forms=("Influence",))]:
    """Precision at the score of each positive sample, averaged: an area under the precision-recall curve.

    With R positives and T samples at or above the score of a positive: ``AP = mean over positives of R / T``.

    Samples with equal scores are taken together, so their order does not matter. It is undefined where there are no
    positives. Of two columns of scores that of the positive class is taken.

    Parameters
    ----------
    interpolation
        What stands between the points of the curve. ``"step"``: nothing, precision at each point counts for the recall
        gained there. ``"trapezoid"``: straight lines, from precision 1 at recall 0, as scikit-learn's ``auc`` of its
        curve; it flatters (Davis & Goadrich 2006). ``"davis-goadrich"``: the curve of samples that come evenly mixed
        between two points, with the integral of Keilwagen, Grosse & Grau (2014); tied samples are such a mixture.
        ``"11-point"``: the mean over recall 0, 0.1, ..., 1 of the highest precision with at least that recall (Salton &
        McGill 1983).
    prevalence
        AP depends on the share of positives. ``"random"``: the interval is for the share in the population that the
        samples were drawn from at random, and allows for the error of the share in the data. ``"fixed"``: it is for
        data with this share of positives, of which there are as many as in these data by design; it is narrower. The
        value is the same. With groups, and for several labels per sample, the share is always random.
    average
        For several classes, each against the rest, or labels. ``"macro"``: the mean. ``"weighted"``: weighted by the
        positives. ``"micro"``: over all cells of the table. ``"samples"``: the mean over samples of AP over the labels.
        None: each class or label by itself.
    undefined
        What a class or label without positives counts as: ``"nan"``, ``"skip"`` (left out of an average) or a number.

    Raises
    ------
    DataError
        An interpolation is asked for with more than two classes.

    Examples
    --------
    The positives stand at ranks 1 and 3: (1/1 + 2/3) / 2.

    >>> import certus
    >>> round(certus.classification.average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]).value, 4)
    0.8333
    >>> certus.classification.average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], interpolation="trapezoid").value
    0.7916666666666666
    """
    scores = only_scores(scores) if isinstance(scores, ClassScores) else scores
    stratified = prevalence == "fixed"
    of_steps = partial(_of_steps, stratified=stratified)
    if not isinstance(scores, Scores):
        if interpolation != "step":
            raise DataError(f"interpolation={interpolation!r} is for two classes", "several have 'step'")
        measure = Measure(of_steps, STEP, kernels.score_average_precision_influence, no_positives_reason, stratified)
        return averaged(scores, measure, average, undefined)
    if interpolation == "step":
        return replace_undefined(of_steps(scores), undefined)
    kernel, metric = INTERPOLATED[interpolation]
    reason = no_positives_reason(scores)
    # In clusters of scores the precision changes sharply at some of the thresholds.
    caution = constant(AT_ELEVEN) if interpolation == "11-point" else None
    influence = linear(scores, kernel(scores.units), metric, stratified=stratified, reason=reason, caution=caution)
    return replace_undefined(influence, undefined)


def _of_steps(scores: Scores, stratified: bool) -> Influence:
    if scores.weights is not None or scores.groups is not None:
        kernel = kernels.score_average_precision_influence
        reason = no_positives_reason(scores)
        return linear(scores, kernel, STEP, stratified=stratified, reason=reason, unseen=_OnTop)
    m, n = scores.sizes
    if m == 0:
        return UnseenUnits(math.nan, (m, n), (math.nan, math.nan), undefined_reason=no_positives_reason(scores))
    value, of_positives, of_negatives, by_odds, class_moments = scores.average_precision()
    sizes: tuple[int, ...] = (m, n) if n else (m,)
    variances: tuple[float, ...] = (of_positives, of_negatives)[: len(sizes)]
    moments = None
    if not stratified and 1 not in sizes:  # a sample alone in its class has no variance
        # What the samples add to first order, squared: their spread in each class, and that of the classes' means.
        within_classes = sum((k - 1) * v / k**2 for k, v in zip(sizes, variances, strict=True) if k > 1)
        squares = within_classes + (by_odds**2 * (1 / m + 1 / n) if n else 0.0)
        size = m + n
        moments = partial(_moments, class_moments, m / size)
        sizes, variances = (size,), (size**2 / (size - 1) * squares,)
    influence = partial(no_influence, *sizes) if value == 1 else partial(_influence, scores, stratified)
    return UnseenUnits(
        value,
        sizes,
        variances,
        influence=influence,
        moments=moments,
        resample=resampled(scores, STEP),
        exact=partial(_exact, m, n, stratified) if value == 1 and n else None,
        unseen=_OnTop(scores, value),
    )


def _influence(scores: Scores, stratified: bool) -> tuple[Floats, ...]:
    terms = of_samples(scores, kernels.score_average_precision_influence)[1]
    return stratum_influences(terms, None, None, ~scores.truth if stratified else None)


def _moments(class_moments: Iterable[tuple[float, ...]], share: float) -> Moments | None:
    """The moments of the influence values of positives and negatives in one stratum; None where all are 0."""
    # A positive has the influence value n (R / T - value + S) / m and a negative -n Q / m: S sums a (1 - R / T) / T and
    # Q a (R / T) / T over its step and those below. The kernel's moments lack the factor n / m.
    parts = list(zip(*class_moments, strict=True))
    second, third, fourth = (sum(part) / share**power for power, part in enumerate(parts[:3], start=2))
    return Moments(0.0, second, third, fourth, min(parts[3]) / share, max(parts[4]) / share) if second > 0 else None


def _highest(scores: Scores) -> tuple[Marks, Floats]:
    """Marks and weights of the samples with the highest scores: `FIRST`, and all others with the last one's score."""
    if scores.weights is not None or scores.groups is not None:
        marks, weights = scores.ordered.marks, scores.ordered.weights
        end = FIRST + int(np.argmax(marks[FIRST - 1 :] >= 2)) if len(marks) > FIRST else len(marks)
        return marks[:end], np.ones(end) if weights is None else weights[:end]
    marks = scores.highest(FIRST)
    return marks, np.ones(len(marks))


class _OnTop:
    """The value with more negatives above all samples, and with a sixth as many more positives."""

    # A negative there costs about log(m) / m with m positives, and a law with a few in a hundred often shows none.
    # Below the first samples, of total t, each positive is taken to change by as much as it can: log((t + m) / t) / m a
    # unit.

    def __init__(self, scores: Scores, value: float) -> None:
        self.scores, self.value = scores, value

    @cached_property
    def _first(self) -> tuple[Marks, Floats, float, float, float]:
        """The first samples after a place for one above them, the change below, and the sum over positives."""
        marks, weights = _highest(self.scores)
        total = _mass(self.scores, positive=True)[0]
        change_below = math.log1p((total - float(product(weights, marks & 1))) / float(weights.sum()))
        slot = np.zeros(1, dtype=np.uint8)
        return (
            np.concatenate((slot, marks)),
            np.concatenate((slot, weights)),
            total,
            change_below,
            _sum_of_precisions(marks, weights),
        )

    def __call__(self, units: float) -> tuple[float, float]:
        marks, weights, total, change_below, current = self._first
        sums = []
        for first, mass in (
            (NEGATIVE, units * _mass(self.scores, positive=False)[1]),
            (POSITIVE, OF_POSITIVES * units * _mass(self.scores, positive=True)[1]),
        ):
            new_marks, new_weights = marks.copy(), weights.copy()
            new_marks[0], new_weights[0] = first, mass
            sums.append((mass, _sum_of_precisions(new_marks, new_weights)))
        (negative, lower), (positive, higher) = sums
        lost, gained = current - lower + negative * change_below, higher - current + positive * change_below
        return self.value - lost / total, min((self.value * total + gained) / (total + positive), 1.0)


def _sum_of_precisions(marks: Marks, weights: Floats) -> float:
    """The sum of the precisions at positives."""
    mean = score_metric_of_masses(STEP, marks, weights)
    return 0.0 if math.isnan(mean) else mean * float(product(weights, marks & 1))


def _mass(scores: Scores, *, positive: bool) -> tuple[float, float]:
    """The total weight of a class, and the mean weight of its samples with the highest scores."""
    if scores.weights is None:
        return float(scores.sizes[0 if positive else 1]), 1.0
    marks, weights = scores.ordered.marks, scores.mass[scores.ranked[0]]
    in_class = (marks & 1) == positive
    indices = np.flatnonzero(in_class)
    if not len(indices):
        return 0.0, 1.0
    end = len(marks)
    if len(indices) > WEIGHED:
        last = indices[WEIGHED - 1]
        end = last + int(np.argmax(marks[last:] >= 2)) + 1
    return float(weights[in_class].sum()), float(weights[:end][in_class[:end]].mean())


def _exact(m: int, n: int, stratified: bool, tail: float) -> tuple[float, float]:
    """Limits where every positive lies above every negative."""
    # k = min(m, n) pairs that share no sample came out alike, so with probability `tail` at most the probability d that
    # a negative scores at least as high as a positive exceeds 1 - tail^(1/k). Of all curves with that d the one whose
    # negatives above recall t have (1 - pi) f(t) = sqrt(c t) - pi t has the least area; it grows with the prevalence
    # pi.
    from scipy.special import betaincinv

    tail_of_part = tail if stratified else tail / 2
    share = m / (m + n) if stratified else float(betaincinv(m, n + 1, tail_of_part))
    wrong = (1 - share) * -math.expm1(math.log(tail_of_part) / min(m, n))
    reach = math.sqrt(6 * wrong / share)
    if reach <= 1:
        return 1 - reach / 3, 1.0
    return share * 2 / 3 / (1.5 * (wrong + share / 2)), 1.0
