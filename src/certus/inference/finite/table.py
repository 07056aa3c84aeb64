"""The limits for all possible numbers of hits among the checked at once, and how often they cover."""

from collections.abc import Callable

import numpy as np

from certus.arrays import Floats, Ints
from certus.inference.finite import hypergeometric
from certus.inference.finite.betabinomial import Posterior
from certus.inference.finite.hypergeometric import blaker_lower
from certus.inference.finite.unimodal import SLACK

All = Callable[[int, int, float], tuple[Ints, Ints]]
"""Makes the limits for all k from the population, the number checked and the level."""

TABLE_LIMIT = 4_000_000
"""Greatest number of entries of a table of probabilities; beyond it limits are made one by one."""


def column(k: int, n: int, population: int, low: int, high: int) -> Floats:
    """The probability of `k` hits among the checked under each count from `low` to `high`, all of them possible.

    As a function of the count it is the posterior under the uniform prior, times ``(N + 1) / (n + 1)``.
    """
    return Posterior(k, n, population).run(low, high) * ((population + 1) / (n + 1))


def matrix(population: int, n: int) -> Floats:
    """The probability of each k, a column, under each count, a row."""
    found = np.zeros((population + 1, n + 1))
    for k in range(n // 2 + 1):
        low, high = k, population - n + k
        found[low : high + 1, k] = column(k, n, population, low, high)
    # Misses mirror hits.
    found[:, (n + 1) // 2 :] = found[::-1, n // 2 :: -1]
    return found


def coverage_of(low: Ints, high: Ints, population: int) -> Floats:
    """The probability, under each count from 0 to N, that the limits for the k that is found hold it."""
    n = len(low) - 1
    found = np.zeros(population + 1)
    for k in range(n + 1):
        first, last = max(int(low[k]), k), min(int(high[k]), population - n + k)
        if first <= last:
            found[first : last + 1] += column(k, n, population, first, last)
    return np.minimum(found, 1.0)


def one_by_one(method: Callable[[int], tuple[int, int]], n: int) -> tuple[Ints, Ints]:
    """The limits of a method that makes them for one k."""
    pairs = np.array([method(k) for k in range(n + 1)], dtype=np.int64)
    return pairs[:, 0], pairs[:, 1]


def mirrored(low: Ints, population: int) -> tuple[Ints, Ints]:
    """Lower limits, and the upper ones that mirror them."""
    return low, population - low[::-1]


def equal_tailed(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """`certus.inference.finite.hypergeometric.equal_tailed` for every k."""
    tail = (1 - level) / 2
    if _too_large(population, n):
        return mirrored(_lower(lambda k: hypergeometric.lower(k, n, population, tail), n), population)
    at_least = _at_least(matrix(population, n))
    return mirrored((at_least > tail * (1 + SLACK)).argmax(axis=0), population)


def mid_p(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """`certus.inference.finite.hypergeometric.mid_p` for every k."""
    tail = (1 - level) / 2
    if _too_large(population, n):
        limits = _lower(lambda k: hypergeometric.mid_p_lower(k, n, population, tail), n)
    else:
        chances = matrix(population, n)
        chance = _at_least(chances) - chances / 2
        above = chance > tail * (1 + SLACK)
        # At the lowest levels a certain outcome, with its mid-P of one half, may not exceed the tail.
        limits = np.where(above.any(axis=0), above.argmax(axis=0), population - n + np.arange(n + 1))
        limits[0] = 0
    low, high = mirrored(limits, population)
    refuted = np.flatnonzero(low > high)
    for k in refuted.tolist():
        low[k], high[k] = hypergeometric.mid_p(k, n, population, level)
    return low, high


def of_blaker(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """`certus.inference.finite.hypergeometric.blaker` for every k."""
    if _too_large(population, n):
        return mirrored(_lower(lambda k: blaker_lower(k, n, population, 1 - level), n), population)
    chances = matrix(population, n)
    at_least, at_most = _at_least(chances), np.cumsum(chances, axis=1)
    kept = np.empty(chances.shape, dtype=bool)
    for x in range(population + 1):
        upper, lower = at_least[x], at_most[x]
        # The other tail's largest piece that is no more probable, for the upper and for the lower tail.
        below = lower.searchsorted(upper * (1 + SLACK), side="right")
        above = upper[::-1].searchsorted(lower * (1 + SLACK), side="right")
        p_upper = upper + np.concatenate([[0.0], lower])[below]
        p_lower = lower + np.concatenate([[0.0], upper[::-1]])[above]
        kept[x] = np.where(upper <= lower, p_upper, p_lower) > (1 - level) * (1 + SLACK)
    # An outcome that cannot be has no tail, and refutes every count.
    return mirrored(kept.argmax(axis=0), population)


def _lower(limit: Callable[[int], int], n: int) -> Ints:
    return np.array([limit(k) for k in range(n + 1)], dtype=np.int64)


def _too_large(population: int, n: int) -> bool:
    return (population + 1) * (n + 1) > TABLE_LIMIT


def _at_least(chances: Floats) -> Floats:
    return np.cumsum(chances[:, ::-1], axis=1)[:, ::-1]
