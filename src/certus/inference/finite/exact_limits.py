"""Exact limits for all possible numbers of hits among the checked at once, and how often limits cover.

Those of the one-sided tests, of mid-P and of Blaker come from a table of probabilities where that is small; Wang's, and
those of least average size, are made for all numbers together.
"""

import functools
from collections.abc import Callable

import numpy as np

from certus.core.arrays import Floats, Ints
from certus.core.errors import CertusError
from certus.inference.finite import hypergeometric
from certus.inference.finite.betabinomial import Posterior
from certus.inference.finite.hypergeometric import law
from certus.inference.finite.unimodal import SLACK

All = Callable[[int, int, float], tuple[Ints, Ints]]
"""Makes the limits for all k from the population, the number checked and the level."""

TABLE_LIMIT = 4_000_000
"""Greatest number of entries of a table of probabilities; beyond it limits are made one by one."""


def column(k: int, n: int, population: int, low: int, high: int) -> Floats:
    """The probability of `k` hits among the checked under each count from `low` to `high`, all of them possible."""
    return Posterior(k, n, population).run(low, high) * ((population + 1) / (n + 1))


def matrix(population: int, n: int) -> Floats:
    """The probability of each k, a column, under each count, a row."""
    chances = np.zeros((population + 1, n + 1))
    for k in range(n // 2 + 1):
        low, high = k, population - n + k
        chances[low : high + 1, k] = column(k, n, population, low, high)
    # Misses mirror hits.
    chances[:, (n + 1) // 2 :] = chances[::-1, n // 2 :: -1]
    return chances


def coverage_of(low: Ints, high: Ints, population: int) -> Floats:
    """The probability, under each count from 0 to N, that the limits for the k that is found hold it."""
    n = len(low) - 1
    coverage = np.zeros(population + 1)
    for k in range(n + 1):
        first, last = max(int(low[k]), k), min(int(high[k]), population - n + k)
        if first <= last:
            coverage[first : last + 1] += column(k, n, population, first, last)
    return np.minimum(coverage, 1.0)


def limits_of_each(method: Callable[[int], int | tuple[int, int]], n: int) -> Ints:
    """The limits of a method that makes one or two for one k, a row each."""
    return np.array([method(k) for k in range(n + 1)], dtype=np.int64).T


def mirrored(low: Ints, population: int) -> tuple[Ints, Ints]:
    """Lower limits, and the upper ones that mirror them."""
    return low, population - low[::-1]


def equal_tailed(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """`certus.inference.finite.hypergeometric.equal_tailed` for every k."""
    tail = (1 - level) / 2
    if _too_large(population, n):
        return mirrored(limits_of_each(lambda k: hypergeometric.lower(k, n, population, tail), n), population)
    upper_tails = _upper_tails(matrix(population, n))
    return mirrored((upper_tails > tail * (1 + SLACK)).argmax(axis=0), population)


def mid_p(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """`certus.inference.finite.hypergeometric.mid_p` for every k."""
    tail = (1 - level) / 2
    if _too_large(population, n):
        limits = limits_of_each(lambda k: hypergeometric.mid_p_lower(k, n, population, tail), n)
    else:
        chances = matrix(population, n)
        chance = _upper_tails(chances) - chances / 2
        exceeds = chance > tail * (1 + SLACK)
        # At the lowest levels a certain outcome, with its mid-P of one half, may not exceed the tail.
        limits = np.where(exceeds.any(axis=0), exceeds.argmax(axis=0), population - n + np.arange(n + 1))
        limits[0] = 0
    low, high = mirrored(limits, population)
    for k in np.flatnonzero(low > high).tolist():
        low[k], high[k] = hypergeometric.mid_p(k, n, population, level)
    return low, high


def of_blaker(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """`certus.inference.finite.hypergeometric.blaker` for every k."""
    if _too_large(population, n):
        return mirrored(
            limits_of_each(lambda k: hypergeometric.blaker_lower(k, n, population, 1 - level), n), population
        )
    chances = matrix(population, n)
    upper_tails, lower_tails = _upper_tails(chances), np.cumsum(chances, axis=1)
    is_kept = np.empty(chances.shape, dtype=bool)
    for x in range(population + 1):
        upper, lower = upper_tails[x], lower_tails[x]
        # The other tail's largest piece that is no more probable, for the upper and for the lower tail.
        lower_index = lower.searchsorted(upper * (1 + SLACK), side="right")
        upper_index = upper[::-1].searchsorted(lower * (1 + SLACK), side="right")
        p_upper = upper + np.concatenate([[0.0], lower])[lower_index]
        p_lower = lower + np.concatenate([[0.0], upper[::-1]])[upper_index]
        is_kept[x] = np.where(upper <= lower, p_upper, p_lower) > (1 - level) * (1 + SLACK)
    # An outcome that cannot be has no tail, and refutes every count.
    return mirrored(is_kept.argmax(axis=0), population)


def _too_large(population: int, n: int) -> bool:
    return (population + 1) * (n + 1) > TABLE_LIMIT


def _upper_tails(chances: Floats) -> Floats:
    return np.cumsum(chances[:, ::-1], axis=1)[:, ::-1]


LARGEST = 200_000
"""The largest population for which limits are made for all counts together (some ten seconds)."""


def _check_size(population: int, method: str, work: str) -> None:
    if population > LARGEST:
        raise CertusError(
            f"is {population}",
            f"the method {method!r} {work} at once and goes to {LARGEST}: take 'blaker', whose intervals are hardly "
            "longer",
            argument="positives",
        )


@functools.lru_cache(maxsize=16)
def wang(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """The lower and the upper limits for 0 to n hits among the checked."""
    # What stops a limit keeps stopping it while others are drawn in, so at the end no limit can be drawn in alone.
    _check_size(population, "wang", "draws in all limits")
    low = equal_tailed(population, n, level)[0].copy()
    cover = coverage_of(low, population - low[::-1], population)
    wanted = level * (1 - SLACK * (1 - level))
    before = None
    # A limit that only its neighbour stopped has another chance when that has moved on.
    while before is None or (before != low).any():
        before = low.copy()
        for k in _order(n):
            # Up to N/2 and from there on: the counts given up and their mirror images must not be the same ones.
            for end in (population // 2 + 1, population):
                _draw_in(low, cover, k, end, population, n, wanted)
    high: Ints = population - low[::-1]
    low.flags.writeable = high.flags.writeable = False  # they are kept
    return low, high


def _draw_in(low: Ints, cover: Floats, k: int, end: int, population: int, n: int, wanted: float) -> None:
    """Move the lower limit for k up as far as coverage allows, at most to `end`; the upper one for n - k mirrors it."""
    # A limit may neither pass the next one nor the upper limit for the same k.
    first, end = int(low[k]), int(min(end, low[k + 1] if k < n else population, population - low[n - k]))
    if k == n - k:
        end = min(end, population // 2)
    if first >= end:
        return
    given_up = column(k, n, population, first, end - 1)
    # The mirrored upper limit gives up the mirrored counts; for the count N/2 both do.
    twice = np.where(2 * np.arange(first, end) == population, 2.0, 1.0)
    keeps = cover[first:end] - twice * given_up >= wanted
    n_drawn = len(keeps) if keeps.all() else int(keeps.argmin())
    cover[first : first + n_drawn] -= given_up[:n_drawn]
    cover[population - np.arange(first, first + n_drawn)] -= given_up[:n_drawn]
    low[k] += n_drawn


def _order(n: int) -> list[int]:
    """From n/2 outwards."""
    return sorted(range(n + 1), key=lambda k: (abs(2 * k - n), -k))


def amo(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """The lower and the upper limits for 0 to n hits among the checked."""
    first, last = acceptance(population, n, level)
    k = np.arange(n + 1)
    return last.searchsorted(k, side="left"), first.searchsorted(k, side="right") - 1


@functools.lru_cache(maxsize=16)
def acceptance(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """The first and the last k that each count of hits 0 to N accepts."""
    # The set of a count is the shortest run of k with the probability `level`; runs are moved by as little as makes
    # their ends nondecreasing, which costs no level; for counts above N/2 they are mirrored.
    _check_size(population, "amo", "works out all counts")
    middle = population // 2
    first, last = np.zeros(population + 1, dtype=np.int64), np.zeros(population + 1, dtype=np.int64)
    for x in range(middle + 1):
        first[x], last[x] = _likeliest_run(population, n, x, level)
    for x in range(1, middle + 1):
        if first[x] < first[x - 1]:
            last[x] += first[x - 1] - first[x]
            first[x] = first[x - 1]
    if population % 2 == 0:
        first[middle] = min(first[middle], n - last[middle])
        last[middle] = n - first[middle]
    elif (excess := first[middle] + last[middle] - n) > 0:
        _move_down(population, n, level, middle, excess, first, last)
    for x in range(middle - 1, -1, -1):
        if (excess := max(first[x] - first[x + 1], last[x] - last[x + 1])) > 0:
            _move_down(population, n, level, x, excess, first, last)
    first[population - middle :], last[population - middle :] = n - last[middle::-1], n - first[middle::-1]
    first.flags.writeable = last.flags.writeable = False  # they are kept
    return first, last


def _likeliest_run(population: int, n: int, x: int, level: float) -> tuple[int, int]:
    """The shortest run of k with the probability `level` under x hits; among equals the likeliest, then the first."""
    here = law(population, n, x)
    size = int(np.cumsum(np.sort(here.mass)[::-1]).searchsorted(level * (1 - SLACK * (1 - level)))) + 1
    runs = here.up_to[size:] - here.up_to[:-size]
    start = here.start + int(np.argmax(runs >= runs.max() * (1 - SLACK * (1 - level))))
    return start, start + size - 1


def _move_down(population: int, n: int, level: float, x: int, by: int, first: Ints, last: Ints) -> None:
    """Move a run down; where that would cost level, lengthen it instead."""
    coverage = law(population, n, x).interval_probability(int(first[x] - by), int(last[x] - by))
    first[x] -= by
    if coverage >= level * (1 - SLACK * (1 - level)):
        last[x] -= by
