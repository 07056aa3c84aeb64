"""What each sample adds to an interpolated area under the precision-recall curve, to first order."""

import numpy as np
from numpy.typing import NDArray

from certus.kernels import ScoreMetric, score_metric_of_masses
from certus.metrics.classification._ordered import Floats, Kernel
from certus.metrics.classification._thresholds import highest_precision
from certus.metrics.classification._walked import Walked

__all__ = ["curved", "eleven_points", "trapezoid"]

Marks = NDArray[np.uint8]
SMALL = 0.1
"""Where the samples of a step are fewer than this part of those above it, integrals are taken by quadrature."""


def trapezoid(marks: Marks, weights: Floats) -> tuple[float, Floats]:
    """Of the area under straight lines."""
    value = float(score_metric_of_masses(ScoreMetric.trapezoid_precision(), marks, weights))
    walked = Walked(marks, weights)
    a, samples = walked.a, walked.above + walked.passed
    precision = walked.above / samples
    before = np.concatenate([[1.0], precision[:-1]])
    counts = (a + np.concatenate([a[1:], [0.0]])) / 2 / samples
    by_positive = _from_here(counts * (1 - precision)) + (before + precision) / 2 - value
    by_negative = _from_here(-counts * precision)
    return value, walked.terms(by_positive / walked.positives, by_negative / walked.positives)


def curved(marks: Marks, weights: Floats) -> tuple[float, Floats]:
    """Of the area under the curve of evenly mixed samples.

    A step adds the integral over x from 0 to 1 of ``a (r + x a) / (t + x (a + b))``, with r positives and t samples
    above it.
    """
    value = float(score_metric_of_masses(ScoreMetric.curved_precision(), marks, weights))
    walked = Walked(marks, weights)
    a, b = walked.a, walked.b
    r, t = walked.above - a, walked.above + walked.passed - a - b
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
    return value, walked.terms(by_positive / walked.positives, by_negative / walked.positives)


def _integrals(s: Floats, t: Floats) -> tuple[list[Floats], list[Floats]]:
    """Of ``x^k / (t + x s)`` for k up to 1, and of ``x^k / (t + x s)^2`` for k up to 2, x going from 0 to 1."""
    t = np.where(t > 0, t, 1.0)
    u = s / t
    few = u < SMALL
    big = np.where(few, 1.0, u)
    log, end = np.log1p(big), 1 + big
    first = [log / big, (1 - log / big) / big]
    second = [1 / end, (log - big / end) / big**2, (big - 2 * log + big / end) / big**3]
    # Where u is small the differences would cancel; the integrands are then so smooth that ten points are exact.
    places, parts = np.polynomial.legendre.leggauss(10)
    places, parts = (places + 1) / 2, parts / 2
    for x, part in zip(places, parts, strict=True):
        below = 1 + x * u[few]
        for k, integral in enumerate(first):
            integral[few] = (0.0 if x == places[0] else integral[few]) + part * x**k / below
        for k, integral in enumerate(second):
            integral[few] = (0.0 if x == places[0] else integral[few]) + part * x**k / below**2
    return [integral / t for integral in first], [integral / t**2 for integral in second]


def eleven_points(units: int) -> Kernel:
    """Of the mean of the highest precisions at eleven levels of recall."""

    def kernel(marks: Marks, weights: Floats) -> tuple[float, Floats]:
        value = float(score_metric_of_masses(ScoreMetric.eleven_point_precision(), marks, weights))
        walked = Walked(marks, weights)
        recall = np.where(walked.above < walked.positives, np.floor(10 * walked.above / walked.positives), 10)
        terms = sum(highest_precision(walked, recall >= level, units) for level in range(11))
        return value, np.asarray(terms) / 11

    return kernel


def _from_here(values: Floats) -> Floats:
    """The sum of each value and all behind it."""
    return np.cumsum(values[::-1])[::-1]
