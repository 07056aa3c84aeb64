"""The power of the paired tests for normal differences."""

import math
from functools import lru_cache

import numpy as np

from certus.arrays import Floats
from certus.inference.bisection import first_true
from certus.inference.many.max_t import SAME
from certus.inference.special import preload, t_quantile

NORMAL_SAMPLES = 10_000
"""Normal samples of which the sign-flip test's power is the share; its standard error is at most 0.005."""
_BLOCK = 2**20


def t_power(noncentrality: float, df: float, level: float, both: bool) -> float:
    """The chance that Student's t is found at the level where its noncentrality is as given.

    Examples
    --------
    >>> round(t_power(2.0, 15, 0.95, both=True), 4), round(t_power(0.0, 15, 0.95, both=True), 4)
    (0.4649, 0.05)
    """
    critical = critical_t(df, level, both)
    above = 1 - _noncentral_t(critical, df, noncentrality)
    return min(above + _noncentral_t(-critical, df, noncentrality), 1.0) if both else above


def least_units_of_default_test(level: float, both: bool) -> int:
    """The least number of units of which the default paired test can reject: equal signs have p = 2^-n, or twice it.

    Examples
    --------
    >>> least_units_of_default_test(0.95, both=True), least_units_of_default_test(0.975, both=False)
    (6, 6)
    """
    return first_true(lambda n: _rejecting_flips(n, level, both) > 0, 0, 1100)


def _rejecting_flips(n: int, level: float, both: bool) -> int:
    """Number of the 2^n flipped sums that may reach the observed one on its side, itself included."""
    return math.floor(math.ldexp((1 - level) * (1 + SAME), n - both))


def sign_flip_power(effect: float, n: int, level: float, both: bool) -> float:
    """The chance that the sign-flip test of a few normal differences rejects; the effect is in standard deviations.

    Of differences z + e the flips S that reach the observed sum are those with mean(z over S) <= -e. So there is an
    effect from which on a sample is rejected, the same for all e, and the power is the share of samples below it.

    Examples
    --------
    >>> round(sign_flip_power(1.5, 5, 0.95, both=True), 3), abs(sign_flip_power(1.5, 6, 0.95, both=True) - 0.66) < 0.01
    (0.0, True)
    """
    flips = _rejecting_flips(n, level, both)
    if not flips:
        return 0.0
    least = _least_effects(n, flips)
    shares = [float(np.searchsorted(least, each, side="left")) / len(least) for each in (effect, -effect)]
    return sum(shares) if both else shares[0]


@lru_cache(maxsize=16)
def _least_effects(n: int, flips: int) -> Floats:
    """Sorted effects beyond which the sign-flip test rejects, one for each normal sample."""
    subsets = (np.arange(1, 2**n)[:, None] >> np.arange(n)) & 1
    shares = (subsets / subsets.sum(axis=1, keepdims=True)).T
    generator = np.random.Generator(np.random.PCG64(0))
    rows = max(1, _BLOCK >> n)
    least = []
    for start in range(0, NORMAL_SAMPLES, rows):
        means = generator.standard_normal((min(rows, NORMAL_SAMPLES - start), n)) @ shares
        least.append(-np.partition(means, flips - 1, axis=1)[:, flips - 1])
    return np.sort(np.concatenate(least))


def critical_t(df: float, level: float, both: bool) -> float:
    """The least t that is significant."""
    return -t_quantile((1 - level) / (2 if both else 1), df)


def _noncentral_t(t: float, df: float, noncentrality: float) -> float:
    found = float(preload().nctdtr(df, noncentrality, t))
    # scipy gives NaN far out only, where less than 1e-25 is left (compared with quadrature in the tests).
    return (1.0 if t > noncentrality else 0.0) if math.isnan(found) else found
