"""The hypergeometric distribution, and limits that invert one-sided tests: equal-tailed, one-sided, mid-P and Blaker's.

``P(K = k | X) = C(X, k) C(N - X, n - k) / C(N, n)`` is the chance of k hits among n items drawn without replacement
from N of which X are hits.

Of many populations at once, a row of probabilities comes from the products of ratios of neighbours over a window,
divided by their sum; that keeps thirteen digits at any size of the population, where differences of log-gamma values
would keep eight.
"""

import functools
import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from certus.core.arrays import Floats, Ints
from certus.core.errors import CertusError
from certus.inference.finite.laws import SLACK, CountDistribution, Posterior, window
from certus.inference.search import first_above, first_true
from certus.inference.special import normal_quantile

Pair = tuple[int, int]


def law(population: int, n_checked: int, hits: int) -> CountDistribution:
    """Distribution of the number of hits in the sample, if the population has `hits`."""
    big, n, x = population, n_checked, hits
    low, high = max(0, n - (big - x)), min(n, x)
    mode = min(max((n + 1) * (x + 1) // (big + 2), low), high)
    scale = math.sqrt(n * (x / big) * ((big - x) / big) * ((big - n) / max(big - 1, 1))) if big else 0.0

    def ratio(k: Floats) -> Floats:
        return (x - k) * (n - k) / ((k + 1) * (big - x - n + k + 1))

    return window(ratio, mode, low, high, scale)


def lower(k: int, n: int, population: int, tail: float) -> int:
    """One-sided lower limit: the fewest hits in the population for which ``P(K >= k)`` exceeds `tail`."""
    # Wang (2015), JASA 110(512):1491-1499, doi:10.1080/01621459.2014.966191, for its optimality.
    return _lower(k, n, population, tail, lambda law: law.upper_tail(k))


def upper(k: int, n: int, population: int, tail: float) -> int:
    """The one-sided upper limit, the mirror image of `lower`."""
    return population - lower(n - k, n, population, tail)


def equal_tailed(k: int, n: int, population: int, level: float) -> Pair:
    """Both one-sided limits at half the error each: the hypergeometric version of Clopper and Pearson's interval."""
    tail = (1 - level) / 2
    return lower(k, n, population, tail), upper(k, n, population, tail)


def mid_p(k: int, n: int, population: int, level: float) -> Pair:
    """As `equal_tailed`, with half the probability of the outcome itself: covers the level on average only."""
    tail = (1 - level) / 2
    low, high = mid_p_lower(k, n, population, tail), population - mid_p_lower(n - k, n, population, tail)
    return (low, high) if low <= high else _least_refuted(k, n, population, range(high, low + 1))


def _least_refuted(k: int, n: int, population: int, counts: range) -> Pair:
    """Counts in a range whose mid-P is nearest to one half, for an outcome for which both mid-P limits cross."""
    distances = [abs(_mid_p(law(population, n, x), k) - 0.5) for x in counts]
    nearest = [x for x, distance in zip(counts, distances, strict=True) if distance <= min(distances) + SLACK]
    return nearest[0], nearest[-1]


def mid_p_lower(k: int, n: int, population: int, tail: float) -> int:
    """Lower limit of `mid_p`, before limits that cross are replaced."""
    return _lower(k, n, population, tail, lambda law: _mid_p(law, k))


def _mid_p(law: CountDistribution, k: int) -> float:
    """Mid-P ``P(K > k) + P(K = k) / 2``."""
    return (law.upper_tail(k) + law.upper_tail(k + 1)) / 2


def _lower(k: int, n: int, population: int, tail: float, chance: Callable[[CountDistribution], float]) -> int:
    """Fewest hits in the population for which `chance`, which increases with them, exceeds `tail`."""
    if k == 0:
        return 0
    # The chance is certain when all unchecked items are hits, and so exceeds the tail there.
    max_hits = population - n + k
    guess, spread = _score_limit(k, n, population, tail)
    return first_above(lambda x: chance(law(population, n, x)), tail * (1 + SLACK), k - 1, max_hits, guess, spread)


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
    """``P(K = start[i] + j) = mass[i, j]``; each row leaves out at most 1e-17 on either side."""

    start: Ints
    mass: Floats

    def up_to(self) -> Floats:
        """``P(K < start[i] + j)`` for j from 0 to the length of the window."""
        sums = np.empty((self.mass.shape[0], self.mass.shape[1] + 1))
        sums[:, 0] = 0.0
        np.cumsum(self.mass, axis=1, out=sums[:, 1:])
        return sums


def hypergeometric_rows(size: int, n_checked: int, n_relevant: Ints) -> HypergeometricRows:
    """Distributions of relevant items in a sample, one row for each number of relevant items in the population."""
    rate = n_relevant / max(size, 1)
    # Bernstein's inequality, which holds for samples without replacement too (Hoeffding 1963, theorem 4).
    third = _LOG_CUT / 3
    reach = third + np.sqrt(third * (third + 6 * n_checked * rate * (1 - rate)))
    lowest = np.maximum(n_relevant - (size - n_checked), 0)
    highest = np.minimum(n_relevant, n_checked)
    start = np.clip(np.floor(n_checked * rate - reach).astype(np.int64), lowest, highest)
    end = np.clip(np.ceil(n_checked * rate + reach).astype(np.int64), lowest, highest)
    width = int((end - start).max(initial=0))
    k = start[:, np.newaxis] + np.arange(width)
    top = (n_relevant[:, np.newaxis] - k).astype(np.float64)
    top *= n_checked - k
    np.maximum(top, 0.0, out=top)  # 0 from the last possible count on
    bottom = (size - n_checked + 1 - n_relevant[:, np.newaxis] + k).astype(np.float64)
    bottom *= k + 1
    mass = np.ones((len(n_relevant), width + 1))
    np.divide(top, bottom, out=mass[:, 1:])
    np.cumprod(mass, axis=1, out=mass)
    mass /= mass.sum(axis=1, keepdims=True)
    return HypergeometricRows(start, mass)


def count_limits(size: int, n_checked: int, hits: int, tail: float) -> tuple[int, int]:
    """Both one-sided exact limits for the relevant items, with the error `tail` on either side."""
    # Buonaccorsi (1987), Am. Stat. 41(3):215-218, doi:10.1080/00031305.1987.10475484.
    return lower(hits, n_checked, size, tail), upper(hits, n_checked, size, tail)


def blaker(k: int, n: int, population: int, level: float) -> tuple[int, int]:
    """Fewest and most hits in the population that Blaker's test does not reject at 1 - `level`."""
    # Blaker (2000), Can. J. Stat. 28(4):783-798, doi:10.2307/3315916.
    return blaker_lower(k, n, population, 1 - level), population - blaker_lower(n - k, n, population, 1 - level)


def blaker_lower(k: int, n: int, population: int, error: float) -> int:
    """Lower limit of Blaker's interval; `error` is 1 - level.

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
    """Fewest hits, more than `x`, for which ``P(K <= y + 1)`` is at most ``P(K >= k)``."""

    def greater(z: int) -> bool:
        here = law(population, n, z)
        return here.lower_tail(y + 1) <= here.upper_tail(k) * (1 + SLACK)

    return first_true(greater, x, max_hits, guess=x + population // (2 * n), step=1 + population // (4 * n))


def column(k: int, n: int, population: int, low: int, high: int) -> Floats:
    """``P(K = k)`` for each number of hits in the population from `low` to `high`, all of them possible."""
    return Posterior(k, n, population).run(low, high) * ((population + 1) / (n + 1))


def coverage_of(low: Ints, high: Ints, population: int) -> Floats:
    """Probability that the limits contain the true count, for each true count from 0 to the population's size."""
    n = len(low) - 1
    coverage = np.zeros(population + 1)
    for k in range(n + 1):
        first, last = max(int(low[k]), k), min(int(high[k]), population - n + k)
        if first <= last:
            coverage[first : last + 1] += column(k, n, population, first, last)
    return np.minimum(coverage, 1.0)


LARGEST = 200_000
"""The largest population for which limits are made for all counts together (some ten seconds)."""


def _check_size(population: int, method: str, work: str) -> None:
    """Refuse a population that is too large for a method that goes through all its counts."""
    if population > LARGEST:
        raise CertusError(
            f"is {population}",
            f"the method {method!r} {work} at once and goes to {LARGEST}: take 'blaker', whose intervals are hardly "
            "longer",
            argument="positives",
        )


@functools.lru_cache(maxsize=16)
def wang(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """Lower and upper limits for 0 to n hits in the sample: Wang's, none of which can be moved inwards."""
    # What stops a limit keeps stopping it while others are drawn in, so at the end no limit can be drawn in alone.
    _check_size(population, "wang", "draws in all limits")
    low = np.array([lower(k, n, population, (1 - level) / 2) for k in range(n + 1)])
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
    """Raise the lower limit for k, up to `end`, as far as coverage allows, and lower the mirrored upper limit alike."""
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
    """The k from 0 to n, from the middle outwards."""
    return sorted(range(n + 1), key=lambda k: (abs(2 * k - n), -k))


def amo(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """Lower and upper limits for 0 to n hits in the sample, with the least average length."""
    first, last = acceptance(population, n, level)
    k = np.arange(n + 1)
    return last.searchsorted(k, side="left"), first.searchsorted(k, side="right") - 1


@functools.lru_cache(maxsize=16)
def acceptance(population: int, n: int, level: float) -> tuple[Ints, Ints]:
    """Acceptance regions: first and last k for each possible count of hits in the population."""
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
    """Shortest range of k with the probability `level` for x hits; of equally short ones the most probable."""
    here = law(population, n, x)
    size = int(np.cumsum(np.sort(here.mass)[::-1]).searchsorted(level * (1 - SLACK * (1 - level)))) + 1
    runs = here.up_to[size:] - here.up_to[:-size]
    start = here.start + int(np.argmax(runs >= runs.max() * (1 - SLACK * (1 - level))))
    return start, start + size - 1


def _move_down(population: int, n: int, level: float, x: int, by: int, first: Ints, last: Ints) -> None:
    """Lower the first k of the acceptance region of count x by `by`, and the last k too if coverage allows."""
    coverage = law(population, n, x).interval_probability(int(first[x] - by), int(last[x] - by))
    first[x] -= by
    if coverage >= level * (1 - SLACK * (1 - level)):
        last[x] -= by
