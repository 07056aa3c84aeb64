"""Limits near a perfect value: a worse result has no higher lower limit."""

import itertools
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import stats

import certus
from certus import Metric
from certus.classification import accuracy, average_precision, balanced_accuracy, f1, mcc, recall, roc_auc


def exchanged(positives: int, negatives: int, pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """A perfect order in which the lowest positives and the highest negatives have changed places."""
    scores = np.arange(positives + negatives)
    here = np.arange(pairs)
    scores[negatives + here], scores[negatives - 1 - here] = negatives - 1 - here, negatives + here
    return np.repeat([0, 1], [negatives, positives]), scores


def fallen(positives: int, negatives: int, places: int) -> tuple[np.ndarray, np.ndarray]:
    """A perfect order in which the lowest positive has fallen below some negatives."""
    scores = np.arange(positives + negatives, dtype=float)
    scores[negatives] -= places + 0.5 if places else 0
    return np.repeat([0, 1], [negatives, positives]), scores


@pytest.mark.parametrize("n", [10, 16, 25, 40, 60])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_worse_order_has_no_higher_lower_limit_of_auc(n: int, share: float) -> None:
    positives = round(share * n)
    negatives = n - positives
    for made in (exchanged, fallen):
        lows = [roc_auc(*made(positives, negatives, k)).interval().low for k in range(min(positives, negatives, 9))]
        for better, worse in pairwise(lows):
            # The exact limit and the score limits meet within .001, with 7 against 8 samples within .01.
            assert worse <= better + (0.01 if n < 20 else 0.001)


def test_the_lower_limit_of_a_nearly_perfect_auc_is_near_that_of_a_perfect_one() -> None:
    """One exchange of 25 against 25 had .803, three of them .852, none .863."""
    lows = [roc_auc(*exchanged(25, 25, k)).interval().low for k in range(4)]
    np.testing.assert_allclose(lows, [0.8628, 0.8598, 0.8511, 0.8520], atol=1e-4)


@pytest.mark.parametrize(("groups", "size"), [(10, 6), (25, 2), (20, 10), (100, 2)])
@pytest.mark.parametrize("metric", [accuracy, recall, f1, mcc, balanced_accuracy], ids=str)
def test_more_groups_with_an_error_have_no_higher_lower_limit(metric: Metric, groups: int, size: int) -> None:
    """Before, one error of 200 in 100 groups gave accuracy .890 as the lower limit, four errors .933."""
    true = np.arange(groups * size) % 2
    lows = []
    for errors in range(1, 9):
        wrong = true.copy()
        wrong[np.arange(errors) * size + 1] = 0
        lows.append(metric(true, wrong, groups=np.repeat(np.arange(groups), size)).interval().low)
    for better, worse in pairwise(lows):
        assert worse <= better + (0.005 if groups == 10 else 0)


def test_the_limits_of_few_errors_in_groups_cover() -> None:
    random = np.random.default_rng(6)
    truth, covered = 0.98, []
    for _ in range(200):
        group = np.repeat(np.arange(40), random.integers(1, 6, 40))
        true = np.arange(len(group)) % 2
        # A part of the groups has errors, half of whose samples are wrong.
        wrong = (random.random(40) < 2 * (1 - truth))[group] & (random.random(len(group)) < 0.5)
        low, high, *_ = accuracy(true, np.where(wrong, 1 - true, true), groups=group).interval()
        covered.append(low <= truth <= high)
    assert np.mean(covered) > 0.93


def test_a_nearly_perfect_average_precision_allows_for_negatives_on_top() -> None:
    """One exchange had the limits .991 and 1, the exact ones of none being .801 and 1."""
    found = [average_precision(*exchanged(100, 100, pairs)).interval() for pairs in range(5)]
    assert "exact" in found[0].reason
    assert [interval.reason for interval in found[1:]] == [""] * 4
    np.testing.assert_allclose([interval.low for interval in found], [0.801, 0.898, 0.898, 0.898, 0.897], atol=5e-4)


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
