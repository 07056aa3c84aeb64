"""Exact limits for the number of hits in a finite population: Wang's, and those of least average size."""

import functools

import numpy as np

from certus.arrays import Floats, Ints
from certus.errors import CertusError
from certus.inference.finite import table
from certus.inference.finite.hypergeometric import law
from certus.inference.finite.unimodal import SLACK

WANG_LIMIT = 200_000
"""The largest population for which all limits are drawn in together."""


@functools.lru_cache(maxsize=16)
def wang(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """The lower and the upper limits for 0 to n hits among the checked.

    The equal-tailed limits are drawn in one k after the other, each as far as every count it gives up stays covered by
    the others. The limits for n - k hits mirror those for k. What stops a limit keeps stopping it while others are
    drawn in, so at the end no limit can be drawn in alone: the intervals are admissible by set inclusion.

    Examples
    --------
    >>> low, high = wang(1000, 500, 0.95)
    >>> int(low[400]), int(high[400])
    (774, 823)
    """
    if population > WANG_LIMIT:
        raise CertusError(
            f"is {population}",
            f"the method 'wang' draws in all limits at once and goes to {WANG_LIMIT}: take 'blaker', whose intervals "
            "are hardly longer",
            argument="positives",
        )
    low = table.equal_tailed(population, n, level)[0].copy()
    cover = table.coverage_of(low, population - low[::-1], population)
    least = level * (1 - SLACK * (1 - level))
    before = None
    # A limit that only its neighbour stopped has another chance when that has moved on.
    while before is None or (before != low).any():
        before = low.copy()
        for k in _order(n):
            # Up to N/2 and from there on: the counts given up and their mirror images must not be the same ones.
            for end in (population // 2 + 1, population):
                _draw_in(low, cover, k, end, population, n, least)
    high: Ints = population - low[::-1]
    low.flags.writeable = high.flags.writeable = False  # they are kept
    return low, high


def _draw_in(low: Ints, cover: Floats, k: int, end: int, population: int, n: int, least: float) -> None:
    """Move the lower limit for k up as far as coverage allows, at most to `end`; the upper one for n - k mirrors it."""
    # A limit may neither pass the next one nor the upper limit for the same k.
    first, end = int(low[k]), int(min(end, low[k + 1] if k < n else population, population - low[n - k]))
    if k == n - k:
        end = min(end, population // 2)
    if first >= end:
        return
    given_up = table.column(k, n, population, first, end - 1)
    # The mirrored upper limit gives up the mirrored counts; for the count N/2 both do.
    twice = np.where(2 * np.arange(first, end) == population, 2.0, 1.0)
    keeps = cover[first:end] - twice * given_up >= least
    drawn = len(keeps) if keeps.all() else int(keeps.argmin())
    cover[first : first + drawn] -= given_up[:drawn]
    cover[population - np.arange(first, first + drawn)] -= given_up[:drawn]
    low[k] += drawn


def _order(n: int) -> list[int]:
    """From n/2 outwards."""
    return sorted(range(n + 1), key=lambda k: (abs(2 * k - n), -k))


AMO_LIMIT = 200_000
"""The largest population for which the acceptance sets of all counts are worked out (some ten seconds)."""


def amo(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """The lower and the upper limits for 0 to n hits among the checked.

    A count X belongs to the interval of every k in its acceptance set, see `acceptance`. The total size of all n + 1
    intervals is that of all acceptance sets, each of which is as small as one can be.

    Examples
    --------
    >>> low, high = amo(1000, 500, 0.95)
    >>> int(low[400]), int(high[400])
    (774, 823)
    """
    first, last = acceptance(population, n, level)
    k = np.arange(n + 1)
    return last.searchsorted(k, side="left"), first.searchsorted(k, side="right") - 1


@functools.lru_cache(maxsize=16)
def acceptance(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """The first and the last k that each count of hits 0 to N accepts.

    The set of a count is the run of fewest k that has the probability `level`, of these the likeliest. Runs are then
    moved by as little as makes their ends nondecreasing, which costs no level. For counts above N/2 they are mirrored;
    a run for N/2 itself is made symmetric, by one k more where its length does not allow it otherwise.
    """
    if population > AMO_LIMIT:
        raise CertusError(
            f"is {population}",
            f"the method 'amo' works out all counts at once and goes to {AMO_LIMIT}: take 'blaker', whose intervals "
            "are hardly longer",
            argument="positives",
        )
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
    elif (beyond := first[middle] + last[middle] - n) > 0:
        _move_down(population, n, level, middle, beyond, first, last)
    for x in range(middle - 1, -1, -1):
        if (beyond := max(first[x] - first[x + 1], last[x] - last[x + 1])) > 0:
            _move_down(population, n, level, x, beyond, first, last)
    first[population - middle :], last[population - middle :] = n - last[middle::-1], n - first[middle::-1]
    first.flags.writeable = last.flags.writeable = False  # they are kept
    return first, last


def _likeliest_run(population: int, n: int, x: int, level: float) -> tuple[int, int]:
    """The shortest run of k with the probability `level` under x hits, of these the likeliest, of equals the first."""
    here = law(population, n, x)
    size = int(np.cumsum(np.sort(here.pmf)[::-1]).searchsorted(level * (1 - SLACK * (1 - level)))) + 1
    sums = np.concatenate([[0.0], np.cumsum(here.pmf)])
    runs = sums[size:] - sums[:-size]
    start = here.first + int(np.argmax(runs >= runs.max() * (1 - SLACK * (1 - level))))
    return start, start + size - 1


def _move_down(population: int, n: int, level: float, x: int, by: int, first: Ints, last: Ints) -> None:
    """Move a run down; where that would cost level, lengthen it instead."""
    moved = law(population, n, x).between(int(first[x] - by), int(last[x] - by))
    first[x] -= by
    if moved >= level * (1 - SLACK * (1 - level)):
        last[x] -= by
