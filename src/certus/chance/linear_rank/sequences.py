"""All sums that the gains of the first ranks can have, each rank a cell with its discount; exact laws made of them.

A random ranking gives every sequence of gains with the same numbers of each gain the same probability, so that a law
is known when the sums are listed by those numbers (a *state*). Two halves of the ranks are listed apart and met in the
middle when all ranks together have too many sequences to list.
"""

import math
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats
from certus.chance.distribution import SAME
from certus.chance.finite import Finite
from certus.transform.meeting import Sums, lower_tail, upper_tail

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
