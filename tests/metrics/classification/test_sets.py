"""Precision, recall and F1 of two plain sets, as information retrieval defines them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from untyped import untyped

import certus
from certus.classification import accuracy, f1, fbeta, jaccard, mcc, precision, recall, roc_auc
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
        (lambda: fbeta({"a", "c"}, {"a", "b"}, beta=2), r"^Fbeta@2 depends on .*, its interval at least; two sets"),
        (lambda: roc_auc({"a"}, {"b"}), r"^AUC has no meaning for two sets; they have precision, recall"),
        (lambda: precision({"a"}, {"b"}, sample_weight=[1]), r"^sample_weight has no meaning for two sets"),
        (lambda: precision({1, 2}, {"1", "2"}), r"^one set holds text and the other does not"),
        (lambda: untyped(precision)({"a"}, ["a"]), r"y_true"),
    ],
)
def test_what_two_sets_do_not_tell_is_refused(call: Any, message: str) -> None:
    with pytest.raises(certus.DataError, match=message):
        call()
