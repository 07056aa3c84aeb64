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
from certus.metrics.classification._thresholds import RIVAL, Rates, distance, few_beyond, variance
from certus.statistic import Influence
from certus.statistic.influence import Maximum

BLOCK = 1 << 18
RESAMPLED = 11
"""Bytes that a sample takes where samples are resampled."""


class _At(NamedTuple):
    """A threshold: the positives and the negatives above it."""

    above: float
    passed: float


def largest_distance(scores: Scores, *, either_side: bool) -> Influence:
    """The form of the distance, of samples of both classes without weights and groups.

    To first order the best threshold does not move, so that the influence of a sample depends on its class and its side
    of the threshold only: what the interval asks of all samples is known from four counts.
    """
    m, n = map(float, scores.sizes)
    best, largest, greatest = _At(0.0, 0.0), -math.inf, 0.0
    for above, passed in _steps(scores):
        gap = above / m - passed / n
        of = np.abs(gap) if either_side else gap
        at = int(np.argmax(of))
        if of[at] > largest:
            best, largest = _At(float(above[at]), float(passed[at])), float(of[at])
        products = above * n - passed * m
        greatest = max(greatest, float((np.abs(products) if either_side else products).max()))
    gap_at = best.above / m - best.passed / n
    sign = float(np.sign(gap_at)) if either_side else float(gap_at > 0)
    found = _form(scores, either_side, greatest / (m * n), sign, best)
    rival = partial(_of_rival, scores, either_side, found.value, sign, best)
    return replace(found, rival=rival)


def _form(scores: Scores, either_side: bool, value: float, sign: float, at: _At, rival: Rates | None = None) -> Maximum:
    """The form with the influence values of a threshold."""
    sizes = scores.sizes
    shares = at.above / sizes[0], at.passed / sizes[1]
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
        tails=partial(_tails, at, sizes, sign),
        caution=partial(few_beyond, shares, sizes),
    )


def _of_rival(scores: Scores, either_side: bool, value: float, sign: float, best: _At) -> Influence:
    """The form with the influence values of another threshold, whose distance may be the largest as well."""
    m, n = map(float, scores.sizes)
    return _form(scores, either_side, value, sign, _rival(scores, best, sign, (m, n)), (m, n))


def _influence(scores: Scores, either_side: bool, rival: Rates | None) -> tuple[Floats, ...]:
    """The influence values of all samples."""
    kernel = distance(either_side=either_side, rival=rival)
    found = linear(scores, kernel, ScoreMetric.ks(either_side), stratified=True).influence
    return () if found is None else found()


def _resample(scores: Scores, either_side: bool, replicates: int, seed: int, stratified: bool) -> Floats:
    scores.need(RESAMPLED)
    return resampled(scores, ScoreMetric.ks(either_side))(replicates, seed, stratified)


def _tails(at: _At, sizes: tuple[int, int], sign: float) -> list[tuple[float, float]]:
    """Sums of the second and the fourth powers of the influence values of each class."""
    found = []
    for inside, size in zip(at, sizes, strict=True):
        share, outside = inside / size, size - inside
        powers = [abs(sign) * (inside * (1 - share) ** power + outside * share**power) for power in (2, 4)]
        found.append((powers[0], powers[1]))
    return found


def _steps(scores: Scores) -> Iterator[tuple[Floats, Floats]]:
    """The numbers of positives and negatives above each threshold, part by part."""
    marks, above = scores.ordered.marks, 0
    for start in range(0, len(marks), BLOCK):
        some = np.asarray(marks[start : start + BLOCK])
        positives = above + np.cumsum(some & 1, dtype=np.int64)
        above = int(positives[-1])
        ends = np.flatnonzero(some & 2)
        if len(ends):
            found = positives[ends]
            yield found.astype(np.float64), (start + 1 + ends - found).astype(np.float64)


def _rival(scores: Scores, best: _At, sign: float, sizes: Rates) -> _At:
    """See `_thresholds._rival`."""
    rates = best.above / sizes[0], best.passed / sizes[1]
    largest = sign * (rates[0] - rates[1])
    found, most = best, -math.inf
    for above, passed in _steps(scores):
        shares = above / sizes[0], passed / sizes[1]
        between = np.abs(shares[0] - rates[0]), np.abs(shares[1] - rates[1])
        near = largest - sign * (shares[0] - shares[1]) <= RIVAL * np.sqrt(np.maximum(variance(between, sizes), 0.0))
        of = np.where(near, variance(shares, sizes), -1.0)
        at = int(np.argmax(of))
        if of[at] > most:
            found, most = _At(float(above[at]), float(passed[at])), float(of[at])
    return found
