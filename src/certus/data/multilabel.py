"""Several labels a sample: truth and prediction as tables of 0 and 1, with scores, or with grades."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import Floats
from certus.core.errors import DataError, MetricNameError, mention
from certus.data.cells import CellCounts, Four, Stacked
from certus.data.classes import check_columns, chosen_classes, names_of_columns
from certus.data.columns import Reals, as_array, axes, check_nulls, check_shape, floats, ordered_floats, sorted_labels
from certus.data.samples import SampleData, pair_samples
from certus.statistic import Contributions
from certus.statistic.common import plural, sum_by_code
from certus.statistic.table_function import Codes, InParts, Tables

_TABLE = "a row per sample and a column per label"


ROUNDING = 1e-12
"""Part of the samples of a label that rounding of their weights may leave in an empty cell."""
NARROW = 2**31 - 1
"""The greatest place that 32 bits hold; scipy copies all places where only some are 64 bits wide."""
ROWS = 255
"""Rows of which a byte holds the sum."""


@dataclass(frozen=True, eq=False)
class LabelCells:
    """The cell of ``[[tn, fp], [fn, tp]]`` that each sample fills, for each label."""

    incidence: Any
    """A sparse table of 1 (CSR): a row for each sample, four columns for each label."""
    unlisted: NDArray[np.int64]
    """The columns of true negatives that `incidence` leaves out: of labels that most samples, by number and by weight,
    have neither truly nor as predicted. They have what the other three leave."""

    @classmethod
    def from_tables(cls, true: Any, predicted: Any, weights: Floats | None) -> "LabelCells":
        """The cells by two tables of truth values with a row for each sample and a column for each label."""
        from scipy.sparse import csr_array

        codes = _codes(true, predicted)
        samples, labels = codes.shape
        crowded = 2 * np.bincount(codes.indices, minlength=labels) > samples
        if weights is not None:
            heavy = sum_by_code(codes.indices, np.repeat(weights, np.diff(codes.indptr)), labels)
            crowded |= 2 * heavy > weights.sum()
        crowded_labels = np.flatnonzero(crowded)
        if 2 * len(crowded_labels) > labels:
            cells = (codes.toarray() + 4 * np.arange(labels, dtype=np.int32)).reshape(-1)
            row_ends = labels * np.arange(samples + 1, dtype=np.int32 if len(cells) <= NARROW else np.int64)
            return cls(
                csr_array((np.ones(len(cells)), cells, row_ends), shape=(samples, 4 * labels)), crowded_labels[:0]
            )
        cells = 4 * codes.indices + codes.data
        incidence = csr_array((np.ones(len(cells)), cells, codes.indptr), shape=(samples, 4 * labels))
        if len(crowded_labels):
            rows, columns = np.nonzero(codes[:, crowded_labels].toarray() == 0)
            incidence = incidence + csr_array(
                (np.ones(len(rows)), (rows, 4 * crowded_labels[columns])), shape=incidence.shape
            )
        return cls(incidence, 4 * np.flatnonzero(~crowded))

    def by_sample(self, slopes: Floats) -> Floats:
        """The sum of a number for each cell over the cells that a sample fills."""
        first = slopes[self.unlisted]
        differences = slopes.copy()
        for cell in range(4):
            differences[self.unlisted + cell] -= first
        sums: Floats = self.incidence @ differences + first.sum()
        return sums

    def tables(self, amounts: Any) -> Floats:
        """Cells of all labels for each row of `amounts` (dense or sparse), the times that each sample counts."""
        sums = (self.incidence.T @ amounts.T).T
        tables: Floats = np.ascontiguousarray(sums.toarray() if hasattr(sums, "toarray") else sums)
        totals, sizes = amounts.sum(1), abs(amounts).sum(1)
        stacked = tables.reshape(len(tables), -1, 4)
        labels = self.unlisted // 4
        left = totals[:, np.newaxis] - stacked[:, labels].sum(-1)
        stacked[:, labels, 0] = np.where(np.abs(left) <= ROUNDING * sizes[:, np.newaxis], 0.0, left)
        return tables


def _codes(true: Any, predicted: Any) -> Any:
    """1 for a false positive, 2 for a false negative and 3 for a true positive, as a sparse table."""
    from scipy.sparse import csr_array

    if not isinstance(true, np.ndarray):
        codes = 2 * true.tocsr().astype(np.int8) + predicted.tocsr().astype(np.int8)
        codes.sort_indices()
        return codes
    samples, labels = true.shape
    flat_indices = np.flatnonzero(true | predicted)
    codes = 2 * true.reshape(-1)[flat_indices].astype(np.int8) + predicted.reshape(-1)[flat_indices]
    row_ends = np.searchsorted(flat_indices, labels * np.arange(samples + 1))
    row_ends = row_ends.astype(np.int32) if len(flat_indices) <= NARROW else row_ends
    return csr_array((codes, (flat_indices % max(1, labels)).astype(np.int32), row_ends), shape=true.shape)


@dataclass(frozen=True, eq=False)
class LabelContributions:
    """Contributions of units to the cells of all labels: `certus.statistic.table_function.Parts`."""

    cells: LabelCells
    units: Codes | None
    weights: Floats | None
    rows: Callable[[], Contributions]

    @property
    def size(self) -> int:
        """Number of rows; each row adds one unit's amount to one table cell."""
        samples, cells = self.cells.incidence.shape
        return int(samples * (cells // 4))

    def by_unit(self, slopes: Floats, n: int) -> Floats:
        """Weighted sum of `slopes` over the cells that a unit's rows fill, for each of n units."""
        return self._sum_by_unit(self._weighted(self.cells.by_sample(slopes)), n)

    def masses(self, n: int) -> Floats:
        """Number of rows, or their total weight, for each of n units, up to a common factor."""
        return self._sum_by_unit(self._weighted(np.ones(self.cells.incidence.shape[0])), n)

    def in_parts(self, slopes: Floats, n: int) -> InParts:
        """Function that yields two columns block by block: sum of slopes and number of rows, by unit."""
        columns = [(self.by_unit(slopes, n), self.masses(n))]
        return lambda: columns

    def tables(self, amounts: Floats, cells: int) -> Floats:
        """Tables in which unit i counts ``amounts[t, i]`` times in table t; one row of cells for each table."""
        del cells
        return self.cells.tables(self._weighted(amounts if self.units is None else amounts[:, self.units]))

    def by_group(self, groups: Codes, cells: int) -> Tables:
        """Function that gives a table for each group of units; `groups` holds a code for each unit."""
        from scipy.sparse import csr_array

        del cells
        samples = self.cells.incidence.shape[0]
        sample_groups = groups if self.units is None else groups[self.units]
        shape = int(groups.max()) + 1, samples
        amounts = csr_array((self._weighted(np.ones(samples)), (sample_groups, np.arange(samples))), shape=shape)
        return lambda first, end: self.cells.tables(amounts[first:end])

    def over(self, clusters: Codes) -> "LabelContributions":
        """Contributions with clusters as the units; `clusters` holds a code for each unit."""
        units = clusters if self.units is None else clusters[self.units]
        return replace(self, units=units, rows=partial(_rows_by_cluster, self.rows, clusters))

    def _weighted(self, values: Floats) -> Floats:
        """Multiply values by the samples' weights, if any."""
        return values if self.weights is None else values * self.weights

    def _sum_by_unit(self, values: Floats, n: int) -> Floats:
        """Sum the samples' values within each unit; unchanged if each sample is a unit."""
        return values if self.units is None else sum_by_code(self.units, values, n)


def _rows_by_cluster(rows: Callable[[], Contributions], clusters: Codes) -> Contributions:
    """Rows of contributions with clusters as the units."""
    return rows().over(clusters)


def column_sums(table: Any) -> NDArray[np.int64]:
    """The number of true values in each column."""
    if not isinstance(table, np.ndarray) or table.shape[1] < ROWS:
        return np.asarray(table.sum(0), dtype=np.int64)
    totals = np.zeros(table.shape[1], dtype=np.int64)
    for first in range(0, len(table), ROWS):  # sums of bytes take a tenth of the time
        totals += table[first : first + ROWS].view(np.uint8).sum(0, dtype=np.uint8)
    return totals


class _Tables(SampleData):
    """Two tables with one row per sample and one column per label."""

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_score")
    shapes: ClassVar[str] = "two tables with a row for each sample and a column for each label"

    classes: tuple[Hashable, ...]

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """True if both are tables."""
        return axes(y_true) == 2 and axes(other) == 2

    @classmethod
    def from_arrays(
        cls,
        y_true: Any,
        other: Any,
        *,
        labels: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Self:
        """The validated tables; the keywords mean what they do for `Labels.from_arrays`, but `pos_label` is refused."""
        if pos_label is not None:
            raise cls._unknown(pos_label)
        true, predicted = cls._read(y_true, other)
        name = cls.arguments[1]
        if true.shape[1] != predicted.shape[1]:
            raise DataError(
                f"has {true.shape[1]} labels but {mention(name)} has {predicted.shape[1]}",
                "give both the same columns",
                argument="y_true",
            )
        check_columns(y_true, other, name)
        arguments = {"y_true": y_true, name: other}
        (true, predicted), weights, clusters = pair_samples(arguments, (true, predicted), sample_weight, groups)
        classes = names_of_columns(y_true, true.shape[1])
        make: Any = cls
        return cast(Self, make(classes, true, predicted, _selected_columns(labels, classes), weights, clusters))

    @staticmethod
    @abstractmethod
    def _read(y_true: Any, other: Any) -> tuple[Any, Any]:
        """The two tables, each checked by itself."""

    @staticmethod
    def _unknown(pos_label: Any) -> Exception:
        """Error for a positive label, which does not apply to tables of 0 and 1."""
        return MetricNameError(
            f"is {pos_label!r}, but in a table of labels 1 is positive", "leave it out", argument="pos_label"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {plural(len(self), 'sample')}, {plural(len(self.classes), 'label')}>"


@dataclass(frozen=True, eq=False, repr=False)
class Multilabel(_Tables):
    """Samples with several labels each, true and predicted.

    Truth and prediction are tables with one row per sample and one column per label that hold 0 and 1 (or truth
    values). A sample is the independent unit; its labels are not independent of each other.

    Attributes
    ----------
    classes
        The names of the columns: of the DataFrame if there is one, otherwise their numbers.
    true, predicted
        The tables, bool; sparse (CSR) where one of them was given so.
    selected
        Indices of the columns that averages run over.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.

    Examples
    --------
    >>> data = Multilabel.from_arrays([[1, 0], [1, 1]], [[1, 1], [1, 0]])
    >>> data.counts[0]
    array([[0, 0],
           [0, 2]])
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_pred")
    classes: tuple[Hashable, ...]
    true: Any
    predicted: Any
    selected: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    @staticmethod
    def _read(y_true: Any, other: Any) -> tuple[Any, Any]:
        """Check the true and predicted tables of 0 and 1; return booleans, sparse if one of them is."""
        return tables_of_labels(y_true, other)

    @cached_property
    def counts(self) -> NDArray[Any]:
        """``[[tn, fp], [fn, tp]]`` of each label; with weights their sums."""
        return self._tables(self.weights)

    @property
    def four(self) -> Four:
        """tp, fp, fn and tn of each label."""
        return Stacked().four(self.counts)

    @cached_property
    def table(self) -> CellCounts:
        """The four cells of each label, a sample filling one cell of each."""
        return CellCounts(self.counts, None, partial(_of_all, self), self.units, self.unit, Stacked())

    def against_rest(self, index: int) -> CellCounts:
        """One label: ``[[tn, fp], [fn, tp]]``."""
        squares = None if self._squares is None else self._squares[index]
        contributions = None if self.is_simple else partial(_contributions, self, index)
        return CellCounts(self.counts[index], squares, contributions, self.units, self.unit)

    def agreement(self) -> CellCounts:
        """Number of samples with some label wrong, and with all labels right: ``[wrong, right]``."""
        right = self.right
        weights = np.ones(len(self), dtype=np.int64) if self.weights is None else self.weights
        counts, squares = (np.array([amounts[~right].sum(), amounts[right].sum()]) for amounts in (weights, weights**2))
        contributions = None if self.is_simple else partial(_agreement, self)
        return CellCounts(counts, None if self._squares is None else squares, contributions, self.units, self.unit)

    @property
    def right(self) -> NDArray[np.bool_]:
        """True for samples whose selected labels are all right."""
        return np.asarray(self.wrong == 0)

    @cached_property
    def wrong(self) -> NDArray[np.int64]:
        """Number of wrong labels, among the selected ones, of each sample."""
        return np.asarray((self.true != self.predicted)[:, self.selected].sum(1), dtype=np.int64)

    @property
    def by_sample(self) -> Four:
        """tp, fp, fn and tn of each sample, among the selected labels."""
        true, predicted = self.true[:, self.selected], self.predicted[:, self.selected]
        tp, positives, ones = ((true * predicted).sum(1), predicted.sum(1), true.sum(1))
        return tp, positives - tp, ones - tp, len(self.selected) - ones - positives + tp

    @cached_property
    def _squares(self) -> NDArray[np.float64] | None:
        """Sums of squared weights in each label's 2x2 table; None without weights or with groups."""
        return None if self.weights is None or self.groups is not None else self._tables(self.weights**2)

    @cached_property
    def cells(self) -> LabelCells:
        """The cell that each sample fills, for each label."""
        return LabelCells.from_tables(self.true, self.predicted, self.weights)

    def _tables(self, weights: NDArray[np.float64] | None) -> NDArray[Any]:
        """Table ``[[tn, fp], [fn, tp]]`` for each label: counts, or sums of these weights."""
        if weights is not None:
            return self.cells.tables(weights[np.newaxis]).reshape(-1, 2, 2)
        tp, predicted, ones = map(column_sums, (self.true * self.predicted, self.predicted, self.true))
        cells = [len(self) - ones - predicted + tp, predicted - tp, ones - tp, tp]
        return np.stack(cells, axis=-1).reshape(-1, 2, 2)


def _of_all(data: Multilabel) -> LabelContributions:
    """Contributions of units to the four cells of all labels."""
    return LabelContributions(data.cells, data.groups, data.weights, partial(_contributions, data, None))


def _contributions(data: Multilabel, column: int | None) -> Contributions:
    """Each sample's contribution to the cells of one label, or of all labels."""
    chosen = list(range(len(data.classes))) if column is None else [column]
    true, predicted = (dense(table[:, chosen]) for table in (data.true, data.predicted))
    cells = 2 * true.astype(np.int64) + predicted + 4 * np.arange(len(chosen))
    weights = None if data.weights is None else np.repeat(data.weights, len(chosen))
    return Contributions(cells.ravel(), np.repeat(data.unit_codes, len(chosen)), weights)


def _agreement(data: Multilabel) -> Contributions:
    """Contributions of samples to two cells: some selected label wrong, or all right."""
    return Contributions(data.right.astype(np.int64), data.unit_codes, data.weights)


@dataclass(frozen=True, eq=False, repr=False)
class MultilabelScores(_Tables):
    """Samples with several true labels each, and a score for each label.

    Attributes
    ----------
    classes
        The names of the columns: of the DataFrame if there is one, otherwise their numbers.
    true
        Samples by labels, bool.
    scores
        Samples by labels, float32 or float64; infinite scores only order.
    selected
        Indices of the columns that averages run over.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.

    Examples
    --------
    >>> data = MultilabelScores.from_arrays([[1, 0], [1, 1]], [[0.9, 0.2], [0.4, 0.7]])
    >>> data.true.tolist()
    [[True, False], [True, True]]
    """

    classes: tuple[Hashable, ...]
    true: NDArray[np.bool_]
    scores: Reals
    selected: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    @staticmethod
    def _read(y_true: Any, other: Any) -> tuple[Any, Any]:
        """Check the table of true labels and the table of scores; return booleans and floats."""
        return indicators(y_true, "y_true"), ordered_floats(other, "y_score", 2)[0]


@dataclass(frozen=True, eq=False, repr=False)
class LabelGrades(_Tables):
    """Grades of several labels (documents, items) for each sample, and the scores by which they are ranked.

    Attributes
    ----------
    classes
        The names of the columns: of the DataFrame if there is one, otherwise their numbers.
    grades
        Samples by labels, finite, float32 or float64.
    scores
        Samples by labels, float32 or float64; infinite scores only order.
    selected
        Indices of the columns that are ranked.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.

    Examples
    --------
    >>> LabelGrades.from_arrays([[3, 0, 1]], [[0.9, 0.5, 0.5]])
    <LabelGrades: 1 sample, 3 labels>
    """

    first_column = "grades"

    classes: tuple[Hashable, ...]
    grades: Reals
    scores: Reals
    selected: NDArray[np.intp]
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    @staticmethod
    def _read(y_true: Any, other: Any) -> tuple[Any, Any]:
        """Check the tables of grades, which must be finite, and of scores; return both as floats."""
        grades = floats(y_true, "y_true", infinite=False, dimensions=2, order="either")
        return grades, ordered_floats(other, "y_score", 2)[0]

    @staticmethod
    def _unknown(pos_label: Any) -> Exception:
        """Error for a positive label, which does not apply to grades."""
        del pos_label
        return DataError("does not apply to grades", "leave it out", argument="pos_label")


def tables_of_labels(true: Any, predicted: Any) -> tuple[Any, Any]:
    """Two tables of 0 and 1 as truth values; sparse (CSR) if one of them is."""
    tables = [
        (_of_sparse if hasattr(values, "tocsr") else indicators)(values, name)
        for values, name in ((true, "y_true"), (predicted, "y_pred"))
    ]
    if not all(isinstance(table, np.ndarray) for table in tables):
        from scipy.sparse import csr_array

        tables = [csr_array(table) for table in tables]
    return tables[0], tables[1]


class LabelTable(np.ndarray[Any, Any]):
    """A table of truth values with a row for each sample, and the label of each column in `columns`."""

    columns: tuple[Hashable, ...]

    def __array_finalize__(self, array: Any) -> None:
        if (names := getattr(array, "columns", None)) is not None and self.shape[1:] == (len(names),):
            self.columns = names


def are_label_sets(values: Any) -> bool:
    """True if the values are a list with a set of labels for each sample."""
    return isinstance(values, list | tuple) and bool(values) and all(isinstance(row, AbstractSet) for row in values)


def tables_of_sets(columns: Mapping[str, Any], labels: Any = None) -> dict[str, Any]:
    """Make tables of 0 and 1 from sets, with a column for each label in any set or in `labels`."""
    for name, sets in columns.items():
        if not are_label_sets(sets):
            problem = "is not a list of sets, but the truth is one"
            raise DataError(problem, "give both as sets of labels, or both as tables of 0 and 1", argument=name)
    all_labels = set(chosen_classes(labels) or ()).union(*(row for sets in columns.values() for row in sets))
    check_nulls(np.array([*all_labels, None], dtype=object)[:-1], next(iter(columns)))
    if len({isinstance(label, str) for label in all_labels}) > 1:
        raise DataError("some labels are text and others are not", "write them in one way")
    ordered = tuple(sorted_labels(list(all_labels))[0])
    index = {label: number for number, label in enumerate(ordered)}
    tables = {}
    for name, sets in columns.items():
        table = np.zeros((len(sets), len(ordered)), dtype=np.bool_)
        rows = np.repeat(np.arange(len(sets)), [len(labels_of_sample) for labels_of_sample in sets])
        table[rows, [index[label] for labels_of_sample in sets for label in labels_of_sample]] = True
        tables[name] = table.view(LabelTable)
        tables[name].columns = ordered
    return tables


def dense(table: Any) -> NDArray[np.bool_]:
    """The table itself, or what a sparse one holds."""
    array: NDArray[np.bool_] = table.toarray() if hasattr(table, "toarray") else table
    return array


def indicators(values: Any, name: str) -> NDArray[np.bool_]:
    """A table of 0 and 1 as truth values; of a sparse one no more than a byte a cell is ever held."""
    if hasattr(values, "tocsr"):
        return dense(_of_sparse(values, name))
    array = as_array(values, name)
    check_shape(array, 2, name, _TABLE)
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
        raise DataError.for_value(name, (row, column), value, repr(value), remedy)
    return ones


def _one_label(array: NDArray[Any]) -> str:
    """The remedy for a table of one column of labels."""
    return "; for one label per sample give a column, not a table" if array.shape[1] == 1 else ""


def _of_sparse(values: Any, name: str) -> Any:
    """A sparse table's truth values, sparse (CSR)."""
    table = values.tocsr()
    check_shape(table, 2, name, _TABLE)
    if not table.has_canonical_format:
        table = table.copy()
        table.sum_duplicates()
    invalid = table.data[(table.data != 0) & (table.data != 1)]
    if len(invalid):
        raise DataError(f"holds {invalid[0]}", "it must hold 0 and 1 only", argument=name)
    true = table.astype(np.bool_)
    true.eliminate_zeros()
    return true


def _selected_columns(labels: Any, classes: tuple[Hashable, ...]) -> NDArray[np.intp]:
    """The columns that ``labels=`` lists, or all."""
    chosen = chosen_classes(labels)
    if chosen is None:
        return np.arange(len(classes))
    for label in chosen:
        if label not in classes:
            raise DataError(f"lists {label!r}, but the columns are {', '.join(map(repr, classes))}", argument="labels")
    return np.array([classes.index(label) for label in chosen], dtype=np.intp)
