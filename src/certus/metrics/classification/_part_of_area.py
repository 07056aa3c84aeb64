"""A part of the area under the ROC curve, and how each sample changes it."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.kernels import ScoreMetric, score_metric_of_masses
from certus.metrics.classification._ordered import Kernel, ThresholdSteps


def part_of_area(metric: ScoreMetric, *, max_fpr: float | None, min_tpr: float | None) -> Kernel:
    """Kernel of the area up to a false positive rate, or from a true positive rate on, as a share of the largest."""
    return partial(_part_of_area, metric, max_fpr, min_tpr)


def _part_of_area(
    metric: ScoreMetric, max_fpr: float | None, min_tpr: float | None, marks: NDArray[np.uint8], weights: Floats
) -> tuple[float, Floats]:
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
    """Derivatives by the weights in each step of ``W / (limit N M)``, W the area over the first ``limit N`` negatives.

    W is the integral of the positives above over the negatives passed; within a step they come evenly mixed.
    """
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
