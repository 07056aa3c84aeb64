"""A linear rank statistic for the transform engine, and its tails as seen from one tilt."""

import math

import numpy as np

from certus.arrays import Floats
from certus.chance.linear_rank.tilt import RankedLaw, TiltedRanks
from certus.chance.linear_rank.transform import ConditionalTransform, conditional_transform
from certus.transform.inversion import Inversion, Limits, around

WORK = 1e9
"""Complex factors that one inversion may cost: some two seconds of one core."""
LEAST = 64
"""Fewer frequencies are not worth inverting."""
_FREQUENCIES = 4096


class _Statistic(RankedLaw):
    """The statistic with its transform."""

    def tilted(self, tilt: float) -> "_AtTilt":
        """The statistic under a tilt."""
        tilted = self.at(tilt)
        return _AtTilt(conditional_transform(tilted), self.log(tilted))


class _AtTilt:
    def __init__(self, held: ConditionalTransform, log: float) -> None:
        self.held = held
        self.log = log + math.log(held.probability)

    @property
    def cells(self) -> float:
        return self.held.cost

    def characteristic(self, step: float, first: int, count: int) -> tuple[Floats, Floats]:
        found = self.held.transform(step * np.arange(float(first), first + count))
        return found.real, found.imag


class InvertedTail:
    """The inversion at one tilt, and what turns it into probabilities.

    Parameters
    ----------
    tilted
        The ranks under the tilt: to the upper tail where that is more than 0, otherwise to the lower.
    x
        The value whose tail is asked for.
    ends
        Least and greatest sum.
    spread
        Standard deviation of the sum under the tilt.
    """

    def __init__(self, tilted: TiltedRanks, x: float, ends: tuple[float, float], spread: float) -> None:
        self.spread = spread
        self._x, self._sign, tilt = x, math.copysign(1.0, tilted.s), abs(tilted.s)
        law = _Statistic(tilted.ranked, ends, tilted)
        at = law.tilted(tilted.s)
        seen = around(law, self._sign, self._sign * x, tilt, spread)
        period = seen.period(tilt, at.log)
        sharp = tilted.ranked.sharp * period / (2 * math.pi)
        limits = Limits(lambda cost: min(max(LEAST, WORK / cost), _FREQUENCIES, max(sharp, 1.0)), 1e-13)
        self._inversion = Inversion(at, seen.x, tilt, period, limits, self._sign)
        # What all frequencies together have lost beyond the window, none of it cancelled.
        reach = math.asinh(2 * math.pi * limits.max_terms(at.cells) / period / tilt) / math.pi
        self._lost = math.exp(min(self._inversion.log, 700)) * at.held.lost * (1 / period / tilt + reach)

    def tail(self) -> tuple[float, float]:
        """P(S > x), or P(S < x) for a tilt to the lower tail, with half of an atom at x; and a bound of its error."""
        try:
            found = self._inversion.tail()
        except ValueError:
            return 0.0, math.inf
        p = math.exp(min(found.log, 0.0))
        # The places that stand for many ranks, and the nodes that are left out, are good for nine digits.
        return p, self._lost + p * (2e-9 + (found.left if found.bound is None else found.bound))

    def place(self, q: float) -> float:
        """The point at which the tail is q, within two standard deviations of x."""
        wanted = math.exp(min(math.log(q) - self._inversion.log, 700))
        return self._x + self._sign * self._inversion.distance_to(wanted, 2 * self.spread)
