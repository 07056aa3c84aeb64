"""The hypergeometric law, and limits that invert one-sided tests: equal-tailed, one-sided and mid-P.

``P(K = k | X) = C(X, k) C(N - X, n - k) / C(N, n)`` is the chance of k hits among n items drawn without replacement
from N of which X are hits.
"""

import math
from collections.abc import Callable

from certus.arrays import Floats
from certus.inference.finite.unimodal import SLACK, Window, least_above, window
from certus.inference.special import normal_quantile

__all__ = ["equal_tailed", "law", "lower", "mid_p", "mid_p_lower", "upper"]

Pair = tuple[int, int]


def law(population: int, checked: int, hits: int) -> Window:
    """The law of the number of hits among the checked when there are `hits` in the population.

    Examples
    --------
    >>> round(law(10, 4, 5).at(2) * 210, 12)  # 10 * 10 ways of 210
    100.0
    """
    big, n, x = population, checked, hits
    low, high = max(0, n - (big - x)), min(n, x)
    mode = min(max((n + 1) * (x + 1) // (big + 2), low), high)
    scale = math.sqrt(n * (x / big) * ((big - x) / big) * ((big - n) / max(big - 1, 1))) if big else 0.0

    def ratio(k: Floats) -> Floats:
        return (x - k) * (n - k) / ((k + 1) * (big - x - n + k + 1))

    return window(ratio, mode, low, high, scale)


def lower(k: int, n: int, population: int, tail: float) -> int:
    """The one-sided lower limit: the least number of hits under which `k` or more have more than the chance `tail`.

    It covers in at least a share 1 - `tail` of samples, and no other monotone limit that does is greater.

    Source: Wang (2015), JASA 110(512):1491-1499, doi:10.1080/01621459.2014.966191, for its optimality.

    Examples
    --------
    >>> lower(400, 500, 1000, 0.025)
    774
    """
    return _lower(k, n, population, tail, lambda law: law.at_least(k))


def upper(k: int, n: int, population: int, tail: float) -> int:
    """The one-sided upper limit, the mirror image of `lower`."""
    return population - lower(n - k, n, population, tail)


def equal_tailed(k: int, n: int, population: int, level: float) -> Pair:
    """Both one-sided limits with half the error each: what Clopper and Pearson's is for the binomial law.

    Examples
    --------
    >>> equal_tailed(400, 500, 1000, 0.95)
    (774, 824)
    """
    tail = (1 - level) / 2
    return lower(k, n, population, tail), upper(k, n, population, tail)


def mid_p(k: int, n: int, population: int, level: float) -> Pair:
    """As `equal_tailed`, with half the probability of the outcome itself: near the level on average, not always.

    At low levels the tests may refute every count. The limits are then the count that they refute least, the one whose
    two probabilities are nearest to each other; or two counts that are equally near.

    Examples
    --------
    >>> mid_p(400, 500, 1000, 0.95)
    (775, 823)
    >>> mid_p(10, 29, 30, 0.3)
    (10, 10)
    """
    tail = (1 - level) / 2
    low, high = mid_p_lower(k, n, population, tail), population - mid_p_lower(n - k, n, population, tail)
    return (low, high) if low <= high else _least_refuted(k, n, population, range(high, low + 1))


def _least_refuted(k: int, n: int, population: int, counts: range) -> Pair:
    """Of the counts around the place where the two mid-P tests change over, those that both refute least."""
    apart = [abs(_mid_p(law(population, n, x), k) - 0.5) for x in counts]
    nearest = [x for x, distance in zip(counts, apart, strict=True) if distance <= min(apart) + SLACK]
    return nearest[0], nearest[-1]


def mid_p_lower(k: int, n: int, population: int, tail: float) -> int:
    """The lower limit of `mid_p`, where its tests do not refute every count."""
    return _lower(k, n, population, tail, lambda law: _mid_p(law, k))


def _mid_p(law: Window, k: int) -> float:
    """The probability of more than `k` hits and half that of `k`."""
    return (law.at_least(k) + law.at_least(k + 1)) / 2


def _lower(k: int, n: int, population: int, tail: float, chance: Callable[[Window], float]) -> int:
    """The least count of hits under which a chance that grows with it exceeds `tail`."""
    if k == 0:
        return 0
    # The chance is certain when all unchecked items are hits, and so exceeds the tail there.
    most = population - n + k
    guess, spread = _score_limit(k, n, population, tail)
    return least_above(lambda x: chance(law(population, n, x)), tail * (1 + SLACK), k - 1, most, guess, spread)


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
