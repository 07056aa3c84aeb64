"""Values at the threshold where recall or precision is reached, as an interval takes them: one threshold after another.

Weights have ``sum(w)^2 / sum(w^2)`` effective samples: of a class above the threshold, or of the whole class if that
makes fewer of them.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.data import Scores
from certus.metrics.classification._ordered import ThresholdSteps
from certus.statistic import Influence
from certus.statistic.influence import AtCrossing, Crossing, extended


def with_crossing(
    scores: Scores, influence: Influence, share: float, crossing_at: Callable[[Scores, float], Crossing]
) -> Influence:
    """The value with what each threshold would give, where samples are what is independent.

    Its limits then hold for few samples too, unless their weights differ. Any threshold has a share of 0.
    """
    if influence.reason or scores.groups is not None or share == 0:
        return influence
    has_equal_weights = scores.weights is None or scores.weights.min() == scores.weights.max()
    caution = None if has_equal_weights else influence.caution
    return extended(influence, AtCrossing, crossing=partial(crossing_at, scores, share), caution=caution)


class _Steps(NamedTuple):
    """Threshold steps of the weights, their squares and the sample counts."""

    weights: ThresholdSteps
    squares: ThresholdSteps
    samples: ThresholdSteps


def _steps(scores: Scores) -> _Steps:
    order, marks = scores.ranked
    samples = ThresholdSteps(marks, np.ones(len(marks)))
    if scores.weights is None:
        return _Steps(samples, samples, samples)
    weights = scores.weights[order]
    return _Steps(ThresholdSteps(marks, weights), ThresholdSteps(marks, weights**2), samples)


def _weight_of_sample(squares: Floats, weights: Floats) -> Floats:
    """The weight that stands for one sample, ``sum(w^2) / sum(w)``: of those passed, or of all if that is more.

    The sums run on to those of all.
    """
    overall = float(squares[-1] / weights[-1]) if weights[-1] > 0 else 1.0
    return np.maximum(squares / np.where(weights > 0, weights, 1.0), overall)


def recall_crossing(scores: Scores, recall: float) -> Crossing:
    """Crossing of the highest precision with at least a recall, which is the share that is reached.

    At its threshold the recall is known; so the negatives above it stand against all positives. Where the precision is
    highest farther down, or samples are tied, the recall there is known less well, down to the positives above alone.
    """
    steps, squares, samples = _steps(scores)
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
    """Crossing of the highest recall with at least a precision, the share that is reached on the way up the scores.

    At its threshold the precision is known; so the positives below it stand against all samples above. Where tied
    samples make the precision jump, it is known less well, down to the positives above alone.
    """
    steps, squares, samples = _steps(scores)
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
