"""The law of a sum of gain times discount where it has too many atoms to list: inversion, and saddlepoint beyond."""

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from certus.chance._distribution import Floats
from certus.chance._linear.coincidence import Coincidence, bound
from certus.chance._linear.gains import Ranks, few
from certus.chance._linear.inversion import tilted_tail
from certus.chance._linear.linear import Linear
from certus.chance._linear.sampled import Sampled, affordable
from certus.chance._linear.tilt import Dealt, Tilted
from certus.errors import DataError

__all__ = ["Smooth"]

_WORK = 1e9
"""Complex factors that one probability may cost: about a second."""
_FREQUENCIES = 4096
_LEAST = 64
"""Fewer frequencies are not worth inverting."""
_DEEPEST = 10**7
"""The powers of so many ranks' factors keep nine digits."""
_FEW = 2000
"""Of more ranks a few places stand for all."""
_LONG = 1000
"""Ranks of a list of which the saddlepoint's error was measured."""
_FINE = 1e-3
"""An inversion with a relative error of this is not followed by draws."""


class Smooth(Linear):
    """The law by tilted Fourier inversion, or by the double saddlepoint where that costs too much.

    An atom other than the least and the greatest value counts half in `tail`, `sf` and `cdf` alike.
    """

    @property
    def method(self) -> str:
        """How probabilities are found: ``"fourier"``, ``"Monte Carlo"`` or ``"saddlepoint"``."""
        if self._inverted:
            return "fourier"
        return "Monte Carlo" if self._drawable else "saddlepoint"

    @property
    def exact(self) -> bool:
        """Whether probabilities are exact up to rounding."""
        return False

    @cached_property
    def _dealt(self) -> Dealt:
        """All ranks, or a few places that stand for them."""
        return self._over(self._ranks if self._ranks.depth <= _FEW else few(self._ranks.depth))

    def _over(self, ranks: Ranks) -> Dealt:
        discounts, weights = ranks.discounts, ranks.weights
        rest = self.cells.items - ranks.depth
        if rest:
            discounts, weights = np.append(discounts, 0.0), np.append(weights, float(rest))
        common, *counts = (float(each) for each in self.cells.counts)
        return Dealt(self.cells.gains[1:] - self.cells.gains[0], np.array(counts), common, discounts, weights)

    @cached_property
    def _base(self) -> float:
        return float(self.cells.gains[0]) * math.fsum((self._ranks.discounts * self._ranks.weights).tolist())

    @cached_property
    def _centre(self) -> Tilted:
        return Tilted(self._dealt, 0.0)

    @cached_property
    def _inverted(self) -> bool:
        if self._ranks.depth > _DEEPEST:
            return False
        return bound(self._centre) * _LEAST <= _WORK

    def _tilt_at(self, x: float) -> Tilted:
        """The tilt under which the mean is x, or the strongest that can be computed."""
        dealt, tilted = self._dealt, self._centre
        strongest = 300 / float(np.abs(dealt.gains).max() * dealt.discounts.max())
        low, high = -strongest, strongest
        target = 1e-9 * math.sqrt(tilted.var())
        for _ in range(80):
            excess = x - tilted.mean()
            if abs(excess) <= target:
                break
            low, high = (tilted.s, high) if excess > 0 else (low, tilted.s)
            s = tilted.s + excess / tilted.var()
            # Newton's step, but never beyond the bracket nor more than doubling the tilt.
            furthest = 2 * abs(tilted.s) + 3 / math.sqrt(tilted.var())
            s = min(max(s, tilted.s - furthest), tilted.s + furthest)
            if not low < s < high:
                s = (low + high) / 2
            if high - low < 1e-12 * strongest:
                break
            tilted = Tilted(dealt, s, tilted.tau)
        return tilted

    def _outer(self, x: float, *, upper: bool) -> tuple[float, float, str]:
        """Log P(S > x) for an upper tail, log P(S < x) for a lower one, with half the atom; error and method."""
        key = x, upper
        if key not in self._known:
            self._known[key] = self._found(x / self._scale - self._base, upper=upper)
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[float, bool], tuple[float, float, str]]:
        return {}

    def _found(self, x: float, *, upper: bool) -> tuple[float, float, str]:
        tilted = self._tilt_at(x)
        found, error = self._inversion(tilted, x, upper=upper) if self._inverted else (0.0, math.inf)
        inverted = found > 0 and math.isfinite(error)
        if inverted and error <= _FINE * found:
            return math.log(found), error, "fourier"
        if not self._drawable:
            return (math.log(found), error, "fourier") if inverted else self._bent(tilted, x)
        low, high = self._sampled(x, upper=upper).tail(x, self._slack / self._scale, upper=upper)
        if inverted:
            # The truth is within the reach of both; the inversion is mostly much nearer to it than can be shown.
            error = min(error, max(high - found, found - low))
            return math.log(found), error, "fourier"
        middle = (low + high) / 2
        return math.log(middle), (high - low) / 2, "Monte Carlo"

    def _bent(self, tilted: Tilted, x: float) -> tuple[float, float, str]:
        far = (x - (self.mean() / self._scale - self._base)) * self._scale / self.std()
        # Cantelli's inequality: whatever the approximation says, neither it nor the truth is beyond.
        most = 1 / (1 + far * far)
        p = min(math.exp(tilted.skovgaard(x, self.skewness())), most)
        bend = self.skewness() ** 2 + abs(self.kurtosis())
        # Twice what was ever measured of long lists, where the law is near enough to a normal one; nothing is known
        # otherwise but that inequality (tests/chance/test_bounds.py).
        sure = self._ranks.depth >= _LONG and bend < 0.5
        error = min(max(p, most - p), 2 * (0.02 + 0.5 * bend) * p) if sure else max(p, most - p)
        return (math.log(p) if p else -math.inf), error, "saddlepoint"

    @cached_property
    def _drawable(self) -> bool:
        return not self._ranks.grouped and affordable(Tilted(self._over(self._ranks), 0.0))

    def _sampled(self, x: float, *, upper: bool) -> Sampled:
        """Random rankings under a tilt towards x."""
        tilted = self._tilt_at(x)
        # At the mean too a little towards the tail, which bounds the weights there.
        least = (0.3 if upper else -0.3) / math.sqrt(tilted.var())
        s = max(tilted.s, least) if upper else min(tilted.s, least)
        return Sampled(Tilted(self._over(self._ranks), s))

    def _inversion(self, tilted: Tilted, x: float, *, upper: bool) -> tuple[float, float]:
        sign = 1.0 if upper else -1.0
        spread = math.sqrt(tilted.var())
        if tilted.s * sign * spread < 1:
            tilted = Tilted(self._dealt, sign / spread, tilted.tau)
            spread = math.sqrt(tilted.var())
        if _crowded(tilted):
            if self._ranks.grouped:
                return 0.0, math.inf
            tilted = Tilted(self._over(self._ranks), tilted.s, tilted.tau)
        held = Coincidence(tilted)

        def transform(u: Floats) -> NDArray[np.complex128]:
            values = held.transform(u, x)
            return values if upper else values.conj()

        log_scale = tilted.log_likelihood() + math.log(held.probability) - self._dealt.log_coincidence() - tilted.s * x
        width = (self._bounds[1] - self._bounds[0]) / self._scale
        period = min(1.02 * width, 30 * spread * (1 + abs(self.kurtosis())))
        enough = min(max(_LEAST, int(_WORK / held.cost)), _FREQUENCIES)
        found, error = tilted_tail(transform, abs(tilted.s), log_scale, period, enough)
        # What all frequencies together have lost beyond the window, none of it cancelled.
        reach = math.asinh(2 * math.pi * enough / period / abs(tilted.s)) / math.pi
        error += math.exp(log_scale) * held.lost * (1 / period / abs(tilted.s) + reach)
        # The places that stand for many ranks, and the nodes that are left out, are good for nine digits.
        return found, error + 2e-9 * abs(found)

    def _side(self, x: float, *, upper: bool) -> tuple[float, float, str]:
        """Log P(S > x) or log P(S < x), by whichever of the two is the smaller."""
        above = x >= self.mean()
        log, error, method = self._outer(x, upper=above)
        log = min(log, 0.0)
        return (log if above == upper else _log_rest(log)), error, method

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """Log probabilities of the least and the greatest value."""
        if self._ranks.grouped:
            return -math.inf, -math.inf
        return self.cells.extreme(highest=False)[1], self.cells.extreme(highest=True)[1]

    def _log_tail(self, x: float) -> tuple[float, float, str]:
        low, high = self._bounds
        if x <= low + self._slack:
            return 0.0, 0.0, "closed"
        if x >= high - self._slack:
            return (self._ends[1] if x <= high + self._slack else -math.inf), 0.0, "closed"
        return self._side(x, upper=True)

    def _log_sf(self, x: float) -> tuple[float, float, str]:
        low, high = self._bounds
        if x <= low + self._slack:
            return (_log_rest(self._ends[0]) if x >= low - self._slack else 0.0), 0.0, "closed"
        if x >= high - self._slack:
            return -math.inf, 0.0, "closed"
        return self._side(x, upper=True)

    def _log_cdf(self, x: float) -> tuple[float, float, str]:
        low, high = self._bounds
        if x <= low + self._slack:
            return (self._ends[0] if x >= low - self._slack else -math.inf), 0.0, "closed"
        if x >= high - self._slack:
            return (_log_rest(self._ends[1]) if x < high - self._slack else 0.0), 0.0, "closed"
        return self._side(x, upper=False)

    def _log_pmf(self, x: float) -> tuple[float, float, str]:
        low, high = self._bounds
        for end, log in zip((low, high), self._ends, strict=True):
            if abs(x - end) <= self._slack:
                return log, 0.0, "closed"
        if not low < x < high:
            return -math.inf, 0.0, "closed"
        raise DataError(
            f"this law has too many values to tell the probability of {x:g} alone; ask for tail, sf or cdf, or for a "
            "smaller cutoff"
        )


def _log_rest(log: float) -> float:
    return math.log1p(-math.exp(log)) if log < 0 else -math.inf


def _crowded(tilted: Tilted) -> bool:
    """Whether a place that stands for others is as likely as not to have another gain than the common one.

    A power of its factor would then have more than one value.
    """
    dealt = tilted.dealt
    stands = (dealt.weights != 1) & (dealt.discounts > 0)
    return bool((tilted.chances[stands].sum(axis=1) > 0.45).any())
