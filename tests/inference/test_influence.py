"""Intervals from influence values."""

import math

import numpy as np
import pytest

from certus.inference import Estimate
from certus.statistic import Influence, Mean


def test_the_influence_interval_of_a_mean_is_students_t() -> None:
    values = np.array([0.1, 0.4, 0.35, 0.8, 0.6])
    estimate = Estimate(Influence(float(values.mean()), (5,), (float(values.var(ddof=1)),)))
    assert estimate.interval(method="influence")[:2] == pytest.approx(Estimate(Mean(values)).interval()[:2], rel=1e-12)


def test_without_spread_the_limits_are_undefined_or_exact() -> None:
    interval = Estimate(Influence(1.0, (5, 9), (0.0, 0.0)), bounds=(0.0, 1.0)).interval()
    assert math.isnan(interval.low)
    assert "no spread" in interval.why
    exact = Influence(1.0, (5, 9), (0.0, 0.0), exact=lambda tail: (tail, 1.0))
    assert Estimate(exact, bounds=(0.0, 1.0)).interval()[:2] == pytest.approx((0.025, 1.0))
