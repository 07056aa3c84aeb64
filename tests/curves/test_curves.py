"""Curves against R2's table, the definition by counting, scikit-learn, and at the edges."""

import math
import warnings
from typing import Any

import numpy as np
import pytest
from curve_oracle import BOTH, PROBABILITY, SAMPLES, TRUE_CLASS, Samples, columns, points
from hypothesis import given
from hypothesis import strategies as st

from certus import DataError
from certus.classification import det_curve, gain_curve, lift_curve, precision_recall_curve, roc_curve
from certus.data import Scores

sklearn_metrics = pytest.importorskip("sklearn.metrics")

CURVES: list[Any] = [det_curve, gain_curve, lift_curve, precision_recall_curve, roc_curve]


def share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


@given(SAMPLES)
def test_every_threshold_counts_the_samples_with_at_least_that_score(samples: Samples) -> None:
    truth, scores = columns(samples)
    positives, negatives = sum(truth), len(truth) - sum(truth)
    expected = points(samples)
    roc = roc_curve(truth, scores)
    assert list(zip(roc.thresholds.tolist(), roc.true_positives, roc.false_positives, strict=True)) == expected
    assert roc.true_positives.dtype == roc.false_positives.dtype == np.int64
    np.testing.assert_array_equal(roc.tpr, [share(p.tp, positives) for p in expected])
    np.testing.assert_array_equal(roc.fpr, [share(p.fp, negatives) for p in expected])
    gain = gain_curve(truth, scores)
    np.testing.assert_array_equal(gain.gain, roc.tpr)
    np.testing.assert_array_equal(gain.share, [(p.tp + p.fp) / len(truth) for p in expected])
    precision, recall, thresholds = precision_recall_curve(truth, scores)
    assert thresholds.tolist() == [p.threshold for p in expected[:0:-1]]
    np.testing.assert_array_equal(precision, [p.tp / (p.tp + p.fp) for p in expected[:0:-1]] + [1.0])
    np.testing.assert_array_equal(recall, [share(p.tp, positives) for p in expected[:0:-1]] + [0.0])
    lift = lift_curve(truth, scores)
    assert lift.thresholds.tolist() == [p.threshold for p in expected[1:]]
    np.testing.assert_array_equal(lift.share, gain.share[1:])
    expected_lift = [share(p.tp * len(truth), (p.tp + p.fp) * positives) for p in expected[1:]]
    np.testing.assert_allclose(lift.lift, expected_lift, rtol=1e-15)
    if positives:
        assert lift.lift[-1] == 1.0


@given(BOTH)
def test_det_runs_from_no_positive_missed_to_no_negative_called(samples: Samples) -> None:
    truth, scores = columns(samples)
    positives, negatives = sum(truth), len(truth) - sum(truth)
    expected = points(samples)
    last = max(i for i, p in enumerate(expected) if p.fp == 0)
    first = min(i for i, p in enumerate(expected) if p.tp == positives)
    fpr, fnr, thresholds = det_curve(truth, scores)
    kept = expected[last : first + 1][::-1]
    assert thresholds.tolist() == [p.threshold for p in kept]
    assert fpr.tolist() == [p.fp / negatives for p in kept]
    assert fnr.tolist() == [(positives - p.tp) / positives for p in kept]


@given(SAMPLES, st.floats(allow_nan=False))
def test_a_point_between_thresholds_is_counted_as_well(samples: Samples, threshold: float) -> None:
    truth, scores = columns(samples)
    for weights in (None, [1.0] * len(truth)):
        at = roc_curve(truth, scores, sample_weight=weights).at(threshold)
        called = [label for label, score in samples if score >= threshold]
        assert at.true_positives == sum(called)
        assert at.false_positives == len(called) - sum(called)
        assert at.false_negatives == sum(truth) - sum(called)
        assert at.true_negatives == len(truth) - sum(truth) - at.false_positives


@given(SAMPLES, st.data())
def test_a_whole_weight_counts_a_sample_that_often(samples: Samples, data: st.DataObject) -> None:
    truth, scores = columns(samples)
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(truth), max_size=len(truth)).filter(any))
    repeated = [sample for sample, weight in zip(samples, weights, strict=True) for _ in range(weight)]
    for curve in CURVES:
        weighted, plain = curve(truth, scores, sample_weight=weights), curve(*columns(repeated), pos_label=1)
        for ours, theirs in zip(weighted, plain, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-14)
        np.testing.assert_array_equal(weighted.true_positives, plain.true_positives)


def test_large_curves_are_those_of_scikit_learn_bit_for_bit() -> None:
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 2, 20_000)
    for scores in (rng.standard_normal(20_000), rng.integers(0, 50, 20_000), rng.random(20_000).astype(np.float32)):
        for name in ("roc_curve", "precision_recall_curve", "det_curve"):
            for drop in (False, True):
                ours = globals()[name](truth, scores, drop_intermediate=drop)
                for mine, other in zip(
                    ours, getattr(sklearn_metrics, name)(truth, scores, drop_intermediate=drop), strict=True
                ):
                    np.testing.assert_array_equal(mine, other)


def test_float32_scores_lose_no_sample_and_stay_float32() -> None:
    close = np.array([16777216.0, 16777218.0, 16777220.0], dtype=np.float32)
    curve = roc_curve([0, 1, 1], close)
    assert curve.thresholds.dtype == np.float32
    assert curve.thresholds.tolist() == [math.inf, *close[::-1].tolist()]
    # In float32 these two are one score, in float64 two.
    pair = [1.0, 1.0 + 1e-9]
    assert len(roc_curve([0, 1], np.array(pair, dtype=np.float32)).thresholds) == 2
    assert len(roc_curve([0, 1], pair).thresholds) == 3


def test_a_threshold_is_compared_in_the_width_of_the_scores() -> None:
    curve = roc_curve([0, 1, 1], np.array([0.1, 0.7, 0.9], dtype=np.float32))
    assert curve.at(0.7).true_positives == 2  # the float32 next to 0.7 lies below it


def test_counts_do_not_lose_samples_beyond_what_float32_counts() -> None:
    n = 2**24 + 3
    truth = np.ones(n, dtype=np.bool_)
    truth[0] = False
    curve = roc_curve(truth, np.zeros(n, dtype=np.float32))
    assert (curve.true_positives[-1], curve.false_positives[-1]) == (n - 1, 1)


def test_constant_scores_make_one_step() -> None:
    fpr, tpr, thresholds = roc_curve([0, 1, 1], [0.3, 0.3, 0.3])
    assert (fpr.tolist(), tpr.tolist(), thresholds.tolist()) == ([0, 1], [0, 1], [math.inf, 0.3])
    precision, recall, thresholds = precision_recall_curve([0, 1, 1], [0.3, 0.3, 0.3])
    assert (precision.tolist(), recall.tolist(), thresholds.tolist()) == ([2 / 3, 1], [1, 0], [0.3])
    fpr, fnr, thresholds = det_curve([0, 1, 1], [0.3, 0.3, 0.3])
    assert (fpr.tolist(), fnr.tolist(), thresholds.tolist()) == ([1, 0], [0, 1], [0.3, math.inf])


@pytest.mark.parametrize("curve", CURVES)
def test_infinite_scores_only_order(curve: Any) -> None:
    truth, finite = [0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0]
    infinite = [-math.inf, 2.0, 3.0, math.inf]
    for ours, theirs in zip(list(curve(truth, infinite))[:2], list(curve(truth, finite))[:2], strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_zeros_of_either_sign_are_one_score() -> None:
    assert roc_curve([1, 0, 1], [0.0, -0.0, 1.0]).thresholds.tolist() == [math.inf, 1.0, 0.0]


@pytest.mark.parametrize(
    ("truth", "missing"), [([1, 1], "there are no negative samples"), ([0, 0], "there are no positive samples")]
)
@pytest.mark.parametrize("curve", CURVES)
def test_rates_of_a_missing_class_are_nan_and_say_why(curve: Any, truth: list[int], missing: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = curve(truth, [0.1, 0.2])
        arrays = list(found)
    assert found.reason == missing
    assert all(len(array) for array in arrays)
    with pytest.raises(DataError, match=f"there is no band: {missing}"):
        found.band()


def test_a_rate_that_is_defined_without_the_other_class_is_kept() -> None:
    fpr, tpr, _ = roc_curve([1, 1], [0.1, 0.2])
    assert np.isnan(fpr).all()
    assert tpr.tolist() == [0, 0.5, 1]
    precision, recall, _ = precision_recall_curve([0, 0], [0.1, 0.2], pos_label=1)
    assert precision.tolist() == [0, 0, 1]
    assert np.isnan(recall[:2]).all()


def test_one_sample_is_a_curve() -> None:
    fpr, tpr, thresholds = roc_curve([1], [0.7])
    assert np.isnan(fpr).all()
    assert (tpr.tolist(), thresholds.tolist()) == ([0, 1], [math.inf, 0.7])


@pytest.mark.parametrize("curve", CURVES)
def test_bad_input_is_refused(curve: Any) -> None:
    with pytest.raises(DataError, match="y_true has no samples; a curve needs at least one"):
        curve([], [])
    with pytest.raises(DataError, match="y_score is NaN at index 1"):
        curve([0, 1], [0.1, math.nan])
    with pytest.raises(DataError, match="y_true has 2 samples but y_score has 1"):
        curve([0, 1], [0.1])
    with pytest.raises(DataError, match="with pos_label="):
        curve(["no", "yes"], [0.1, 0.2])
    with pytest.raises(DataError, match="y_score is missing"):
        curve([0, 1])
    with pytest.raises(DataError, match="give nothing beside them"):
        curve(Scores.from_arrays([0, 1], [0.1, 0.2]), [0.1, 0.2])
    with pytest.raises(DataError, match="threshold is NaN"):
        curve([0, 1], [0.1, 0.2]).at(math.nan)


@pytest.mark.parametrize("curve", CURVES)
def test_a_curve_of_scores_is_that_of_their_columns(curve: Any) -> None:
    data = Scores.from_arrays(["a", "b", "b"], [0.1, 0.3, 0.2], pos_label="b")
    for ours, theirs in zip(curve(data), curve(["a", "b", "b"], [0.1, 0.3, 0.2], pos_label="b"), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_summaries_are_those_of_the_metrics() -> None:
    assert roc_curve(TRUE_CLASS, PROBABILITY).auc.value == 19 / 24
    expected = sum(k / rank for k, rank in enumerate((1, 2, 4, 5, 6, 8), start=1)) / 6
    assert precision_recall_curve(TRUE_CLASS, PROBABILITY).average_precision.value == pytest.approx(expected, rel=1e-15)
    # Of 24 pairs 19 are in the right order and 5 in the wrong one.
    assert gain_curve(TRUE_CLASS, PROBABILITY).capture.value == pytest.approx(14 / 24, rel=1e-15)
