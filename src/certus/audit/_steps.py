"""The intervals of a confidence sequence, one for each number of labels looked at, before they are intersected."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certus.inference.special import preload

__all__ = ["bernstein_steps", "ratio_steps"]

Whole = NDArray[np.int64]
LARGEST_BET = 0.5


def ratio_steps(
    checked: Whole, hits: Whole, population: int, alpha: float, prior: tuple[float, float]
) -> tuple[Whole, Whole]:
    """The counts that the prior-posterior ratio does not refute, for each pair of numbers checked and hits.

    Under a count ``m`` the ratio of the prior to the posterior probability of ``m`` is a martingale that begins at 1.
    It is the probability of the labels averaged over the prior, divided by their probability under ``m``. The latter is
    log-concave in ``m``, and at its mode no less than the average, so the counts kept are an interval around the mode.
    """
    a, b = prior
    special = preload()
    misses = checked - hits
    average = special.betaln(a + hits, b + misses) - special.betaln(a, b)
    order = special.gammaln(population + 1.0)
    drawn = order - special.gammaln(population - checked + 1.0)
    # No term is larger than `order`, and each is known to a few units of rounding: it may only widen the interval.
    needed = average + np.log(alpha) + drawn - 32 * np.finfo(float).eps * order

    def kept(count: Whole) -> NDArray[np.bool_]:
        rest = population - count
        probability = special.gammaln(count + 1.0) - special.gammaln(count - hits + 1.0)
        probability += special.gammaln(rest + 1.0) - special.gammaln(rest - misses + 1.0)
        return np.asarray(probability > needed)

    least, greatest = hits, population - misses
    mode = np.clip(((population + 1.0) * hits / np.maximum(checked, 1)).astype(np.int64), least, greatest)
    return _edge(least, mode, kept), _edge(greatest, mode, kept)


def _edge(outer: Whole, inner: Whole, kept: Callable[[Whole], NDArray[np.bool_]]) -> Whole:
    """The count nearest to `outer` that is kept, where from it to `inner` all are."""
    good, bad = np.where(kept(outer), outer, inner), outer
    while (apart := np.abs(good - bad) > 1).any():
        middle = (good + bad) // 2
        fine = kept(middle)
        good, bad = np.where(apart & fine, middle, good), np.where(apart & ~fine, middle, bad)
    return good


def bernstein_steps(labels: Whole, population: int, alpha: float) -> tuple[Whole, Whole]:
    """The counts within the empirical-Bernstein distance of a weighted mean, after each label.

    Before a label is drawn its mean is that of the items left, ``(m - sum of labels so far) / (items left)``. With bets
    ``b_i`` chosen from the labels before, the sum of ``b_i`` times label minus mean, less ``psi(b_i)`` times the
    squared distance of the label from a guess made before it, is the logarithm of a supermartingale, and so is the same
    with the sign turned; each may reach ``log(2 / alpha)`` with probability ``alpha / 2``.
    """
    n = len(labels)
    drawn = np.arange(n)  # before each label
    before = np.cumsum(labels) - labels
    guess_after = (0.5 + before + labels) / (drawn + 2)
    guess = np.concatenate(([0.5], guess_after[:-1]))
    spread_after = (0.25 + np.cumsum((labels - guess_after) ** 2)) / (drawn + 2)
    spread = np.concatenate(([0.25], spread_after[:-1]))
    bets = np.sqrt(2 * np.log(2 / alpha) / (spread * (drawn + 1) * np.log(drawn + 2)))
    bets = np.minimum(bets, LARGEST_BET)
    left = population - drawn
    weight = np.cumsum(bets / left)  # times the count m gives the sum of bets times means
    center = np.cumsum(bets * (labels + before / left)) / weight
    psi = -np.log1p(-bets) - bets
    distance = (np.log(2 / alpha) + np.cumsum((labels - guess) ** 2 * psi)) / weight
    rounding = 1e-12 * population
    seen, misses = before + labels, drawn + 1 - before - labels
    low = np.ceil(np.clip(center - distance - rounding, seen, population - misses))
    high = np.floor(np.clip(center + distance + rounding, seen, population - misses))
    return low.astype(np.int64), high.astype(np.int64)
