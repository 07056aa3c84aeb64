"""Results that are kept: of statistics as long as these are in use, of tables the last few small ones."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from certus.core.arrays import Floats

SMALL_TABLE = 1024
"""Largest number of cells of a table whose results are kept: a report states nine metrics of one table."""

Key = TypeVar("Key")
Result = TypeVar("Result")


def once_for_each(function: Callable[[Key], Result]) -> Callable[[Key], Result]:
    """Compute a result once for each statistic: the choice of a method asks for it, and then the method."""
    results: WeakKeyDictionary[Key, Result] = WeakKeyDictionary()

    @wraps(function)
    def result(statistic: Key) -> Result:
        if (value := results.get(statistic)) is None:
            value = results[statistic] = function(statistic)
        return value

    return result


def once_for_small_tables(function: Callable[..., Result]) -> Callable[..., Result]:
    """Keep the results for the last small tables; arguments after the table must be hashable."""

    @lru_cache(maxsize=8)
    def cached(table: bytes, shape: tuple[int, ...], arguments: tuple[Hashable, ...]) -> Result:
        return function(np.frombuffer(table).reshape(shape), *arguments)

    @wraps(function)
    def result(table: Floats, *arguments: Hashable) -> Result:
        if table.size > SMALL_TABLE:
            return function(table, *arguments)
        return cached(table.tobytes(), table.shape, arguments)

    return result
