"""Input as scikit-learn takes and converts it, and the errors it raises for the rest."""

import math
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.compat.sklearn._parameters import is_sparse
from certus.data.columns import check_weights
from certus.errors import DataError
from certus.exact import any_beyond, distinct_ranks, doubles, loss, number

Array = NDArray[Any]


def count(values: Any) -> int:
    """Number of samples."""
    if isinstance(values, np.ndarray) and values.ndim:
        return len(values)
    refusal = f"Expected sequence or array-like, got {type(values)}"
    if callable(getattr(values, "fit", None)):
        raise TypeError(refusal)
    shape = getattr(values, "shape", None)
    if shape is not None:
        if len(shape) == 0:
            raise TypeError(
                "Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, "
                f"got scalar `{values!r}` instead."
            )
        if isinstance(shape[0], Integral):
            return int(shape[0])
    try:
        return len(values) if hasattr(values, "__len__") else len(np.asarray(values))
    except TypeError as error:
        raise TypeError(refusal) from error


def check_lengths(*columns: Any) -> None:
    """Refuse columns that do not pair up; None stands for a column that was not given."""
    lengths = [count(values) for values in columns if values is not None]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths}")


def array_of(values: Any, dtype: Any = None, *, name: str = "") -> Array:
    """The values as a NumPy array, as they are or of a given type."""
    if type(values) is np.ndarray and (dtype is None or values.dtype == dtype) and values.dtype.kind != "c":
        return values
    if isinstance(values, np.matrix):
        raise TypeError("np.matrix is not supported. Please convert to a numpy array with np.asarray.")
    if is_sparse(values):
        raise TypeError(
            f"Sparse data was passed{f' for {name}' if name else ''}, but dense data is required. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    array = np.asarray(_without_na(values), dtype=dtype)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    return array


def exact_of(values: Any) -> Array:
    """The values as an array in which no whole number has been rounded: objects where numpy would make floats.

    Dates and durations, which scikit-learn sorts as they are, become whole numbers.
    """
    array = array_of(values)
    if array.dtype.kind in "mM":
        if np.isnat(array).any():
            raise ValueError("Input contains NaT.")
        return array.view(np.int64)
    if isinstance(values, list | tuple) and array.dtype.kind == "f" and any_beyond(array):
        return array_of(values, np.dtype(object))
    return array


def ranked(values: Any, *, name: str = "", ndim: int | None = None) -> Array:
    """Numbers of which only the order counts: as `numbers` has them, or places where float64 would tie some."""
    array = exact_of(values)
    if array.dtype.kind in "Oiuf":
        nearest_doubles = doubles(array)
        if np.isfinite(nearest_doubles).all() and loss(array, nearest_doubles):
            return _validate_array(distinct_ranks(array)[1], name, ndim)
    return numbers(array, name=name, ndim=ndim)


def exact_numbers(values: Any, name: str) -> Array:
    """Numbers to calculate with, as `numbers` has them; those that float64 would round are refused."""
    array = exact_of(values)
    if array.dtype.kind in "Oiuf":
        nearest_doubles = doubles(array)
        if np.isfinite(nearest_doubles).all() and (lost := loss(array, nearest_doubles)):
            raise DataError(f"{name} {lost}", "subtract a common offset first, or round them to floats")
    return numbers(values)


def _without_na(values: Any) -> Any:
    """A column with its own marks of missing values (pandas) as an array that has none."""
    dtype = getattr(values, "dtype", None)
    if not hasattr(dtype, "na_value"):
        return values
    kind = {"b": "bool", "i": "int64", "u": "uint64", "f": "float64"}.get(getattr(dtype, "kind", ""))
    if kind is None:
        return values
    if values.isna().any():
        kind = "float64"
    return values.to_numpy(dtype=kind, na_value=math.nan) if kind == "float64" else values.to_numpy(dtype=kind)


def numbers(values: Any, *, dtype: Any = None, name: str = "", ndim: int | None = None) -> Array:
    """Finite numbers in one or two dimensions, at least one.

    Parameters
    ----------
    values
        The input.
    dtype
        Types that are kept; anything else becomes the first. None keeps any type, and makes floats of objects.
    name
        What errors call it.
    ndim
        The number of dimensions it must have, where it may not have either.
    """
    array = array_of(values, name=name)
    if dtype is not None:
        array = array if array.dtype in dtype else array.astype(dtype[0])
    elif array.dtype.kind == "O":
        array = array.astype(np.float64)
    if array.dtype.kind in "USV":
        raise ValueError(
            "dtype='numeric' is not compatible with arrays of bytes/strings."
            "Convert your data to numeric values explicitly instead."
        )
    return _validate_array(array, name, ndim)


def labels_of(values: Any) -> Array:
    """Labels of any type in one or two dimensions, at least one, none of them NaN."""
    return _validate_array(array_of(values), "", None)


def _validate_array(array: Array, name: str, ndim: int | None) -> Array:
    if ndim == 2 and array.ndim < 2:
        noun = "scalar array" if array.ndim == 0 else "1D array"
        raise ValueError(
            f"Expected 2D array, got {noun} instead:\narray={array}.\nReshape your data either using "
            "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single "
            "sample."
        )
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    check_finite(array, name)
    check_some(array)
    if array.ndim == 2 and array.shape[1] < 1:
        raise ValueError(f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
    return array


def check_some(array: Array) -> None:
    """Refuse an array without samples."""
    if count(array) < 1:
        raise ValueError(f"Found array with 0 sample(s) (shape={array.shape}) while a minimum of 1 is required.")


def check_finite(array: Array, name: str = "") -> None:
    """Refuse NaN and infinities."""
    label = f"{name} " if name else ""
    if array.dtype.kind == "O":
        if (array != array).any():  # only NaN differs from itself
            raise ValueError("Input contains NaN")
    elif array.dtype.kind == "f" and not np.isfinite(array).all():
        if np.isnan(array).any():
            raise ValueError(f"Input {label}contains NaN.")
        raise ValueError(f"Input {label}contains infinity or a value too large for {array.dtype!r}.")


def column(values: Any, name: str = "y", dtype: Any = None) -> Array:
    """One value per sample: an array of one dimension, or of two with a single column."""
    array = array_of(values, dtype, name=name)
    if array.ndim == 1:
        return array
    if array.ndim == 2 and array.shape[1] == 1:
        return array[:, 0]
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")


def weights_of(sample_weight: Any, samples: int, *, floats: bool = False) -> Array | None:
    """The weights of the samples, whole numbers kept unless `floats` are asked for."""
    if sample_weight is None:
        return None
    float_types = (np.float64, np.float32)
    weights = numbers(sample_weight, name="sample_weight", dtype=float_types if floats else None)
    if weights.ndim != 1:
        raise ValueError(
            f"Sample weights must be 1D array or scalar, got {weights.ndim}D array. Expected either a scalar value or "
            f"a 1D array of length {samples}."
        )
    if len(weights) != samples:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(samples,)}!")
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    check_weights(weights)
    return weights


def subtract_offset(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Both columns, less a common whole number where float64 would round theirs; else as they are."""
    try:
        columns = [exact_of(values) for values in (y_true, y_pred)]
    except (TypeError, ValueError):
        return y_true, y_pred  # whose checks say what is wrong
    if not any(_rounded(values) for values in columns):
        return y_true, y_pred
    for values in columns:
        check_finite(doubles(values))
    true, predicted = (np.frompyfunc(number, 1, 1)(values.astype(object)) for values in columns)
    offset = int(min(true.min(), predicted.min()))
    return exact_numbers(true - offset, "y_true"), exact_numbers(predicted - offset, "y_pred")


def _rounded(values: Array) -> bool:
    if values.dtype.kind not in "Oiuf":
        return False
    nearest_doubles = doubles(values)
    return bool(np.isfinite(nearest_doubles).all() and loss(values, nearest_doubles))


def distinct_up_to_three(array: Array) -> list[Any]:
    """The different values in increasing order, or the first three found where there are more than two."""
    flat = array.ravel()
    if not len(flat):
        return []
    if array.dtype.kind == "O":
        return sorted(set(flat.tolist()))[:3]
    first, second = flat[0], None
    for part in (flat[:64], flat) if len(flat) > 64 else (flat,):
        differs = part != first
        if not differs.any():
            continue
        second = part[int(differs.argmax())]
        differs &= part != second
        if differs.any():
            return [first, second, part[int(differs.argmax())]]
    return [first] if second is None else sorted((first, second))


def classes_of(array: Array) -> Array:
    """The different values in increasing order."""
    distinct = distinct_up_to_three(array)
    return np.unique(array) if len(distinct) > 2 else np.array(distinct, dtype=array.dtype)


def kind_of_target(y: Any, name: str = "") -> tuple[str, Array]:
    """The kind of these labels in scikit-learn's words, and the labels as an array.

    Returns
    -------
    kind
        "binary", "multiclass", "multilabel-indicator", "continuous", "multiclass-multioutput",
        "continuous-multioutput" or "unknown".
    array
        The labels; of sparse ones the dense array.
    """
    valid = isinstance(y, np.ndarray | Sequence) or hasattr(y, "__array__") or is_sparse(y)
    if not valid or isinstance(y, str):
        raise ValueError(f"Expected array-like (array or non-string sequence), got {y!r}")
    if type(y).__name__ in ("SparseSeries", "SparseArray"):
        raise ValueError("y cannot be class 'SparseSeries' or 'SparseArray'")
    array = y.toarray() if is_sparse(y) else _any_array(y)
    if array.ndim == 1 and array.dtype.kind in "biu":
        return ("multiclass" if len(distinct_up_to_three(array)) > 2 else "binary"), array
    if array.ndim == 2 and array.shape[1] > 1 and _is_indicator(array):
        return "multilabel-indicator", array
    if array.ndim and len(array):
        _check_first(array[0])
    if array.ndim not in (1, 2):
        return "unknown", array
    if not min(array.shape):
        return ("binary" if array.ndim == 1 else "unknown"), array
    if array.dtype.kind == "O" and not isinstance(array.flat[0], str):
        return "unknown", array
    several = "-multioutput" if array.ndim == 2 and array.shape[1] > 1 else ""
    if array.dtype.kind == "f" and not _is_whole(array):
        check_finite(array, name)
        return f"continuous{several}", array
    if several or len(distinct_up_to_three(array)) > 2:
        return f"multiclass{several}", array
    return "binary", array


def _any_array(y: Any) -> Array:
    """The labels as an array, of objects where rows have different lengths."""
    try:
        return array_of(y)
    except ValueError as error:
        if str(error).startswith("Complex data"):
            raise
        return array_of(y, np.dtype(object))


def _is_indicator(array: Array) -> bool:
    return (array.dtype.kind in "biu" or (array.dtype.kind == "f" and _is_whole(array))) and len(
        distinct_up_to_three(array)
    ) < 3


def _is_whole(array: Array) -> bool:
    return bool((np.floor(array) == array).all() and np.isfinite(array).all())


def _check_first(value: Any) -> None:
    if isinstance(value, bytes):
        raise TypeError(
            "Support for labels represented as bytes is not supported. Convert the labels to a string or integer "
            "format."
        )
    if isinstance(value, Sequence) and not isinstance(value, str) and not hasattr(value, "__array__"):
        raise ValueError(
            "You appear to be using a legacy multi-label data representation. Sequence of sequences are no longer "
            "supported; use a binary array or sparse matrix instead - the MultiLabelBinarizer transformer can convert "
            "to this format."
        )


def binary_positive(pos_label: Any, y_true: Array) -> Any:
    """The positive label, 1 where none is given and the labels are those of an ordinary binary problem."""
    if pos_label is not None:
        return pos_label
    distinct = distinct_up_to_three(y_true)
    if y_true.dtype.kind not in "OUST" and (set(distinct) <= {0, 1} or set(distinct) <= {-1, 1}):
        return 1
    distinct = np.unique(y_true).tolist()
    names = ", ".join(map(repr, distinct))
    raise ValueError(
        f"y_true takes value in {{{names}}} and pos_label is not specified: either make y_true take value in {{0, 1}} "
        "or {-1, 1} or pass pos_label explicitly."
    )
