"""A small version of bench/coverage/comparisons.py: error rates of the comparisons, with bounds that can fail."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench" / "coverage"
SAMPLES = 300


@pytest.fixture(scope="module")
def study() -> Any:
    sys.path.insert(0, str(BENCH))
    try:
        return import_module("comparisons")
    finally:
        sys.path.remove(str(BENCH))


def test_tests_of_the_mean_keep_their_level_and_those_of_symmetry_do_not(study: Any) -> None:
    normal, exponential = (study.rejections(law, 25, SAMPLES) for law in study.LAWS[:2])
    # Three standard errors of 300 samples above 0.05.
    assert max(normal.values()) <= 0.088
    assert min(normal["permutation"], normal["t"], normal["bootstrap-t"]) >= 0.012
    assert exponential["permutation"] <= 0.115
    assert exponential["permutation-hall"] <= 0.088
    assert exponential["bootstrap-t"] <= 0.095
    # Skewed differences with mean 0 have another median: what these two test.
    assert exponential["wilcoxon"] >= 0.10
    assert exponential["sign"] >= 0.17


def test_intervals_for_the_difference_hold_their_level(study: Any) -> None:
    normal, exponential = (study.coverage(law, 25, SAMPLES) for law in study.LAWS[:2])
    assert normal["t"].covered >= 0.91
    assert 1 <= normal["permutation-hall"].width <= 1.1
    assert exponential["permutation-hall"].covered >= 0.91
    assert exponential["bootstrap-t"].covered >= 0.90
    assert exponential["t"].covered < exponential["bootstrap-t"].covered
    assert 1 <= exponential["bootstrap-t"].width / exponential["t"].width <= 1.4


def test_corrections_keep_the_error_of_the_family(study: Any) -> None:
    found = study.familywise_error(study.LAWS[0], 10, 4, 150)
    assert found["none"] >= 0.10
    # Three standard errors of 150 samples above 0.05.
    assert max(found["holm"], found["max-T"], found["Tukey HSD"]) <= 0.103


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_paired_comparisons_of_scores_keep_their_level(study: Any, metric: str) -> None:
    found = study.scored(metric, 50, 50, SAMPLES)
    assert 0.012 <= found.rejected <= 0.098
    assert found.covered >= 0.90
