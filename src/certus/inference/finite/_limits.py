"""Hypergeometric laws for many populations at once, and the exact limits of a count from one sample.

A row of probabilities comes from the products of ratios of neighbours over a window, divided by their sum; that keeps
thirteen digits at any size of the population, where differences of log-gamma values would keep eight.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Rows", "count_limits", "hypergeometric_rows", "least_count"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LOG_CUT = math.log(2e17)
SLACK = 1e-11
"""Relative error that a computed tail is allowed; a tail this close to the level counts as above it."""


class Rows(NamedTuple):
    """``P(K = start[i] + j) = mass[i, j]``, but for at most 1e-17 on either side of the window."""

    start: Ints
    mass: Floats

    def up_to(self) -> Floats:
        """``P(K < start[i] + j)`` for j from 0 to the length of the window."""
        sums = np.empty((self.mass.shape[0], self.mass.shape[1] + 1))
        sums[:, 0] = 0.0
        np.cumsum(self.mass, axis=1, out=sums[:, 1:])
        return sums


def hypergeometric_rows(size: int, checked: int, relevant: Ints) -> Rows:
    """The laws of the relevant items among `checked` of `size` items, for each number of relevant ones."""
    rate = relevant / max(size, 1)
    # Bernstein's inequality, which holds for samples without replacement too (Hoeffding 1963, theorem 4).
    third = _LOG_CUT / 3
    reach = third + np.sqrt(third * (third + 6 * checked * rate * (1 - rate)))
    least = np.maximum(relevant - (size - checked), 0)
    most = np.minimum(relevant, checked)
    start = np.clip(np.floor(checked * rate - reach).astype(np.int64), least, most)
    end = np.clip(np.ceil(checked * rate + reach).astype(np.int64), least, most)
    width = int((end - start).max(initial=0))
    k = start[:, np.newaxis] + np.arange(width)
    top = (relevant[:, np.newaxis] - k).astype(np.float64)
    top *= checked - k
    np.maximum(top, 0.0, out=top)  # 0 from the last possible count on
    bottom = (size - checked + 1 - relevant[:, np.newaxis] + k).astype(np.float64)
    bottom *= k + 1
    mass = np.ones((len(relevant), width + 1))
    np.divide(top, bottom, out=mass[:, 1:])
    np.cumprod(mass, axis=1, out=mass)
    mass /= mass.sum(axis=1, keepdims=True)
    return Rows(start, mass)


def least_count(size: int, checked: int, hits: int, tail: float) -> int:
    """The least number of relevant items with which at least `hits` hits have more than the probability `tail`."""
    low, high = hits - 1, size - (checked - hits)  # at `high` so many hits are certain
    while high - low > 1:
        # 32 at once: one pass costs little more for 32 rows than for one.
        tried = np.unique(low + (high - low) * np.arange(1, 33, dtype=np.int64) // 33)
        tried = tried[(tried > low) & (tried < high)]
        rows = hypergeometric_rows(size, checked, tried)
        k = rows.start[:, np.newaxis] + np.arange(rows.mass.shape[1])
        held = np.where(k >= hits, rows.mass, 0.0).sum(axis=1) > tail * (1 - SLACK)
        first = int(np.argmax(held)) if held.any() else len(tried)
        low, high = (
            int(tried[first - 1]) if first else low,
            int(tried[first]) if first < len(tried) else high,
        )
    return high


def count_limits(size: int, checked: int, hits: int, tail: float) -> tuple[int, int]:
    """The least and the greatest number of relevant items that the two exact one-sided tests do not refute.

    Each test leaves out at most `tail`; counts that the sample rules out are left out too.

    Sources: Wright (1991), Exact confidence bounds when sampling from small finite universes, Springer,
    doi:10.1007/978-1-4612-3140-0; Buonaccorsi (1987), Am. Stat. 41(3):215-218, doi:10.1080/00031305.1987.10475484.
    """
    return least_count(size, checked, hits, tail), size - least_count(size, checked, checked - hits, tail)
