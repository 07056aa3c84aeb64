"""Influence of each sample on a metric of scores against the derivative by its weight, taken numerically."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus import Metric
from certus.statistic import Influence
from certus.statistic.influence import stratum_influences

C = certus.classification
SMOOTH = {
    "AUC to a false positive rate": C.roc_auc.using(max_fpr=0.3),
    "its raw area": C.roc_auc.using(max_fpr=0.45, partial="raw"),
    "AUC from a true positive rate": C.roc_auc.using(min_tpr=0.6),
    "AP, trapezoid": C.average_precision.using(interpolation="trapezoid"),
    "AP, Davis and Goadrich": C.average_precision.using(interpolation="davis-goadrich"),
    "KS": C.ks,
    "KS, one-sided": C.ks.using(one_sided=True),
    "H": C.h_measure,
    "H, Hand and Anagnostopoulos": C.h_measure.using(prior="hand-anagnostopoulos"),
    "H, hmeasure": C.h_measure.using(prior="hmeasure"),
}
IN_CLASSES = {*list(SMOOTH)[:3], "KS", "KS, one-sided"}
AT_THRESHOLDS = {
    "BEP": C.break_even_point,
    "lift": C.lift.using(depth=0.23),
    "precision at recall": C.precision_at_recall.using(recall=0.61),
    "AP, 11 points": C.average_precision.using(interpolation="11-point"),
}


def influence(metric: Metric, truth: Any, score: Any, **more: Any) -> Influence:
    statistic = metric(truth, score, **more).statistic
    assert isinstance(statistic, Influence)
    return statistic


def by_weights(metric: Metric, truth: Any, score: Any, weights: Any) -> Any:
    """The derivative of the value by the weight of each sample, times the weight: by differences of fourth order."""
    step = 1e-4

    def value(i: int, factor: float) -> float:
        changed = weights.copy()
        changed[i] *= factor
        return float(metric(truth, score, sample_weight=changed).value)

    return np.array(
        [
            (8 * (value(i, 1 + step) - value(i, 1 - step)) - (value(i, 1 + 2 * step) - value(i, 1 - 2 * step)))
            / (12 * step)
            for i in range(len(weights))
        ]
    )


def agree(metric: Metric, truth: Any, score: Any, weights: Any, groups: Any, stratified: bool) -> None:
    terms = by_weights(metric, truth, score, weights)
    assert abs(terms.sum()) < 1e-9
    for given_groups in (None, groups):
        found = influence(metric, truth, score, sample_weight=weights, groups=given_groups)
        strata = ~truth.astype(bool) if stratified else None
        expected = stratum_influences(terms, weights, given_groups, strata)
        assert found.influence is not None
        assert found.sizes == tuple(map(len, expected))
        for mine, theirs in zip(found.influence(), expected, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=2e-9 * len(truth))


@pytest.mark.parametrize("name", SMOOTH)
@settings(max_examples=8)
@given(data=st.data(), n=st.integers(4, 14), distinct=st.integers(2, 20))
def test_influence_values_are_derivatives_by_the_weights(name: str, data: Any, n: int, distinct: int) -> None:
    truth = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    truth[:2] = 0, 1
    score = np.array(data.draw(st.lists(st.integers(0, distinct), min_size=n, max_size=n)), dtype=float)
    # Weights in general position: at a tie of two thresholds, or a bend of the curve, there is no derivative.
    weights = 0.5 + np.random.default_rng(data.draw(st.integers(0, 99))).random(n)
    groups = np.arange(n) % 3
    metric = SMOOTH[name]
    agree(metric, truth, score, weights, groups, name in IN_CLASSES)


@pytest.mark.parametrize("name", AT_THRESHOLDS)
@settings(max_examples=4)
@given(seed=st.integers(0, 999))
def test_those_at_a_threshold_are_so_too_where_many_samples_share_its_score(name: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    truth = np.repeat([1, 0, 1, 0, 1, 0, 0, 1], 12)
    # Three scores with 32 samples each: more than move a threshold.
    score = random.permutation(np.arange(96) % 3) + 0.0
    agree(AT_THRESHOLDS[name], truth, score, 0.5 + random.random(96), np.arange(96) % 48, stratified=False)


@pytest.mark.parametrize(
    "metric",
    [
        C.break_even_point,
        C.lift.using(depth=0.1),
        C.precision_at_recall.using(recall=0.8),
    ],
    ids=str,
)
def test_the_standard_error_is_the_deviation_of_the_values_where_the_threshold_moves(metric: Metric) -> None:
    random = np.random.default_rng(7)
    values, errors = [], []
    for _ in range(1_000):
        truth = random.random(1_000) < 0.3
        estimate = metric(truth.astype(int), random.normal(size=1_000) + truth)
        values.append(estimate.value)
        errors.append(estimate.standard_error)
    # Three standard errors of the deviation of 1,000 values.
    assert abs(np.sqrt(np.mean(np.square(errors))) / np.std(values) - 1) < 0.07


def test_the_standard_error_of_recall_at_a_precision_is_near_the_deviation_of_the_values() -> None:
    random = np.random.default_rng(7)
    estimates = []
    for _ in range(200):
        truth = random.random(1_000) < 0.3
        score = random.normal(size=1_000) + 1.5 * truth
        estimates.append(C.recall_at_precision(truth.astype(int), score, precision=0.6))
    errors = np.array([each.standard_error for each in estimates])
    # How dense positives are at the threshold is known from few samples; with a slope of another sign it is 2.4.
    assert abs(np.sqrt(np.mean(errors**2)) / np.std([each.value for each in estimates]) - 1) < 0.25


SLOW: dict[str, Callable[..., Any]] = {**SMOOTH, **AT_THRESHOLDS, "recall": C.recall_at_precision.using(precision=0.6)}


@pytest.mark.parametrize("name", SLOW)
@pytest.mark.parametrize("more", ["", "sample_weight", "groups"])
def test_no_default_interval_of_a_metric_of_scores_is_drawn(name: str, more: str) -> None:
    random = np.random.default_rng(1)
    truth = random.random(200) < 0.3
    given: dict[str, dict[str, Any]] = {
        "": {},
        "sample_weight": {"sample_weight": random.random(200)},
        "groups": {"groups": np.arange(200) % 40},
    }
    estimate = SLOW[name](truth.astype(int), random.normal(size=200) + truth, **given[more])
    assert "bootstrap" not in estimate.interval().method
