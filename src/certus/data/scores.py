"""Binary truth and one real score per sample: what ROC and precision-recall metrics are functions of."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats, product
from certus.core.errors import DataError, keyword, mention
from certus.core.exact import rank_of
from certus.core.printable import exact
from certus.data.classes import (
    check_positive,
    chosen_classes,
    list_labels,
    name_of_column,
    named_in_order,
    order_of_columns,
    positive_label,
    unknown_positive,
)
from certus.data.columns import (
    Coded,
    Reals,
    as_array,
    check_nulls,
    coded,
    floats,
    floats_or_matrix,
    is_column,
    normalize_label,
    ordered_floats,
    sorted_labels,
)
from certus.data.samples import PairedSamples, SampleData, pair_samples
from certus.statistic.common import plural

Column = NDArray[np.floating[Any]]
"""Scores in the width in which they are compared."""


@dataclass(frozen=True, eq=False)
class Steps:
    """The distinct scores in decreasing order, and the (weighted) numbers of positives and negatives that have each."""

    thresholds: NDArray[Any]
    positives: NDArray[Any]
    negatives: NDArray[Any]

    def __len__(self) -> int:
        return len(self.thresholds)

    @cached_property
    def true_positives(self) -> NDArray[Any]:
        """The number of positives with at least that score."""
        return np.cumsum(self.positives)

    @cached_property
    def false_positives(self) -> NDArray[Any]:
        """The number of negatives with at least that score."""
        return np.cumsum(self.negatives)


class Ordered(NamedTuple):
    """The samples by decreasing score, as the kernels of `certus.core.kernels` take them."""

    marks: NDArray[np.uint8]
    """Of each sample: 1 for a positive, plus 2 for the last sample of its score."""
    weights: Floats | None
    units: NDArray[np.uint32] | None
    """The independent unit that each sample belongs to; None: each is a unit of its own."""
    size: int
    """Number of units."""


@dataclass(frozen=True, eq=False, repr=False)
class Scores(PairedSamples):
    """The positive samples, and a score for each sample: the higher, the more likely positive.

    Only the order of scores and which of them are equal enter, so a score may be infinite; NaN is an error. float32 and
    float16 scores are compared as float32, everything else as float64. Numbers that float64 would tie, such as whole
    numbers beyond 2**53, are compared as they are. Samples are counted in integers.

    Attributes
    ----------
    truth
        True for a positive sample.
    score
        One score per sample, float32 or float64.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.
    distinct
        Where float64 cannot hold the scores, the distinct ones in increasing order; `score` then gives the place of
        each sample's among them.

    Examples
    --------
    >>> data = Scores.from_arrays([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1])
    >>> data.positives, data.negatives
    (array([0.4, 0.9]), array([0.1, 0.4]))
    >>> data.steps.thresholds, data.steps.true_positives, data.steps.false_positives
    (array([0.9, 0.4, 0.1]), array([1, 2, 2]), array([0, 1, 2]))
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_score")
    first_column = "truth"

    truth: NDArray[np.bool_]
    score: Column
    weights: Floats | None = None
    groups: NDArray[np.int64] | None = None
    distinct: NDArray[Any] | None = None

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
        """Truth and scores, validated.

        Parameters
        ----------
        y_true
            The true label of each sample, of at most two kinds.
        other
            The score of each sample; ``y_score`` in messages.
        labels
            The two labels, where the data may lack one of them.
        pos_label
            The positive label; needed unless the labels are 0 and 1, -1 and 1, or False and True.
        sample_weight
            One weight per sample, finite and at least 0.
        groups
            The cluster that each sample belongs to; clusters, not samples, are then independent.

        Raises
        ------
        DataError
            The input is not that.
        """
        truth, all_labels, positive = _truth(y_true, labels, pos_label)
        check_positive(name_of_column(other), all_labels, positive, "y_score")
        score, distinct = ordered_floats(other, "y_score")
        arguments = {"y_true": y_true, "y_score": other}
        (truth, score), weights, clusters = pair_samples(arguments, (truth, score), sample_weight, groups)
        return cls(truth, score, weights, clusters, distinct)

    def __repr__(self) -> str:
        positives = int(self.truth.sum())
        return f"<Scores of {positives} positives and {len(self) - positives} negatives>"

    def select(self, index: Any) -> "Scores":
        """Some of the samples, without weights and groups."""
        return Scores(self.truth[index], self.score[index], distinct=self.distinct)

    @cached_property
    def positives(self) -> Column:
        """The scores of the positives, ascending."""
        return self._sorted_by_class[0]

    @cached_property
    def negatives(self) -> Column:
        """The scores of the negatives, ascending."""
        return self._sorted_by_class[1]

    @cached_property
    def _sorted_by_class(self) -> tuple[Column, Column]:
        """Ascending scores of the positives, and of the negatives."""
        return kernels.score_sides(self.score, self.truth)

    def ordered_sides(self) -> tuple[Column, Column]:
        """The positives' and the negatives' numbers, sorted by score."""
        return self._sorted_by_class

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The number of positives, and of negatives."""
        return len(self.positives), len(self.negatives)

    def auc(self) -> tuple[int, int, int]:
        """The counts of `kernels.score_auc`."""
        return kernels.score_auc(self.positives, self.negatives)

    def average_precision(self) -> tuple[float, float, float, float, tuple[tuple[float, ...], ...]]:
        """The values of `kernels.score_average_precision`."""
        return kernels.score_average_precision(self.positives, self.negatives)

    def highest(self, number: int) -> NDArray[np.uint8]:
        """The marks of the `number` samples with the highest scores, and of all others with the last one's score."""
        sorted_scores = self.positives, self.negatives
        if len(self) > number:
            tops = [side[max(len(side) - number, 0) :] for side in sorted_scores]
            lowest = np.partition(np.concatenate(tops), -number)[-number]
            sorted_scores = (
                sorted_scores[0][np.searchsorted(sorted_scores[0], lowest) :],
                sorted_scores[1][np.searchsorted(sorted_scores[1], lowest) :],
            )
        return kernels.score_marks(*sorted_scores)

    def need(self, sample_bytes: int) -> None:
        """Refuse what takes some bytes of each sample: nothing, as samples are in memory."""

    def original_scores(self, scores: Column) -> NDArray[Any]:
        """Numbers such as `score` holds, which may be infinite, as the scores that were given."""
        if self.distinct is None:
            return scores
        converted = scores.astype(object)
        finite = np.isfinite(scores)
        converted[finite] = self.distinct[scores[finite].astype(np.intp)]
        return converted

    def threshold_number(self, threshold: Any) -> Any:
        """The number that `score` reaches in the samples whose scores are at least `threshold`."""
        if self.distinct is None:
            return self.score.dtype.type(threshold)
        return np.float64(rank_of(self.distinct, threshold))

    @cached_property
    def ranked(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Indices of the samples by decreasing score, and their marks, see `Ordered`.

        Equal scores of samples that count unequally are in an order that does not depend on that of the rows.
        """
        order, marks = kernels.score_ranked(self.score, self.truth)
        last = marks >= 2
        if self.weights is None or last.all():
            return order, marks
        keys: list[NDArray[Any]] = [self.weights[order], self.truth[order], np.cumsum(last) - last]
        if self.groups is not None:
            keys.insert(0, self.groups[order])
        order = order[np.lexsort(keys)]
        return order, np.where(last, np.uint8(2), np.uint8(0)) + self.truth[order]

    @cached_property
    def ordered(self) -> Ordered:
        """The samples by decreasing score; without weights and groups no sample need be told from its equals."""
        if self.is_simple:
            return Ordered(kernels.score_marks(self.positives, self.negatives), None, None, self.units)
        order, marks = self.ranked
        weights = None if self.weights is None else self.weights[order]
        groups = None if self.groups is None else self.groups[order].astype(np.uint32)
        return Ordered(marks, weights, groups, self.units)

    @cached_property
    def steps(self) -> Steps:
        """The distinct scores in decreasing order, and the positives and negatives that have each."""
        if self.weights is None:
            scores, *counts = kernels.score_steps(self.positives, self.negatives)
            return Steps(self.original_scores(scores), *counts)
        order, marks = self.ranked
        positives, negatives = kernels.score_sums(marks, self.weights[order])
        return Steps(self.original_scores(self.score[order[marks >= 2]]), positives, negatives)


_LABELS_OF_TRUTH = f"the labels of {mention('y_true')}"
BLOCK = 1 << 20
BYTES_PER_SAMPLE = 48
"""Bytes for each sample, where something is computed of each."""


class MarkedScores(Scores):
    """A byte for each sample, by decreasing score: AUC, AP and KS of scores beyond memory need no more."""

    def __init__(self, marks: NDArray[np.uint8], memory: int | None = None) -> None:
        vars(self)["ordered"] = Ordered(marks, None, None, len(marks))
        vars(self)["_memory"] = memory

    _memory: int | None

    def __len__(self) -> int:
        return self.ordered.size

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """The truth by decreasing score, which is made when it is needed; scores there are none."""
            if name == "truth":
                return (self.ordered.marks & 1).view(np.bool_)
            if name == "score":
                raise _no_room()
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @cached_property
    def ranked(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """The samples in their order, which is by decreasing score already."""
        self.need(BYTES_PER_SAMPLE)
        return np.arange(len(self)), self.ordered.marks

    def ordered_sides(self) -> tuple[Column, Column]:
        """The positives' and the negatives' numbers, sorted by score."""
        self.need(BYTES_PER_SAMPLE)
        marks = self.ordered.marks[::-1]
        steps, positive = np.cumsum(marks >= 2).astype(np.float64), (marks & 1).view(np.bool_)
        return steps[positive], steps[~positive]

    def need(self, sample_bytes: int) -> None:
        """Refuse what takes some bytes of each sample, if these are more than there are."""
        if self._memory is not None and sample_bytes * len(self) > self._memory:
            raise _no_room()

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The number of positives, and of negatives."""
        marks = self.ordered.marks
        starts = range(0, len(marks), BLOCK)
        positives = sum(int(np.count_nonzero(marks[start : start + BLOCK] & 1)) for start in starts)
        return positives, len(marks) - positives

    def auc(self) -> tuple[int, int, int]:
        """The counts of `kernels.score_auc`."""
        return kernels.score_auc_of_marks(self.ordered.marks)

    def average_precision(self) -> tuple[float, float, float, float, tuple[tuple[float, ...], ...]]:
        """The values of `kernels.score_average_precision`."""
        return kernels.score_average_precision_of_marks(self.ordered.marks)

    def highest(self, number: int) -> NDArray[np.uint8]:
        """The marks of the `number` samples with the highest scores, and of all others with the last one's score."""
        marks = self.ordered.marks
        for start in range(number - 1, len(marks), BLOCK):
            steps = np.flatnonzero(marks[start : start + BLOCK] & 2)
            if len(steps):
                return marks[: start + int(steps[0]) + 1]
        return marks


def _no_room() -> DataError:
    """Error for a value or interval that needs all samples in memory, beyond the limit."""
    return DataError(
        "the value or its interval needs all samples at once, which do not fit into memory",
        f"give more with {keyword('memory')}",
        argument="memory",
        subject="",
    )


def _truth(y_true: Any, labels: Any, pos_label: Any) -> tuple[NDArray[np.bool_], Sequence[Hashable], Hashable]:
    """The positive samples, all labels, and the positive one."""
    array = as_array(y_true, "y_true") if isinstance(y_true, np.ndarray | list | tuple) else None
    if array is None or array.dtype.kind not in "biuf" or array.ndim != 1:
        column = coded(y_true if array is None else array, "y_true")
        all_labels, positive = _positive(column.labels, labels, pos_label)
        code = column.labels.index(positive) if positive in column.labels else -1
        return np.asarray(column.codes == code), all_labels, positive
    if array.dtype.kind == "b" and labels is None and pos_label is None:
        return np.ascontiguousarray(array), (False, True), True
    present = _labels_of(array)
    all_labels, positive = _positive(present, labels, pos_label)
    truth = np.asarray(array == positive) if positive in present else np.zeros(len(array), dtype=np.bool_)
    return truth, all_labels, positive


def _labels_of(array: NDArray[Any]) -> tuple[Hashable, ...]:
    """The labels in a column of numbers, sought as if there were two at most."""
    if not len(array):
        return ()
    first = array[0]
    differs = array != first
    second_index = int(differs.argmax())
    indices = [0, second_index] if differs[second_index] else [0]
    if len(indices) == 2 and not (~differs | (array == array[second_index])).all():
        check_nulls(array, "y_true")
        indices = np.unique(array, return_index=True)[1].tolist()
    check_nulls(array[indices], "y_true")
    return tuple(normalize_label(array[index], "y_true", index) for index in indices)


def _positive(present: Sequence[Hashable], labels: Any, pos_label: Any) -> tuple[Sequence[Hashable], Hashable]:
    """The labels that there are, and the positive one."""
    if len(present) > 2:
        raise DataError(
            f"has {len(present)} labels ({list_labels(present)})",
            "one score per sample tells two apart, more need one column of scores per label",
            argument="y_true",
        )
    all_labels: Sequence[Hashable] = present if labels is None else chosen_classes(labels) or ()
    if labels is not None and len(all_labels) != 2:
        raise DataError(
            f"is {list_labels(all_labels)}", "one score per sample tells two labels apart", argument="labels"
        )
    for label in present if labels is not None else ():
        if label not in all_labels:
            raise DataError(f"holds {label!r}, which is not in labels ({list_labels(all_labels)})", argument="y_true")
    positive = positive_label(all_labels, pos_label, _LABELS_OF_TRUTH)
    if positive is None:
        raise unknown_positive(all_labels, _LABELS_OF_TRUTH, "y_true")
    return all_labels, positive


@dataclass(frozen=True, eq=False, repr=False)
class ClassScores(SampleData):
    """The true class of each sample and a real score for each class.

    The `classes` are the labels given as ``labels=``, in that order, or else the sorted labels that occur in ``y_true``
    (the categories of an ordered categorical). A class without samples is known only through ``labels=``, so the number
    of columns has to match. Columns of a DataFrame that are named after the classes belong to these, in whatever order
    they stand (``"1"`` names 1 too); columns of an array, and columns that are only numbered (0, 1, ...), belong to the
    classes by their places. Other names are refused unless ``labels=`` says the class of each column. A single column,
    or one score per sample, is the score of the positive class of two. Scores may be infinite; NaN is an error.

    Attributes
    ----------
    classes
        The labels, one per column; for a single column those that are known, up to two.
    true
        The class of each sample, as an index into `classes`.
    scores
        Samples x classes, or one per sample; float32 or float64.
    positive
        Of two classes, the index of the positive one: ``pos_label``, or without that the greater label of {0, 1},
        {-1, 1} or {False, True}. None where no sample has it, and for two columns where it is not known.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.

    Examples
    --------
    >>> scores = [[2, 1, 0], [0, 3, 1], [1, 2, 0]]
    >>> data = ClassScores.from_arrays(["cat", "dog", "cat"], scores, labels=["cat", "dog", "eel"])
    >>> data.classes, data.true.tolist(), data.scores.shape
    (('cat', 'dog', 'eel'), [0, 1, 0], (3, 3))
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_score")
    shapes: ClassVar[str] = "one label, and one score or a score of each class, for each sample"

    classes: tuple[Hashable, ...]
    true: NDArray[np.integer[Any]]
    scores: Reals
    positive: int | None = None
    weights: NDArray[np.float64] | None = None
    groups: NDArray[np.int64] | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {plural(len(self), 'sample')}, {plural(len(self.classes), 'class')}>"

    @cached_property
    def hits(self) -> NDArray[np.bool_]:
        """The samples of the positive class of two."""
        return np.asarray(self.true == (-1 if self.positive is None else self.positive))

    def select(self, index: Any) -> Self | None:
        """Some of the samples, without weights and groups; None where one score for each lacks a class."""
        true = self.true[index]
        if self.scores.ndim == 1 and (not len(true) or (true == true[0]).all()):
            return None
        return type(self)(self.classes, true, self.scores[index], self.positive)

    @property
    def positive_column(self) -> int:
        """The column, of two, that scores the positive class.

        Raises
        ------
        DataError
            It is not known.
        """
        if self.positive is None:
            raise unknown_positive(self.classes, "the labels")
        return self.positive

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """True if there is one label, and one score or one row of scores, per sample."""
        return is_column(y_true) and as_array(other, cls.arguments[1]).ndim in (1, 2)

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
        """The validated columns.

        Parameters
        ----------
        y_true
            The true label of each sample.
        other
            Real scores, samples x classes; or one per sample, of the positive class of two.
        labels
            The classes, in the order of the columns where these are not named after them; by default the sorted labels
            of `y_true`.
        pos_label
            The positive class of two.
        sample_weight
            A weight of at least 0 for each sample.
        groups
            The cluster that each sample belongs to; clusters, not samples, are then independent.

        Raises
        ------
        DataError
            A value is missing or NaN, lengths differ, or the columns do not match the classes; or pandas objects have
            the same index labels in another order.
        """
        name = cls.arguments[1]
        column, scores = coded(y_true, "y_true"), floats_or_matrix(other, name)
        arguments = {"y_true": y_true, name: other}
        (selected, scores), weights, clusters = pair_samples(arguments, (column, scores), sample_weight, groups)
        classes, true = _class_indices(column, selected, labels, other)
        order = order_of_columns(other, classes, labels is not None, name) if scores.ndim == 2 else None
        if order is not None:
            scores = floats(scores[:, order], name, dimensions=2)
        if scores.ndim == 2 and scores.shape[1] != len(classes):
            raise DataError(
                f"has {plural(scores.shape[1], 'column')} but {mention('y_true' if labels is None else 'labels')} has "
                f"{plural(len(classes), 'class')}",
                f"name the class of each column with {keyword('labels')}",
                argument=name,
            )
        if scores.ndim == 1 and len(classes) > 2:
            raise DataError(
                f"has one score per sample but there are {len(classes)} classes ({list_labels(classes)})",
                "give one column of scores per class",
                argument=name,
            )
        positive = _positive_index(classes, pos_label, needed=scores.ndim == 1)
        if scores.ndim == 1 and positive is not None:
            check_positive(name_of_column(other), classes, classes[positive], name)
        return cls(classes, true, scores, positive, weights, clusters)


def _class_indices(
    column: Coded, selected: Coded, labels: Any, scores: Any
) -> tuple[tuple[Hashable, ...], NDArray[np.integer[Any]]]:
    """The classes of all samples in order, and the selected ones as indices into them."""
    classes = column.order if labels is None else chosen_classes(labels)
    if classes is None:
        classes, in_order = sorted_labels(column.labels)
        if not in_order and None not in (named_classes := named_in_order(scores, classes)):
            classes = named_classes
        elif not in_order:
            raise DataError(
                "have no order",
                f"name the class of each column with {keyword('labels')}",
                argument="y_true",
                subject=f"the labels of {mention('y_true')}",
            )
    index_of = {label: index for index, label in enumerate(classes)}
    for label in column.labels:
        if label not in index_of:
            raise DataError(f"holds {label!r}, which is not among the labels {list_labels(classes)}", argument="y_true")
    new_codes = [index_of[label] for label in selected.labels]
    is_ordered = new_codes == list(range(len(new_codes)))
    return classes, selected.codes if is_ordered else np.array(new_codes, dtype=np.int32)[selected.codes]


def _positive_index(classes: tuple[Hashable, ...], pos_label: Any, *, needed: bool) -> int | None:
    """The index of the positive class of two; None where it is not among them, or neither known nor needed."""
    if len(classes) > 2:
        if pos_label is not None:
            raise DataError(
                f"is {pos_label!r} but there are {len(classes)} classes", "it is for two", argument="pos_label"
            )
        return None
    label = positive_label(classes, pos_label, "the labels")
    if label is None and needed:
        raise unknown_positive(classes, "the labels")
    return classes.index(label) if label in classes else None


def check_probabilities(values: Reals, name: str) -> None:
    """Refuse numbers that are not probabilities."""
    if values.size and not (values.min() >= 0 and values.max() <= 1):
        cell = np.argwhere((values < 0) | (values > 1))[0].tolist()
        value = values[tuple(cell)]
        remedy = "a probability is from 0 to 1"
        if values.min() >= 0 and 1 < values.max() <= 100:
            remedy += "; if these are percents, divide by 100"
        raise DataError.for_value(name, tuple(cell), value, exact(value), remedy)


SUM = {8: 1e-6, 4: 1e-3}
"""Greatest distance of the sum of a row's probabilities from 1, by the bytes of one; half precision is held in 4."""


class Probabilities(ClassScores):
    """The true class of each sample and the probability given to each class.

    As `ClassScores`, and each value is from 0 to 1 and each row sums to 1: to within 1e-6 for float64, and within 1e-3
    for float32 and float16, whose own rounding adds up over the classes. A row that does not is an error; it is never
    normalised. One probability per sample is that of the positive class of two, and is kept as it is.

    Examples
    --------
    >>> Probabilities.from_arrays([0, 1, 1], [0.2, 0.9, 0.6])
    <Probabilities: 3 samples, 2 classes>
    >>> Probabilities.from_arrays([0, 1], [[0.5, 0.6], [0.2, 0.8]])
    Traceback (most recent call last):
    certus.core.errors.DataError: the probabilities of y_prob at index 0 sum to 1.1;
    they must sum to 1, so divide by that
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_prob")

    @classmethod
    def from_arrays(cls, y_true: Any, other: Any, **conventions: Any) -> Self:
        """The validated columns; see `ClassScores.from_arrays`.

        Raises
        ------
        DataError
            As `ClassScores.from_arrays`, or a value is not a probability, or a row does not sum to 1.
        """
        data = super().from_arrays(y_true, other, **conventions)
        values = data.scores
        check_probabilities(values, "y_prob")
        if values.ndim == 2:
            off = np.abs(product(values, np.ones(values.shape[1])) - 1)
            if off.size and off.max() > SUM[values.itemsize]:
                row = int(np.argmax(off > SUM[values.itemsize]))
                total = float(values[row].sum(dtype=np.float64))
                raise DataError(
                    f"at index {row} sum to {total:.10g}",
                    "they must sum to 1, so divide by that",
                    argument="y_prob",
                    subject=f"the probabilities of {mention('y_prob')}",
                )
        return data
