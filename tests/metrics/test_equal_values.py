"""The mean of equal values is exactly that value, and a mean of any numbers is a number if they are."""

from typing import Any

import numpy as np
import pytest

from certus import regression, values

MEANS = [values.mean, values.geometric_mean, values.median]
LOSSES = [
    regression.mae,
    regression.mse,
    regression.rmse,
    regression.huber,
    regression.mape,
    regression.smape,
    regression.msle,
    regression.median_absolute_error,
]
VALUES = [0.1, 0.3, 1 / 3, 123.456, 1e-300]
SIZES = [1, 2, 3, 7, 1000]


def conventions(n: int) -> list[dict[str, Any]]:
    """Weights and groups, or none."""
    weights, groups = np.random.default_rng(n).random(n) + 0.1, np.arange(n) // 2
    return [{}, {"sample_weight": weights}, {"groups": groups}, {"sample_weight": weights, "groups": groups}]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("metric", MEANS, ids=str)
def test_the_mean_of_equal_values_is_exactly_that_value(metric: Any, n: int) -> None:
    for value in [*VALUES, 1.7e308]:
        for given in conventions(n):
            assert metric(np.full(n, value), **given).value == value


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("metric", LOSSES, ids=str)
def test_the_mean_of_equal_losses_is_exactly_the_loss_of_one_sample(metric: Any, n: int) -> None:
    for value in VALUES:
        for given in conventions(n):
            assert metric(np.full(n, value), np.zeros(n), **given).value == metric([value], [0]).value


@pytest.mark.parametrize("given", conventions(2), ids=lambda given: "+".join(given))
def test_the_mean_of_huge_errors_is_a_number(given: dict[str, Any]) -> None:
    assert regression.mae([1e308, -1e308], [0, 0], **given).value == 1e308
    weights = given.get("sample_weight", np.ones(2))
    expected = float(weights @ [1e8, 1.7e8] / weights.sum()) * 1e300
    assert regression.mae([1e308, -1.7e308], [0, 0], **given).value == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("given", conventions(50)[1:], ids="+".join)
def test_the_interval_of_huge_errors_is_that_of_the_same_errors_in_another_unit(given: dict[str, Any]) -> None:
    errors = np.random.default_rng(0).random(50)
    usual, huge = (regression.mae(errors * unit, np.zeros(50), **given).interval() for unit in (1.0, 2.0**1000))
    assert (usual.low * 2.0**1000, usual.high * 2.0**1000) == pytest.approx((huge.low, huge.high), rel=1e-12)
