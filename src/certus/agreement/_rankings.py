"""Rankings given in any form as items with ranks, and the counts that correlations are made of."""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.arrays import Floats, Ints
from certus.data.columns import as_array
from certus.errors import DataError
from certus.exact import distinct_places, doubles, loss
from certus.statistic.common import plural

Scores = Mapping[Any, float] | ArrayLike
"""One score for each item: by name, or in the same order as the other ranking's."""


def paired_scores(a: Scores, b: Scores) -> tuple[Floats, Floats]:
    """Both scores of each item, in the order of the first."""
    if isinstance(a, Mapping) != isinstance(b, Mapping):
        named, other = ("a", "b") if isinstance(a, Mapping) else ("b", "a")
        raise DataError(f"{named} gives scores by name but {other} does not", "give both by name, or both as sequences")
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for one, other, first, second in (("a", "b", a, b), ("b", "a", b, a)):
            missing = [name for name in first if name not in second]
            if missing:
                raise DataError(
                    f"has a score for {missing[0]!r} but {other} has none ({len(missing)} such in all)",
                    "leave out what is not in both, or compare lists of different items with rbo",
                    argument=one,
                )
        names = list(a)
        x, y = _column("a", [a[name] for name in names]), _column("b", [b[name] for name in names])
    else:
        x, y = _column("a", a), _column("b", b)
    if len(x) != len(y):
        raise DataError(f"has {len(x)} scores but b has {len(y)}", "they must pair up one to one", argument="a")
    if len(x) < 2:
        raise DataError(f"a and b have {plural(len(x), 'item')}", "an order needs at least 2")
    return x, y


def _column(name: str, given: Any) -> Floats:
    if isinstance(given, (set, frozenset)):
        raise DataError("is a set, which has no order", "give scores by name or a sequence", argument=name)
    array = as_array(given, name)
    if array.ndim != 1:
        raise DataError(f"has {array.ndim} dimensions", "give one score per item", argument=name)
    try:
        column = doubles(array)
    except (TypeError, ValueError) as error:
        raise DataError("holds something that is not a number", "give one score per item", argument=name) from error
    if np.isnan(column).any():
        place = int(np.flatnonzero(np.isnan(column))[0])
        raise DataError(f"holds NaN at position {place}", "every item needs a score", argument=name)
    return distinct_places(array)[1] if loss(array, column) else column


def ranks(column: Floats) -> Ints:
    """Each item's place among the distinct scores, from 0 for the lowest."""
    return np.unique(column, return_inverse=True)[1].astype(np.int64)


def single_valued(x: Floats, y: Floats) -> str:
    """Why there is no correlation: one of the two has all items tied; empty where neither has."""
    for name, column in (("a", x), ("b", y)):
        if (column == column[0]).all():
            return f"all {len(column)} scores of {name} are equal: they give no order"
    return ""


Ranked = Sequence[Any] | Mapping[Any, float]
"""Items from the top, tied ones as a nested set, list or tuple; or a score for each item."""


def groups(given: Ranked, name: str, depth: int | None) -> list[list[Hashable]]:
    """The groups of tied items from the top, down to the one in which rank `depth` lies."""
    found = _by_score(given, name) if isinstance(given, Mapping) else _in_order(given, name)
    seen: set[Hashable] = set()
    kept: list[list[Hashable]] = []
    for group in found:
        for item in group:
            if item in seen:
                raise DataError(f"holds {item!r} twice", "an item has one place in a ranking", argument=name)
            seen.add(item)
        if depth is None or len(seen) - len(group) < depth:
            kept.append(group)
    if not kept:
        raise DataError("is empty", "a ranking needs at least one item", argument=name)
    return kept


def _by_score(given: Mapping[Any, float], name: str) -> list[list[Hashable]]:
    for item, score in given.items():
        if math.isnan(score):
            raise DataError(f"has score NaN for {item!r}", "every item needs a score", argument=name)
    order = sorted(given.items(), key=lambda pair: -pair[1])
    return [[item for item, _ in group] for _, group in groupby(order, key=lambda pair: pair[1])]


def _in_order(given: Any, name: str) -> list[list[Hashable]]:
    if isinstance(given, str | bytes | set | frozenset) or not isinstance(given, Iterable):
        raise DataError(
            f"is a {type(given).__name__}", "give a list of items from the top, or scores by name", argument=name
        )
    found: list[list[Hashable]] = []
    for entry in given:
        tied = isinstance(entry, Collection) and not isinstance(entry, str | bytes)
        group = list(entry) if tied else [entry]
        if not group:
            raise DataError(
                f"holds an empty group of ties at rank {sum(map(len, found)) + 1}", "leave it out", argument=name
            )
        found.append(group)
    for item in (item for group in found for item in group):
        if not isinstance(item, Hashable):
            raise DataError(
                f"holds {item!r}, which cannot be looked up", "give ids such as strings or numbers", argument=name
            )
        if isinstance(item, float) and math.isnan(item):
            raise DataError("holds NaN", "give ids such as strings or numbers", argument=name)
    return found


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
