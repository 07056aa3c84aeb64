"""Counts at a falling threshold, and limits for many proportions at once: what curves and their bands are made of."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError
from certus.data import Scores
from certus.inference.special import preload

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


SIMULTANEOUS = ("dkw-tails", "dkw")
"""Methods for all thresholds at once; the first is the default."""

Limits = tuple[Floats, Floats]


def shared(level: float, parts: int, *, independent: bool) -> float:
    """Level of each of several statements that must hold together: multiplied if independent, otherwise errors add up.

    >>> round(shared(0.95, 2, independent=True), 4), round(shared(0.95, 2, independent=False), 4)
    (0.9747, 0.975)
    """
    return float(level ** (1 / parts)) if independent else 1 - (1 - level) / parts


def proportion_limits(successes: NDArray[Any], trials: Any, level: float, method: str) -> Limits:
    """Limits of many proportions: by ``"wilson"`` or ``"clopper-pearson"`` for each alone, otherwise for all at once.

    Without trials they are [0, 1].

    >>> low, high = proportion_limits(np.array([0, 5, 10]), 10, 0.95, "wilson")
    >>> np.round(low, 4), np.round(high, 4)
    (array([0.    , 0.2366, 0.7225]), array([0.2775, 0.7634, 1.    ]))
    """
    if method in SIMULTANEOUS:
        return distribution_limits(successes, trials, level, method)
    k, n = np.broadcast_arrays(np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64))
    special, tail = preload(), (1 - level) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        if method == "wilson":
            z = -float(special.ndtri(tail))
            center = (k + z * z / 2) / (n + z * z)
            half_width = z * np.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
            low, high = center - half_width, center + half_width
        else:
            low, high = special.betaincinv(k, n - k + 1, tail), 1 - special.betaincinv(n - k, k + 1, tail)
    return np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)


def dependence_limits(
    joint: NDArray[Any], first: NDArray[Any], second: NDArray[Any], neither: NDArray[Any], *, level: float
) -> Limits:
    """Limits of ``P(A and B) / (P(A) P(B))`` from the counts of A and B, A alone, B alone and neither.

    >>> low, high = dependence_limits(*np.array([[0, 40], [10, 10], [50, 10], [140, 140]]), level=0.95)
    >>> low.round(3), high.round(3)
    (array([0.   , 2.545]), array([2.657, 3.887]))
    """
    # The delta method on the logarithm, with half a sample more in each cell (Woolf's interval of an odds ratio after
    # Haldane and Anscombe); from 0 where A and B never met.
    cells = [np.asarray(count, dtype=np.float64) + 0.5 for count in (joint, first, second, neither)]
    n = sum(cells)
    pa, pb, pab = (cells[0] + cells[1]) / n, (cells[0] + cells[2]) / n, cells[0] / n
    center = np.log(pab / (pa * pb))
    # The influence of a unit is 1/pab - 1/pa - 1/pb, -1/pa, -1/pb or 0 by its cell, plus 1, which makes its mean 0.
    variance = (pab * (1 / pab - 1 / pa - 1 / pb) ** 2 + cells[1] / n / pa**2 + cells[2] / n / pb**2 - 1) / n
    half_width = -float(preload().ndtri((1 - level) / 2)) * np.sqrt(np.maximum(variance, 0.0))
    return np.where(np.asarray(joint) == 0, 0.0, np.exp(center - half_width)), np.exp(center + half_width)


def distribution_limits(counts: NDArray[Any], n: int, level: float, method: str) -> Limits:
    """Limits that hold for a whole distribution function at once, in samples of any size from any distribution.

    ``"dkw"``: ``share +- sqrt(log(2 / (1 - level)) / (2 n))``, the Dvoretzky-Kiefer-Wolfowitz inequality with the best
    constant. It is as wide in the tails as in the middle. ``"dkw-tails"`` gives three quarters of the error to that
    inequality and one quarter to Clopper-Pearson limits at some of the outer order statistics, which by monotonicity
    hold up to the next of them; the narrower limit counts.

    `counts` are those of the `n` values beyond each threshold. Source: Massart (1990), Annals of Probability
    18(3):1269-1283, doi:10.1214/aop/1176990746.

    >>> counts = np.array([0, 100, 200])
    >>> [limits.round(3).tolist() for limits in distribution_limits(counts, 200, 0.95, "dkw")]
    [[0.0, 0.404, 0.904], [0.096, 0.596, 1.0]]
    >>> [limits.round(3).tolist() for limits in distribution_limits(counts, 200, 0.95, "dkw-tails")]
    [[0.0, 0.4, 0.959], [0.041, 0.6, 1.0]]
    """
    error = 1 - level
    shares = np.asarray(counts) / n
    if method == "dkw":
        return _equally_wide(shares, n, error)
    low, high = _equally_wide(shares, n, error * (1 - _IN_TAILS))
    ranks = _outer_ranks(n)
    tail = error * _IN_TAILS / (2 * len(ranks))
    beta_quantile = preload().betaincinv
    # With at least k values beyond a threshold, the true share beyond it is no less than that beyond the k-th value,
    # which is at least `least`; with fewer it is no more than that, which is at most `most`.
    lowest = np.append(0.0, beta_quantile(ranks, n - ranks + 1, tail))
    highest = np.append(1 - beta_quantile(n - ranks + 1, ranks, tail), 1.0)
    low = np.maximum(low, lowest[np.searchsorted(ranks, counts, side="right")])
    return low, np.minimum(high, highest[np.searchsorted(ranks, counts, side="right")])


_IN_TAILS = 0.25
"""The part of the error that goes into the tails."""


def _equally_wide(shares: Floats, n: int, error: float) -> Limits:
    width = math.sqrt(math.log(2 / error) / (2 * n))
    return np.maximum(shares - width, 0.0), np.minimum(shares + width, 1.0)


def _outer_ranks(n: int) -> NDArray[np.int64]:
    """Ranks in the outer fifths, one standard deviation apart, or a twentieth of the rank where that is more."""
    ranks, rank = [], 1
    while rank <= max(n // 5, 1):
        ranks += [rank, n + 1 - rank]
        rank += max(math.isqrt(rank), rank // 20, 1)
    return np.unique(np.array(ranks))
