"""Intervals of mean losses and of roots of them from moments alone, against those from the losses."""

import numpy as np
import pytest

from certus import regression
from certus.core import kernels
from certus.inference import mean_interval
from certus.metrics import Metric
from certus.statistic import Influence, Mean


def columns(n: int, tails: bool) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(n)
    true = random.normal(size=n) * 100
    return true, true + (random.standard_t(3, n) if tails else random.normal(size=n))


@pytest.mark.parametrize("n", [2, 3, 40, 3_000, 300_000])
def test_moments_are_those_of_numpy(n: int) -> None:
    true, predicted = columns(n, tails=True)
    for losses, kernel in (
        ((true - predicted) ** 2, kernels.moments_of_squared_error),
        (np.abs(true - predicted), kernels.moments_of_absolute_error),
    ):
        off = losses - losses.mean()
        expected = [losses.mean(), (off**2).sum(), (off**3).sum(), (off**4).sum(), losses.min(), losses.max()]
        for found in (kernels.moments_of(losses), kernel(true, predicted)):
            np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13 * (off**2).sum() ** 1.5)


@pytest.mark.parametrize("tails", [False, True])
@pytest.mark.parametrize("n", [2, 5, 40, 3_000])
def test_intervals_from_moments_are_those_from_the_values(n: int, tails: bool) -> None:
    true, predicted = columns(n, tails)
    squares = (true - predicted) ** 2
    for method in (None, "t", "hall", "normal"):
        expected = mean_interval(squares, method=method, bounds=(0, np.inf))
        found = regression.mse(true, predicted).interval(method=method)
        np.testing.assert_allclose(found[:2], expected[:2], rtol=1e-11, atol=1e-12)
        assert found.method == expected.method
        if method != "normal":
            of_root = regression.rmse(true, predicted).interval(method=method)
            np.testing.assert_allclose(of_root[:2], np.sqrt(expected[:2]), rtol=1e-11, atol=1e-12)
            assert of_root.method == expected.method


@pytest.mark.parametrize("n", [2, 5, 40, 3_000])
@pytest.mark.parametrize("metric", [regression.mae, regression.huber, regression.pinball, regression.mape])
def test_intervals_of_mean_losses_are_those_from_the_losses(metric: Metric, n: int) -> None:
    true, predicted = columns(n, tails=True)
    found = metric(true, predicted)
    losses = np.array([metric(true[i : i + 1], predicted[i : i + 1]).value for i in range(n)])
    for method in (None, "t", "hall", "normal"):
        expected = mean_interval(losses, method=method, bounds=(0, np.inf))
        limits = found.interval(method=method)
        np.testing.assert_allclose(limits[:2], expected[:2], rtol=1e-11, atol=1e-12)
        assert limits.method == expected.method


def test_losses_without_a_value_have_a_reason_and_no_limits() -> None:
    found = regression.mape([0.0, 1.0, 2.0, 3.0], [1.0, 1.0, 2.5, 4.0])
    assert np.isnan([found.value, found.standard_error, found.low]).all()
    assert found.reason == "1 of 4 samples has no value"


@pytest.mark.parametrize("metric", [regression.mse, regression.mae])
def test_the_default_interval_makes_no_array_of_errors(metric: Metric) -> None:
    true, predicted = columns(5_000, tails=False)
    found = metric(true, predicted)
    statistic = found.statistic
    assert isinstance(statistic, Mean)
    found.interval()
    assert statistic.moments is not None
    assert "values" not in statistic.__dict__


@pytest.mark.parametrize("size", [1e-50, 1e-40, 1e40, 1e50])
def test_sizes_whose_powers_leave_the_floats_are_computed_from_the_values(size: float) -> None:
    true, predicted = columns(40, tails=False)
    plain = regression.rmse(true, predicted).interval()
    scaled = regression.rmse(true * size, predicted * size).interval()
    np.testing.assert_allclose(np.divide(scaled[:2], size), plain[:2], rtol=1e-9)


@pytest.mark.parametrize("n", [3, 5, 40, 3_000])
def test_r2_has_the_interval_of_its_influence_values_without_making_them(n: int) -> None:
    true, predicted = columns(n, tails=True)
    plain, weighted = (regression.r2(true, predicted, sample_weight=w).statistic for w in (None, np.ones(n)))
    assert isinstance(plain, Influence)
    assert isinstance(weighted, Influence)
    np.testing.assert_allclose(plain.variances, weighted.variances, rtol=1e-11)
    assert plain.influence is not None
    (values,) = plain.influence()
    known = plain.known_moments
    assert known is not None
    np.testing.assert_allclose(known.second, (values**2).sum(), rtol=1e-11)
    np.testing.assert_allclose(known.third, (values**3).sum(), rtol=1e-9, atol=1e-10 * known.second**1.5)
    np.testing.assert_allclose(known.fourth, (values**4).sum(), rtol=1e-10)
    np.testing.assert_allclose([known.least, known.greatest], [values.min(), values.max()], rtol=1e-9)
