"""The tail of a law from its characteristic function, with relative accuracy in the far tail."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certus.chance._distribution import Floats

__all__ = ["tilted_tail"]

_BLOCK = 16


def tilted_tail(
    transform: Callable[[Floats], NDArray[np.complex128]], tilt: float, log_scale: float, period: float, enough: int
) -> tuple[float, float]:
    """P(S > x) by Fourier inversion of the law tilted by exp(tilt * S), and an estimate of its absolute error.

    With Y = S - x and h = 2 pi / period, the sum ::

        exp(log_scale) / period * sum over all whole j of transform(j h) / (tilt + i j h)

    is the sum of e^(-k * tilt * period) P(Y > -k * period) over all whole k. What is looked for has k = 0; if Y never lies
    further than a period from 0, the terms below it vanish and those above are a geometric series, which is taken off.
    An atom at x counts half.

    Parameters
    ----------
    transform
        E exp(i u Y) under the tilted law, at each u > 0.
    tilt
        More than 0; where the tilted law has its mean at x is best.
    log_scale
        K(tilt) - tilt * x, K the cumulant generating function of S.
    period
        Y's range, or so many standard deviations that what lies beyond cannot be seen.
    enough
        Stop after so many frequencies in any case.
    """
    step = 2 * math.pi / period
    total = largest = 1 / tilt
    last, start = math.inf, 1
    while start <= enough:
        u = step * np.arange(start, start + _BLOCK)
        terms = transform(u) / (tilt + 1j * u)
        total += 2 * math.fsum(terms.real.tolist())
        last = float(np.abs(terms).max())
        largest = max(largest, last)
        start += _BLOCK
        if last * start < 1e-14 * abs(total):
            break
    scale = math.exp(log_scale)
    # What is cut off has terms of changing sign, hardly larger than the last ones; rounding is that of the largest.
    error = scale / period * math.sqrt(start) * (2 * last + 1e-15 * largest)
    aliases = 1 / math.expm1(tilt * period) if tilt * period < 700 else 0.0
    return scale * total / period - aliases, error
