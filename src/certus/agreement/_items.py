"""Two scores for each item, as a user gives them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from certus.arrays import Floats, Ints
from certus.data.columns import as_array
from certus.errors import DataError
from certus.exact import distinct_places, doubles, loss

__all__ = ["Scores", "paired_scores", "ranks", "single_valued"]

Scores = Mapping[Any, float] | ArrayLike
"""One score for each item: by name, or in the same order as the other ranking's."""


def paired_scores(a: Scores, b: Scores) -> tuple[Floats, Floats]:
    """Both scores of each item, in the order of the first.

    Raises
    ------
    DataError
        The two do not hold the same items, fewer than two, or a score that is NaN.
    """
    if isinstance(a, Mapping) != isinstance(b, Mapping):
        named, other = ("a", "b") if isinstance(a, Mapping) else ("b", "a")
        raise DataError(f"{named} gives scores by name but {other} does not; give both by name, or both as sequences")
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for one, other, first, second in (("a", "b", a, b), ("b", "a", b, a)):
            missing = [name for name in first if name not in second]
            if missing:
                raise DataError(
                    f"{one} has a score for {missing[0]!r} but {other} has none ({len(missing)} such in all); "
                    "leave out what is not in both, or compare lists of different items with rbo"
                )
        names = list(a)
        x, y = _column("a", [a[name] for name in names]), _column("b", [b[name] for name in names])
    else:
        x, y = _column("a", a), _column("b", b)
    if len(x) != len(y):
        raise DataError(f"a has {len(x)} scores but b has {len(y)}; they must pair up one to one")
    if len(x) < 2:
        raise DataError(f"a and b have {len(x)} item{'' if len(x) == 1 else 's'}; an order needs at least 2")
    return x, y


def _column(name: str, given: Any) -> Floats:
    if isinstance(given, (set, frozenset)):
        raise DataError(f"{name} is a set, which has no order; give scores by name or a sequence")
    array = as_array(given, name)
    if array.ndim != 1:
        raise DataError(f"{name} has {array.ndim} dimensions; give one score per item")
    try:
        column = doubles(array)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} holds something that is no number; give one score per item") from error
    if np.isnan(column).any():
        place = int(np.flatnonzero(np.isnan(column))[0])
        raise DataError(f"{name} holds NaN at position {place}; every item needs a score")
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
