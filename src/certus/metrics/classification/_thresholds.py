"""Contributions of samples to a metric at a threshold that the data choose, to first order.

The threshold moves when samples come or go: to where as many are above it as wanted, or to where a rate is reached
again. What it then passes has the share of positives among samples near the threshold, `ThresholdSteps.local_share`.
"""

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.data import Scores
from certus.kernels import ScoreMetric, score_metric_of_masses
from certus.metrics.classification._ordered import Kernel, ThresholdSteps
from certus.statistic.common import plural, sum_by_code

Marks = NDArray[np.uint8]
Rates = tuple[float, float]
RIVAL = 1.0

MIN_SAMPLES = 30
"""Of fewer samples, above a threshold or of a class, a rate at a threshold is hardly known."""


MIN_UNEVEN = 50
"""The same of weighted samples, by their effective number: a few of them decide where the distance is largest."""


MIN_MISPLACED = 10
"""Where lift bends, fewer samples on the wrong side of the threshold hardly tell how sharply."""


MIN_WRONG = 4
"""Fewer negatives above a threshold hardly tell how fast the precision falls beyond it."""


def distance(*, either_side: bool, rival: Rates | None = None) -> Kernel:
    """Kernel of the largest distance of the ROC curve from its diagonal.

    Where it is largest its slope is 0, so that a move of the threshold changes nothing. With the effective numbers of
    both classes as `rival` the terms are those of the threshold that may as well be the best one, see `_rival`.
    """
    return partial(_distance, either_side, rival)


def _distance(either_side: bool, rival: Rates | None, marks: Marks, weights: Floats) -> tuple[float, Floats]:
    value = float(score_metric_of_masses(ScoreMetric.ks(either_side), marks, weights))
    steps = ThresholdSteps(marks, weights)
    rates = steps.true_positives / steps.positives, steps.false_positives / steps.negatives
    gap = rates[0] - rates[1]
    best = int(np.argmax(np.abs(gap) if either_side else gap))
    sign = np.sign(gap[best]) if either_side else float(gap[best] > 0)
    if rival is not None:
        best = _rival(rates, sign * gap, best, rival)
    inside = np.arange(len(gap)) <= best
    return value, steps.terms(
        sign * (inside - rates[0][best]) / steps.positives, -sign * (inside - rates[1][best]) / steps.negatives
    )


def _rival(rates: tuple[Floats, Floats], gap: Floats, best: int, sizes: Rates) -> int:
    """The threshold whose distance varies most, of those whose distance may be the largest.

    It may be if it is within a standard error of the difference from the largest. Two thresholds that are far apart
    may have nearly the same distance, one of them with few samples on its wrong side, where it hardly varies.
    """
    gaps = np.abs(rates[0] - rates[0][best]), np.abs(rates[1] - rates[1][best])
    near = gap[best] - gap <= RIVAL * np.sqrt(np.maximum(variance(gaps, sizes), 0.0))
    return int(np.argmax(np.where(near, variance(rates, sizes), -1.0)))


def variance(shares: tuple[Floats, Floats], sizes: Rates) -> Floats:
    """The variance of the difference between two independent shares."""
    return np.asarray(sum(share * (1 - share) / size for share, size in zip(shares, sizes, strict=True)))


def at_depth(metric: ScoreMetric, depth: float | None, units: int) -> Kernel:
    """Kernel of the recall at a depth; without a depth, at as many samples as there are positives."""
    return partial(_at_depth, metric, depth, units)


def _at_depth(
    metric: ScoreMetric, depth: float | None, units: int, marks: Marks, weights: Floats
) -> tuple[float, Floats]:
    value = float(score_metric_of_masses(metric, marks, weights))
    steps = ThresholdSteps(marks, weights)
    samples = steps.true_positives + steps.false_positives
    wanted = steps.positives if depth is None else depth * float(samples[-1])
    step = min(int(np.searchsorted(samples, wanted)), len(samples) - 1)
    size = float(steps.a[step] + steps.b[step])
    part = min((wanted - (float(samples[step]) - size)) / size, 1.0)
    near = steps.local_share(step, units, _spread(steps, step, depth))
    share = float(steps.a[step]) / size if near is None else near
    inside = np.where(np.arange(len(samples)) < step, 1.0, 0.0)
    inside[step] = part
    # What comes above the depth drives out as much at it, of which `share` is positive.
    of_positive, of_negative = inside * (1 - share), -inside * share
    by_positive, by_sample = (1.0, 0.0) if depth is None else (0.0, depth)
    of_positive += share * (by_positive + by_sample) - value
    of_negative += share * by_sample
    return value, steps.terms(of_positive / steps.positives, of_negative / steps.positives)


def _spread(steps: ThresholdSteps, step: int, depth: float | None) -> float:
    """Distance that a threshold moves, see `ThresholdSteps.local_share`: missed positives lower it, others raise it.

    At a fixed depth the number of samples above the threshold is binomial.
    """
    if depth is not None:
        return math.sqrt(depth * (1 - depth))
    wrong = steps.positives - float(steps.true_positives[step]) + float(steps.false_positives[step])
    return math.sqrt(wrong / (steps.positives + steps.negatives))


def best_precision(recall: float, units: int) -> Kernel:
    """Kernel of the highest precision with at least a recall."""
    return partial(_best_precision, recall, units)


def _best_precision(recall: float, units: int, marks: Marks, weights: Floats) -> tuple[float, Floats]:
    value = float(score_metric_of_masses(ScoreMetric.precision_at_recall(recall), marks, weights))
    steps = ThresholdSteps(marks, weights)
    return value, highest_precision(steps, steps.true_positives / steps.positives >= recall, units)


def highest_precision(steps: ThresholdSteps, allowed: NDArray[np.bool_], units: int) -> Floats:
    """Influence values of the highest precision of the allowed steps, recall being bounded below.

    Positives that come above the threshold let it rise, and those that come below make it fall, to keep the recall.
    """
    precision = steps.true_positives / (steps.true_positives + steps.false_positives)
    best = int(np.argmax(np.where(allowed, precision, -1.0)))
    p, r = float(precision[best]), float(steps.true_positives[best])
    inside = (np.arange(len(precision)) <= best).astype(np.float64)
    share = steps.local_share(best, units)
    # Per positive passed by the threshold the numerator of the precision's change grows by (1 - p) - p q, q negatives
    # coming with it. Where precision is highest within the allowed range this is 0.
    turn = 0.0 if share is None or share == 0 else (1 - p) - p * (1 - share) / share
    missing = inside - r / steps.positives
    samples = r + float(steps.false_positives[best])
    return steps.terms(((1 - p) * inside - min(turn, 0.0) * missing) / samples, -p * inside / samples)


def best_recall(precision: float, units: int) -> Kernel:
    """Kernel of the highest recall with at least a precision.

    The threshold lies where ``G = (1 - precision) R - precision V`` last is 0, R positives and V negatives being above
    it: what comes above it with G moves it on until the samples passed, of which too few are positive, make up for it.
    """
    return partial(_best_recall, precision, units)


def _best_recall(precision: float, units: int, marks: Marks, weights: Floats) -> tuple[float, Floats]:
    value = float(score_metric_of_masses(ScoreMetric.recall_at_precision(precision), marks, weights))
    steps = ThresholdSteps(marks, weights)
    good = np.flatnonzero(steps.true_positives / (steps.true_positives + steps.false_positives) >= precision)
    if not len(good) or good[-1] == len(steps.a) - 1:
        # No threshold has the precision, or each has it.
        zeros = np.zeros(len(steps.a))
        return value, steps.terms(zeros, zeros)
    step = int(good[-1])
    inside = (np.arange(len(steps.a)) <= step).astype(np.float64)
    share = steps.local_share(step, units)
    rate = 0.0 if share is None or share >= precision else share / (precision - share)
    return value, steps.terms(
        (inside * (1 + rate * (1 - precision)) - value) / steps.positives,
        -inside * rate * precision / steps.positives,
    )


def class_size_caution(scores: Scores, *, warn_of_groups: bool = True, minimum: int = MIN_SAMPLES) -> str:
    """The reason why a value at a threshold that the data choose may be far off: few samples of a class, or groups.

    In the hunt (docs/coverage-hunt.md) KS covered .72 with 19 positives and precision at a recall .39 with 13, KS .89
    with 34 in some 22 of 55 groups. With groups a threshold that moves to keep a rate passes whole groups at a
    time: lift covered .82 in 73 of them. Weighted samples count by their effective number.
    """
    groups = scores.groups
    rarer, unit = (
        (math.floor(min(effective(scores)) + 1e-9), "sample")
        if groups is None
        else (min(len(np.unique(groups[in_class])) for in_class in (scores.truth, ~scores.truth)), "group")
    )
    if rarer < minimum:
        return f"may cover less than its level: {plural(rarer, unit)} of the rarer class"
    return (
        "may cover less than its level: the threshold passes whole groups"
        if warn_of_groups and scores.groups is not None
        else ""
    )


def effective(scores: Scores) -> tuple[float, float]:
    """Effective number of samples, or groups, in each class: Kish's ``sum(w)^2 / sum(w^2)``."""
    weights = np.ones(len(scores)) if scores.weights is None else scores.weights
    sizes = []
    for in_class in (scores.truth, ~scores.truth):
        masses = weights[in_class] if scores.groups is None else sum_by_code(scores.groups[in_class], weights[in_class])
        shares = masses / masses.max()
        sizes.append(float(shares.sum()) ** 2 / float((shares**2).sum()))
    return sizes[0], sizes[1]


def distance_caution(scores: Scores, *, either_side: bool) -> str:
    """The reason why a largest distance may be far off: few samples of a class are on the wrong side of its threshold.

    Where they are fewer than 4 they hardly tell of the share of such samples: if that many more of them could move the
    value farther than the standard error. With .02 of 44 positives among the negatives, and others all above, KS
    covered .60. With uneven weights, and effectively 30 to 50 samples of a class, .89 to .94 in half of the settings.
    """
    order, marks = scores.ranked
    steps = ThresholdSteps(marks, np.ones(len(marks)) if scores.weights is None else scores.weights[order])
    tpr, fpr = steps.true_positives / steps.positives, steps.false_positives / steps.negatives
    gap = tpr - fpr
    best = int(np.argmax(np.abs(gap) if either_side else gap))
    uneven = scores.weights is not None and scores.groups is None
    caution = class_size_caution(scores, warn_of_groups=False, minimum=MIN_UNEVEN if uneven else MIN_SAMPLES)
    return caution or rates_caution((float(tpr[best]), float(fpr[best])), effective(scores))


def rates_caution(rates: Rates, sizes: Rates) -> str:
    """The caution of a largest distance, from the rates at its threshold and both effective sizes."""
    if math.floor(min(sizes) + 1e-9) < MIN_SAMPLES:
        return f"may cover less than its level: {plural(math.floor(min(sizes) + 1e-9), 'sample')} of the rarer class"
    tpr, fpr = rates
    wrong = (1 - tpr, fpr) if tpr - fpr > 0 else (tpr, 1 - fpr)
    error = math.sqrt(sum(share * (1 - share) / size for share, size in zip(wrong, sizes, strict=True)))
    if all(MIN_WRONG / size - share <= 2 * error for share, size in zip(wrong, sizes, strict=True)):
        return ""
    return f"may cover less than its level: fewer than {MIN_WRONG} samples of a class beyond the best threshold"


def partial_area_caution(scores: Scores, widths: Rates, error: float) -> str:
    """The reason why a part of an area may be far off: few samples of a class are far among the other class.

    `widths` are the parts of the positives and of the negatives that the area is over, one of which is 1; `error` is
    the standard error of the area as a share of the largest one. Where fewer than 4 samples lose more than half of the
    part of the other class, they hardly tell of the share of such samples: if that many more of them, of which each
    loses 3/4 of it, could move the value farther than 2 standard errors. With .01 of 45 positives among 3,000
    negatives, and others all above them, the area up to a false positive rate of .3 covered .74; from a true positive
    rate of .9 on, with .05 of 53, .86.
    """
    caution = class_size_caution(scores, warn_of_groups=False)
    if caution:
        return caution
    order, marks = scores.ranked
    steps = ThresholdSteps(marks, np.ones(len(marks)) if scores.weights is None else scores.weights[order])
    higher = (steps.false_positives - steps.b / 2) / steps.negatives
    lower = 1 - (steps.true_positives - steps.a / 2) / steps.positives
    far = (
        float(steps.a[higher > widths[1] / 2].sum()) / steps.positives,
        float(steps.b[lower > widths[0] / 2].sum()) / steps.negatives,
    )
    shortfall = max(
        (MIN_WRONG / n - share) / width for n, share, width in zip(effective(scores), far, widths, strict=True)
    )
    if 0.75 * shortfall <= 2 * error:
        return ""
    return f"may cover less than its level: fewer than {MIN_WRONG} samples of a class far among the other class"


def recall_caution(scores: Scores, precision: float) -> str:
    """The reason why recall at a precision may be far off: few samples are above its threshold.

    The first of a ranking are precise enough by luck alone, so that the recall is too high. In a setting of 120 samples
    in 15 groups whose precision is .7 for the first ones only, no interval covers.
    """
    _, marks = scores.ranked
    steps = ThresholdSteps(marks, np.ones(len(marks)))
    retrieved = steps.true_positives + steps.false_positives
    good = retrieved[steps.true_positives / retrieved >= precision]
    if not len(good) or good[-1] >= MIN_SAMPLES:
        return class_size_caution(scores)
    return f"may cover less than its level: {plural(int(good[-1]), 'sample')} above the threshold"


def depth_caution(scores: Scores, depth: float) -> str:
    """The reason why a share of positives above a depth may be far off: there are few of them, or few below it.

    Where .0002 of the positives are above the depth, lift covered .28 or was undefined, and said nothing of the rest;
    where all of them are above it in the population, .45.
    """
    order, marks = scores.ranked
    unweighted = ThresholdSteps(marks, np.ones(len(marks)))
    steps = unweighted if scores.weights is None else ThresholdSteps(marks, scores.weights[order])
    samples = steps.true_positives + steps.false_positives
    true_positives = float(np.interp(depth, [0.0, *samples], [0.0, *unweighted.true_positives]))
    missed = float(unweighted.true_positives[-1]) - true_positives
    if min(true_positives, missed) >= MIN_WRONG:
        return ""
    side = "above" if true_positives <= missed else "below"
    return f"may cover less than its level: fewer than {MIN_WRONG} positives {side} the threshold"


def _order_caution(scores: Scores, steps: ThresholdSteps, depth: float, units: int) -> str:
    """The reason why lift may be far off: a nearly perfect order, and about as many positives as samples looked at.

    Just below as many the lift of such an order falls with the share of positives, just above it hardly moves, and the
    share is random. Of 47 positives in 1,123 samples, .87 of them among the first 42, the limits covered .88; of 54 in
    535, .92 of them among the first 58, .92.
    """
    samples = steps.true_positives + steps.false_positives
    total = float(samples[-1])
    if abs(steps.positives / total - depth) > 2 * math.sqrt(depth * (1 - depth) / units):
        return ""
    unweighted = ThresholdSteps(scores.ranked[1], np.ones(len(scores)))
    depths = [0.0, *samples]
    true_positives, false_positives = (
        float(np.interp(depth * total, depths, [0.0, *counts]))
        for counts in (unweighted.true_positives, unweighted.false_positives)
    )
    if min(unweighted.positives - true_positives, false_positives) >= MIN_MISPLACED:
        return ""
    return f"may cover less than its level: fewer than {MIN_MISPLACED} samples on the wrong side of the threshold"


def precision_caution(scores: Scores, recall: float | None = None) -> str:
    """The reason why precision at a recall, or at the break-even point, may be far off: few negatives are above it.

    They alone tell how fast the precision falls as the threshold moves. With one or two, where the classes part as at a
    cliff, the break-even point of 63 positives covered .76, and precision at a recall of .55 of 179 positives .66.
    """
    order, marks = scores.ranked
    unweighted = ThresholdSteps(marks, np.ones(len(marks)))
    steps = unweighted if scores.weights is None else ThresholdSteps(marks, scores.weights[order])
    samples = steps.true_positives + steps.false_positives
    if recall is None:
        wrong = float(np.interp(steps.positives, [0.0, *samples], [0.0, *unweighted.false_positives]))
    else:
        allowed = steps.true_positives / steps.positives >= recall
        wrong = float(unweighted.false_positives[np.argmax(np.where(allowed, steps.true_positives / samples, -1.0))])
    if wrong >= MIN_WRONG:
        caution = class_size_caution(scores)
        return depth_caution(scores, steps.positives) if recall is None and not caution else caution
    return f"may cover less than its level: fewer than {MIN_WRONG} negatives above the threshold"


def lift_caution(scores: Scores, depth: float, units: int) -> str:
    """The reason why a value at a depth may be far off: another sample has the depth in another group of ties.

    Within a group of ties the value changes along one line, beyond its edge along another.
    """
    _, marks = scores.ranked
    steps = ThresholdSteps(marks, np.ones(len(marks)) if scores.weights is None else scores.weights[scores.ranked[0]])
    sizes = steps.a + steps.b
    group_ends = np.cumsum(sizes)
    near = float(group_ends[-1]) / math.sqrt(units)
    ties = np.flatnonzero(sizes > near)
    edges = np.concatenate([group_ends[ties], group_ends[ties] - sizes[ties]])
    inside = edges[(edges > 0) & (edges < group_ends[-1])]
    if not len(inside) or np.abs(inside - depth * float(group_ends[-1])).min() > near:
        return (
            class_size_caution(scores)
            or depth_caution(scores, depth * float(group_ends[-1]))
            or _order_caution(scores, steps, depth, units)
        )
    return "may cover less than its level: the depth is near the edge of a group of tied scores"
