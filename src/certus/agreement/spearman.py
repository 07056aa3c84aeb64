"""Spearman's rank correlation."""

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from certus.agreement._correlation import (
    MOST_ENUMERATED,
    Alternative,
    Finding,
    RankCorrelation,
    orders,
    sided,
)
from certus.agreement._rankings import Scores, paired_scores, ranks, single_valued
from certus.arrays import Floats, Ints
from certus.inference.interval import check_alternative
from certus.inference.special import t_cdf
from certus.statistic import Influence


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
    >>> round(float(rho), 4), round(rho.p, 4), rho.how
    (0.9, 0.0833, 'enumeration')
    """
    check_alternative(alternative)
    first, second = paired_scores(a, b)
    reason = single_valued(first, second)
    x, y = ranks(first), ranks(second)
    return RankCorrelation(
        Influence(math.nan, (len(x),), (math.nan,), undefined_reason=reason, unit=unit)
        if reason
        else _statistic(x, y, unit),
        metric="Spearman's rho",
        bounds=(-1.0, 1.0),
        alternative=alternative,
        test=partial(_test, x, y, alternative),
    )


def _centred(values: Ints) -> Floats:
    """Twice the mean rank less twice the mean of the ranks: a whole number, from -(n - 1) to n - 1."""
    times = np.bincount(values)
    return (2 * np.cumsum(times) - times)[values].astype(np.float64) - len(values)


def _statistic(x: Ints, y: Ints, unit: str) -> Influence:
    # A metric of regression too: its influence values and resamples serve here.
    from certus.data import Targets
    from certus.metrics.regression.correlation import spearman as metric

    n = len(x)
    statistic: Any = metric.compute(Targets(x.astype(np.float64), y.astype(np.float64)))
    if abs(statistic.value) == 1 and len(np.unique(x)) == len(np.unique(y)) == n:
        return Influence(statistic.value, (n,), (0.0,), exact=partial(_exact, n, statistic.value), unit=unit)
    with_unit: Influence = replace(statistic, unit=unit)
    return with_unit


def _exact(n: int, value: float, tail: float) -> tuple[float, float]:
    tau = 2 * tail ** (1 / (n // 2)) - 1
    inner = (3 * tau - 1) / 2 if tau >= 0 else (tau * tau + 2 * tau - 1) / 2
    return (inner, 1.0) if value > 0 else (-1.0, -inner)


def _test(x: Ints, y: Ints, alternative: Alternative) -> Finding:
    n, r, s = len(x), _centred(x), _centred(y)
    total = float((r * s).sum())
    if n <= MOST_ENUMERATED:
        sums = s[orders(n)] @ r  # sums of whole numbers: exact
        return sided(float((sums <= total).mean()), float((sums >= total).mean()), alternative), "enumeration"
    value = total / math.sqrt(float((r * r).sum()) * float((s * s).sum()))
    t = math.copysign(math.inf, value) if abs(value) >= 1 else value * math.sqrt((n - 2) / (1 - value * value))
    return sided(t_cdf(t, n - 2), t_cdf(-t, n - 2), alternative), "t"
