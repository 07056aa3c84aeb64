"""Truth and prediction as labels: what every metric of a confusion matrix is a function of."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.core.errors import DataError, keyword, mention, python_only
from certus.data.cells import (
    FULL,
    CellCounts,
    CellFunction,
    Four,
    Layout,
    SparseLayout,
    cells_beside,
    cells_of_class,
    cells_of_pairs,
    cells_of_right,
    expanded,
    four_cells,
    four_sums,
    pair_counts,
    two_by_two,
    whole_counts,
)
from certus.data.classes import (
    MOST_CLASSES,
    chosen_classes,
    classes_of,
    default_positive,
    list_labels,
    unknown_positive,
)
from certus.data.columns import Coded, as_array, coded, kind_of, normalize_label
from certus.data.samples import PairedSamples, pair_samples, select_masked
from certus.statistic import Contributions
from certus.statistic.common import plural
from certus.statistic.table_function import Parts


@dataclass(frozen=True, eq=False, repr=False)
class Labels(PairedSamples):
    """True and predicted labels of samples, counted.

    A label is any hashable value: whole numbers (also as floats), text, truth values, members of an Enum, categories.
    Numbers and text in one problem are refused, as are nulls and NaN. Labels are sorted; an ordered categorical brings
    its own order, and `labels` gives another one.

    Attributes
    ----------
    classes
        The labels: those asked for with ``labels=`` in that order, then the others found.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.
    n
        Number of samples.
    squares
        The sums of the squared weights in each cell; None without weights, with groups (their samples are not
        independent) and for too many labels.
    sorted
        Whether the labels have an order.

    Examples
    --------
    >>> data = Labels.from_arrays(["cat", "dog", "dog"], ["cat", "dog", "cat"])
    >>> data.classes
    ('cat', 'dog')
    >>> data.counts
    array([[1, 0],
           [1, 1]])
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_pred")
    keywords_of_sets: ClassVar[tuple[str, ...]] = ("universe",)

    classes: tuple[Hashable, ...]
    _counts: NDArray[Any] | None
    squares: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None
    n: int = 0
    sorted: bool = True
    _chosen: int | None = None
    _pos_label: Hashable = None
    _columns: tuple[Coded, Coded] | None = None
    conventions_used: set[str] = field(default_factory=set)
    """Conventions that a metric has looked at: ``"labels"`` and ``"pos_label"``."""
    paired: bool = False
    """True if the table must have the same cells as that of another system; it then holds all cells."""
    _parts: Callable[[CellFunction], Parts] | None = None
    """Makes the contributions of samples that are not in memory to cells into which those of the matrix are sorted."""

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
        """The labels of samples.

        Parameters
        ----------
        y_true, other
            True and predicted label of each sample.
        labels
            The classes that averages run over, in this order; one that no sample has is a class with counts of 0.
        pos_label
            The positive class of binary metrics. None takes the greater of 0 and 1, -1 and 1, or False and True.
        sample_weight
            A weight of at least 0 for each sample.
        groups
            The cluster each sample belongs to; samples of different clusters are independent.

        Raises
        ------
        DataError
            The columns do not pair up, hold nulls, or mix kinds of labels.
        """
        arguments, columns = {"y_true": y_true, "y_pred": other}, (coded(y_true, "y_true"), coded(other, "y_pred"))
        (true, predicted), weights, clusters = pair_samples(arguments, columns, sample_weight, groups)
        fields: dict[str, Any] = {"weights": weights, "groups": clusters}
        fields["_pos_label"] = None if pos_label is None else normalize_label(pos_label, "pos_label")
        return cls._from_columns(true, predicted, chosen_classes(labels), fields)

    @classmethod
    def _from_columns(
        cls, true: Coded, predicted: Coded, chosen: tuple[Any, ...] | None, fields: dict[str, Any]
    ) -> Self:
        """The labels of columns that are checked, with the other fields that are told."""
        rows, columns, counts, squares = pair_counts(true, predicted, fields.get("weights"))
        classes, in_order = classes_of(true, predicted, rows, columns, chosen)
        table = also = None
        if counts is not None and len(classes) <= MOST_CLASSES:
            table = expanded(counts, rows, columns, classes)
            if squares is not None and fields.get("groups") is None:
                also = expanded(squares, rows, columns, classes)
        fields |= {"n": len(true.values), "sorted": in_order, "_chosen": None if chosen is None else len(chosen)}
        return cls(classes, table, also, _columns=(true, predicted), **fields)

    def select(self, index: Any) -> Self | None:
        """Some of the samples, without weights and groups; None where it is told which classes are averaged."""
        if self._columns is None or self._chosen is not None:
            return None
        true, predicted = self._columns
        fields = {"_pos_label": self._pos_label, "conventions_used": self.conventions_used}
        return self._from_columns(true[index], predicted[index], None, fields)

    @classmethod
    def from_counts(
        cls, counts: ArrayLike, classes: Sequence[Hashable] | None = None, *, pos_label: Hashable = None
    ) -> Self:
        """The labels of which only the confusion matrix is known: rows are true classes, columns predicted ones.

        Parameters
        ----------
        counts
            A square table of whole numbers.
        classes
            The class of each row and column; None numbers them from 0.
        pos_label
            The positive class of binary metrics; None as in `from_arrays`.

        Raises
        ------
        DataError
            The table is not square or holds anything but whole numbers of at least 0.

        Examples
        --------
        >>> from certus.classification import accuracy
        >>> accuracy(Labels.from_counts([[20, 10], [5, 15]])).value
        0.7
        """
        table = as_array(counts, "counts")
        if table.ndim != 2 or table.shape[0] != table.shape[1]:
            raise DataError(
                f"has shape {table.shape}", "it must have a row and a column for each class", argument="counts"
            )
        cell_counts, n = whole_counts(table, "counts")
        names = tuple(range(len(cell_counts)) if classes is None else classes)
        if len(names) != len(cell_counts) or len(set(names)) != len(names):
            raise DataError(
                f"must name each of the {len(cell_counts)} rows once", f"it is {names!r}", argument="classes"
            )
        return cls(names, cell_counts, n=n, _pos_label=pos_label)

    @property
    def counts(self) -> NDArray[Any]:
        """Number of samples of each true (row) and predicted (column) label, int64; with weights their sums, float64.

        Raises
        ------
        DataError
            There are too many labels for such a table.
        """
        if self._counts is None:
            raise DataError(
                f"there are {len(self.classes)} different labels", f"a table of at most {MOST_CLASSES} is supported"
            )
        return self._counts

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Labels: {plural(self.n, 'sample')}, {plural(len(self.classes), 'class')}>"

    @cached_property
    def true(self) -> NDArray[np.int32]:
        """Index in `classes` of each sample's true label."""
        return self._code(0)

    @cached_property
    def predicted(self) -> NDArray[np.int32]:
        """Index in `classes` of each sample's predicted label."""
        return self._code(1)

    def _code(self, column_index: int) -> NDArray[np.int32]:
        """Class index of each sample, by the true (0) or the predicted (1) label."""
        if self._columns is None:
            raise DataError("these labels were made from counts", "single samples are not known")
        column = self._columns[column_index]
        index_of = {label: index for index, label in enumerate(self.classes)}
        indices = np.array([index_of.get(label, -1) for label in column.labels], dtype=np.int32)
        return np.asarray(indices[column.codes], dtype=np.int32)

    @property
    def has_all_classes(self) -> bool:
        """True if averages run over all classes of the data."""
        self.conventions_used.add("labels")
        return self._chosen is None or self._chosen == len(self.classes)

    @property
    def selected(self) -> NDArray[np.intp]:
        """Indices of the classes that averages run over: those of ``labels=``, or all."""
        self.conventions_used.add("labels")
        return np.arange(len(self.classes) if self._chosen is None else self._chosen)

    @cached_property
    def positive(self) -> int | None:
        """The index of the positive class; None where it is not known, or no sample has it."""
        self.conventions_used.add("pos_label")
        label = self._pos_label if self._pos_label is not None else default_positive(self.classes)
        return self.classes.index(label) if label in self.classes else None

    def positive_class(self) -> int | None:
        """The index of the positive class of a binary problem; None where neither truth nor prediction has it.

        Raises
        ------
        DataError
            There are more than two classes, or it is not known which one is positive.
        """
        self.conventions_used.add("pos_label")
        if len(self.classes) > 2:
            rule = f"{keyword('average', 'binary')} is for two"
            raise DataError(
                f"and {mention('y_pred')} have {len(self.classes)} classes ({list_labels(self.classes)})",
                f"{rule}: choose {python_only('None, ')}'macro', 'micro' or 'weighted'",
                argument="y_true",
            )
        label = self._pos_label
        if label is None and default_positive(self.classes) is None:
            raise unknown_positive(self.classes, "the classes")
        is_of_these = len(self.classes) < 2 and kind_of(label) == kind_of((*self.classes, label)[0])
        if label is not None and label not in self.classes and not is_of_these:
            raise DataError(f"is {label!r}, but the classes are {list_labels(self.classes)}", argument="pos_label")
        return self.positive

    @cached_property
    def table(self) -> CellCounts:
        """The table for functions of all its cells, of many classes the cells that are not empty.

        A single class has an empty one beside it. Otherwise the table would have no cell for a mistake, and it would
        seem certain that there is none.
        """
        counts, squares = self.counts, self.squares
        layout = None if self.paired else SparseLayout.from_counts(counts)
        if layout is not None:
            cells = layout.true, layout.predicted
            return self._table(counts[cells], None if squares is None else squares[cells], layout.cells, layout)
        missing = max(0, 2 - len(self.classes))
        if missing:
            counts, squares = np.pad(counts, (0, missing)), None if squares is None else np.pad(squares, (0, missing))
        return self._table(counts, squares, cells_of_pairs)

    def only_selected(self) -> "Labels":
        """The samples whose true and predicted class are both among the selected ones."""
        if self.has_all_classes:
            return self
        if self._parts is not None:
            raise DataError(
                f"some classes only, as {mention('labels')} asks for, need every sample, and these do not fit into "
                "memory",
                f"give more with {keyword('memory')}",
                argument="labels",
                subject="",
            )
        chosen = len(self.selected)
        counts = self.counts[:chosen, :chosen]
        squares = None if self.squares is None else self.squares[:chosen, :chosen]
        n, weights, groups, columns = int(counts.sum()), self.weights, self.groups, self._columns
        if columns is not None:
            mask = (self.true < chosen) & (self.predicted < chosen)
            n = int(mask.sum())
            (true, predicted), weights, groups = select_masked(mask, columns, weights, groups)
            columns = true, predicted
        return replace(
            self,
            classes=self.classes[:chosen],
            _counts=counts,
            squares=squares,
            weights=weights,
            groups=groups,
            n=n,
            _chosen=None,
            _columns=columns,
        )

    def against_rest(self, index: int | None) -> CellCounts:
        """One class against all others: ``[[tn, fp], [fn, tp]]``; None is a class that no sample has."""
        cell_of = partial(cells_of_class, -1 if index is None else index)
        squares = None if self._four_squares is None else two_by_two(self._four_squares, index)
        return self._table(two_by_two(self.four, index), squares, cell_of)

    def counts_by_kind(self) -> tuple[int, int, int, int, int]:
        """Samples that are right in a selected class; wrong ones with both, the true, the predicted, no such class."""
        chosen = len(self.selected)
        if self._counts is None:
            true, predicted = self.true < chosen, self.predicted < chosen
            right = int(((self.true == self.predicted) & true).sum())
            both_selected, of_true, of_predicted = (int(mask.sum()) for mask in (true & predicted, true, predicted))
        else:
            right = int(self._counts[:chosen, :chosen].trace())
            both_selected, of_true = int(self._counts[:chosen, :chosen].sum()), int(self._counts[:chosen].sum())
            of_predicted = int(self._counts[:, :chosen].sum())
        return (
            right,
            both_selected - right,
            of_true - both_selected,
            of_predicted - both_selected,
            self.n - of_true - of_predicted + both_selected,
        )

    def cell(self, row: int, column: int, beside: Literal["true", "pred", "all"] | None) -> CellCounts:
        """Three counts: one cell, the remaining cells of its row, column or table, and all other cells."""
        cell_of = partial(cells_beside, row, column, beside)
        every = np.arange(len(self.classes))
        cell_index = cell_of(*np.meshgrid(every, every, indexing="ij"), len(self.classes))
        counts, squares = (
            None if table is None else np.array([table[cell_index == index].sum() for index in range(3)])
            for table in (self.counts, self.squares)
        )
        return self._table(np.asarray(counts), squares, cell_of)

    def agreement(self) -> CellCounts:
        """Number of samples with another label predicted, and with the right one: ``[wrong, right]``."""
        if self.weights is None:
            right = int((self.four[0] if self._counts is None else self._counts.diagonal()).sum())
            return self._table(np.array([self.n - right, right]), None, cells_of_right)
        counts, squares = (
            None if four is None else np.array([four[1].sum(), four[0].sum()])
            for four in (self.four, self._four_squares)
        )
        return self._table(np.asarray(counts), squares, cells_of_right)

    def _table(
        self, counts: NDArray[Any], squares: NDArray[np.float64] | None, cell_of: CellFunction, layout: Layout = FULL
    ) -> CellCounts:
        """Cells into which those of the confusion matrix are sorted; `cell_of` returns the cell of each sample."""
        contributions = None if self.is_simple else partial(_contributions, self, cell_of)
        return CellCounts(counts, squares, contributions, self.units, self.unit, layout)

    @cached_property
    def four(self) -> Four:
        """tp, fp, fn and tn of each class."""
        if self._counts is not None:
            return four_cells(self._counts)
        return four_sums(self.true, self.predicted, self.weights, len(self.classes))

    @cached_property
    def _four_squares(self) -> Four | None:
        """Sums of squared weights in tp, fp, fn and tn of each class; None without weights or with groups."""
        if self.weights is None or self.groups is not None:
            return None
        if self.squares is not None:
            return four_cells(self.squares)
        return four_sums(self.true, self.predicted, self.weights**2, len(self.classes))


def _contributions(labels: Labels, cell_of: CellFunction) -> Parts:
    """The contribution of each sample to cells into which those of the confusion matrix are sorted."""
    if labels._parts is not None:
        return labels._parts(cell_of)
    cells = cell_of(labels.true, labels.predicted, len(labels.classes))
    return Contributions(cells, labels.unit_codes, labels.weights)
