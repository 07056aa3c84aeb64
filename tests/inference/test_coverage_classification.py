"""Measured coverage for classification metrics: a small version of bench/coverage/classification.py."""

import math

import numpy as np
import pytest
from crossed import crossed
from scripts import load_script

from certus.classification import average_precision, positive_likelihood_ratio

SAMPLES = 400


PROPORTIONS, CELLS, SCORES = (
    load_script(f"bench/coverage/study_{name}.py") for name in ("proportions", "cells", "scores")
)
Call = CELLS.Call


def near(covered: float, expected: float, samples: int = SAMPLES) -> bool:
    return abs(covered - expected) < 4 * math.sqrt(expected * (1 - expected) / samples)


@pytest.mark.parametrize(
    ("method", "mean", "least", "width"),
    [
        # An independent enumeration of the same grid of true shares, for 30 trials.
        ("wald", 0.875, 0.015, 0.267),
        ("wilson", 0.953, 0.848, 0.271),
        ("jeffreys", 0.951, 0.889, 0.269),
        ("agresti-coull", 0.960, 0.934, 0.279),
        ("mid-p", 0.958, 0.925, 0.276),
        ("clopper-pearson", 0.973, 0.951, 0.299),
        ("blaker", 0.963, 0.950, 0.283),
    ],
)
def test_proportions_have_the_coverage_of_an_independent_enumeration(
    method: str, mean: float, least: float, width: float
) -> None:
    found = PROPORTIONS.share_coverage(method, 30)
    assert found.mean == pytest.approx(mean, abs=2e-3)
    assert found.least == pytest.approx(least, abs=2e-2)
    assert found.width == pytest.approx(width, abs=2e-3)


def test_f1_is_covered_by_way_of_its_share_and_not_as_a_share_of_all_samples() -> None:
    setting = PROPORTIONS.Setting(200, 0.1, 0.8, 0.7)
    assert abs(PROPORTIONS.f1_coverage("wilson", setting).mean - 0.95) < 0.01
    assert PROPORTIONS.f1_coverage("clopper-pearson", setting).mean > 0.95
    assert PROPORTIONS.f1_coverage(PROPORTIONS.MISTAKE, setting).mean < 0.6


@pytest.mark.parametrize(("population", "name"), crossed((0, 1, 2), ("kappa", "MCC", "balanced accuracy")))
def test_the_default_covers_functions_of_small_2_by_2_tables(population: int, name: str) -> None:
    call = Call(None)
    found = CELLS.tables(CELLS.TWO[population], 30, CELLS.METRICS[name], (call,), SAMPLES)[call]
    assert 0.92 < found.covered < 0.985


@pytest.mark.parametrize("name", ["kappa", "macro F1", "balanced accuracy"])
def test_the_adjusted_delta_method_covers_where_a_class_is_rare(name: str) -> None:
    plain, default = Call("delta"), Call(None)
    found = CELLS.tables(CELLS.MANY[1], 50, CELLS.METRICS[name], (plain, default), SAMPLES)
    assert 0.92 < found[default].covered < 0.99
    if name != "kappa":
        assert found[plain].covered < 0.87


def test_weights_and_clusters_are_covered() -> None:
    default = Call(None)
    weighted = CELLS.weighted(CELLS.TWO[2], 50, CELLS.METRICS["kappa"], (default,), True, SAMPLES)[default]
    assert 0.9 < weighted.covered < 0.985
    grouped = CELLS.clusters(CELLS.TWO[0], 30, CELLS.METRICS["kappa"], (default,), samples=SAMPLES)[default]
    alone = CELLS.clusters(CELLS.TWO[0], 30, CELLS.METRICS["kappa"], (default,), False, SAMPLES)[default]
    assert near(grouped.covered, 0.945)
    assert alone.covered < 0.9


@pytest.mark.parametrize(
    ("law", "sizes", "expected"),
    [
        # An independent simulation with 4,000 samples a setting.
        (0, (50, 50), 0.95),
        (1, (20, 20), 0.955),
        (3, (15, 150), 0.945),
        (4, (50, 50), 0.95),
    ],
)
def test_logit_delong_covers(law: int, sizes: tuple[int, int], expected: float) -> None:
    call = Call("logit-delong")
    assert near(SCORES.auc(SCORES.LAWS[law], sizes, (call,), SAMPLES)[call].covered, expected)


def test_logit_delong_covers_near_1_where_delong_does_not() -> None:
    logit, raw = Call("logit-delong"), Call("delong")
    found = SCORES.auc(SCORES.LAWS[2], (15, 150), (logit, raw), SAMPLES)
    assert found[logit].covered > 0.9
    assert found[raw].covered < 0.88


def test_average_precision_is_covered() -> None:
    logit = Call("influence-logit")
    found = SCORES.average_precision(SCORES.LAWS[1], (50, 500), (logit,), SAMPLES)[logit]
    assert 0.915 < found.covered < 0.99


@pytest.mark.parametrize(("n", "share", "on_top"), [(100, 0.3, 1.5), (200, 0.5, 0.7), (400, 0.1, 2.2)])
def test_average_precision_is_covered_where_a_sample_may_show_no_negative_on_top(
    n: int, share: float, on_top: float
) -> None:
    """Of limits that took what the sample shows for all there is, .83, .59 and .88 covered."""
    random = np.random.default_rng(4)
    positive = random.random(40_000) < share
    score = random.standard_normal(40_000) + 3.3 * positive
    score[~positive & (random.random(40_000) < on_top / (n * (1 - share)))] += 12
    truth = average_precision(positive, score).value
    covered, noted = [], []
    for _ in range(SAMPLES):
        drawn = random.integers(40_000, size=n)
        interval = average_precision(positive[drawn], score[drawn]).interval()
        covered.append(interval.low <= truth <= interval.high)
        noted.append(bool(interval.reason))
    assert np.mean(covered) > 0.94
    assert np.mean(noted) < 0.15


@pytest.mark.parametrize(
    ("n", "share", "tpr", "fpr"),
    [
        (484, 0.049, 0.231, 0.125),
        (207, 0.45, 0.379, 0.032),
        pytest.param(285, 0.473, 0.884, 0.015, marks=pytest.mark.thorough),
    ],
)
def test_likelihood_ratios_are_covered_with_few_right_or_falsely_predicted(
    n: int, share: float, tpr: float, fpr: float
) -> None:
    """Limits about the ratio less its bias, or of the posterior alone, covered .92 in each of these."""
    cells = np.array([share * tpr, share * (1 - tpr), (1 - share) * fpr, (1 - share) * (1 - fpr)])
    tables = np.random.default_rng(11).multinomial(n, cells, size=SAMPLES)
    covered = []
    for table, times in zip(*np.unique(tables, axis=0, return_counts=True), strict=True):
        estimate = positive_likelihood_ratio(np.repeat([1, 1, 0, 0], table), np.repeat([1, 0, 1, 0], table))
        interval = estimate.interval()
        covered += [interval.low <= tpr / fpr <= interval.high] * int(times)
    assert np.mean(covered) > 0.938


def test_mean_losses_are_covered() -> None:
    call = Call("t")
    assert near(SCORES.loss(SCORES.classification.brier, 100, 1.0, (call,), SAMPLES)[call].covered, 0.945)


def test_the_exact_values_of_the_study_are_those_of_its_laws() -> None:
    rng = SCORES.np.random.default_rng(1)
    for law in SCORES.LAWS:
        positives, negatives = law.positives(rng, 20_000), law.negatives(rng, 40_000)
        labels = SCORES.np.repeat([1, 0], [20_000, 40_000])
        scores = SCORES.np.concatenate([positives, negatives])
        auc = SCORES.classification.roc_auc(labels, scores)
        assert abs(auc.value - law.area()) < 4.5 * auc.standard_error
        precision = SCORES.classification.average_precision(labels, scores)
        assert abs(precision.value - law.precision(1 / 3)) < 4.5 * precision.standard_error
