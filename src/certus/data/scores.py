"""Binary truth and one real score per sample: what ROC and precision-recall metrics are functions of."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from certus.core import kernels
from certus.core.arrays import Floats
from certus.core.errors import DataError, called, keyword
from certus.core.exact import rank_of
from certus.core.missing import check_missing
from certus.data.classes import (
    check_positive,
    chosen_classes,
    list_labels,
    name_of_column,
    positive_label,
    unknown_positive,
)
from certus.data.codes import coded, normalize_label
from certus.data.columns import as_array, check_nulls, ordered_floats
from certus.data.samples import PairedSamples, pair_samples

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
    distinct: NDArray[Any] | None = None

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
        truth, all_labels, positive = _truth(y_true, labels, pos_label)
        check_positive(name_of_column(other), all_labels, positive, "y_score")
        score, distinct = ordered_floats(other, "y_score")
        given = {"y_true": y_true, "y_score": other}
        (truth, score), weights, clusters = pair_samples(given, (truth, score), sample_weight, groups)
        return cls(truth, score, weights, clusters, distinct)

    def __len__(self) -> int:
        return len(self.truth)

    def __repr__(self) -> str:
        positives = int(self.truth.sum())
        return f"<Scores of {positives} positives and {len(self) - positives} negatives>"

    def taken(self, index: Any) -> "Scores":
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
        return kernels.score_sides(self.score, self.truth)

    def ordered_sides(self) -> tuple[Column, Column]:
        """Numbers in the order of the scores, ascending: of the positives, and of the negatives."""
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


_LABELS_OF_TRUTH = f"the labels of {called('y_true')}"
BLOCK = 1 << 20
BYTES_PER_SAMPLE = 48
"""Bytes for each sample, where something is computed of each."""


class MarkedScores(Scores):
    """A byte for each sample, by decreasing score: AUC, AP and KS of scores that do not fit into memory need no more.

    Parameters
    ----------
    marks
        As for `Ordered`.
    memory
        Bytes that what is computed of each sample may take; None is no limit.

    Examples
    --------
    >>> MarkedScores(np.array([3, 1, 2, 2], dtype=np.uint8))
    <Scores of 2 positives and 2 negatives>
    """

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
        """Numbers in the order of the scores, ascending: of the positives, and of the negatives."""
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
        check_missing(tuple, "y_true", int)
        return np.ascontiguousarray(array), (False, True), True
    present = _labels_of(array)
    check_missing(lambda: present, "y_true", lambda number: int(np.argmax(array == present[number])))
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
