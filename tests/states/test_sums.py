"""Sums of powers instead of values: the statistic of all values, to the last digit of its value."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus.inference import Estimate
from certus.metrics import parse
from certus.states import State
from certus.states._sums import PowerSums
from certus.statistic import Mean, Proportion

BRIER = parse("Brier", task="classification")
VALUES = st.lists(
    st.sampled_from([0.0, 1.0]) | st.floats(0, 1, allow_subnormal=False) | st.sampled_from([0.25, 0.5, 1e-9]),
    min_size=1,
    max_size=30,
)


def same_limits(one: Estimate, other: Estimate) -> None:
    found, expected = one.interval(0.95), other.interval(0.95)
    assert (found.method, found.reason) == (expected.method, expected.reason)
    assert [found.low, found.high] == pytest.approx([expected.low, expected.high], rel=1e-12, abs=1e-12, nan_ok=True)


@settings(max_examples=150, deadline=None)
@given(VALUES, st.integers(0, 3), st.integers(1, 3))
def test_bounded_values_have_the_limits_that_they_have_one_by_one(values: list[float], more: int, parts: int) -> None:
    array = np.array(values + [0.0, 1.0][:more] * 40)
    whole = PowerSums(BRIER.bounds)
    for part in np.array_split(array, parts):
        sums = PowerSums(BRIER.bounds)
        sums.add(part, (0.0, 1.0))
        whole.merge(sums)
    whole.bounds = (0.0, 1.0)
    found, expected = (
        Estimate(statistic, "Brier", (0.0, 1.0))
        for statistic in (whole.mean("Brier"), Mean(array, "sample", bounds=(0.0, 1.0)))
    )
    assert (found.value, found.n, found.unit) == (expected.value, expected.n, expected.unit)
    if array.max() - array.min() > 1e-6 or array.max() == array.min():  # values that rounding alone tells apart
        same_limits(found, expected)


@pytest.mark.parametrize("truth", [[1, 0, 1, 0, 0, 1], [1] * 6])
@pytest.mark.parametrize("score", [[1.0, 0, 1, 0, 1, 1], [1.0, 0, 1, 0, 0.5, 1], [0.5] * 6])
def test_a_brier_score_of_certain_predictions_has_the_interval_of_a_share(truth: list[int], score: list[float]) -> None:
    state = State("Brier")
    state.update(truth, score=score)
    (found,), (expected,) = state.evaluate(), certus.evaluate(truth, score, "Brier", task="classification")
    assert (found.value, found.method, found.reason) == (expected.value, expected.method, expected.reason)
    assert [found.low, found.high] == pytest.approx([expected.low, expected.high], rel=1e-12, abs=1e-15, nan_ok=True)


def test_a_log_loss_that_is_a_sum_is_the_sum_of_all_batches() -> None:
    state = State("LogLoss(normalize=False)")
    for truth, score in (([1, 0], [0.5, 0.2]), ([1], [0.3])):
        state.update(truth, score=score)
    (found,) = state.evaluate()
    (expected,) = certus.evaluate([1, 0, 1], [0.5, 0.2, 0.3], "LogLoss(normalize=False)", task="classification")
    assert found.value == expected.value == -math.log(0.5) - math.log1p(-0.2) - math.log(0.3)
    assert (found.low, found.high) == (expected.low, expected.high)


def test_shares_in_some_batches_and_means_in_others_are_a_mean() -> None:
    first, second = State("Mean", task="values"), State("Mean", task="values")
    first.update([1, 0, 1, 1])
    second.update([0.5, 1.5])
    assert str(first.evaluate().summary[0].method) == "modified-wilson"
    (found,) = first.merge(second).evaluate()
    (expected,) = certus.evaluate(None, [1, 0, 1, 1, 0.5, 1.5], "Mean", task="values")
    assert (found.value, found.method) == (expected.value, expected.method) == (5 / 6, "hall")
    assert [found.low, found.high] == pytest.approx([expected.low, expected.high], rel=1e-12)


def test_a_root_of_squares_beyond_floats_is_refused_and_not_infinite() -> None:
    state = State("RMSE", task="regression")
    state.update([0.0, 1.0], pred=[1e80, 1.0])
    with pytest.raises(certus.DataError, match="RMSE: errors as large or small as these need rows"):
        state.evaluate()
    rows = State("RMSE", task="regression", rows=True)
    rows.update([0.0, 1.0], pred=[1e80, 1.0])
    assert rows.evaluate().summary[0].value == pytest.approx(1e80 / math.sqrt(2), rel=1e-15)


def test_roots_of_squares_that_vanish_are_refused_and_not_zero() -> None:
    for metric, columns in itertools.product(("RMSE", "RMSLE"), ({}, {"groups": np.arange(4000) // 3})):
        truth = np.tile([0.0, 3e-170, 0.0, 5e-170], 1000)
        state = State(metric, task="regression", memory="2kB")
        for part in np.split(np.arange(4000), 4):
            some = {name: column[part] for name, column in columns.items()}
            state.update(truth[part], pred=np.zeros(1000), **some)
        with pytest.raises(certus.DataError, match="as large or small as these need"):
            state.evaluate()
        # Beside other errors they are nothing.
        state.update(np.zeros(1), pred=np.ones(1), **{name: column[:1] for name, column in columns.items()})
        assert state.evaluate().summary[0].value == pytest.approx(
            (1.0 if metric == "RMSE" else math.log(2)) / math.sqrt(4001)
        )


def test_powers_beyond_floats_are_refused_as_powers_that_vanish_are() -> None:
    for scale in (1e300, 1e100, 1e-100):
        state = State("MAE", task="regression")
        state.update(np.zeros(4), pred=np.array([1.0, 2.0, 5.0, 9.0]) * scale)
        with pytest.raises(certus.DataError, match="needs every value"):
            list(state.evaluate())


def test_other_intervals_need_the_values() -> None:
    state = State(["RMSE", "sMAPE"], task="regression")
    state.update([1.0, 2.0, 5.0], pred=[1.5, 1.0, 5.0])
    with pytest.raises(certus.DataError, match="RMSE: this interval needs every value"):
        list(state.evaluate(interval="bca"))


def test_samples_without_a_value_leave_the_mean_without_one() -> None:
    truth = np.array([[1, 0], [0, 0], [0, 1], [0, 0]])
    for rows in (slice(4), slice(0, 2)):
        state = State("Recall", task="multilabel")
        for one in truth[rows]:
            state.update(one[np.newaxis], pred=one[np.newaxis])
        (found,), (expected,) = state.evaluate(), certus.evaluate(truth[rows], truth[rows], "Recall", task="multilabel")
        assert math.isnan(found.value)
        assert (found.reason, found.n, found.method) == (expected.reason, expected.n, expected.method)


def test_a_share_is_one_of_trials() -> None:
    sums = PowerSums((0.0, 1.0))
    sums.add(np.array([1.0, 0.0, 1.0]), None, is_share=True)
    found = sums.statistic(parse("TopK@2", task="classification"))
    assert found == Proportion(2, 3, "sample")
