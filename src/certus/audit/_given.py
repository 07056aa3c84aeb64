"""Labels as they are given, in the order of checking."""

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.errors import DataError

__all__ = ["labels_of"]


def labels_of(labels: ArrayLike, population: int) -> NDArray[np.int64]:
    """Labels in the order of checking, as 0 and 1."""
    # As a list of mixed types would become one of text, or none at all.
    values: NDArray[Any] = np.asarray(labels, dtype=object if isinstance(labels, list | tuple) else None)
    if values.ndim != 1:
        raise DataError(f"labels have the shape {values.shape}; they must be one list")
    if len(values) > population:
        raise DataError(f"there are {len(values)} labels but population is {population}; no item is checked twice")
    try:
        wrong = np.flatnonzero((values != 0) & (values != 1)) if values.dtype != object else _odd(values.tolist())
        if not len(wrong):
            return values.astype(np.int64)
    except (TypeError, ValueError):
        wrong = np.arange(1)
    at = int(wrong[0])
    raise DataError(f"label {at + 1} is {values.tolist()[at]!r}; it must be 1 or True for a hit, 0 or False for none")


def _odd(values: Sequence[Any]) -> NDArray[np.intp]:
    return np.flatnonzero([not _is_number(value) or value not in (0, 1) for value in values])


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Number)
