"""The hypergeometric law, and limits that invert one-sided tests: equal-tailed, one-sided, mid-P and Blaker's.

``P(K = k | X) = C(X, k) C(N - X, n - k) / C(N, n)`` is the chance of k hits among n items drawn without replacement
from N of which X are hits.

Of many populations at once, a row of probabilities comes from the products of ratios of neighbours over a window,
divided by their sum; that keeps thirteen digits at any size of the population, where differences of log-gamma values
would keep eight.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from certus.core.arrays import Floats, Ints
from certus.inference.bisection import first_true, least_above
from certus.inference.finite.unimodal import SLACK, CountLaw, window
from certus.inference.special import normal_quantile

Pair = tuple[int, int]


def law(population: int, checked: int, hits: int) -> CountLaw:
    """The law of the number of hits among the checked when there are `hits` in the population."""
    big, n, x = population, checked, hits
    low, high = max(0, n - (big - x)), min(n, x)
    mode = min(max((n + 1) * (x + 1) // (big + 2), low), high)
    scale = math.sqrt(n * (x / big) * ((big - x) / big) * ((big - n) / max(big - 1, 1))) if big else 0.0

    def ratio(k: Floats) -> Floats:
        return (x - k) * (n - k) / ((k + 1) * (big - x - n + k + 1))

    return window(ratio, mode, low, high, scale)


def lower(k: int, n: int, population: int, tail: float) -> int:
    """The one-sided lower limit: the least number of hits under which `k` or more have more than the chance `tail`."""
    # Wang (2015), JASA 110(512):1491-1499, doi:10.1080/01621459.2014.966191, for its optimality.
    return _lower(k, n, population, tail, lambda law: law.upper_tail(k))


def upper(k: int, n: int, population: int, tail: float) -> int:
    """The one-sided upper limit, the mirror image of `lower`."""
    return population - lower(n - k, n, population, tail)


def equal_tailed(k: int, n: int, population: int, level: float) -> Pair:
    """Both one-sided limits with half the error each: what Clopper and Pearson's is for the binomial law."""
    tail = (1 - level) / 2
    return lower(k, n, population, tail), upper(k, n, population, tail)


def mid_p(k: int, n: int, population: int, level: float) -> Pair:
    """As `equal_tailed`, with half the probability of the outcome itself: near the level on average, not always."""
    tail = (1 - level) / 2
    low, high = mid_p_lower(k, n, population, tail), population - mid_p_lower(n - k, n, population, tail)
    return (low, high) if low <= high else _least_refuted(k, n, population, range(high, low + 1))


def _least_refuted(k: int, n: int, population: int, counts: range) -> Pair:
    """Counts that both mid-P tests refute least, among those around the place where the tests change over."""
    distances = [abs(_mid_p(law(population, n, x), k) - 0.5) for x in counts]
    nearest = [x for x, distance in zip(counts, distances, strict=True) if distance <= min(distances) + SLACK]
    return nearest[0], nearest[-1]


def mid_p_lower(k: int, n: int, population: int, tail: float) -> int:
    """The lower limit of `mid_p`, where its tests do not refute every count."""
    return _lower(k, n, population, tail, lambda law: _mid_p(law, k))


def _mid_p(law: CountLaw, k: int) -> float:
    """The probability of more than `k` hits and half that of `k`."""
    return (law.upper_tail(k) + law.upper_tail(k + 1)) / 2


def _lower(k: int, n: int, population: int, tail: float, chance: Callable[[CountLaw], float]) -> int:
    """The least count of hits under which a chance that grows with it exceeds `tail`."""
    if k == 0:
        return 0
    # The chance is certain when all unchecked items are hits, and so exceeds the tail there.
    max_hits = population - n + k
    guess, spread = _score_limit(k, n, population, tail)
    return least_above(lambda x: chance(law(population, n, x)), tail * (1 + SLACK), k - 1, max_hits, guess, spread)


def _score_limit(k: int, n: int, population: int, tail: float) -> tuple[float, float]:
    """Wilson's limit with the corrections for continuity and for a finite population, and its standard error."""
    if n == population:
        return k, 0.0
    trials = n * ((population - 1) / (population - n))
    z, share = -normal_quantile(tail), (k - 0.5) / n
    variance = max(share * (1 - share), 0.0) / trials
    center = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half_width = z * math.sqrt(variance + (z / (2 * trials)) ** 2) / (1 + z * z / trials)
    limit = max(center - half_width, 0.0)
    return population * limit, population * math.sqrt(max(limit * (1 - limit), 1e-12) / trials)


_LOG_CUT = math.log(2e17)


class HypergeometricRows(NamedTuple):
    """``P(K = start[i] + j) = mass[i, j]``, but for at most 1e-17 on either side of the window."""

    start: Ints
    mass: Floats

    def up_to(self) -> Floats:
        """``P(K < start[i] + j)`` for j from 0 to the length of the window."""
        sums = np.empty((self.mass.shape[0], self.mass.shape[1] + 1))
        sums[:, 0] = 0.0
        np.cumsum(self.mass, axis=1, out=sums[:, 1:])
        return sums


def hypergeometric_rows(size: int, checked: int, relevant: Ints) -> HypergeometricRows:
    """Laws for the relevant items in a sample, one row for each number of relevant items in the population."""
    rate = relevant / max(size, 1)
    # Bernstein's inequality, which holds for samples without replacement too (Hoeffding 1963, theorem 4).
    third = _LOG_CUT / 3
    reach = third + np.sqrt(third * (third + 6 * checked * rate * (1 - rate)))
    lowest = np.maximum(relevant - (size - checked), 0)
    highest = np.minimum(relevant, checked)
    start = np.clip(np.floor(checked * rate - reach).astype(np.int64), lowest, highest)
    end = np.clip(np.ceil(checked * rate + reach).astype(np.int64), lowest, highest)
    width = int((end - start).max(initial=0))
    k = start[:, np.newaxis] + np.arange(width)
    top = (relevant[:, np.newaxis] - k).astype(np.float64)
    top *= checked - k
    np.maximum(top, 0.0, out=top)  # 0 from the last possible count on
    bottom = (size - checked + 1 - relevant[:, np.newaxis] + k).astype(np.float64)
    bottom *= k + 1
    mass = np.ones((len(relevant), width + 1))
    np.divide(top, bottom, out=mass[:, 1:])
    np.cumprod(mass, axis=1, out=mass)
    mass /= mass.sum(axis=1, keepdims=True)
    return HypergeometricRows(start, mass)


def count_limits(size: int, checked: int, hits: int, tail: float) -> tuple[int, int]:
    """Both one-sided exact limits for the relevant items, with the error `tail` on either side."""
    # Buonaccorsi (1987), Am. Stat. 41(3):215-218, doi:10.1080/00031305.1987.10475484.
    return lower(hits, checked, size, tail), upper(hits, checked, size, tail)


def blaker(k: int, n: int, population: int, level: float) -> tuple[int, int]:
    """The least and the greatest number of hits that Blaker's test does not refute at 1 - `level`."""
    # Blaker (2000), Can. J. Stat. 28(4):783-798, doi:10.2307/3315916.
    return blaker_lower(k, n, population, 1 - level), population - blaker_lower(n - k, n, population, 1 - level)


def blaker_lower(k: int, n: int, population: int, error: float) -> int:
    """The lower limit at the error 1 - level.

    Below the equal-tailed limit the smaller tail is at most half the error, and the p-value at most twice that. From
    there on X is walked up in stretches in which the piece ``K <= y`` of the other tail stays the same. In a stretch
    the p-value ``P(K >= k) + P(K <= y)`` first falls and then rises, because the ratio of what the two tails gain and
    lose from X to X + 1 is monotone. So a stretch that starts below the error is above it, if at all, from some X to
    its end, and no X is passed over unseen.
    """
    if k == 0:
        return 0
    max_hits = population - n + k
    x = lower(k, n, population, error / 2)
    bound = error * (1 + SLACK)

    def likely(y: int, z: int) -> bool:
        there = law(population, n, z)
        return there.upper_tail(k) + there.lower_tail(y) > bound

    while True:
        here = law(population, n, x)
        tail = here.upper_tail(k)
        # From 1/2 on the other tail is taken whole, and the p-value is 1.
        if tail > bound or tail >= 0.5:
            return x
        # The greatest y for which ``P(K <= y)`` is at most the tail.
        y = here.start + int(here.up_to[1:].searchsorted(tail * (1 + SLACK), side="right")) - 1
        if tail + here.lower_tail(y) > bound:
            return x
        end = _next_stretch(k, y, n, population, x, max_hits) - 1
        if likely(y, end):
            return first_true(partial(likely, y), x, end)
        x = end + 1


def _next_stretch(k: int, y: int, n: int, population: int, x: int, max_hits: int) -> int:
    """The least number of hits beyond `x` under which a greater piece than ``K <= y`` is no more probable."""

    def greater(z: int) -> bool:
        here = law(population, n, z)
        return here.lower_tail(y + 1) <= here.upper_tail(k) * (1 + SLACK)

    return first_true(greater, x, max_hits, guess=x + population // (2 * n), step=1 + population // (4 * n))
