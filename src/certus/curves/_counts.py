"""The counts that a falling threshold walks through: what every curve is made of."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.data import Scores

Column = NDArray[Any]
"""Scores in their own width; objects where float64 cannot hold them."""
Counts = NDArray[Any]
"""int64; sums of weights (float64) where samples are weighted."""


class ThresholdCounts(NamedTuple):
    """The samples with a score of at least each threshold, counted; thresholds fall from infinity on."""

    thresholds: Column
    true_positives: Counts
    false_positives: Counts

    @property
    def positives(self) -> Any:
        """The number of positives, or the sum of their weights."""
        return self.true_positives[-1].item()

    @property
    def negatives(self) -> Any:
        """The number of negatives, or the sum of their weights."""
        return self.false_positives[-1].item()

    def select(self, points: Any) -> "ThresholdCounts":
        """The counts at some of the points, or in another order."""
        return ThresholdCounts(self.thresholds[points], self.true_positives[points], self.false_positives[points])


def counted_scores(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> tuple[Scores, ThresholdCounts]:
    """Validated scores of at least one sample, and the counts at every threshold."""
    if not isinstance(y_true, Scores):
        if y_score is None:
            raise DataError("is missing", "give the score of each sample, or Scores alone", argument="y_score")
        y_true = Scores.from_arrays(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    elif not (y_score is None and pos_label is None and sample_weight is None):
        raise DataError("Scores hold truth, scores and weights already", "give nothing beside them")
    if not len(y_true):
        raise DataError("has no samples", "a curve needs at least one", argument="y_true")
    return y_true, threshold_counts(y_true)


def threshold_counts(data: Scores) -> ThresholdCounts:
    """Counts at every threshold, from nothing predicted positive to everything."""
    if data.weights is None:
        *counts, points = kernels.score_points(data.positives, data.negatives)
        # What is not used of the arrays has never been touched, so that it takes no memory; unless it is most of them.
        used = [column[:points].copy() if 2 * points < len(column) else column[:points] for column in counts]
        return ThresholdCounts(data.original_scores(used[0]), *used[1:])
    steps = data.steps
    thresholds = np.empty(len(steps) + 1, dtype=steps.thresholds.dtype)
    thresholds[0], thresholds[1:] = math.inf, steps.thresholds
    return ThresholdCounts(thresholds, _cumulated(steps.positives), _cumulated(steps.negatives))


def rate(counts: Counts, total: float) -> Floats:
    """``counts / total``; NaN without a total."""
    return counts / total if total else np.full(len(counts), math.nan)


def corners(counts: ThresholdCounts) -> NDArray[np.bool_]:
    """The points that do not lie between two others on a straight line with equal steps, as scikit-learn keeps them."""
    is_corner = np.ones(len(counts.thresholds), dtype=np.bool_)
    if len(is_corner) > 3:
        steps = np.diff(counts.true_positives[1:], 2), np.diff(counts.false_positives[1:], 2)
        is_corner[2:-1] = (steps[0] != 0) | (steps[1] != 0)
    return is_corner


def turns(true_positives: Counts) -> NDArray[np.bool_]:
    """The first and last point of each number of true positives, as scikit-learn keeps them."""
    is_turn = np.ones(len(true_positives), dtype=np.bool_)
    if len(is_turn) > 2:
        moves = np.diff(true_positives) != 0
        is_turn[1:-1] = moves[:-1] | moves[1:]
    return is_turn


def _cumulated(weights: Floats) -> Floats:
    sums = np.zeros(len(weights) + 1)
    np.cumsum(weights, out=sums[1:])
    return sums
