"""Whole numbers of DataFrames that NumPy has no type for, or rounds, as objects."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.exact import any_beyond

WIDE = {"Int128", "UInt128"}
"""Types of polars that NumPy does not have."""


def of_wide(values: Any) -> NDArray[Any] | None:
    """A column or a frame with such a type; None where there is none."""
    if str(getattr(values, "dtype", "")) in WIDE:
        return np.asarray(values.to_list(), dtype=object)
    if hasattr(values, "rows") and WIDE.intersection(map(str, getattr(values, "dtypes", ()))):
        return np.asarray(values.rows(), dtype=object)
    return None


def unrounded(array: NDArray[Any], frame: Any) -> NDArray[Any]:
    """The array of a DataFrame, whose whole numbers float columns beside them have made floats, as objects."""
    if array.ndim != 2 or array.dtype.kind != "f" or not hasattr(frame, "columns") or not any_beyond(array):
        return array
    if hasattr(frame, "to_pylist"):  # of pyarrow
        rows = [*zip(*(column.to_pylist() for column in frame.columns), strict=True)]
    else:
        rows = frame.rows() if hasattr(frame, "rows") else frame.astype(object)
    return np.asarray(rows, dtype=object)
