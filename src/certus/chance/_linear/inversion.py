"""The tail of a law from its characteristic function, with relative accuracy in the far tail."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certus.chance._distribution import Floats

__all__ = ["tilted_tail"]

_BLOCK = 32


def tilted_tail(
    transform: Callable[[Floats], NDArray[np.complex128]], tilt: float, log_scale: float, period: float, enough: int
) -> tuple[float, float]:
    """P(S > x) by Fourier inversion of the law tilted by exp(tilt * S), and a bound of its absolute error.

    With Y = S - x and h = 2 pi / period, the sum ::

        exp(log_scale) / period * sum over all whole j of transform(j h) / (tilt + i j h)

    is the sum of e^(-k * tilt * period) P(Y > -k * period) over all whole k. What is looked for has k = 0; if Y never
    lies further than a period from 0, the terms below it vanish and those above are a geometric series, which is taken
    off. An atom at x counts half.

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
    step, sizes = 2 * math.pi / period, []
    terms = np.empty(0, dtype=np.complex128)
    while len(terms) < enough:
        u = step * np.arange(len(terms) + 1.0, len(terms) + _BLOCK + 1)
        terms = np.append(terms, transform(u) / (tilt + 1j * u))
        sizes.append(float(np.abs(terms[-_BLOCK:]).max()))
        if sizes[-1] * len(terms) < 1e-13 / tilt:
            break
    count, aliases = len(terms), 1 / math.expm1(min(tilt * period, 700))
    scale = math.exp(log_scale) / period
    rounding = 1e-15 * scale * math.sqrt(count) * max(1 / tilt, *sizes)
    if sizes[-1] * count < 1e-12 / tilt:
        found = scale * (1 / tilt + 2 * math.fsum(terms.real.tolist())) - aliases
        return found, rounding + scale * count * sizes[-1]
    # Too many atoms to see each: the sum fades out, which spreads every atom normally by .64 period / count. How far
    # that may be off is known of another weighing (Vaaler 1985, Bull. Amer. Math. Soc. 12(2):183-216, theorem 19): what is
    # inverted is exp(-tilt y), which jumps where y is 0, and its polynomial by Vaaler's kernel lies within Fejer's mean
    # of its variation over 2 (count + 1). Half of an atom at x is in it.
    places = np.arange(1, count + 1)
    faded = scale * (1 / tilt + 2 * float((terms * np.exp(-8 * (places / count) ** 2)).sum().real))
    share = places / (count + 1)
    weighed = scale * (1 / tilt + 2 * float((terms * _vaaler(share)).sum().real))
    variation = 2 + 2 * float(((1 - share) * terms * (2 * tilt + 1j * step * places)).sum().real)
    bound = scale * period * max(variation, 0.0) / (2 * (count + 1))
    return faded - aliases, rounding + bound + abs(weighed - faded)


def _vaaler(share: Floats) -> Floats:
    turn = math.pi * share
    return np.asarray(turn * (1 - share) / np.tan(turn) + share)
