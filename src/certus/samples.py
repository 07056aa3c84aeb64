"""Truth, predicted labels and scores of samples, prepared once however many metrics are computed from them."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certus.data import ClassScores, Labels, Multilabel, Probabilities
from certus.data._class_columns import check_positive, name_of_column, named_in_order, names_of
from certus.data._classes import chosen_classes, usual_positive
from certus.data._codes import coded, sorted_labels
from certus.data._columns import as_array, axes, check_lengths, flat, is_column, sample_weights
from certus.data._index import check_index
from certus.data.prepare import check_asked
from certus.errors import DataError, MetricNameError, called
from certus.inference import Estimate
from certus.metrics import Metric
from certus.printable import exact
from certus.statistic import counted

__all__ = ["Samples"]

MOST_PARTS = 1_000
"""Subgroups that samples can be split into."""


class Samples:
    """What is known of some samples.

    Parameters
    ----------
    y_true
        True labels, or a table of 0 and 1 with a column for each label.
    y_pred, y_score
        Predicted labels, and scores; None where there are none. Of two columns of scores, one for each of two classes,
        that of the positive class is kept.
    conventions
        ``labels``, ``pos_label``, ``sample_weight`` and ``groups`` of every metric; None where not given.
    score_labels
        The classes of the columns of `y_score`, as ``labels`` of `ClassScores.of`; None takes ``labels``, or the sorted
        labels of `y_true`.
    """

    def __init__(
        self, y_true: Any, y_pred: Any, y_score: Any, conventions: Mapping[str, Any], score_labels: Any = None
    ) -> None:
        self.y_true, self.y_pred, self.y_score = y_true, y_pred, y_score
        self.conventions = dict(conventions)
        self.score_labels = self.conventions["labels"] if score_labels is None else score_labels
        self._made: dict[type, Any] = {}
        self._parts: list[Samples] = []
        columns_of_scores = y_score is not None and as_array(y_score, "y_score").ndim == 2
        self._labels_name_scores = columns_of_scores and score_labels is None
        others = [axes(other) == 2 and is_column(other) for other in (y_pred, y_score) if other is not None]
        if axes(y_true) == 2 and is_column(y_true) and not all(others):
            self.y_true = y_true = flat(as_array(y_true, "y_true"))
        self.multilabel = as_array(y_true, "y_true").ndim == 2
        check_index(y_true=y_true, y_pred=y_pred, y_score=y_score, **_per_sample(self.conventions))
        if y_score is not None and not self.multilabel:
            self.y_score = self._scores()

    def _scores(self) -> NDArray[Any]:
        """The scores; of two columns that of the positive class, of more those of known classes in their order."""
        scores = as_array(self.y_score, "y_score")
        if scores.ndim == 1 or scores.shape[1:] == (1,):
            classes = coded(self.y_true, "y_true").labels
            label = self.conventions["pos_label"]
            positive = usual_positive(classes) if label is None else label
            if positive is not None:
                check_positive(name_of_column(self.y_score), classes, positive, "y_score")
            return scores.reshape(-1)
        named = names_of(self.y_score)
        if scores.ndim > 2 or (scores.shape[1] != 2 and named is None):
            return scores
        data = ClassScores.of(self.y_true, self.y_score, labels=self._classes_named(named))
        known = self.score_labels = data.classes
        if len(known) != 2:
            return data.scores
        labels = Labels.of(known, known, pos_label=self.conventions["pos_label"])
        return data.scores[:, known.index(labels.classes[labels.positive_class() or 0])]

    def _classes_named(self, names: tuple[Any, ...] | None) -> Any:
        """The classes of the scores: averages need not run over all that columns are named after."""
        chosen = self.conventions["labels"]
        if names is None or chosen is None or self.score_labels is not chosen:
            return self.score_labels
        known = dict.fromkeys([*(chosen_classes(chosen) or ()), *coded(self.y_true, "y_true").labels])
        found = named_in_order(self.y_score, known)
        return chosen if None in found or set(found) == set(chosen) else sorted_labels(found)[0]

    @property
    def counted(self) -> str:
        """How many samples there are, in words, with their weight and their groups."""
        parts = [counted(len(as_array(self.y_true, "y_true")), "sample")]
        if (weights := sample_weights(self.conventions["sample_weight"])) is not None:
            parts.append(f"of total weight {weights.sum():.10g}")
        if (groups := self.conventions["groups"]) is not None:
            parts.append(f"in {counted(len(coded(groups, 'groups').labels), 'group')}")
        return " ".join(parts)

    @property
    def labels(self) -> Labels | Multilabel:
        """Truth and predicted labels."""
        data: Labels | Multilabel = self.prepared((Labels, Multilabel))
        return data

    @property
    def class_scores(self) -> bool:
        """Whether there is a score for each of several classes or labels."""
        return self.y_score is not None and (self.multilabel or self.y_score.ndim == 2)

    @property
    def positive(self) -> Hashable:
        """The positive class of one score per sample."""
        data: ClassScores = self.prepared((ClassScores,))
        label: Hashable = self.conventions["pos_label"]
        return label if data.positive is None else data.classes[data.positive]

    def prepared(self, takes: tuple[type, ...]) -> Any:
        """The data as the first of the classes that they fit.

        Raises
        ------
        DataError
            They fit none, or are not valid.
        """
        if not takes:
            raise DataError(
                "its function does not say which data it takes; annotate its first parameter, as with Labels"
            )
        wanted = set()
        for kind in takes:
            other, name = (self.y_pred, "y_pred") if _of_labels(kind) else (self.y_score, "y_score")
            wanted.add(name)
            if other is None:
                continue
            if kind not in self._made and kind.fits(self.y_true, other):  # type: ignore[attr-defined]
                self._made[kind] = kind.of(self.y_true, other, **self._conventions_for(kind))  # type: ignore[attr-defined]
            if kind in self._made:
                return self._made[kind]
        needed = " or ".join(map(called, sorted(wanted)))
        kinds = " or ".join(kind.__name__ for kind in takes)
        given = {"y_pred": self.y_pred, "y_score": self.y_score}
        if all(given[name] is None for name in wanted):
            raise DataError(f"it is computed from {needed}, which is not given")
        raise DataError(
            f"it is computed from {kinds}; the shapes of {called('y_true')} and {needed} are not those of such data"
        )

    def _conventions_for(self, kind: type) -> dict[str, Any]:
        if issubclass(kind, ClassScores):
            one = as_array(self.y_score, "y_score").ndim == 1
            return {**self.conventions, "labels": None if one else self.score_labels}
        return self.conventions

    def check_used(self, metrics: Sequence[Metric]) -> None:
        """Refuse conventions that nothing computed from the samples has had a use for.

        Raises
        ------
        MetricNameError
            There are such.
        """
        made = {kind: data for part in (self, *self._parts) for kind, data in part._made.items()}
        every = [data for part in (self, *self._parts) for data in part._made.values()]
        check_asked(self.conventions["pos_label"], every, metrics)
        used = self._labels_name_scores or any(map(_of_labels, made))
        if self.conventions["labels"] is not None and not used:
            raise MetricNameError(
                f"{called('labels')} are for metrics of predicted labels, and there are none; leave them out"
            )

    def why_not_probabilities(self) -> str:
        """Why the scores cannot be probabilities; empty where they can."""
        scores: NDArray[Any] = self.y_score
        if scores.size and not (scores.min() >= 0 and scores.max() <= 1):
            return f"they go from {exact(scores.min())} to {exact(scores.max())}"
        try:
            self.prepared((Probabilities,))
        except DataError as error:
            return str(error)
        return ""

    def estimates(self, metric: Metric) -> Iterator[tuple[Hashable, Estimate]]:
        """The estimate of a metric beside None, or that of each class beside its label.

        Raises
        ------
        DataError
            The metric cannot be computed from these samples; the message names it.
        """
        if self.conventions["sample_weight"] is not None and not metric.weighted:
            raise DataError(f"{metric.name} has no meaning for weighted samples; leave out {called('sample_weight')}")
        try:
            statistic = metric.compute(self.prepared(metric.takes))
        except DataError as error:
            raise DataError(f"{metric}: {error}") from None
        for label, one in (statistic if isinstance(statistic, dict) else {None: statistic}).items():
            yield label, Estimate(one, str(metric), metric.bounds, dict(metric.conventions))

    def parts(self, by: Any) -> Iterator[tuple[str, "Samples"]]:
        """The samples of each value of `by`, in the order of the values.

        Raises
        ------
        DataError
            `by` does not pair up with the samples, or has too many values.
        """
        check_index(y_true=self.y_true, by=by)
        column = coded(by, "by")
        n = check_lengths(y_true=as_array(self.y_true, "y_true"), by=column.codes)
        if len(column.labels) > MOST_PARTS:
            raise DataError(
                f"{called('by')} has {len(column.labels)} different values; at most {MOST_PARTS} subgroups are reported"
            )
        order = np.argsort(column.codes, kind="stable")
        ends = np.cumsum(np.bincount(column.codes, minlength=len(column.labels)))
        samples = dict(zip(column.labels, np.split(order, ends), strict=False))
        for label in sorted_labels(column.labels)[0]:
            index = samples[label]
            conventions = {
                name: value if name in ("labels", "pos_label") else _taken(value, index, n)
                for name, value in self.conventions.items()
            }
            truth, predicted, scores = (_taken(each, index, n) for each in (self.y_true, self.y_pred, self.y_score))
            part = Samples(truth, predicted, scores, conventions, self._classes_of_scores)
            self._parts.append(part)
            yield str(label), part

    @cached_property
    def _classes_of_scores(self) -> Any:
        """The classes of the columns of scores; a subgroup may lack some in its truth."""
        return self.prepared((ClassScores,)).classes if self.class_scores and not self.multilabel else self.score_labels


def _per_sample(conventions: Mapping[str, Any]) -> dict[str, Any]:
    """The conventions that are columns."""
    return {name: value for name, value in conventions.items() if name not in ("labels", "pos_label")}


def _of_labels(kind: type) -> bool:
    return getattr(kind, "arguments", ("", "y_score"))[1] == "y_pred"


def _taken(values: Any, index: NDArray[np.intp], n: int) -> Any:
    """Some of the samples of a column or a table."""
    if values is None:
        return None
    if hasattr(values, "iloc"):
        return values.iloc[index]
    array = as_array(values, "a column")
    check_lengths(y_true=np.empty(n), **{"a column": array})
    return array[index]
