"""A budget Q: the first Q items are positive, all others negative (Zhang & Su 2012, Table I)."""

from typing import Any

import numpy as np
import pytest

from certus import DataError, HitList
from certus.classification import accuracy, at_budget, confusion_matrix, precision, recall

TRUTH = [1, 1, 0, 1, 0, 0, 0, 0]
SCORES = [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
"""The document's eight items: hits at the ranks 1, 2 and 4."""


@pytest.mark.parametrize("budget", range(1, 9))
def test_the_confusion_matrix_of_each_budget_is_that_of_table_ii(budget: int) -> None:
    tp = [1, 2, 2, 3, 3, 3, 3, 3][budget - 1]
    expected = [[5 - budget + tp, budget - tp], [3 - tp, tp]]
    of_scores = at_budget(TRUTH, SCORES, budget=budget)
    assert at_budget(HitList("xx-x----"), budget=budget, population=8).counts.tolist() == expected
    run = {"q": {f"d{rank}": score for rank, score in enumerate(SCORES)}}
    qrels = {"q": {f"d{rank}": grade for rank, grade in enumerate(TRUTH)}}
    for labels in (of_scores, at_budget(qrels, run, budget=budget)):
        assert labels.four[0].tolist()[-1] == tp
    if budget < 8:
        assert of_scores.counts.tolist() == expected
    assert precision(of_scores).value == tp / budget
    assert recall(of_scores).value == tp / 3


def test_the_classification_has_intervals() -> None:
    labels = at_budget(TRUTH, SCORES, budget=4)
    assert confusion_matrix(labels).estimate(True, True).value == 3 / 8
    assert precision(labels).interval(method="clopper-pearson")[:2] == pytest.approx((0.19412, 0.99369), abs=1e-5)


def test_the_queries_of_a_run_are_independent_and_its_documents_are_not() -> None:
    qrels = {"a": {"x": 1, "y": 0, "z": 2}, "b": {"u": 1, "v": 1}, "c": {"w": 0, "k": 1}}
    run = {"a": {"x": 3.0, "y": 2.0}, "b": {"o": 3.0, "u": 2.0, "p": 1.0}, "c": {"w": 1.0}}
    labels = at_budget(qrels, run, budget=2)
    # a: x y | z; b: o u | p, v; c: w | k
    assert labels.counts.tolist() == [[1, 3], [3, 2]]
    assert precision(labels).n == 3
    assert precision(labels).unit == "group"
    large = at_budget(qrels, run, budget=2, population=10)
    assert large.counts.tolist() == [[22, 3], [3, 2]]
    assert accuracy(large).value == 24 / 30


def test_the_label_that_is_positive_may_be_named() -> None:
    labels = at_budget(["spam", "ham", "ham"], [0.9, 0.8, 0.1], budget=1, pos_label="spam")
    assert labels.counts.tolist() == [[2, 0], [0, 1]]


def test_a_budget_that_cuts_equal_scores_is_refused() -> None:
    with pytest.raises(DataError, match=r"budget is 2, but 3 samples have the score 5 .* take a budget of 1 or 4"):
        at_budget([1, 0, 1, 0, 0], [9, 5, 5, 5, 1], budget=2)
    assert at_budget([1, 0, 1, 0, 0], [9, 5, 5, 5, 1], budget=4).counts.tolist() == [[1, 2], [0, 2]]


def test_what_does_not_fit_is_refused() -> None:
    wrong: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
        ((TRUTH, SCORES), {"budget": 9}, "budget is 9, but there are 8 samples"),
        ((TRUTH, SCORES), {"budget": 0}, "budget is 0"),
        ((TRUTH, SCORES), {"budget": 3, "population": 10}, "population is for runs and hit lists"),
        ((TRUTH,), {"budget": 3}, "scores is None"),
        ((HitList("x-x"),), {"budget": 1}, "population is None"),
        ((HitList("x-x"), SCORES), {"budget": 1, "population": 5}, "a hit list has its truth and its order"),
        (({"q": {"a": 1}}, {"q": {"a": 1.0}}), {"budget": 1, "pos_label": 1}, "pos_label is for labels of samples"),
        (
            ({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0}}),
            {"budget": 1, "population": 1},
            "population is 1, but query 'q'",
        ),
    ]
    for data, told, message in wrong:
        with pytest.raises(DataError, match=message):
            at_budget(*data, **told)


def test_random_scores_have_the_counts_of_a_sort() -> None:
    rng = np.random.default_rng(3)
    truth, scores = rng.integers(0, 2, 500), rng.permutation(500)
    for budget in (1, 77, 499):
        top = np.argsort(-scores)[:budget]
        assert at_budget(truth, scores, budget=budget).counts[1, 1] == truth[top].sum()
