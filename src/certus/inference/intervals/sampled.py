"""Intervals for the number of hits in a finite population, from a checked sample.

Every method makes limits for the count of hits. Counts that are impossible for reasons outside the sample (`least` and
`most` of the statistic) are cut off: an exact method covers the true count as before, since it is never one of those;
a posterior is that under the prior cut to the possible counts. The limits then say so.

Limits of the exact methods are whole counts. Those of the approximations are real numbers, but for a statistic that is
the count itself they too are the first and the last whole count inside.
"""

import math
from collections.abc import Callable

from certus.core.errors import CertusError
from certus.inference.declare import Form, declare_form, interval
from certus.inference.finite import hypergeometric, laws
from certus.inference.interval import Limits, Request
from certus.inference.intervals import proportion
from certus.inference.special import beta_quantile, beta_upper_quantile, normal_quantile
from certus.statistic import Proportion
from certus.statistic.sampled import Sampled

Pair = tuple[float, float]

ROUNDING = 1e-12
NEGLIGIBLE = 1e-6
"""A probability of impossible counts that needs no note."""
LEAST_MASS = 1e-9
"""The smallest probability of the possible counts for which a cut posterior still has its digits."""
FEWEST = 50
"""Checked items from which an approximation needs no note."""


def wilson_share(k: int, n: int, _population: int, level: float) -> Pair:
    """Wilson's interval for independent trials; takes the population as infinite: too wide for large samples."""
    # Wilson (1927), JASA 22(158):209-212, doi:10.1080/01621459.1927.10502953.
    return proportion.wilson(Proportion(k, n), Request(level))[:2]


def wilson_fpc_share(k: int, n: int, population: int, level: float) -> Pair:
    """Wilson's interval with the variance times ``(N - n) / (N - 1)``, the finite-population correction."""
    # Cochran (1977), Sampling Techniques, third edition, sections 2.6 and 3.2, for the correction.
    share = k / n
    if n == population:
        return share, share
    trials = n * ((population - 1) / (population - n))
    z = -normal_quantile((1 - level) / 2)
    center = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half_width = z * (share * (1 - share) / trials + (z / (2 * trials)) ** 2) ** 0.5 / (1 + z * z / trials)
    return 0.0 if k == 0 else center - half_width, 1.0 if k == n else center + half_width


def beta_share(k: int, n: int, _population: int, level: float) -> Pair:
    """Equal-tailed interval of the posterior Beta(k + 1, n - k + 1), which takes the population as infinite."""
    tail = (1 - level) / 2
    return beta_quantile(tail, k + 1, n - k + 1), beta_upper_quantile(tail, k + 1, n - k + 1)


def clopper_pearson_share(k: int, n: int, _population: int, level: float) -> Pair:
    """Clopper and Pearson's interval for independent trials; covers at least its level here too."""
    # Clopper & Pearson (1934), Biometrika 26(4):404-413, doi:10.1093/biomet/26.4.404.
    return proportion.clopper_pearson(Proportion(k, n), Request(level))[:2]


def standard_error(statistic: Sampled) -> float:
    """``N sqrt(p (1 - p) / (n - 1) (N - n) / N)`` divided by `per`, p the share of hits; NaN for n = 1 < N."""
    # Cochran (1977), Sampling Techniques, third edition, theorem 3.2.
    big, n = statistic.population, statistic.checked
    if statistic.reason or (n == 1 and big > 1):
        return math.nan
    share = statistic.hits / n
    error = big * math.sqrt(share * (1 - share) / max(n - 1, 1) * ((big - n) / big))
    return error if statistic.per is None else error / statistic.per


@interval(
    "blaker", Sampled, guarantee="exact", source="Blaker (2000), Can. J. Stat. 28(4):783-798, doi:10.2307/3315916"
)
def blaker(statistic: Sampled, request: Request) -> Limits:
    """Inverts Blaker's exact test; see `certus.inference.finite.hypergeometric`. Never covers less than the level."""
    return _cut(statistic, hypergeometric.blaker(*_counts(statistic), request.level))


@interval("posterior", Sampled, label="beta-binomial posterior", aliases=("beta-binomial",))
def posterior(statistic: Sampled, request: Request) -> Limits:
    """Equal-tailed interval of the beta-binomial posterior for the statistic's prior."""
    return _of_posterior(statistic, request, laws.posterior)


@interval("hpd", Sampled, label="highest posterior density")
def hpd(statistic: Sampled, request: Request) -> Limits:
    """Most probable counts of the beta-binomial posterior for the statistic's prior: the shortest interval."""
    return _of_posterior(statistic, request, laws.hpd)


@interval(
    "hypergeometric", Sampled, label="hypergeometric test inversion", aliases=("equal-tailed",), guarantee="exact"
)
def hypergeometric_tails(statistic: Sampled, request: Request) -> Limits:
    """Inverts two exact one-sided tests, each with half of the error. Never covers less than the level."""
    return _cut(statistic, hypergeometric.equal_tailed(*_counts(statistic), request.level))


@interval("hypergeometric-lower", Sampled, label="hypergeometric lower limit", guarantee="exact")
def hypergeometric_lower(statistic: Sampled, request: Request) -> Limits:
    """Exact one-sided lower limit with the whole error; the upper end is the greatest possible value."""
    low = hypergeometric.lower(*_counts(statistic), 1 - request.level)
    return _cut(statistic, (low, statistic.possible[1]))


@interval("hypergeometric-upper", Sampled, label="hypergeometric upper limit", guarantee="exact")
def hypergeometric_upper(statistic: Sampled, request: Request) -> Limits:
    """Exact one-sided upper limit with the whole error; the lower end is the least possible value."""
    high = hypergeometric.upper(*_counts(statistic), 1 - request.level)
    return _cut(statistic, (statistic.possible[0], high))


@interval("mid-p", Sampled)
def mid_p(statistic: Sampled, request: Request) -> Limits:
    """Equal-tailed inversion with half the outcome's own probability: covers the level on average only."""
    return _cut(statistic, hypergeometric.mid_p(*_counts(statistic), request.level))


@interval(
    "amo",
    Sampled,
    label="AMO (least average size)",
    aliases=("least-average-size",),
    guarantee="exact",
    source="Bartroff, Lorden & Wang (2023), Am. Stat. 77(3):289-297, doi:10.1080/00031305.2022.2128421",
)
def amo(statistic: Sampled, request: Request) -> Limits:
    """Exact intervals with the least average length; see `certus.inference.finite.hypergeometric.amo`."""
    low, high = hypergeometric.amo(statistic.population, statistic.checked, request.level)
    return _cut(statistic, (int(low[statistic.hits]), int(high[statistic.hits])))


@interval(
    "wang",
    Sampled,
    label="Wang",
    guarantee="exact",
    source="Wang (2015), JASA 110(512):1491-1499, doi:10.1080/01621459.2014.966191",
)
def wang(statistic: Sampled, request: Request) -> Limits:
    """Exact intervals none of which can be shortened; see `certus.inference.finite.hypergeometric.wang`."""
    low, high = hypergeometric.wang(statistic.population, statistic.checked, request.level)
    return _cut(statistic, (int(low[statistic.hits]), int(high[statistic.hits])))


def _of_posterior(
    statistic: Sampled, request: Request, method: Callable[[laws.Posterior, float], tuple[int, int]]
) -> Limits:
    """Limits of the beta-binomial posterior by a method of `finite.laws`; refused if it has hardly any mass."""
    k, n, population = _counts(statistic)
    law = laws.Posterior(k, n, population, statistic.prior, statistic.possible)
    low, high = statistic.possible
    cut = (k, population - n + k) != (low, high)
    if cut and law.total < LEAST_MASS:
        raise CertusError(
            f"the posterior gives the possible counts {low} to {high} a probability below {LEAST_MASS}",
            "check the numbers, or take an exact method such as 'blaker'",
        )
    possible = f"count {low}" if low == high else f"counts {low} to {high}"
    reason = f"the posterior is cut to the possible {possible}" if law.total < 1 - NEGLIGIBLE else ""
    return _on_scale(statistic, method(law, request.level), reason)


def _approximation(
    method: Callable[[int, int, int, float], Pair], *, is_rough: bool = True
) -> Callable[[Sampled, Request], Limits]:
    """Interval method for counts, from an approximate method for shares."""

    def limits(statistic: Sampled, request: Request) -> Limits:
        low, high = (statistic.population * share for share in method(*_counts(statistic), request.level))
        if statistic.per is None:
            first, last = math.ceil(low - ROUNDING * abs(low)), math.floor(high + ROUNDING * abs(high))
            low, high = (first, last) if first <= last else (math.floor(low), math.ceil(high))
        cut = _cut(statistic, (low, high))
        if is_rough and statistic.checked < min(FEWEST, statistic.population):  # of all, one count is possible
            caution = (
                f"an approximation for {FEWEST} checked or more; 'posterior' is exact given its prior, 'blaker' always "
                "covers"
            )
            return cut.noting(caution)
        return cut

    limits.__doc__ = method.__doc__
    return limits


def _counts(statistic: Sampled) -> tuple[int, int, int]:
    """Hits, checked items and population."""
    return statistic.hits, statistic.checked, statistic.population


def _cut(statistic: Sampled, limits: Pair) -> Limits:
    """Limits for the value, from limits for the count clipped to the possible counts."""
    low, high = statistic.possible
    k, n, population = _counts(statistic)
    outside = max(limits[0], k) < low * (1 - ROUNDING), min(limits[1], population - n + k) > high * (1 + ROUNDING)
    if limits[0] > high * (1 + ROUNDING) or limits[1] < low * (1 - ROUNDING):
        nearest = high if limits[0] > high else low
        reason = f"no possible count fits the sample at this level; the nearest possible one is {nearest}"
        return _on_scale(statistic, (nearest, nearest), reason)
    possible = min(max(limits[0], low), high), min(max(limits[1], low), high)
    cut = [f"below {low}"] * outside[0] + [f"above {high}"] * outside[1]
    return _on_scale(statistic, possible, f"impossible counts {' and '.join(cut)} are cut off" if cut else "")


def _on_scale(statistic: Sampled, limits: Pair, reason: str) -> Limits:
    """Limits for the value, from limits for the count."""
    if statistic.per is None:
        return Limits(*limits, reason)
    return Limits(limits[0] / statistic.per, limits[1] / statistic.per, reason)


interval("wilson", Sampled)(_approximation(wilson_share))
interval("wilson-fpc", Sampled, label="Wilson, finite population", aliases=("fpc",))(_approximation(wilson_fpc_share))
interval("beta", Sampled, label="beta posterior")(_approximation(beta_share))
interval("clopper-pearson", Sampled, guarantee="exact")(_approximation(clopper_pearson_share, is_rough=False))
declare_form(Sampled, Form("a sampled count", "blaker", standard_error, measured="audit-methods.md"))
