"""A mixture of Mann-Whitney laws that differ in one size, as one law for the transform engine."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from certus.arrays import Floats
from certus.chance.distribution import Answer
from certus.chance.lattice.mann_whitney import FREQUENCIES, TINY, from_one
from certus.chance.lattice.sinhc import log_sinhc
from certus.transform.inversion import Cumulants, Inversion, Limits, View, view

_ECHO = 1e-14
"""Where the characteristic function is larger at half a turn, as if few relevant items have weight, all is summed."""

_FACTORS = 1 << 21
"""Half the limit on the factors of such a sum; this many take about 0.1 seconds."""

_VISIBLE_LOG = 44.0
"""Parts of exp(-44) of the whole cannot be seen."""

_LIMITS = Limits(lambda work: FREQUENCIES / work, 1e-17, lattice=True)


class MixedRanks:
    """The law of ``a + U``, less a whole number near its mean, where U has the Mann-Whitney law of a and n.

    The generating function of a + 1 and n is that of a and n times one more factor, so that those of all parts cost as
    much as that of the greatest.

    Parameters
    ----------
    logs
        Log probability of a = 0, 1, 2, ...
    n
        The other size.
    """

    def __init__(self, logs: Floats, n: int) -> None:
        self._logs, self.n = logs, n
        self.above = np.arange(len(logs))
        self.centre = round(float(np.exp(logs) @ self.above) * (n + 2) / 2)

    def beyond(self, index: int) -> tuple[Answer, bool] | None:
        """P(index or more) and True, or P(less) and False, by which of them lies further from the mean."""
        return self._inverted(index - self.centre - 0.5, _LIMITS)

    def atom(self, index: int) -> Answer | None:
        """P(index)."""
        answer = self._inverted(float(index - self.centre), _LIMITS._replace(atom=True))
        return answer and answer[0]

    def nearer(self, position: float, lower_log: float, upper_log: float) -> float:
        """A place nearer to where P(up to it) and P(beyond) have these logarithms."""
        inversion_parts = self._inversion(math.floor(position) - self.centre + 0.5, _LIMITS)
        if inversion_parts is None:
            return position
        law_view, _, inversion = inversion_parts
        wanted = math.exp(min((upper_log if law_view.sign > 0 else lower_log) - inversion.log, 700))
        return self.centre + law_view.sign * (law_view.x + inversion.distance_to(wanted, 4 * law_view.spread))

    def _inversion(self, x: float, limits: Limits) -> "tuple[View, _Tilted, Inversion] | None":
        """None near the ends of the range, and where few relevant items have weight but all would be too much."""
        low, high = self.range()
        if not low + 1 < x < high - 1:
            return None
        law_view = view(self, x)
        tilted = self.tilted(law_view.sign * law_view.tilt)
        if tilted.echo > _ECHO:
            if law_view.period(law_view.tilt, tilted.log, 1.0) * tilted.cells > 2 * _FACTORS:
                return None
            limits = limits._replace(min_terms=_FACTORS)
        return law_view, tilted, law_view.invert(limits)

    def _inverted(self, x: float, limits: Limits) -> tuple[Answer, bool] | None:
        if (inversion_parts := self._inversion(x, limits)) is None:
            return None
        law_view, tilted, inversion = inversion_parts
        tail = inversion.tail()
        off = 1.2e-16 * (64 + tilted.rounded + abs(tilted.log) + abs(law_view.tilt * x)) * inversion.cancelled
        off += tail.left if inversion.died else tail.bound or 0.0
        if not inversion.complete:
            off += tilted.echo * inversion.cancelled
        log = min(tail.log, 0.0)
        return (log, max(math.exp(log) * off, TINY), "fourier"), law_view.sign > 0

    def range(self) -> tuple[float, float]:
        """Least and greatest value."""
        most = len(self._logs) - 1
        return float(-self.centre), float(most * (self.n + 1) - self.centre)

    def _parts(self, tilt: float) -> tuple[Floats, Floats, Floats, Floats]:
        """Log probability times generating function of each part, their means and variances; roundings of the first."""
        lower = self.above[1:] / 2
        upper = lower + self.n / 2
        of_upper, of_lower = log_sinhc(abs(tilt) * upper), log_sinhc(abs(tilt) * lower)
        log, mean, var = (
            np.append(0.0, np.cumsum(more * upper**order - less * lower**order))
            for order, (more, less) in enumerate(zip(of_upper, of_lower, strict=True))
        )
        middle = self.above * (self.n + 2) / 2 - self.centre
        return self._logs + log + tilt * middle, middle + math.copysign(1.0, tilt) * mean, var, np.cumsum(log)

    def cumulants(self, tilt: float, _rough: bool = False) -> Cumulants:
        """The log of the generating function and two derivatives; the engine needs no others."""
        logs, means, variances, _ = self._parts(tilt)
        log = float(np.logaddexp.reduce(logs))
        shares = np.exp(logs - log)
        mean = float((shares * means).sum())
        return log, mean, float((shares * (variances + (means - mean) ** 2)).sum()), math.nan, math.nan

    def tilted(self, tilt: float) -> "_Tilted":
        """The law under a tilt."""
        logs, _, _, rounded = self._parts(tilt)
        log = float(np.logaddexp.reduce(logs))
        last = int(np.flatnonzero(logs > log - _VISIBLE_LOG)[-1])
        shares, a = np.exp(logs[: last + 1] - log), self.above[: last + 1]
        full_turn, half = (
            special.gammaln(items + b + 1) - special.gammaln(items + 1) - special.gammaln(b + 1)
            for items, b in ((a, self.n), (a // 2, self.n // 2))
        )
        echo = float((shares * np.exp(half - full_turn)).sum())
        return _Tilted(self, tilt, log, shares, echo, 8 * last + float(rounded[last]))


class _Tilted(NamedTuple):
    law: MixedRanks
    tilt: float
    log: float
    shares: Floats
    echo: float
    """Size of the characteristic function once more at half a turn, as it is without a tilt."""
    rounded: float
    """Roundings that may add up in one part, in units of the last place."""

    @property
    def cells(self) -> float:
        return float(len(self.shares))

    def characteristic(self, step: float, first: int, count: int) -> tuple[Floats, Floats]:
        block = max(1, (1 << 18) // len(self.shares))
        period = round(2 * math.pi / abs(step))
        starts = range(first, first + count, block)
        parts = [self._values(period, np.arange(start, min(start + block, first + count))) for start in starts]
        values = np.concatenate(parts)
        return values.real, math.copysign(1.0, step) * values.imag

    def _values(self, period: int, numbers: NDArray[np.int64]) -> NDArray[np.complex128]:
        """With q = exp(tilt + i angle) each a multiplies by q (1 - q^(n+a)) / (1 - q^a), up to a factor."""
        n, tilt, lower = self.law.n, abs(self.tilt), self.law.above[1 : len(self.shares)]
        numerators, denominators = (from_one(tilt, numbers, sizes, period) for sizes in (n + lower, lower))
        factors = numerators / denominators * (np.expm1(-tilt * lower) / np.expm1(-tilt * (n + lower)))
        # Of an upper tail in powers of 1 / q, which are below 1.
        turn, step = (factors, n + 1) if self.tilt > 0 else (np.conj(factors), 1)
        angles = 2j * math.pi / period
        turn *= np.exp(angles * (numbers * step % period))[:, None]
        products = np.cumprod(turn, axis=1) @ self.shares[1:] + self.shares[0]
        return np.asarray(products * np.exp(-angles * (numbers * self.law.centre % period)))
