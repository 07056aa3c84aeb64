"""What each sample adds to the area under a part of the ROC curve, to first order."""

import numpy as np
from numpy.typing import NDArray

from certus.kernels import ScoreMetric, score_metric_of_masses
from certus.metrics.classification._ordered import Floats, Kernel
from certus.metrics.classification._walked import Walked

__all__ = ["part_of_area"]


def part_of_area(metric: ScoreMetric, *, max_fpr: float | None, min_tpr: float | None) -> Kernel:
    """Of the area up to a false positive rate, or from a true positive rate on, as a share of the largest one."""

    def kernel(marks: NDArray[np.uint8], weights: Floats) -> tuple[float, Floats]:
        value = float(score_metric_of_masses(metric, marks, weights))
        walked = Walked(marks, weights)
        if max_fpr is not None:
            of_positive, of_negative = _derivatives(walked, value, max_fpr)
        else:
            # To the right of the curve: with the classes exchanged and the walk reversed it is the area up to a rate.
            turned = Walked.of(walked.b[::-1], walked.a[::-1])
            of_negative, of_positive = (d[::-1] for d in _derivatives(turned, value, 1 - (min_tpr or 0.0)))
        return value, walked.terms(of_positive, of_negative)

    return kernel


def _derivatives(walked: Walked, value: float, limit: float) -> tuple[Floats, Floats]:
    """Of ``W / (limit N M)`` with the area W over the first ``L = limit N`` negatives, by the weights in each step.

    W is the integral of the positives above over the negatives passed; within a step they come evenly mixed.
    """
    a, b, ends = walked.a, walked.b, walked.passed
    high, starts = walked.above - a, walked.passed - b
    full = limit * walked.negatives
    width = np.clip(full - starts, 0.0, b)
    share = np.divide(width, b, out=np.zeros_like(b), where=b > 0)
    # The step in which L lies, and how many positives are above there.
    at = min(int(np.searchsorted(ends, full)), len(ends) - 1)
    edge = float(high[at] + a[at] * share[at])
    # A positive is counted by all negatives behind it, and by half of those in its own step that come first.
    of_positive = np.clip(full - ends, 0.0, None) + width * share / 2
    # A negative adds what is above it and drives as much out at L; where its step is not whole, it drives out less.
    of_negative = np.where(starts < full, share * (high + a / 2 * share - edge), 0.0)
    whole = (ends <= full) & (b == 0)
    of_negative[whole] = (high + a / 2 - edge)[whole]
    of_negative[at] = -a[at] * share[at] ** 2 / 2 if b[at] > 0 else of_negative[at]
    of_negative += limit * edge
    scale = full * walked.positives
    return of_positive / scale - value / walked.positives, of_negative / scale - value / walked.negatives
