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


def crossed(scores: Scores, found: Influence, share: float, of: Callable[[Scores, float], Crossing]) -> Influence:
    """The value with what each threshold would give, where samples are what is independent.

    Its limits then hold for few samples too, unless their weights differ. Any threshold has a share of 0.
    """
    if found.why or scores.groups is not None or share == 0:
        return found
    alike = scores.weights is None or scores.weights.min() == scores.weights.max()
    caution = None if alike else found.caution
    return extended(found, AtCrossing, crossing=partial(of, scores, share), caution=caution)


class _Steps(NamedTuple):
    """The steps of the weights, the same of their squares, and the samples of each step."""

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


def _one(squares: Floats, weights: Floats) -> Floats:
    """The weight that stands for one sample, ``sum(w^2) / sum(w)``: of those passed, or of all if that is more.

    The sums run on to those of all.
    """
    whole = float(squares[-1] / weights[-1]) if weights[-1] > 0 else 1.0
    return np.maximum(squares / np.where(weights > 0, weights, 1.0), whole)


def of_recall(scores: Scores, recall: float) -> Crossing:
    """Crossing of the highest precision with at least a recall, which is the share that is reached.

    At its threshold the recall is known; so the negatives above it stand against all positives. Where the precision is
    highest farther down, or samples are tied, the recall there is known less well, down to the positives above alone.
    """
    steps, squares, samples = _steps(scores)
    above, passed, m = steps.above, steps.passed, steps.positives
    precision = above / (above + passed)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    places = np.where(precision >= best, np.arange(len(best)), len(best))
    at = np.minimum.accumulate(places[::-1])[::-1]
    behind = _one(np.cumsum(squares.a[::-1]), np.cumsum(steps.a[::-1]))[::-1]
    below = np.append(behind[1:], behind[-1])
    positive = (1 - recall) * _one(squares.above, above) + recall * below
    negative = _one(squares.passed, passed)[at]
    trials, further = m / positive, (above[at] - above) / m
    tied = steps.a * (1 - 1 / np.maximum(samples.a, 1)) / m
    reached = np.minimum(recall + np.minimum(np.maximum(above / m - recall, 0.0), tied) + further, 1.0)
    known = further * np.maximum(1 - recall - further, 0.0) / (trials * np.maximum(1 - recall, 1 / trials)) + tied**2
    doubt = np.minimum(reached * (1 - reached) / trials, known)
    right = 1 / (1 / trials + doubt / reached**2)
    return Crossing(
        recall,
        above / positive,
        trials,
        (above - steps.a) / positive,
        trials,
        passed[at] / negative,
        right,
        negative * right / (m * reached),
    )


def of_precision(scores: Scores, precision: float) -> Crossing:
    """Crossing of the highest recall with at least a precision, the share that is reached on the way up the scores.

    At its threshold the precision is known; so the positives below it stand against all samples above. Where tied
    samples make the precision jump, it is known less well, down to the positives above alone.
    """
    steps, squares, samples = _steps(scores)
    above, passed = np.append(steps.above[::-1], 0.0), np.append(steps.passed[::-1], 0.0)
    missed = np.append(0.0, np.cumsum(steps.a[::-1]))
    positive = _one(np.append(0.0, squares.above), np.append(0.0, steps.above))[::-1]
    negative = _one(np.append(0.0, squares.passed), np.append(0.0, steps.passed))[::-1]
    below = _one(np.append(0.0, np.cumsum(squares.a[::-1])), missed)
    one = (1 - precision) * positive + precision * negative
    kept, of_them = (above + passed) / one, above / one
    share = np.divide(above, above + passed, out=np.full(len(above), precision), where=above + passed > 0)
    tied = np.append(1.0, 1 - 1 / (samples.a + samples.b)[::-1])
    jump = tied * np.maximum(share - np.append(0.0, share[:-1]), 0.0)
    reached = precision + np.minimum(np.maximum(share - precision, 0.0), jump)
    doubt = np.minimum(reached * (1 - reached), jump**2 * kept)
    right = kept / (1 + doubt / reached**2)
    before = np.append(0.0, of_them[:-1]), np.append(0.0, kept[:-1])
    scale = below / (one * reached * (1 + doubt / reached**2))
    return Crossing(precision, of_them, kept, *before, missed / below, right, scale)
