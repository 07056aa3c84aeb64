"""Limits for a share that take the population for endless or the count for normal: real numbers from 0 to 1."""

from certus.inference.interval import Request
from certus.inference.intervals import proportion
from certus.inference.special import beta_quantile, beta_upper_quantile, normal_quantile
from certus.statistic import Proportion

Shares = tuple[float, float]


def wilson(k: int, n: int, _population: int, level: float) -> Shares:
    """Wilson's interval for independent trials: as if the population had no end, and so too wide for a large sample."""
    # Wilson (1927), JASA 22(158):209-212, doi:10.1080/01621459.1927.10502953.
    return proportion.wilson(Proportion(k, n), Request(level))[:2]


def wilson_fpc(k: int, n: int, population: int, level: float) -> Shares:
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


def beta(k: int, n: int, _population: int, level: float) -> Shares:
    """Equal-tailed interval of the posterior Beta(k + 1, n - k + 1), which takes the population for endless."""
    tail = (1 - level) / 2
    return beta_quantile(tail, k + 1, n - k + 1), beta_upper_quantile(tail, k + 1, n - k + 1)


def clopper_pearson(k: int, n: int, _population: int, level: float) -> Shares:
    """Clopper and Pearson's exact interval for independent trials; it covers at least its level here too."""
    # Clopper & Pearson (1934), Biometrika 26(4):404-413, doi:10.1093/biomet/26.4.404.
    return proportion.clopper_pearson(Proportion(k, n), Request(level))[:2]
