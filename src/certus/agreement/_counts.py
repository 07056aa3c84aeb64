"""Sums over the items that come before each item in two orders, in O(n log n)."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from certus.arrays import Ints

__all__ = ["Number", "earlier_and_lower", "signs"]

Number = TypeVar("Number", np.float64, np.int64)


def earlier_and_lower(values: Ints, weights: NDArray[Number]) -> NDArray[Number]:
    """For each position the sum of the weights of the earlier positions with a lower value.

    Goes through the bits of the values from the highest: of two values that agree in all higher bits, the one with a 0
    is the lower. At each bit the positions stand by the higher bits, and in their order where those agree.

    Parameters
    ----------
    values
        Whole numbers from 0.
    weights
        One for each position. Whole numbers give exact sums.

    Examples
    --------
    >>> earlier_and_lower(np.array([2, 0, 1, 3]), np.ones(4, dtype=np.int64)).tolist()
    [0, 0, 1, 3]
    """
    sums = np.zeros(len(values), dtype=weights.dtype)
    order = np.arange(len(values))
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):
        prefix = values[order] >> bit
        zero = (prefix & 1) == 0
        held = weights[order] * zero
        before = np.cumsum(held) - held
        starts = np.flatnonzero(np.diff(prefix >> 1, prepend=-1))
        before -= np.repeat(before[starts], np.diff(starts, append=len(order)))
        sums[order[~zero]] += before[~zero]
        order = order[np.argsort(prefix, kind="stable")]
    return sums


def signs(x: Ints, y: Ints) -> Ints:
    """For each item ``sum over j of sign(x_i - x_j) sign(y_i - y_j)``: concordant less discordant pairs.

    Examples
    --------
    >>> signs(np.array([0, 1, 2, 2]), np.array([0, 2, 1, 1])).tolist()
    [3, -1, 0, 0]
    """
    n = len(x)
    ones = np.ones(n, dtype=np.int64)
    # Within equal x the higher y come first, so that no item of equal x counts as earlier and lower.
    order = np.lexsort((-y, x))
    both = np.empty(n, dtype=np.int64)
    both[order] = earlier_and_lower(y[order], ones)
    below_x, equal_x = _below(x)
    below_y, equal_y = _below(y)
    pair = np.unique(x * (int(y.max()) + 1) + y, return_inverse=True)[1].astype(np.int64)
    _, same = _below(pair)
    x_lower_y_equal = _below_within(y, x)
    x_equal_y_lower = _below_within(x, y)
    # sign(x_i - x_j) = [x_j < x_i] + [x_j <= x_i] - 1, and so for y; multiplied out and summed over j.
    at_most = 2 * both + x_lower_y_equal + x_equal_y_lower
    return np.asarray(2 * at_most + same - (2 * below_x + equal_x) - (2 * below_y + equal_y) + n)


def _below(values: Ints) -> tuple[Ints, Ints]:
    """For each item the number of lower items, and of equal ones, itself included."""
    times = np.bincount(values).astype(np.int64)
    return (np.cumsum(times) - times)[values], times[values]


def _below_within(groups: Ints, values: Ints) -> Ints:
    """For each item the number of lower items of its group."""
    keys = groups * (int(values.max()) + 1) + values
    distinct, places, times = np.unique(keys, return_inverse=True, return_counts=True)
    before = np.cumsum(times) - times
    heads = np.flatnonzero(np.diff(distinct // (int(values.max()) + 1), prepend=-1))
    before -= np.repeat(before[heads], np.diff(heads, append=len(distinct)))
    return np.asarray(before[places], dtype=np.int64)
