"""Slow and simple: every ranking there is, in exact rationals; and a plain inversion of the generating function."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, groupby
from math import comb

import numpy as np
from chance_laws_oracle import law_of

Law = dict[Fraction, Fraction]
"""Values and their probabilities."""


def precision_sum(ranks: Sequence[int], cutoff: int) -> Fraction:
    """The sum of the precisions at the relevant ranks."""
    return sum((Fraction(i, t) for i, t in enumerate(ranks, 1) if t <= cutoff), Fraction(0))


def average_precision(
    n: int, m: int, cutoff: int | None = None, denominator: str = "relevant", total: int | None = None
) -> Law:
    """The law of average precision."""
    depth, relevant = n if cutoff is None else cutoff, m if total is None else total

    def metric(ranks: tuple[int, ...]) -> Fraction:
        divisor = {
            "relevant": relevant,
            "min": relevant if cutoff is None else min(relevant, cutoff),
            "hits": sum(t <= depth for t in ranks),
        }[denominator]
        return precision_sum(ranks, depth) / max(divisor, 1)

    return law_of(metric, n, m)


def tied_average(n: int, m: int, groups: Sequence[int], cutoff: int) -> Law:
    """Average precision as its mean over all orders of tied items: over rankings with as many hits in each group."""
    ends = np.cumsum(groups).tolist()

    def counts(ranks: tuple[int, ...]) -> list[int]:
        return [sum(start < t <= end for t in ranks) for start, end in zip([0, *ends], ends, strict=False)]

    law: Law = defaultdict(Fraction)
    for _, alike in groupby(sorted(combinations(range(1, n + 1), m), key=counts), counts):
        sums = [precision_sum(ranks, cutoff) for ranks in alike]
        law[sum(sums, Fraction(0)) / len(sums) / max(m, 1)] += Fraction(len(sums), comb(n, m))
    return law


def tied_together(n: int, m: int, groups: Sequence[int]) -> Law:
    """Average precision where a tied item has the last rank of its group."""
    ends = np.cumsum(groups).tolist()

    def metric(ranks: tuple[int, ...]) -> Fraction:
        last = [next(end for end in ends if t <= end) for t in ranks]
        return sum((Fraction(sum(t <= end for t in ranks), end) for end in last), Fraction(0)) / max(m, 1)

    return law_of(metric, n, m)


def convolved(laws: Sequence[Law], weights: Sequence[Fraction]) -> Law:
    """The law of a weighted sum of independent values."""
    total: Law = {Fraction(0): Fraction(1)}
    for law, weight in zip(laws, weights, strict=True):
        following: Law = defaultdict(Fraction)
        for a, p in total.items():
            for b, q in law.items():
                following[a + weight * b] += p * q
        total = following
    return total


def plain_tail(n: int, m: int, x: float, tilt: float, points: int) -> float:
    """P(AP > x), half of P(AP = x) included, by the tilted inversion with a long period, one rank after the other.

    The last half of the terms fades out, for a generating function that does not die down.
    """
    period = max(0.5 * m, 20.0)
    s = tilt + 2j * np.pi / period * np.arange(points)
    states = np.zeros((m + 1, points), dtype=np.complex128)
    states[0] = 1
    logs = 0.0
    numbers = np.arange(m + 1)[:, None]
    for t in range(1, n + 1):
        hit = np.clip((m - numbers) / (n - t + 1), 0, 1)
        turns = np.multiply.accumulate(np.broadcast_to(np.exp(s / t), states.shape))
        grown = states * hit * turns
        states = states * (1 - hit)
        states[1:] += grown[:-1]
        largest = np.abs(states[:, 0]).max()
        states /= largest
        logs += np.log(largest)
    terms = states[m] * np.exp(logs - tilt * x * m - 1j * s.imag * x * m) / s
    terms *= 0.5 - 0.5 * np.cos(np.pi * np.minimum(2 - 2 * np.arange(points) / points, 1))
    beyond = (2 * terms.sum().real - terms[0].real) / period
    alias = np.exp(-tilt * period)
    return float(beyond - alias / (1 - alias))
