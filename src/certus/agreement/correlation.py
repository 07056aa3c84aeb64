"""Rank correlations with their p-values under independence: Kendall's tau and Spearman's rho."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.agreement._rankings import Scores, paired_scores, ranks, signs, single_valued
from certus.core.arrays import Floats, Ints
from certus.core.errors import MetricNameError
from certus.inference import Estimate
from certus.inference.interval import check_alternative
from certus.inference.special import normal_cdf, t_cdf
from certus.statistic import Influence

Alternative = Literal["two-sided", "greater", "less"]
Finding = tuple[float, str]
"""The p-value, and how it was computed."""

MOST_ENUMERATED = 9
"""All orders of up to this many items are listed: 362,880."""


@dataclass(frozen=True, eq=False, repr=False)
class RankCorrelation(Estimate):
    """A rank correlation: an `Estimate` that also has a p-value.

    Attributes
    ----------
    alternative
        The side of the test.
    test
        Gives the p-value and how it was computed; asked when first needed.
    """

    alternative: Alternative = "two-sided"
    test: Callable[[], Finding] | None = None

    @cached_property
    def _tested(self) -> Finding:
        return (float("nan"), "") if self.reason or self.test is None else self.test()

    @property
    def p(self) -> float:
        """P-value of the null that either order says nothing about the other; NaN where `reason` says so."""
        return self._tested[0]

    @property
    def method_note(self) -> str:
        """The way p was computed: ``"exact"``, ``"enumeration"``, ``"normal"`` or ``"t"``."""
        return self._tested[1]

    def __str__(self) -> str:
        text = super().__str__()
        return text if self.reason else f"{text}; p = {self.p:.4g} ({self.method_note})"


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
    >>> float(tau), round(tau.p, 4), tau.method_note
    (0.8, 0.0833, 'exact')
    """
    if variant not in ("b", "a"):
        raise MetricNameError(f"is {variant!r}", "it must be 'b' or 'a'", argument="variant")
    statistic = partial(_tau, variant=variant)
    correlation = _correlation(a, b, f"Kendall's tau-{variant}", statistic, _test_of_tau, alternative, unit)
    return replace(correlation, conventions={"variant": variant})


def _tau(x: Ints, y: Ints, unit: str, variant: str) -> Influence:
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


def _test_of_tau(x: Ints, y: Ints, alternative: Alternative) -> Finding:
    n, total = len(x), int(signs(x, y).sum()) // 2
    times = [np.bincount(column) for column in (x, y)]
    tied = any(int(column_times.max()) > 1 for column_times in times)
    if not tied and n <= MOST_EXACT:
        return _sided(*_concordance_tails(n, (n * (n - 1) // 2 - total) // 2), alternative), "exact"
    if n <= MOST_ENUMERATED:
        concordances = np.zeros(len(_orders(n)), dtype=np.int64)
        shuffled = y.astype(np.int8)[_orders(n)]
        for i in range(n):
            for j in range(i):
                concordances += np.sign(x[i] - x[j]) * np.sign(shuffled[:, i] - shuffled[:, j])
        return _sided(
            float((concordances <= total).mean()), float((concordances >= total).mean()), alternative
        ), "enumeration"
    return _sided(*_normal_tails(total, math.sqrt(_variance(n, *times))), alternative), "normal"


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


def spearman(a: Scores, b: Scores, *, alternative: Alternative = "two-sided", unit: str = "item") -> RankCorrelation:
    """Pearson's correlation of the ranks of the items in two rankings; tied items share their mean rank.

    Parameters
    ----------
    a, b
        Scores of the same items: two mappings from name to score, or two sequences in one order.
    alternative
        Of the test: ``"greater"`` is agreement, ``"less"`` the opposite order.
    unit
        What an item is, in the singular.

    Returns
    -------
    RankCorrelation
        In [-1, 1]; NaN where one ranking has all items tied. The interval is for the population from which the items
        were drawn: Fisher's z with the variance of the influence values, in which the ranks themselves vary. Rankings
        without ties that agree wholly have an exact limit: that of Kendall's tau, carried over by Daniels' inequality.

        p is exact up to 9 items (all orders are listed, with ties as they are); beyond it uses Student's t.

    Raises
    ------
    DataError
        The scores do not pair up, hold NaN, or there are fewer than two.
    MetricNameError
        There is no such alternative.

    References
    ----------
    Spearman (1904), American Journal of Psychology 15(1):72-101, doi:10.2307/1412159. Daniels (1950), JRSS B
    12(2):171-191.

    Examples
    --------
    >>> rho = spearman([0.21, 0.28, 0.31, 0.18, 0.34], [0.45, 0.61, 0.58, 0.40, 0.66])
    >>> round(float(rho), 4), round(rho.p, 4), rho.method_note
    (0.9, 0.0833, 'enumeration')
    """
    return _correlation(a, b, "Spearman's rho", _rho, _test_of_rho, alternative, unit)


def _centred(values: Ints) -> Floats:
    """Twice the mean rank less twice the mean of the ranks: a whole number, from -(n - 1) to n - 1."""
    times = np.bincount(values)
    return (2 * np.cumsum(times) - times)[values].astype(np.float64) - len(values)


def _rho(x: Ints, y: Ints, unit: str) -> Influence:
    # A metric of regression too: its influence values and resamples serve here.
    from certus.data import Targets
    from certus.metrics.regression.correlation import spearman as metric

    n = len(x)
    statistic: Any = metric.compute(Targets(x.astype(np.float64), y.astype(np.float64)))
    if abs(statistic.value) == 1 and len(np.unique(x)) == len(np.unique(y)) == n:
        return Influence(statistic.value, (n,), (0.0,), exact=partial(_exact_rho, n, statistic.value), unit=unit)
    with_unit: Influence = replace(statistic, unit=unit)
    return with_unit


def _exact_rho(n: int, value: float, tail: float) -> tuple[float, float]:
    tau = _exact(n, 1.0, tail)[0]
    inner = (3 * tau - 1) / 2 if tau >= 0 else (tau * tau + 2 * tau - 1) / 2
    return (inner, 1.0) if value > 0 else (-1.0, -inner)


def _test_of_rho(x: Ints, y: Ints, alternative: Alternative) -> Finding:
    n, r, s = len(x), _centred(x), _centred(y)
    total = float((r * s).sum())
    if n <= MOST_ENUMERATED:
        sums = s[_orders(n)] @ r  # sums of whole numbers: exact
        return _sided(float((sums <= total).mean()), float((sums >= total).mean()), alternative), "enumeration"
    value = total / math.sqrt(float((r * r).sum()) * float((s * s).sum()))
    t = math.copysign(math.inf, value) if abs(value) >= 1 else value * math.sqrt((n - 2) / (1 - value * value))
    return _sided(t_cdf(t, n - 2), t_cdf(-t, n - 2), alternative), "t"


def undefined(reason: str, n: int, unit: str) -> Influence:
    """Statistic without a value, for a reason."""
    return Influence(math.nan, (n,), (math.nan,), undefined_reason=reason, unit=unit)


def _correlation(
    a: Scores,
    b: Scores,
    metric: str,
    statistic: Callable[[Ints, Ints, str], Influence],
    test: Callable[[Ints, Ints, Alternative], Finding],
    alternative: Alternative,
    unit: str,
) -> RankCorrelation:
    check_alternative(alternative)
    columns = paired_scores(a, b)
    reason = single_valued(*columns)
    x, y = map(ranks, columns)
    return RankCorrelation(
        undefined(reason, len(x), unit) if reason else statistic(x, y, unit),
        metric=metric,
        bounds=(-1.0, 1.0),
        alternative=alternative,
        test=partial(test, x, y, alternative),
    )


def _sided(lower_tail: float, upper_tail: float, alternative: Alternative) -> float:
    """P-value from the two tails, both with the observed value in them."""
    if alternative == "two-sided":
        return min(1.0, 2 * min(lower_tail, upper_tail))
    return upper_tail if alternative == "greater" else lower_tail


def _concordance_tails(n: int, inversions: int) -> tuple[float, float]:
    """P(S <= s) and P(S >= s) of S = concordant less discordant pairs, in a random order of n items without ties."""
    # The number of inversions of a random order is a sum of independent uniform numbers on 0..i, i < n (Kendall 1970,
    # Rank Correlation Methods, chapter 5). Each is added by a running sum, from the near end of the symmetric law, so
    # that the nearer tail is right to rounding.
    n_pairs = n * (n - 1) // 2
    smaller = min(inversions, n_pairs - inversions)
    law = np.zeros(smaller + 1)
    law[0] = 1.0
    for i in range(2, n + 1):
        running = np.cumsum(law)
        if i <= smaller:
            running[i:] -= running[:-i]
        law = running / i
    near = min(1.0, float(law.sum()))
    far = min(1.0, 1.0 - near + float(law[smaller]))
    # Few inversions are much concordance.
    return (far, near) if inversions == smaller else (near, far)


@cache
def _orders(n: int) -> NDArray[np.int8]:
    """All orders of n items, one a row."""
    permutations = np.zeros((1, 1), dtype=np.int8)
    for size in range(2, n + 1):
        permutations = np.concatenate([np.insert(permutations, position, size - 1, axis=1) for position in range(size)])
    return permutations


def _normal_tails(value: float, deviation: float) -> tuple[float, float]:
    """P(X <= value) and P(X >= value) for a normal X around 0."""
    z = value / deviation if deviation > 0 else math.copysign(math.inf, value)
    return normal_cdf(z), normal_cdf(-z)
