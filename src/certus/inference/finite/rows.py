"""Hypergeometric laws for many populations at once, and the exact limits of a count from one sample.

A row of probabilities comes from the products of ratios of neighbours over a window, divided by their sum; that keeps
thirteen digits at any size of the population, where differences of log-gamma values would keep eight.
"""

import math
from typing import NamedTuple

import numpy as np

from certus.arrays import Floats, Ints
from certus.inference.finite.hypergeometric import lower, upper

__all__ = ["Rows", "count_limits", "hypergeometric_rows"]


_LOG_CUT = math.log(2e17)


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


def count_limits(size: int, checked: int, hits: int, tail: float) -> tuple[int, int]:
    """The least and the greatest number of relevant items that exact tests, with `tail` on either side, do not refute.

    Source: Buonaccorsi (1987), Am. Stat. 41(3):215-218, doi:10.1080/00031305.1987.10475484.
    """
    return lower(hits, checked, size, tail), upper(hits, checked, size, tail)
