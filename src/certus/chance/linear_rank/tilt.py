"""A random ranking as independent ranks with given totals: the exponential family behind a linear statistic.

Give each rank one of the gains at random and independently, the gain g with probability proportional to
exp(tau_g + s * g * discount). Given that every gain has come up as often as there are items with it, that is the
random ranking, tilted by exp(s * S). The tau are chosen so that the numbers of each gain have the right mean. The
moment generating function of S is then a ratio of two probabilities of those numbers (`transform`).
"""

import math
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.chance.lattice.hypergeometric import log_remainder
from certus.transform.inversion import Cumulants


class RankedItems(NamedTuple):
    """The items and the ranks, with the most common gain taken off every other."""

    gains: Floats
    """The other gains less the most common one."""
    counts: Floats
    """Number of items with each of them."""
    common: float
    """Number of items with the most common gain."""
    discounts: Floats
    """Of the ranks; 0 for those that are not looked at."""
    weights: Floats
    """Number of ranks with each discount."""

    @property
    def shares(self) -> Floats:
        """The share of each gain among the items."""
        return np.asarray(self.counts / (self.common + self.counts.sum()))

    @property
    def sharp(self) -> float:
        """Up to this frequency the places that stand for many ranks are good for nine digits.

        Five nodes of Gauss's quadrature sum exp(i u y) over a group with an error of 4e-10 (u width / 2)^10, and are at
        most 0.54 of half of its width apart.
        """
        here = self.discounts > 0
        stands = (self.weights != 1)[here]
        gaps = -np.diff(self.discounts[here])[stands[1:] | stands[:-1]]
        return 2.35 / (3.72 * float(gaps.max()) * float(np.abs(self.gains).max())) if len(gaps) else math.inf

    def log_coincidence(self) -> float:
        """Log probability that independent ranks with these shares hold exactly these numbers."""
        every = np.append(self.counts, self.common)
        return float(log_remainder(every.sum()) - log_remainder(every).sum())


class TiltedRanks:
    """The tilted law at one s."""

    def __init__(self, ranked: RankedItems, s: float, start: Floats | None = None) -> None:
        self.ranked, self.s = ranked, s
        self.tau = np.zeros(len(ranked.gains)) if start is None else start.copy()
        self._exponents = s * np.outer(ranked.discounts, ranked.gains)
        self._balance()

    def _balance(self) -> None:
        """Newton's steps on the tau, which are less those at s = 0, shortened until a convex function falls."""
        counts = self.ranked.counts
        self._assign()
        for _ in range(200):
            excess = self.ranked.weights @ self.chances - counts
            if np.all(np.abs(excess) <= 1e-10 * np.sqrt(counts)):
                return
            step = self._solved(-excess)
            step *= min(1.0, 8.0 / float(np.abs(step).max()))
            height, start, length = self._height(), self.tau, 1.0
            most = height + 1e-13 * abs(height)
            while length > 1e-6:
                self.tau = start + length * step
                self._assign()
                if self._height() <= most + 1e-4 * length * float(excess @ step):
                    break
                length /= 2

    def _solved(self, excess: Floats) -> Floats:
        """The change of the tau for a change of the numbers; where ranks have hardly a choice, a large one."""
        slight = 1e-13 * max(float(np.trace(self.spread)), 1e-6)
        return np.asarray(np.linalg.solve(self.spread + slight * np.eye(len(excess)), excess), dtype=np.float64)

    def _height(self) -> float:
        return float(self.ranked.weights @ self.log_norms - self.tau @ self.ranked.counts)

    def _assign(self) -> None:
        shares = self.ranked.shares
        logs = self._exponents + self.tau
        # Near 1 a norm keeps its digits by its difference from 1, far from it by its logarithm.
        self.log_norms = np.log1p(np.expm1(np.minimum(logs, 1.0)) @ shares)
        if (large := logs.max(axis=1) > 1).any():
            every = np.logaddexp.reduce(logs[large] + np.log(shares), axis=1)
            self.log_norms[large] = np.logaddexp(math.log(1 - float(shares.sum())), every)
        self.chances = shares * np.exp(logs - self.log_norms[:, None])
        weighted = self.chances * self.ranked.weights[:, None]
        self.spread = np.diag(weighted.sum(axis=0)) - self.chances.T @ weighted

    @property
    def _sizes(self) -> Floats:
        return np.outer(self.ranked.discounts, self.ranked.gains)

    @property
    def settled(self) -> bool:
        """True if almost all rankings of that score have the same ranks, as at the ends of the range."""
        return not float(np.linalg.eigvalsh(self.spread)[0]) > 1e-7

    def mean(self) -> float:
        """Mean of the statistic without the condition on the numbers."""
        return float(self.ranked.weights @ (self.chances * self._sizes).sum(axis=1))

    def _shared(self) -> tuple[float, Floats]:
        """Variance of the statistic, and its covariances with the numbers."""
        parts = self.chances * self._sizes
        each = parts.sum(axis=1)
        weights = self.ranked.weights
        own = float(weights @ ((parts * self._sizes).sum(axis=1) - each**2))
        return own, weights @ parts - (weights * each) @ self.chances

    def regression(self) -> Floats:
        """Contribution of one more item of each gain to the statistic's mean."""
        return self._solved(self._shared()[1])

    def var(self) -> float:
        """Variance of the statistic that the numbers do not explain."""
        own, shared = self._shared()
        return own - float(shared @ self._solved(shared))

    def log_likelihood(self) -> float:
        """K(s, tau) - tau * counts, less the same at s = 0."""
        return math.fsum((self.ranked.weights * self.log_norms).tolist()) - float(self.tau @ self.ranked.counts)


class RankedLaw:
    """The statistic for the transform engine.

    Parameters
    ----------
    ranked
        Items and ranks.
    ends
        Least and greatest value.
    centre
        The law without a tilt, where it is known.
    """

    def __init__(self, ranked: RankedItems, ends: tuple[float, float], centre: TiltedRanks | None = None) -> None:
        self.ranked, self._ends = ranked, ends
        self.last = TiltedRanks(ranked, 0.0) if centre is None else centre
        self._start = ranked.log_coincidence()

    def range(self) -> tuple[float, float]:
        """Least and greatest value."""
        return self._ends

    def at(self, tilt: float) -> TiltedRanks:
        """The ranks under a tilt, sought from those under the last one."""
        near = self.last
        if tilt != near.s:
            start = near.tau if near.settled else near.tau - (tilt - near.s) * near.regression()
            self.last = TiltedRanks(self.ranked, tilt, start)
        return self.last

    def log(self, tilted: TiltedRanks) -> float:
        """A bound of log E exp(s S): that the numbers of items coincide is less than certain."""
        return tilted.log_likelihood() - self._start

    def cumulants(self, tilt: float, rough: bool = False) -> Cumulants:
        """The bound of the logarithm, and mean and variance as if the ranks were independent."""
        tilted = self.at(tilt)
        if not rough and tilted.settled:
            raise ValueError(f"found no tilt beyond {tilt}")
        return self.log(tilted), tilted.mean(), tilted.var(), math.nan, math.nan
