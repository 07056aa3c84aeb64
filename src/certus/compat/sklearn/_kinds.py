"""Kinds of label columns, in scikit-learn's words."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from certus.compat.sklearn._input import Array, array_of, check_finite
from certus.compat.sklearn._parameters import is_sparse

__all__ = ["binary_positive", "classes_of", "few", "kind_of_target"]


def few(array: Array) -> list[Any]:
    """The different values in increasing order, or the first three found where there are more than two."""
    flat = array.ravel()
    if not len(flat):
        return []
    if array.dtype.kind == "O":
        return sorted(set(flat.tolist()))[:3]
    first, second = flat[0], None
    for part in (flat[:64], flat) if len(flat) > 64 else (flat,):
        others = part != first
        if not others.any():
            continue
        second = part[int(others.argmax())]
        others &= part != second
        if others.any():
            return [first, second, part[int(others.argmax())]]
    return [first] if second is None else sorted((first, second))


def classes_of(array: Array) -> Array:
    """The different values in increasing order."""
    found = few(array)
    return np.unique(array) if len(found) > 2 else np.array(found, dtype=array.dtype)


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
        return ("multiclass" if len(few(array)) > 2 else "binary"), array
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
    if several or len(few(array)) > 2:
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
    return (array.dtype.kind in "biu" or (array.dtype.kind == "f" and _is_whole(array))) and len(few(array)) < 3


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
    found = few(y_true)
    if y_true.dtype.kind not in "OUST" and (set(found) <= {0, 1} or set(found) <= {-1, 1}):
        return 1
    found = np.unique(y_true).tolist()
    listed = ", ".join(map(repr, found))
    raise ValueError(
        f"y_true takes value in {{{listed}}} and pos_label is not specified: either make y_true take value in {{0, 1}} "
        "or {-1, 1} or pass pos_label explicitly."
    )
