"""The law of a sum of gain times discount where it has too many atoms to list: inversion, random rankings beyond."""

import math
from functools import cached_property

import numpy as np

from certus.arrays import Floats
from certus.chance.additive.pieces import random_ranks
from certus.chance.distribution import Answer, log_rest
from certus.chance.linear_rank.gains import Ranks, every, few
from certus.chance.linear_rank.importance_sampling import DRAWS, ImportanceSample, affordable
from certus.chance.linear_rank.inverted import LEAST, WORK, InvertedTail
from certus.chance.linear_rank.statistic import LinearRankStatistic
from certus.chance.linear_rank.tilt import RankedItems, RankedLaw, TiltedRanks
from certus.chance.linear_rank.transform import bound
from certus.chance.replicates import Replicates
from certus.errors import DataError
from certus.transform.inversion import find_tilt
from certus.transform.quantile import quantile

_DEEPEST = 10**7
"""The powers of so many ranks' factors keep nine digits."""
_FEW = 2000
"""Of more ranks a few places stand for all."""
_TERMS = 4096
"""So many frequencies are worth summing rank by rank."""
_LONG = 1000
"""Ranks of a list of which the saddlepoint's error was measured."""
_APART = 0.02
"""Relative difference of the tail at which a quantile of grouped ranks is sought again."""
_FINE = 1e-3
"""An inversion with a relative error of this is not followed by draws."""
_CLOSE = 0.1
"""Random rankings without a tilt with a relative error of this are not followed by tilted ones."""
_PLACED = 2e7
"""Ranks filled in all random rankings without a tilt: less than a second."""
_LEAST_DRAWS = 1000
_DRAWABLE = 10**6
"""Ranks whose discounts are listed for random rankings of few items."""


class ApproximateStatistic(LinearRankStatistic):
    """The law by tilted Fourier inversion, by tilted random rankings, or where neither reaches by the saddlepoint.

    An atom other than the least and the greatest value counts half in `tail`, `sf` and `cdf` alike, and the error has
    the other half.
    """

    @property
    def method(self) -> str:
        """The way probabilities are found: ``"fourier"``, ``"Monte Carlo"`` or ``"saddlepoint"``."""
        if self._inverted:
            return "fourier"
        return "Monte Carlo" if self._drawable else "saddlepoint"

    @cached_property
    def _ranked(self) -> RankedItems:
        """All ranks, or a few places that stand for them."""
        depth = self._ranks.depth
        # Of few items the transform does not die down, and the places are too coarse for what is left of it.
        numbers = math.prod(float(count) + 1 for count in self.cells.counts[1:])
        if depth <= _FEW or numbers * depth * _TERMS <= WORK:
            return self._over(every(depth) if self._ranks.grouped else self._ranks)
        return self._over(few(depth))

    def _over(self, ranks: Ranks) -> RankedItems:
        discounts, weights = ranks.discounts, ranks.weights
        rest = self.cells.items - ranks.depth
        if rest:
            discounts, weights = np.append(discounts, 0.0), np.append(weights, float(rest))
        common, *counts = (float(each) for each in self.cells.counts)
        return RankedItems(self.cells.gains[1:] - self.cells.gains[0], np.array(counts), common, discounts, weights)

    @cached_property
    def _base(self) -> float:
        return float(self.cells.gains[0]) * math.fsum((self._ranks.discounts * self._ranks.weights).tolist())

    @cached_property
    def _centre(self) -> TiltedRanks:
        return TiltedRanks(self._ranked, 0.0)

    @cached_property
    def _inverted(self) -> bool:
        if self._ranks.depth > _DEEPEST:
            return False
        return bound(self._centre) * LEAST <= WORK

    def _tilt_at(self, x: float) -> TiltedRanks:
        """The tilt under which the mean is x, or the strongest that leaves the ranks a choice, and beyond."""
        law = RankedLaw(self._ranked, (self._inner(self._bounds[0]), self._inner(self._bounds[1])), self._centre)
        try:
            return law.at(find_tilt(law, x, 1e-9, rough=False)[0])
        except ValueError:
            return law.last

    def _outer(self, x: float, *, upper: bool) -> Answer:
        """Log P(S > x) for an upper tail, log P(S < x) for a lower one, with half the atom; error and method."""
        key = x, upper
        if key not in self._known:
            self._known[key] = self._found(self._inner(x), upper=upper)
        return self._known[key]

    def _inner(self, x: float) -> float:
        """The sum without scale, the most common gain taken off every other."""
        return x / self._scale - self._base

    def _inverse(self, q: float, *, upper: bool) -> float:
        """The point at which the smaller of the two tails has the wanted probability."""
        upper, q = (upper, q) if q <= 0.5 else (not upper, 1 - q)
        start = self.mean(), self.std(), self.skewness()
        x = quantile(self._rough, q, not upper, self._bounds, start, None)
        if self._inverted:
            for _ in range(8):
                inverted = self._inversion(self._inner(x), self._tilt_at(self._inner(x)), upper=upper)
                if inverted is None:
                    return x
                before = x
                x = self._scale * (inverted.place(q) + self._base)
                if abs(x - before) <= 0.5 * inverted.spread * self._scale:
                    break
            x = min(max(x, self._bounds[0]), self._bounds[1])
            found = math.exp(self._log_side(x, upper=upper, atom=False)[0]) if self._ranks.grouped else q
            if abs(found - q) > _APART * q:
                # Few items have too few values for one inversion to lead to the next; the tails that are stated do.
                x = quantile(self._sides, q, not upper, self._bounds, start, None)
        elif self._drawable:
            x = self._scale * (self._sampled(self._inner(x), upper=upper).place(q, upper=upper) + self._base)
        return min(max(x, self._bounds[0]), self._bounds[1])

    def _sides(self, x: float) -> tuple[float, float]:
        """Logs of P(S <= x) and P(S > x)."""
        return self._log_cdf(x)[0], self._log_sf(x)[0]

    @cached_property
    def _known(self) -> dict[tuple[float, bool], Answer]:
        return {}

    def _found(self, x: float, *, upper: bool) -> Answer:
        tilted = self._tilt_at(x)
        inverted = self._inversion(x, tilted, upper=upper) if self._inverted else None
        found, error = inverted.tail() if inverted is not None else (0.0, math.inf)
        if found > 0 and error <= _FINE * found:
            return math.log(found), error, "fourier"
        if self._drawable:
            low, high = self._limits(x, upper=upper)
            if not (found > 0 and low <= found <= high):
                drawn = (math.log((low + high) / 2), (high - low) / 2, "Monte Carlo")
                return min(drawn, self._bent(tilted, x), key=lambda answer: answer[1])
            # The truth is within the reach of both; the inversion is mostly much nearer to it than can be shown.
            error = min(error, max(high - found, found - low))
        answer = self._bent(tilted, x)
        if found > 0:
            answer = min((math.log(found), error, "fourier"), answer, key=lambda each: each[1])
        if self._placeable and answer[1] >= math.exp(answer[0]):
            low, high = self._plain_limits(x, upper=upper)
            drawn = (math.log((low + high) / 2), (high - low) / 2, "Monte Carlo")
            return min(drawn, answer, key=lambda each: each[1])
        return answer

    def _limits(self, x: float, *, upper: bool) -> tuple[float, float]:
        """Limits of the tail at x by random rankings: without a tilt, and under one where these say too little."""
        low, high = self._plain_limits(x, upper=upper)
        if high - low <= _CLOSE * (low + high):
            return low, high
        tilted = self._sampled(x, upper=upper).tail(x, self._slack / self._scale, upper=upper)
        return min((low, high), tilted, key=lambda limits: limits[1] - limits[0])

    def _plain_limits(self, x: float, *, upper: bool) -> tuple[float, float]:
        value = self._scale * (x + self._base)
        (beyond, off, _), (reached, more, _) = (
            self._plain._log_side(value, upper=upper, atom=a) for a in (False, True)
        )
        low, high = max(math.exp(beyond) - off, 0.0), min(math.exp(reached) + more, 1.0)
        return low, high

    @cached_property
    def _plain(self) -> Replicates:
        """Random rankings without a tilt, whose limits hold however uneven the weights of tilted ones are."""
        placed = self._placed if self._ranks.grouped else self._ranks.depth
        return Replicates(self.rvs(int(min(DRAWS, max(_PLACED / placed, _LEAST_DRAWS)))), self._bounds)

    @property
    def _placed(self) -> int:
        """Ranks that a random ranking of few items fills."""
        count = self.cells.items - self.cells.counts[0]
        return int(count if count**2 <= self.cells.items else self.cells.items)

    @property
    def _placeable(self) -> bool:
        """True if ranks are too many to be drawn one by one, but the items whose gain is not the usual one are few."""
        return self._ranks.grouped and self._ranks.depth <= _DRAWABLE and self._placed * _LEAST_DRAWS <= _PLACED

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        if not self._placeable:
            return super()._draw(size, generator)
        gains = np.repeat(self._ranked.gains, self._ranked.counts.astype(np.int64))
        discounts = np.append(every(self._ranks.depth).discounts, 0.0)
        sums, rows = np.empty(size), max(1, int(_PLACED) // self._placed)
        for start in range(0, size, rows):
            part = sums[start : start + rows]
            ranks = random_ranks(self.cells.items, len(gains), len(part), generator)
            generator.permuted(ranks, axis=1, out=ranks)
            part[:] = discounts[np.minimum(ranks, len(discounts)) - 1] @ gains
        return np.asarray((sums + self._base) * self._scale)

    def _bent(self, tilted: TiltedRanks, x: float) -> Answer:
        far = (x - (self.mean() / self._scale - self._base)) * self._scale / self.std()
        # Cantelli's inequality: whatever the approximation says, neither it nor the truth is beyond.
        most = 1 / (1 + far * far)
        if tilted.settled:
            return math.log(most / 2), most / 2, "saddlepoint"
        p = min(math.exp(tilted.skovgaard(x, self.skewness())), most)
        bend = self.skewness() ** 2 + abs(self.kurtosis())
        # Twice what was ever measured of long lists, where the law is near enough to a normal one; nothing is known
        # otherwise but that inequality (tests/chance/test_bounds.py).
        sure = self._ranks.depth >= _LONG and bend < 0.5
        error = min(max(p, most - p), 2 * (0.02 + 0.5 * bend) * p) if sure else max(p, most - p)
        return (math.log(p) if p else -math.inf), error, "saddlepoint"

    def _rough(self, x: float) -> tuple[float, float]:
        """Log P(S <= x) and log P(S > x) by the saddlepoint: where to look first."""
        low, high = self._bounds
        if x <= low + self._slack or x >= high - self._slack:
            return self._log_cdf(x)[0], self._log_sf(x)[0]
        log = min(self._bent(self._tilt_at(self._inner(x)), self._inner(x))[0], 0.0)
        return (log_rest(log), log) if x >= self.mean() else (log, log_rest(log))

    @cached_property
    def _drawable(self) -> bool:
        return not self._ranks.grouped and affordable(TiltedRanks(self._over(self._ranks), 0.0))

    def _sampled(self, x: float, *, upper: bool) -> ImportanceSample:
        """Random rankings under a tilt towards x."""
        tilted = self._tilt_at(x)
        if tilted.settled:
            tilted = self._centre
        # At the mean too a little towards the tail, which bounds the weights there.
        least = (0.3 if upper else -0.3) / math.sqrt(tilted.var())
        # A stronger one would leave the lowest ranks no weight that a float can hold.
        most = math.copysign(300 / float(np.abs(self._ranked.gains).max() * self._ranked.discounts.max()), least)
        s = min(max(tilted.s, least), most) if upper else max(min(tilted.s, least), most)
        return ImportanceSample(TiltedRanks(self._over(self._ranks), s))

    def _inversion(self, x: float, tilted: TiltedRanks, *, upper: bool) -> "InvertedTail | None":
        """The law as seen from a tilt, for tails near its mean; None where all values there are alike."""
        sign = 1.0 if upper else -1.0
        if tilted.settled:
            return None
        spread = math.sqrt(max(tilted.var(), 0.0))
        if spread and tilted.s * sign * spread < 1:
            tilted = TiltedRanks(self._ranked, sign / spread, tilted.tau)
            spread = math.sqrt(max(tilted.var(), 0.0))
        if tilted.settled or not spread > 1e-9 * self.std() / self._scale:
            return None
        if _crowded(tilted):
            if self._ranks.grouped:
                return None
            tilted = TiltedRanks(self._over(self._ranks), tilted.s, tilted.tau)
        ends = self._inner(self._bounds[0]), self._inner(self._bounds[1])
        return InvertedTail(tilted, x, ends, spread)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """Log probabilities of the least and the greatest value."""
        if self._ranks.grouped:
            return -math.inf, -math.inf
        return self.cells.extreme(highest=False)[1], self.cells.extreme(highest=True)[1]

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        for which, sign in ((0, -1), (1, 1)):
            outside = sign * (x - self._bounds[which])
            if outside < -self._slack:
                continue
            here = (sign > 0) == upper
            if outside > self._slack:
                return (-math.inf if here else 0.0), 0.0, "closed"
            log = self._ends[which]
            return ((log if atom else -math.inf) if here else (0.0 if atom else log_rest(log))), 0.0, "closed"
        above = x >= self.mean()
        log, error, method = self._outer(x, upper=above)
        log = min(log, 0.0)
        return (log if above == upper else log_rest(log)), error, method

    def _log_pmf(self, x: float) -> Answer:
        low, high = self._bounds
        for end, log in zip((low, high), self._ends, strict=True):
            if abs(x - end) <= self._slack:
                return log, 0.0, "closed"
        if not low < x < high:
            return -math.inf, 0.0, "closed"
        raise DataError(
            f"this law has too many values to tell the probability of {x:g} alone",
            "ask for tail, sf or cdf, or for a smaller cutoff",
        )


def _crowded(tilted: TiltedRanks) -> bool:
    """True if ranks that are treated as one often have a gain other than the most frequent one.

    A power of its factor would then have more than one value.
    """
    ranked = tilted.ranked
    stands = (ranked.weights != 1) & (ranked.discounts > 0)
    return bool((tilted.chances[stands].sum(axis=1) > 0.45).any())
