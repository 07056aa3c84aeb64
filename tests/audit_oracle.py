"""The definitions of audit methods on exact whole numbers, written for tests: tables of ways, no probabilities."""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
ONE = Fraction(1)

CHOOSE = np.array([[math.comb(i, j) for j in range(62)] for i in range(62)], dtype=np.int64)
"""Binomial coefficients; twenty times the greatest fits in 64 bits."""


def ways(population: int, n: int) -> Ints:
    """The number of samples with k hits, a column, when there are X hits, a row; population at most 61."""
    x, k = np.arange(population + 1)[:, np.newaxis], np.arange(n + 1)
    found: Ints = CHOOSE[x, k] * CHOOSE[population - x, n - k]
    return found


def covered(low: Ints, high: Ints, population: int, n: int) -> Ints:
    """The number of samples, for each X, whose interval holds X."""
    x = np.arange(population + 1)[:, np.newaxis]
    found: Ints = (ways(population, n) * ((low <= x) & (x <= high))).sum(axis=1)
    return found


def blaker(population: int, n: int) -> tuple[Ints, Ints]:
    """The hull of the counts whose Blaker p-value is above 5%, by its definition as a test statistic's.

    The smaller of the two tails of k is the statistic; the p-value is the chance of one as small.
    """
    table = ways(population, n)
    tails = np.minimum(table.cumsum(axis=1), table[:, ::-1].cumsum(axis=1)[:, ::-1])
    as_small = tails[:, np.newaxis, :] <= tails[:, :, np.newaxis]
    p_values = (table[:, np.newaxis, :] * as_small).sum(axis=2)
    kept = 20 * p_values > CHOOSE[population, n]
    return kept.argmax(axis=0), population - kept[::-1].argmax(axis=0)


def amo(population: int, n: int) -> tuple[Ints, Ints]:
    """The intervals of least total size: each count's shortest and of these likeliest run, runs moved to be monotone.

    For counts up to half of the population; the rest mirror them.
    """
    runs = [_run(ways(population, n)[x], int(CHOOSE[population, n])) for x in range(population // 2 + 1)]
    firsts = [max(first for first, _ in runs[: x + 1]) for x in range(len(runs))]
    runs = [(first, last + first - run_first) for first, (run_first, last) in zip(firsts, runs, strict=True)]
    first, last = runs[-1]
    if population % 2 == 0:
        runs[-1] = min(first, n - last), n - min(first, n - last)
    elif first + last > n:
        runs[-1] = n - last, n - first
    for x in range(len(runs) - 2, -1, -1):
        down = max(runs[x][0] - runs[x + 1][0], runs[x][1] - runs[x + 1][1], 0)
        runs[x] = runs[x][0] - down, runs[x][1] - down
    runs += [(n - last, n - first) for first, last in runs[(population + 1) // 2 - 1 :: -1]] if population else []
    accepting = [[x for x, (first, last) in enumerate(runs) if first <= k <= last] for k in range(n + 1)]
    return np.array([min(each) for each in accepting]), np.array([max(each) for each in accepting])


def _run(row: Ints, samples: int) -> tuple[int, int]:
    """Of all runs of k with at least 95% of the samples the shortest, of these the likeliest, of these the first."""
    sums = np.concatenate([[0], row.cumsum()])
    for size in range(1, len(row) + 1):
        chances = sums[size:] - sums[:-size]
        if 20 * chances.max() >= 19 * samples:
            start = int(chances.argmax())
            return start, start + size - 1
    raise AssertionError


def fewest(population: int, n: int) -> Ints:
    """For each X the fewest k that together have a probability of at least 95%."""
    likeliest_first = np.sort(ways(population, n), axis=1)[:, ::-1].cumsum(axis=1)
    found: Ints = (20 * likeliest_first >= 19 * CHOOSE[population, n]).argmax(axis=1) + 1
    return found


def posterior(population: int, n: int, k: int, a: Fraction = ONE, b: Fraction = ONE) -> list[Fraction]:
    """The posterior of 0 to N hits by Bayes' theorem, their share having the prior Beta(a, b)."""
    joint = [
        rising(a, x) * rising(b, population - x) * math.comb(x, k) * math.comb(population - x, n - k)
        for x in range(population + 1)
    ]
    return [each / sum(joint) for each in joint]


def rising(a: Fraction, x: int) -> Fraction:
    """a (a + 1) ... (a + x - 1) / x!, to which the prior probability of x hits is proportional."""
    return math.prod(((a + i) / (1 + i) for i in range(x)), start=ONE)
