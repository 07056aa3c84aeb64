"""A law of gains times discounts as seen from one tilt: its tails nearby."""

import math

import numpy as np
from numpy.typing import NDArray

from certus.chance.distribution import Floats
from certus.chance.linear_rank.inversion import Inversion
from certus.chance.linear_rank.tilt import Tilted
from certus.chance.linear_rank.transform import Coincidence

__all__ = ["LEAST", "WORK", "Inverted"]

WORK = 1e9
"""Complex factors that one inversion may cost: some two seconds of one core."""
LEAST = 64
"""Fewer frequencies are not worth inverting."""
_FREQUENCIES = 4096
_ALIAS = 40.0
"""exp(-40) of a probability cannot be seen."""


class Inverted:
    """The inversion at one tilt, and what turns it into probabilities.

    Parameters
    ----------
    tilted
        The ranks under the tilt: to the upper tail where that is more than 0, else to the lower.
    ends
        Least and greatest sum.
    spread
        Standard deviation of the sum under the tilt.
    reach
        A period beyond which little can be seen.
    """

    def __init__(self, tilted: Tilted, ends: tuple[float, float], spread: float, reach: float) -> None:
        self.spread = spread
        self._s, self._sign = tilted.s, math.copysign(1.0, tilted.s)
        self._ends = sorted(self._sign * end for end in ends)
        held = Coincidence(tilted)
        start = tilted.dealt.log_coincidence()
        self._log = tilted.log_likelihood() + math.log(held.probability) - start
        back = _ALIAS - self._log + tilted.s * tilted.mean()
        period = min(1.02 * (ends[1] - ends[0]), max(reach, back / abs(tilted.s) + reach / 2))
        self._period = period
        further = Tilted(tilted.dealt, tilted.s + 2 * self._sign / spread, tilted.tau)
        self._further = abs(further.s), further.log_likelihood() - start

        def transform(u: Floats) -> NDArray[np.complex128]:
            values = held.transform(u)
            return values if tilted.s > 0 else values.conj()

        enough = min(max(LEAST, int(WORK / held.cost)), _FREQUENCIES)
        self._inversion = Inversion(transform, abs(tilted.s), period, enough)
        # What all frequencies together have lost beyond the window, none of it cancelled.
        reach = math.asinh(2 * math.pi * enough / period / abs(tilted.s)) / math.pi
        self._lost = held.lost * (1 / period / abs(tilted.s) + reach)

    def tail(self, x: float) -> tuple[float, float]:
        """P(S > x), or P(S < x) for a tilt to the lower tail, with half of an atom at x; and a bound of its error."""
        log_scale = self._log - self._s * x
        found, error = self._inversion.tail(self._sign * x, log_scale)
        # The places that stand for many ranks, and the nodes that are left out, are good for nine digits.
        error += math.exp(min(log_scale, 700)) * self._lost + 2e-9 * abs(found)
        return found, error + self._aliases(self._sign * x, log_scale)

    def _aliases(self, x: float, log_scale: float) -> float:
        """What values further from x than the period may add, by Chernoff's bound on either side."""
        s, (low, high) = abs(self._s), self._ends
        if self._period >= high - low:
            return 0.0
        below = min(x - low, max(_ALIAS - log_scale, 0.0) / s)
        above = self._period - below
        added = 0.0 if below == x - low else math.exp(-s * below)
        if above < high - x:
            further, log = self._further
            added += math.exp(min(log - further * x - (further - s) * above, 0.0))
        return added

    def place(self, x: float, q: float) -> float:
        """Where the tail is q, within two standard deviations of x."""
        inner, outer = x - 2 * self._sign * self.spread, x + 2 * self._sign * self.spread
        for _ in range(60):
            middle = (inner + outer) / 2
            if self.tail(middle)[0] > q:
                inner = middle
            else:
                outer = middle
            if abs(outer - inner) <= 1e-12 * self.spread:
                break
        return outer
