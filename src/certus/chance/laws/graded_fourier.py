"""The law of a sum of gain times discount where it has too many atoms to list: inversion, random rankings beyond."""

import math
from functools import cached_property

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.chance.laws.gains import Ranks, every, few
from certus.chance.laws.graded_exact import LinearRankStatistic
from certus.chance.laws.graded_transform import (
    ConditionalTransform,
    RankedItems,
    RankedLaw,
    TiltedRanks,
    bound,
    conditional_transform,
)
from certus.chance.laws.sums_of_hits import growing_groups, random_ranks
from certus.chance.monte_carlo import Replicates
from certus.chance.probability import Answer, log_rest
from certus.errors import DataError
from certus.transform.inversion import Inversion, Limits, around, find_tilt
from certus.transform.quantile import Start, quantile

_DEEPEST = 10**7
"""The powers of so many ranks' factors keep nine digits."""
_FEW = 2000
"""Of more ranks a few places stand for all."""
_TERMS = 4096
"""So many frequencies are worth summing rank by rank."""
_WORK = 1e9
"""Complex factors that one inversion may cost: some two seconds of one core."""
_LEAST_TERMS = 64
"""Fewer frequencies are not worth inverting."""
_APART = 0.02
"""Relative difference of the tail at which a quantile is sought again."""
_FINE = 1e-3
"""An inversion with a relative error of this is not followed by random rankings."""
_AT_ONCE = 2e7
"""Ranks that are filled together."""
_COUNTABLE = 10**9
"""Items among which numpy draws without replacement."""
_RATIO = 0.1
"""Size of a group of ranks of a random ranking, as a part of the ranks above it."""


class ApproximateStatistic(LinearRankStatistic):
    """The law by tilted Fourier inversion, or where that has no digits by random rankings.

    An atom other than the least and the greatest value counts half in `tail`, `sf` and `cdf` alike, and the error has
    the other half.
    """

    @property
    def method(self) -> str:
        """The way probabilities are found: ``"fourier"`` or ``"Monte Carlo"``."""
        return "fourier" if self._is_invertible else "Monte Carlo"

    @cached_property
    def _ranked(self) -> RankedItems:
        """All ranks, or a few places that stand for them."""
        depth = self._ranks.depth
        # Of few items the transform does not die down, and the places are too coarse for what is left of it.
        numbers = math.prod(float(count) + 1 for count in self.cells.counts[1:])
        if depth <= _FEW or numbers * depth * _TERMS <= _WORK:
            return self._over(every(depth) if self._ranks.grouped else self._ranks)
        return self._over(few(depth))

    def _over(self, ranks: Ranks) -> RankedItems:
        discounts, weights = ranks.discounts, ranks.weights
        unseen = self.cells.items - ranks.depth
        if unseen:
            discounts, weights = np.append(discounts, 0.0), np.append(weights, float(unseen))
        common, *counts = (float(count) for count in self.cells.counts)
        return RankedItems(self.cells.gains[1:] - self.cells.gains[0], np.array(counts), common, discounts, weights)

    @cached_property
    def _base(self) -> float:
        return float(self.cells.gains[0]) * math.fsum((self._ranks.discounts * self._ranks.weights).tolist())

    @cached_property
    def _centre(self) -> TiltedRanks:
        return TiltedRanks(self._ranked, 0.0)

    @cached_property
    def _is_invertible(self) -> bool:
        return self._ranks.depth <= _DEEPEST and bound(self._centre) * _LEAST_TERMS <= _WORK

    @cached_property
    def _ends(self) -> tuple[float, float]:
        low, high = self._bounds
        return self._inner(low), self._inner(high)

    def _tilt_at(self, x: float) -> TiltedRanks:
        """The tilt under which the mean is x, or the strongest that leaves the ranks a choice, and beyond."""
        law = RankedLaw(self._ranked, self._ends, self._centre)
        try:
            return law.at(find_tilt(law, x, 1e-9, rough=False)[0])
        except ValueError:
            return law.last

    def _inner(self, x: float) -> float:
        """The sum without scale, the most common gain taken off every other."""
        return x / self._scale - self._base

    # Quantiles

    def _inverse(self, q: float, *, upper: bool) -> float:
        """The point at which the smaller of the two tails has the wanted probability."""
        upper, q = (upper, q) if q <= 0.5 else (not upper, 1 - q)
        if not self._is_invertible:
            return self._rankings._inverse(q, upper=upper)
        low, high = self._bounds
        moments = self.mean(), self.std(), self.skewness()
        z = kernels.normal_quantile(q) or 0.0
        x = min(max(Start(self._bounds, moments).quantile(-z if upper else z), low), high)
        for _ in range(8):
            inversion = self._inversion(self._inner(x), self._tilt_at(self._inner(x)), upper=upper)
            if inversion is None:
                break
            before = x
            x = min(max(self._scale * (inversion.quantile(q) + self._base), low), high)
            if abs(x - before) <= 0.5 * inversion.spread * self._scale:
                break
        log, _, method = self._log_side(x, upper=upper, atom=False)
        if method == "Monte Carlo":
            return self._rankings._inverse(q, upper=upper)
        if abs(math.exp(log) - q) <= _APART * q:
            return x
        # Few items have too few values for one inversion to lead to the next; the tails that are stated do.
        x = quantile(lambda y: (self._log_cdf(y)[0], self._log_sf(y)[0]), q, not upper, self._bounds, moments, None)
        return min(max(x, low), high)

    # Tails

    @cached_property
    def _answers(self) -> dict[tuple[float, bool], Answer]:
        return {}

    def _log_half(self, x: float, *, upper: bool) -> Answer:
        """Log P(S > x) for an upper tail, log P(S < x) for a lower one, with half the atom; error and method."""
        if (x, upper) not in self._answers:
            self._answers[x, upper] = self._find(x, upper=upper)
        return self._answers[x, upper]

    def _find(self, x: float, *, upper: bool) -> Answer:
        tilted = self._tilt_at(self._inner(x))
        inversion = self._inversion(self._inner(x), tilted, upper=upper) if self._is_invertible else None
        p, error = inversion.tail() if inversion is not None else (0.0, math.inf)
        if p > 0 and error <= _FINE * p:
            return math.log(p), error, "fourier"
        low, high = self._limits(x, upper=upper)
        answers = [
            self._half_of_bound(x, tilted),
            (math.log((low + high) / 2), (high - low) / 2, "Monte Carlo"),
        ]
        if p > 0 and low <= p <= high:
            # The truth is within the reach of both; the inversion is mostly much nearer to it than can be shown.
            answers.append((math.log(p), min(error, max(high - p, p - low)), "fourier"))
        return min(answers, key=lambda answer: answer[1])

    def _half_of_bound(self, x: float, tilted: TiltedRanks) -> Answer:
        """Half of the least of Cantelli's and Chernoff's bound, and as much for its error."""
        away = (x - self.mean()) / self.std()
        log = -math.log1p(away * away)
        if self._ranks.depth <= _DEEPEST and away * tilted.s > 0:
            log = min(log, tilted.log_likelihood() - self._ranked.log_coincidence() - tilted.s * self._inner(x))
        return log - math.log(2), math.exp(log) / 2, "bound"

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
        return InvertedTail(tilted, x, self._ends, spread)

    @cached_property
    def _end_logs(self) -> tuple[float, float]:
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
            log = self._end_logs[which]
            return ((log if atom else -math.inf) if here else (0.0 if atom else log_rest(log))), 0.0, "closed"
        is_upper = x >= self.mean()
        log, error, method = self._log_half(x, upper=is_upper)
        log = min(log, 0.0)
        return (log if is_upper == upper else log_rest(log)), error, method

    def _log_pmf(self, x: float) -> Answer:
        low, high = self._bounds
        for end, log in zip((low, high), self._end_logs, strict=True):
            if abs(x - end) <= self._slack:
                return log, 0.0, "closed"
        if not low < x < high:
            return -math.inf, 0.0, "closed"
        raise DataError(
            f"this law has too many values to tell the probability of {x:g} alone",
            "ask for tail, sf or cdf, or for a smaller cutoff",
        )

    # Random rankings

    def _limits(self, x: float, *, upper: bool) -> tuple[float, float]:
        """Limits of the tail at x, with and without its atom, by random rankings."""
        (outer, off, _), (inner, more, _) = (self._rankings._log_side(x, upper=upper, atom=a) for a in (False, True))
        return max(math.exp(outer) - off, 0.0), min(math.exp(inner) + more, 1.0)

    @cached_property
    def _rankings(self) -> Replicates:
        return Replicates.of(self, self._draw_cost, self._bounds)

    @property
    def _few_items(self) -> int:
        """The number of items with another gain, where their ranks can be drawn one by one; otherwise 0."""
        count = int(self.cells.items - self.cells.counts[0])
        return count if count**2 <= self.cells.items and self.cells.items < 1 << 62 else 0

    @cached_property
    def _groups(self) -> tuple[int, ...]:
        return growing_groups(self._ranks.depth, self._ranks.depth, _RATIO)

    @property
    def _draw_cost(self) -> float:
        if not self._ranks.grouped:
            return float(self._ranks.depth)
        return float(self._few_items or len(self._groups) * 8)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        if not self._ranks.grouped:
            return super()._draw(size, generator)
        if not self._few_items:
            return self._draw_by_groups(size, generator)
        gains = np.repeat(self._ranked.gains, self._ranked.counts.astype(np.int64))
        sums, rows = np.empty(size), max(1, int(_AT_ONCE) // len(gains))
        for start in range(0, size, rows):
            part = sums[start : start + rows]
            ranks = random_ranks(self.cells.items, len(gains), len(part), generator)
            generator.permuted(ranks, axis=1, out=ranks)
            part[:] = np.where(ranks <= self._ranks.depth, 1 / np.log2(ranks + 1.0), 0.0) @ gains
        return np.asarray((sums + self._base) * self._scale)

    def _draw_by_groups(self, size: int, generator: np.random.Generator) -> Floats:
        """Draw how many items of each gain a group of ranks has; what is not expected counts at its middle rank."""
        sums = np.zeros(size)
        left = np.tile(np.array(self.cells.counts, dtype=np.float64), (size, 1))
        above = 0
        for ranks in self._groups:
            places = np.full(size, float(ranks))
            discount = 1 / math.log2(above + (ranks + 1) / 2 + 1)
            later = left.sum(axis=1)
            for kind, (gain, count) in enumerate(zip(self.cells.gains.tolist(), self.cells.counts, strict=True)):
                later -= left[:, kind]
                n_items = _numbers(left[:, kind], later, places, generator)
                left[:, kind] -= n_items
                places = places - n_items
                sums += gain * discount * (n_items - ranks * (count / self.cells.items))
            above += ranks
        return sums * self._scale + self.mean()


def _numbers(good: Floats, bad: Floats, places: Floats, generator: np.random.Generator) -> Floats:
    """Numbers of good items at the places; of a billion items and more from the normal or Poisson law near it."""
    bad = np.maximum(bad, 0)
    total = np.maximum(good + bad, 1)
    if total[0] < _COUNTABLE:
        return generator.hypergeometric(*(numbers.astype(np.int64) for numbers in (good, bad, places))).astype(
            np.float64
        )
    mean = places * good / total
    spread = np.sqrt(mean * (bad / total) * np.maximum(1 - places / total, 0))
    large = np.round(mean + spread * generator.standard_normal(len(mean)))
    numbers = np.where(mean > 1000, large, generator.poisson(np.minimum(mean, 1000)))
    return np.asarray(np.clip(numbers, np.maximum(places - bad, 0), np.minimum(good, places)))


def _crowded(tilted: TiltedRanks) -> bool:
    """True if ranks that are treated as one often have a gain other than the most frequent one.

    A power of its factor would then have more than one value.
    """
    ranked = tilted.ranked
    stands = (ranked.weights != 1) & (ranked.discounts > 0)
    return bool((tilted.chances[stands].sum(axis=1) > 0.45).any())


class _Statistic(RankedLaw):
    """The statistic with its transform."""

    def tilted(self, tilt: float) -> "_AtTilt":
        """The statistic under a tilt."""
        tilted = self.at(tilt)
        return _AtTilt(conditional_transform(tilted), self.log(tilted))


class _AtTilt:
    def __init__(self, transform: ConditionalTransform, log: float) -> None:
        self.transform = transform
        self.log = log + math.log(transform.probability)

    @property
    def cells(self) -> float:
        return self.transform.cost

    def characteristic(self, step: float, first: int, count: int) -> tuple[Floats, Floats]:
        values = self.transform.transform(step * np.arange(float(first), first + count))
        return values.real, values.imag


class InvertedTail:
    """The inversion at one tilt, to the upper tail where that is more than 0, otherwise to the lower.

    `ends` are the least and greatest sum, `spread` is the standard deviation of the sum under the tilt.
    """

    def __init__(self, tilted: TiltedRanks, x: float, ends: tuple[float, float], spread: float) -> None:
        self.spread = spread
        self._x, self._sign, tilt = x, math.copysign(1.0, tilted.s), abs(tilted.s)
        law = _Statistic(tilted.ranked, ends, tilted)
        at_tilt = law.tilted(tilted.s)
        view = around(law, self._sign, self._sign * x, tilt, spread)
        period = view.period(tilt, at_tilt.log)
        sharp = tilted.ranked.sharp * period / (2 * math.pi)
        limits = Limits(lambda cost: min(max(_LEAST_TERMS, _WORK / cost), _TERMS, max(sharp, 1.0)), 1e-13)
        self._inversion = Inversion(at_tilt, view.x, tilt, period, limits, self._sign)
        # What all frequencies together have lost beyond the window, none of it cancelled.
        reach = math.asinh(2 * math.pi * limits.max_terms(at_tilt.cells) / period / tilt) / math.pi
        self._lost = math.exp(min(self._inversion.log, 700)) * at_tilt.transform.lost * (1 / period / tilt + reach)

    def tail(self) -> tuple[float, float]:
        """P(S > x), or P(S < x) for a tilt to the lower tail, with half of an atom at x; and a bound of its error."""
        try:
            tail = self._inversion.tail()
        except ValueError:
            return 0.0, math.inf
        p = math.exp(min(tail.log, 0.0))
        # The places that stand for many ranks, and the nodes that are left out, are good for nine digits.
        return p, self._lost + p * (2e-9 + (tail.left if tail.bound is None else tail.bound))

    def quantile(self, q: float) -> float:
        """The point at which the tail is q, within two standard deviations of x."""
        wanted = math.exp(min(math.log(q) - self._inversion.log, 700))
        return self._x + self._sign * self._inversion.distance_to(wanted, 2 * self.spread)
