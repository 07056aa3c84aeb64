"""Intervals for functions of cell counts."""

import math
from typing import Any

import numpy as np
import pytest

from certus.inference import Estimate
from certus.statistic import Cells


def kappa(tables: Any) -> Any:
    """Cohen's kappa."""
    n = tables.sum(axis=(-2, -1))
    observed = np.trace(tables, axis1=-2, axis2=-1) / n
    expected = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1) / n**2
    return (observed - expected) / (1 - expected)


def accuracy(tables: Any) -> Any:
    return np.trace(tables, axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1))


def test_the_delta_error_of_accuracy_is_that_of_a_proportion() -> None:
    estimate = Estimate(Cells([[50, 10], [5, 35]], accuracy), bounds=(0.0, 1.0))
    assert estimate.standard_error == pytest.approx(math.sqrt(0.85 * 0.15 / 100), rel=1e-9)
    assert estimate.interval().method == "delta"


def test_kappa_has_fishers_z_by_default() -> None:
    estimate = Estimate(Cells([[45, 15], [25, 15]], kappa), bounds=(-1.0, 1.0))
    low, high, _, method = estimate.interval()
    assert method == "fisher-z"
    z = math.atanh(estimate.value)
    step = 1.959963985 * estimate.standard_error / (1 - estimate.value**2)
    assert (low, high) == pytest.approx((math.tanh(z - step), math.tanh(z + step)), rel=1e-8)


def test_no_interval_has_zero_width() -> None:
    estimate = Estimate(Cells([[50, 0], [0, 50]], kappa), bounds=(-1.0, 1.0))
    for method in ("delta", "fisher-z", "dirichlet"):
        low, high, *_ = interval = estimate.interval(method=method, replicates=999)
        assert low < 0.99
        assert high == 1.0
        assert method == "dirichlet" or "no spread" in interval.why
    assert "no width" in estimate.interval(method="wald").why
