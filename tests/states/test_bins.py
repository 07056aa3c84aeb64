"""Calibration errors from totals of bins: those of the samples."""

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus.inference import Estimate
from certus.states import State
from certus.states._sums import BinSums
from certus.statistic import CalibrationError
from certus.statistic.calibration_error import BinTotals

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
    for row, want in zip(state.evaluate(), expected, strict=True):
        assert (row.metric, row.n, row.method, row.reason) == (want.metric, want.n, want.method, want.reason)
        assert row.value == want.value
        assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=1e-12, abs=1e-12, nan_ok=True)


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
