"""Distances of a function of cell counts from its value where few samples, or none, decide its variance."""

import math

import numpy as np

from certus.arrays import Floats
from certus.inference.intervals import unseen_cells
from certus.inference.intervals.contingency_variance import slopes_at
from certus.inference.special import normal_quantile
from certus.statistic import TableFunction

__all__ = ["distances", "of_sum"]

GAUSSIAN = 1e8
"""A sum of more events than this is as good as normal."""


def distances(statistic: TableFunction, tail: float) -> tuple[float, float]:
    """Distances below and above the value that the function may have, by a weighted sum of Poisson counts.

    To first order each sample adds the derivative by its cell to the value. One more sample counts, in a cell that is
    empty: it moves the value towards the limit by the root mean square of what samples in such cells do. A normal law
    has no place for it, and where no sample, or one or two, disagree, takes the spread of the others for all there is.
    The law has its long tail on one side only, and the distance to the other is 0.

    Source: Fay & Feuer (1997), Stat. Med. 16(7):791-801, whose weights are all positive, and whose one more event has
    the greatest of them.
    """
    flat = statistic.counts.reshape(-1)
    slopes = slopes_at(statistic, statistic.counts).reshape(-1)
    empty = np.flatnonzero(flat == 0)
    step = -(-len(empty) * len(flat) // unseen_cells.MOST_WORK) or 1
    added = unseen_cells.values_with(statistic, flat, empty[::step], np.ones(1))[:, 0] - statistic.value
    below, above = (
        of_sum(flat, sign * slopes, _typical(sign * added[np.isfinite(added)]), tail) for sign in (-1.0, 1.0)
    )
    return below, above


def of_sum(counts: Floats, weights: Floats, more: float, tail: float) -> float:
    """The most that the mean of weighted Poisson counts may exceed their sum, with one event more, of weight `more`.

    The sum with that event is taken for one of D events of equal weight, with its second and third moments: its mean
    has the gamma law of shape D as its upper limit. It is 0 unless the third moment is positive, so that large weights
    lie above.

    Examples
    --------
    Without any events the mean is up to 3.69, at a level of 0.975, by the limit of Garwood (1936); with 3, up to 8.77.

    >>> round(of_sum(np.zeros(1), np.ones(1), 1.0, 0.025), 2)
    3.69
    >>> round(3 + of_sum(np.array([3.0]), np.ones(1), 1.0, 0.025), 2)
    8.77
    """
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
