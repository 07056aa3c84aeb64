"""Quantiles and distribution functions: from the kernels, or from scipy.special if parameters are too large for them.

The one place that imports scipy.special, when a function is first asked for that the kernels lack: the import takes
about 0.1 s. An interval by Student's t, by beta or by gamma limits needs none of it.
"""

import functools
import importlib
import math
from collections.abc import Callable
from types import ModuleType

import numpy as np

from certus.core import kernels
from certus.core.arrays import Floats

LARGE = 1e8
"""Beyond parameters of this size scipy's beta quantiles lose digits, and an expansion is right to 1e-8 of its error."""


@functools.cache
def preload() -> ModuleType:
    """Import scipy.special."""
    return importlib.import_module("scipy.special")


@functools.lru_cache(maxsize=1024)
def normal_quantile(p: float) -> float:
    """Quantile of the standard normal distribution."""
    value = kernels.normal_quantile(p)
    return math.nan if value is None else value


def normal_cdf(x: float) -> float:
    """Distribution function of the standard normal distribution."""
    value = kernels.normal_cdf(x)
    return math.nan if value is None else value


@functools.lru_cache(maxsize=1024)
def t_quantile(p: float, df: float) -> float:
    """Quantile of Student's t distribution."""
    value = kernels.t_quantile(df, p)
    return float(preload().stdtrit(df, p)) if value is None else value


def t_cdf(x: float, df: float) -> float:
    """Distribution function of Student's t distribution."""
    value = kernels.t_tails(df, x)
    return float(preload().stdtr(df, x)) if value is None else value[0]


@functools.cache
def studentized_range_quantile(p: float, size: int) -> float:
    """Quantile of the range of `size` standard normal variables (studentised range, known variance)."""
    special = preload()
    step = 1 / 64
    z = np.arange(-9.0, 18.0, step)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) * step * size

    def excess(q: float) -> float:
        """The probability that the range is below q, less p."""
        return float(density @ (special.ndtr(z) - special.ndtr(z - q)) ** (size - 1)) - p

    return root(excess, 0.0, 16.0)


def beta_quantile(p: float, a: float, b: float) -> float:
    """Quantile of the beta distribution at the lower tail probability `p`."""
    return _beta_quantile(p, a, b, upper=False)


def beta_upper_quantile(p: float, a: float, b: float) -> float:
    """Quantile of the beta distribution at the upper tail probability `p`."""
    return _beta_quantile(p, a, b, upper=True)


def _beta_quantile(p: float, a: float, b: float, *, upper: bool) -> float:
    """Quantile of the beta distribution at the lower or upper tail probability `p`."""
    if min(a, b) >= LARGE:
        return _large_beta(normal_quantile(p) * (-1 if upper else 1), a, b)
    here = kernels.beta_quantile(a, b, p, upper)
    if here is not None:
        return here
    special = preload()
    inverse, tail = (special.betainccinv, special.betaincc) if upper else (special.betaincinv, special.betainc)
    value = float(inverse(a, b, p))
    # scipy's inverse, unlike the function itself, goes astray where a quantile is far below 1e-8.
    if abs(tail(a, b, value) - p) <= 1e-10 * p:
        return value
    return root(lambda x: (p - tail(a, b, x)) if upper else (tail(a, b, x) - p), 0.0, 1.0)


def gamma_quantile(p: float, shape: float) -> float:
    """Quantile of the gamma distribution with scale 1: the Poisson mean for which ``P(X >= shape)`` is `p`."""
    value = kernels.gamma_quantile(shape, p)
    return float(preload().gammaincinv(shape, p)) if value is None else value


def binomial_at_least(k: int, n: int, p: float) -> float:
    """Probability of at least `k` successes in `n` trials."""
    return 1.0 if k <= 0 else 0.0 if k > n else _beta_tails(k, n - k + 1, p)[0]


def binomial_at_most(k: int, n: int, p: float) -> float:
    """Probability of at most `k` successes in `n` trials."""
    return 0.0 if k < 0 else 1.0 if k >= n else _beta_tails(k + 1, n - k, p)[1]


def _beta_tails(a: float, b: float, x: float) -> tuple[float, float]:
    """Lower and upper tail probability of the beta distribution."""
    tails = kernels.beta_tails(a, b, x)
    if tails is not None:
        return tails
    special = preload()
    return float(special.betainc(a, b, x)), float(special.betaincc(a, b, x))


def binomial_chances(n: int) -> Floats:
    """Probabilities of 0 to n successes in n trials with probability 1/2."""
    if n <= 500:
        return np.array([math.comb(n, k) / 2**n for k in range(n + 1)])
    k = np.arange(n + 1)
    special = preload()
    logs = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    chances = np.exp(logs - n * math.log(2))
    return np.asarray(chances / chances.sum(), dtype=np.float64)


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Root of a function with one change of sign, from negative to positive, by bisection."""
    while True:
        middle = low + (high - low) / 2
        if middle in (low, high):
            return middle
        if function(middle) > 0:
            high = middle
        else:
            low = middle


def _large_beta(z: float, a: float, b: float) -> float:
    """Beta quantile for large parameters, by a Cornish-Fisher expansion with one skewness term."""
    total = a + b
    deviation = math.sqrt(a / total * (b / total) / (total + 1))
    skewness = 2 * (b - a) / (total + 2) * math.sqrt((total + 1) / a / b)
    return a / total + deviation * (z + (z * z - 1) * skewness / 6)
