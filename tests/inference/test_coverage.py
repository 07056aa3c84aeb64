"""Measured coverage of the intervals for a mean: a small version of bench/coverage/means.py."""

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
        ("normal", 25, "bootstrap-t", 0.947),
        ("exponential", 10, "bootstrap-t", 0.931),
        ("exponential", 25, "bootstrap-t", 0.945),
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
