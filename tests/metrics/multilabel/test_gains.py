"""DCG and nDCG of dense scores: by hand, over all orders of ties, and scikit-learn's."""

import math
from itertools import pairwise, permutations
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus import DataError
from certus.multilabel import dcg, ndcg
from certus.statistic import Mean

ROWS = st.lists(
    st.tuples(st.sampled_from([0.0, 1.0, 2.0, 0.5, 3.0]), st.sampled_from([-1.0, 0.0, 0.5])), min_size=1, max_size=6
)


def _gain(grade: float, gain: str) -> float:
    return 2**grade - 1 if gain == "exp" else grade


def _dcg(grades: list[float], k: int | None, gain: str = "linear", base: float = 2) -> float:
    return math.fsum(_gain(grade, gain) / math.log(rank + 1, base) for rank, grade in enumerate(grades[:k], 1))


def _orders(row: list[tuple[float, float]]) -> list[list[float]]:
    """The grades by decreasing score, in every order that the ties allow."""
    ranked = (order for order in permutations(row) if all(one[1] >= other[1] for one, other in pairwise(order)))
    return [[grade for grade, _ in order] for order in ranked]


@settings(max_examples=80, deadline=None)
@given(row=ROWS, k=st.sampled_from([None, 1, 2, 4]), gain=st.sampled_from(["linear", "exp"]))
def test_tied_labels_share_the_mean_gain_over_all_their_orders(
    row: list[tuple[float, float]], k: int | None, gain: Literal["linear", "exp"]
) -> None:
    grades, scores = ([list(column)] for column in zip(*row, strict=True))
    mean = float(np.mean([_dcg(order, k, gain) for order in _orders(row)]))
    assert dcg(grades, scores, k=k, gain=gain).value == pytest.approx(mean, rel=1e-12)
    best = _dcg(sorted(grades[0], reverse=True), k, gain)
    expected = mean / best if best else 0.0
    assert ndcg(grades, scores, k=k, gain=gain).value == pytest.approx(expected, rel=1e-12)


@settings(max_examples=50, deadline=None)
@given(row=ROWS, k=st.sampled_from([None, 1, 3]))
def test_without_regard_to_ties_the_later_column_stands_first(row: list[tuple[float, float]], k: int | None) -> None:
    grades, scores = ([list(column)] for column in zip(*row, strict=True))
    order = sorted(range(len(row)), key=lambda column: (-row[column][1], -column))
    expected = _dcg([row[column][0] for column in order], k)
    assert dcg(grades, scores, k=k, ignore_ties=True).value == pytest.approx(expected, rel=1e-13)


def test_a_label_among_equals_stands_at_each_rank_as_often() -> None:
    """Grade 1 and two of 0, all tied: the mean of three discounts."""
    assert dcg([[0, 1, 0]], [[1, 1, 1]]).value == pytest.approx((1 + 1 / math.log2(3) + 1 / 2) / 3, rel=1e-15)


def test_ties_across_the_cutoff_share_what_lies_above_it() -> None:
    assert dcg([[4, 0]], [[1, 1]], k=1).value == 2


def test_the_two_gains() -> None:
    grades, scores = [[3, 1, 0]], [[1, 3, 2]]
    assert dcg(grades, scores).value == 1 + 3 / 2
    assert dcg(grades, scores, gain="exp").value == 1 + 7 / 2
    best = {"linear": 3 + 1 / math.log2(3), "exp": 7 + 1 / math.log2(3)}
    assert ndcg(grades, scores).value == pytest.approx(2.5 / best["linear"], rel=1e-15)
    assert ndcg(grades, scores, gain="exp").value == pytest.approx(4.5 / best["exp"], rel=1e-15)


def test_the_base_of_the_logarithm_only_scales() -> None:
    grades, scores = [[3, 1, 0]], [[1, 3, 2]]
    for base in (1.5, math.e, 10):
        assert dcg(grades, scores, log_base=base).value == pytest.approx(_dcg([1, 0, 3], None, base=base), rel=1e-14)


def test_a_perfect_order_is_exactly_1_with_and_without_ties() -> None:
    rng = np.random.default_rng(0)
    for grades in (rng.random((200, 37)), rng.integers(0, 4, (200, 37)), rng.random((200, 37)).round(1) / 3):
        for options in ({}, {"k": 5}, {"ignore_ties": True}, {"gain": "exp"}):
            estimate = ndcg(grades, grades, **options)
            assert isinstance(estimate.statistic, Mean)
            assert set(estimate.statistic.values) == {1.0}


def test_nothing_exceeds_1_by_rounding() -> None:
    rng = np.random.default_rng(1)
    grades = rng.random((500, 8))
    order = grades.round(1)  # ties of grades that are nearly equal
    values: Any = ndcg(grades, order).statistic
    assert values.values.max() <= 1


def test_a_sample_without_a_gain_counts_as_it_is_told() -> None:
    grades, scores = [[0, 0], [1, 0]], [[0.2, 0.1]] * 2
    assert ndcg(grades, scores).value == 0.5
    assert ndcg(grades, scores, undefined=1.0).value == 1
    assert ndcg(grades, scores, undefined="skip").n == 1
    undefined = ndcg(grades, scores, undefined="nan")
    assert (math.isnan(undefined.value), undefined.reason) == (True, "1 of 2 samples has no value")


def test_negative_grades_lose_but_are_no_share_of_the_best() -> None:
    estimate = dcg([[-1, 0, 2]], [[3, 2, 1]])
    assert estimate.value == 0
    assert estimate.bounds == (-math.inf, math.inf)
    assert dcg([[1, 0, 2]], [[3, 2, 1]]).bounds == (0, math.inf)
    with pytest.raises(DataError, match="y_true holds -1; a share of the best gain is for grades of at least 0"):
        ndcg([[-1, 0, 2]], [[3, 2, 1]])


def test_gains_that_would_overflow_are_refused() -> None:
    with pytest.raises(DataError, match=r"y_true holds 1001; gain 'exp' takes grades of at most 1000"):
        dcg([[1001, 0]], [[0.1, 0.2]], gain="exp")
    assert math.isfinite(dcg([[1000, 1000]], [[0.1, 0.2]], gain="exp").value)
    with pytest.raises(DataError, match=r"y_true is infinite at index \(0, 0\); it must be finite"):
        dcg([[math.inf, 0]], [[0.1, 0.2]])


def test_dense_and_sparse_rankings_agree() -> None:
    """`certus.ranking.ndcg` of a run that retrieves every document."""
    rng = np.random.default_rng(2)
    grades, scores = rng.integers(0, 4, (20, 12)), rng.random((20, 12))
    qrels = {str(q): {str(d): int(grade) for d, grade in enumerate(row)} for q, row in enumerate(grades)}
    run = {str(q): {str(d): float(score) for d, score in enumerate(row)} for q, row in enumerate(scores)}
    for gain in ("linear", "exp"):
        dense = ndcg(grades, scores, k=5, gain=gain).value
        assert dense == pytest.approx(certus.ranking.ndcg(qrels, run, cutoff=5, gain=gain).value, rel=1e-13)
