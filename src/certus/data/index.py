"""Rows of pandas objects are paired by their places; an index that says otherwise is an error."""

from itertools import combinations
from typing import Any

import numpy as np

from certus.errors import DataError

__all__ = ["check_index"]

_PLAIN = (np.ndarray, list, tuple, type(None))


def check_index(**columns: Any) -> None:
    """Refuse pandas columns that have the same index labels in another order.

    Other labels are no contradiction: predictions often come with a new index, and are in the order of the truth.

    Raises
    ------
    DataError
        Two of them have; a column that is None was not given.

    Examples
    --------
    >>> import pandas as pd
    >>> check_index(y_true=pd.Series([0, 1], index=["u", "v"]), y_pred=pd.Series([1, 0], index=["v", "u"]))
    Traceback (most recent call last):
    certus.errors.DataError: y_pred has the index labels of y_true in another order ('v' in row 0 where y_true has \
'u'); put them in one order, as by y_pred.loc[y_true.index], or pair them by place: y_pred.to_numpy()
    """
    found = [
        (name, index)
        for name, column in columns.items()
        if type(column) not in _PLAIN and (index := _index_of(column)) is not None
    ]
    for (first, one), (second, other) in combinations(found, 2):
        if one is other or len(one) != len(other) or one.equals(other):
            continue
        if one.isin(other).all() and other.isin(one).all():
            row = next((row for row, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), 0)
            raise DataError(
                f"{second} has the index labels of {first} in another order ({_plain(other[row])!r} in row {row} where "
                f"{first} has {_plain(one[row])!r}); put them in one order, as by {second}.loc[{first}.index], or pair "
                f"them by place: {second}.to_numpy()"
            )


def _plain(label: Any) -> Any:
    """A numpy scalar as Python writes it."""
    return label.item() if isinstance(label, np.generic) else label


def _index_of(column: Any) -> Any:
    """The index of a pandas object; None of anything else."""
    if hasattr(column, "to_native"):
        column = column.to_native()
    index = getattr(column, "index", None) if hasattr(column, "iloc") else None
    return index if hasattr(index, "equals") and hasattr(index, "isin") else None
