"""Two classifiers on the same samples: statistics of each metric that can be paired sample by sample."""

from collections.abc import Hashable
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from certus.core.errors import CertusError, DataError, keyword
from certus.data import ClassScores, LabelGrades, Labels, Multilabel, MultilabelScores, Scores
from certus.data.classes import MOST_CLASSES
from certus.data.columns import Coded, sorted_labels
from certus.evaluation.call import check_weights_allowed
from certus.inference.tests.difference import difference
from certus.inference.tests.pairs import pair_ranks
from certus.inference.tests.result import Paired
from certus.metrics import Metric
from certus.statistic import Influence, Mean, Plugin, Proportion, Ratio, Statistic, TableFunction
from certus.statistic.common import Resample, plural

Classified: TypeAlias = Labels | Scores | ClassScores | Multilabel | MultilabelScores | LabelGrades
"""Prepared data of a classifier; `certus.data.Probabilities` are class scores."""

ROUNDING = 1e-9


def compare_classifiers(metric: Metric, a: Classified, b: Classified, **options: Any) -> Paired:
    """Compare two classifiers by a metric on the same samples, or on their groups if the data have groups."""
    of_a, of_b, unit, resample = statistics_of(metric, a, b)
    bounds = getattr(of_a, "bounds", None) or metric.bounds
    return difference(of_a, of_b, bounds=bounds, unit=unit, resample=resample, **options)


def statistics_of(metric: Metric, a: Classified, b: Classified) -> tuple[Statistic, Statistic, str, Resample | None]:
    """Statistics of both systems with their samples, the name of a unit, and joint bootstrap replicates."""
    if type(a) is not type(b):
        problem = f"is {type(a).__name__} but b is {type(b).__name__}"
        raise DataError(problem, "give predictions of one kind for both", argument="a")
    check_weights_allowed(metric, {"sample_weight": a.weights})
    first: Classified = a
    second: Classified = b
    if isinstance(a, Labels) and isinstance(b, Labels):
        first, second = _same_classes(a, b)
    else:
        _check_truth(a, b)
    for name, of_a_units, of_b_units in (("sample_weight", a.weights, b.weights), ("groups", a.groups, b.groups)):
        if not _equal(of_a_units, of_b_units):
            raise DataError("of a and b differ", "a paired comparison needs the same for both", argument=name)
    of_a, of_b = (_single_statistic(metric, data) for data in (first, second))
    if isinstance(a, Labels) and isinstance(b, Labels):
        _check_values(metric, (a, b), (of_a, of_b))
    unit, resample = of_a.unit if isinstance(of_a, Mean | Ratio) else a.unit, None
    if isinstance(of_a, Influence) and isinstance(of_b, Influence):
        resample = partial(_joint_resamples, metric, first, second)
    elif any(isinstance(pair_statistic, Proportion | Plugin | TableFunction) for pair_statistic in (of_a, of_b)):
        # each sample is a group of its own: the statistics then say which samples they are made of
        if a.groups is None:
            first, second = (replace(data, groups=np.arange(len(data))) for data in (first, second))
        of_a, of_b = (_single_statistic(metric, data) for data in (first, second))
    for name, statistic in (("a", of_a), ("b", of_b)):
        if statistic.n != a.units and not isinstance(statistic, Proportion):
            raise DataError(
                f"{metric} of {name} leaves out samples: it is of {statistic.n} of {a.units} {a.unit} units, so "
                "the two systems do not pair up",
                "list all classes, or count undefined samples as a number",
            )
    return of_a, of_b, unit, resample


def _single_statistic(metric: Metric, data: Classified) -> Statistic:
    """Compute a metric's statistic; refuse a metric with a value for each class."""
    statistic = metric.compute(data)
    if isinstance(statistic, dict):
        raise DataError(f"{metric} gives a value for each class", "a comparison needs one number, choose an average")
    return statistic


def _joint_resamples(
    metric: Metric, a: Classified, b: Classified, replicates: int, seed: int, stratified: bool
) -> NDArray[np.float64]:
    """Bootstrap replicates of the difference; both systems share the resampled units."""
    if stratified:
        raise CertusError("is True but the units of a difference have no strata", "leave it out", argument="stratified")
    values = []
    ranks = _ranks(a, b)
    for data in (a, b):
        resample = getattr(_single_statistic(metric, replace(data, groups=ranks)), "resample", None)
        if resample is None:
            raise CertusError(f"{metric} cannot be resampled", "take another interval method")
        values.append(resample(replicates, seed, False))
    return np.asarray(values[0] - values[1])


def _ranks(a: Classified, b: Classified) -> NDArray[np.int64]:
    """Unit of each sample: its group, or a rank by truth, weight and both systems' scores."""
    if a.groups is not None:
        return a.groups
    columns = [] if a.weights is None else [a.weights]
    if isinstance(a, Scores) and isinstance(b, Scores):
        return pair_ranks(np.asarray(a.score), np.asarray(b.score), a.truth, *columns)
    if isinstance(a, ClassScores | MultilabelScores) and isinstance(b, ClassScores | MultilabelScores):
        return pair_ranks(a.scores, b.scores, a.true, *columns)
    return np.arange(len(a))


def _equal(a: Any, b: Any) -> bool:
    """True if both are equal arrays or both None."""
    return a is b or (a is not None and b is not None and np.array_equal(a, b))


def _check_truth(a: Any, b: Any) -> None:
    """Refuse data with different samples or classes."""
    for noun in ("classes", "selected", "positive"):
        if not _equal(getattr(a, noun, None), getattr(b, noun, None)):
            raise DataError(
                f"the {noun} of a and b differ",
                f"give both the same truth, {keyword('labels')} and {keyword('pos_label')}",
                argument="labels",
                subject="",
            )
    truth = next(name for name in ("truth", "true", "grades") if hasattr(a, name))
    _check_equal(getattr(a, truth), getattr(b, truth))


def _check_equal(a: NDArray[Any], b: NDArray[Any]) -> None:
    """Refuse true values of two systems that differ in length or in any sample."""
    if len(a) != len(b):
        problem = f"has {plural(len(a), 'sample')} but b has {len(b)}"
        raise DataError(problem, "a paired comparison needs the same ones", argument="a")
    differs = (a != b).reshape(len(a), -1).any(axis=1) if a.size else np.zeros(0, dtype=bool)
    if differs.any():
        problem = f"the truth of a and b differs at index {int(differs.argmax())}"
        raise DataError(problem, "a paired comparison needs the same samples")


def _same_classes(a: Labels, b: Labels) -> tuple[Labels, Labels]:
    """Both data with the union of their classes; without groups each sample is its own group."""
    chosen = None if a.has_all_classes and b.has_all_classes else len(a.selected)
    if not (a.has_all_classes and b.has_all_classes) and a.classes[: len(a.selected)] != b.classes[: len(b.selected)]:
        raise DataError(
            "of a and b differ",
            "a paired comparison needs the same for both",
            argument="labels",
            subject=keyword("labels"),
        )
    if a.positive is not None and b.positive is not None and a.classes[a.positive] != b.classes[b.positive]:
        raise DataError(
            f"of a is {a.classes[a.positive]!r} but that of b {b.classes[b.positive]!r}",
            "give both the same",
            argument="pos_label",
        )
    classes, in_order = _union(a, b, chosen)
    index_of_label = {label: index for index, label in enumerate(classes)}
    columns = []
    for data in (a, b):
        class_indices = np.array([index_of_label[label] for label in data.classes], dtype=np.int64)
        columns.append((class_indices[data.true], class_indices[data.predicted]))
    _check_equal(columns[0][0], columns[1][0])
    label = a._pos_label if a._pos_label is not None else b._pos_label
    joined_data = []
    for data, (true, predicted) in zip((a, b), columns, strict=True):
        counts = None
        if len(classes) <= MOST_CLASSES:
            counts = np.bincount(true * len(classes) + predicted, data.weights, len(classes) ** 2)
            counts = counts.reshape(len(classes), len(classes))
        kind = data._columns[0].kind if data._columns else None
        coded = (Coded(true, classes, kind), Coded(predicted, classes, kind))
        groups = np.arange(data.n) if data.groups is None else data.groups
        labels = (classes, counts, None, data.weights, groups, data.n, in_order, chosen, label, coded)
        joined_data.append(Labels(*labels, paired=True))
    return joined_data[0], joined_data[1]


def _union(a: Labels, b: Labels, chosen: int | None) -> tuple[tuple[Hashable, ...], bool]:
    """Classes of both systems in one order, listed ones first; and True if that order is defined."""
    if a.classes == b.classes:
        return a.classes, a.sorted and b.sorted
    labels = a.classes[: chosen or 0]
    other_labels = tuple(dict.fromkeys(label for label in (*a.classes, *b.classes) if label not in set(labels)))
    for column in (*(a._columns or ()), *(b._columns or ())):
        if column.order is not None and set(other_labels) <= set(column.order):
            return (*labels, *(label for label in column.order if label in set(other_labels))), True
    other_labels, in_order = sorted_labels(other_labels)
    return (*labels, *other_labels), in_order or not other_labels


def _check_values(metric: Metric, given: tuple[Labels, Labels], same_values: tuple[Statistic, Statistic]) -> None:
    """Refuse a metric whose value changes if the other system's classes are added."""
    if given[0].classes == given[1].classes:
        return
    for name, data, statistic in zip(("a", "b"), given, same_values, strict=True):
        single = _single_statistic(metric, data)
        equal = single.value == statistic.value or abs(single.value - statistic.value) <= ROUNDING
        if not equal and not (single.reason and statistic.reason):
            other = given[1] if name == "a" else given[0]
            extra = next(label for label in other.classes if label not in set(data.classes))
            raise DataError(
                f"{metric} of {name} is {single.value:.6g} over its own classes, but another number when {extra!r} is "
                "a class too, which only the other system predicts",
                f"say with {keyword('labels')} which classes are averaged",
                argument="labels",
                subject="",
            )
