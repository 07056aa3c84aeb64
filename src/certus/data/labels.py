"""Truth and prediction as labels: what every metric of a confusion matrix is a function of."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus.data.classes import MOST_CLASSES, chosen_classes, classes_of, some_of, usual_positive
from certus.data.codes import Coded, check_index, coded, kind_of, plain
from certus.data.columns import as_array
from certus.data.layouts import WHOLE, Four, Held, Layout, four_cells
from certus.data.sampled import OneEach, kept_samples, numbered
from certus.data.tables import (
    CellCounts,
    Places,
    expanded,
    four_sums,
    pair_counts,
    places_beside,
    places_of_class,
    places_of_pairs,
    places_of_right,
    two_by_two,
    whole_counts,
)
from certus.errors import DataError, called, keyword, of_python
from certus.statistic import Contributions
from certus.statistic.common import plural
from certus.statistic.contributions import Parts


@dataclass(frozen=True, eq=False, repr=False)
class Labels(OneEach):
    """True and predicted labels of samples, counted.

    A label is any hashable value: whole numbers (also as floats), text, truth values, members of an Enum, categories.
    Numbers and text in one problem are refused, as are nulls and NaN. Labels are sorted; an ordered categorical brings
    its own order, and `labels` of `of` another one.

    Attributes
    ----------
    classes
        The labels: those asked for with ``labels=`` in that order, then the others found.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.
    n
        Number of samples.
    sorted
        Whether the labels have an order.

    Examples
    --------
    >>> data = Labels.of(["cat", "dog", "dog"], ["cat", "dog", "cat"])
    >>> data.classes
    ('cat', 'dog')
    >>> data.counts
    array([[1, 0],
           [1, 1]])
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_pred")

    classes: tuple[Hashable, ...]
    _counts: NDArray[Any] | None
    _squares: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None
    n: int = 0
    sorted: bool = True
    _chosen: int | None = None
    _pos_label: Hashable = None
    _columns: tuple[Coded, Coded] | None = None
    asked: set[str] = field(default_factory=set)
    """Conventions that a metric has looked at: ``"labels"`` and ``"pos_label"``."""
    paired: bool = False
    """True if the table must have the same cells as that of another system; it then holds all cells."""
    _parts: Callable[[Places], Parts] | None = None
    """Makes the contributions of samples that are not in memory to cells into which those of the matrix are sorted."""

    @classmethod
    def of(
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
        check_index(y_true=y_true, y_pred=other, sample_weight=sample_weight, groups=groups)
        true, predicted = coded(y_true, "y_true"), coded(other, "y_pred")
        weights, clusters, kept = kept_samples(sample_weight, groups, y_true=true.values, y_pred=predicted.values)
        if not isinstance(kept, slice):
            true, predicted = true.part(kept), predicted.part(kept)
        told: dict[str, Any] = {"weights": weights, "groups": clusters}
        told["_pos_label"] = None if pos_label is None else plain(pos_label, "pos_label")
        return cls._counted(true, predicted, chosen_classes(labels), told)

    @classmethod
    def _counted(cls, true: Coded, predicted: Coded, chosen: tuple[Any, ...] | None, told: dict[str, Any]) -> Self:
        """The labels of columns that are checked, with the other fields that are told."""
        rows, columns, counts, squares = pair_counts(true, predicted, told.get("weights"))
        classes, in_order = classes_of(true, predicted, rows, columns, chosen)
        table = also = None
        if counts is not None and len(classes) <= MOST_CLASSES:
            table = expanded(counts, rows, columns, classes)
            if squares is not None and told.get("groups") is None:
                also = expanded(squares, rows, columns, classes)
        told |= {"n": len(true.values), "sorted": in_order, "_chosen": None if chosen is None else len(chosen)}
        return cls(classes, table, also, _columns=(true, predicted), **told)

    def taken(self, index: Any) -> Self | None:
        """Some of the samples, without weights and groups; None where it is told which classes are averaged."""
        if self._columns is None or self._chosen is not None:
            return None
        true, predicted = self._columns
        told = {"_pos_label": self._pos_label, "asked": self.asked}
        return self._counted(true.part(index), predicted.part(index), None, told)

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
            The positive class of binary metrics; None as in `of`.

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
        whole, n = whole_counts(table, "counts")
        names = tuple(range(len(whole)) if classes is None else classes)
        if len(names) != len(whole) or len(set(names)) != len(names):
            raise DataError(f"must name each of the {len(whole)} rows once", f"it is {names!r}", argument="classes")
        return cls(names, whole, n=n, _pos_label=pos_label)

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

    @property
    def squares(self) -> NDArray[np.float64] | None:
        """The sums of the squared weights; None without weights, and with groups: their samples are not independent."""
        return self._squares

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Labels: {plural(self.n, 'sample')}, {plural(len(self.classes), 'class')}>"

    @cached_property
    def true(self) -> NDArray[np.int32]:
        """For each sample, the index of its true label in `classes`."""
        return self._code(0)

    @cached_property
    def predicted(self) -> NDArray[np.int32]:
        """For each sample, the index of its predicted label in `classes`."""
        return self._code(1)

    def _code(self, which: int) -> NDArray[np.int32]:
        if self._columns is None:
            raise DataError("these labels were made from counts", "single samples are not known")
        column = self._columns[which]
        place = {label: index for index, label in enumerate(self.classes)}
        places = np.array([place.get(label, -1) for label in column.labels], dtype=np.int32)
        return np.asarray(places[column.codes], dtype=np.int32)

    @property
    def whole(self) -> bool:
        """True if averages run over all classes of the data."""
        self.asked.add("labels")
        return self._chosen is None or self._chosen == len(self.classes)

    @property
    def selected(self) -> NDArray[np.intp]:
        """Indices of the classes that averages run over: those of ``labels=``, or all."""
        self.asked.add("labels")
        return np.arange(len(self.classes) if self._chosen is None else self._chosen)

    @cached_property
    def positive(self) -> int | None:
        """The index of the positive class; None where it is not known, or no sample has it."""
        self.asked.add("pos_label")
        label = self._pos_label if self._pos_label is not None else usual_positive(self.classes)
        return self.classes.index(label) if label in self.classes else None

    def positive_class(self) -> int | None:
        """The index of the positive class of a binary problem; None where neither truth nor prediction has it.

        Raises
        ------
        DataError
            There are more than two classes, or it is not known which one is positive.
        """
        self.asked.add("pos_label")
        if len(self.classes) > 2:
            rule = f"{keyword('average', 'binary')} is for two"
            raise DataError(
                f"and {called('y_pred')} have {len(self.classes)} classes ({some_of(self.classes)})",
                f"{rule}: choose {of_python('None, ')}'macro', 'micro' or 'weighted'",
                argument="y_true",
            )
        label = self._pos_label
        if label is None:
            label = usual_positive(self.classes)
            if label is None:
                raise DataError(
                    f"the classes are {some_of(self.classes)}",
                    f"say which one is positive with {keyword('pos_label')}",
                    argument="pos_label",
                    subject="",
                )
        elif label not in self.classes and (
            len(self.classes) == 2 or kind_of(label) != kind_of((*self.classes, label)[0])
        ):
            raise DataError(f"is {label!r}, but the classes are {some_of(self.classes)}", argument="pos_label")
        return self.classes.index(label) if label in self.classes else None

    @cached_property
    def table(self) -> CellCounts:
        """The table for functions of all its cells, of many classes the cells that are not empty.

        A single class has an empty one beside it. Otherwise the table would have no cell for a mistake, and it would
        seem certain that there is none.
        """
        counts, squares = self.counts, self.squares
        held = None if self.paired else Held.of(counts)
        if held is not None:
            cells = held.true, held.predicted
            return self._table(counts[cells], None if squares is None else squares[cells], held.cells, held)
        missing = max(0, 2 - len(self.classes))
        if missing:
            counts, squares = np.pad(counts, (0, missing)), None if squares is None else np.pad(squares, (0, missing))
        return self._table(counts, squares, places_of_pairs)

    def only_selected(self) -> "Labels":
        """The samples whose true and predicted class are both among the selected ones."""
        if self.whole:
            return self
        if self._parts is not None:
            raise DataError(
                f"some classes only, as {called('labels')} asks for, need every sample, and these do not fit into "
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
            kept = (self.true < chosen) & (self.predicted < chosen)
            n = int(kept.sum())
            weights = None if weights is None else weights[kept]
            groups = None if groups is None else numbered(groups[kept])
            columns = (columns[0].part(kept), columns[1].part(kept))
        return Labels(
            *(self.classes[:chosen], counts, squares, weights, groups, n, self.sorted, None, self._pos_label, columns),
            asked=self.asked,
            paired=self.paired,
        )

    def against_rest(self, index: int | None) -> CellCounts:
        """One class against all others: ``[[tn, fp], [fn, tp]]``; None is a class that no sample has."""
        places = partial(places_of_class, -1 if index is None else index)
        if len(self.classes) == 2 and index is not None and self.weights is None:  # as it stands, or upside down
            return self._table(self.counts if index else self.counts[::-1, ::-1], None, places)
        squares = None if self._four_squares is None else two_by_two(self._four_squares, index)
        return self._table(two_by_two(self.four, index), squares, places)

    def kinds(self) -> tuple[int, int, int, int, int]:
        """Samples that are right in a selected class; wrong ones with both, the true, the predicted, no such class."""
        chosen = len(self.selected)
        if self._counts is None:
            true, predicted = self.true < chosen, self.predicted < chosen
            right = int(((self.true == self.predicted) & true).sum())
            both, of_true, of_predicted = (int(each.sum()) for each in (true & predicted, true, predicted))
        else:
            right = int(self._counts[:chosen, :chosen].trace())
            both, of_true = int(self._counts[:chosen, :chosen].sum()), int(self._counts[:chosen].sum())
            of_predicted = int(self._counts[:, :chosen].sum())
        return right, both - right, of_true - both, of_predicted - both, self.n - of_true - of_predicted + both

    def cell(self, row: int, column: int, beside: Literal["true", "pred", "all"] | None) -> CellCounts:
        """One cell, the others of its row, of its column or of the whole table, and all else: three counts."""
        places = partial(places_beside, row, column, beside)
        every = np.arange(len(self.classes))
        place = places(*np.meshgrid(every, every, indexing="ij"), len(self.classes))
        counts, squares = (
            None if table is None else np.array([table[place == which].sum() for which in range(3)])
            for table in (self.counts, self.squares)
        )
        return self._table(np.asarray(counts), squares, places)

    def agreement(self) -> CellCounts:
        """Number of samples with another label predicted, and with the right one: ``[wrong, right]``."""
        if self.weights is None:
            right = int((self.four[0] if self._counts is None else self._counts.diagonal()).sum())
            return self._table(np.array([self.n - right, right]), None, places_of_right)
        counts, squares = (
            None if four is None else np.array([four[1].sum(), four[0].sum()])
            for four in (self.four, self._four_squares)
        )
        return self._table(np.asarray(counts), squares, places_of_right)

    def _table(
        self, counts: NDArray[Any], squares: NDArray[np.float64] | None, places: Places, layout: Layout = WHOLE
    ) -> CellCounts:
        """Cells into which those of the confusion matrix are sorted; `places` gives the one of each sample."""
        known = self.weights is None and self.groups is None
        added = None if known else partial(_contributions, self, places)
        return CellCounts(counts, squares, added, self.units, self.unit, layout)

    @cached_property
    def four(self) -> Four:
        """tp, fp, fn and tn of each class."""
        if self._counts is not None:
            return four_cells(self._counts)
        return four_sums(self.true, self.predicted, self.weights, len(self.classes))

    @cached_property
    def _four_squares(self) -> Four | None:
        if self.weights is None or self.groups is not None:
            return None
        if self._squares is not None:
            return four_cells(self._squares)
        return four_sums(self.true, self.predicted, self.weights**2, len(self.classes))


def _contributions(labels: Labels, places: Places) -> Parts:
    """The contribution of each sample to cells into which those of the confusion matrix are sorted."""
    if labels._parts is not None:
        return labels._parts(places)
    cells = places(labels.true, labels.predicted, len(labels.classes))
    return Contributions(cells, np.arange(labels.n) if labels.groups is None else labels.groups, labels.weights)
