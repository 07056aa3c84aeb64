"""Columns as users have them, read into numpy arrays; a null or NaN is an error that names the argument and the place.

An argument may be a list, a numpy array, a column of pandas, polars, pyarrow or anything narwhals knows, or any object
that numpy can read (a torch tensor on the CPU). None of these libraries is imported here unless its object came in.
"""

import sys
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import DataError, called
from certus.core.exact import any_beyond, distinct_ranks, doubles, loss, of_wide, unrounded
from certus.core.spelling import plural

Reals = NDArray[np.float32] | NDArray[np.float64]
"""Numbers in the width in which they came."""

LEAST_WEIGHT, GREATEST_WEIGHT = 2.0**-300, 2.0**300
"""Between them must the greatest weight be, so that products of three sums of weights are numbers."""
SMALLEST_SHARE = 2.0**-1000
"""Of the greatest weight, at least so much must every other be."""


def as_array(values: Any, name: str) -> NDArray[Any]:
    """The values as a numpy array, nothing converted: text stays text, and a list that mixes kinds becomes objects."""
    if type(values) is np.ndarray:
        array = values
    elif isinstance(values, list | tuple):
        array = _from_list(values, name)
    else:
        array = _from_object(values, name)
    if array.ndim == 0:
        kind = type(values).__name__
        raise DataError(
            f"is a {kind}", "it must be an array, a list or a column with one value per sample", argument=name
        )
    if array.dtype.kind == "V":
        raise DataError("has several fields per value", "give one column", argument=name)
    return array


def axes(values: Any) -> int:
    """The number of axes of the input, without converting it."""
    if isinstance(values, list | tuple):
        nested = bool(values) and (isinstance(values[0], list | tuple) or np.ndim(values[0]) > 0)
        return 1 + (axes(values[0]) if nested else 0)
    return len(shape) if (shape := getattr(values, "shape", None)) is not None else 1


def flat(array: NDArray[Any]) -> NDArray[Any]:
    """A table of one column as that column; anything else as it is."""
    return array[:, 0] if array.shape[1:] == (1,) else array


def is_column(values: Any) -> bool:
    """True if the array is a column, or a table of one column."""
    if axes(values) != 2:
        return axes(values) == 1
    shape = getattr(values, "shape", None)
    return all(np.size(row) == 1 for row in values) if shape is None else bool(shape[1] == 1)


def _from_list(values: Sequence[Any], name: str) -> NDArray[Any]:
    types = set(map(type, values))
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError) as error:
        # numpy refuses rows of different lengths; a whole number too large for it can still be a label.
        if not _has_sequences(types):
            return _objects(values)
        raise DataError(f"cannot be read as an array: {error}", argument=name) from error
    if array.ndim > 1 and not _has_sequences(types):
        return _objects(values)  # numpy takes other sequences apart
    # numpy would round the whole numbers among floats, and turn the numbers among texts into text.
    rounded = array.dtype.kind == "f" and not types <= {float, np.ndarray} and any_beyond(array)
    mixed = array.dtype.kind in "US" and not (types <= {str, np.str_} or types <= {bytes, np.bytes_})
    if array.ndim > 1 and (rounded or mixed):
        return np.asarray(values, dtype=object)
    return _objects(values) if rounded or mixed else array


def _has_sequences(types: set[type]) -> bool:
    return bool(types & {list, tuple}) or any(hasattr(kind, "__array__") for kind in types)


def _objects(values: Sequence[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _from_object(values: Any, name: str) -> NDArray[Any]:
    if isinstance(values, str | bytes | dict | set | frozenset):
        return np.empty((), dtype=object)
    if isinstance(values, np.ma.MaskedArray):
        hidden = np.flatnonzero(np.ma.getmaskarray(values))
        if len(hidden):
            raise DataError(
                f"is masked at index {hidden[0]}", "leave out or fill the masked values first", argument=name
            )
        return np.asarray(values.data)
    if hasattr(values, "toarray"):  # a sparse matrix
        return np.asarray(values.toarray())
    if hasattr(values, "detach"):  # a tensor that records gradients
        values = values.detach()
    try:
        if (wide := of_wide(values)) is not None:
            return wide
        if hasattr(values, "__array__") or hasattr(values, "__array_interface__"):
            return unrounded(np.asarray(values), values)
        if hasattr(values, "to_numpy"):
            return np.asarray(values.to_numpy())
        if hasattr(values, "__dlpack__"):
            return np.from_dlpack(values)
        if hasattr(values, "__len__") and hasattr(values, "__getitem__"):
            return _from_list(list(values), name)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise DataError(f"cannot be read as an array: {error}", argument=name) from error
    return np.empty((), dtype=object)


def is_null(value: object) -> bool:
    """True for None, NaN, NaT and pandas.NA."""
    if value is None:
        return True
    pandas = sys.modules.get("pandas")
    if pandas is not None and value is pandas.NA:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # something that does not compare to one truth value; no null does that
        return False


def check_nulls(array: NDArray[Any], name: str) -> None:
    """Refuse nulls, NaN and NaT."""
    kind = array.dtype.kind
    if kind == "O":
        position = next((index for index, value in enumerate(array.ravel().tolist()) if is_null(value)), None)
    else:
        position = _first_true(array != array) if kind in "fcTmM" else None
    if position is not None:
        where = np.unravel_index(position, array.shape)
        value = array[where]
        index = int(where[0]) if array.ndim == 1 else tuple(map(int, where))
        problem = "is NaN" if isinstance(value, float | np.floating) else f"has no value ({value})"
        raise DataError(f"{problem} at index {index}", "leave out or fill such samples first", argument=name)


def _first_true(wrong: NDArray[np.bool_]) -> int | None:
    flat = wrong.ravel()
    position = int(flat.argmax()) if flat.size else 0
    return position if flat.size and flat[position] else None


def check_lengths(**arrays: Any) -> int:
    """The number of samples, which all the named arrays must have; one that is None was not given."""
    lengths = [(name, int(array.shape[0])) for name, array in arrays.items() if array is not None]
    (first, n), *remaining = lengths
    for name, length in remaining:
        if length != n:
            differs = f"has {plural(n, 'sample')} but {called(name)} has {length}"
            raise DataError(differs, "they must pair up one to one", argument=name, subject=called(first))
    return n


def floats(
    values: Any, name: str, *, infinite: bool = True, dimensions: int = 1, order: Literal["C", "either"] = "C"
) -> Reals:
    """Real numbers to calculate with, float32 and float64 as they are, other numbers as float64."""
    _, numbers, lost = _read(values, name, dimensions, order)
    if lost:
        raise DataError(lost, "subtract a common offset first, or round them to floats", argument=name)
    return _check_finite(numbers, name, infinite=infinite)


def float_matrix(values: Any, name: str, *, infinite: bool = True, order: Literal["C", "either"] = "C") -> Reals:
    """A table of real numbers, one row per sample, in C order; with ``"either"`` also in Fortran order, as it comes."""
    return floats(values, name, infinite=infinite, dimensions=2, order=order)


def floats_or_matrix(values: Any, name: str, *, infinite: bool = True) -> Reals:
    """A column or a table of real numbers; a table of one column as that column."""
    array = flat(as_array(values, name))
    return floats(array, name, infinite=infinite, dimensions=2 if array.ndim == 2 else 1)


def ordered_floats(values: Any, name: str, dimensions: int = 1) -> tuple[Reals, NDArray[Any] | None]:
    """Real numbers of which only the order counts, in a table that in each row, and the distinct ones where ranked."""
    array, numbers, lost = _read(values, name, dimensions, "C" if dimensions == 1 else "either")
    if lost:
        distinct, numbers = distinct_ranks(array)
        return numbers, distinct
    return _check_finite(numbers, name, infinite=True), None


_NOT_NUMBERS = {"U": "text", "T": "text", "S": "bytes", "c": "complex numbers", "M": "dates", "m": "durations"}
_SHAPES = {1: "one number per sample", 2: "one row of numbers per sample"}


def check_shape(array: Any, dimensions: int, name: str, rule: str) -> None:
    """Refuse an array of another number of axes; the rule completes "it must have"."""
    if len(array.shape) != dimensions:
        raise DataError(f"has shape {array.shape}", f"it must have {rule}", argument=name)


def _read(values: Any, name: str, dimensions: int, order: Literal["C", "either"]) -> tuple[NDArray[Any], Reals, str]:
    """The numbers as given, as floats, and what those lose."""
    array = as_array(values, name)
    array = flat(array) if dimensions == 1 else array
    check_shape(array, dimensions, name, _SHAPES[dimensions])
    kind = array.dtype.kind
    if kind not in "biufO":
        content = _NOT_NUMBERS.get(kind, f"values of type {array.dtype}")
        raise DataError(f"holds {content}", "it must hold numbers", argument=name)
    if kind == "O":
        check_nulls(array, name)
        if any(isinstance(value, str | bytes) for value in array.ravel().tolist()):
            raise DataError("holds text", "it must hold numbers", argument=name)
    layout: Literal["C", "F"] = "F" if order == "either" and array.flags.f_contiguous else "C"
    if array.dtype in (np.float32, np.float64):
        return array, np.asarray(array, order=layout), ""
    if array.dtype == np.float16:
        return array, np.asarray(array, dtype=np.float32, order=layout), ""
    try:
        check_nulls(array, name)
        numbers = np.asarray(doubles(array), order=layout)
        return array, numbers, loss(array, numbers)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"cannot be read as numbers: {error}", argument=name) from error


def _check_finite(numbers: Reals, name: str, *, infinite: bool) -> Reals:
    # One sum finds every NaN and infinity; only then is it looked for.
    with np.errstate(all="ignore"):
        total = float(numbers.sum())
    if not np.isfinite(total):
        check_nulls(numbers, name)
        position = _first_true(np.isinf(numbers))
        if not infinite and position is not None:
            cell = tuple(map(int, np.unravel_index(position, numbers.shape)))
            raise DataError.of_cell(name, cell, numbers[cell], "infinite", "it must be finite")
    return numbers


def sample_weights(values: Any) -> NDArray[np.float64] | None:
    """The weights of samples: finite, at least 0 and not all 0; None stays None."""
    if values is None:
        return None
    weights = floats(values, "sample_weight", infinite=False).astype(np.float64, copy=False)
    check_weights(weights)
    return weights


def check_weights(weights: NDArray[Any]) -> None:
    """Refuse weights that `sample_weights` refuses, of numbers that are finite."""
    if not len(weights):
        return
    position = _first_true(weights < 0)
    if position is not None:
        value = weights[position]
        raise DataError.of_cell("sample_weight", (position,), value, f"{value:g}", "it must be at least 0")
    greatest = int(weights.argmax())
    if not weights[greatest]:
        raise DataError(
            "is 0", "some sample must count", argument="sample_weight", subject=f"every {called('sample_weight')}"
        )
    if not LEAST_WEIGHT <= weights[greatest] <= GREATEST_WEIGHT:
        raise DataError(
            f"is {weights[greatest]:g} at index {greatest}, the greatest",
            "it must be from 2**-300 to 2**300: multiply all weights by a common factor, which changes no mean",
            argument="sample_weight",
        )
    smallest = int(np.where(weights > 0, weights, np.inf).argmin())
    if weights[smallest] < weights[greatest] * SMALLEST_SHARE:
        raise DataError(
            f"is {weights[smallest]:g} at index {smallest} but {weights[greatest]:g} at index {greatest}, more than "
            "2**1000 times as much",
            "leave out the samples that hardly count",
            argument="sample_weight",
        )
