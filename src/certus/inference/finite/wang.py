"""Exact limits that cannot be drawn in any further, after Wang."""

import functools

import numpy as np

from certus.arrays import Floats, Ints
from certus.errors import CertusError, called
from certus.inference.finite import table
from certus.inference.finite.unimodal import SLACK

__all__ = ["WANG_LIMIT", "wang"]


WANG_LIMIT = 200_000
"""The largest population for which all limits are drawn in together."""


@functools.lru_cache(maxsize=16)
def wang(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """The lower and the upper limits for 0 to n hits among the checked.

    The equal-tailed limits are drawn in one k after the other, each as far as every count it gives up stays covered by
    the others. The limits for n - k hits mirror those for k. What stops a limit keeps stopping it while others are
    drawn in, so at the end no limit can be drawn in alone: the intervals are admissible by set inclusion.

    Raises
    ------
    CertusError
        The population is greater than 200,000.

    Source: Wang (2015), JASA 110(512):1491-1499, doi:10.1080/01621459.2014.966191.

    Examples
    --------
    >>> low, high = wang(1000, 500, 0.95)
    >>> int(low[400]), int(high[400])
    (774, 823)
    """
    if population > WANG_LIMIT:
        raise CertusError(
            f"{called('positives')} is {population}; the method 'wang' draws in all limits at once and goes to "
            f"{WANG_LIMIT}: take 'blaker', whose intervals are hardly longer"
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
