"""Tails of a sum of gain times discount by random rankings that are tilted towards what is asked for."""

import math

import numpy as np

from certus.arrays import Floats
from certus.chance.linear_rank.tilt import TiltedRanks
from certus.chance.replicates import LEVEL

DRAWS = 1 << 17
_BLOCK = 1 << 13
_WORK = 4e6
"""Items placed in all draws."""
_LEAST = 1 << 10
_HEAD = 32
"""Ranks whose chances are summed for each draw; of the others one is taken, and again if it is not free."""


def affordable(tilted: TiltedRanks) -> bool:
    """True if enough rankings can be drawn for a useful bound of the error."""
    ranked = tilted.ranked
    return bool((ranked.weights[ranked.discounts > 0] == 1).all()) and ranked.counts.sum() * _LEAST <= _WORK


class ImportanceSample:
    """Random rankings under the tilt exp(s S), each with the weight that undoes the tilt.

    Items with another gain than the most common one are placed one after the other, each at a free rank with a
    probability proportional to exp(s gain discount). The probability of the ranking is known, and so is its weight: the
    estimate of a tail, the mean weight of the rankings in it, has no bias, and its error is relative to the tail.

    The error is the limit of Audibert, Munos & Szepesvári (2009), Theor. Comput. Sci. 410:1876-1902, theorem 1: it
    holds for any number of draws of bounded weights, with the confidence `LEVEL`.

    Parameters
    ----------
    tilted
        Ranks, each by itself, with those that are not looked at last, and the tilt.
    seed
        Of the draws.
    """

    def __init__(self, tilted: TiltedRanks, seed: int = 0) -> None:
        ranked, self._s = tilted.ranked, tilted.s
        seen = ranked.discounts > 0
        self._discounts = ranked.discounts[seen]
        self._unseen = int(ranked.weights[~seen].sum())
        order = np.argsort(-np.abs(ranked.gains))
        self._gains, self._counts = ranked.gains[order], ranked.counts[order].astype(np.int64)
        # Chances of each rank, and of all ranks that are not looked at together; the greatest is 1.
        logs = self._s * np.outer(self._gains, self._discounts)
        self._top = np.maximum(logs.max(axis=1), 0.0)
        self._chances = np.exp(logs - self._top[:, None])
        self._away = np.exp(-self._top)
        items = int(self._counts.sum())
        size = int(min(DRAWS, max(_LEAST, _WORK // items)))
        generator = np.random.Generator(np.random.PCG64(seed))
        parts = [self._drawn(min(_BLOCK, size - start), generator) for start in range(0, size, _BLOCK)]
        sums, logs = (np.concatenate(each) for each in zip(*parts, strict=True))
        order = np.argsort(sums, kind="stable")
        self._sums, self._logs = sums[order], logs[order]

    def _drawn(self, size: int, generator: np.random.Generator) -> tuple[Floats, Floats]:
        """The sums of some rankings, and the logarithms of their weights but for exp(-s S)."""
        depth, ranks = len(self._discounts), len(self._discounts) + self._unseen
        head = min(_HEAD, depth)
        free = np.ones((size, depth), dtype=bool)
        away = np.full(size, float(self._unseen))
        left = np.tile(self._chances[:, head:].sum(axis=1), (size, 1))
        places = np.full(size, ranks - head)
        sums, logs, rows = np.zeros(size), np.zeros(size), np.arange(size)
        placed = 0
        for kind, count in enumerate(self._counts.tolist()):
            chances = self._chances[kind]
            tail = np.cumsum(np.append(chances[head:], self._away[kind] * self._unseen))
            for _ in range(count):
                steps = np.cumsum(free[:, :head] * chances[:head], axis=1)
                rest = np.where(places > 0, np.maximum(left[:, kind], 0.0) + away * self._away[kind], 0.0)
                every = steps[:, -1] + rest
                logs += np.log(every) - math.log(ranks - placed)
                turn = generator.random(size) * every
                turn = np.where(rest > 0, turn, np.minimum(turn, np.nextafter(steps[:, -1], 0.0)))
                taken = (steps <= turn[:, None]).sum(axis=1)
                behind = np.flatnonzero(taken == head)
                while len(behind):
                    turns = generator.random(len(behind)) * tail[-1]
                    found = np.minimum(np.searchsorted(tail, turns, side="right"), len(tail) - 1) + head
                    outside = found == depth
                    open_ = np.where(
                        outside,
                        generator.random(len(behind)) * self._unseen < away[behind],
                        free[behind, np.minimum(found, depth - 1)],
                    )
                    taken[behind[open_]] = found[open_]
                    behind = behind[~open_]
                inside = np.flatnonzero(taken < depth)
                at = taken[inside]
                free[rows[inside], at] = False
                left[inside] -= np.where(at < head, 0.0, self._chances[:, at]).T
                places -= taken >= head
                sums[inside] += self._gains[kind] * self._discounts[at]
                away[taken == depth] -= 1
                placed += 1
            logs += count * self._top[kind]
        return sums, logs

    @property
    def _log_most(self) -> float:
        """A bound of the logarithm of any weight but for exp(-s S): the ranks taken are those of the least chances."""
        ranks = len(self._discounts) + self._unseen
        total, placed = 0.0, 0
        for kind, count in enumerate(self._counts.tolist()):
            chances = np.append(self._chances[kind], self._away[kind])
            times = np.append(np.ones(len(self._discounts)), self._unseen)
            order = np.argsort(chances)
            gone = np.cumsum(times[order])
            lost = np.append(0.0, np.cumsum(chances[order] * times[order]))
            taken = np.arange(placed, placed + count)
            every = lost[-1] - np.interp(taken, np.append(0.0, gone), lost)
            total += float(np.log(np.maximum(every, 1e-300) / (ranks - taken)).sum()) + count * self._top[kind]
            placed += count
        return total

    def place(self, q: float, *, upper: bool) -> float:
        """The point at which the estimate of P(S > x), or of P(S <= x) for a lower tail, reaches q."""
        sums, logs = (self._sums[::-1], self._logs[::-1]) if upper else (self._sums, self._logs)
        weights = np.exp(np.minimum(logs - self._s * sums, 700))
        reached = np.cumsum(weights) / len(weights) >= q
        return float(sums[int(reached.argmax()) if reached.any() else -1])

    def tail(self, x: float, slack: float, *, upper: bool) -> tuple[float, float]:
        """Between which limits P(S > x) and P(S >= x) lie, or for a lower tail P(S < x) and P(S <= x)."""
        away = self._sums - x if upper else x - self._sums
        size = len(self._sums)
        # No weight in the tail is more than that at x, as the tilt is towards the tail: all are parts of that one.
        most = self._log_most - self._s * x
        weights = np.exp(np.minimum(self._logs - self._s * self._sums - most, 0.0))
        inside, whole = np.where(away > slack, weights, 0.0), np.where(away >= -slack, weights, 0.0)
        wide = math.log(3 / (1 - LEVEL))
        part, rest = math.sqrt(2 * wide / size), 3 * wide / size
        low = float(inside.mean()) - part * float(inside.std()) - rest
        high = float(whole.mean()) + part * float(whole.std()) + rest
        scale = math.exp(min(most, 700))
        return max(low, 0.0) * scale, min(high * scale, 1.0)
