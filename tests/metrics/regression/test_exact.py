"""Values against exact rationals and mpmath, far from 0 and close to the truth."""

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from certus import regression
from certus.metrics.regression.deviance import deviance

SHIFTS = (0.0, 1e8, -1e12)


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction()) / len(values)


def _exact(true: Any, predicted: Any) -> dict[str, float]:
    """The definitions of Liu's survey (R2 of the references), in rationals."""
    y, p = ([Fraction(float(x)) for x in values] for values in (true, predicted))
    errors = [a - b for a, b in zip(y, p, strict=True)]
    off, off_p, off_e = (
        [x - mean for x in values] for values, mean in ((values, _mean(values)) for values in (y, p, errors))
    )
    squares = _mean([e * e for e in errors])
    variance, variance_p = _mean([x * x for x in off]), _mean([x * x for x in off_p])
    cross = _mean([a * b for a, b in zip(off, off_p, strict=True)])
    return {
        "mae": float(_mean([abs(e) for e in errors])),
        "mse": float(squares),
        "r2": float(1 - squares / variance),
        "explained_variance": float(1 - _mean([e * e for e in off_e]) / variance),
        "concordance": float(2 * cross / (variance + variance_p + _mean(errors) ** 2)),
        "pearson": float(cross) / math.sqrt(variance * variance_p),
        "rmse": math.sqrt(squares),
    }


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("n", [2, 3, 50, 1500])
def test_data_far_from_0_lose_nothing(shift: float, n: int) -> None:
    rng = np.random.default_rng(n)
    true = shift + rng.normal(size=n)
    predicted = true + rng.normal(0.1, 0.5, size=n)
    ones = np.ones(n)
    for name, wanted in _exact(true, predicted).items():
        metric = getattr(regression, name)
        for weights in (None, ones):
            assert_allclose(metric(true, predicted, sample_weight=weights).value, wanted, rtol=2e-13, atol=1e-14)
        assert metric(true, predicted).interval().defined or n < 4


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=12))
def test_whole_numbers_are_right_to_the_last_places(pairs: list[tuple[int, int]]) -> None:
    true, predicted = zip(*pairs, strict=True)
    if len(set(true)) == 1 or len(set(predicted)) == 1:
        return
    for name, wanted in _exact(true, predicted).items():
        assert_allclose(getattr(regression, name)(true, predicted).value, wanted, rtol=1e-14, atol=1e-14)


def _deviance(true: float, mean: float, power: float) -> Any:
    with mpmath.workdps(80):
        y, m, p = mpmath.mpf(true), mpmath.mpf(mean), mpmath.mpf(power)
        if power == 1:
            return 2 * (y * mpmath.log(y / m) - y + m)
        if power == 2:
            return 2 * (mpmath.log(m / y) + y / m - 1)
        return 2 * (y ** (2 - p) / ((1 - p) * (2 - p)) - y * m ** (1 - p) / (1 - p) + m ** (2 - p) / (2 - p))


@pytest.mark.parametrize("power", [-1, 1, 1.5, 2, 3])
@pytest.mark.parametrize(
    ("true", "mean"),
    [(1e300, 1e-10), (1e308, 5e-324), (1e100, 1e-100), (1e-300, 1e200), (1e110, 1e105), (1e90, 1e-30), (1e5, 1e305)],
)
def test_deviances_of_numbers_whose_ratio_or_its_powers_are_no_floats(true: float, mean: float, power: float) -> None:
    wanted = _deviance(true, mean, power)
    found = deviance(np.array([true]), np.array([mean]), power)[0]
    if wanted > 1.7976e308:
        assert found == math.inf
    else:
        assert_allclose(found, float(wanted), rtol=1e-12)


@pytest.mark.parametrize("power", [-1.5, 1, 1.3, 2, 3, 7.5])
@pytest.mark.parametrize("apart", [1e-14, 1e-9, 1e-4, 0.01, 0.0999, 0.1001, 0.5, 3, 1e6])
def test_deviances_do_not_cancel(power: float, apart: float) -> None:
    for side in (1, -1):
        if side * apart <= -1:
            continue
        mean = 3.7
        true = mean * (1 + side * apart)
        wanted = float(_deviance(true, mean, power))
        assert_allclose(deviance(np.array([true]), mean, power)[0], wanted, rtol=5e-13)


def test_zero_counts_have_a_deviance() -> None:
    assert deviance(np.array([0.0]), 2.5, 1)[0] == 5
    assert_allclose(deviance(np.array([0.0]), 2.0, 1.5)[0], 2 * 2**0.5 / 0.5, rtol=1e-15)
    assert_allclose(deviance(np.array([-2.0]), 2.0, -1)[0], 2 * (2.0 * 2.0**2 / 2 + 2.0**3 / 3), rtol=1e-15)


def test_logarithms_of_nearly_equal_numbers_do_not_cancel() -> None:
    true, predicted = 1e6 * (1 + 1e-9), 1e6
    with mpmath.workdps(50):
        wanted = float((mpmath.log1p(mpmath.mpf(true)) - mpmath.log1p(mpmath.mpf(predicted))) ** 2)
    assert_allclose(regression.msle([true], [predicted]).value, wanted, rtol=1e-14)


def test_the_examples_of_the_survey_and_of_scikit_learn() -> None:
    true, predicted = [3, -0.5, 2, 7], [2.5, 0.0, 2, 8]
    assert regression.mae(true, predicted).value == 0.5
    assert regression.mse(true, predicted).value == 0.375
    assert regression.rmse(true, predicted).value == math.sqrt(0.375)
    assert_allclose(regression.r2(true, predicted).value, 1 - 1.5 / 29.1875, rtol=1e-15)
    assert_allclose(regression.explained_variance(true, predicted).value, 1 - 1.25 / 29.1875, rtol=1e-15)
    table, other = [[0.5, 1], [-1, 1], [7, -6]], [[0, 2], [-1, 2], [8, -5]]
    assert regression.mae(table, other).value == 0.75
    assert_allclose(regression.r2(table, other, multioutput="variance_weighted").value, 0.9382566585956417, rtol=1e-14)
    assert_allclose(regression.pinball([1, 2, 3], [0, 2, 3], alpha=0.1).value, 0.1 / 3, rtol=1e-15)


def test_r2_adjusted_for_predictors() -> None:
    true, predicted = [1, 2, 3, 4, 5], [1.5, 2, 3, 4, 4.5]
    plain = regression.r2(true, predicted).value
    assert_allclose(regression.r2(true, predicted, predictors=2).value, 1 - (1 - plain) * 4 / 2, rtol=1e-15)
    assert regression.r2(true, predicted, predictors=0).value == plain
    assert regression.r2(true, predicted, predictors=4).reason == (
        "R2 adjusted for 4 predictors needs at least 6 samples"
    )


def test_equal_targets_give_what_the_keyword_says() -> None:
    same, other = [0.1] * 5, [0.1, 0.1, 0.1, 0.1, 0.2]
    for metric in (regression.r2, regression.explained_variance, regression.d2_tweedie, regression.d2_absolute_error):
        assert math.isnan(metric(same, other).value)
        assert metric(same, other, force_finite=True).value == 0
        assert metric(same, same, force_finite=True).value == 1
    assert regression.explained_variance(same, [0.7] * 5, force_finite=True).value == 1
    table, wrong = np.column_stack([same, range(5)]), np.column_stack([other, range(5)])
    reason = regression.r2(table, wrong).reason
    assert reason == "all targets are equal: there is no variance to compare with in output 0"
    assert regression.pearson(same, other).reason == "all targets are equal: a constant has no correlation"
    assert regression.concordance(same, other).value == 0


def test_targets_of_zero_do_what_the_keyword_says() -> None:
    true, predicted = [0, 2, 4], [1, 1, 5]
    assert regression.mape(true, predicted).reason == "1 of 3 samples has no value"
    assert regression.mape(true, predicted, zeros="skip").value == 0.375
    assert regression.mape(true, predicted, zeros="epsilon").value > 1e15
    assert regression.mape(true, predicted, zeros="skip", sample_weight=[9, 1, 3]).value == (0.5 + 3 * 0.25) / 4
    assert regression.smape([0, 2], [0, 2]).value == 0
    assert regression.smape([0, 2], [0, 6], zeros="skip").value == 1
    assert math.isnan(regression.smape([0, 2], [0, 6], zeros="nan").value)
    both = regression.mape([[0, 2], [2, 2]], [[1, 1], [1, 1]], zeros="skip")
    assert both.value == 0.5


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("name", ["spearman", "pearson", "concordance", "r2", "explained_variance", "rmse"])
def test_influence_is_what_leaving_a_sample_out_shows(name: str, ties: bool) -> None:
    rng = np.random.default_rng(3)
    true = rng.normal(size=400)
    predicted = 0.7 * true + rng.normal(size=400)
    if ties:
        true, predicted = np.round(2 * true), np.round(2 * predicted)
    metric = getattr(regression, name)
    statistic = metric(true, predicted).statistic
    (influence,) = statistic.influence()
    kept = [np.delete(np.arange(400), i) for i in range(40)]
    without = np.array([metric(true[rows], predicted[rows]).value for rows in kept])
    assert_allclose(399 * (statistic.value - without), influence[:40], rtol=0.05, atol=0.05)  # to first order
    assert abs(influence.mean()) < 1e-12


def test_deviances_refuse_numbers_they_do_not_have() -> None:
    with pytest.raises(ValueError, match=r"y_pred is 0 at index 1; a deviance of power 1 needs numbers above 0$"):
        regression.poisson_deviance([1, 2], [1, 0])
    with pytest.raises(ValueError, match=r"y_true is -1 at index 0; a deviance of power 1 needs numbers at least 0$"):
        regression.poisson_deviance([-1, 2], [1, 1])
    with pytest.raises(ValueError, match=r"y_true is 0 at index 1; a deviance of power 2 needs numbers above 0$"):
        regression.gamma_deviance([1, 0], [1, 1])
    with pytest.raises(ValueError, match=r"no Tweedie distribution has a power between 0 and 1$"):
        regression.tweedie_deviance([1], [1], power=0.5)
    with pytest.raises(ValueError, match=r"y_true is -1 at index 1; the logarithm of 1 \+ it needs more than -1$"):
        regression.rmsle([1, -1], [1, 1])


def test_a_value_needs_no_array_of_errors() -> None:
    n = 200_000
    true = np.random.default_rng(0).normal(size=n)
    for metric in (regression.mae, regression.mse, regression.rmse, regression.r2, regression.explained_variance):
        statistic = metric(true, true[::-1].copy()).statistic
        assert not {"values", "variances"} & set(vars(statistic))


@pytest.mark.filterwarnings("error")
def test_the_root_of_squares_that_vanish_is_right_where_the_other_column_is_zero() -> None:
    tiny, zeros = [3e-170, -4e-170], [0.0, 0.0]
    for told in ({}, {"groups": [1, 2]}, {"sample_weight": [1.0, 1.0]}):
        for pair in ((tiny, zeros), (zeros, tiny)):
            assert math.isclose(regression.rmse(*pair, **told).value, math.sqrt(12.5) * 1e-170, rel_tol=1e-15)
    assert regression.rmse(zeros, zeros).value == 0


def test_a_loss_beyond_what_a_float_holds_is_infinite_without_a_warning() -> None:
    assert regression.huber([1e307, 0], [-1e307, 1], delta=100).value == math.inf
    assert regression.huber([1e308, 0], [-1e308, 1]).value == math.inf
    huge = regression.huber([1e307, 0], [-1e307, 1])
    assert huge.value == pytest.approx(1e307)
    assert "Huber" in repr(huge)
    assert regression.pinball([1e308, 0], [-1e308, 1]).value == math.inf
