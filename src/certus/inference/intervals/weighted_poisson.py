"""Limits of a function of cell counts where few samples, or none, decide its variance."""

import math

import numpy as np

from certus.core.arrays import Floats
from certus.inference.interval import Limits, Request
from certus.inference.intervals import missing_mass
from certus.inference.intervals.contingency_variance import slopes_at, values
from certus.inference.special import normal_quantile
from certus.statistic import TableFunction

GAUSSIAN = 1e8
"""A sum of more events than this is as good as normal."""
MOST_ERRORS = 3.5
"""Errors of equal weight up to which a limit is widened."""


def distances(statistic: TableFunction, tail: float) -> tuple[float, float]:
    """Distances below and above the value that the function may have, by a weighted sum of Poisson counts."""
    # Fay & Feuer (1997), Stat. Med. 16(7):791-801, whose weights are all positive, and whose one more event has the
    # greatest of them.
    flat = statistic.counts.reshape(-1)
    slopes = slopes_at(statistic, statistic.counts).reshape(-1)
    empty = np.flatnonzero(flat == 0)
    step = -(-len(empty) * len(flat) // missing_mass.MOST_WORK) or 1
    added = missing_mass.values_with(statistic, flat, empty[::step], np.ones(1))[:, 0] - statistic.value
    below, above = (
        of_sum(flat, sign * slopes, _typical(sign * added[np.isfinite(added)]), tail) for sign in (-1.0, 1.0)
    )
    return below, above


def of_sum(counts: Floats, weights: Floats, more: float, tail: float) -> float:
    """The most that the mean of weighted Poisson counts may exceed their sum, with one event more, of weight `more`."""
    from scipy.special import gammainccinv

    variance = float((counts * weights**2).sum()) + more**2
    third = float((counts * weights**3).sum()) + more**3
    if third <= 0:
        return 0.0
    if variance**3 >= GAUSSIAN * third**2:
        return more - normal_quantile(tail) * math.sqrt(variance)
    events = variance * (variance / third) ** 2
    return more + third / variance * (float(gammainccinv(events, tail)) - events)


def _typical(added: Floats) -> float:
    """The root mean square of those that are positive; 0 without any."""
    positive = added[added > 0]
    return math.sqrt(float((positive**2).mean())) if len(positive) else 0.0


def widened(statistic: TableFunction, limits: Limits, request: Request) -> Limits:
    """Limits that reach as far towards the value without errors as the Poisson law of the errors does."""
    # Brown, Cai & DasGupta (2001), Stat. Sci. 16(2):101-133, section 4.1.1.
    counts = statistic.counts
    square = counts.ndim == 2 and counts.shape[0] == counts.shape[1]
    if statistic.parts is not None or statistic.squares is not None or not square or not math.isfinite(statistic.value):
        return limits
    wrong = counts * (1 - np.eye(len(counts)))
    if not 0 < wrong.sum() <= 2 * MOST_ERRORS:
        return limits
    perfect = float(values(statistic, counts - wrong)[0])
    if not math.isfinite(perfect):
        return limits
    weights = slopes_at(statistic, counts) * math.copysign(1.0, statistic.value - perfect)
    total, squared = float((wrong * weights).sum()), float((wrong * weights**2).sum())
    events = total**2 / squared if total > 0 else 0.0
    if not 0 < events <= MOST_ERRORS:
        return limits
    from scipy.special import gammaincinv

    part = float(gammaincinv(events, min(2 * request.tail, 0.5))) / events
    nearest = perfect + (statistic.value - perfect) * min(part, 1.0)
    return Limits(min(limits.low, nearest), max(limits.high, nearest), limits.reason)
