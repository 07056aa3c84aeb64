"""Numbers that float64 may not hold: whole numbers beyond 2**53, Decimal, Fraction, long doubles, uint64.

Where only the order counts, such numbers are ranked exactly. Where they are calculated with, they are refused, unless
the nearest doubles tell as much.
"""

import math
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats

if TYPE_CHECKING:
    from decimal import Decimal


GREATEST = 2.0**53
"""Up to here float64 holds every whole number."""
LONGEST_NUMBER = 4300
"""Characters that are compared exactly; Python's own limit for whole numbers."""
_MORE_DIGITS = re.compile(r"\n[-+ 0.]*[1-9](?:[0-9.]{18}|[0-9]{17})")
"""A line with more than the 17 significant digits that a double is written with at most."""


def any_beyond(array: NDArray[Any]) -> bool:
    """True if a finite number is so large that float64 does not hold all whole numbers of its size."""
    return bool((np.isfinite(array) & (np.abs(array) >= GREATEST)).any())


def doubles(array: NDArray[Any]) -> Floats:
    """The nearest doubles of numbers without nulls; what is too great for one is infinite."""
    try:
        with np.errstate(over="ignore"):
            return np.asarray(array, dtype=np.float64)
    except OverflowError:
        return np.array([_double(value) for value in array.ravel().tolist()]).reshape(array.shape)


def _double(value: Any) -> float:
    """Nearest float; infinite if the number is out of range."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def loss(array: NDArray[Any], doubles_of_values: Floats) -> str:
    """Why `doubles_of_values`, the nearest doubles, do not stand for the numbers of the array; empty where they do.

    A number beyond 2**53 has to be the double itself. Others are rounded, as every decimal is, as long as no two
    different ones become the same double.
    """
    kind, width = array.dtype.kind, array.dtype.itemsize
    if kind == "b" or not array.size or (kind in "iu" and width < 8) or (kind == "f" and width <= 8):
        return ""
    if kind in "iuf":
        return _integer_loss(array, doubles_of_values) if kind in "iu" else _wide_float_loss(array, doubles_of_values)
    values, double_list = array.ravel().tolist(), doubles_of_values.ravel().tolist()
    if set(map(type, values)) <= {bool, int, float} and (np.abs(doubles_of_values) < GREATEST).all():
        return ""
    numbers = [number(value) for value in values]
    for exact, double in zip(numbers, double_list, strict=True):
        if abs(double) >= GREATEST and exact != double:
            return _too_large_message(exact)
    exact_by_double: dict[float, Any] = {}
    for exact, double in zip(numbers, double_list, strict=True):
        if (first := exact_by_double.setdefault(double, exact)) != exact:
            return _tied(first, exact)
    return ""


def _integer_loss(array: NDArray[Any], nearest_doubles: Floats) -> str:
    """Message on the first integer that differs from its nearest double; empty if none does."""
    if max(int(array.max()), -int(array.min())) <= GREATEST:
        return ""
    # 2**63 or 2**64 as a double is beyond the type: numpy's conversion back would wrap around.
    top = 2.0 ** (63 if array.dtype.kind == "i" else 64)
    inside = nearest_doubles < top
    wrong = ~inside | (np.where(inside, nearest_doubles, 0.0).astype(array.dtype) != array)
    return _too_large_message(int(array[wrong][0])) if wrong.any() else ""


def _wide_float_loss(array: NDArray[Any], nearest_doubles: Floats) -> str:
    """Message on long doubles that float64 rounds beyond 2**53, or makes equal; empty if it does neither."""
    wrong = (np.abs(nearest_doubles) >= GREATEST) & (nearest_doubles != array)
    if wrong.any():
        return _too_large_message(array[wrong][0])
    values = np.unique(array)
    tied_pairs = np.flatnonzero(np.diff(values.astype(np.float64)) == 0)
    return _tied(*values[tied_pairs[0] : tied_pairs[0] + 2]) if len(tied_pairs) else ""


def _too_large_message(value: Any) -> str:
    """Message on a number beyond 2**53 that no double represents."""
    adjective = "whole " if value == int(value) else ""
    return f"holds {adjective}numbers beyond 2**53, which float64 cannot tell apart ({_exact_text(value)})"


def _tied(first: Any, second: Any) -> str:
    """Message on two different numbers with the same nearest double."""
    return f"holds {_exact_text(first)} and {_exact_text(second)}, which float64 cannot tell apart"


def _exact_text(value: Any) -> str:
    """Number as text for a message; beyond 40 characters, the first 20 and the length."""
    from decimal import Decimal
    from fractions import Fraction

    ratio = isinstance(value, Fraction) and value.denominator != 1
    text = str(value.numerator / Decimal(value.denominator) if ratio else value)
    return text if len(text) <= 40 else f"{text[:20]}... of {len(text)} characters"


def number(value: Any) -> Any:
    """The number as Python compares it exactly: an int, a Fraction or a float."""
    if isinstance(value, int | float):
        return value
    if isinstance(value, np.integer):
        return int(value)
    from decimal import Decimal
    from fractions import Fraction  # here, as seldom needed

    if isinstance(value, Decimal | np.longdouble) and not math.isinf(value):
        return Fraction(*value.as_integer_ratio())
    return value if isinstance(value, Fraction) else float(value)


def has_more_digits(text: str) -> bool:
    """True if a line has a number with more significant digits than a double needs."""
    return _MORE_DIGITS.search(f"\n{text}") is not None


def written(text: str) -> "float | Decimal":
    """The number that a text spells, as a Decimal.

    Powers of ten that no double comes near are floats: as fractions they would have millions of digits.
    """
    from decimal import Decimal, InvalidOperation

    try:
        exact = Decimal(text)
    except InvalidOperation:  # an exponent beyond what Decimal holds
        return float(text)
    return exact if not exact or abs(exact.adjusted()) <= 400 else float(text)


def distinct_ranks(array: NDArray[Any]) -> tuple[NDArray[Any], Floats]:
    """The distinct numbers in increasing order, as objects, and the place of each number among them, from 0."""
    values = keys = array.ravel()
    if array.dtype.kind == "O":
        keys = np.array([number(value) for value in values.tolist()], dtype=object)
    _, first, ranks = np.unique(keys, return_index=True, return_inverse=True)
    return values[first].astype(object), ranks.reshape(array.shape).astype(np.float64)


def rank_of(values: NDArray[Any], threshold: Any) -> int:
    """The number of the distinct numbers, in increasing order, that are below another."""
    return bisect_left([number(value) for value in values.tolist()], number(threshold))


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
