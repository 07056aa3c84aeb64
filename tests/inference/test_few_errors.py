"""Limits of functions of tables with one to three errors."""

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats

import certus


def table(wrong: tuple[int, ...], sizes: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    true = np.repeat([0, 1], sizes)
    predicted = true.copy()
    predicted[: wrong[0]] = 1
    predicted[sizes[0] : sizes[0] + wrong[1]] = 0
    return true, predicted


@pytest.mark.parametrize("sizes", [(28, 36), (60, 90), (12, 20)])
@pytest.mark.parametrize("metric", [certus.classification.informedness, certus.classification.balanced_accuracy])
def test_rates_of_error_from_one_in_a_thousand_are_covered(metric: Any, sizes: tuple[int, int]) -> None:
    """All outcomes are counted, at error rates that are the same in both classes."""
    limits = {}
    for wrong in itertools.product(range(9), repeat=2):
        found = metric(*table(wrong, sizes)).interval()
        limits[wrong] = found.low, found.high
    whole = 2 if metric is certus.classification.informedness else 1
    for rate in (0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02):
        one, other = (stats.binom(size, rate).pmf(range(9)) for size in sizes)
        truth = 1 - whole * rate
        covered = sum(one[a] * other[b] for (a, b), (low, high) in limits.items() if low <= truth <= high)
        assert covered > 0.92
