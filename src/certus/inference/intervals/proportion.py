"""Intervals for a proportion: successes among independent trials.

On the dice scale the value is ``2 q / (1 + q)`` of the share q, as F1 is of ``tp / (tp + fp + fn)``. Each method then
gives the image of its limits for q, but for the Wald interval, which is made on the value itself.
"""

import math
from collections.abc import Collection

from certus.inference.declare import Form, IntervalFunction, declare_form, interval
from certus.inference.interval import Limits, Request
from certus.inference.search import last_true
from certus.inference.special import (
    LARGE,
    beta_quantile,
    beta_upper_quantile,
    binomial_at_least,
    binomial_at_most,
    gamma_quantile,
    normal_quantile,
    root,
)
from certus.statistic import Proportion

Pair = tuple[float, float]


def clopper_pearson_limits(k: int, n: int, tail: float) -> Pair:
    """Success probabilities for which `k` or more, or `k` or fewer, successes have the probability `tail`."""
    low = 0.0 if k == 0 else beta_quantile(tail, k, n - k + 1)
    high = 1.0 if k == n else beta_upper_quantile(tail, k + 1, n - k)
    return low, high


def _max_few(trials: int) -> int:
    """Largest number of successes (or failures) with a limit of its own in `modified_wilson`."""
    return 3 if trials >= 50 else 2


def standard_error(statistic: Proportion) -> float:
    """``sqrt(p (1 - p) / n)``; on the dice scale ``sqrt(F (1 - F) (2 - F) / (n + k))``; NaN without trials."""
    if statistic.trials == 0:
        return math.nan
    value = statistic.value
    if statistic.scale == "dice":
        return math.sqrt(value * (1 - value) * (2 - value) / (statistic.trials + statistic.successes))
    return math.sqrt(value * (1 - value) / statistic.trials)


def unavailable(statistic: Proportion, _bounds: tuple[float, float]) -> Collection[str]:
    """Methods that apply to another scale."""
    return ("goutte-gaussier",) if statistic.scale == "linear" else ()


@interval(
    "wilson",
    Proportion,
    label="Wilson",
    aliases=("score",),
    source="Wilson (1927), JASA 22(158):209-212, doi:10.1080/01621459.1927.10502953",
)
def wilson(statistic: Proportion, request: Request) -> Limits:
    """Inverts the score test: ``(p + z^2/2n +- z sqrt(p q/n + z^2/4n^2)) / (1 + z^2/n)``."""
    k, n = statistic.successes, statistic.trials
    z = -normal_quantile(request.tail)
    center = (k + z * z / 2) / (n + z * z)
    half_width = z * math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return Limits(0.0 if k == 0 else center - half_width, 1.0 if k == n else center + half_width)


@interval(
    "modified-wilson",
    Proportion,
    label="modified Wilson",
    source="Brown, Cai & DasGupta (2001), Statistical Science 16(2):101-133, doi:10.1214/ss/1009213286, section 4.1.1",
)
def modified_wilson(statistic: Proportion, request: Request) -> Limits:
    """Wilson's limits; for very few successes (or failures) the nearer one is a Poisson limit.

    A true share just below Wilson's lower limit for a single success is covered by 0 successes alone: .84 of the time
    for any number of trials, .89 and .92 for two and three. There the limit is the share of which as many successes or
    more have the probability ``1 - level``. Very few are 1 or 2, and 3 where there are 50 trials or more.
    """
    k, n = statistic.successes, statistic.trials
    low, high, *_ = wilson(statistic, request)
    if 1 <= k <= _max_few(n):
        low = min(low, gamma_quantile(2 * request.tail, k) / n)
    if 1 <= n - k <= _max_few(n):
        high = max(high, 1 - gamma_quantile(2 * request.tail, n - k) / n)
    return Limits(low, high)


def default(statistic: Proportion, _bounds: tuple[float, float]) -> str:
    """Wilson's interval, modified if there are 1 or 2 successes or failures (1 to 3 from 50 trials on)."""
    rarer = min(statistic.successes, statistic.trials - statistic.successes)
    return "modified-wilson" if 1 <= rarer <= _max_few(statistic.trials) else "wilson"


@interval(
    "clopper-pearson",
    Proportion,
    label="Clopper-Pearson",
    aliases=("exact", "clopper", "cp"),
    guarantee="exact",
    source="Clopper & Pearson (1934), Biometrika 26(4):404-413, doi:10.1093/biomet/26.4.404",
)
def clopper_pearson(statistic: Proportion, request: Request) -> Limits:
    """Inverts two exact one-sided binomial tests: beta quantiles. Covers at least the level, often much more."""
    return Limits(*clopper_pearson_limits(statistic.successes, statistic.trials, request.tail))


@interval(
    "jeffreys",
    Proportion,
    label="Jeffreys",
    source="Brown, Cai & DasGupta (2001), Statistical Science 16(2):101-133, doi:10.1214/ss/1009213286",
)
def jeffreys(statistic: Proportion, request: Request) -> Limits:
    """Equal-tailed posterior interval, prior Beta(1/2, 1/2); from 0 without successes, to 1 without failures."""
    return _posterior(statistic, request, 0.5, 0.5)


@interval(
    "agresti-coull",
    Proportion,
    label="Agresti-Coull",
    aliases=("agresti",),
    source="Agresti & Coull (1998), Am. Stat. 52(2):119-126, doi:10.1080/00031305.1998.10480550",
)
def agresti_coull(statistic: Proportion, request: Request) -> Limits:
    """The Wald interval after adding z^2/2 successes and z^2/2 failures."""
    z = -normal_quantile(request.tail)
    trials = statistic.trials + z * z
    p = (statistic.successes + z * z / 2) / trials
    return Limits.around(p, z * math.sqrt(p * (1 - p) / trials)).clip((0.0, 1.0))


@interval(
    "mid-p",
    Proportion,
    label="mid-P",
    aliases=("midp", "mid-p-exact"),
    source="Lancaster (1961), JASA 56(294):223-234, doi:10.1080/01621459.1961.10482105",
)
def mid_p(statistic: Proportion, request: Request) -> Limits:
    """Clopper-Pearson with half the probability of the outcome itself: covers the level on average only."""
    k, n, tail = statistic.successes, statistic.trials, request.tail
    if min(k, n - k) >= LARGE:
        return _posterior(statistic, request, 0.5, 0.5)
    low, high = 0.0, 1.0
    if k > 0:
        low = root(
            lambda p: (binomial_at_least(k, n, p) + binomial_at_least(k + 1, n, p)) / 2 - tail,
            beta_quantile(tail, k, n - k + 1),
            1.0 if k == n else beta_quantile(tail, k + 1, n - k),
        )
    if k < n:
        high = root(
            lambda p: tail - (binomial_at_most(k, n, p) + binomial_at_most(k - 1, n, p)) / 2,
            0.0 if k == 0 else beta_upper_quantile(tail, k, n - k + 1),
            beta_upper_quantile(tail, k + 1, n - k),
        )
    return Limits(low, high)


@interval(
    "blaker",
    Proportion,
    label="Blaker",
    guarantee="exact",
    source="Blaker (2000), Can. J. Stat. 28(4):783-798, doi:10.2307/3315916; corrigenda 29(4):681",
)
def blaker(statistic: Proportion, request: Request) -> Limits:
    """Inverts an exact two-sided test: never covers less than the level, and lies within Clopper-Pearson's interval.

    The test adds to the probability of the tail that holds k that of the largest piece of the other tail that is no
    more probable.
    """
    k, n, tail = statistic.successes, statistic.trials, request.tail
    if min(k, n - k) >= LARGE:
        return Limits(*clopper_pearson_limits(k, n, tail))
    return Limits(0.0 if k == 0 else _blaker_low(k, n, tail), 1.0 if k == n else _blaker_high(k, n, tail))


# As p moves away from the Clopper-Pearson limit p0 towards k/n, the tail with k grows and the piece of the other one,
# X <= y say, shrinks, until the tail with k is as probable as X <= y + 1 and the piece jumps to that. There the sum is
# twice the tail with k, which beyond p0 is more than the level: the limit is at that jump at the latest. Before it the
# sum first falls and then rises; if it is above the level just before the jump, it crossed the level once, and the
# limit is there. No step could skip a piece of the set of probabilities, which may have gaps.
def _blaker_low(k: int, n: int, tail: float) -> float:
    """Lower limit of Blaker's interval, for the error `2 tail`."""
    start = beta_quantile(tail, k, n - k + 1)
    piece = last_true(lambda y: binomial_at_most(y, n, start) <= tail, -1, k - 2)
    jump = root(lambda p: binomial_at_least(k, n, p) - binomial_at_most(piece + 1, n, p), start, k / n)

    def excess(p: float) -> float:
        return binomial_at_least(k, n, p) + binomial_at_most(piece, n, p) - 2 * tail

    return root(excess, start, jump) if excess(jump) > 0 else jump


def _blaker_high(k: int, n: int, tail: float) -> float:
    """Upper limit of Blaker's interval, for the error `2 tail`."""
    start = beta_upper_quantile(tail, k + 1, n - k)
    piece = -last_true(lambda y: binomial_at_least(-y, n, start) <= tail, -n - 1, -k - 2)
    jump = root(lambda p: binomial_at_least(piece - 1, n, p) - binomial_at_most(k, n, p), k / n, start)

    def excess(p: float) -> float:
        return binomial_at_most(k, n, p) + binomial_at_least(piece, n, p) - 2 * tail

    return root(lambda p: -excess(p), jump, start) if excess(jump) > 0 else jump


@interval(
    "goutte-gaussier",
    Proportion,
    label="Goutte-Gaussier posterior",
    source="Goutte & Gaussier (2005), ECIR, LNCS 3408:345-359, doi:10.1007/978-3-540-31865-1_25",
)
def goutte_gaussier(statistic: Proportion, request: Request) -> Limits:
    """Equal-tailed posterior interval of F1 when tp and fp + fn have independent gamma priors of shapes 1/2 and 1."""
    return _posterior(statistic, request, 0.5, 1.0)


@interval("wald", Proportion, label="Wald")
def wald(statistic: Proportion, request: Request) -> Limits:
    """``value +- z SE``: for comparison with published figures only, it covers far too little near 0 and 1."""
    if statistic.successes in (0, statistic.trials):
        return Limits.undefined("the Wald interval has no width when all trials end alike: take 'wilson'")
    z = -normal_quantile(request.tail)
    return Limits.around(statistic.value, z * standard_error(statistic)).clip((0.0, 1.0))


def _posterior(statistic: Proportion, request: Request, a: float, b: float) -> Limits:
    """Equal-tailed limits of the posterior Beta(k + a, n - k + b)."""
    k, n = statistic.successes, statistic.trials
    low = 0.0 if k == 0 else beta_quantile(request.tail, k + a, n - k + b)
    high = 1.0 if k == n else beta_upper_quantile(request.tail, k + a, n - k + b)
    return Limits(low, high)


def _on_scale(method: IntervalFunction, statistic: Proportion, request: Request) -> Limits:
    """Apply a method to the share p and map its limits to ``2 p / (1 + p)`` (Dice, F1) if that is the value."""
    limits = method(statistic, request)
    if statistic.scale == "linear" or method is wald:
        return limits
    return Limits(2 * limits.low / (1 + limits.low), 2 * limits.high / (1 + limits.high), limits.reason)


declare_form(
    Proportion,
    Form(
        "a proportion",
        "wilson",
        standard_error,
        choose=default,
        unavailable=unavailable,
        guard=_on_scale,
        measured="coverage-classification.md",
    ),
)
