"""Few points and weights that stand for the law of a count in expectations of smooth functions."""

import math

import numpy as np

from certus.arrays import Floats
from certus.inference.finite.count_law import CountLaw

__all__ = ["compress"]

NODES = 12
WIDTH = 1 / 8
"""Half the width of a block, in units of its middle."""
SINGLE = 256
_SLICE = 1 << 16


def compress(law: CountLaw) -> tuple[Floats, Floats]:
    """Points and weights with ``sum(weights * f(points))`` close to the expectation of f.

    Counts up to 256 stay as they are. The others are cut into blocks ``[m (1 - 1/8), m (1 + 1/8)]``; in each, f is
    replaced by its interpolation at 12 Chebyshev points, whose weights are the expectations of the Lagrange
    polynomials. A function that is analytic but at 0 and below, such as ``x / (x + y)``, is met to ``15.9**-12``, or
    4e-15, of its size.
    """
    points, weights = [], []
    first = law.start
    while first <= law.last:
        last = min(math.floor(first * (1 + WIDTH) / (1 - WIDTH)), law.last) if first > SINGLE else first
        if last - first < 2 * NODES:
            last = min(first + 2 * NODES, law.last)
            mass = law.mass[first - law.start : last + 1 - law.start]
            points.append(np.arange(first, last + 1, dtype=np.float64))
            weights.append(mass)
        else:
            nodes, found = _block(law, first, last)
            points.append(nodes)
            weights.append(found)
        first = last + 1
    return np.concatenate(points), np.concatenate(weights)


def _block(law: CountLaw, first: int, last: int) -> tuple[Floats, Floats]:
    """Chebyshev points of the first kind, and the expectations of their Lagrange polynomials over a block."""
    middle, half = (first + last) / 2, (last - first) / 2
    angles = (2 * np.arange(NODES) + 1) * (math.pi / (2 * NODES))
    nodes = np.cos(angles)
    # The Lagrange polynomial of node j is (1 + 2 sum_k T_k(node j) T_k(t)) / NODES over k = 1 .. NODES - 1.
    moments = np.zeros(NODES)
    for begin in range(first, last + 1, _SLICE):
        end = min(begin + _SLICE, last + 1)
        t = (np.arange(begin, end, dtype=np.float64) - middle) / half
        mass = law.mass[begin - law.start : end - law.start]
        before, now = np.ones_like(t), t
        moments[0] += mass.sum()
        for k in range(1, NODES):
            moments[k] += mass @ now
            before, now = now, 2 * t * now - before
    scale = np.full(NODES, 2.0)
    scale[0] = 1.0
    polynomials = np.cos(np.outer(angles, np.arange(NODES)))
    return middle + half * nodes, polynomials @ (scale * moments) / NODES
