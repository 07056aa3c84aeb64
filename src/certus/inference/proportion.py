"""Intervals for a proportion: successes among independent trials."""

import math
from collections.abc import Callable

from certus.inference._special import beta_quantile, normal_quantile
from certus.inference.interval import Limits, Request
from certus.statistic import Proportion

__all__ = ["METHODS", "standard_error"]


def standard_error(statistic: Proportion) -> float:
    """``sqrt(p (1 - p) / n)``; NaN without trials."""
    if statistic.trials == 0:
        return math.nan
    return math.sqrt(statistic.value * (1 - statistic.value) / statistic.trials)


def wilson(statistic: Proportion, request: Request) -> Limits:
    """Inverts the score test: ``(p + z^2/2n +- z sqrt(p q/n + z^2/4n^2)) / (1 + z^2/n)``.

    Source: Wilson (1927), JASA 22(158):209-212, doi:10.1080/01621459.1927.10502953.
    """
    k, n = statistic.successes, statistic.trials
    z = -normal_quantile(request.tail)
    center = (k + z * z / 2) / (n + z * z)
    half_width = z * math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return Limits(0.0 if k == 0 else center - half_width, 1.0 if k == n else center + half_width)


def clopper_pearson(statistic: Proportion, request: Request) -> Limits:
    """Inverts two exact one-sided binomial tests: beta quantiles. Never covers less than the level, often much more.

    Source: Clopper & Pearson (1934), Biometrika 26(4):404-413, doi:10.1093/biomet/26.4.404.
    """
    k, n = statistic.successes, statistic.trials
    low = 0.0 if k == 0 else beta_quantile(request.tail, k, n - k + 1)
    high = 1.0 if k == n else 1 - beta_quantile(request.tail, n - k, k + 1)
    return Limits(low, high)


def jeffreys(statistic: Proportion, request: Request) -> Limits:
    """Equal-tailed posterior interval under the Beta(1/2, 1/2) prior; from 0 without successes, to 1 without failures.

    Source: Brown, Cai & DasGupta (2001), Statistical Science 16(2):101-133, doi:10.1214/ss/1009213286.
    """
    k, n = statistic.successes, statistic.trials
    low = 0.0 if k == 0 else beta_quantile(request.tail, k + 0.5, n - k + 0.5)
    high = 1.0 if k == n else 1 - beta_quantile(request.tail, n - k + 0.5, k + 0.5)
    return Limits(low, high)


def agresti_coull(statistic: Proportion, request: Request) -> Limits:
    """The Wald interval after adding z^2/2 successes and z^2/2 failures.

    Source: Agresti & Coull (1998), Am. Stat. 52(2):119-126, doi:10.1080/00031305.1998.10480550.
    """
    z = -normal_quantile(request.tail)
    trials = statistic.trials + z * z
    p = (statistic.successes + z * z / 2) / trials
    return Limits.around(p, z * math.sqrt(p * (1 - p) / trials)).within((0.0, 1.0))


def wald(statistic: Proportion, request: Request) -> Limits:
    """``p +- z sqrt(p q / n)``: for comparison with published figures only, it covers far too little near 0 and 1.

    Its zero width without successes or without failures is replaced by undefined limits.
    """
    if statistic.successes in (0, statistic.trials):
        return Limits.undefined("the Wald interval has no width when all trials end alike: take 'wilson'")
    z = -normal_quantile(request.tail)
    return Limits.around(statistic.value, z * standard_error(statistic)).within((0.0, 1.0))


METHODS: dict[str, Callable[[Proportion, Request], Limits]] = {
    "wilson": wilson,
    "clopper-pearson": clopper_pearson,
    "jeffreys": jeffreys,
    "agresti-coull": agresti_coull,
    "wald": wald,
}
