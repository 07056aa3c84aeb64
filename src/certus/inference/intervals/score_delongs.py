"""Score-type limits for the areas of many groups of samples at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Floats
from certus.inference.interval import Limits, Request
from certus.inference.intervals.scale import SAME
from certus.inference.intervals.score_delong import ALIKE, EVIDENCE, FEW, TINY
from certus.inference.special import beta_beyond, t_quantiles
from certus.statistic import UStatistic

__all__ = ["score_delongs"]

UNKNOWN = ((np.nan,) * 3,) * 2
STEPS = 100
"""Halvings alone would end before."""
CLOSE = 1e-9
"""A probability nearer to the tail than this part of it is left to be computed by itself."""


def score_delongs(statistics: Sequence[UStatistic], request: Request) -> list[Limits | None]:
    """The limits of `score_delong` of each; None where the value is undefined, or more is needed than is known of all.

    That is where units may lose much that are rare and their losses are not known, where the limit is that of
    independent pairs, and where the units have masses or show no spread.
    """
    plain = np.array([len(each.sizes) == 2 and each.masses is None for each in statistics])
    if not plain.any() or len({each.span for each in statistics}) > 1:
        return [None] * len(statistics)
    least, greatest = statistics[0].span
    width = greatest - least
    values = np.array([each.value for each in statistics])
    sizes = np.array([each.sizes if ok else (0, 0) for each, ok in zip(statistics, plain, strict=True)], dtype=float)
    variances = np.array([each.variances if ok else (0, 0) for each, ok in zip(statistics, plain, strict=True)])
    losses = np.array([UNKNOWN if each.losses is None else each.losses for each in statistics])
    with np.errstate(all="ignore"):
        area = (values - least) / width
        low, high, known = _limits(area, sizes.T, variances.T / width**2, losses.transpose(2, 1, 0), request.tail)
        spread = np.sqrt((variances / sizes).sum(1)) > SAME * np.abs(values)
    known &= plain & spread & np.isfinite(values)
    limits = (np.clip(each, *request.bounds).tolist() for each in (least + width * low, greatest - width * (1 - high)))
    return [Limits(*each) if ok else None for *each, ok in zip(*limits, known.tolist(), strict=True)]


def _limits(
    area: Floats, sizes: Floats, variances: Floats, losses: Floats, tail: float
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Limits of the probability, and where they are those of `score_delong`."""
    lost = np.minimum(area, 1 - area)
    losing = (sizes * lost**2 / ((1 - 1 / sizes) * variances + lost**2)).min(0)
    weight = losing / (losing + EVIDENCE)
    ratios = variances / (_model(area) + TINY)
    mixed = weight * ratios + (1 - weight) * np.maximum(ratios, 1 + 1 / losing)
    scale = (mixed / sizes).sum(0)
    estimated = ((weight * ratios / sizes / scale) ** 2 / (sizes - 1)).sum(0)
    reach = t_quantiles(tail, np.maximum(1.0, 1 / np.maximum(estimated, TINY))) ** 2 * scale
    low, high = 1 - _greatest(1 - area, reach), _greatest(area, reach)
    pairs = sizes.min(0)
    near = np.where(area >= 0.5, 1 - low, high)  # the limit towards 1/2, as if from below
    unseen = -np.expm1(np.log(tail) / sizes)
    most = unseen.max(0)
    farthest = np.maximum(most / np.maximum(losing / FEW, 1) - lost, _rarely_lost(losses, unseen, lost))
    near = np.where(near < lost + most, np.maximum(near, lost + farthest), near)
    beyond = beta_beyond(near, pairs * lost + 1, pairs * (1 - lost))
    known = (area > 0) & (area < 1) & (pairs > 1) & (beyond > tail * (1 + CLOSE))
    return np.where(area >= 0.5, 1 - near, low), np.where(area >= 0.5, high, near), known


def _rarely_lost(losses: Floats, unseen: Floats, lost: Floats) -> Floats:
    """The least distance of the limit by losses of few units; NaN where they are not known."""
    units, mean, greatest = losses
    half = np.interp(1 + greatest / lost, ALIKE, (1.0, 0.0)) * (0.5 - lost) * unseen
    first = (units[0] < units[1]) | ((units[0] == units[1]) & (mean[0] <= mean[1]))
    fewest = unseen.max(0) / np.where(first, units[0], units[1]) - np.where(first, mean[0], mean[1])
    return np.asarray(np.maximum(fewest, half.max(0)))


def _model(p: Floats) -> Floats:
    more = np.maximum(p, 1 - p)
    return np.asarray(p * (1 - p) * more / (1 + more))


def _greatest(area: Floats, reach: Floats) -> Floats:
    """The greatest p with ``(p - area)^2 <= reach * model(p)``: by Newton's steps, and by halving where those leave."""
    low, high = area.copy(), np.ones_like(area)
    p = (low + high) / 2
    for _ in range(STEPS):
        more = np.maximum(p, 1 - p)
        slope = (2 * more - 2 * more**2 - 2 * more**3) / (1 + more) ** 2
        outside = (p - area) ** 2 - reach * _model(p)
        steepness = 2 * (p - area) - reach * np.where(p >= 0.5, slope, -slope)
        low, high = np.where(outside > 0, low, p), np.where(outside > 0, p, high)
        step = p - outside / steepness
        after = np.where((step > low) & (step < high), step, (low + high) / 2)
        moved, p = np.nanmax(np.abs(after - p), initial=0.0), after
        if moved < 2.0**-52:
            break
    return p
