"""True classes and one real score per class: what multiclass metrics of scores are computed from."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus.core.arrays import product
from certus.core.errors import DataError, called, keyword
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
from certus.data.codes import Coded, coded, sorted_labels
from certus.data.columns import Reals, as_array, float_matrix, floats_or_matrix, is_column
from certus.data.samples import SampleData, pair_samples
from certus.statistic.common import plural


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

    def __len__(self) -> int:
        return len(self.true)

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
        given = {"y_true": y_true, name: other}
        (selected, scores), weights, clusters = pair_samples(given, (column, scores), sample_weight, groups)
        classes, true = _class_indices(column, selected, labels, other)
        order = order_of_columns(other, classes, labels is not None, name) if scores.ndim == 2 else None
        if order is not None:
            scores = float_matrix(scores[:, order], name)
        if scores.ndim == 2 and scores.shape[1] != len(classes):
            raise DataError(
                f"has {plural(scores.shape[1], 'column')} but {called('y_true' if labels is None else 'labels')} has "
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
        positive = _positive(classes, pos_label, needed=scores.ndim == 1)
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
                subject=f"the labels of {called('y_true')}",
            )
    index_of = {label: index for index, label in enumerate(classes)}
    for label in column.labels:
        if label not in index_of:
            raise DataError(f"holds {label!r}, which is not among the labels {list_labels(classes)}", argument="y_true")
    new_codes = [index_of[label] for label in selected.labels]
    is_ordered = new_codes == list(range(len(new_codes)))
    return classes, selected.codes if is_ordered else np.array(new_codes, dtype=np.int32)[selected.codes]


def _positive(classes: tuple[Hashable, ...], pos_label: Any, *, needed: bool) -> int | None:
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
        raise DataError.of_cell(name, tuple(cell), value, exact(value), "a probability is from 0 to 1")


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
                    subject=f"the probabilities of {called('y_prob')}",
                )
        return data
