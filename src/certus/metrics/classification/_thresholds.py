"""Contributions of samples to a metric at a threshold that the data choose, to first order.

The threshold moves when samples come or go: to where as many are above it as wanted, or to where a rate is reached
again. What it then passes has the share of positives among samples near the threshold, `ThresholdSteps.local_share`.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.kernels import ScoreMetric, score_metric_of_masses
from certus.data import Scores
from certus.metrics.classification.score_forms import Marks, ThresholdSteps, linear, resampled
from certus.statistic import Influence
from certus.statistic.common import plural, sum_by_code
from certus.statistic.influence import AtCrossing, Crossing, Maximum, extended

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
    """Warn if a class has few samples, or samples have groups, where the data choose the threshold."""
    groups = scores.groups
    rarer, unit = (
        (math.floor(min(effective(scores)) + 1e-9), "sample")
        if groups is None
        else (min(len(np.unique(groups[in_class])) for in_class in (scores.truth, ~scores.truth)), "group")
    )
    if rarer < minimum:
        return f"the interval may be too short: only {plural(rarer, unit)} of the rarer class"
    return (
        "the interval may be too short: each step of the threshold moves whole groups of samples"
        if warn_of_groups and scores.groups is not None
        else ""
    )


def effective(scores: Scores) -> tuple[float, float]:
    """Effective number of samples, or groups, in each class: Kish's ``sum(w)^2 / sum(w^2)``."""
    weights = scores.mass
    sizes = []
    for in_class in (scores.truth, ~scores.truth):
        masses = weights[in_class] if scores.groups is None else sum_by_code(scores.groups[in_class], weights[in_class])
        shares = masses / masses.max()
        sizes.append(float(shares.sum()) ** 2 / float((shares**2).sum()))
    return sizes[0], sizes[1]


def distance_caution(scores: Scores, *, either_side: bool) -> str:
    """Warn if few samples of a class are on the wrong side of the threshold with the largest distance."""
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
        size = plural(math.floor(min(sizes) + 1e-9), "sample")
        return f"the interval may be too short: only {size} of the rarer class"
    tpr, fpr = rates
    wrong = (1 - tpr, fpr) if tpr - fpr > 0 else (tpr, 1 - fpr)
    error = math.sqrt(sum(share * (1 - share) / size for share, size in zip(wrong, sizes, strict=True)))
    if all(MIN_WRONG / size - share <= 2 * error for share, size in zip(wrong, sizes, strict=True)):
        return ""
    return f"the interval may be too short: fewer than {MIN_WRONG} samples of a class beyond the best threshold"


def partial_area_caution(scores: Scores, widths: Rates, error: float) -> str:
    """Warn if few samples of a class are far among the other class, for a part of an area."""
    # If fewer than 4 samples lose over half of the other class's part, more of them could move the value by 2 errors.
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
    return f"the interval may be too short: fewer than {MIN_WRONG} samples of a class lie deep among the other class"


def recall_caution(scores: Scores, precision: float) -> str:
    """Warn if few samples are above the threshold of recall at a precision: the first are precise by luck."""
    steps = ThresholdSteps.from_scores(scores, 0)
    retrieved = steps.true_positives + steps.false_positives
    good = retrieved[steps.true_positives / retrieved >= precision]
    if not len(good) or good[-1] >= MIN_SAMPLES:
        return class_size_caution(scores)
    return f"the interval may be too short: only {plural(int(good[-1]), 'sample')} above the threshold"


def depth_caution(scores: Scores, depth: float) -> str:
    """The reason why a share of positives above a depth may be far off: there are few of them, or few below it."""
    steps, unweighted = ThresholdSteps.from_scores(scores), ThresholdSteps.from_scores(scores, 0)
    samples = steps.true_positives + steps.false_positives
    true_positives = float(np.interp(depth, [0.0, *samples], [0.0, *unweighted.true_positives]))
    missed = float(unweighted.true_positives[-1]) - true_positives
    if min(true_positives, missed) >= MIN_WRONG:
        return ""
    side = "above" if true_positives <= missed else "below"
    return f"the interval may be too short: fewer than {MIN_WRONG} positives {side} the threshold"


def _order_caution(scores: Scores, steps: ThresholdSteps, depth: float, units: int) -> str:
    """Warn if lift is taken in a nearly perfect order, at a depth near the number of positives."""
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
    return f"the interval may be too short: fewer than {MIN_MISPLACED} samples on the wrong side of the threshold"


def precision_caution(scores: Scores, recall: float | None = None) -> str:
    """Warn if few negatives are above the threshold: they tell how fast precision falls as it moves."""
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
    return f"the interval may be too short: fewer than {MIN_WRONG} negatives above the threshold"


def lift_caution(scores: Scores, depth: float, units: int) -> str:
    """Warn if the depth is near the edge of a group of ties, beyond which the value changes along another line."""
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
    return "the interval may be too short: the depth is near the edge of a group of tied scores"


Parts = Iterable[tuple[Floats, Floats]]
"""The positives and the negatives above each threshold, part by part."""
RIVAL = 1.0
"""Standard errors of the difference within which another threshold may be the best one."""
BLOCK = 1 << 18
RESAMPLED = 11
"""Bytes that a sample takes where samples are resampled."""


class _Threshold(NamedTuple):
    """A threshold: the positives and the negatives above it."""

    true_positives: float
    false_positives: float


def distance(either_side: bool, rival: Rates | None, marks: Marks, weights: Floats) -> tuple[float, Floats]:
    """The largest distance of the ROC curve from its diagonal, and its contributions, or the rival threshold's."""
    value = float(score_metric_of_masses(ScoreMetric.ks(either_side), marks, weights))
    steps = ThresholdSteps(marks, weights)
    parts, masses = [(steps.true_positives, steps.false_positives)], (steps.positives, steps.negatives)
    best, sign, _ = _best(parts, masses, either_side)
    if rival is not None:
        best = _rival(parts, masses, best, sign, rival)
    inside = (steps.true_positives <= best.true_positives) & (steps.false_positives <= best.false_positives)
    by_class = [np.asarray(sign * (inside - count / mass) / mass) for count, mass in zip(best, masses, strict=True)]
    return value, steps.terms(by_class[0], -by_class[1])


def _best(parts: Parts, masses: Rates, either_side: bool) -> tuple[_Threshold, float, float]:
    """The threshold of the largest distance, the sign of that (0 for none above the diagonal), and the distance."""
    best, largest, gap_at, greatest = _Threshold(0.0, 0.0), -math.inf, 0.0, 0.0
    for true_positives, false_positives in parts:
        gap = true_positives / masses[0] - false_positives / masses[1]
        distances = np.abs(gap) if either_side else gap
        index = int(np.argmax(distances))
        if distances[index] > largest:
            best = _Threshold(float(true_positives[index]), float(false_positives[index]))
            largest, gap_at = float(distances[index]), float(gap[index])
        products = true_positives * masses[1] - false_positives * masses[0]  # whole numbers without weights
        greatest = max(greatest, float((np.abs(products) if either_side else products).max()))
    return best, float(np.sign(gap_at)) if either_side else float(gap_at > 0), greatest / (masses[0] * masses[1])


def _rival(parts: Parts, masses: Rates, best: _Threshold, sign: float, sizes: Rates) -> _Threshold:
    """The threshold whose distance varies most, of those within a standard error of the largest distance."""
    rates = best.true_positives / masses[0], best.false_positives / masses[1]
    largest = sign * (rates[0] - rates[1])
    rival, highest = best, -math.inf
    for true_positives, false_positives in parts:
        shares = true_positives / masses[0], false_positives / masses[1]
        gaps = np.abs(shares[0] - rates[0]), np.abs(shares[1] - rates[1])
        near = largest - sign * (shares[0] - shares[1]) <= RIVAL * np.sqrt(np.maximum(_variance(gaps, sizes), 0.0))
        variances = np.where(near, _variance(shares, sizes), -1.0)
        index = int(np.argmax(variances))
        if variances[index] > highest:
            rival = _Threshold(float(true_positives[index]), float(false_positives[index]))
            highest = float(variances[index])
    return rival


def _variance(shares: tuple[Floats, Floats], sizes: Rates) -> Floats:
    """The variance of the difference between two independent shares."""
    return np.asarray(sum(share * (1 - share) / size for share, size in zip(shares, sizes, strict=True)))


def largest_distance(scores: Scores, *, either_side: bool) -> Influence:
    """The largest distance of samples without weights and groups, whose influence follows from four counts."""
    masses = float(scores.sizes[0]), float(scores.sizes[1])
    best, sign, value = _best(_blocks(scores), masses, either_side)
    maximum = _maximum(scores, either_side, value, sign, best)
    return replace(maximum, rival=partial(_rival_of, scores, either_side, value, sign, best))


def _maximum(
    scores: Scores, either_side: bool, value: float, sign: float, threshold: _Threshold, rival: Rates | None = None
) -> Maximum:
    """The form with the influence values of a threshold."""
    sizes = scores.sizes
    shares = threshold.true_positives / sizes[0], threshold.false_positives / sizes[1]
    return Maximum(
        value,
        sizes,
        tuple(
            k / (k - 1) * sign**2 * share * (1 - share) if k > 1 else math.nan
            for k, share in zip(sizes, shares, strict=True)
        ),
        influence=partial(_influence, scores, either_side, rival),
        resample=partial(_resample, scores, either_side),
        samples=len(scores),
        tails=partial(_tails, threshold, sizes, sign),
        caution=partial(rates_caution, shares, sizes),
    )


def _rival_of(scores: Scores, either_side: bool, value: float, sign: float, best: _Threshold) -> Influence:
    """The form with the influence values of another threshold, whose distance may be the largest as well."""
    masses = float(scores.sizes[0]), float(scores.sizes[1])
    rival = _rival(_blocks(scores), masses, best, sign, masses)
    return _maximum(scores, either_side, value, sign, rival, masses)


def _influence(scores: Scores, either_side: bool, rival: Rates | None) -> tuple[Floats, ...]:
    """The influence values of all samples."""
    kernel = partial(distance, either_side, rival)
    influence = linear(scores, kernel, ScoreMetric.ks(either_side), stratified=True).influence
    return () if influence is None else influence()


def _resample(scores: Scores, either_side: bool, replicates: int, seed: int, stratified: bool) -> Floats:
    scores.need(RESAMPLED)
    return resampled(scores, ScoreMetric.ks(either_side))(replicates, seed, stratified)


def _tails(threshold: _Threshold, sizes: tuple[int, int], sign: float) -> list[tuple[float, float]]:
    """Second and fourth power sums of the influence values, for each class."""
    sums = []
    for inside, size in zip(threshold, sizes, strict=True):
        share, outside = inside / size, size - inside
        powers = [abs(sign) * (inside * (1 - share) ** power + outside * share**power) for power in (2, 4)]
        sums.append((powers[0], powers[1]))
    return sums


def _blocks(scores: Scores) -> Iterator[tuple[Floats, Floats]]:
    """The positives and the negatives above each threshold, part by part, from a byte a sample."""
    marks, positives_before = scores.ordered.marks, 0
    for start in range(0, len(marks), BLOCK):
        block = np.asarray(marks[start : start + BLOCK])
        positives = positives_before + np.cumsum(block & 1, dtype=np.int64)
        positives_before = int(positives[-1])
        group_ends = np.flatnonzero(block & 2)
        if len(group_ends):
            true_positives = positives[group_ends]
            yield true_positives.astype(np.float64), (start + 1 + group_ends - true_positives).astype(np.float64)


def at_depth(
    metric: ScoreMetric, depth: float | None, units: int, marks: Marks, weights: Floats
) -> tuple[float, Floats]:
    """Recall at a depth, or without one at as many samples as there are positives; and its contributions."""
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
    """Distance that a threshold moves, see `ThresholdSteps.local_share`: binomial at a fixed depth."""
    if depth is not None:
        return math.sqrt(depth * (1 - depth))
    wrong = steps.positives - float(steps.true_positives[step]) + float(steps.false_positives[step])
    return math.sqrt(wrong / (steps.positives + steps.negatives))


def best_precision(
    metric: ScoreMetric, recall: float, units: int, marks: Marks, weights: Floats
) -> tuple[float, Floats]:
    """Highest precision with at least a recall, and its contributions."""
    value = float(score_metric_of_masses(metric, marks, weights))
    steps = ThresholdSteps(marks, weights)
    return value, highest_precision(steps, steps.true_positives / steps.positives >= recall, units)


def highest_precision(steps: ThresholdSteps, allowed: NDArray[np.bool_], units: int) -> Floats:
    """Influence values of the highest precision of the allowed steps, recall being bounded below."""
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


def best_recall(
    metric: ScoreMetric, precision: float, units: int, marks: Marks, weights: Floats
) -> tuple[float, Floats]:
    """Highest recall with at least a precision, and its contributions."""
    # The threshold lies where G = (1 - precision) R - precision V last is 0: what comes above it with G moves it on
    # until the samples passed, of which too few are positive, make up for it.
    value = float(score_metric_of_masses(metric, marks, weights))
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


def part_of_area(
    metric: ScoreMetric, max_fpr: float | None, min_tpr: float | None, marks: Marks, weights: Floats
) -> tuple[float, Floats]:
    """The area up to a false positive rate, or from a true positive rate on; and its contributions."""
    value = float(score_metric_of_masses(metric, marks, weights))
    steps = ThresholdSteps(marks, weights)
    if max_fpr is not None:
        of_positive, of_negative = _derivatives(steps, value, max_fpr)
    else:
        # To the right of the curve: with the classes exchanged and the steps reversed it is the area up to a rate.
        turned = ThresholdSteps.from_masses(steps.b[::-1], steps.a[::-1])
        of_negative, of_positive = (d[::-1] for d in _derivatives(turned, value, 1 - (min_tpr or 0.0)))
    return value, steps.terms(of_positive, of_negative)


def _derivatives(steps: ThresholdSteps, value: float, limit: float) -> tuple[Floats, Floats]:
    """Derivatives by each step's weights of ``W / (limit N M)``, W the area over the first ``limit N`` negatives."""
    a, b, passed = steps.a, steps.b, steps.false_positives
    high, starts = steps.true_positives - a, steps.false_positives - b
    full = limit * steps.negatives
    width = np.clip(full - starts, 0.0, b)
    share = np.divide(width, b, out=np.zeros_like(b), where=b > 0)
    # The step in which L lies, and how many positives are above there.
    edge_step = min(int(np.searchsorted(passed, full)), len(passed) - 1)
    edge = float(high[edge_step] + a[edge_step] * share[edge_step])
    # A positive is counted by all negatives behind it, and by half of those in its own step that come first.
    of_positive = np.clip(full - passed, 0.0, None) + width * share / 2
    # A negative adds what is above it and drives as much out at L; where its step is not whole, it drives out less.
    of_negative = np.where(starts < full, share * (high + a / 2 * share - edge), 0.0)
    complete = (passed <= full) & (b == 0)
    of_negative[complete] = (high + a / 2 - edge)[complete]
    of_negative[edge_step] = -a[edge_step] * share[edge_step] ** 2 / 2 if b[edge_step] > 0 else of_negative[edge_step]
    of_negative += limit * edge
    scale = full * steps.positives
    return of_positive / scale - value / steps.positives, of_negative / scale - value / steps.negatives


def with_crossing(
    scores: Scores, influence: Influence, share: float, crossing_at: Callable[[Scores, float], Crossing]
) -> Influence:
    """The value with what each threshold would give, for limits that hold for few samples if these are the units."""
    if influence.reason or scores.groups is not None or share == 0:
        return influence
    has_equal_weights = scores.weights is None or scores.weights.min() == scores.weights.max()
    caution = None if has_equal_weights else influence.caution
    return extended(influence, AtCrossing, crossing=partial(crossing_at, scores, share), caution=caution)


def _weight_of_sample(squares: Floats, weights: Floats) -> Floats:
    """The weight that stands for one sample, ``sum(w^2) / sum(w)``: of those passed, or of all if that is more."""
    overall = float(squares[-1] / weights[-1]) if weights[-1] > 0 else 1.0
    return np.maximum(squares / np.where(weights > 0, weights, 1.0), overall)


def recall_crossing(scores: Scores, recall: float) -> Crossing:
    """Crossing of the highest precision with at least a recall: negatives above stand against all positives."""
    steps, squares, samples = (ThresholdSteps.from_scores(scores, power) for power in (1, 2, 0))
    true_positives, false_positives, m = steps.true_positives, steps.false_positives, steps.positives
    precision = true_positives / (true_positives + false_positives)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    indices = np.where(precision >= best, np.arange(len(best)), len(best))
    best_index = np.minimum.accumulate(indices[::-1])[::-1]
    behind = _weight_of_sample(np.cumsum(squares.a[::-1]), np.cumsum(steps.a[::-1]))[::-1]
    weight_below = np.append(behind[1:], behind[-1])
    positive = (1 - recall) * _weight_of_sample(squares.true_positives, true_positives) + recall * weight_below
    negative = _weight_of_sample(squares.false_positives, false_positives)[best_index]
    trials, further = m / positive, (true_positives[best_index] - true_positives) / m
    tied = steps.a * (1 - 1 / np.maximum(samples.a, 1)) / m
    reached = np.minimum(recall + np.minimum(np.maximum(true_positives / m - recall, 0.0), tied) + further, 1.0)
    variance_bound = (
        further * np.maximum(1 - recall - further, 0.0) / (trials * np.maximum(1 - recall, 1 / trials)) + tied**2
    )
    doubt = np.minimum(reached * (1 - reached) / trials, variance_bound)
    right = 1 / (1 / trials + doubt / reached**2)
    return Crossing(
        recall,
        true_positives / positive,
        trials,
        (true_positives - steps.a) / positive,
        trials,
        false_positives[best_index] / negative,
        right,
        negative * right / (m * reached),
    )


def precision_crossing(scores: Scores, precision: float) -> Crossing:
    """Crossing of the highest recall with at least a precision: positives below stand against all above."""
    steps, squares, samples = (ThresholdSteps.from_scores(scores, power) for power in (1, 2, 0))
    true_positives = np.append(steps.true_positives[::-1], 0.0)
    false_positives = np.append(steps.false_positives[::-1], 0.0)
    missed = np.append(0.0, np.cumsum(steps.a[::-1]))
    positive = _weight_of_sample(np.append(0.0, squares.true_positives), np.append(0.0, steps.true_positives))[::-1]
    negative = _weight_of_sample(np.append(0.0, squares.false_positives), np.append(0.0, steps.false_positives))[::-1]
    weight_below = _weight_of_sample(np.append(0.0, np.cumsum(squares.a[::-1])), missed)
    sample_weight = (1 - precision) * positive + precision * negative
    retrieved, hits = (true_positives + false_positives) / sample_weight, true_positives / sample_weight
    share = np.divide(
        true_positives,
        true_positives + false_positives,
        out=np.full(len(true_positives), precision),
        where=true_positives + false_positives > 0,
    )
    tied = np.append(1.0, 1 - 1 / (samples.a + samples.b)[::-1])
    jump = tied * np.maximum(share - np.append(0.0, share[:-1]), 0.0)
    reached = precision + np.minimum(np.maximum(share - precision, 0.0), jump)
    doubt = np.minimum(reached * (1 - reached), jump**2 * retrieved)
    right = retrieved / (1 + doubt / reached**2)
    before = np.append(0.0, hits[:-1]), np.append(0.0, retrieved[:-1])
    scale = weight_below / (sample_weight * reached * (1 + doubt / reached**2))
    return Crossing(precision, hits, retrieved, *before, missed / weight_below, right, scale)
