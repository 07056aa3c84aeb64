"""Brier score."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certus import classification
from certus.statistic import Ratio

brier = classification.brier
HALVES: list[Any] = ["auto", True, False]


def exact(truth: list[int], rows: list[list[float]], weights: list[float] | None = None) -> Fraction:
    """Brier's definition in rationals."""
    each = [
        sum((Fraction(p) - (column == label)) ** 2 for column, p in enumerate(row))
        for label, row in zip(truth, rows, strict=True)
    ]
    heavy = [Fraction(weight) for weight in weights or [1] * len(truth)]
    return sum((w * e for w, e in zip(heavy, each, strict=True)), Fraction(0)) / sum(heavy)


def test_by_hand() -> None:
    # (0.1^2 + 0.1^2 + 0.2^2 + 0.3^2) / 4
    assert brier([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]).value == pytest.approx(0.0375, rel=1e-15)
    assert brier([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3], scale_by_half=False).value == pytest.approx(0.075, rel=1e-15)


def test_three_classes_keep_the_scale_of_brier() -> None:
    # 0.04 + 0.01 + 0.01, 0.04 + 0.09 + 0.01, 0.04 + 0.04 + 0.16, over 3
    rows = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.2, 0.2, 0.6]]
    assert brier(["eggs", "ham", "spam"], rows).value == pytest.approx(0.44 / 3, rel=1e-15)
    assert brier(["eggs", "ham", "spam"], rows, scale_by_half=True).value == pytest.approx(0.22 / 3, rel=1e-15)


def test_the_worst_prediction_scores_1_or_2_and_the_best_0() -> None:
    assert brier([0, 1], [1.0, 0.0]).value == 1
    assert brier([0, 1], [1.0, 0.0], scale_by_half=False).value == 2
    assert brier([0, 1, 2], np.eye(3)[[1, 2, 0]]).value == 2
    assert brier([0, 1, 2], np.eye(3)).value == 0


def test_one_column_or_two_are_the_same() -> None:
    p = np.array([0.125, 0.5, 0.75])
    assert brier([0, 1, 1], p).value == brier([0, 1, 1], np.column_stack([1 - p, p])).value


def test_no_limit_leaves_the_scale_that_was_chosen() -> None:
    p = [0.0] * 19 + [0.1]
    assert 0.999 < brier([1] * 20, p).interval().high <= 1
    assert 1.9 < brier([1] * 20, p, scale_by_half=False).interval().high <= 2
    # 20 perfect predictions exclude no share of 17% that cost 1 each, or 2.
    share = 1 - 0.025 ** (1 / 20)
    assert brier([1] * 20, [1.0] * 20).interval().high == pytest.approx(share, rel=1e-12)
    assert brier([1] * 20, [1.0] * 20, scale_by_half=False).interval().high == pytest.approx(2 * share, rel=1e-12)
    weighted = brier([1] * 20, p, sample_weight=np.linspace(1, 2, 20))
    assert 0.999 < weighted.interval().high <= 1
    assert weighted.interval(method="delta").high == 1


@settings(deadline=None)
@given(st.data(), st.integers(2, 4), st.integers(1, 6), st.sampled_from(HALVES))
def test_exact_for_any_number_of_classes(data: Any, classes: int, n: int, half: Any) -> None:
    truth = data.draw(st.lists(st.integers(0, classes - 1), min_size=n, max_size=n))
    row = st.lists(st.integers(0, 4), min_size=classes, max_size=classes).filter(any)
    rows = [[x / sum(each) for x in each] for each in data.draw(st.lists(row, min_size=n, max_size=n))]
    weights = data.draw(st.none() | st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n))
    scale = Fraction(1, 2) if half is True or (half == "auto" and classes == 2) else Fraction(1)
    labels = list(range(classes))
    estimate = brier(truth, rows, labels=labels, sample_weight=weights, scale_by_half=half)
    assert estimate.value == pytest.approx(float(scale * exact(truth, rows, weights)), rel=1e-14, abs=1e-18)
    assert isinstance(estimate.statistic, Ratio) == (weights is not None and set(weights) != {1.0})


def test_float32_is_computed_in_float64() -> None:
    p = np.array([0.1, 0.7], np.float32)
    assert brier([1, 0], p).value == brier([1, 0], p.astype(np.float64)).value
