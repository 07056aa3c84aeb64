"""Limits towards the value of a table without errors, where one to three samples are wrong."""

import math

import numpy as np

from certus.inference.interval import Limits, Request
from certus.inference.intervals.contingency_variance import slopes_at, values
from certus.statistic import TableFunction

__all__ = ["widened"]

MOST = 3.5
"""Errors of equal weight up to which a limit is widened."""


def widened(statistic: TableFunction, limits: Limits, request: Request) -> Limits:
    """Limits that reach as far towards the value without errors as the Poisson law of the errors does.

    The limits of a normal law or of a posterior stay too far from it: of 64 samples, one wrong, they leave out rates
    up to a fifth of the one that was seen, where Poisson's law allows for a twentieth. To first order the distance of
    the value from the one without errors is a weighted sum of errors, taken for one of ``D = (sum w k)^2 / sum w^2 k``
    errors of equal weight. As for a proportion with as few failures, the whole error probability is on this side.
    Tables whose units have weights or fill several cells are left as they are.

    Source: Brown, Cai & DasGupta (2001), Stat. Sci. 16(2):101-133, section 4.1.1.
    """
    counts = statistic.counts
    square = counts.ndim == 2 and counts.shape[0] == counts.shape[1]
    if statistic.parts is not None or statistic.squares is not None or not square or not math.isfinite(statistic.value):
        return limits
    wrong = counts * (1 - np.eye(len(counts)))
    if not 0 < wrong.sum() <= 2 * MOST:
        return limits
    perfect = float(values(statistic, counts - wrong)[0])
    if not math.isfinite(perfect):
        return limits
    weights = slopes_at(statistic, counts) * math.copysign(1.0, statistic.value - perfect)
    total, squared = float((wrong * weights).sum()), float((wrong * weights**2).sum())
    events = total**2 / squared if total > 0 else 0.0
    if not 0 < events <= MOST:
        return limits
    from scipy.special import gammaincinv

    part = float(gammaincinv(events, min(2 * request.tail, 0.5))) / events
    nearest = perfect + (statistic.value - perfect) * min(part, 1.0)
    return Limits(min(limits.low, nearest), max(limits.high, nearest), limits.why)
