"""The order of rows changes no value and no limit, to the last bit."""

import math
from typing import Any

import numpy as np
import pytest
from every_metric import Case, case, cases

from certus.errors import CertusError
from certus.inference import Estimate
from certus.metrics import Metric

UNITS = ("samples", "weights", "groups")
SIZES = (7, pytest.param(25, marks=pytest.mark.thorough))


def limits(estimate: Estimate, method: str | None) -> tuple[float, float]:
    """The limits; NaN where the method refuses the data."""
    try:
        low, high = estimate.interval(method=method, replicates=50)
    except CertusError:
        return math.nan, math.nan
    return low, high


def same(one: Any, other: Any) -> bool:
    return np.array_equal(one, other, equal_nan=True)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize(("task", "metric"), cases(variant=False), ids=str)
def test_no_order_of_rows_changes_a_bit_of_a_value_or_of_limits(task: str, metric: Metric, units: str, n: int) -> None:
    random = np.random.default_rng(n)
    every: dict[str, dict[str, Any]] = {
        "samples": {},
        "weights": {"weights": np.round(random.random(n) + 0.1, 1)},
        "groups": {"groups": random.integers(0, 1 + n // 3, n)},
    }
    columns = every[units]
    data, order = case(task, metric, n=n, seed=n), random.permutation(n)
    try:
        estimates = data.of(**columns)
    except CertusError:
        return  # no weights or groups, or no value of so few samples
    moved = Case(metric, tuple(column[order] for column in data.given), data.other)
    for one, other in zip(
        estimates, moved.of(**{name: column[order] for name, column in columns.items()}), strict=True
    ):
        assert same(one.value, other.value)
        for method in (None, *one.methods) if not one.why else ():
            assert same(limits(one, method), limits(other, method)), method


@pytest.mark.parametrize("n", [3_000, 70_001])
@pytest.mark.parametrize("name", ["MSE", "MAE", "RMSE", "R2", "ExplainedVariance", "LogLoss", "Brier"])
def test_no_order_of_many_rows_changes_a_bit_of_default_limits(name: str, n: int) -> None:
    task, metric = next((task, metric) for task, metric in cases(variant=False) if metric.name == name)
    data, order = case(task, metric, n=n), np.random.default_rng(0).permutation(n)
    one, other = data.of()[0], Case(metric, tuple(column[order] for column in data.given), {}).of()[0]
    assert same(one.value, other.value)
    assert same(limits(one, None), limits(other, None))
    assert same(one.standard_error, other.standard_error)
