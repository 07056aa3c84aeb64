"""Rankings given in any form as items with ranks, and the counts that correlations are made of."""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core.arrays import Floats, Ints
from certus.core.errors import DataError
from certus.core.exact import distinct_ranks, doubles, loss
from certus.data.columns import as_array
from certus.statistic.common import plural

Scores = Mapping[Any, float] | ArrayLike
"""One score for each item: by name, or in the same order as the other ranking's."""


def paired_scores(a: Scores, b: Scores) -> tuple[Floats, Floats]:
    """Both scores of each item, in the order of the first."""
    if isinstance(a, Mapping) != isinstance(b, Mapping):
        by_name, other = ("a", "b") if isinstance(a, Mapping) else ("b", "a")
        raise DataError(
            f"{by_name} gives scores by name but {other} does not", "give both by name, or both as sequences"
        )
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for argument, other, first, second in (("a", "b", a, b), ("b", "a", b, a)):
            missing = [name for name in first if name not in second]
            if missing:
                raise DataError(
                    f"has a score for {missing[0]!r} but {other} has none ({len(missing)} such in all)",
                    "leave out what is not in both, or compare lists of different items with rbo",
                    argument=argument,
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


def _column(name: str, scores: Any) -> Floats:
    if isinstance(scores, (set, frozenset)):
        raise DataError("is a set, which has no order", "give scores by name or a sequence", argument=name)
    array = as_array(scores, name)
    if array.ndim != 1:
        raise DataError(f"has {array.ndim} dimensions", "give one score per item", argument=name)
    try:
        column = doubles(array)
    except (TypeError, ValueError) as error:
        raise DataError("holds something that is not a number", "give one score per item", argument=name) from error
    if np.isnan(column).any():
        index = int(np.flatnonzero(np.isnan(column))[0])
        raise DataError(f"holds NaN at position {index}", "every item needs a score", argument=name)
    return distinct_ranks(array)[1] if loss(array, column) else column


def ranks(column: Floats) -> Ints:
    """Rank of each item among the distinct scores, from 0 for the lowest."""
    return np.unique(column, return_inverse=True)[1].astype(np.int64)


def single_valued(x: Floats, y: Floats) -> str:
    """Reason why there is no correlation: all items of one ranking are tied; empty elsewhere."""
    for name, column in (("a", x), ("b", y)):
        if (column == column[0]).all():
            return f"all {len(column)} scores of {name} are equal: they give no order"
    return ""


Ranked = Sequence[Any] | Mapping[Any, float]
"""Items from the top, tied ones as a nested set, list or tuple; or a score for each item."""


def groups(ranking: Ranked, name: str, depth: int | None) -> list[list[Hashable]]:
    """The groups of tied items from the top, down to the one in which rank `depth` lies."""
    tie_groups = _by_score(ranking, name) if isinstance(ranking, Mapping) else _in_order(ranking, name)
    seen_items: set[Hashable] = set()
    top_groups: list[list[Hashable]] = []
    for group in tie_groups:
        for item in group:
            if item in seen_items:
                raise DataError(f"holds {item!r} twice", "an item has one place in a ranking", argument=name)
            seen_items.add(item)
        if depth is None or len(seen_items) - len(group) < depth:
            top_groups.append(group)
    if not top_groups:
        raise DataError("is empty", "a ranking needs at least one item", argument=name)
    return top_groups


def _by_score(scores: Mapping[Any, float], name: str) -> list[list[Hashable]]:
    for item, score in scores.items():
        if math.isnan(score):
            raise DataError(f"has score NaN for {item!r}", "every item needs a score", argument=name)
    order = sorted(scores.items(), key=lambda pair: -pair[1])
    return [[item for item, _ in group] for _, group in groupby(order, key=lambda pair: pair[1])]


def _in_order(ranking: Any, name: str) -> list[list[Hashable]]:
    if isinstance(ranking, str | bytes | set | frozenset) or not isinstance(ranking, Iterable):
        raise DataError(
            f"is a {type(ranking).__name__}", "give a list of items from the top, or scores by name", argument=name
        )
    tie_groups: list[list[Hashable]] = []
    for entry in ranking:
        tied = isinstance(entry, Collection) and not isinstance(entry, str | bytes)
        group = list(entry) if tied else [entry]
        if not group:
            raise DataError(
                f"holds an empty group of ties at rank {sum(map(len, tie_groups)) + 1}", "leave it out", argument=name
            )
        tie_groups.append(group)
    for item in (item for group in tie_groups for item in group):
        if not isinstance(item, Hashable):
            raise DataError(
                f"holds {item!r}, which cannot be looked up", "give ids such as strings or numbers", argument=name
            )
        if isinstance(item, float) and math.isnan(item):
            raise DataError("holds NaN", "give ids such as strings or numbers", argument=name)
    return tie_groups


def _earlier_and_lower(values: Ints, weights: NDArray[Any]) -> NDArray[Any]:
    """Sum the weights of earlier positions with lower values, for each position."""
    # Goes through the bits of the values from the highest: of two values that agree in all higher bits, the one with a
    # 0 is the lower. At each bit the positions stand by the higher bits, and in their order where those agree.
    sums = np.zeros(len(values), dtype=weights.dtype)
    order = np.arange(len(values))
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):
        prefix = values[order] >> bit
        zero = (prefix & 1) == 0
        zero_weights = weights[order] * zero
        before = np.cumsum(zero_weights) - zero_weights
        starts = np.flatnonzero(np.diff(prefix >> 1, prepend=-1))
        before -= np.repeat(before[starts], np.diff(starts, append=len(order)))
        sums[order[~zero]] += before[~zero]
        order = order[np.argsort(prefix, kind="stable")]
    return sums


def lower_sums(x: Ints, y: Ints, weights: NDArray[Any]) -> NDArray[Any]:
    """Sum the weights of the items that are lower in both rankings, for each item."""
    # Within a group of y the higher in x come first: none counts as earlier and lower than another.
    order = np.lexsort((-x, y))
    sums = np.empty(len(x), dtype=weights.dtype)
    sums[order] = _earlier_and_lower(x[order], weights[order])
    return sums


def signs(x: Ints, y: Ints) -> Ints:
    """Concordant minus discordant pairs: ``sum over j of sign(x_i - x_j) sign(y_i - y_j)``."""
    lower_in_both = lower_sums(y, x, np.ones(len(x), dtype=np.int64))
    below_x, equal_x = lower_and_equal_counts(x)
    below_y, equal_y = lower_and_equal_counts(y)
    pair = np.unique(x * (int(y.max()) + 1) + y, return_inverse=True)[1].astype(np.int64)
    _, equal_in_both = lower_and_equal_counts(pair)
    x_lower_y_equal = _lower_in_group(y, x)
    x_equal_y_lower = _lower_in_group(x, y)
    # sign(x_i - x_j) = [x_j < x_i] + [x_j <= x_i] - 1, and so for y; multiplied out and summed over j.
    half_products = 2 * lower_in_both + x_lower_y_equal + x_equal_y_lower
    return np.asarray(2 * half_products + equal_in_both - (2 * below_x + equal_x) - (2 * below_y + equal_y) + len(x))


def lower_and_equal_counts(values: Ints) -> tuple[Ints, Ints]:
    """Count the lower items and the equal ones, each item among its equals."""
    times = np.bincount(values).astype(np.int64)
    return (np.cumsum(times) - times)[values], times[values]


def _lower_in_group(groups: Ints, values: Ints) -> Ints:
    """Count the lower items in the group of each item."""
    keys = groups * (int(values.max()) + 1) + values
    distinct, inverse, times = np.unique(keys, return_inverse=True, return_counts=True)
    before = np.cumsum(times) - times
    heads = np.flatnonzero(np.diff(distinct // (int(values.max()) + 1), prepend=-1))
    before -= np.repeat(before[heads], np.diff(heads, append=len(distinct)))
    return np.asarray(before[inverse], dtype=np.int64)
