"""Cumulative gain, any discount and the ideal DCG: by hand, by the overview's example and by a slow loop."""

import math
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import certus
from certus import DataError, MetricNameError

RANKING = certus.ranking
# Ratings 5 (perfect), 2, 4, 4, 4 at ranks 1 to 5, and one more page rated 4 that was not returned.
RATINGS = {"abc": {"u1": 5, "u2": 2, "u3": 4, "u4": 4, "u5": 4, "u6": 4}}
PAGES = {"abc": {f"u{rank}": -rank for rank in range(1, 6)}}
DISCOUNTS: list[Any] = ["log2", "ln", "log10", "zipf", "none", 1.5, 2, 10]


def test_the_discount_of_jarvelin_and_kekalainen_begins_at_the_base() -> None:
    # Gains of their paper's example, base 2: 3, 2, 3, 0, 0, 1, 2, 2, 3, 0 give 3, 5, 6.89, 6.89, 6.89, 7.28, ...
    gains = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
    qrels = {"q": {f"d{rank}": gain for rank, gain in enumerate(gains)}}
    run = {"q": {f"d{rank}": -rank for rank in range(len(gains))}}
    values = [RANKING.dcg(qrels, run, discount=2, cutoff=k).value for k in range(1, 11)]
    assert [round(value, 2) for value in values] == [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61]
    assert [RANKING.dcg(qrels, run, discount=10, cutoff=k).value for k in (3, 10)] == [8, 16]


def test_zipf_divides_by_the_rank() -> None:
    assert RANKING.dcg(RATINGS, PAGES, discount="zipf").value == pytest.approx(5 + 2 / 2 + 4 / 3 + 4 / 4 + 4 / 5)
    assert str(RANKING.ndcg.using(discount="zipf", cutoff=3)) == "nDCG(discount='zipf')@3"
    assert certus.parse("nDCG(discount=2)@3") == RANKING.ndcg.using(discount=2, cutoff=3)


def test_ndcg_does_not_depend_on_the_base_of_the_logarithm_of_the_rank_plus_1() -> None:
    values = {RANKING.ndcg(RATINGS, PAGES, discount=each).value for each in ("log2", "ln", "log10")}
    assert len(values) == 1
    ratio = RANKING.dcg(RATINGS, PAGES, discount="log10").value / RANKING.dcg(RATINGS, PAGES).value
    assert ratio == pytest.approx(math.log2(10), rel=1e-15)


@pytest.mark.parametrize("wrong", [1, 0, -2, "log3", True])
def test_a_base_is_above_1(wrong: Any) -> None:
    with pytest.raises(MetricNameError, match=r"^discount of nDCG is .*; it must be a number above 1, 'log2'"):
        RANKING.ndcg.using(discount=wrong)


def _divisor(rank: int, discount: Any) -> float:
    if not isinstance(discount, str):
        return 1.0 if rank < discount else math.log(rank, discount)
    logs = {"log2": math.log(rank + 1, 2), "ln": math.log(rank + 1), "log10": math.log(rank + 1, 10)}
    return {**logs, "zipf": rank, "none": 1.0}[discount]


def _dcg(grades: list[int], discount: Any, cutoff: int, gain: str) -> float:
    worth = [max(2**each - 1 if gain == "exp" else each, 0) for each in grades]
    return math.fsum(each / _divisor(rank, discount) for rank, each in enumerate(worth[:cutoff], start=1))


@settings(max_examples=40)
@given(
    groups=st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3), min_size=1, max_size=3),
    missed=st.lists(st.integers(0, 3), max_size=2),
    discount=st.sampled_from(DISCOUNTS),
    cutoff=st.integers(1, 8),
    gain=st.sampled_from(["linear", "exp"]),
)
def test_every_discount_by_a_slow_loop_with_ties_averaged(
    groups: list[list[int]], missed: list[int], discount: Any, cutoff: int, gain: Any, ranking_of: Any
) -> None:
    tied = replace(ranking_of((groups, missed)), ties="average")
    orders: list[list[int]] = [[]]
    for group in groups:
        orders = [[*before, *order] for before in orders for order in permutations(group)]
    told = {"discount": discount, "cutoff": cutoff, "gain": gain}
    expected = math.fsum(_dcg(order, discount, cutoff, gain) for order in orders) / len(orders)
    ideal = _dcg(sorted([*orders[0], *missed], reverse=True), discount, cutoff, gain)
    assert RANKING.dcg.using(**told).compute(tied).value == pytest.approx(expected, rel=1e-13, abs=1e-300)
    assert RANKING.ideal_dcg.using(**told).compute(tied).value == pytest.approx(ideal, rel=1e-13, abs=1e-300)
    normalised = expected / ideal if ideal else 0
    assert RANKING.ndcg.using(**told).compute(tied).value == pytest.approx(normalised, rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("discount", DISCOUNTS)
def test_a_perfect_ranking_has_exactly_1_and_huge_grades_do_not_overflow(discount: Any) -> None:
    qrels = {"q": {"a": 2000, "b": 1999, "c": 0, "d": 1}}
    found = RANKING.ndcg(qrels, {"q": {"a": 3, "b": 2, "d": 1, "c": 0}}, gain="exp", discount=discount)
    assert found.value == 1
    second = RANKING.ndcg(qrels, {"q": {"b": 3, "a": 2}}, gain="exp", discount=discount).value
    weight = 1 / _divisor(2, discount)
    first = 1 / _divisor(1, discount)
    assert second == pytest.approx((first / 2 + weight) / (first + weight / 2), rel=1e-13)


def test_gains_replace_those_of_single_grades() -> None:
    exponential = RANKING.ndcg(RATINGS, PAGES, gain="exp", cutoff=5).value
    spelled_out = RANKING.ndcg(RATINGS, PAGES, gains={2: 3, 4: 15, 5: 31}, cutoff=5).value
    assert abs(spelled_out - exponential) < 1e-15


def test_err_stops_at_satisfying_documents() -> None:
    qrels, run = {"q": {"a": 2, "c": 1}}, {"q": {"a": 3, "b": 2, "c": 1}}
    first, third = 3 / 4, 1 / 4
    assert RANKING.err(qrels, run, max_grade=2).value == first + (1 - first) * third / 3
    assert RANKING.err(qrels, run, max_grade=2, cutoff=2).value == first
    assert abs(RANKING.err(qrels, run).value - (3 / 16 + (13 / 16) * (1 / 16) / 3)) < 1e-15
    best = first + (1 - first) * third / 2
    assert abs(RANKING.nerr(qrels, run, max_grade=2).value - (first + (1 - first) * third / 3) / best) < 1e-15


@pytest.mark.parametrize("metric", [RANKING.err, RANKING.nerr])
def test_a_grade_above_the_scale_is_refused(metric: certus.Metric) -> None:
    with pytest.raises(DataError, match=r"the qrels hold the grade 5 but max_grade of n?ERR is 4; use max_grade=5"):
        metric(RATINGS, PAGES)
