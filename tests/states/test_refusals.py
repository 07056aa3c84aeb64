"""Refusals of a state, before anything is added to it."""

import zlib
from typing import Any, cast

import numpy as np
import pytest
from state_columns import columns

import certus
from certus.states import State


def test_a_batch_that_is_refused_changes_nothing() -> None:
    given = columns("classification")
    state = State(["LogLoss", "Accuracy"])
    state.update(**given)
    before = state.to_bytes()
    for wrong, message in (
        ({"y_true": [1, 0], "y_pred": [1, 0], "y_score": [0.5, 1.5]}, "y_score is 1.5 at index 1; a probability"),
        ({"y_true": [1, 0], "y_pred": [1, 0], "y_score": [0.5]}, "y_pred has 2 samples but y_score has 1"),
        ({"y_true": [1, 0], "y_pred": ["a", "b"], "y_score": [0.5, 0.5]}, "y_pred holds text, but earlier batches"),
        ({"y_true": [1, 0], "y_score": [0.5, 0.5]}, "this batch has y_true, y_score, but earlier ones"),
        ({"y_true": [1, 0], "y_pred": [1, 0], "y_score": [0.5, float("nan")]}, "NaN at index 1"),
    ):
        with pytest.raises(certus.CertusError, match=message):
            state.update(**wrong)
        assert state.to_bytes() == before


def test_states_of_different_things_do_not_merge() -> None:
    state = State("AUC")
    with pytest.raises(certus.DataError, match="the states differ in metrics"):
        state.merge(State("AP"))
    with pytest.raises(certus.DataError, match="the states differ in task"):
        state.merge(State("MAE", task="regression"))
    assert len(state.merge(State("AUC"))) == 0


def test_damaged_bytes_are_refused() -> None:
    state = State("AUC")
    state.update([1, 0], score=[0.7, 0.2])
    data = state.to_bytes()
    with pytest.raises(certus.DataError, match="not the bytes of a state"):
        State.from_bytes(b"PK" + data)
    for position in range(13, len(data), 7):
        wrong = bytearray(data)
        wrong[position] ^= 64
        with pytest.raises(certus.DataError, match="damaged"):
            State.from_bytes(bytes(wrong))
    with pytest.raises(certus.DataError, match="damaged or cut off"):
        State.from_bytes(data[:-5])


def test_an_interval_that_needs_the_values_says_so() -> None:
    given = columns("regression")
    state, full = State("MAE", task="regression"), State("MAE", task="regression", rows=True)
    for each in (state, full):
        each.update(**given)
    with pytest.raises(certus.CertusError, match="rows=True"):
        state.evaluate(interval="bca")
    expected = certus.evaluate(None, None, "MAE", task="regression", interval="bca", **given)
    assert [row.value for row in full.evaluate(interval="bca")] == [row.value for row in expected]


def test_batches_of_two_classes_each_but_of_three_together_are_refused() -> None:
    state = State("LogLoss")
    state.update([0, 1], score=[0.1, 0.2])
    state.update([-1, 1], score=[0.1, 0.2])
    with pytest.raises(certus.DataError, match="one score per sample but there are 3 classes"):
        state.evaluate()


def test_merging_refuses_before_anything_is_added_and_takes_itself() -> None:
    one = State(["Accuracy", "LogLoss"])
    one.update([1, 0], pred=[1, 0], score=[0.7, 0.2])
    assert len(one.merge(one)) == 4
    text, number = State("Accuracy"), State("Accuracy")
    text.update(["b", "a"], pred=["b", "b"])
    number.update([1, 0], pred=[1, 1])
    before = number.to_bytes()
    with pytest.raises(certus.DataError, match="y_pred holds text in one state and numbers in the other"):
        number.merge(text)
    assert number.to_bytes() == before
    with pytest.raises(TypeError, match="not with a Table"):
        number.merge(cast("Any", number.evaluate()))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"score": [0.5, 2**53 + 1]}, "y_score holds whole numbers"),
        ({"score": [0.5, float("nan")]}, "y_score is NaN at index 1"),
        ({"score": [0.5, None]}, "y_score has no value"),
        ({"truth": [1, None]}, "y_true has no value"),
        ({"truth": [1, 2**64]}, "y_true holds whole numbers of more than 64 bits"),
        ({"truth": [1, "a"]}, "y_true mixes numbers and text"),
        ({"groups": ["a", float("nan")]}, "groups"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_row(wrong: dict[str, Any], message: str) -> None:
    given = {"truth": [1, 0], "score": [0.7, 0.2], "groups": ["a", "b"]}
    state = State("AUC")
    state.update(**given)
    before = state.to_bytes()
    with pytest.raises(certus.CertusError, match=message):
        state.update(**{**given, **wrong})
    assert state.to_bytes() == before


def test_categories_in_an_order_of_their_own_are_refused() -> None:
    pd = pytest.importorskip("pandas")
    state = State("kappa")
    ordered = pd.Categorical(["low", "high"], categories=["low", "mid", "high"], ordered=True)
    with pytest.raises(certus.DataError, match="y_true has categories in an order of their own"):
        state.update(ordered, pred=["low", "low"])


def test_forged_bytes_are_refused() -> None:
    state = State("Accuracy")
    state.update(["a", "b", "b"], pred=["a", "a", "b"])
    data = state.to_bytes()[:-4]
    for old, new in ((b'["a","b"]', b'["a","a"]'), (b'"n":3', b'"n":4'), (b'"Accuracy"', b'"Accurate"')):
        wrong = data.replace(old, new)
        with pytest.raises(certus.CertusError, match=r"not those of a state|no metric is named"):
            State.from_bytes(wrong + zlib.crc32(wrong).to_bytes(4, "little"))


def test_counts_whose_sum_wraps_around_are_refused() -> None:
    state = State("AUC")
    state.update([1, 0, 1, 1, 0, 0] * 3, score=[0.5, 0.5, 0.5, 0.5, 0.5, 0.7] * 3)
    counts = np.array([2**63 - 1, 2**63 - 1, 14])
    data = state.to_bytes()[:-4]
    head = data.replace(b'"n":18', b'"n":12').replace(b'["int8",3]]', b'["int64",3]]')
    size = len(b"certus-state\n")
    head = head[:size] + (int.from_bytes(head[size : size + 8], "little") + 1).to_bytes(8, "little") + head[size + 8 :]
    wrong = head[:-3] + counts.tobytes()
    with pytest.raises(certus.DataError, match="rows and their counts do not fit together"):
        State.from_bytes(wrong + zlib.crc32(wrong).to_bytes(4, "little"))
