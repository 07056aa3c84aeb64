"""Intervals for the probability of a right order."""

import pytest

from certus.inference import Estimate
from certus.statistic import UStatistic


def test_perfect_separation_has_the_limits_of_k_successes_in_k_trials() -> None:
    estimate = Estimate(UStatistic(1.0, (5, 9), (0.0, 0.0)), bounds=(0.0, 1.0))
    for method in estimate.methods:
        low, high, *_ = interval = estimate.interval(method=method)
        assert low == pytest.approx(0.025 ** (1 / 5), rel=1e-12)
        assert high == 1.0
        assert "exact limits from 5 pairs that share no sample" in interval.why


def test_an_affine_image_has_the_images_of_the_limits() -> None:
    auc = Estimate(UStatistic(0.8, (20, 30), (0.05, 0.04)), bounds=(0.0, 1.0))
    gini = Estimate(UStatistic(0.6, (20, 30), (0.20, 0.16), span=(-1.0, 1.0)), bounds=(-1.0, 1.0))
    for method in auc.methods:
        low, high, *_ = auc.interval(method=method)
        assert gini.interval(method=method)[:2] == pytest.approx((2 * low - 1, 2 * high - 1), rel=1e-12)
