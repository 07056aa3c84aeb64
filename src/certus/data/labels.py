"""Truth and prediction as labels: what every metric of a confusion matrix is a function of."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from certus import kernels
from certus.data._codes import Coded, Kind, coded, kind_of, plain, sorted_labels
from certus.data._columns import as_array, check_lengths, sample_weights
from certus.errors import DataError
from certus.statistic import Contributions, counted

__all__ = ["Labels", "Table", "four_cells"]

_MOST_CLASSES = 5_000
"""A table of more classes squared would not fit into memory."""


class Table(NamedTuple):
    """Counted cells and what an interval method has to know about how they were counted.

    ``counts`` may have any shape; the rest is as the form `certus.statistic.Cells` takes it.
    """

    counts: NDArray[Any]
    squares: NDArray[np.float64] | None
    contributions: Callable[[], Contributions] | None
    n: int
    unit: str

    @property
    def exact(self) -> bool:
        """Whether each unit fills one cell and counts once, so that the counts are whole numbers and multinomial."""
        return self.squares is None and self.contributions is None


@dataclass(frozen=True, eq=False, repr=False)
class Labels:
    """True and predicted labels of samples, counted.

    A label is any hashable value: whole numbers (also as floats), text, truth values, members of an Enum, categories.
    Numbers and text in one problem are refused, as are nulls and NaN. Labels are sorted; an ordered categorical brings
    its own order, and `labels` of `of` another one.

    Attributes
    ----------
    classes
        The labels: those asked for with ``labels=`` in that order, then the others found.
    counts
        How many samples have which true (row) and predicted (column) label, int64; with weights their sums, float64.
    squares
        The sums of the squared weights; None without weights, and with groups, whose samples are not independent.
    selected
        Indices of the classes that averages run over: those of ``labels=``, or all.
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
    counts: NDArray[Any]
    squares: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None
    n: int = 0
    sorted: bool = True
    _chosen: int | None = None
    _pos_label: Hashable = None
    _columns: tuple[Coded, Coded] | None = None

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """Whether both have one label per sample."""
        return as_array(y_true, "y_true").ndim == 1 and as_array(other, "y_pred").ndim == 1

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
        true, predicted = coded(y_true, "y_true"), coded(other, "y_pred")
        weights = sample_weights(sample_weight)
        clusters = None if groups is None else coded(groups, "groups").codes
        check_lengths(y_true=true.values, y_pred=predicted.values, sample_weight=weights, groups=clusters)
        if weights is not None and not weights.all():
            kept = weights > 0
            weights, true, predicted = weights[kept], true.part(kept), predicted.part(kept)
            clusters = None if clusters is None else clusters[kept]
        if clusters is not None:
            clusters = np.unique(clusters, return_inverse=True)[1].astype(np.int64, copy=False)
        rows, columns, counts, squares = _counted(true, predicted, weights)
        chosen = _chosen(labels)
        classes, in_order = _classes(true, predicted, rows, columns, chosen)
        table, also = _spread(counts, rows, columns, classes), None
        if squares is not None and clusters is None:
            also = _spread(squares, rows, columns, classes)
        return cls(
            classes,
            table,
            also,
            weights,
            clusters,
            len(true.values),
            in_order,
            None if chosen is None else len(chosen),
            None if pos_label is None else plain(pos_label, "pos_label"),
            (true, predicted),
        )

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
            raise DataError(f"counts has shape {table.shape}; it must have a row and a column for each class")
        try:
            with np.errstate(invalid="ignore"):
                whole = table.astype(np.int64)
            fine = bool((whole == table).all() and (whole >= 0).all())
        except (TypeError, ValueError, OverflowError):
            fine, whole = False, np.zeros_like(table, dtype=np.int64)
        if not fine:
            raise DataError("counts must hold whole numbers from 0 to 2**63 - 1")
        names = tuple(range(len(whole)) if classes is None else classes)
        if len(names) != len(whole) or len(set(names)) != len(names):
            raise DataError(f"classes must name each of the {len(whole)} rows once; it is {names!r}")
        n = sum(map(int, whole.ravel()))
        if n >= 2**63:
            raise DataError(f"counts sum to {n}; the sum must be below 2**63")
        return cls(names, whole, n=n, _pos_label=pos_label)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Labels: {counted(self.n, 'sample')}, {counted(len(self.classes), 'class')}>"

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
            raise DataError("these labels were made from counts; single samples are not known")
        column = self._columns[which]
        place = {label: index for index, label in enumerate(self.classes)}
        places = np.array([place.get(label, -1) for label in column.labels], dtype=np.int32)
        return np.asarray(places[column.codes], dtype=np.int32)

    @property
    def whole(self) -> bool:
        """Whether the averages run over every class that was found."""
        return self._chosen is None or self._chosen == len(self.classes)

    @property
    def selected(self) -> NDArray[np.intp]:
        """Indices of the classes that averages run over."""
        return np.arange(len(self.classes) if self._chosen is None else self._chosen)

    @cached_property
    def positive(self) -> int | None:
        """The index of the positive class; None where it is not known, or no sample has it."""
        label = self._pos_label if self._pos_label is not None else _usual_positive(self.classes)
        return self.classes.index(label) if label in self.classes else None

    def positive_class(self) -> int | None:
        """The index of the positive class of a binary problem; None where neither truth nor prediction has it.

        Raises
        ------
        DataError
            There are more than two classes, or it is not known which one is positive.
        """
        if len(self.classes) > 2:
            raise DataError(
                f"y_true and y_pred have {len(self.classes)} classes ({_some(self.classes)}); average='binary' is for "
                "two: choose average='macro', 'micro', 'weighted' or None"
            )
        label = self._pos_label
        if label is None:
            label = _usual_positive(self.classes)
            if label is None:
                raise DataError(f"the classes are {_some(self.classes)}; say which one is positive with pos_label=")
        elif label not in self.classes and (
            len(self.classes) == 2 or kind_of(label) != kind_of((*self.classes, label)[0])
        ):
            raise DataError(f"pos_label is {label!r}, but the classes are {_some(self.classes)}")
        return self.classes.index(label) if label in self.classes else None

    @cached_property
    def table(self) -> Table:
        """The whole table, for functions of all its cells; a single class has an empty one beside it.

        Otherwise the table would have no cell for a mistake, and it would seem certain that there is none.
        """
        missing = (0, max(0, 2 - len(self.classes)))
        if not missing[1]:
            return Table(self.counts, self.squares, self._contributions(None), self._units, self._unit)
        squares = None if self.squares is None else np.pad(self.squares, missing)
        return Table(np.pad(self.counts, missing), squares, self._contributions(None), self._units, self._unit)

    def only_selected(self) -> "Labels":
        """The samples whose true and predicted class are both among the selected ones."""
        if self.whole:
            return self
        chosen = len(self.selected)
        counts = self.counts[:chosen, :chosen]
        squares = None if self.squares is None else self.squares[:chosen, :chosen]
        n, weights, groups, columns = int(counts.sum()), self.weights, self.groups, self._columns
        if columns is not None:
            kept = (self.true < chosen) & (self.predicted < chosen)
            n = int(kept.sum())
            weights = None if weights is None else weights[kept]
            groups = None if groups is None else np.unique(groups[kept], return_inverse=True)[1].astype(np.int64)
            columns = (columns[0].part(kept), columns[1].part(kept))
        return Labels(
            self.classes[:chosen], counts, squares, weights, groups, n, self.sorted, None, self._pos_label, columns
        )

    def against_rest(self, index: int | None) -> Table:
        """One class against all others: ``[[tn, fp], [fn, tp]]``; None is a class that no sample has."""
        return Table(
            _two_by_two(self.counts, index, lambda: self._split),
            None if self.squares is None else _two_by_two(self.squares, index, partial(four_cells, self.squares)),
            self._contributions(index if index is not None else len(self.classes)),
            self._units,
            self._unit,
        )

    def cell(self, row: int, column: int, beside: Literal["true", "pred", "all"] | None) -> Table:
        """One cell, the others of its row, of its column or of the whole table, and all else: three counts."""
        size = len(self.classes)
        place = np.full((size, size), 1 if beside in (None, "all") else 2)
        if beside == "true":
            place[row] = 1
        elif beside == "pred":
            place[:, column] = 1
        place[row, column] = 0
        counts, squares = (
            None if table is None else np.array([table[place == which].sum() for which in range(3)])
            for table in (self.counts, self.squares)
        )
        added = None if self.weights is None and self.groups is None else partial(_of_places, self, place)
        return Table(np.asarray(counts), squares, added, self._units, self._unit)

    def agreement(self) -> Table:
        """How many samples have another label predicted, and how many the right one: ``[wrong, right]``."""
        right = self.counts.trace()
        wrong = self.counts.sum() - right if self.weights is None else _off_diagonal(self.counts)
        squares = None if self.squares is None else np.array([_off_diagonal(self.squares), self.squares.trace()])
        contributions = None if self.table.contributions is None else partial(_agreement, self)
        return Table(np.array([wrong, right]), squares, contributions, self._units, self._unit)

    @cached_property
    def _split(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        return four_cells(self.counts)

    @cached_property
    def _units(self) -> int:
        return self.n if self.groups is None else int(self.groups.max(initial=-1)) + 1

    @property
    def _unit(self) -> str:
        return "sample" if self.groups is None else "group"

    def _contributions(self, index: int | None) -> Callable[[], Contributions] | None:
        return None if self.weights is None and self.groups is None else partial(_contributions, self, index)


def _contributions(labels: Labels, index: int | None) -> Contributions:
    """What each sample adds to the whole table, or to the table of one class against the rest."""
    if index is None:
        cells = labels.true.astype(np.int64) * max(2, len(labels.classes)) + labels.predicted
    else:
        cells = 2 * (labels.true == index).astype(np.int64) + (labels.predicted == index)
    return Contributions(cells, np.arange(labels.n) if labels.groups is None else labels.groups, labels.weights)


def _of_places(labels: Labels, place: NDArray[np.int64]) -> Contributions:
    """What each sample adds to cells of the table that are numbered anew."""
    cells = place[labels.true, labels.predicted].astype(np.int64)
    return Contributions(cells, np.arange(labels.n) if labels.groups is None else labels.groups, labels.weights)


def _agreement(labels: Labels) -> Contributions:
    cells = (labels.true == labels.predicted).astype(np.int64)
    return Contributions(cells, np.arange(labels.n) if labels.groups is None else labels.groups, labels.weights)


def _two_by_two(table: NDArray[Any], index: int | None, split: Callable[[], tuple[NDArray[Any], ...]]) -> NDArray[Any]:
    if index is not None and len(table) == 2:
        return table if index == 1 else table[::-1, ::-1]
    if index is None:
        return np.array([[table.sum(), 0], [0, 0]], dtype=table.dtype)
    tp, fp, fn, tn = (cell[index] for cell in split())
    return np.array([[tn, fp], [fn, tp]])


def _off_diagonal(table: NDArray[Any]) -> Any:
    return table.sum(where=~np.eye(len(table), dtype=np.bool_))


def _counted(
    true: Coded, predicted: Coded, weights: NDArray[np.float64] | None
) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...], NDArray[Any], NDArray[np.float64] | None]:
    """The labels of truth and prediction, how many samples have which pair of them, and the squares of weights."""
    counts: NDArray[Any]
    squares: NDArray[np.float64] | None = None
    try:
        if weights is None:
            rows, columns, counts = kernels.count_pairs(true.values, predicted.values, most=_MOST_CLASSES)
        else:
            rows, columns, counts, squares = kernels.sum_pairs(
                true.values, predicted.values, np.ascontiguousarray(weights), most=_MOST_CLASSES
            )
    except ValueError as error:
        raise DataError(str(error)) from error
    return true.label_of(rows), predicted.label_of(columns), counts, squares


def _spread(
    table: NDArray[Any], rows: tuple[Hashable, ...], columns: tuple[Hashable, ...], classes: tuple[Hashable, ...]
) -> NDArray[Any]:
    """The table with a row and a column for each class."""
    if rows == classes == columns:
        return table
    whole = np.zeros((len(classes), len(classes)), dtype=table.dtype)
    place = {label: index for index, label in enumerate(classes)}
    whole[np.ix_([place[label] for label in rows], [place[label] for label in columns])] = table
    return whole


def _chosen(labels: Any) -> tuple[Hashable, ...] | None:
    if labels is None:
        return None
    if isinstance(labels, str | bytes) or not isinstance(labels, Iterable):
        raise DataError(f"labels is {labels!r}; it must list the classes")
    chosen = tuple(plain(label, "a label of labels") for label in labels)
    if not chosen:
        raise DataError("labels is empty; it must list at least one class")
    if len(set(chosen)) < len(chosen):
        twice = next(label for label in chosen if chosen.count(label) > 1)
        raise DataError(f"labels lists {twice!r} twice; list each class once")
    return chosen


def _classes(
    true: Coded,
    predicted: Coded,
    rows: tuple[Hashable, ...],
    columns: tuple[Hashable, ...],
    chosen: tuple[Hashable, ...] | None,
) -> tuple[tuple[Hashable, ...], bool]:
    """All classes in their order, and whether they have one."""
    kinds: list[tuple[str, Kind | None]] = [("y_true", true.kind), ("y_pred", predicted.kind)]
    if chosen is not None:
        kinds += [("labels", kind_of(label)) for label in chosen]
    found = [(name, kind) for name, kind in kinds if kind is not None]
    for name, kind in found:
        if kind != found[0][1]:
            raise DataError(f"{found[0][0]} holds {found[0][1]} but {name} holds {kind}; give labels of one kind")
    if rows == columns and true.names is None and chosen is None and true.boolean == predicted.boolean:
        return rows, True  # as they come from the kernel
    union = dict.fromkeys((*rows, *columns))
    if true.kind == "numbers" and not (true.boolean and predicted.boolean):
        union = {int(label): None for label in union}  # type: ignore[call-overload]
    if len(union) > _MOST_CLASSES:
        raise DataError(f"there are {len(union)} different labels; a table of at most {_MOST_CLASSES} is supported")
    order, in_order = _order(true, predicted, tuple(union))
    if chosen is None:
        return order, in_order
    return (*chosen, *(label for label in order if label not in set(chosen))), in_order or len(chosen) >= len(order)


def _order(true: Coded, predicted: Coded, labels: tuple[Hashable, ...]) -> tuple[tuple[Hashable, ...], bool]:
    for column in (true, predicted):
        if column.order is not None and set(labels) <= set(column.order):
            return tuple(label for label in column.order if label in set(labels)), True
    return sorted_labels(labels)


def _usual_positive(classes: tuple[Hashable, ...]) -> Hashable:
    """1 or True where the labels can be told to be 0 and 1, -1 and 1, or False and True."""
    if all(type(label) is bool for label in classes) and classes:
        return True
    found = set(classes)
    return 1 if found <= {0, 1} or found <= {-1, 1} else None


def _some(classes: Sequence[Hashable]) -> str:
    shown = ", ".join(repr(label) for label in classes[:5])
    return shown if len(classes) <= 5 else f"{shown}, ..."


def four_cells(tables: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """tp, fp, fn and tn of each class against the rest, along the last axis, from square tables ``(..., K, K)``.

    A cell that no sample fills is exactly 0, also where the table holds sums of weights.

    Examples
    --------
    >>> tp, fp, fn, tn = four_cells(np.array([[3, 1, 0], [2, 4, 0], [0, 0, 5]]))
    >>> tp, fp, fn, tn
    (array([3, 4, 5]), array([2, 1, 0]), array([1, 2, 0]), array([ 9,  8, 10]))
    """
    tp = np.diagonal(tables, axis1=-2, axis2=-1)
    if tables.shape[-1] == 2:
        off = np.stack([tables[..., 0, 1], tables[..., 1, 0]], axis=-1)
        return tp, off[..., ::-1], off, tp[..., ::-1]
    if tables.dtype.kind in "iu":
        rows, columns = tables.sum(-1), tables.sum(-2)
        return tp, columns - tp, rows - tp, rows.sum(-1)[..., np.newaxis] - rows - columns + tp
    other = tables.copy()
    places = np.arange(tables.shape[-1])
    other[..., places, places] = 0
    fp, fn = other.sum(-2), other.sum(-1)
    tn = tables.sum((-2, -1))[..., np.newaxis] - fp - fn - tp
    if (np.rint(tables) != tables).any():
        tn[four_cells((tables > 0).astype(np.int64))[3] == 0] = 0.0
    return tp, fp, fn, np.maximum(tn, 0.0)
