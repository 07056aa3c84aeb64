"""Sums of two independent parts that meet in the middle: every sum of the one against every sum of the other."""

from functools import cached_property

import numpy as np

from certus.arrays import Floats


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


def at_least(one: Sums, other: Sums, x: float) -> float:
    """P(sum >= x): a sum of products, so that no digits are lost."""
    return float(one.chances @ other.tails[_places(one, other, x)])


def below(one: Sums, other: Sums, x: float) -> float:
    """P(sum < x)."""
    return float(one.chances @ other.heads[_places(one, other, x)])


def between(one: Sums, other: Sums, low: float, high: float) -> float:
    """P(low <= sum < high), for few sums there."""
    first, last = _places(one, other, low), _places(one, other, high)
    each = zip(one.chances, first, last, strict=True)
    return sum(float(chance * other.chances[a:b].sum()) for chance, a, b in each if b > a)


def least_from(one: Sums, other: Sums, x: float) -> float | None:
    """The least sum that is not below x."""
    first = _places(one, other, x)
    reached = first < len(other)
    sums = one.values[reached] + other.values[first[reached]]
    return float(sums.min()) if len(sums) else None


def _places(one: Sums, other: Sums, x: float) -> np.ndarray:
    """For each sum of one part, the number of sums of the other that leave x out of reach."""
    # In order, so that each search starts from where the last one left the cache.
    return np.searchsorted(other.values, x - one.values, side="left")
