"""Limits of a maximum over thresholds, less its bias."""

import numpy as np
import pytest

from certus import Metric
from certus.classification import h_measure, ks
from certus.inference import Estimate
from certus.inference.intervals.influence import WORK
from certus.statistic.influence import Maximum


@pytest.mark.parametrize("metric", [ks, h_measure], ids=str)
def test_limits_cover_a_maximum_that_is_too_high_on_average(metric: Metric) -> None:
    random = np.random.default_rng(3)

    def draw(n: int) -> tuple[np.ndarray, np.ndarray]:
        truth = random.random(n) < 0.3
        return truth.astype(int), random.normal(size=n) + truth

    expected = metric(*draw(1_000_000)).value
    estimates = [metric(*draw(300)) for _ in range(250)]
    values = np.array([estimate.value for estimate in estimates])
    assert values.mean() - expected > 0.5 * values.std()
    intervals = [estimate.interval() for estimate in estimates]
    assert {interval.method for interval in intervals} == {"bias-aware"}
    # .95 less 2.5 standard errors of 250 samples; without the bias taken off .75 to .88 cover.
    assert np.mean([low <= expected <= high for low, high, *_ in intervals]) > 0.915


def test_limits_of_the_h_measure_allow_for_the_share_of_positives_in_the_sample() -> None:
    random = np.random.default_rng(7)
    levels = np.array([0.0] * 10 + [0.02, 0.22, 0.31, 0.34, 0.37, 0.39, 0.35, 0.33, 0.34, 0.3, 0.27, 0.2])

    def draw(n: int) -> tuple[np.ndarray, np.ndarray]:
        scores = random.integers(len(levels), size=n)
        return (random.random(n) < levels[scores]).astype(int), scores

    expected = h_measure(*draw(2_000_000)).value
    estimates = [h_measure(*draw(1500)) for _ in range(200)]
    # With the numbers of positives and negatives taken for fixed it is .65 of the deviation, and .8 cover.
    deviation = np.std([estimate.value for estimate in estimates])
    assert np.mean([estimate.standard_error for estimate in estimates]) > 0.8 * deviation
    assert np.mean([low <= expected <= high for low, high, *_ in (e.interval() for e in estimates)]) > 0.93


def test_the_upper_limit_of_a_small_h_measure_is_that_of_its_root() -> None:
    random = np.random.default_rng(8)

    def draw(n: int) -> tuple[np.ndarray, np.ndarray]:
        clusters = random.integers(5, size=n)
        shares = np.array([0.05, 0.06, 0.07, 0.09, 0.1])
        return (random.random(n) < shares[clusters]).astype(int), clusters + 0.5 * random.random(n)

    expected = h_measure(*draw(3_000_000)).value
    intervals = [h_measure(*draw(2000)).interval() for _ in range(200)]
    # From the standard error of the value itself, which is small where the value is, .13 end below the true one.
    assert np.mean([high < expected for _, high, *_ in intervals]) < 0.06


def test_the_error_of_a_largest_distance_is_that_of_any_threshold_that_may_be_the_best() -> None:
    random = np.random.default_rng(9)

    def draw(n: int) -> tuple[np.ndarray, np.ndarray]:
        truth = random.random(n) < 0.037
        return truth.astype(int), random.normal(size=n) + 4 * truth

    expected = ks(*draw(2_000_000)).value
    intervals = [ks(*draw(1200)).interval() for _ in range(200)]
    # Nearly all positives may lie above the best threshold of a sample: .68 with the standard error there.
    assert np.mean([interval.low <= expected <= interval.high for interval in intervals]) > 0.88


def test_a_largest_distance_says_that_few_samples_of_a_class_are_wrong() -> None:
    truth = np.arange(1000) < 44
    scores = truth + 0.9 * np.random.default_rng(10).random(1000)
    scores[-10:] += 1
    reason = "the interval may be too short: fewer than 4 samples of a class beyond the best threshold"
    assert ks(truth.astype(int), scores).interval().reason == reason
    assert ks(truth.astype(int), -scores).interval().reason == reason
    assert ks(truth.astype(int), scores - 1.5 * truth * (np.arange(1000) < 6)).interval().reason == ""


def test_few_samples_that_weigh_much_are_few_samples_of_the_rarer_class() -> None:
    random = np.random.default_rng(11)
    truth = np.arange(600) < 60
    scores = truth + random.normal(size=600)
    assert ks(truth.astype(int), scores).interval().reason == ""
    weights = np.where(np.arange(600) < 5, 20.0, 1.0)
    found = ks(truth.astype(int), scores, sample_weight=weights).interval()
    # (5 * 20 + 55)^2 / (5 * 400 + 55)
    assert found.reason == "the interval may be too short: only 11 samples of the rarer class"


@pytest.mark.parametrize("metric", [ks, h_measure], ids=str)
def test_no_difference_between_the_classes_is_within_the_limits(metric: Metric) -> None:
    random = np.random.default_rng(4)
    low, high, *_ = metric(random.integers(0, 2, 400), random.random(400)).interval()
    assert low == 0
    assert 0 < high < 0.3


def test_replicates_of_groups_walk_no_more_samples_than_those_of_single_samples() -> None:
    walked = []

    def resample(replicates: int, seed: int, stratified: bool) -> np.ndarray:
        assert (seed, stratified) == (0, False)
        walked.append(replicates * 100_000)
        return np.full(replicates, 0.5)

    statistic = Maximum(0.5, (10,), (0.01,), resample=resample, samples=100_000)
    Estimate(statistic, "KS", (0.0, 1.0)).interval()
    assert walked == [WORK]


@pytest.mark.parametrize("metric", [ks, h_measure], ids=str)
def test_limits_are_nested_and_see_no_order_of_rows_among_equal_scores(metric: Metric) -> None:
    random = np.random.default_rng(5)
    for shift in (0.0, 0.3, 1.0, 3.0) * 3:
        truth = np.arange(40) % 3 == 0
        scores, weights = np.round(shift * truth + random.normal(size=40)), random.exponential(size=40)
        estimate = metric(truth.astype(int), scores, sample_weight=weights)
        limits = [estimate.interval(level)[:2] for level in (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99)]
        assert [low for low, _ in limits] == sorted((low for low, _ in limits), reverse=True)
        assert [high for _, high in limits] == sorted(high for _, high in limits)
        order = random.permutation(40)
        moved = metric(truth[order].astype(int), scores[order], sample_weight=weights[order])
        np.testing.assert_allclose(moved.interval()[:2], estimate.interval()[:2], rtol=1e-9, atol=1e-12)
