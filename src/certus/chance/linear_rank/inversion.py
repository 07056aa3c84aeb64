"""The tail of a law from its characteristic function, with relative accuracy in the far tail."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from certus.chance.distribution import Floats

__all__ = ["Inversion"]

_BLOCK = 32


class Inversion:
    """Tails of a law near some x by Fourier inversion of the law tilted by exp(tilt * S), with bounds of their errors.

    With Y = S - x and h = 2 pi / period, the sum ::

        exp(log_scale) / period * sum over all whole j of transform(j h) exp(-i j h x) / (tilt + i j h)

    is the sum of e^(-k * tilt * period) P(Y > -k * period) over all whole k. What is looked for has k = 0; if Y never
    lies further than a period from 0, the terms below it vanish and those above are a geometric series, which is taken
    off. An atom at x counts half.

    Parameters
    ----------
    transform
        E exp(i u S) under the tilted law, at each u > 0.
    tilt
        More than 0; where the tilted law has its mean near x is best.
    period
        The range of S, or so many standard deviations that what lies beyond cannot be seen.
    enough
        Stop after so many frequencies in any case.
    """

    def __init__(
        self, transform: Callable[[Floats], NDArray[np.complex128]], tilt: float, period: float, enough: int
    ) -> None:
        self._tilt, self._period = tilt, period
        step = 2 * math.pi / period
        self._u, terms = np.zeros(0), np.empty(0, dtype=np.complex128)
        self._last = math.inf
        while len(terms) < enough:
            u = step * np.arange(len(terms) + 1.0, len(terms) + _BLOCK + 1)
            terms = np.append(terms, transform(u) / (tilt + 1j * u))
            self._u = np.append(self._u, u)
            self._last = float(np.abs(terms[-_BLOCK:]).max())
            if self._last * len(terms) < 1e-13 / tilt:
                break
        self._terms = terms

    def tail(self, x: float, log_scale: float) -> tuple[float, float]:
        """P(S > x) with half of P(S = x), and a bound of its absolute error; `log_scale` is K(tilt) - tilt * x.

        K is the cumulant generating function of S.
        """
        tilt, period, count = self._tilt, self._period, len(self._terms)
        terms = self._terms * np.exp(-1j * self._u * x)
        aliases = 1 / math.expm1(min(tilt * period, 700))
        scale = math.exp(min(log_scale, 700)) / period
        rounding = 1e-15 * scale * math.sqrt(count) * max(1 / tilt, self._last)
        if self._last * count < 1e-12 / tilt:
            found = scale * (1 / tilt + 2 * math.fsum(terms.real.tolist())) - aliases
            return found, rounding + scale * count * self._last
        # Too many atoms to see each: the sum fades out, which spreads every atom normally by .64 period / count. By how
        # much it may be off is known of another weighing (Vaaler 1985, Bull. Amer. Math. Soc. 12(2):183-216, theorem
        # 19): what is inverted is exp(-tilt y), which jumps where y is 0, and its polynomial by Vaaler's kernel lies
        # within Fejer's mean of its variation over 2 (count + 1). Half of an atom at x is in it.
        share = np.arange(1.0, count + 1) / (count + 1)
        fading = np.exp(-8 * (np.arange(1.0, count + 1) / count) ** 2)
        faded = scale * (1 / tilt + 2 * float((terms * fading).sum().real))
        weighed = scale * (1 / tilt + 2 * float((terms * _vaaler(share)).sum().real))
        variation = 2 + 2 * float(((1 - share) * terms * (2 * tilt + 1j * self._u)).sum().real)
        bound = scale * period * max(variation, 0.0) / (2 * (count + 1))
        return faded - aliases, rounding + bound + abs(weighed - faded)


def _vaaler(share: Floats) -> Floats:
    turn = math.pi * share
    return np.asarray(turn * (1 - share) / np.tan(turn) + share)
