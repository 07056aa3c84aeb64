"""Measured coverage of means and error rates of comparisons: small versions of bench/coverage."""

import math

import pytest
from scripts import load_script

SAMPLES = 2000


STUDY = load_script("bench/coverage/means.py")
LAWS = {law.name: law for law in STUDY.LAWS}


def error(coverage: float, samples: int) -> float:
    return math.sqrt(coverage * (1 - coverage) / samples)


@pytest.mark.parametrize("n", [10, 25])
def test_t_covers_normal_values_at_its_level(n: int) -> None:
    covered = STUDY.measure(LAWS["normal"], n, SAMPLES, ("t",))["t"].covered
    assert abs(covered - 0.95) < 4 * error(0.95, SAMPLES)


@pytest.mark.parametrize(
    ("law", "n", "method", "coverage"),
    [
        # One minus the type I error of an independent simulation with 4,000 samples a setting.
        ("exponential", 10, "t", 0.901),
        ("exponential", 25, "t", 0.928),
        ("normal", 10, "bootstrap-t", 0.957),
        ("exponential", 10, "bootstrap-t", 0.931),
    ],
)
def test_coverage_is_that_of_an_independent_simulation(law: str, n: int, method: str, coverage: float) -> None:
    covered = STUDY.measure(LAWS[law], n, SAMPLES, (method,))[method].covered
    assert abs(covered - coverage) < 4 * math.hypot(error(coverage, SAMPLES), error(coverage, 4000))


def test_bca_shifts_the_limits_of_skewed_values_to_the_side_that_percentile_misses() -> None:
    found = STUDY.measure(LAWS["exponential"], 25, SAMPLES, ("percentile", "bca"))
    percentile, bca = found["percentile"], found["bca"]
    # Both sit on the same samples; misses below must fall by far more than a paired simulation error.
    assert bca.below < percentile.below - 2 * error(percentile.below, SAMPLES)
    assert abs(bca.above - bca.below) < abs(percentile.above - percentile.below)
    assert abs(bca.covered - 0.92) < 4 * error(0.92, SAMPLES)


def test_the_exact_means_of_the_study_are_the_means_of_its_laws() -> None:
    rng = STUDY.np.random.default_rng(1)
    for law in STUDY.LAWS:
        values = law.draw(rng, 400_000)
        assert abs(values.mean() - law.mean) < 4.5 * values.std() / math.sqrt(400_000)


PAIRS = 300
COMPARISONS = load_script("bench/coverage/comparisons.py")


def test_tests_of_the_mean_keep_their_level_and_those_of_symmetry_do_not() -> None:
    normal, exponential = (COMPARISONS.rejections(law, 25, PAIRS) for law in COMPARISONS.LAWS[:2])
    # Three standard errors of 300 samples above 0.05.
    assert max(normal.values()) <= 0.088
    assert min(normal["permutation"], normal["t"], normal["bootstrap-t"]) >= 0.012
    assert exponential["permutation"] <= 0.115
    assert exponential["permutation-hall"] <= 0.088
    assert exponential["bootstrap-t"] <= 0.095
    # Skewed differences with mean 0 have another median: what these two test.
    assert exponential["wilcoxon"] >= 0.10
    assert exponential["sign"] >= 0.17


def test_intervals_for_the_difference_hold_their_level() -> None:
    normal, exponential = (COMPARISONS.coverage(law, 25, PAIRS) for law in COMPARISONS.LAWS[:2])
    assert normal["t"].covered >= 0.91
    assert 1 <= normal["permutation-hall"].width <= 1.1
    assert exponential["permutation-hall"].covered >= 0.91
    assert exponential["bootstrap-t"].covered >= 0.90
    assert exponential["t"].covered < exponential["bootstrap-t"].covered
    assert 1 <= exponential["bootstrap-t"].width / exponential["t"].width <= 1.4


def test_corrections_keep_the_error_of_the_family() -> None:
    found = COMPARISONS.familywise_error(COMPARISONS.LAWS[0], 10, 4, 150)
    assert found["none"] >= 0.10
    # Three standard errors of 150 samples above 0.05.
    assert max(found["holm"], found["max-T"], found["Tukey HSD"]) <= 0.103


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_paired_comparisons_of_scores_keep_their_level(metric: str) -> None:
    found = COMPARISONS.scored(metric, 50, 50, PAIRS)
    assert 0.012 <= found.rejected <= 0.098
    assert found.covered >= 0.90
