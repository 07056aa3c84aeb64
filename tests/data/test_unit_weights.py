"""Weights that are all 1, and samples of weight 0."""

from inspect import signature

import numpy as np
import pytest
from every_metric import case, cases

from certus.inference import mean_interval
from certus.inference.tests.paired import paired
from certus.metrics import Metric

WEIGHED = [(task, metric) for task, metric in cases(variant=False) if "sample_weight" in signature(metric).parameters]


def told(metric: Metric, columns: tuple[np.ndarray, ...], **conventions: object) -> list[object]:
    """All that is known of each of the metric's values."""
    found = metric(*columns, **conventions)
    return [
        (str(each.value), each.n, each.reason, each.methods, *map(str, each.interval()), each.interval().reason)
        for each in (found.values() if hasattr(found, "values") else [found])
    ]


@pytest.mark.parametrize(("task", "metric"), WEIGHED, ids=str)
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
