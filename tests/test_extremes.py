"""Weights and values of any size: metrics scale as their definition says, and nothing overflows in silence."""

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from every_metric import Case, case, cases
from hypothesis import given, settings
from hypothesis import strategies as st
from in_a_row import in_a_row

import certus
from certus import Metric
from certus.classification import d2_brier, log_loss, mcc, roc_auc
from certus.compat import sklearn as compat

N = 40
WEIGHTS = (np.arange(N) % 3 + 1) * 0.5
SUMS = {"LogLoss(normalize=False)", "CCC(ddof=1)"}
"""Metrics for which weights are counts of samples: a sum over them, and a variance that divides by their sum less 1."""


def _said(estimates: list[Any]) -> str:
    return repr([(each.value, each.interval(), each.interval().reason, each.standard_error) for each in estimates])


@in_a_row("task, metric", cases(), group=lambda task, metric: f"{task} {metric.name}")
def test_scaling_all_weights_changes_no_bit(task: str, metric: Metric) -> None:
    problem = case(task, metric, N)
    try:
        expected = _said(problem.of(sample_weight=WEIGHTS))
    except certus.CertusError:
        return  # it does not apply to weighted samples
    for power in (-299, -180, 180, 299):
        found = _said(problem.of(sample_weight=np.ldexp(WEIGHTS, power)))
        assert (found == expected) is (str(metric) not in SUMS)


@in_a_row("task, metric", cases(), group=lambda task, metric: f"{task} {metric.name}")
def test_weights_far_apart_raise_no_warning(task: str, metric: Metric) -> None:
    problem = case(task, metric, N)
    for every in (2, 5):
        weights = np.where(np.arange(N) % every, 1.0, 1e-250)
        try:
            found = problem.of(sample_weight=weights)
        except certus.CertusError:
            continue  # it does not apply to weighted samples
        assert all(not math.isnan(each.value) or each.reason for each in found)
        assert _said(found)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1e300, 1e300], r"sample_weight is 1e\+300 at index 0, the greatest; it must be from 2\*\*-300 to 2\*\*300"),
        ([1e-200, 1e-201], "sample_weight is 1e-200 at index 0, the greatest"),
        ([1e80, 1e-260], r"sample_weight is 1e-260 at index 1 but 1e\+80 at index 0, more than 2\*\*1000 times"),
    ],
)
def test_weights_that_cannot_be_summed_are_refused(weights: list[float], message: str) -> None:
    with pytest.raises(certus.DataError, match=message):
        roc_auc([0, 1], [0.3, 0.2], sample_weight=weights)
    with pytest.raises(certus.DataError, match=message):
        log_loss([0, 1], [0.3, 0.2], sample_weight=weights)
    with pytest.raises(certus.DataError, match=message):
        certus.regression.mae([0, 1], [0.3, 0.2], sample_weight=weights)
    with pytest.raises(ValueError, match=message):
        compat.mean_absolute_error([0, 1], [0.3, 0.2], sample_weight=weights)


DEGREES = {
    "MAE": 1,
    "MedAE": 1,
    "MaxError": 1,
    "RMSE": 1,
    "Pinball": 1,
    "PoissonDeviance": 1,
    "MSE": 2,
    "TweedieDeviance": 2,
}
"""A metric of values that are c times as great is c to this power times as great; others stay the same."""
OF_ONE_SIZE = {"Huber", "MSLE", "RMSLE"}
"""Metrics with a number of their own to compare with: a delta, the 1 of log(1 + y)."""


@in_a_row("task, metric", cases("regression"), group=lambda task, metric: metric.name)
def test_scaling_all_values_scales_a_metric_by_its_degree(task: str, metric: Metric) -> None:
    if metric.name in OF_ONE_SIZE or metric.conventions.get("zeros") == "epsilon":
        return
    degree, problem = DEGREES.get(metric.name, 0), case(task, metric, N)
    for conventions in ({}, {"sample_weight": WEIGHTS}, {"groups": np.arange(N) // 2}):
        (before,) = problem.of(**conventions)
        for power in (-900, -480, -100, 100, 480, 900):
            (after,) = Case(metric, tuple(np.ldexp(column, power) for column in problem.given), {}).of(**conventions)
            if abs(degree * power) > 1000:
                assert after.value in (0.0, math.inf)
                continue
            assert after.value == pytest.approx(math.ldexp(before.value, degree * power), rel=1e-12)
            limits, error = after.interval(), after.standard_error
            if limits.defined:
                expected = [math.ldexp(each, degree * power) for each in before.interval()]
                assert limits[:2] == pytest.approx(expected, rel=1e-9)
                assert error == pytest.approx(math.ldexp(before.standard_error, degree * power), rel=1e-9)
            else:
                assert limits.reason
                assert math.isnan(error) or metric.name == "MaxError"


def _real(number: Any) -> Any:
    exact = Fraction(number)
    return mpmath.mpf(exact.numerator) / exact.denominator


SIZES = st.sampled_from([-300, -170, -20, 0, 20, 150, 300])
DIGITS = st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=2, max_size=8)


@settings(max_examples=60)
@given(DIGITS, SIZES, SIZES)
def test_pearson_of_values_of_any_size(digits: list[tuple[int, int]], one: int, other: int) -> None:
    x, y = ([float(f"{pair[side]}e{size}") for pair in digits] for side, size in ((0, one), (1, other)))
    a, b = ([Fraction(value) - sum(map(Fraction, column)) / len(column) for value in column] for column in (x, y))
    squares = sum(value**2 for value in a), sum(value**2 for value in b)
    found = certus.regression.pearson(x, y)
    if not all(squares):
        assert "a constant has no correlation" in found.reason
        return
    with mpmath.workdps(40):
        expected = float(
            _real(sum(p * q for p, q in zip(a, b, strict=True))) / mpmath.sqrt(_real(squares[0] * squares[1]))
        )
    assert found.value == pytest.approx(expected, abs=1e-13)


@settings(max_examples=60)
@given(DIGITS, SIZES)
def test_rmse_of_errors_of_any_size(digits: list[tuple[int, int]], size: int) -> None:
    x, y = ([float(f"{pair[side]}e{size}") for pair in digits] for side in (0, 1))
    with mpmath.workdps(40):
        expected = float(
            mpmath.sqrt(_real(sum((Fraction(p) - Fraction(q)) ** 2 for p, q in zip(x, y, strict=True)) / len(x)))
        )
    assert certus.regression.rmse(x, y).value == pytest.approx(expected, rel=1e-14)


def test_pearson_and_rmse_where_squares_are_no_numbers() -> None:
    x, y = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0, 5.0])
    expected = certus.regression.pearson(x, y)
    for found in (certus.regression.pearson(x * 2.0**-560, y * 2.0**-560), certus.regression.pearson(x * 2.0**900, y)):
        assert found.value == expected.value
        assert found.interval() == pytest.approx(expected.interval())
        assert found.interval().method == "fisher-z"
    assert certus.regression.rmse([2.0**700, 0], [0, 2.0**700]).value == 2.0**700
    assert certus.regression.rmse([2.0**-700, 0], [0, 2.0**-700]).value == 2.0**-700
    assert "too large or too small" in certus.regression.rmse([2.0**700, 0], [0, 2.0**699]).interval().reason


def _mcc(true: list[int], predicted: list[int], weights: list[float]) -> float:
    cells: dict[tuple[int, int], Fraction] = {}
    for pair, weight in zip(zip(true, predicted, strict=True), weights, strict=True):
        cells[pair] = cells.get(pair, Fraction(0)) + Fraction(weight)
    n, right = sum(cells.values()), sum(weight for (a, b), weight in cells.items() if a == b)
    rows, columns = ([sum(w for pair, w in cells.items() if pair[side] == k) for k in range(4)] for side in (0, 1))
    square = (n * n - sum(x * x for x in rows)) * (n * n - sum(x * x for x in columns))
    with mpmath.workdps(60):
        above = _real(n * right - sum(a * b for a, b in zip(rows, columns, strict=True)))
        return float(above / mpmath.sqrt(_real(square))) if square else math.nan


@settings(max_examples=80)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(-40, 40)), min_size=2, max_size=12))
def test_mcc_of_weights_far_apart_keeps_its_digits(drawn: list[tuple[int, int, int]]) -> None:
    true, predicted = [each[0] for each in drawn], [each[1] for each in drawn]
    weights = [1.7 ** each[2] for each in drawn]
    expected = _mcc(true, predicted, weights)
    assert mcc(true, predicted, sample_weight=weights).value == pytest.approx(expected, abs=1e-14, nan_ok=True)


@settings(max_examples=60)
@given(st.integers(2, 5), st.data())
def test_the_prior_saves_exactly_nothing(classes: int, data: st.DataObject) -> None:
    more = data.draw(st.lists(st.integers(0, classes - 1), max_size=20))
    true = np.array([*range(classes), *more])
    shares = np.bincount(true) / len(true)
    assert d2_brier(true, np.tile(shares, (len(true), 1))).value == 0
    assert compat.d2_brier_score(true, np.tile(shares, (len(true), 1))) == 0


def test_a_mean_is_finite_although_its_sum_is_not() -> None:
    truth = np.arange(30.0) * 1e306
    assert certus.regression.mae(truth, 3 * truth).value == pytest.approx(2.9e307, rel=1e-12)
