"""The law of a sum of gains, each times its rank's discount, when the items are ranked at random."""

import math
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from certus import kernels
from certus.arrays import Floats
from certus.chance.distribution import Distribution, KnownMoments
from certus.chance.exact import Finite
from certus.chance.laws.gains import Ranks, best
from certus.chance.monte_carlo import Replicates
from certus.chance.probability import Answer
from certus.transform.meeting import Sums, lower_tail, upper_tail
from certus.transform.quantile import SAME, quantile

_State = tuple[int, ...]


class GradedItems(NamedTuple):
    """Items by their gain, and the discounts of the ranks that count."""

    gains: Floats
    """The gains there are, each once; that of the most items first."""
    counts: list[int]
    """Number of items with each."""
    discounts: Floats
    """One a rank."""

    @property
    def items(self) -> int:
        """The number of ranked items."""
        return sum(self.counts)

    def extreme(self, *, highest: bool) -> tuple[float, float]:
        """The highest or lowest sum and its log probability: the discounts differ, so one sequence has it."""
        state, value, start = [0] * len(self.counts), 0.0, 0
        depth = len(self.discounts)
        for place in np.argsort(self.gains)[:: -1 if highest else 1].tolist():
            taken = min(self.counts[place], depth - start)
            state[place] = taken
            value += float(self.gains[place]) * math.fsum(self.discounts[start : start + taken].tolist())
            start += taken
        return value, log_state(self, tuple(state[1:]))


def log_state(cells: GradedItems, state: _State) -> float:
    """Log probability of a sequence with these numbers of items of each gain but the first; -inf if too few."""
    depth, used = len(cells.discounts), sum(state)
    rest = depth - used
    if rest < 0 or rest > cells.counts[0] or any(k > c for k, c in zip(state, cells.counts[1:], strict=True)):
        return -math.inf
    n = cells.items
    # Of the most common gain one factor (c - i) / (n - i) a rank, of the others what is left of the denominator.
    total = float(np.log1p(-float(n - cells.counts[0]) / (float(n) - np.arange(rest))).sum())
    left = n - rest
    for k, count in zip(state, cells.counts[1:], strict=True):
        for i in range(k):
            total += math.log((count - i) / left)
            left -= 1
    return total


def sequences(depth: int, counts: list[int]) -> float:
    """Logarithm of a bound for the number of gain sequences."""
    hits = min(sum(counts[1:]), depth)
    kinds = len(counts) - 1
    log, total = 0.0, 0.0
    for j in range(1, hits + 1):
        log += math.log((depth - j + 1) / j * kinds)
        total = float(np.logaddexp(total, log))
        if total > 100:
            break
    return total


def _listed(gains: Floats, limits: list[int], discounts: Floats) -> dict[_State, Floats]:
    """All sums by state, the first gain taken off every other."""
    if len(discounts) == 1 or sum(limits) == 1:
        kinds = len(gains) - 1
        found: dict[_State, Floats] = {(0,) * kinds: np.zeros(1)}
        for g in range(kinds):
            if limits[g]:
                state = tuple(int(i == g) for i in range(kinds))
                found[state] = (gains[g + 1] - gains[0]) * discounts
        return found
    middle = len(discounts) // 2
    left, right = (_listed(gains, limits, part) for part in (discounts[:middle], discounts[middle:]))
    together: dict[_State, list[Floats]] = {}
    for u, these in left.items():
        for v, those in right.items():
            state = tuple(a + b for a, b in zip(u, v, strict=True))
            if all(a <= b for a, b in zip(state, limits, strict=True)):
                together.setdefault(state, []).append(np.add.outer(these, those).ravel())
    return {state: np.concatenate(parts) for state, parts in together.items()}


def enumerated(cells: GradedItems, scale: float) -> Finite:
    """The law of the sum times `scale`, every sequence listed."""
    base = float(cells.gains[0]) * math.fsum(cells.discounts.tolist())
    parts = [
        (sums, log)
        for state, sums in _listed(cells.gains, cells.counts[1:], cells.discounts).items()
        if (log := log_state(cells, state)) > -math.inf
    ]
    values = np.concatenate([sums for sums, _ in parts])
    logs = np.concatenate([np.full(len(sums), log) for sums, log in parts])
    order = np.argsort(values, kind="stable")
    values, logs = (values[order] + base) * scale, logs[order]
    firsts = np.flatnonzero(np.append(True, np.diff(values) > SAME * (values[-1] - values[0])))
    return Finite(values[firsts], np.logaddexp.reduceat(logs, firsts), "enumeration")


class Halves(NamedTuple):
    """The sums of the first and of the second half of the ranks."""

    pairs: list[tuple[Sums, Sums, float]]
    """Sums of the first half, sums of the second, log probability of one sequence made of the two."""
    base: float
    """Term added to every sum."""

    def log_side(self, x: float, *, upper: bool) -> float:
        """Log probability that the sum is at least x, or that it is below."""
        counts = (
            (upper_tail if upper else lower_tail)(first, second, x - self.base) for first, second, _ in self.pairs
        )
        logs = [log + math.log(count) for count, (_, _, log) in zip(counts, self.pairs, strict=True) if count]
        if not logs:
            return -math.inf
        most = max(logs)
        return most + math.log(math.fsum(math.exp(each - most) for each in logs))


def halves(cells: GradedItems) -> Halves:
    """The two halves of all sequences."""
    middle = len(cells.discounts) // 2
    limits = cells.counts[1:]
    left, right = (
        {state: Sums(sums, np.ones(len(sums))) for state, sums in _listed(cells.gains, limits, part).items()}
        for part in (cells.discounts[:middle], cells.discounts[middle:])
    )
    base = float(cells.gains[0]) * math.fsum(cells.discounts.tolist())
    pairs = [
        (first, second, log)
        for u, first in left.items()
        for v, second in right.items()
        if (log := log_state(cells, tuple(a + b for a, b in zip(u, v, strict=True)))) > -math.inf
    ]
    return Halves(pairs, base)


class LinearRankStatistic(Distribution):
    """Common parts of all such laws: moments in closed form, bounds, random values, quantiles by bisection."""

    def __init__(self, gains: Mapping[float, int], ranks: Ranks, scale: float) -> None:
        self._ranks, self._scale = ranks, scale
        ordered = sorted(gains.items(), key=lambda pair: (-pair[1], pair[0]))
        self.cells = GradedItems(
            np.array([gain for gain, _ in ordered]), [count for _, count in ordered], ranks.discounts
        )
        highest = best(gains, ranks)
        lowest = 0.0 - best({-gain: count for gain, count in gains.items()}, ranks)
        self._bounds = lowest * scale, highest * scale

    def _replicates(self) -> Replicates | None:
        return None if self.exact else Replicates.of(self)

    def support(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        return self._bounds

    @property
    def _slack(self) -> float:
        return SAME * (self._bounds[1] - self._bounds[0])

    @cached_property
    def _moments(self) -> KnownMoments:
        """Moments in closed form, from central power sums of the gains and of the discounts."""
        gains, counts = self.cells.gains, np.array(self.cells.counts, dtype=np.float64)
        n = float(self.cells.items)
        total = math.fsum((gains * counts).tolist())
        mean = self._scale * total * kernels.exact_sum(self._ranks.discounts * self._ranks.weights) / n
        g2, g3, g4 = _central(gains, counts, 0.0, n)
        d2, d3, d4 = _central(self._ranks.discounts, self._ranks.weights, float(n - self._ranks.depth), n)
        if not g2 * d2:
            return KnownMoments(mean, 0.0, math.nan, math.nan)
        skewness = n * g3 * d3 / ((n - 1) * (n - 2)) / (g2 * d2 / (n - 1)) ** 1.5 if n > 2 else 0.0
        # By how many of the four ranks are distinct: none, pairs, one pair, all.
        fourth = d4 * g4 / n + (4 * d4 * g4 + 3 * (d2 * d2 - d4) * (g2 * g2 - g4)) / (n * (n - 1))
        if n > 2:
            fourth += 6 * (2 * d4 - d2 * d2) * (2 * g4 - g2 * g2) / (n * (n - 1) * (n - 2))
        if n > 3:
            rest = n * (n - 1) * (n - 2) * (n - 3)
            fourth += (3 * d2 * d2 - 6 * d4) * (3 * g2 * g2 - 6 * g4) / rest
        var = self._scale**2 * g2 * d2 / (n - 1)
        return KnownMoments(mean, var, skewness, fourth / (g2 * d2 / (n - 1)) ** 2 - 3)

    def _draw(self, size: int, generator: np.random.Generator) -> Floats:
        left = np.tile(np.array(self.cells.counts, dtype=np.float64), (size, 1))
        total = np.zeros(size)
        for rank, discount in enumerate(self._ranks.discounts.tolist()):
            steps = np.cumsum(left, axis=1)
            drawn = (generator.random(size) * (self.cells.items - rank))[:, None] >= steps[:, :-1]
            kind = drawn.sum(axis=1)
            total += self.cells.gains[kind] * discount
            left[np.arange(size), kind] -= 1
        return total * self._scale


class EnumeratedStatistic(LinearRankStatistic):
    """The law by two halves of the ranks, met in the middle: exact, atoms too."""

    _method = "enumeration"
    _exact = True

    @cached_property
    def _halves(self) -> Halves:
        return halves(self.cells)

    def _log_side(self, x: float, *, upper: bool, atom: bool) -> Answer:
        x += self._slack if upper != atom else -self._slack
        return min(self._halves.log_side(x / self._scale, upper=upper), 0.0), 0.0, self._method

    def _inverse(self, q: float, *, upper: bool) -> float:
        start = self.mean(), self.std(), self.skewness()
        return quantile(
            lambda x: (self._log_cdf(x)[0], self._log_sf(x)[0]), q, not upper, self._bounds, start, lambda x: x
        )

    def _log_pmf(self, x: float) -> Answer:
        # The difference of the two on the side where they are smaller.
        upper = self._log_tail(x)[0] <= self._log_cdf(x)[0]
        whole, beyond = (self._log_side(x, upper=upper, atom=atom)[0] for atom in (True, False))
        return (whole + math.log(-math.expm1(beyond - whole)) if beyond < whole else -math.inf), 0.0, self._method


def _central(values: Floats, weights: Floats, zeros: float, n: float) -> list[float]:
    mean = kernels.exact_sum(values * weights) / n
    return [math.fsum([kernels.exact_sum((values - mean) ** p * weights), zeros * (-mean) ** p]) for p in (2, 3, 4)]
