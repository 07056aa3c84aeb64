"""AUC by the arithmetic of reference R2, by the comparison of all pairs, and against scikit-learn."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certus.classification import roc_auc
from certus.data import Scores
from certus.errors import DataError
from certus.statistic import UStatistic

# R2's ten clients, by decreasing probability of 1.
PROBABILITY = [0.9, 0.88, 0.86, 0.84, 0.82, 0.7, 0.65, 0.5, 0.4, 0.1]
TRUE_CLASS = [1, 1, 0, 1, 1, 1, 0, 1, 0, 0]


def test_r2_ten_clients_at_two_thresholds() -> None:
    steps = Scores.of(TRUE_CLASS, PROBABILITY).steps
    at = dict(
        zip(steps.thresholds.tolist(), zip(steps.true_positives, steps.false_positives, strict=True), strict=True)
    )
    assert at[0.5] == (6, 2)  # TPR 6/6 = 1, FPR 2/4 = 0.5
    assert at[0.82] == (4, 1)  # threshold 0.8: TPR 4/6 = 0.67, FPR 1/4 = 0.25


def test_r2_ten_clients_have_auc_19_of_24() -> None:
    # The negatives at ranks 3, 7, 9 and 10 have 2, 5, 6 and 6 positives above them, of 6 each.
    assert roc_auc(TRUE_CLASS, PROBABILITY).value == (2 + 5 + 6 + 6) / 24


def test_auc_counts_a_tie_as_half() -> None:
    assert roc_auc([1, 0], [0.5, 0.5]).value == 0.5
    assert roc_auc([1, 0, 0], [0.5, 0.5, 0.1]).value == 0.75


SAMPLES = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30)


def halves(samples: list[tuple[bool, int]]) -> tuple[list[Fraction], list[Fraction]]:
    positives = [s for y, s in samples if y]
    negatives = [s for y, s in samples if not y]
    win = lambda p, q: Fraction((p > q) - (p < q) + 1, 2)  # noqa: E731
    return (
        [sum((win(p, q) for q in negatives), Fraction()) / len(negatives) for p in positives],
        [sum((win(p, q) for p in positives), Fraction()) / len(positives) for q in negatives],
    )


@given(SAMPLES.filter(lambda samples: 0 < sum(y for y, _ in samples) < len(samples)))
def test_auc_and_delong_variances_are_exact(samples: list[tuple[bool, int]]) -> None:
    of_positives, of_negatives = halves(samples)
    statistic = roc_auc([y for y, _ in samples], [s for _, s in samples]).statistic
    assert isinstance(statistic, UStatistic)
    value = sum(of_positives, Fraction()) / len(of_positives)
    assert statistic.value == float(value)
    assert statistic.influence is not None
    for placements, variance, influence in zip(
        (of_positives, of_negatives), statistic.variances, statistic.influence(), strict=True
    ):
        if len(placements) == 1:
            assert np.isnan(variance)
            continue
        mean = sum(placements, Fraction()) / len(placements)
        assert variance == float(sum(((p - mean) ** 2 for p in placements), Fraction()) / (len(placements) - 1))
        np.testing.assert_allclose(influence, [float(p - value) for p in placements], atol=1e-15)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64, np.uint8])
def test_auc_is_scikit_learns_whatever_the_type_of_the_scores(dtype: Any) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(5)
    truth = rng.random(300) < 0.3
    score = (rng.normal(size=300) * 20 + 100 + 15 * truth).astype(dtype)
    assert roc_auc(truth, score).value == pytest.approx(metrics.roc_auc_score(truth, score), abs=1e-14)


def test_scores_that_differ_in_float64_only_are_not_tied() -> None:
    low, high = 0.1, np.nextafter(0.1, 1)
    assert np.float32(low) == np.float32(high)
    assert roc_auc([0, 1], [low, high]).value == 1
    assert roc_auc([0, 1], np.array([low, high], dtype=np.float32)).value == 0.5


def test_perfect_and_reversed_scores_are_exactly_1_and_0() -> None:
    truth = np.arange(1000) >= 300
    assert roc_auc(truth, truth * 0.1).value == 1
    assert roc_auc(truth, -1.0 * truth).value == 0
    assert roc_auc(truth, np.zeros(1000)).value == 0.5


def test_infinite_scores_only_order() -> None:
    assert roc_auc([1, 0, 0], [np.inf, -np.inf, 3.0]).value == 1


@pytest.mark.parametrize(("truth", "why"), [([1, 1], "there are no negatives"), ([0, 0, 0], "there are no positives")])
def test_auc_of_a_single_class_is_undefined(truth: list[int], why: str) -> None:
    estimate = roc_auc(truth, np.arange(len(truth)))
    assert np.isnan(estimate.value)
    assert estimate.why.startswith(why)


def test_auc_of_nothing_is_undefined() -> None:
    estimate = roc_auc([], [])
    assert np.isnan(estimate.value)
    assert estimate.why == "there are no samples"


def test_scores_are_refused_with_the_place() -> None:
    with pytest.raises(DataError, match="y_score is NaN at index 1"):
        roc_auc([0, 1], [0.0, np.nan])
    with pytest.raises(DataError, match="y_true has 3 labels"):
        roc_auc([0, 1, 2], [0.0, 0.5, 1.0])
    with pytest.raises(DataError, match="y_true has 2 samples but y_score has 3"):
        roc_auc([0, 1], [0.0, 0.5, 1.0])
    with pytest.raises(DataError, match="beyond 2\\*\\*53"):
        roc_auc([0, 1], [2**53, 2**53 + 2])
