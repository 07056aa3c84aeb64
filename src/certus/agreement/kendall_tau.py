"""Kendall's tau."""

import math
from functools import partial
from typing import Literal

import numpy as np

from certus.agreement._correlation import (
    MOST_ENUMERATED,
    Alternative,
    Finding,
    RankCorrelation,
    concordance_tails,
    normal_tails,
    orders,
    sided,
)
from certus.agreement._rankings import Scores, paired_scores, ranks, signs, single_valued
from certus.arrays import Ints
from certus.errors import MetricNameError
from certus.inference.interval import check_alternative
from certus.statistic import Influence

MOST_EXACT = 300
"""Items up to which the law of the number of inversions is computed; beyond, the normal law is right to 0.0005."""


def kendall_tau(
    a: Scores,
    b: Scores,
    *,
    variant: Literal["b", "a"] = "b",
    alternative: Alternative = "two-sided",
    unit: str = "item",
) -> RankCorrelation:
    """Pairs of items that two rankings order alike, less those they order differently, as a share.

    ``(C - D) / sqrt((P - T_a) (P - T_b))`` with C concordant and D discordant pairs, P pairs in all, and T_a, T_b pairs
    that are tied in `a` and in `b`; variant ``"a"`` divides by P instead. Without ties the two are one.

    Parameters
    ----------
    a, b
        Scores of the same items: two mappings from name to score, or two sequences in one order.
    variant
        ``"b"``: ties are taken out of the denominator, so that equal rankings with ties have tau 1. ``"a"``: they stay
        in, and the value is the mean over all pairs of +1, -1 and, for a tie, 0.
    alternative
        Of the test: ``"greater"`` is agreement, ``"less"`` the opposite order.
    unit
        What an item is, in the singular.

    Returns
    -------
    RankCorrelation
        In [-1, 1]; NaN where one ranking has all items tied. The interval is for the tau of the population from which
        the items were drawn: Fisher's z with the jackknife's variance of a U-statistic. Two rankings that agree wholly,
        without ties, show no spread; their limit is exact: were tau smaller, ``n // 2`` separate pairs would hardly all
        be concordant.

        Without ties p is exact up to 300 items; with ties it is exact up to 9 (all orders are listed) and beyond uses
        the normal law with the variance corrected for ties.

    Raises
    ------
    DataError
        The scores do not pair up, hold NaN, or there are fewer than two.
    MetricNameError
        There is no such variant or alternative.

    References
    ----------
    Kendall (1938), Biometrika 30(1/2):81-93, doi:10.1093/biomet/30.1-2.81. The variance: Noether (1967), Elements of
    Nonparametric Statistics; ties: Kendall (1945), Biometrika 33(3):239-251, doi:10.1093/biomet/33.3.239.

    Examples
    --------
    >>> by_ap = {"bm25": 0.21, "dense": 0.28, "splade": 0.31, "tfidf": 0.18, "fused": 0.34}
    >>> by_rr = {"bm25": 0.45, "dense": 0.61, "splade": 0.58, "tfidf": 0.40, "fused": 0.66}
    >>> tau = kendall_tau(by_ap, by_rr, unit="system")
    >>> float(tau), round(tau.p, 4), tau.how
    (0.8, 0.0833, 'exact')
    """
    if variant not in ("b", "a"):
        raise MetricNameError(f"is {variant!r}", "it must be 'b' or 'a'", argument="variant")
    check_alternative(alternative)
    first, second = paired_scores(a, b)
    reason = single_valued(first, second)
    x, y = ranks(first), ranks(second)
    return RankCorrelation(
        Influence(math.nan, (len(x),), (math.nan,), undefined_reason=reason, unit=unit)
        if reason
        else _statistic(x, y, variant, unit),
        metric=f"Kendall's tau-{variant}",
        bounds=(-1.0, 1.0),
        conventions={"variant": variant},
        alternative=alternative,
        test=partial(_test, x, y, alternative),
    )


def _statistic(x: Ints, y: Ints, variant: str, unit: str) -> Influence:
    n = len(x)
    pairs = n * (n - 1)  # each from both its items
    agreeing = signs(x, y)
    total = int(agreeing.sum())
    untied_counts = [n - np.bincount(column)[column] for column in (x, y)]
    sums = [int(column_counts.sum()) for column_counts in untied_counts]
    tied = sums != [pairs, pairs]
    scale = math.sqrt(sums[0] * sums[1]) if variant == "b" and tied else float(pairs)
    value = min(max(total / scale, -1.0), 1.0)
    if abs(value) == 1 and not tied:
        return Influence(value, (n,), (0.0,), exact=partial(_exact, n, value), unit=unit)
    # The projections of the three U-statistics; a quotient's follow by the delta method.
    projected = agreeing / scale
    if variant == "b":
        projected = projected - value / 2 * (untied_counts[0] / sums[0] + untied_counts[1] / sums[1])
    else:
        projected = projected - total / scale / n
    # Jackknife: leaving out an item leaves n - 2 partners to each of the others.
    return Influence.of_strata(value, (np.asarray(2 * n * (n - 1) / max(n - 2, 1) * projected),), unit=unit)


def _exact(n: int, value: float, tail: float) -> tuple[float, float]:
    """Limits for rankings that agree, or disagree, on every pair."""
    inner = 2 * tail ** (1 / (n // 2)) - 1
    return (inner, 1.0) if value > 0 else (-1.0, -inner)


def _test(x: Ints, y: Ints, alternative: Alternative) -> Finding:
    n, total = len(x), int(signs(x, y).sum()) // 2
    times = [np.bincount(column) for column in (x, y)]
    tied = any(int(column_times.max()) > 1 for column_times in times)
    if not tied and n <= MOST_EXACT:
        return sided(*concordance_tails(n, (n * (n - 1) // 2 - total) // 2), alternative), "exact"
    if n <= MOST_ENUMERATED:
        concordances = np.zeros(len(orders(n)), dtype=np.int64)
        shuffled = y.astype(np.int8)[orders(n)]
        for i in range(n):
            for j in range(i):
                concordances += np.sign(x[i] - x[j]) * np.sign(shuffled[:, i] - shuffled[:, j])
        return sided(
            float((concordances <= total).mean()), float((concordances >= total).mean()), alternative
        ), "enumeration"
    return sided(*normal_tails(total, math.sqrt(_variance(n, *times))), alternative), "normal"


def _variance(n: int, s: Ints, t: Ints) -> float:
    """Variance of S over random orders, given the tie group sizes (Kendall 1970, equation 4.4)."""

    def moments(sizes: Ints) -> tuple[float, float, float]:
        g = sizes.astype(np.float64)
        pairs = float((g * (g - 1)).sum())
        return pairs, float((g * (g - 1) * (g - 2)).sum()), float((g * (g - 1) * (2 * g + 5)).sum())

    (s2, s3, s5), (t2, t3, t5) = moments(s), moments(t)
    pairs = float(n) * (n - 1)
    variance = (pairs * (2 * n + 5) - s5 - t5) / 18 + s2 * t2 / (2 * pairs)
    return variance + s3 * t3 / (9 * pairs * (n - 2)) if n > 2 else variance
