"""Tests of a difference of two values, given as a statistic of its own."""

import math

import numpy as np

from certus.inference import plugin, studentized
from certus.inference._special import binomial_at_least, normal_cdf
from certus.inference.interval import Request
from certus.inference.paired_result import Alternative, Found
from certus.statistic import Bounds, Independent, Plugin, Proportion, Statistic, counted

__all__ = ["bootstrap_test", "mcnemar_test", "score_test", "t_test"]

SAME = 1e-12
"""A standard error below this part of the values is rounding."""


def t_test(statistic: Statistic, size: float, bounds: Bounds, alternative: Alternative) -> Found:
    """The difference over its standard error; `size` is that of the values, which their rounding goes with."""
    error, freedom = studentized.error_and_freedom(statistic, bounds)
    if not error > SAME * size:
        if statistic.value == 0 and not (math.isnan(error) and statistic.n == 1):
            return 1.0, 0.0, "no differences", 0.0, ""
        return math.nan, math.nan, "", 0.0, _no_spread(statistic, error)
    ratio = statistic.value / error
    return (
        studentized.p_value(ratio, freedom, alternative),
        ratio,
        studentized.described(freedom),
        0.0,
        "",
    )


def bootstrap_test(statistic: Plugin, alternative: Alternative, request: Request) -> Found:
    """The share of resamples whose difference lies as far from that observed as this does from 0."""
    drawn = plugin.replicates(statistic, request)
    drawn = drawn[~np.isnan(drawn)]
    if 2 * len(drawn) <= request.replicates:
        why = "the metric is undefined for half or more of the bootstrap replicates"
        return math.nan, math.nan, "", 0.0, why
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


def score_test(statistic: Independent, alternative: Alternative) -> Found | None:
    """Two independent proportions, with the error that they have if both are the pooled one; None for other forms."""
    a, b = statistic.a, statistic.b
    if not (isinstance(a, Proportion) and isinstance(b, Proportion) and a.scale == b.scale == "linear"):
        return None
    pooled = (a.successes + b.successes) / (a.trials + b.trials)
    error = math.sqrt(pooled * (1 - pooled) * (1 / a.trials + 1 / b.trials))
    if error == 0:
        return 1.0, 0.0, "no differences", 0.0, ""
    z = statistic.value / error
    p = (
        min(1.0, 2 * normal_cdf(-abs(z)))
        if alternative == "two-sided"
        else normal_cdf(-z if alternative == "greater" else z)
    )
    return p, z, "normal", 0.0, ""


def _no_spread(statistic: Statistic, error: float) -> str:
    if math.isnan(error):
        return "a single unit, alone or in its stratum, does not show its spread"
    return (
        f"the {counted(statistic.n, statistic.unit)} show no spread: they do not tell how far the difference can be off"
    )
