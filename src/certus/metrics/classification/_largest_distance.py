"""Largest distance of the ROC curve from its diagonal, of samples that count alike: from a byte a sample, in parts."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.data import Scores
from certus.kernels import ScoreMetric
from certus.metrics.classification._ordered import linear, resampled
from certus.metrics.classification._thresholds import RIVAL, Rates, distance, rates_caution, variance
from certus.statistic import Influence
from certus.statistic.influence import Maximum

BLOCK = 1 << 18
RESAMPLED = 11
"""Bytes that a sample takes where samples are resampled."""


class _Threshold(NamedTuple):
    """A threshold: the positives and the negatives above it."""

    true_positives: float
    false_positives: float


def largest_distance(scores: Scores, *, either_side: bool) -> Influence:
    """The largest distance of samples without weights and groups.

    To first order the best threshold does not move, so that the influence of a sample depends on its class and its side
    of the threshold only: what the interval asks of all samples is known from four counts.
    """
    m, n = map(float, scores.sizes)
    best, largest, greatest = _Threshold(0.0, 0.0), -math.inf, 0.0
    for true_positives, false_positives in _steps(scores):
        gap = true_positives / m - false_positives / n
        distances = np.abs(gap) if either_side else gap
        index = int(np.argmax(distances))
        if distances[index] > largest:
            best = _Threshold(float(true_positives[index]), float(false_positives[index]))
            largest = float(distances[index])
        products = true_positives * n - false_positives * m
        greatest = max(greatest, float((np.abs(products) if either_side else products).max()))
    gap_at = best.true_positives / m - best.false_positives / n
    sign = float(np.sign(gap_at)) if either_side else float(gap_at > 0)
    maximum = _form(scores, either_side, greatest / (m * n), sign, best)
    rival = partial(_of_rival, scores, either_side, maximum.value, sign, best)
    return replace(maximum, rival=rival)


def _form(
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


def _of_rival(scores: Scores, either_side: bool, value: float, sign: float, best: _Threshold) -> Influence:
    """The form with the influence values of another threshold, whose distance may be the largest as well."""
    m, n = map(float, scores.sizes)
    return _form(scores, either_side, value, sign, _rival(scores, best, sign, (m, n)), (m, n))


def _influence(scores: Scores, either_side: bool, rival: Rates | None) -> tuple[Floats, ...]:
    """The influence values of all samples."""
    kernel = distance(either_side=either_side, rival=rival)
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


def _steps(scores: Scores) -> Iterator[tuple[Floats, Floats]]:
    """The numbers of positives and negatives above each threshold, part by part."""
    marks, positives_before = scores.ordered.marks, 0
    for start in range(0, len(marks), BLOCK):
        block = np.asarray(marks[start : start + BLOCK])
        positives = positives_before + np.cumsum(block & 1, dtype=np.int64)
        positives_before = int(positives[-1])
        group_ends = np.flatnonzero(block & 2)
        if len(group_ends):
            true_positives = positives[group_ends]
            yield true_positives.astype(np.float64), (start + 1 + group_ends - true_positives).astype(np.float64)


def _rival(scores: Scores, best: _Threshold, sign: float, sizes: Rates) -> _Threshold:
    """See `_thresholds._rival`."""
    rates = best.true_positives / sizes[0], best.false_positives / sizes[1]
    largest = sign * (rates[0] - rates[1])
    rival, highest = best, -math.inf
    for true_positives, false_positives in _steps(scores):
        shares = true_positives / sizes[0], false_positives / sizes[1]
        gaps = np.abs(shares[0] - rates[0]), np.abs(shares[1] - rates[1])
        near = largest - sign * (shares[0] - shares[1]) <= RIVAL * np.sqrt(np.maximum(variance(gaps, sizes), 0.0))
        variances = np.where(near, variance(shares, sizes), -1.0)
        index = int(np.argmax(variances))
        if variances[index] > highest:
            rival = _Threshold(float(true_positives[index]), float(false_positives[index]))
            highest = float(variances[index])
    return rival
