"""Work that all metrics of one table have in common, done once."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import TypeVar

import numpy as np

from certus.core.arrays import Floats

SHARED = 1024
"""Cells of a table up to which what is found of it is kept."""
KEPT = 8

Found = TypeVar("Found")


def shared(function: Callable[..., Found]) -> Callable[..., Found]:
    """Keep what a function finds of the last small tables: a report states nine metrics of one table."""

    @lru_cache(maxsize=KEPT)
    def kept(table: bytes, shape: tuple[int, ...], given: tuple[Hashable, ...]) -> Found:
        return function(np.frombuffer(table).reshape(shape), *given)

    @wraps(function)
    def found(table: Floats, *given: Hashable) -> Found:
        return function(table, *given) if table.size > SHARED else kept(table.tobytes(), table.shape, given)

    return found
