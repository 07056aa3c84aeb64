"""Sums of two independent parts, enumerated by meeting in the middle: every pair of partial sums."""

from functools import cached_property

import numpy as np

from certus.core.arrays import Floats


class Sums:
    """The sums of one part, ascending, and their chances."""

    def __init__(self, values: Floats, chances: Floats) -> None:
        order = np.argsort(values, kind="stable")
        self.values, self.chances = values[order], chances[order]

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def heads(self) -> Floats:
        """The chance of the first values, of none to all."""
        return np.append(0.0, np.cumsum(self.chances))

    @cached_property
    def tails(self) -> Floats:
        """The chance of the last values, of all to none."""
        return np.append(np.cumsum(self.chances[::-1])[::-1], 0.0)


def upper_tail(first_part: Sums, second_part: Sums, x: float) -> float:
    """P(sum >= x): a sum of products, so that no digits are lost."""
    return float(first_part.chances @ second_part.tails[_split_indices(first_part, second_part, x)])


def lower_tail(first_part: Sums, second_part: Sums, x: float) -> float:
    """P(sum < x)."""
    return float(first_part.chances @ second_part.heads[_split_indices(first_part, second_part, x)])


def interval_probability(first_part: Sums, second_part: Sums, low: float, high: float) -> float:
    """P(low <= sum < high), for few sums there."""
    first, last = _split_indices(first_part, second_part, low), _split_indices(first_part, second_part, high)
    terms = zip(first_part.chances, first, last, strict=True)
    return sum(float(chance * second_part.chances[a:b].sum()) for chance, a, b in terms if b > a)


def next_sum(first_part: Sums, second_part: Sums, x: float) -> float | None:
    """The least sum that is not below x."""
    first = _split_indices(first_part, second_part, x)
    reached = first < len(second_part)
    sums = first_part.values[reached] + second_part.values[first[reached]]
    return float(sums.min()) if len(sums) else None


def _split_indices(first_part: Sums, second_part: Sums, x: float) -> np.ndarray:
    """Number of sums in the second part that keep the total below x, for each sum in the first."""
    # In order, so that each search starts from where the last one left the cache.
    return np.searchsorted(second_part.values, x - first_part.values, side="left")
