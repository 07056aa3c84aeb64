"""Limits of a maximum over thresholds, less its bias."""

import numpy as np
import pytest

from certus import Metric
from certus.classification import h_measure, ks
from certus.inference import Estimate
from certus.inference.intervals.maximum import WORK
from certus.statistic import Influence


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

    statistic = Influence(0.5, (10,), (0.01,), resample=resample, peak=100_000)
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
