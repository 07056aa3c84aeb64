"""Data at the edge of what a regression metric is defined for: no warning, no value beyond the bounds, and why."""

import contextlib
import math
import warnings
from typing import Any

import numpy as np
import pytest
from untyped import untyped

import certus
from certus import regression
from certus.metrics import declared

ZEROS, ONES = [0.0, 0.0, 0.0], [1.0, 2.0, 0.5]


@pytest.mark.parametrize("power", [1.0, 1.5])
def test_targets_that_are_all_0_leave_nothing_to_save_by_a_deviance(power: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = regression.d2_tweedie(ZEROS, ONES, power=power)
        assert "nothing to save" in found.reason
        assert regression.d2_tweedie(ZEROS, ONES, power=power, force_finite=True).value == 0
        table = regression.d2_tweedie([[0, 1], [0, 3]], [[1, 1], [1, 3]], power=power, force_finite=True)
        assert table.value == 0.5


@pytest.mark.parametrize("power", [-1.0, -1.5])
def test_a_mean_of_targets_that_cannot_be_predicted_is_no_constant_to_compare_with(power: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = regression.d2_tweedie([-1, -2, 1], [1, 1, 1], power=power)
        assert (
            found.reason
            == f"the mean of the targets is -0.666667; a deviance of power {power:g} needs a constant above 0"
        )
        given: Any = [[-1, 1], [-2, 2], [1, 3]], [[1, 1], [1, 2], [1, 3]]
        outputs: Any = regression.d2_tweedie(*given, power=power, multioutput="raw_values")
        first, second = outputs.values()
        assert first.reason
        assert second.value == 1
        assert regression.d2_tweedie(*given, power=power).reason == found.reason


def test_an_output_of_targets_0_has_no_mape_and_counts_where_it_has_weight() -> None:
    table: Any = [[0, 1], [0, 2]], [[1, 1], [1, 1]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert regression.mape(*table, zeros="skip").reason
        assert untyped(regression.mape)(*table, zeros="skip", multioutput=[0, 1]).value == 0.25


@pytest.mark.parametrize("name", ["mae", "mse"])
def test_errors_beyond_the_range_of_floats_are_infinite_without_a_warning(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert getattr(regression, name)([1.5e308, 0], [-1.5e308, 0], sample_weight=[1, 1]).value == float("inf")


def test_limits_of_r2_do_not_hang_on_what_rounding_leaves_without_the_one_target_that_differs() -> None:
    rng = np.random.default_rng(0)
    for common in (0.0, 0.1, 0.3, 7.0, 1e6 + 0.1):
        for n in (10, 61, 300, 1000):
            true, predicted = np.full(n, common), rng.normal(common, 0.3, n)
            true[-1] += 1
            found = regression.r2(true, predicted)
            limits, weighted = found.interval(), regression.r2(true, predicted, sample_weight=np.ones(n)).interval()
            assert -1e5 < limits.low < found.value < limits.high < 1
            assert limits[:2] == pytest.approx(weighted[:2], rel=1e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("metric", [each.name for each in declared("regression")])
@pytest.mark.parametrize("more", [{}, {"sample_weight": [1e308, 1, 1e-308, 2]}, {"groups": [0, 0, 1, 1]}])
def test_no_metric_leaks_a_warning_of_values_at_the_end_of_floats(metric: str, more: dict[str, Any]) -> None:
    for true, predicted in (
        ([1e308, -1e308, 1e308, 0], [1e308, 1e308, -1e308, 1e300]),
        ([1e308, 2e307, 1e308, 0], [-1e308, 1e308, 1e308, 1e308]),
        ([1e200, 2e200, 3e200, -1e200], [1e200, 1e200, 1e200, 5e200]),
    ):
        for call in (
            lambda true=true, predicted=predicted: certus.evaluate(true, predicted, metric, task="regression", **more),
            lambda true=true, predicted=predicted: certus.compare(
                true, {"a": predicted, "b": predicted[::-1]}, metric, task="regression", **more
            ),
        ):
            with contextlib.suppress(certus.CertusError):
                str(call())


@pytest.mark.parametrize("weights", [None, [1, 1, 1, 1]])
def test_the_largest_of_errors_beyond_floats_is_infinite(weights: list[float] | None) -> None:
    true, predicted = [1e308, -1e308, 1e308, 0], [-1e308, 1e308, -1e308, 1e300]
    assert certus.regression.max_error(true, predicted).value == math.inf
    assert certus.regression.median_absolute_error(true, predicted, sample_weight=weights).value == math.inf
