"""Rank correlations: Kendall's tau and Spearman's rho with p-values under independence, and the AP correlation."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.agreement._rankings import (
    Scores,
    lower_and_equal_counts,
    lower_sums,
    paired_scores,
    ranks,
    signs,
    single_valued,
)
from certus.core.arrays import Floats, Ints
from certus.core.errors import DataError, MetricNameError, keyword
from certus.inference import Estimate
from certus.inference.interval import check_alternative
from certus.inference.special import normal_cdf, t_cdf
from certus.statistic import Influence
from certus.statistic.cached import constant
from certus.statistic.common import sum_by_code

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
    deviation = math.sqrt(_variance(n, *times))
    z = total / deviation if deviation > 0 else math.copysign(math.inf, total)
    return _sided(normal_cdf(z), normal_cdf(-z), alternative), "normal"


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


def tau_ap(
    a: Scores,
    b: Scores,
    *,
    ties: Literal["a", "b"] = "a",
    symmetric: bool = False,
    unit: str = "item",
) -> Estimate:
    """Rank correlation in which errors near the top count more.

    Take an item of the ranking `b` that is not its first, and any of the items above it: the value is twice the
    probability that `a` orders the two alike, less 1. So it is ``2 / (n - 1) sum over ranks i > 1 of C(i) / (i - 1), -
    1`` with C(i) of the items above rank i of `b` rightly placed above it.

    Parameters
    ----------
    a
        Scores of the true ranking, the higher the better: by name, or in the order of `b`.
    b
        Scores of the ranking that is compared with it.
    ties
        - ``"a"`` (accuracy): `a` is the truth and has no ties; tied items of `b` stand in a random order, and the value
          is the expected one.
        - ``"b"`` (agreement): both rankings may have ties, and neither is the truth. Items are drawn from outside the
          top group of ties, partners from above the item's group; the value is the mean of both directions.
    symmetric
        The mean of both directions; always so with ``ties="b"``.
    unit
        What an item is, in the singular.

    Returns
    -------
    Estimate
        In [-1, 1]; NaN where one ranking has all items tied. The interval is for the population from which the items
        were drawn: the jackknife over items, on the scale of Fisher's z.

    Raises
    ------
    DataError
        The scores do not pair up, hold NaN, there are fewer than two, or there are ties in a true ranking.
    MetricNameError
        There is no such treatment of ties.

    References
    ----------
    Yilmaz, Aslam & Robertson (2008), SIGIR, pp. 587-594, doi:10.1145/1390334.1390435. Ties: Urbano & Marrero (2017),
    ICTIR, pp. 321-324, doi:10.1145/3121050.3121106.

    Examples
    --------
    >>> truth, top_swapped, bottom_swapped = [4, 3, 2, 1], [3, 4, 2, 1], [4, 3, 1, 2]
    >>> round(float(tau_ap(truth, top_swapped)), 4), round(float(tau_ap(truth, bottom_swapped)), 4)
    (0.3333, 0.7778)
    """
    if ties not in ("a", "b"):
        raise MetricNameError(
            f"is {ties!r}", "it must be 'a' (b is compared with a) or 'b' (neither is the truth)", argument="ties"
        )
    first, second = paired_scores(a, b)
    x, y = -ranks(first), -ranks(second)
    x, y = x - x.min(), y - y.min()  # 0 is the best
    is_symmetric = symmetric or ties == "b"
    for name, column in (("a", x), ("b", y)):
        held_true = ties == "a" and (name == "a" or symmetric)
        if held_true and len(np.unique(column)) < len(column):
            raise DataError(
                "has tied scores but is held to be the truth",
                f"take {keyword('ties', 'b')} where neither ranking is",
                argument=name,
            )
    reason = single_valued(first, second)
    direction = _expected if ties == "a" else _between_groups
    if reason:
        statistic = undefined(reason, len(x), unit)
    else:
        statistic = _jackknifed([direction(*pair) for pair in ([(x, y), (y, x)] if is_symmetric else [(x, y)])], unit)
    return Estimate(
        statistic, metric="tau-AP", bounds=(-1.0, 1.0), conventions={"ties": ties, "symmetric": is_symmetric}
    )


def _jackknifed(directions: list[tuple[float, Floats]], unit: str) -> Influence:
    """Mean of both directions, with the influence of each item from the mean without it."""
    value = sum(direction_value for direction_value, _ in directions) / len(directions)
    without = np.mean([left for _, left in directions], axis=0)
    n = len(without)
    influence = (n - 1) * (without.mean() - without)
    return Influence(value, (n,), (float(influence.var(ddof=1)),), constant((influence,)), unit=unit)


def _expected(x: Ints, y: Ints) -> tuple[float, Floats]:
    """The expected value over the orders of tied items of y, and the same without each item; x has no ties."""
    n = len(x)
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, n + 1))])
    better, size = lower_and_equal_counts(y)
    first = better + 1

    def share(first: Ints, size: Ints) -> Floats:
        """Mean of 1 / (rank - 1) over the ranks of a group; 0 for the top group, above which there is nothing."""
        last = np.maximum(first + size - 2, 0)
        return np.where(first > 1, (harmonic[last] - harmonic[np.maximum(first - 2, 0)]) / np.maximum(size, 1), 0.0)

    def tied_contribution(first: Ints, size: Ints) -> Floats:
        """Contribution of the tied items to one item: half of those above it are rightly so."""
        last = np.maximum(first + size - 2, 0)
        harmonic_sum = harmonic[last] - harmonic[first - 1]
        return np.asarray((size - 1 - (first - 1) * harmonic_sum) / (2 * np.maximum(size, 1)))

    concordant = lower_sums(x, y, np.ones(n, dtype=np.int64))
    inside, shares = tied_contribution(first, size), share(first, size)
    value = 2 / (n - 1) * float((concordant * shares + inside).sum()) - 1

    # Without an item: the items below move up by one rank, and lose it if it was rightly above them.
    moved_up, n_tied = np.maximum(first - 1, 1), size - 1
    moved_shares = share(moved_up, size)
    moved_contributions = concordant * moved_shares + tied_contribution(moved_up, size)
    columns = concordant * shares + inside, concordant.astype(np.float64), moved_contributions
    before, within_group, after = _by_group(y, *columns)
    lost = lower_sums(int(x.max()) - x, int(y.max()) - y, moved_shares)
    tied = (within_group - concordant) * share(first, n_tied)
    total = before + tied + n_tied * tied_contribution(first, n_tied) + after - lost
    return value, 2 / max(n - 2, 1) * total - 1


def _between_groups(x: Ints, y: Ints) -> tuple[float, Floats]:
    """The value in which items are compared with those above their group only, and the same without each item."""
    n = len(x)
    better, size = lower_and_equal_counts(y)
    first = better + 1
    concordant = lower_sums(x, y, np.ones(n, dtype=np.int64)).astype(np.float64)
    ratio = np.divide(concordant, first - 1, out=np.zeros(n), where=first > 1)
    top = int((first == 1).sum())
    value = 2 / (n - top) * float(ratio.sum()) - 1

    weight = np.divide(1.0, first - 2, out=np.zeros(n), where=first > 2)
    before, within_group, after = _by_group(y, ratio, ratio, concordant * weight)
    lost = lower_sums(int(x.max()) - x, int(y.max()) - y, weight)
    # An item alone at the top leaves its place to the next group.
    left = n - 1 - np.where(first > 1, top, np.where(size > 1, top - 1, int((first == 2).sum())))
    total = before + within_group - ratio + after - lost
    return value, 2 * np.divide(total, left, out=np.full(n, math.nan), where=left > 0) - 1


def _by_group(y: Ints, before: Floats, tied: Floats, after: Floats) -> tuple[Floats, Floats, Floats]:
    """Sum `before` over better groups, `tied` over an item's own group and `after` over worse groups."""
    sums = [sum_by_code(y, column) for column in (before, tied, after)]
    after_sums = np.cumsum(sums[2][::-1])[::-1] - sums[2]
    return (np.cumsum(sums[0]) - sums[0])[y], sums[1][y], after_sums[y]
