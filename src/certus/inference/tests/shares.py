"""Tests and intervals for the difference of two shares, on the same units or on independent samples.

Of n units the first system alone is right on `ahead`, the second alone on `behind`. With probabilities q of the first
kind and r of the second, and d = q - r, the p-value of "the difference is at most d" is Buehler's: the greatest
probability, over all q and r with q - r = d, of an outcome that is ranked at least as high as the one observed.
Whatever the ranking is, it is at most alpha with a probability of at most alpha. Outcomes are ranked by an approximate
lower limit: the d under which ``ahead - behind`` or more has the probability 0.025 where q and r are the most likely
ones. With that ranking the probability hardly depends on the nuisance parameter, so that little is lost by its worst
case; after 0 discordant units of n the limit is ``0.025^(1/n) - 1``.

Berger and Boos look only at discordances q + r up to an exact upper limit, and add its error, `BERGER_BOOS_ERROR`, to
p.

Source: Buehler (1957), JASA 52(280):482-493, doi:10.1080/01621459.1957.10501404; Lloyd & Moldovan (2008), Stat. Med.
27(18):3540-3549, for the ranking; Berger & Boos (1994), JASA 89(427):1012-1016, doi:10.1080/01621459.1994.10476836.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from certus.core.arrays import Floats, Ints
from certus.core.errors import MetricNameError
from certus.core.readable import Readable
from certus.inference.interval import Limits, OwnInterval, Request, Side
from certus.inference.intervals.student import p_value
from certus.inference.search import first_passing, passes
from certus.inference.special import beta_upper_quantile, binomial_at_least, normal_cdf, preload, root
from certus.inference.tests.result import Alternative, Outcome
from certus.statistic import Proportion
from certus.statistic.common import plural, require_integer
from certus.statistic.folds import Independent

DISCORDANT = ("mcnemar", "mid-p", "mcnemar-score")
"""McNemar's tests of the units on which just one system is right."""


@dataclass(frozen=True, slots=True)
class McNemar(Readable):
    """Result of McNemar's test.

    Attributes
    ----------
    p
        Two-sided p-value.
    statistic
        ``n01 - n10``: how many samples more the second system got right.
    method
        ``"exact"``, ``"mid-p"`` or ``"chi2"``.
    n
        Number of samples on which the systems differ; the others tell nothing.
    error
        The error of p, which is computed: 0.
    """

    p: float
    statistic: int
    method: str
    n: int
    error: float = 0.0

    def __str__(self) -> str:
        return f"p = {self.p:.4g} ({self.method} McNemar test, {self.n} samples on which the systems differ)"


def mcnemar(n01: int, n10: int, test: Literal["exact", "mid-p", "chi2"] = "exact") -> McNemar:
    """McNemar's test of two systems on the same samples, from how many only one of them gets right.

    If both are right equally often, n01 is binomial with n01 + n10 trials and probability 1/2.

    Parameters
    ----------
    n01
        Number of samples on which the first system is wrong and the second right.
    n10
        Number of samples on which the first is right and the second wrong.
    test
        ``"exact"``: the binomial probability of a difference at least as large, either way. ``"mid-p"``: that of the
        observed difference counts half; nearer to its level and hardly ever above it (Fagerland, Lydersen & Laake
        2013). ``"chi2"``: McNemar's approximation ``(n01 - n10)^2 / (n01 + n10)``, without continuity correction.

    Returns
    -------
    McNemar
        Its p is 1 where the systems never differ.

    Raises
    ------
    DataError
        A count is not a whole number of at least 0.
    MetricNameError
        There is no such test.

    Examples
    --------
    >>> print(mcnemar(9, 1))
    p = 0.02148 (exact McNemar test, 10 samples on which the systems differ)
    >>> mcnemar(9, 1, "mid-p").p
    0.01171875
    """
    second, first = require_integer(n01, "n01"), require_integer(n10, "n10")
    names = {"exact": "mcnemar", "mid-p": "mid-p", "chi2": "mcnemar-score"}
    if test not in names:
        raise MetricNameError(f"no McNemar test is named {test!r}", "there are 'exact', 'mid-p' and 'chi2'")
    p = discordant_test(names[test], second, first, "two-sided")[0]
    return McNemar(p, second - first, test, second + first)


def discordant_test(name: str, ahead: int, behind: int, alternative: Alternative) -> Outcome:
    """McNemar's test by name, from the numbers of units that only one system gets right."""
    n = ahead + behind
    units = f"{plural(n, 'unit')} that differ"
    if name == "mcnemar-score":
        if not n:
            return 1.0, 0.0, "no differences", 0.0, ""
        z = (ahead - behind) / math.sqrt(n)
        return p_value(z, math.inf, alternative), z, f"normal, {units}", 0.0, ""
    tails = {}
    for side, wins in (("greater", ahead), ("less", behind)):
        reached, reached_beyond = (binomial_at_least(k, n, 0.5) for k in (wins, wins + 1))
        tails[side] = reached if name == "mcnemar" else (reached + reached_beyond) / 2
    p = min(1.0, 2 * min(tails.values())) if alternative == "two-sided" else tails[alternative]
    if n == 0 or (alternative == "two-sided" and ahead == behind):
        p = 1.0
    return p, float(ahead - behind), f"binomial, {units}", 0.0, ""


def discordant_interval(name: str, ahead: int, behind: int, n: int) -> OwnInterval:
    """Interval that inverts one of McNemar's tests of n units."""
    counts = name, ahead, behind, n
    interval = "exact-paired" if name == "mcnemar" else "tango"
    return OwnInterval(interval, partial(_limits, *counts), partial(_p_beyond, *counts))


def _limits(name: str, ahead: int, behind: int, n: int, request: Request) -> Limits:
    """Limits that invert one of McNemar's tests."""
    if name == "mcnemar":
        return exact_limits(ahead, behind, n, request.tail).clip(request.bounds)
    low, high, *_ = tango_limits(ahead, behind, n, request.tail)
    if name == "mid-p":  # on the side of 0 that the test says
        alternatives: tuple[Alternative, ...] = "greater", "less"
        tails = [passes(discordant_test(name, ahead, behind, side)[0], request.tail) for side in alternatives]
        low = min(low, 0.0) if tails[0] else max(low, TINY)
        high = max(high, 0.0) if tails[1] else min(high, -TINY)
    return Limits(low, high).clip(request.bounds)


def _p_beyond(
    name: str, ahead: int, behind: int, n: int, shift: float, side: Side, _request: Request
) -> tuple[float, str]:
    """P-value of the hypothesis that the difference is `shift` or beyond, and how it was computed."""
    if name == "mid-p" and shift == 0:
        return discordant_test(name, ahead, behind, side)[0], "binomial"
    if side == "less":
        ahead, behind, shift = behind, ahead, -shift
    if name != "mcnemar":
        return normal_cdf(-_tango(ahead, behind, n, shift)), "normal"
    note = "exact" if _is_exact(ahead, behind, n) else "two exact limits" if n - behind <= MOST_RARE else "normal"
    return exact_p(ahead, behind, n, shift), note


def tango_limits(ahead: int, behind: int, n: int, tail: float) -> Limits:
    """The differences d that the score test of ``(ahead - behind) / n = d`` does not reject.

    Source: Tango (1998), Stat. Med. 17(8):891-908.
    """
    # The statistic is (ahead - behind - n d) / sqrt(n (2 q + d (1 - d))), q being the probability of a unit on which
    # the second system alone is right, as it is most likely to be where the difference is d. For d = 0 it is McNemar's
    # test.
    return Limits(_tango_lower(ahead, behind, n, tail), -_tango_lower(behind, ahead, n, tail))


def _tango_lower(ahead: int, behind: int, n: int, tail: float) -> float:
    return _score_lower(partial(_tango, ahead, behind, n), tail)


def _score_lower(score: Callable[[float], float], tail: float) -> float:
    """Least difference that a score test does not reject; the test itself decides about 0."""

    def p(difference: float) -> float:
        return normal_cdf(-score(difference))

    return root(lambda d: p(d) - tail, *((-1.0, 0.0) if passes(p(0.0), tail) else (0.0, 1.0)))


def _tango(ahead: int, behind: int, n: int, d: float) -> float:
    """Tango's score statistic of the difference d."""
    q = restricted_share(ahead, behind, n, d)
    return _distance(ahead - behind - n * d, n * (2 * q + d * (1 - d)))


def _distance(off: float, variance: float) -> float:
    """Deviation in standard errors, infinite if the variance is 0."""
    if off == 0 or variance <= 0:
        return 0.0 if off == 0 else math.copysign(math.inf, off)
    return off / math.sqrt(variance)


def restricted_share(ahead: int, behind: int, n: int, d: float) -> float:
    """Most likely share of units that only the second system gets right, if the difference is d."""
    linear = (2 * n - ahead + behind) * d - ahead - behind
    product = behind * d * (1 - d)
    # the root of 2 n q^2 + linear q - product that no cancellation spoils
    spread = math.sqrt(max(linear * linear + 8 * n * product, 0.0))
    return (spread - linear) / (4 * n) if linear <= 0 else 2 * product / (spread + linear)


MOST_RARE = 100
"""Units up to which a lower limit is exact, where no more are discordant, or no more are anything but losses."""
MOST_UNITS = 1000
"""Units up to which the second is seen to: so many losses take long. Of more units two limits are added."""
BERGER_BOOS_ERROR = 1e-9
RANKED_AT = 0.025
_NODES = 32
TINY = math.nextafter(0.0, 1.0)
_SLACK = 1e-9
_NOTHING = 1e-15
"""Chances that are not worth counting; all of them together are far less than `BERGER_BOOS_ERROR`."""


def exact_limits(ahead: int, behind: int, n: int, tail: float) -> Limits:
    """The differences d that the exact test of ``(ahead - behind) / n = d`` does not reject."""
    return Limits(_lower(ahead, behind, n, tail), -_lower(behind, ahead, n, tail))


def exact_p(ahead: int, behind: int, n: int, difference: float) -> float:
    """P-value of the hypothesis that the difference is at most `difference`; at 0 McNemar's binomial one."""
    at_zero = binomial_at_least(ahead, ahead + behind, 0.5)
    if difference == 0:
        return at_zero
    if _is_exact(ahead, behind, n):
        p = _outcome(ahead, behind, n).p(difference)
    elif n - behind <= MOST_RARE:
        p = _two_p(ahead, behind, n, difference)
    else:
        p = normal_cdf(-_tango(ahead, behind, n, difference))
    # the two are different rankings: p rises with the difference nevertheless
    return min(p, at_zero) if difference < 0 else max(p, at_zero)


def _is_exact(ahead: int, behind: int, n: int) -> bool:
    """True if the lower limit is exact: Tango's is poor with few discordant units, or few units without a loss."""
    return ahead + behind <= MOST_RARE or (n <= MOST_UNITS and n - behind <= MOST_RARE)


def _two_limits(ahead: int, behind: int, n: int, tail: float) -> float:
    """Lower limit if nearly all units are losses: sum of two exact limits at half the tail (Bonferroni)."""
    # Tango's tails of .025 measured up to .032 there. The difference is the share of wins, and that of units without a
    # loss, less 1: the sum of both limits is exceeded with a probability of at most the tail.
    counts = [count for count in (ahead, n - behind) if count]
    return sum(1 - beta_upper_quantile(tail / 2, n - count + 1, count) for count in counts) - 1


def _two_p(ahead: int, behind: int, n: int, difference: float) -> float:
    """Tail probability for which the limit of `_two_limits` equals the difference."""
    if _two_limits(ahead, behind, n, 1.0) <= difference:
        return 1.0
    low, high = math.log(TINY), 0.0
    while high - low > _SLACK:
        middle = (low + high) / 2
        reached = _two_limits(ahead, behind, n, math.exp(middle)) > difference
        low, high = (low, middle) if reached else (middle, high)
    return math.exp(high)


@functools.lru_cache(maxsize=4096)
def _lower(ahead: int, behind: int, n: int, tail: float) -> float:
    """Lower limit for the difference: exact, by two limits, or Tango's, see `_is_exact`."""
    if behind == n:
        return -1.0
    at_zero = binomial_at_least(ahead, ahead + behind, 0.5)
    if not _is_exact(ahead, behind, n):
        limit_of = _two_limits if n - behind <= MOST_RARE else _tango_lower
        low = limit_of(ahead, behind, n, tail)
        return min(low, 0.0) if passes(at_zero, tail) else max(low, TINY)
    scale = math.sqrt(max(ahead + behind, 1.0)) / n
    start = _outcome(ahead, behind, n).limit
    return first_passing(partial(exact_p, ahead, behind, n), tail, -1.0, 1.0, start, scale)


class _Outcome(NamedTuple):
    """Outcomes ranked at least as high as the observed one: the least number of wins for each number of losses."""

    n: int
    limit: float
    wins: Ints
    discordance: float

    def p(self, difference: float) -> float:
        """Greatest probability of these outcomes over all shares of losses with this difference."""
        difference = min(difference, self.discordance)  # beyond it the worst is the last one within
        lowest = max(0.0, difference)
        highest = (self.discordance + difference) / 2
        if highest < lowest:
            return BERGER_BOOS_ERROR
        shares = lowest + (highest - lowest) * np.linspace(0.0, 1.0, _NODES) ** 2
        chances = self._chances(shares, difference)
        for _ in range(2):  # a finer grid around the greatest
            best = int(chances.argmax())
            shares = np.linspace(shares[max(best - 1, 0)], shares[min(best + 1, len(shares) - 1)], 17)
            finer = self._chances(shares, difference)
            chances = finer if finer.max() >= chances.max() else chances
            if finer is not chances:
                break
        return min(float(chances.max()) + BERGER_BOOS_ERROR, 1.0)

    def _chances(self, shares: Floats, difference: float) -> Floats:
        """Probability of these outcomes for each share of wins."""
        losses = np.arange(len(self.wins))
        return _chance(self.n, self.wins[np.newaxis], losses[np.newaxis], shares, shares - difference)


@functools.lru_cache(maxsize=4096)
def _outcome(ahead: int, behind: int, n: int) -> _Outcome:
    """Rank the outcomes by an approximate limit, and bound the share of discordant units (Berger and Boos)."""
    discordant = ahead + behind
    discordance = 1.0 if discordant == n else beta_upper_quantile(BERGER_BOOS_ERROR, discordant + 1, n - discordant)
    counts = np.array([ahead]), np.array([behind])
    limit = root(lambda d: float(_net_p(n, *counts, d)[0]) - RANKED_AT, -1.0, (ahead - behind) / n)
    max_losses = min(n, math.ceil(_largest_likely_count(n, discordance)))
    wins = _ranked(n, limit, max_losses)
    wins[behind] = min(int(wins[behind]), ahead)
    wins = np.minimum.accumulate(wins[::-1])[::-1]  # fewer losses are ranked no lower
    return _Outcome(n, limit, wins, discordance)


def _largest_likely_count(n: int, share: float) -> float:
    """Number of units that is exceeded with a negligible probability."""
    return n * share + 7 * math.sqrt(n * share * (1 - share)) + 20


def _ranked(n: int, limit: float, max_losses: int) -> Ints:
    """Least wins per number of losses for an approximate limit as high as `limit`; n + 1 for none."""
    losses = np.arange(max_losses + 1)
    none = np.minimum(n - losses, max_losses) + 1  # more wins than these have no chance worth counting
    low, high = np.full(max_losses + 1, -1), none
    while (search := high - low > 1).any():
        middle = (low + high) // 2
        reached = np.zeros(max_losses + 1, dtype=bool)
        reached[search] = _net_p(n, middle[search], losses[search], limit) <= RANKED_AT * (1 + _SLACK)
        high, low = np.where(search & reached, middle, high), np.where(search & ~reached, middle, low)
    return np.where(high == none, n + 1, high)


def _net_p(n: int, ahead: Ints, behind: Ints, difference: float) -> Floats:
    """Probability of at least as many wins minus losses, for the most likely shares with this difference."""
    pairs = zip(ahead.tolist(), behind.tolist(), strict=True)
    share = np.array([restricted_share(*pair, n, difference) for pair in pairs])
    width = min(n, math.ceil(_largest_likely_count(n, float(share.max()))))
    losses = np.arange(width + 1)[np.newaxis]
    return _chance(n, losses + (ahead - behind)[:, np.newaxis], losses, share + difference, share)


def _chance(n: int, wins: Ints, losses: Ints, first: Floats, second: Floats) -> Floats:
    """Probability of at least `wins` wins, summed over the losses, for each pair of shares."""
    special = preload()
    first, second = (np.clip(share, 0.0, 1.0)[:, np.newaxis] for share in (first, second))
    remaining = n - losses
    chance = special.binom(n, losses) if n < 1000 else None
    if chance is None:
        log = special.gammaln(n + 1) - special.gammaln(losses + 1) - special.gammaln(remaining + 1)
        mass = np.exp(log + special.xlogy(losses, second) + special.xlog1py(remaining, -second))
    else:
        mass = chance * second**losses * (1 - second) ** remaining
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(second < 1, np.minimum(first / (1 - second), 1.0), 0.0)
    wins, remaining, share, mass = np.broadcast_arrays(wins, remaining, share, mass)
    tail = (wins <= 0).astype(np.float64)
    part = (wins > 0) & (wins <= remaining) & (mass > _NOTHING)
    tail[part] = special.betainc(wins[part], remaining[part] - wins[part] + 1, share[part])
    return np.asarray((mass * tail).sum(axis=1))


FARTHEST = 300.0
"""Logarithms of ratios are searched up to this."""


def pooled_counts(statistic: Independent) -> tuple[int, int, int, int] | None:
    """Successes and trials of two independent proportions; None for other forms."""
    a, b = statistic.a, statistic.b
    if not (isinstance(a, Proportion) and isinstance(b, Proportion) and a.scale == b.scale == "linear"):
        return None
    return a.successes, a.trials, b.successes, b.trials


def score_interval(a: int, m: int, b: int, n: int) -> OwnInterval:
    """Interval that inverts the score test of two independent proportions."""
    return OwnInterval("score", partial(score_limits, a, m, b, n), partial(score_beyond, a, m, b, n))


def score_test(a: int, m: int, b: int, n: int, alternative: Alternative) -> Outcome:
    """Score test of two independent proportions, with the pooled standard error."""
    z = _score(a, m, b, n, 0.0)
    if a * n == b * m:
        return 1.0, 0.0, "no differences" if a + b in (0, m + n) else "normal", 0.0, ""
    return p_value(z, math.inf, alternative), z, "normal", 0.0, ""


def score_limits(a: int, m: int, b: int, n: int, request: Request) -> Limits:
    """Differences that the score test does not reject.

    Source: Mee (1984), Biometrics 40(4):1175-1176; the probabilities under a difference by Miettinen & Nurminen (1985),
    Stat. Med. 4(2):213-226, doi:10.1002/sim.4780040211.
    """
    scores = partial(_score, a, m, b, n), partial(_score, b, n, a, m)
    return Limits(_score_lower(scores[0], request.tail), -_score_lower(scores[1], request.tail)).clip(request.bounds)


def score_beyond(a: int, m: int, b: int, n: int, shift: float, side: Side, _request: Request) -> tuple[float, str]:
    """One-sided p-value of the score test against a difference `shift`."""
    z = _score(a, m, b, n, shift) if side == "greater" else _score(b, n, a, m, -shift)
    return normal_cdf(-z), "normal"


def _score(a: int, m: int, b: int, n: int, d: float) -> float:
    """Score statistic of the difference d, with the variance from the most likely shares that differ by d."""
    off = a / m - b / n - d
    if off == 0 or abs(d) >= 1:
        return _distance(off, 0.0)
    second = _restricted(a, m, b, n, d)
    first = min(max(second + d, 0.0), 1.0)
    return _distance(off, first * (1 - first) / m + second * (1 - second) / n)


def _restricted(a: int, m: int, b: int, n: int, d: float) -> float:
    """Most likely second proportion if the first one is larger by d."""
    if d == 0:
        return (a + b) / (m + n)

    def falling(p: float) -> float:
        """Minus the derivative of the logarithm of the likelihood, times all denominators."""
        q = p + d
        return -((a * (1 - q) - (m - a) * q) * p * (1 - p) + (b * (1 - p) - (n - b) * p) * q * (1 - q))

    low, high = max(0.0, -d), min(1.0, 1.0 - d)
    return root(falling, low, high)


def ratio_score_limits(a: int, m: int, b: int, n: int, request: Request) -> Limits:
    """Ratios that the score test does not reject; at 1 it is the score test of equal proportions.

    The second proportion has successes, as the ratio would have no value otherwise.

    Source: Koopman (1984), Biometrics 40(2):513-517, doi:10.2307/2531405; the probabilities under a ratio by Miettinen
    & Nurminen (1985), Stat. Med. 4(2):213-226, doi:10.1002/sim.4780040211.
    """
    tail, score = request.tail, partial(_ratio_score, a, m, b, n)
    low = 0.0 if a == 0 else math.exp(root(lambda log: normal_cdf(-score(log)) - tail, -FARTHEST, FARTHEST))
    high = math.exp(root(lambda log: tail - normal_cdf(score(log)), -FARTHEST, FARTHEST))
    return Limits(low, high).clip(request.bounds)


def _ratio_score(a: int, m: int, b: int, n: int, log: float) -> float:
    """Score statistic of a ratio, with the variance from the most likely shares with this ratio."""
    ratio = math.exp(log)
    off = a / m - ratio * b / n
    # The larger root of the quadratic is beyond 1; the product of both avoids a difference of large numbers.
    linear = (m + b) * ratio + a + n
    second = 2 * (a + b) / (linear + math.sqrt(max(0.0, linear**2 - 4 * (m + n) * ratio * (a + b))))
    first = min(1.0, ratio * second)
    return _distance(off, first * (1 - first) / m + ratio**2 * second * (1 - second) / n)
