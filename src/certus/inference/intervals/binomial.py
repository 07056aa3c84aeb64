"""Limits for the probability of a binomial law that need a search: mid-P and Blaker.

The functions give both limits for `k` successes in `n` trials; `tail` is what is left out on either side.
"""

from collections.abc import Callable

from certus.inference.bisection import first_true
from certus.inference.special import (
    LARGE,
    beta_quantile,
    beta_upper_quantile,
    binomial_at_least,
    binomial_at_most,
    root,
)

Pair = tuple[float, float]


def clopper_pearson(k: int, n: int, tail: float) -> Pair:
    """The probabilities under which `k` or more, or `k` or fewer, successes have the probability `tail`."""
    low = 0.0 if k == 0 else beta_quantile(tail, k, n - k + 1)
    high = 1.0 if k == n else beta_upper_quantile(tail, k + 1, n - k)
    return low, high


def mid_p(k: int, n: int, tail: float) -> Pair:
    """The probabilities under which more than `k`, or less, and half the chance of `k` itself make up `tail`."""
    if min(k, n - k) >= LARGE:
        return beta_quantile(tail, k + 0.5, n - k + 0.5), beta_upper_quantile(tail, k + 0.5, n - k + 0.5)
    low, high = 0.0, 1.0
    if k > 0:
        end = 1.0 if k == n else beta_quantile(tail, k + 1, n - k)
        low = root(
            lambda p: (binomial_at_least(k, n, p) + binomial_at_least(k + 1, n, p)) / 2 - tail,
            beta_quantile(tail, k, n - k + 1),
            end,
        )
    if k < n:
        end = 0.0 if k == 0 else beta_upper_quantile(tail, k, n - k + 1)
        high = root(
            lambda p: tail - (binomial_at_most(k, n, p) + binomial_at_most(k - 1, n, p)) / 2,
            end,
            beta_upper_quantile(tail, k + 1, n - k),
        )
    return low, high


def blaker(k: int, n: int, tail: float) -> Pair:
    """The least and the greatest probability that Blaker's test does not refute at the level ``2 tail``.

    The test adds to the probability of the tail that holds `k` that of the largest piece of the other tail that is no
    more probable. As p moves away from the Clopper-Pearson limit p0 towards k/n, the tail with `k` grows and the piece
    of the other one, ``X <= y`` say, shrinks, until the tail with `k` is as probable as ``X <= y + 1`` and the piece
    jumps to that. There the sum is twice the tail with `k`, which beyond p0 is more than the level; so the limit is at
    that jump at the latest. Before it the sum first falls and then rises; if it is above the level just before the
    jump, it crossed the level once, and the limit is there. No step is taken that could skip a piece of the set of
    probabilities, which may have gaps: the limits are those of its hull.
    """
    if min(k, n - k) >= LARGE:
        return clopper_pearson(k, n, tail)
    return (0.0 if k == 0 else _blaker_low(k, n, tail)), (1.0 if k == n else _blaker_high(k, n, tail))


def _blaker_low(k: int, n: int, tail: float) -> float:
    start = beta_quantile(tail, k, n - k + 1)
    piece = _last(lambda y: binomial_at_most(y, n, start) <= tail, -1, k - 1)
    jump = root(lambda p: binomial_at_least(k, n, p) - binomial_at_most(piece + 1, n, p), start, k / n)

    def excess(p: float) -> float:
        return binomial_at_least(k, n, p) + binomial_at_most(piece, n, p) - 2 * tail

    return root(excess, start, jump) if excess(jump) > 0 else jump


def _blaker_high(k: int, n: int, tail: float) -> float:
    start = beta_upper_quantile(tail, k + 1, n - k)
    piece = -_last(lambda y: binomial_at_least(-y, n, start) <= tail, -n - 1, -k - 1)
    jump = root(lambda p: binomial_at_least(piece - 1, n, p) - binomial_at_most(k, n, p), k / n, start)

    def excess(p: float) -> float:
        return binomial_at_most(k, n, p) + binomial_at_least(piece, n, p) - 2 * tail

    return root(lambda p: -excess(p), jump, start) if excess(jump) > 0 else jump


def _last(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The greatest number of which a condition holds, which does hold of `low`, not of `high` and once in between."""
    return first_true(lambda middle: not holds(middle), low, high) - 1
