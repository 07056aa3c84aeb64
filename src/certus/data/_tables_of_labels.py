"""Tables with a row for each sample and a column for each label."""

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data.class_columns import names_of, only_counted
from certus.data.codes import group_codes, plain
from certus.data.columns import as_array, check_lengths, check_nulls, counted_samples, sample_weights
from certus.errors import DataError, called

__all__ = [
    "check_columns",
    "check_same_labels",
    "indicators",
    "kept_samples",
    "names_of_columns",
    "selected_columns",
]


def indicators(values: Any, name: str) -> NDArray[np.bool_]:
    """A table of 0 and 1 as truth values."""
    if hasattr(values, "tocsr"):
        return _of_sparse(values.tocsr(), name)
    array = as_array(values, name)
    if array.ndim != 2:
        raise DataError(f"{called(name)} has shape {array.shape}; it must have a row per sample and a column per label")
    check_nulls(array, name)
    if array.dtype == np.bool_:
        return array
    try:
        ones = np.asarray(array == 1, dtype=np.bool_)
        others = ones != np.asarray(array != 0, dtype=np.bool_)
    except (TypeError, ValueError) as error:
        raise DataError(f"{called(name)} must hold 0 and 1 only{_one_label(array)}") from error
    if others.any():
        row, column = np.argwhere(others)[0].tolist()
        found = array[row, column : column + 1].tolist()[0]
        remedy = f"it must hold 0 and 1 only{_one_label(array)}"
        raise DataError.of_cell(name, (row, column), found, repr(found), remedy)
    return ones


def _one_label(array: NDArray[Any]) -> str:
    """The remedy for a table of one column of labels."""
    return "; for one label per sample give a column, not a table" if array.shape[1] == 1 else ""


def _of_sparse(table: Any, name: str) -> NDArray[np.bool_]:
    """A sparse table's truth values; no more than a byte a cell is ever held."""
    if len(table.shape) != 2:
        raise DataError(f"{called(name)} has shape {table.shape}; it must have a row per sample and a column per label")
    if not table.has_canonical_format:
        table = table.copy()
        table.sum_duplicates()
    others = table.data[(table.data != 0) & (table.data != 1)]
    if len(others):
        raise DataError(f"{called(name)} holds {others[0]}; it must hold 0 and 1 only")
    true: NDArray[np.bool_] = table.astype(np.bool_).toarray()
    return true


def check_same_labels(true: NDArray[Any], other: NDArray[Any], name: str) -> None:
    """Refuse tables of different labels."""
    if true.shape[1] != other.shape[1]:
        raise DataError(
            f"{called('y_true')} has {true.shape[1]} labels but {called(name)} has {other.shape[1]}; give both the "
            "same columns"
        )


def check_columns(y_true: Any, other: Any, name: str) -> None:
    """Refuse two DataFrames of which columns of the same name stand in different places.

    Raises
    ------
    DataError
        They have the same columns in another order, or only some columns in common.
    """
    first, second = names_of(y_true), names_of(other)
    if first is None or second is None or first == second or len(first) != len(second):
        return
    if set(first) == set(second):
        place = next(i for i, (one, two) in enumerate(zip(first, second, strict=True)) if one != two)
        raise DataError(
            f"{called(name)} has the columns of {called('y_true')} in another order ({second[place]!r} where "
            f"{called('y_true')} has {first[place]!r}); "
            "give both the same order"
        )
    if (set(first) & set(second)) and not (only_counted(y_true) or only_counted(other)):
        lacking = next(each for each in first if each not in set(second))
        raise DataError(
            f"{called(name)} has some columns of {called('y_true')}, but none named {lacking!r}; give both the same "
            "columns in one order"
        )


def kept_samples(
    true: NDArray[Any], other: NDArray[Any], name: str, sample_weight: Any, groups: Any
) -> tuple[NDArray[np.float64] | None, NDArray[np.int64] | None, NDArray[np.bool_] | slice]:
    """Weights and groups of the samples that have a weight, and which those are."""
    weights = sample_weights(sample_weight)
    clusters = group_codes(groups)
    check_lengths(**{"y_true": true, name: other, "sample_weight": weights, "groups": clusters})
    weights, kept = counted_samples(weights)
    if clusters is not None:
        clusters = np.unique(clusters[kept], return_inverse=True)[1].astype(np.int64)
    return weights, clusters, kept


def names_of_columns(values: Any, labels: int) -> tuple[Hashable, ...]:
    """The names of the columns of a DataFrame, or their numbers."""
    columns = names_of(values)
    return tuple(range(labels)) if columns is None or len(columns) != labels else tuple(columns)


def selected_columns(labels: Any, classes: tuple[Hashable, ...]) -> NDArray[np.intp]:
    """The columns that ``labels=`` lists, or all."""
    if labels is None:
        return np.arange(len(classes))
    chosen = [plain(label, "a label of labels") for label in labels]
    for label in chosen:
        if label not in classes:
            raise DataError(f"{called('labels')} lists {label!r}, but the columns are {', '.join(map(repr, classes))}")
    if not chosen or len(set(chosen)) < len(chosen):
        raise DataError(f"{called('labels')} must list each of some columns once")
    return np.array([classes.index(label) for label in chosen], dtype=np.intp)
