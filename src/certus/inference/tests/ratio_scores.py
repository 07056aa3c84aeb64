"""The ratio of two independent proportions by its score: a test and the interval that inverts it."""

import math

from certus.inference.interval import Limits, Request
from certus.inference.special import normal_cdf, root

__all__ = ["ratio_score_limits"]

FARTHEST = 300.0
"""Logarithms of ratios are searched up to this."""


def ratio_score_limits(a: int, m: int, b: int, n: int, request: Request) -> Limits:
    """The ratios that the score test does not reject; that of the ratio 1 is the score test of equal proportions.

    The second proportion has successes, as the ratio would have no value otherwise.

    Source: Koopman (1984), Biometrics 40(2):513-517, doi:10.2307/2531405; the probabilities under a ratio by Miettinen
    & Nurminen (1985), Stat. Med. 4(2):213-226, doi:10.1002/sim.4780040211.
    """
    tail = request.tail
    low = (
        0.0 if a == 0 else math.exp(root(lambda log: normal_cdf(-_score(a, m, b, n, log)) - tail, -FARTHEST, FARTHEST))
    )
    high = math.exp(root(lambda log: tail - normal_cdf(_score(a, m, b, n, log)), -FARTHEST, FARTHEST))
    return Limits(low, high).within(request.bounds)


def _score(a: int, m: int, b: int, n: int, log: float) -> float:
    """The first share less the ratio times the second, over its error by the probabilities most likely there."""
    ratio = math.exp(log)
    off = a / m - ratio * b / n
    # The larger root of the quadratic is beyond 1; the product of both avoids a difference of large numbers.
    linear = (m + b) * ratio + a + n
    second = 2 * (a + b) / (linear + math.sqrt(max(0.0, linear**2 - 4 * (m + n) * ratio * (a + b))))
    first = min(1.0, ratio * second)
    variance = first * (1 - first) / m + ratio**2 * second * (1 - second) / n
    if off == 0 or not variance > 0:
        return 0.0 if off == 0 else math.copysign(math.inf, off)
    return off / math.sqrt(variance)
