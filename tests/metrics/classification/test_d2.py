"""The parts of log loss and Brier score that are saved against the class shares."""

import math
from typing import Any

import numpy as np
import pytest
from crossed import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from certus import classification
from certus.statistic import Ratio

d2_log_loss = classification.d2_log_loss
d2_brier = classification.d2_brier


def test_by_hand() -> None:
    # The shares 1/4 and 3/4 lose (ln 4 + 3 ln 4/3) / 4; the predictions lose ln 2 once.
    truth, p = [0, 1, 1, 1], [0.5, 1.0, 1.0, 1.0]
    null = (math.log(4) + 3 * math.log(4 / 3)) / 4
    assert d2_log_loss(truth, p).value == pytest.approx(1 - math.log(2) / 4 / null, rel=1e-14)
    assert d2_brier(truth, p).value == pytest.approx(1 - (1 / 16) / (3 / 16), rel=1e-14)


@pytest.mark.parametrize("metric", [d2_log_loss, d2_brier])
def test_a_single_class_leaves_nothing_to_save(metric: Any) -> None:
    estimate = metric([1, 1], [0.5, 0.5])
    assert math.isnan(estimate.value)
    assert estimate.reason == "the denominators of 2 samples sum to zero"
    assert math.isnan(metric([], []).value)


def test_an_impossible_event_loses_everything() -> None:
    assert d2_log_loss([0, 1], [0.5, 0.0]).value == -math.inf


def test_the_standard_error_counts_that_the_shares_are_estimated() -> None:
    # The jackknife leaves out each sample and computes the shares anew.
    rng = np.random.default_rng(0)
    p = rng.random(400)
    truth = (rng.random(400) < p).astype(int)
    for metric in (d2_log_loss, d2_brier):
        without = np.array([metric(np.delete(truth, i), np.delete(p, i)).value for i in range(400)])
        jackknife = math.sqrt(399 / 400 * ((without - without.mean()) ** 2).sum())
        assert metric(truth, p).standard_error == pytest.approx(jackknife, rel=0.02)


@settings(max_examples=examples(30, 100), deadline=None)
@given(st.data(), st.integers(2, 4), st.integers(2, 7))
def test_as_scikit_learn(data: Any, classes: int, n: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    truth = data.draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    weights = data.draw(st.none() | st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n))
    assume(len(set(truth)) > 1)
    row = st.lists(st.integers(1, 9), min_size=classes, max_size=classes)
    rows = np.array(data.draw(st.lists(row, min_size=n, max_size=n)), dtype=float)
    rows /= rows.sum(axis=1, keepdims=True)
    labels = list(range(classes))
    for metric, peer in ((d2_log_loss, metrics.d2_log_loss_score), (d2_brier, metrics.d2_brier_score)):
        estimate = metric(truth, rows, labels=labels, sample_weight=weights)
        assert isinstance(estimate.statistic, Ratio)
        expected = peer(truth, rows, labels=labels, sample_weight=weights)
        assert estimate.value == pytest.approx(expected, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("having", [24, 25])
def test_d2_of_log_loss_says_that_few_groups_have_the_rarer_class(having: int) -> None:
    groups = np.repeat(np.arange(60), 3)
    truth = ((groups < having) & (np.arange(180) % 3 == 0)).astype(int)
    p = np.where(truth == 1, 0.6, 0.1 + 0.001 * np.arange(180))
    said = d2_log_loss(truth, p, groups=groups).interval().reason
    assert ("24 groups with samples of class 1" in said) == (having == 24)
    assert "group" not in d2_log_loss(truth, p).interval().reason


@pytest.mark.parametrize("metric", [d2_brier, d2_log_loss])
@pytest.mark.parametrize("large", [1, 30])
def test_d2_says_that_few_of_many_groups_have_most_samples_of_the_rarer_class(metric: Any, large: int) -> None:
    # 50 groups have one sample of class 1 each, 5 more have 30: (50 + 150)^2 / (50 + 5 * 900) = 8.8.
    counts = np.repeat([1, large], [50, 5])
    groups = np.repeat(np.arange(55), 4 * counts)
    truth = (np.arange(len(groups)) % 4 == 0).astype(int)
    p = np.where(truth == 1, 0.6, 0.1 + 0.3 * np.arange(len(groups)) / len(groups))
    reason = metric(truth, p, groups=groups).interval().reason
    assert ("55 groups, worth 9 equal ones, with samples of class" in reason) == (large == 30)
