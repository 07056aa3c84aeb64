"""Reasons why an interval of a metric at a threshold that the data choose may not hold its level."""

import math

import numpy as np

from certus.data import Scores
from certus.metrics.classification._ordered import ThresholdSteps
from certus.statistic.common import plural, sum_by_code

Rates = tuple[float, float]
MIN_SAMPLES = 30
"""Of fewer samples, above a threshold or of a class, a rate at a threshold is hardly known."""
MIN_UNEVEN = 50
"""The same of weighted samples, by their effective number: a few of them decide where the distance is largest."""
MIN_MISPLACED = 10
"""Where lift bends, fewer samples on the wrong side of the threshold hardly tell how sharply."""
MIN_WRONG = 4
"""Fewer negatives above a threshold hardly tell how fast the precision falls beyond it."""


def class_size_caution(scores: Scores, *, warn_of_groups: bool = True, minimum: int = MIN_SAMPLES) -> str:
    """The reason why a value at a threshold that the data choose may be far off: few samples of a class, or groups.

    With groups a threshold that moves to keep a rate passes whole groups at a time. Weighted samples count by their
    effective number. For the coverage of each setting see docs/coverage-hunt.md.
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
    value farther than the standard error.
    """
    steps = ThresholdSteps.from_scores(scores)
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
    loses 3/4 of it, could move the value farther than 2 standard errors.
    """
    caution = class_size_caution(scores, warn_of_groups=False)
    if caution:
        return caution
    steps = ThresholdSteps.from_scores(scores)
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

    The first of a ranking are precise enough by luck alone, so that the recall is too high.
    """
    steps = ThresholdSteps.from_scores(scores, 0)
    retrieved = steps.true_positives + steps.false_positives
    good = retrieved[steps.true_positives / retrieved >= precision]
    if not len(good) or good[-1] >= MIN_SAMPLES:
        return class_size_caution(scores)
    return f"may cover less than its level: {plural(int(good[-1]), 'sample')} above the threshold"


def depth_caution(scores: Scores, depth: float) -> str:
    """The reason why a share of positives above a depth may be far off: there are few of them, or few below it."""
    steps, unweighted = ThresholdSteps.from_scores(scores), ThresholdSteps.from_scores(scores, 0)
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
    share is random.
    """
    samples = steps.true_positives + steps.false_positives
    total = float(samples[-1])
    if abs(steps.positives / total - depth) > 2 * math.sqrt(depth * (1 - depth) / units):
        return ""
    unweighted = ThresholdSteps.from_scores(scores, 0)
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

    They alone tell how fast the precision falls as the threshold moves.
    """
    steps, unweighted = ThresholdSteps.from_scores(scores), ThresholdSteps.from_scores(scores, 0)
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
    steps = ThresholdSteps.from_scores(scores)
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
