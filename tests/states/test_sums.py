"""Sums of powers instead of values: the statistic of all values, to the last digit of its value."""

import copy
import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from state_columns import assert_same

import certus
from certus.inference import Estimate
from certus.metrics import parse
from certus.states import State
from certus.states._sums import BinSums, PowerSums
from certus.statistic import CalibrationError, Mean, Proportion
from certus.statistic.calibration_error import BinTotals

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


METRICS = ["ECE", "MCE", "ECE(norm='l2')", "ECE(norm='l2-debiased')", "ECE(n_bins=7)", "MCE@3", "ECE(confidence='top')"]


def columns_of(seed: int, n: int, classes: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, n)
    if classes > 2:
        return truth, rng.dirichlet(np.ones(classes), n)
    return truth, np.round(np.clip(0.3 * truth + 0.6 * rng.random(n), 0, 1), 3)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 80), st.integers(1, 9), st.sampled_from([2, 3]))
def test_totals_of_bins_have_the_table_of_samples(seed: int, n: int, parts: int, classes: int) -> None:
    truth, scores = columns_of(seed, n, classes)
    labels = list(range(classes)) if classes > 2 else None
    one, other = State(METRICS, labels=labels), State(METRICS, labels=labels)
    for position, index in enumerate(np.array_split(np.random.default_rng(seed).permutation(n), parts)):
        (one if position % 2 else other).update(truth[index], score=scores[index])
    state = one.merge(State.from_bytes(other.to_bytes()))
    whole = State(METRICS, labels=labels)
    whole.update(truth, score=scores)
    assert state.to_bytes() == whole.to_bytes() == copy.deepcopy(state).to_bytes()
    expected = certus.evaluate(truth, None, METRICS, y_score=scores, task="classification", score_labels=labels)
    assert_same(state.evaluate(), expected)


@pytest.mark.parametrize("norm", ["l1", "l2", "l2-debiased", "max"])
def test_totals_of_bins_have_the_standard_error_of_samples(norm: Any) -> None:
    truth, scores = columns_of(3, 500)
    samples = CalibrationError(np.minimum((scores * 10).astype(int), 9), scores, truth, norm)
    totals = BinTotals(*(np.zeros(10) for _ in range(4)))
    gaps = truth - scores
    for array, values in zip(totals, (np.ones(500), gaps, gaps**2, truth), strict=True):
        np.add.at(array, samples.bins, values)
    found = Estimate(CalibrationError.of_totals(totals, norm, unseen=samples.unseen), "ECE", (0.0, 1.0))
    assert found.value == pytest.approx(samples.value, rel=1e-12)
    assert found.standard_error == pytest.approx(Estimate(samples, "ECE", (0.0, 1.0)).standard_error, rel=1e-10)
    with pytest.raises(certus.DataError, match="this interval needs every row"):
        found.interval(method="percentile")


def test_bins_that_depend_on_the_samples_keep_rows() -> None:
    for metric in ("ECE(strategy='quantile')", "ECE(strategy='equal-mass')", "ECE(n_bins=1001)"):
        state = State(metric)
        state.update([0, 1], score=[0.25, 0.5])
        assert state._rows is not None
        assert not state._sums


def test_damaged_totals_are_refused() -> None:
    sums = BinSums(2)
    sums.add(CalibrationError([0, 0, 1], [0.25, 0.25, 0.75], [0, 1, 1]))
    assert sums.to_json() == [[2, 1], [1, 1]]
    for told in ([[2, 2], [1, 1]], [[2, 1], [1, 2]], [[2, 1], [1]], [[3], [1]], [[2, 1], [-1, 1]]):
        with pytest.raises(ValueError, match="the numbers of bins do not fit together"):
            BinSums.from_json(told, sums.parts, 3)
