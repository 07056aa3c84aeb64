"""Default intervals of all forms: nested over levels, and the same in any order of rows."""

import math
from inspect import signature
from itertools import pairwise

import numpy as np
import pytest
from every_metric import case, cases

from certus.inference import Estimate
from certus.metrics import Metric

LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
ROUNDING = 1e-9


def estimates(metric: Metric, columns: tuple[np.ndarray, ...], **conventions: object) -> list[Estimate]:
    """The metric's estimates, one of each value."""
    found = metric(*columns, **conventions)
    return list(found.values()) if hasattr(found, "values") else [found]


def settings(task: str, metric: Metric) -> list[tuple[tuple[np.ndarray, ...], dict[str, np.ndarray]]]:
    """Ordinary and nearly perfect data, alone, with weights and with groups named by text."""
    columns = case(task, metric, n=48).given
    random = np.random.default_rng(1)
    found = [columns]
    if len(columns) == 2 and columns[0].shape == columns[1].shape:
        near = columns[0].copy()
        near[:2] = columns[1][:2]
        found.append((columns[0], near))
    known = signature(metric).parameters
    weights = {"sample_weight": random.integers(1, 5, 48) / 2.0} if "sample_weight" in known else None
    groups = {"groups": np.array([f"g{x}" for x in random.permutation(48) // 3])} if "groups" in known else None
    return [(each, more) for each in found for more in ({}, weights, groups) if more is not None]


@pytest.mark.parametrize(("task", "metric"), cases(variant=False), ids=str)
def test_default_intervals_are_nested_over_levels(task: str, metric: Metric) -> None:
    for columns, more in settings(task, metric):
        for estimate in estimates(metric, columns, **more):
            limits = [estimate.interval(level)[:2] for level in LEVELS]
            there = [each for each in limits if not math.isnan(each[0])]
            slack = ROUNDING * max(1.0, abs(estimate.value)) if math.isfinite(estimate.value) else 0.0
            for (low, high), (lower, higher) in pairwise(there):
                assert lower <= low + slack
                assert high - slack <= higher


@pytest.mark.parametrize(("task", "metric"), cases(variant=False), ids=str)
def test_default_intervals_do_not_depend_on_the_order_of_rows(task: str, metric: Metric) -> None:
    order = np.random.default_rng(2).permutation(48)
    for columns, more in settings(task, metric):
        moved = {name: each[order] for name, each in more.items()}
        there = estimates(metric, columns, **more)
        for one, other in zip(there, estimates(metric, tuple(each[order] for each in columns), **moved), strict=True):
            np.testing.assert_allclose(other.interval()[:2], one.interval()[:2], rtol=1e-9, atol=1e-12)
