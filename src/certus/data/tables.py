"""Tables of samples: of 0 and 1 for several labels, and counts in cells with how they were counted."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data.classes import MOST_CLASSES, names_of, only_counted
from certus.data.codes import Coded, normalize_label
from certus.data.columns import as_array, check_nulls
from certus.data.layouts import FULL, Codes, Four, Layout
from certus.errors import DataError, called
from certus.statistic.contributions import Parts
from certus.statistic.table_function import cell_counts

CellFunction: TypeAlias = Callable[[Codes, Codes, int], NDArray[np.int64]]
"""From true and predicted class of samples, and the number of classes, to the cell that each sample fills."""


@dataclass(frozen=True, eq=False)
class CellCounts:
    """Counted cells and what an interval method has to know about how they were counted.

    ``counts`` may have any shape; the rest is as the form `certus.statistic.TableFunction` takes it.
    """

    counts: NDArray[Any]
    squares: NDArray[np.float64] | None
    contributions: Callable[[], Parts] | None
    n: int
    unit: str
    layout: Layout = FULL

    @cached_property
    def floats(self) -> NDArray[np.float64]:
        """The counts as float64, which all functions of them share."""
        return cell_counts(self.counts)

    @cached_property
    def four(self) -> Four:
        """tp, fp, fn and tn of each class."""
        return self.layout.four(self.floats)

    @property
    def exact(self) -> bool:
        """True if each unit fills one cell and counts once, so that the counts are whole numbers and multinomial."""
        return self.squares is None and self.contributions is None


def two_by_two(four: Four, index: int | None) -> NDArray[Any]:
    """``[[tn, fp], [fn, tp]]`` of a class from the cells of all; None is a class that no sample has."""
    tp, fp, fn, tn = four
    if index is None:
        samples = tp[:1] + fp[:1] + fn[:1] + tn[:1]
        return np.array([[samples.sum(), 0], [0, 0]], dtype=tp.dtype)
    return np.array([[tn[index], fp[index]], [fn[index], tp[index]]])


def cells_of_pairs(true: Codes, predicted: Codes, classes: int) -> NDArray[np.int64]:
    """The cell of the square table, numbered along its rows; a single class has an empty one beside it."""
    return true.astype(np.int64) * max(2, classes) + predicted


def cells_of_class(index: int, true: Codes, predicted: Codes, classes: int) -> NDArray[np.int64]:
    """The cell of ``[[tn, fp], [fn, tp]]``."""
    del classes
    return np.asarray(2 * (true == index).astype(np.int64) + (predicted == index))


def cells_of_right(true: Codes, predicted: Codes, classes: int) -> NDArray[np.int64]:
    """The cell of ``[wrong, right]``."""
    del classes
    return np.asarray(true == predicted, dtype=np.int64)


def cells_beside(
    row: int,
    column: int,
    beside: Literal["true", "pred", "all"] | None,
    true: Codes,
    predicted: Codes,
    classes: int,
) -> NDArray[np.int64]:
    """0 for one cell, 1 for the remaining cells of its row, column or table, 2 for all others."""
    del classes
    near = true == row if beside == "true" else predicted == column if beside == "pred" else np.ones(true.shape, bool)
    return np.where((true == row) & (predicted == column), 0, np.where(near, 1, 2))


def whole_counts(values: Any, name: str) -> tuple[NDArray[np.int64], int]:
    """The counts of a table as whole numbers, and their sum."""
    counts = np.zeros(0, dtype=np.int64)
    try:
        with np.errstate(invalid="ignore"):
            counts = np.asarray(values).astype(np.int64)
        fine = bool((counts == values).all() and (counts >= 0).all())
    except (TypeError, ValueError, OverflowError):
        fine = False
    if not fine:
        raise DataError("must hold whole numbers from 0 to 2**63 - 1", argument=name)
    n = int(counts.sum(dtype=object))
    if n >= 2**63:
        raise DataError(f"the sum of {name} is {n}", "it must be below 2**63")
    return counts, n


def pair_counts(
    true: Coded, predicted: Coded, weights: NDArray[np.float64] | None
) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...], NDArray[Any] | None, NDArray[np.float64] | None]:
    """True labels, predicted labels, the number of samples with each pair, and sums of squared weights.

    There are no counts where there are too many labels for a table of them.
    """
    counts: NDArray[Any]
    squares: NDArray[np.float64] | None = None
    try:
        if weights is None:
            rows, columns, counts = kernels.count_pairs(true.values, predicted.values, most=MOST_CLASSES)
        else:
            rows, columns, counts, squares = kernels.sum_pairs(
                true.values, predicted.values, np.ascontiguousarray(weights), most=MOST_CLASSES
            )
    except ValueError:  # more labels than that
        first, second = (column.label_of(kernels.code_numbers(column.values)[0]) for column in (true, predicted))
        return first, second, None, None
    return true.label_of(rows), predicted.label_of(columns), counts, squares


def four_sums(
    true: NDArray[np.int32], predicted: NDArray[np.int32], weights: NDArray[np.float64] | None, classes: int
) -> Four:
    """tp, fp, fn and tn of each class from single samples, for more classes than a table has."""
    right = true == predicted
    wrong = ~right
    tp, fp, fn = (
        np.bincount(codes[mask], None if weights is None else weights[mask], classes)
        for codes, mask in ((true, right), (predicted, wrong), (true, wrong))
    )
    if weights is None:
        return tp, fp, fn, len(true) - tp - fp - fn
    tn = np.maximum(weights.sum() - tp - fp - fn, 0.0)
    tn[four_sums(true, predicted, None, classes)[3] == 0] = 0.0
    return tp, fp, fn, tn


def expanded(
    table: NDArray[Any], rows: tuple[Hashable, ...], columns: tuple[Hashable, ...], classes: tuple[Hashable, ...]
) -> NDArray[Any]:
    """The table with a row and a column for each class."""
    if rows == classes == columns:
        return table
    square = np.zeros((len(classes), len(classes)), dtype=table.dtype)
    index_of = {label: index for index, label in enumerate(classes)}
    square[np.ix_([index_of[label] for label in rows], [index_of[label] for label in columns])] = table
    return square


def tables_of_labels(true: Any, predicted: Any) -> tuple[Any, Any]:
    """Two tables of 0 and 1 as truth values; sparse (CSR) if one of them is."""
    named_tables = (true, "y_true"), (predicted, "y_pred")
    if not any(hasattr(values, "tocsr") for values, _ in named_tables):
        first, second = (indicators(*named_table) for named_table in named_tables)
        return first, second
    from scipy.sparse import csr_array

    first, second = (
        csr_array(_of_sparse(*named_table) if hasattr(named_table[0], "tocsr") else indicators(*named_table))
        for named_table in named_tables
    )
    return first, second


def dense(table: Any) -> NDArray[np.bool_]:
    """The table itself, or what a sparse one holds."""
    array: NDArray[np.bool_] = table.toarray() if hasattr(table, "toarray") else table
    return array


def indicators(values: Any, name: str) -> NDArray[np.bool_]:
    """A table of 0 and 1 as truth values; of a sparse one no more than a byte a cell is ever held."""
    if hasattr(values, "tocsr"):
        return dense(_of_sparse(values, name))
    array = as_array(values, name)
    if array.ndim != 2:
        raise DataError(
            f"has shape {array.shape}", "it must have a row per sample and a column per label", argument=name
        )
    check_nulls(array, name)
    if array.dtype == np.bool_:
        return array
    try:
        ones = np.asarray(array == 1, dtype=np.bool_)
        invalid = ones != np.asarray(array != 0, dtype=np.bool_)
    except (TypeError, ValueError) as error:
        raise DataError(f"must hold 0 and 1 only{_one_label(array)}", argument=name) from error
    if invalid.any():
        row, column = np.argwhere(invalid)[0].tolist()
        value = array[row, column : column + 1].tolist()[0]
        remedy = f"it must hold 0 and 1 only{_one_label(array)}"
        raise DataError.of_cell(name, (row, column), value, repr(value), remedy)
    return ones


def _one_label(array: NDArray[Any]) -> str:
    """The remedy for a table of one column of labels."""
    return "; for one label per sample give a column, not a table" if array.shape[1] == 1 else ""


def _of_sparse(values: Any, name: str) -> Any:
    """A sparse table's truth values, sparse (CSR)."""
    table = values.tocsr()
    if len(table.shape) != 2:
        raise DataError(
            f"has shape {table.shape}", "it must have a row per sample and a column per label", argument=name
        )
    if not table.has_canonical_format:
        table = table.copy()
        table.sum_duplicates()
    invalid = table.data[(table.data != 0) & (table.data != 1)]
    if len(invalid):
        raise DataError(f"holds {invalid[0]}", "it must hold 0 and 1 only", argument=name)
    true = table.astype(np.bool_)
    true.eliminate_zeros()
    return true


def check_same_labels(true: NDArray[Any], other: NDArray[Any], name: str) -> None:
    """Refuse tables of different labels."""
    if true.shape[1] != other.shape[1]:
        raise DataError(
            f"has {true.shape[1]} labels but {called(name)} has {other.shape[1]}",
            "give both the same columns",
            argument="y_true",
        )


def check_columns(y_true: Any, other: Any, name: str) -> None:
    """Refuse two DataFrames of which columns of the same name stand in different places."""
    first, second = names_of(y_true), names_of(other)
    if first is None or second is None or first == second or len(first) != len(second):
        return
    if set(first) == set(second):
        position = next(
            i
            for i, (first_name, second_name) in enumerate(zip(first, second, strict=True))
            if first_name != second_name
        )
        raise DataError(
            f"has the columns of {called('y_true')} in another order ({second[position]!r} where "
            f"{called('y_true')} has {first[position]!r})",
            "give both the same order",
            argument=name,
        )
    if (set(first) & set(second)) and not (only_counted(y_true) or only_counted(other)):
        lacking = next(column for column in first if column not in set(second))
        raise DataError(
            f"has some columns of {called('y_true')}, but none named {lacking!r}",
            "give both the same columns in one order",
            argument=name,
        )


def names_of_columns(values: Any, labels: int) -> tuple[Hashable, ...]:
    """The names of the columns of a DataFrame, or their numbers."""
    columns = names_of(values)
    return tuple(range(labels)) if columns is None or len(columns) != labels else tuple(columns)


def selected_columns(labels: Any, classes: tuple[Hashable, ...]) -> NDArray[np.intp]:
    """The columns that ``labels=`` lists, or all."""
    if labels is None:
        return np.arange(len(classes))
    chosen = [normalize_label(label, "a label of labels") for label in labels]
    for label in chosen:
        if label not in classes:
            raise DataError(f"lists {label!r}, but the columns are {', '.join(map(repr, classes))}", argument="labels")
    if not chosen or len(set(chosen)) < len(chosen):
        raise DataError("must list each of some columns once", argument="labels")
    return np.array([classes.index(label) for label in chosen], dtype=np.intp)
