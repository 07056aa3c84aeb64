"""Precision, recall and F1 of two plain sets, as information retrieval defines them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from untyped import untyped

import certus
from certus.classification import (
    accuracy,
    cohen_kappa,
    e_measure,
    f1,
    false_positive_rate,
    fbeta,
    fowlkes_mallows,
    jaccard,
    mcc,
    precision,
    recall,
    roc_auc,
    specificity,
)
from certus.data import Labels

SETS = st.frozensets(st.integers(0, 9))


def test_by_hand() -> None:
    relevant, retrieved = {"a", "b", "c"}, {"a", "b", "x", "y"}
    assert precision(relevant, retrieved).value == 2 / 4
    assert recall(relevant, retrieved).value == 2 / 3
    assert f1(relevant, retrieved).value == pytest.approx(4 / 7, abs=1e-16)
    assert jaccard(relevant, retrieved).value == 2 / 5
    assert precision(relevant, retrieved).n == 4
    assert recall(y_pred=retrieved, y_true=relevant).value == 2 / 3


@settings(max_examples=40, deadline=None)
@given(SETS, SETS, st.integers(0, 50))
def test_items_in_neither_set_change_neither_value_nor_interval(true: Any, predicted: Any, neither: int) -> None:
    both = len(true & predicted)
    labels = Labels.from_counts([[neither, len(predicted) - both], [len(true) - both, both]])
    for metric in (precision, recall, f1, jaccard):
        found, expected = metric(true, predicted), metric(labels)
        assert repr((found.value, found.interval())) == repr((expected.value, expected.interval()))


def test_measures_without_true_negatives_need_no_universe() -> None:
    relevant, retrieved = {"a", "b", "c"}, {"a", "b", "x", "y"}
    p, r = 2 / 4, 2 / 3
    assert fbeta(relevant, retrieved, beta=2).value == pytest.approx(5 * p * r / (4 * p + r))
    assert e_measure(relevant, retrieved, alpha=0.5).value == pytest.approx(1 - 2 * p * r / (p + r))
    assert fowlkes_mallows(relevant, retrieved).value == pytest.approx((p * r) ** 0.5)
    low, high = fbeta(relevant, retrieved, beta=2).interval()[:2]
    assert 0 < low < 5 * p * r / (4 * p + r) < high < 1


def test_a_range_is_a_universe_as_the_set_of_its_numbers_is() -> None:
    assert accuracy({1, 2}, {2, 3}, universe=range(10)).value == 8 / 10
    with pytest.raises(certus.DataError, match="universe lacks 3, which is in one of the two sets"):
        accuracy({1, 2}, {2, 3}, universe=range(3))


@pytest.mark.parametrize("universe", [10, frozenset("abcxyklmno")])
def test_with_a_universe_two_sets_are_a_confusion_matrix(universe: Any) -> None:
    relevant, retrieved = {"a", "b", "c"}, {"a", "b", "x", "y"}
    labels = Labels.from_counts([[5, 2], [1, 2]])
    for metric in (accuracy, specificity, false_positive_rate, cohen_kappa, mcc, precision):
        found, expected = metric(relevant, retrieved, universe=universe), metric(labels)
        assert repr((found.value, found.interval())) == repr((expected.value, expected.interval()))
    assert accuracy(relevant, retrieved, universe=universe).value == 7 / 10
    assert false_positive_rate(relevant, retrieved, universe=universe).value == 2 / 7


@settings(max_examples=40, deadline=None)
@given(SETS.filter(bool), SETS.filter(bool))
def test_they_are_the_set_measures_of_ranking(true: Any, predicted: Any) -> None:
    assert precision(true, predicted).value == certus.ranking.precision(true, sorted(predicted)).value
    assert recall(true, predicted).value == certus.ranking.recall(true, sorted(predicted)).value


def test_0_of_0_is_undefined() -> None:
    assert precision({"a"}, set()).reason
    assert recall(set(), {"a"}).reason
    assert recall({"a"}, set()).value == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: accuracy({"a"}, {"b"}), r"^Accuracy depends on how many items are in neither set"),
        (lambda: mcc({"a"}, {"b"}), r"^MCC depends on how many items are in neither set"),
        (lambda: accuracy({"a"}, {"b"}, universe=1), r"^universe is 1, but the two sets have 2 items"),
        (lambda: accuracy({"a"}, {"b"}, universe={"a"}), r"^universe lacks 'b', which is in one of the two sets"),
        (lambda: accuracy([1, 0], [1, 0], universe=5), r"^universe is for two sets, and these are columns"),
        (lambda: roc_auc({"a"}, {"b"}), r"^AUC does not apply to two sets; they have precision, recall"),
        (lambda: precision({"a"}, {"b"}, sample_weight=[1]), r"^sample_weight does not apply to two sets"),
        (lambda: precision({1, 2}, {"1", "2"}), r"^one set holds text and the other does not"),
        (lambda: untyped(precision)({"a"}, ["a"]), r"y_true"),
    ],
)
def test_what_two_sets_do_not_tell_is_refused(call: Any, message: str) -> None:
    with pytest.raises(certus.DataError, match=message):
        call()


TRUE_SETS: list[Any] = [{"a", "b"}, {"c"}, {"b"}, {"a"}]
PREDICTED_SETS: list[Any] = [{"a"}, {"c", "d"}, {"b"}, {"b"}]
TRUE_TABLE = [[1, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]]
PREDICTED_TABLE = [[1, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 0], [0, 1, 0, 0]]


def test_a_set_of_labels_for_each_sample_is_a_row_of_a_table() -> None:
    for metric in (certus.multilabel.jaccard, certus.multilabel.hamming_loss, certus.multilabel.subset_accuracy):
        found, expected = metric(TRUE_SETS, PREDICTED_SETS), metric(TRUE_TABLE, PREDICTED_TABLE)
        assert repr((found.value, found.interval())) == repr((expected.value, expected.interval()))
    by_label = certus.multilabel.f1(TRUE_SETS, PREDICTED_SETS, average=None)
    assert list(by_label) == ["a", "b", "c", "d"]
    # |L| counts labels that no sample has, where they are named
    assert certus.multilabel.hamming_loss(TRUE_SETS, PREDICTED_SETS, labels=list("abcdefgh")).value == 4 / 32


def test_sets_of_labels_are_evaluated_and_compared() -> None:
    table = certus.evaluate(TRUE_SETS, {"one": PREDICTED_SETS, "two": TRUE_SETS}, ["Jaccard", "Hamming"])
    expected = certus.evaluate(
        TRUE_TABLE, {"one": PREDICTED_TABLE, "two": TRUE_TABLE}, ["Jaccard", "Hamming"], task="multilabel"
    )
    assert [(row.run, row.value, row.low, row.high) for row in table] == [
        (row.run, row.value, row.low, row.high) for row in expected
    ]
    (row,) = certus.compare(TRUE_SETS, {"one": PREDICTED_SETS, "two": TRUE_SETS}, "Jaccard")
    assert row.difference == pytest.approx(1 - (1 / 2 + 1 / 2 + 1 + 0) / 4)


def test_sets_of_labels_do_not_go_with_tables() -> None:
    wrong: list[tuple[Any, Any, str]] = [
        (TRUE_SETS, PREDICTED_TABLE, "y_pred is not a list of sets, but the truth is one"),
        (TRUE_SETS, PREDICTED_SETS[:3], "y_true has 4 samples but y_pred has 3"),
        ([{1}], [{"1"}], "some labels are text and others are not"),
        ([{None}], [{"a"}], "no value"),
    ]
    for true, predicted, message in wrong:
        with pytest.raises(certus.DataError, match=message):
            certus.multilabel.jaccard(true, predicted)
