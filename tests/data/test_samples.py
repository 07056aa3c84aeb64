"""Lengths, index, weights and groups are checked alike by all data of samples."""

from inspect import signature
from typing import Any

import numpy as np
import pandas as pd
import pytest
from every_metric import case, cases

import certus.data
from certus import DataError
from certus.data import (
    ClassScores,
    Clustered,
    LabelGrades,
    Labels,
    Multilabel,
    MultilabelScores,
    Partition,
    Probabilities,
    Scores,
    Targets,
    Timings,
    Values,
)
from certus.data.samples import SampleData
from certus.inference import mean_interval
from certus.inference.tests.paired import paired
from certus.metrics import Metric

TRUTH, SCORE = np.array([0, 1, 1, 0]), np.array([0.5, 0.25, 0.75, 0.125])
TABLE, SCORES = np.array([[1, 0], [0, 1], [1, 1], [0, 0]]), np.column_stack([SCORE, 1 - SCORE])
DATA: dict[Any, tuple[Any, ...]] = {
    Labels: (TRUTH, TRUTH),
    Scores: (TRUTH, SCORE),
    ClassScores: (TRUTH, SCORES),
    Probabilities: (TRUTH, SCORE),
    Multilabel: (TABLE, TABLE),
    MultilabelScores: (TABLE, SCORES),
    LabelGrades: (TABLE, SCORES),
    Partition: (TRUTH, TRUTH),
    Targets: (SCORE, SCORE),
    Values: (SCORE,),
    Clustered: (SCORES, TRUTH),
    Timings: (SCORE,),
    **{getattr(certus.data, name): (TRUTH,) for name in ("Sizes", "Holdings", "Staleness", "Updates")},
}
WEIGHED = [kind for kind in DATA if {"sample_weight", "conventions"} & {*signature(kind.from_arrays).parameters}]
BROKEN_WEIGHTS: dict[str, tuple[list[Any], str]] = {
    "short": ([1.0], r"has 4 \w+ but sample_weight has 1; they must pair up one to one"),
    "negative": ([1, 1, -2, 1], "sample_weight is -2 at index 2; it must be at least 0"),
    "NaN": ([1, 1, 1, np.nan], "sample_weight is NaN at index 3"),
    "infinite": ([np.inf, 1, 1, 1], "sample_weight is infinite at index 0"),
    "text": (["1"] * 4, "sample_weight holds text; it must hold numbers"),
    "zeros": ([0, 0, 0, 0], "every sample_weight is 0; some sample must count"),
    "too great": ([1e200, 1, 1, 1], r"sample_weight is 1e\+200 at index 0, the greatest"),
    "too small": ([1, 1, 1e-310, 1], "sample_weight is 1e-310 at index 2 but 1 at index 0"),
}


def made(kind: Any, *data: Any, **conventions: Any) -> Any:
    return kind.from_arrays(*(data or DATA[kind]), **conventions)


def test_every_class_of_data_of_samples_is_here() -> None:
    classes = {getattr(certus.data, name) for name in certus.data.__all__}
    assert {each for each in classes if issubclass(each, SampleData)} | {Timings} == set(DATA)


@pytest.mark.parametrize("kind", DATA)
def test_columns_and_groups_have_one_length_and_one_order(kind: Any) -> None:
    first, name = kind.arguments[0], kind.arguments[-1]
    with pytest.raises(DataError, match=f"{first} has 4 samples but groups has 2; they must pair up one to one"):
        made(kind, groups=[1, 2])
    with pytest.raises(DataError, match=r"groups has no value \(None\) at index 3"):
        made(kind, groups=[1, 2, 3, None])
    groups = pd.Series(list("abcd"), index=[3, 2, 1, 0])
    *others, last = DATA[kind]
    given = pd.DataFrame(last) if last.ndim == 2 else pd.Series(last)
    with pytest.raises(DataError, match=f"groups has the index labels of {name} in another order"):
        made(kind, *others, given, groups=groups)
    if others:
        with pytest.raises(DataError, match=f"{first} has 4 samples but {name} has 3; they must pair up one to one"):
            made(kind, *others, last[:3])
    assert made(kind, groups=["b", "a", "b", "c"]).groups.tolist() == [1, 0, 1, 2]
    assert (made(kind).groups, made(kind).weights) == (None, None)


@pytest.mark.parametrize("kind", WEIGHED)
@pytest.mark.parametrize(("weights", "message"), BROKEN_WEIGHTS.values(), ids=BROKEN_WEIGHTS)
def test_weights_that_are_none_are_refused(kind: Any, weights: list[Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        made(kind, sample_weight=weights)


@pytest.mark.parametrize("kind", WEIGHED)
def test_samples_of_weight_0_are_left_out_and_weights_of_1_are_none(kind: Any) -> None:
    data = made(kind, sample_weight=[0.5, 0, 2, 0], groups=["c", "a", "a", "b"])
    alone = made(kind, *(column[[0, 2]] for column in DATA[kind]))
    assert (len(data), data.units, data.unit) == (len(alone), 2, "group")
    assert (data.weights.tolist(), data.groups.tolist()) == ([0.5, 2.0], [1, 0])
    for name in ("true", "predicted", "truth", "score", "scores", "grades", "values", "codes"):
        if hasattr(alone, name):
            np.testing.assert_array_equal(getattr(data, name), getattr(alone, name))
    assert made(kind, sample_weight=[1, 1, 1.0, 1]).weights is None
    assert made(kind, sample_weight=[1, 0, 1, 1]).weights is None


UNIT_WEIGHED = [
    (task, metric) for task, metric in cases(variant=False) if "sample_weight" in signature(metric).parameters
]


def told(metric: Metric, columns: tuple[np.ndarray, ...], **conventions: object) -> list[object]:
    """All that is known of each of the metric's values."""
    found = metric(*columns, **conventions)
    return [
        (str(each.value), each.n, each.reason, each.methods, *map(str, each.interval()), each.interval().reason)
        for each in (found.values() if hasattr(found, "values") else [found])
    ]


@pytest.mark.parametrize(("task", "metric"), UNIT_WEIGHED, ids=str)
def test_weights_of_1_are_the_same_as_none_and_samples_of_weight_0_are_left_out(task: str, metric: Metric) -> None:
    columns = case(task, metric, n=48).given
    for perfect in (False, True):
        if perfect and len(columns) == 2 and columns[0].shape == columns[1].shape:
            columns = columns[0], columns[0]
        n = len(columns[0])
        groups = np.arange(n) // 3
        zero = np.arange(n) % 8 < 6
        some = tuple(each[zero] for each in columns)
        for more in ({}, {"groups": groups}):
            fewer = {name: each[zero] for name, each in more.items()}
            plain = told(metric, columns, **more)
            assert told(metric, columns, sample_weight=np.ones(n), **more) == plain
            assert told(metric, columns, sample_weight=[1] * n, **more) == plain
            assert told(metric, columns, sample_weight=zero.astype(float), **more) == told(metric, some, **fewer)


@pytest.mark.parametrize("groups", [None, np.arange(30) // 2])
def test_equal_weights_of_values_are_the_same_as_none(groups: np.ndarray | None) -> None:
    values = np.repeat([1.0, 0.5, 0.9], [27, 2, 1])
    for weight in (1, 0.1):
        weights = np.full(30, weight)
        assert mean_interval(values, groups=groups, weights=weights) == mean_interval(values, groups=groups)
        weighed, plain = (paired(values, values[::-1], groups=groups, weights=each) for each in (weights, None))
        assert str(weighed) == str(plain)
        assert weighed.p == plain.p
