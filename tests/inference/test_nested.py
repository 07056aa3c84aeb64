"""Default intervals of all forms are nested over levels."""

import math
from inspect import signature
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from every_metric import Case, case, cases

from certus.metrics import Metric

LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
ROUNDING = 1e-9


def settings(task: str, metric: Metric) -> list[tuple[Case, dict[str, Any]]]:
    """Ordinary and nearly perfect data, alone, with weights and with groups named by text."""
    data = case(task, metric, n=48)
    random = np.random.default_rng(1)
    found = [data]
    if len(data.given) == 2 and data.given[0].shape == data.given[1].shape:
        near = data.given[0].copy()
        near[:2] = data.given[1][:2]
        found.append(data._replace(given=(data.given[0], near)))
    columns: dict[str, Any] = {
        "sample_weight": random.integers(1, 5, 48) / 2.0,
        "groups": np.array([f"g{x}" for x in random.permutation(48) // 3]),
    }
    more = [{name: column} for name, column in columns.items() if name in signature(metric).parameters]
    return [(each, given) for each in found for given in ({}, *more)]


@pytest.mark.parametrize(("task", "metric"), cases(variant=False), ids=str)
def test_default_intervals_are_nested_over_levels(task: str, metric: Metric) -> None:
    for data, more in settings(task, metric):
        for estimate in data.of(**more):
            limits = [estimate.interval(level)[:2] for level in LEVELS]
            there = [each for each in limits if not math.isnan(each[0])]
            slack = ROUNDING * max(1.0, abs(estimate.value)) if math.isfinite(estimate.value) else 0.0
            for (low, high), (lower, higher) in pairwise(there):
                assert lower <= low + slack
                assert high - slack <= higher
