"""The approximate rungs: Fourier inversion and the saddlepoint, as the logs of both tails."""

import math
from dataclasses import dataclass

from certus import kernels

__all__ = ["Tails", "ends", "fourier", "saddlepoint", "sided"]

_ROOT = math.sqrt(2 * math.pi)
_LEAST = math.ulp(0.0)
_SAFE = 5.0
"""The error of an inversion was never more than 2.8 times what two inversions and the steps nearby show."""


@dataclass(frozen=True)
class Tails:
    """Logs of P(X < x), P(X = x) and P(X > x).

    Where the atom is not known apart (`at` is None), `below` and `above` have half of it each, and `error` covers that.
    """

    below: float
    above: float
    at: float | None
    error: float
    method: str


def sided(log: float, upper: bool, relative: float, method: str) -> Tails:
    """Both tails from one; the other is what is left of 1."""
    log = min(log, 0.0)
    rest = math.log1p(-math.exp(log)) if log < -1e-300 else -math.inf
    below, above = (rest, log) if upper else (log, rest)
    # A probability below the least float is 0, and that is not exact.
    return Tails(below, above, None, max(relative * math.exp(log), _LEAST), method)


def fourier(law: kernels.HitSum, x: float, budget: float) -> Tails:
    """By Fourier inversion of the tilted generating function.

    Raises
    ------
    ValueError
        If the law is too large for the engine.
    """
    log, upper, relative, bound = law.fourier_tail(x, budget)
    relative *= _SAFE
    return sided(log, upper, relative if bound is None else min(relative, bound + 1e-14), "fourier")


def saddlepoint(law: kernels.HitSum, x: float) -> Tails:
    """By the formula of Lugannani and Rice; the error is estimated by the size of the next term of the expansion.

    Source: Lugannani & Rice (1980), Adv. Appl. Probab. 12(2):475-490, doi:10.2307/1426607.

    Raises
    ------
    ValueError
        If the law is too large for the engine.
    """
    from scipy.special import log_ndtr

    tilt, (log, _, var, third, fourth) = law.saddlepoint(x)
    upper = tilt >= 0
    skewness, kurtosis = third / var**1.5, fourth / var**2 - 3
    if not upper:
        tilt, x, skewness = -tilt, -x, -skewness
    root = math.sqrt(max(2 * (tilt * x - log), 0.0))
    scaled = tilt * math.sqrt(var)
    # The difference of the reciprocals has this limit at the mean, where both are infinite.
    correction = 1 / scaled - 1 / root if root > 1e-3 else -skewness / 6
    normal = float(log_ndtr(-root))
    ratio = math.exp(-root * root / 2 - normal) / _ROOT
    relative = abs(kurtosis) / 8 + 5 * skewness**2 / 24
    factor = max(1 + ratio * correction, 1e-300)
    return sided(normal + math.log(factor), upper, relative, "saddlepoint")


def ends(law: kernels.HitSum, sign: int) -> float:
    """Log probability of the greatest (sign 1) or the least (-1) value: the limit of log E exp(t (X - end)).

    Raises
    ------
    ValueError
        If the law is too large for the engine.
    """
    low, high = law.range()
    end = high if sign > 0 else low
    tilt, last = sign * 64 / (high - low), math.inf
    for _ in range(48):
        log = law.cumulants(tilt)[0] - tilt * end
        if log > last - 1e-10 * max(1.0, abs(last)):
            return min(log, last)
        tilt, last = 2 * tilt, log
    return last
