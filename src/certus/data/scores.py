"""Binary truth and one real score per sample: what ROC and precision-recall metrics are functions of."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from certus import kernels
from certus.data._codes import coded, plain
from certus.data._columns import as_array, check_lengths, check_nulls, floats, sample_weights
from certus.errors import DataError

__all__ = ["Scores", "Steps"]

Floats = NDArray[np.float64]
Column = NDArray[np.floating[Any]]
"""Scores in the width in which they are compared."""


@dataclass(frozen=True, eq=False)
class Steps:
    """The distinct scores in decreasing order: the steps a threshold takes through the samples.

    Attributes
    ----------
    thresholds
        Each score that occurs, highest first, in its own width.
    positives, negatives
        How many positives and negatives have exactly that score, int64; with weights their sums, float64.
    """

    thresholds: Column
    positives: NDArray[Any]
    negatives: NDArray[Any]

    def __len__(self) -> int:
        return len(self.thresholds)

    @cached_property
    def true_positives(self) -> NDArray[Any]:
        """How many positives have at least that score."""
        return np.cumsum(self.positives)

    @cached_property
    def false_positives(self) -> NDArray[Any]:
        """How many negatives have at least that score."""
        return np.cumsum(self.negatives)


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Which samples are positive, and a score for each: the higher, the more likely positive.

    Only the order of scores and which of them are equal enter, so a score may be infinite; NaN is an error. float32 and
    float16 scores are compared as float32, everything else as float64; whole numbers that float64 would round are an
    error. Samples are counted in integers.

    Attributes
    ----------
    truth
        True for a positive sample.
    score
        One score per sample, float32 or float64.
    weights, groups
        One per sample; None where not given. Groups are numbered from 0. Samples of weight 0 are left out.

    Examples
    --------
    >>> data = Scores.of([1, 0, 1, 0], [0.9, 0.4, 0.4, 0.1])
    >>> data.positives, data.negatives
    (array([0.4, 0.9]), array([0.1, 0.4]))
    >>> data.steps.thresholds, data.steps.true_positives, data.steps.false_positives
    (array([0.9, 0.4, 0.1]), array([1, 2, 2]), array([0, 1, 2]))
    """

    arguments: ClassVar[tuple[str, str]] = ("y_true", "y_score")

    truth: NDArray[np.bool_]
    score: Column
    weights: Floats | None = None
    groups: NDArray[np.int64] | None = None

    @classmethod
    def fits(cls, y_true: Any, other: Any) -> bool:
        """Whether both have one value per sample."""
        return _axes(y_true) == 1 and _axes(other) == 1

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
        truth = _truth(y_true, labels, pos_label)
        score = floats(other, "y_score")
        given = sample_weights(sample_weight)
        clusters = None if groups is None else coded(groups, "groups").codes
        check_lengths(y_true=truth, y_score=score, sample_weight=given, groups=clusters)
        if given is not None and len(given):
            counts = given > 0
            if not counts.any():
                raise DataError("every sample_weight is 0; some sample must count")
            if not counts.all():
                truth, score, given = truth[counts], score[counts], given[counts]
                clusters = None if clusters is None else clusters[counts]
        if clusters is not None:
            clusters = np.unique(clusters, return_inverse=True)[1].astype(np.int64, copy=False)
        return cls(truth, score, given, clusters)

    def __len__(self) -> int:
        return len(self.truth)

    def __repr__(self) -> str:
        positives = int(self.truth.sum())
        return f"<Scores of {positives} positives and {len(self) - positives} negatives>"

    @cached_property
    def positives(self) -> Column:
        """The scores of the positives, ascending."""
        return self._sides[0]

    @cached_property
    def negatives(self) -> Column:
        """The scores of the negatives, ascending."""
        return self._sides[1]

    @cached_property
    def _sides(self) -> tuple[Column, Column]:
        return kernels.score_sides(self.score, self.truth)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Indices of the samples by decreasing score."""
        return np.ascontiguousarray(np.argsort(self.score)[::-1], dtype=np.int64)

    @cached_property
    def steps(self) -> Steps:
        """The distinct scores in decreasing order, and the positives and negatives that have each."""
        if self.weights is None:
            return Steps(*kernels.score_steps(self.positives, self.negatives))
        score = self.score[self.order]
        first = np.flatnonzero(np.concatenate(([True], score[1:] != score[:-1])) if len(score) else [])
        weights = self.weights[self.order]
        of_positives = np.where(self.truth[self.order], weights, 0.0)
        positives, negatives = (
            np.add.reduceat(each, first) if len(first) else np.zeros(0)
            for each in (of_positives, np.where(self.truth[self.order], 0.0, weights))
        )
        return Steps(score[first], positives, negatives)


def _axes(values: Any) -> int:
    """How many axes the input has, without converting it."""
    if isinstance(values, list | tuple):
        nested = bool(values) and (isinstance(values[0], list | tuple) or np.ndim(values[0]) > 0)
        return 1 + (_axes(values[0]) if nested else 0)
    return len(shape) if (shape := getattr(values, "shape", None)) is not None else 1


def _truth(y_true: Any, labels: Any, pos_label: Any) -> NDArray[np.bool_]:
    """Which samples are positive."""
    array = y_true if isinstance(y_true, np.ndarray) else None
    if array is None and isinstance(y_true, list | tuple):
        array = as_array(y_true, "y_true")
    if array is not None and array.dtype.kind == "b" and array.ndim == 1 and labels is None and pos_label is None:
        return np.ascontiguousarray(array)
    if array is not None and array.dtype.kind in "biuf" and array.ndim == 1:
        found = _two_numbers(array)
    else:
        column = coded(y_true if array is None else array, "y_true")
        array, found = column.codes, column.labels
        if len(found) > 2:
            raise _too_many(found)
        positive = _positive(found, labels, pos_label)
        code = next((code for code, label in enumerate(found) if label == positive), -1)
        return np.asarray(array == code)
    positive = _positive(found, labels, pos_label)
    return np.asarray(array == positive) if positive in found else np.zeros(len(array), dtype=np.bool_)


def _two_numbers(array: NDArray[Any]) -> tuple[Hashable, ...]:
    """The at most two labels of a column of numbers."""
    if not len(array):
        return ()
    first = array[0]
    others = array != first
    at = int(others.argmax())
    if not others[at]:
        check_nulls(array[:1], "y_true")
        return (plain(first, "y_true", 0),)
    second = array[at]
    if not (~others | (array == second)).all():
        check_nulls(array, "y_true")
        raise _too_many(np.unique(array).tolist())
    return (
        plain(first, "y_true", 0),
        plain(second, "y_true", at),
    )


def _too_many(found: Iterable[Hashable]) -> DataError:
    labels = list(found)
    shown = ", ".join(repr(label) for label in labels[:4]) + (", ..." if len(labels) > 4 else "")
    return DataError(
        f"y_true has {len(labels)} labels ({shown}); one score per sample tells two apart, "
        "more need one column of scores per label"
    )


def _positive(found: tuple[Hashable, ...], labels: Any, pos_label: Any) -> Hashable:
    """The positive label."""
    known = found
    if labels is not None:
        known = tuple(plain(each, "a label of labels") for each in as_array(labels, "labels"))
        if len(known) != 2 or len(set(known)) != 2:
            raise DataError(f"labels has {len(known)} labels; scores of a binary truth need two different ones")
        for label in found:
            if label not in known:
                raise DataError(f"y_true holds {label!r}, which is not in labels ({known[0]!r}, {known[1]!r})")
    if pos_label is not None:
        positive = plain(pos_label, "pos_label")
        if len(known) == 2 and positive not in known:
            raise DataError(f"pos_label is {positive!r}, which is not a label of y_true ({known[0]!r}, {known[1]!r})")
        return positive
    if all(isinstance(label, bool | int) for label in known) and (set(known) <= {0, 1} or set(known) <= {-1, 1}):
        return 1
    shown = " and ".join(repr(label) for label in known)
    raise DataError(f"the labels of y_true are {shown}; say which is the positive one with pos_label=")
