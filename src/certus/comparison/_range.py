"""The range that bare values can have, as the user states it."""

from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

from certus.errors import DataError
from certus.io.scores import Scores
from certus.printable import exact
from certus.statistic.common import Bounds

KNOWN = "is for values whose range is not known, but {} knows its own"
STATE = "state the range that is possible"


def checked_range(value_range: Any) -> Bounds:
    """The range of bare values."""
    pair = tuple(value_range) if isinstance(value_range, tuple | list) else (value_range,)
    numbers = [float(each) for each in pair if not isinstance(each, bool) and isinstance(each, Real)]
    if len(pair) != 2 or len(numbers) != 2 or not numbers[0] < numbers[1]:
        raise DataError(
            f"is {value_range!r}",
            "give the least and the greatest possible value, such as (0, 1)",
            argument="value_range",
        )
    return numbers[0], numbers[1]


def check_range(scores: Iterable[Scores], metric: str, bounds: Bounds) -> None:
    """Refuse a value outside of the range."""
    for each in scores:
        outside = np.flatnonzero((each.values < bounds[0]) | (each.values > bounds[1]))
        if len(outside):
            first = int(outside[0])
            raise DataError(
                f"{metric} of item {each.items[first]!r} of {each.system} is {exact(each.values[first])}, outside of "
                f"[{bounds[0]:g}, {bounds[1]:g}]",
                STATE,
                place=None if each.place is None else each.place(first),
            )
