"""Two independent proportions: the score test, and the differences and ratios that it does not reject."""

import math

from certus.inference.interval import Limits, Request, Side
from certus.inference.special import normal_cdf, root
from certus.inference.tests.result import Alternative, Found
from certus.inference.tests.search import passes
from certus.statistic import Proportion
from certus.statistic.folds import Independent

FARTHEST = 300.0
"""Logarithms of ratios are searched up to this."""


def pooled_counts(statistic: Independent) -> tuple[int, int, int, int] | None:
    """Successes and trials of two independent proportions; None for other forms."""
    a, b = statistic.a, statistic.b
    if not (isinstance(a, Proportion) and isinstance(b, Proportion) and a.scale == b.scale == "linear"):
        return None
    return a.successes, a.trials, b.successes, b.trials


def score_test(a: int, m: int, b: int, n: int, alternative: Alternative) -> Found:
    """Two independent proportions, with the error that they have if both are the pooled one."""
    z = _score(a, m, b, n, 0.0)
    if a * n == b * m:
        return 1.0, 0.0, "no differences" if a + b in (0, m + n) else "normal", 0.0, ""
    p = (
        min(1.0, 2 * normal_cdf(-abs(z)))
        if alternative == "two-sided"
        else normal_cdf(-z if alternative == "greater" else z)
    )
    return p, z, "normal", 0.0, ""


def score_limits(a: int, m: int, b: int, n: int, request: Request) -> Limits:
    """The differences that the score test does not reject, see `score_test` for the one of 0.

    Source: Mee (1984), Biometrics 40(4):1175-1176; the probabilities under a difference by Miettinen & Nurminen (1985),
    Stat. Med. 4(2):213-226, doi:10.1002/sim.4780040211.
    """
    low = _score_lower(a, m, b, n, request.tail)
    return Limits(low, -_score_lower(b, n, a, m, request.tail)).within(request.bounds)


def score_beyond(a: int, m: int, b: int, n: int, shift: float, side: Side, _request: Request) -> tuple[float, str]:
    """The same test of any difference."""
    z = _score(a, m, b, n, shift) if side == "greater" else _score(b, n, a, m, -shift)
    return normal_cdf(-z), "normal"


def _score_lower(a: int, m: int, b: int, n: int, tail: float) -> float:
    def p(d: float) -> float:
        return normal_cdf(-_score(a, m, b, n, d))

    ends = (-1.0, 0.0) if passes(p(0.0), tail) else (0.0, 1.0)
    return root(lambda d: p(d) - tail, *ends)


def _score(a: int, m: int, b: int, n: int, d: float) -> float:
    """The distance of the two shares from d over its error, by the probabilities most likely where it is d."""
    off = a / m - b / n - d
    if off == 0 or abs(d) >= 1:
        return 0.0 if off == 0 else math.copysign(math.inf, off)
    second = _restricted(a, m, b, n, d)
    first = min(max(second + d, 0.0), 1.0)
    variance = first * (1 - first) / m + second * (1 - second) / n
    return off / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, off)


def _restricted(a: int, m: int, b: int, n: int, d: float) -> float:
    """The most likely probability of the second proportion, where the first is larger by d."""
    if d == 0:
        return (a + b) / (m + n)

    def falling(p: float) -> float:
        """Minus the derivative of the logarithm of the likelihood, times all denominators."""
        q = p + d
        return -((a * (1 - q) - (m - a) * q) * p * (1 - p) + (b * (1 - p) - (n - b) * p) * q * (1 - q))

    low, high = max(0.0, -d), min(1.0, 1.0 - d)
    return root(falling, low, high)


def ratio_score_limits(a: int, m: int, b: int, n: int, request: Request) -> Limits:
    """The ratios that the score test does not reject; that of the ratio 1 is the score test of equal proportions.

    The second proportion has successes, as the ratio would have no value otherwise.

    Source: Koopman (1984), Biometrics 40(2):513-517, doi:10.2307/2531405; the probabilities under a ratio by Miettinen
    & Nurminen (1985), Stat. Med. 4(2):213-226, doi:10.1002/sim.4780040211.
    """
    tail = request.tail

    def above(log: float) -> float:
        return normal_cdf(-_ratio_score(a, m, b, n, log)) - tail

    def below(log: float) -> float:
        return tail - normal_cdf(_ratio_score(a, m, b, n, log))

    low = 0.0 if a == 0 else math.exp(root(above, -FARTHEST, FARTHEST))
    high = math.exp(root(below, -FARTHEST, FARTHEST))
    return Limits(low, high).within(request.bounds)


def _ratio_score(a: int, m: int, b: int, n: int, log: float) -> float:
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
