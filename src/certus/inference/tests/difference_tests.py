"""Tests of a difference of two values, given as a statistic of its own."""

import math

import numpy as np
from numpy.typing import NDArray

from certus.inference.interval import Limits, Request, Side
from certus.inference.intervals import plugin
from certus.inference.search import ROUNDING, passes
from certus.inference.special import binomial_at_least, normal_cdf, root
from certus.inference.tests.result import Alternative, Found
from certus.statistic import Independent, Plugin, Proportion, Statistic, counted

__all__ = [
    "bootstrap_beyond",
    "bootstrap_limits",
    "bootstrap_test",
    "mcnemar_test",
    "no_spread",
    "pooled_counts",
    "score_beyond",
    "score_limits",
    "score_test",
]

SAME = 1e-12
"""A standard error below this part of the values is rounding."""


def bootstrap_test(statistic: Plugin, alternative: Alternative, request: Request) -> Found:
    """The share of resamples whose difference lies as far from that observed as this does from 0."""
    drawn = _kept(statistic, request)
    if drawn is None:
        return math.nan, math.nan, "", 0.0, HARDLY_DEFINED
    observed = statistic.value
    slack = SAME * max(abs(observed), float(np.abs(drawn).max()))
    shifted = drawn - observed
    if alternative == "two-sided":
        reached = np.abs(shifted) >= abs(observed) - slack
    else:
        reached = shifted >= observed - slack if alternative == "greater" else shifted <= observed + slack
    p = (int(reached.sum()) + 1) / (len(drawn) + 1)
    return p, observed, counted(len(drawn), "resample"), math.sqrt(p * (1 - p) / len(drawn)), ""


def mcnemar_test(sides: tuple[int, int], method: str, alternative: Alternative) -> Found:
    """McNemar's exact test, or with half the probability of what was observed, from the units that differ.

    Its two-sided p-values are those of `certus.inference.mcnemar`.
    """
    above, below = sides
    n = above + below
    tails = []
    for wins in (above, below):
        reached, beyond = (binomial_at_least(k, n, 0.5) for k in (wins, wins + 1))
        tails.append(reached if method == "mcnemar" else (reached + beyond) / 2)
    if n == 0:
        p = 1.0
    elif alternative == "two-sided":
        p = 1.0 if above == below else min(1.0, 2 * min(tails))
    else:
        p = tails[0] if alternative == "greater" else tails[1]
    return p, float(above - below), f"binomial, {counted(n, 'unit')} that differ", 0.0, ""


def bootstrap_limits(statistic: Plugin, request: Request) -> Limits:
    """The differences that the same draws do not reject: as far from the value as the draws lie from it."""
    drawn = _kept(statistic, request)
    if drawn is None:
        return Limits.undefined(HARDLY_DEFINED)
    shifted = np.sort(drawn - statistic.value)
    place = math.floor((1 - request.level) * (1 + ROUNDING) * (len(drawn) + 1))
    if place < 1:
        return Limits(-math.inf, math.inf, f"{len(drawn)} resamples are too few for this level").within(request.bounds)
    if request.side == "two-sided":
        off = float(np.sort(np.abs(shifted))[-place])
        return Limits.around(statistic.value, off).within(request.bounds)
    return Limits(statistic.value - float(shifted[-place]), statistic.value - float(shifted[place - 1])).within(
        request.bounds
    )


def bootstrap_beyond(statistic: Plugin, shift: float, side: Side, request: Request) -> tuple[float, str]:
    """Half the share of draws that lie as far from the value as the shift: the limits of two sides look both ways."""
    drawn = _kept(statistic, request)
    if drawn is None:
        return math.nan, HARDLY_DEFINED
    value = statistic.value
    distance = value - shift if side == "greater" else shift - value
    reached = int((np.abs(drawn - value) >= distance).sum())
    return ((reached + 1) / (len(drawn) + 1) / 2 if distance > 0 else 1.0), counted(len(drawn), "resample")


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


HARDLY_DEFINED = "the metric is undefined for half or more of the bootstrap replicates"


def _kept(statistic: Plugin, request: Request) -> NDArray[np.float64] | None:
    """The replicates that have a value; None where these are few."""
    drawn = plugin.replicates(statistic, request)
    drawn = drawn[~np.isnan(drawn)]
    return None if 2 * len(drawn) <= request.replicates else drawn


def no_spread(statistic: Statistic, error: float) -> str:
    """Why there is no test of Student's."""
    if math.isnan(error):
        return "a single unit, alone or in its stratum, does not show its spread"
    return (
        f"the {counted(statistic.n, statistic.unit)} show no spread: they do not tell how far the difference can be off"
    )
