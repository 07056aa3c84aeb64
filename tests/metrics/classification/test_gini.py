"""Gini and gain capture."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus.classification import gain_capture, gini, roc_auc
from certus.data import Scores
from certus.statistic import Influence, UStatistic

SAMPLES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30).filter(
    lambda samples: 0 < sum(y for y, _ in samples) < len(samples)
)


@given(SAMPLES)
def test_gain_capture_is_the_area_over_the_diagonal_of_the_gain_curve(samples: list[tuple[bool, int]]) -> None:
    truth, score = [y for y, _ in samples], [s for _, s in samples]
    steps = Scores.from_arrays(truth, score).steps
    m, n = sum(truth), len(truth)
    share = np.concatenate([[0], (steps.true_positives + steps.false_positives) / n])
    gain = np.concatenate([[0], steps.true_positives / m])
    area = float((np.diff(share) * (gain[1:] + gain[:-1]) / 2).sum())
    perfect = 1 - m / n / 2
    assert gain_capture(truth, score).value == pytest.approx((area - 0.5) / (perfect - 0.5), abs=1e-12)


@given(SAMPLES)
def test_gini_is_twice_the_area_less_1(samples: list[tuple[bool, int]]) -> None:
    truth, score = [y for y, _ in samples], [s for _, s in samples]
    area, found = roc_auc(truth, score), gini(truth, score)
    assert found.value == pytest.approx(2 * area.value - 1, abs=1e-15)
    for method in ("logit-delong", "delong"):
        limits, expected = found.interval(method=method), area.interval(method=method)
        if expected.defined:
            assert (limits.low, limits.high) == pytest.approx((2 * expected.low - 1, 2 * expected.high - 1), abs=1e-12)


def test_r2_gini_is_7_of_12() -> None:
    # AUC is 19 of 24.
    truth, score = [1, 1, 0, 1, 1, 1, 0, 1, 0, 0], [0.9, 0.88, 0.86, 0.84, 0.82, 0.7, 0.65, 0.5, 0.4, 0.1]
    assert gini(truth, score).value == 7 / 12


def test_perfect_reversed_and_constant_scores_are_exact() -> None:
    truth = np.arange(700) >= 300
    for weights in (None, np.linspace(0.1, 2, 700)):
        assert gini(truth, truth, sample_weight=weights).value == 1
        assert gini(truth, ~truth, sample_weight=weights).value == -1
        assert gini(truth, np.ones(700), sample_weight=weights).value == 0


def test_weighted_gini_is_on_the_same_scale() -> None:
    rng = np.random.default_rng(1)
    truth, score, weights = rng.random(80) < 0.5, rng.normal(size=80), rng.random(80)
    area, found = roc_auc(truth, score, sample_weight=weights), gini(truth, score, sample_weight=weights)
    assert found.value == pytest.approx(2 * area.value - 1, abs=1e-15)
    assert found.standard_error == pytest.approx(2 * area.standard_error, rel=1e-12)
    first, second = found.statistic, area.statistic
    assert isinstance(first, Influence)
    assert isinstance(second, Influence)
    assert first.resample is not None
    assert second.resample is not None
    np.testing.assert_allclose(first.resample(20, 1, False), 2 * second.resample(20, 1, False) - 1, atol=1e-14)


def test_one_class_is_undefined() -> None:
    assert gini([1, 1], [0.1, 0.2]).reason == "there are no negatives"
    assert isinstance(gini([0, 1], [0.1, 0.2]).statistic, UStatistic)
    assert gain_capture([0, 0], [0.1, 0.2], undefined=0.0).value == 0
