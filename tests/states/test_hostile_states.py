"""States whose bytes are forged, with checksums that fit, are refused when they are read."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hostile_states import forged_state, misuse, parse_state, state_bytes, state_seeds

import certus
from certus.states import State

Forge = Callable[[dict[str, Any], list[Any]], object]


def test_forged_states_are_refused_or_give_values_within_their_bounds() -> None:
    draw = random.Random("hostile")
    read = [misuse(forged_state(draw)) for _ in range(400)]
    assert 20 < sum(read) < 380


def test_states_as_they_are_written_pass_every_use() -> None:
    assert all(map(misuse, state_seeds()))


def _refused(state: State, forge: Forge) -> None:
    head, arrays = parse_state(state.to_bytes())
    State.from_bytes(state_bytes(head, arrays))
    forge(head, arrays)
    with pytest.raises(certus.DataError, match=r"not those of a state|a batch of classification needs"):
        State.from_bytes(state_bytes(head, arrays))


def _replace(key: str, value: Any) -> Forge:
    return lambda head, _: head.__setitem__(key, value)


@pytest.mark.parametrize(
    "forge",
    [
        _replace("fields", [["y_pred", 0, True], ["y_turned", 0, True]]),
        _replace("fields", [["y_pred", 0, True], ["y_true", 1, True]]),
        _replace("fields", [["y_true", 0, True], ["y_pred", 0, True]]),
        _replace("fields", [["y_pred", 0, True], ["y_true", False, True]]),
        _replace("fields", [["y_pred", 0, True]]),
        _replace("labels", [[1, "text", False, ["a", "b"]], [0, "text", False, ["a", "b"]]]),
        _replace("labels", [[0, "text", False, ["a", "b"]]]),
        _replace("labels", [[0, "text", False, ["b", "a"]], [1, "text", False, ["a", "b"]]]),
        _replace("labels", [[0, "text", False, ["a", 1]], [1, "text", False, ["a", "b"]]]),
        _replace("labels", [[0, "text", True, ["a", "b"]], [1, "text", False, ["a", "b"]]]),
        _replace("labels", [[0, "words", False, ["a", "b"]], [1, "text", False, ["a", "b"]]]),
        _replace("labels", [[0, "objects", False, ["a", float("inf")]], [1, "text", False, ["a", "b"]]]),
        _replace("conventions", {"missing_values": "a"}),
        _replace("metrics", "Accuracy"),
        _replace("rows", 0),
        _replace("n", 12.0),
        _replace("lost", 3),
        lambda _, arrays: arrays.__setitem__(0, arrays[0].astype(np.uint8)),
        lambda _, arrays: arrays[0].__setitem__(0, 2),
        lambda _, arrays: arrays.__setitem__(-1, arrays[-1].astype(float)),
    ],
)
def test_columns_and_labels_that_no_batch_has_are_refused(forge: Forge) -> None:
    state = State("F1(average=macro)")
    state.update(list("abab") * 3, pred=list("aabb") * 3)
    _refused(state, forge)


@pytest.mark.parametrize(
    ("metric", "numbers"),
    [("LogLoss", [0.5, 1.5]), ("LogLoss", [0.5, -0.5]), ("AUC", [0.5, float("nan")])],
)
def test_scores_that_no_batch_has_are_refused(metric: str, numbers: list[float]) -> None:
    state = State(metric, rows=True)
    state.update([0, 1], score=[0.25, 0.75])
    head, arrays = parse_state(state.to_bytes())
    arrays[-1][:] = numbers
    with pytest.raises(certus.DataError, match="y_score"):
        State.from_bytes(state_bytes(head, arrays))


def test_weights_below_zero_are_refused() -> None:
    state = State("Accuracy")
    state.update([0, 1], pred=[1, 1], weight=[0.5, 2.0])
    head, arrays = parse_state(state.to_bytes())
    arrays[-1][0] = -0.5
    with pytest.raises(certus.DataError, match="sample_weight"):
        State.from_bytes(state_bytes(head, arrays))


@pytest.mark.parametrize(
    ("index", "value"),
    [
        (0, "-0.5"),
        (0, "0.3"),
        (1, "0.25"),
        (1, "inf"),
        (2, ["0.5", "1.0"]),
        (3, 3),
        (3, 4.0),
        (5, True),
        (5, 0),
        (6, 1),
    ],
    ids=[
        "below",
        "above the mean",
        "below the mean",
        "infinite",
        "bounds",
        "n",
        "float",
        *("share",) * 2,
        "at",
    ],
)
def test_facts_of_sums_that_no_values_have_are_refused(index: int, value: Any) -> None:
    state = State("Brier")
    state.update([0, 1, 1, 0], score=[0.25, 0.75, 0.125, 0.5])
    _refused(state, lambda head, _: head["sums"][0][1].__setitem__(index, value))


@pytest.mark.parametrize("power", [1, 2, 3, 4])
@pytest.mark.parametrize("doubled", [False, True])
def test_sums_of_powers_that_no_values_have_are_refused(power: int, doubled: bool) -> None:
    state = State("MSE", task="regression")
    state.update([1.0, 2.0, 4.0, 3.0, 2.5], pred=[1.5, 1.75, 3.0, 3.0, 0.5])

    def forge(_: Any, arrays: list[Any]) -> None:
        sums = arrays[-1].reshape(4, -1)
        sums[power - 1, :-1] = 8 * sums[power - 1, :-1] if doubled else 0
        sums[power - 1, 1:-1] += sums[power - 1, :-2] >> 32
        sums[power - 1, :-2] &= 2**32 - 1

    _refused(state, forge)


def _change_sum(sums: int, index: int, part: int, number: int) -> Forge:
    return lambda _, arrays: arrays[-1].reshape(sums, -1).__setitem__((index, part), number)


def test_sums_marked_as_infinite_of_finite_values_are_refused() -> None:
    state = State("MSE", task="regression")
    state.update([1.0, 2.0, 4.0], pred=[1.5, 1.75, 3.0])
    for power in range(4):
        _refused(state, _change_sum(4, power, -1, 1))


def test_bins_whose_sums_no_samples_have_are_refused() -> None:
    state = State("ECE")
    state.update([0, 1, 1, 0], score=[0.25, 0.75, 0.125, 0.5])
    bins = len(parse_state(state.to_bytes()).head["sums"][0][1][0])
    filled = parse_state(state.to_bytes()).head["sums"][0][1][0].index(1)
    for row in (filled, bins + filled, (filled + 1) % bins):
        _refused(state, _change_sum(2 * bins, row, 40, 5))


def test_sums_without_the_columns_of_their_metric_are_refused() -> None:
    state = State("LogLoss")
    state.update([0, 1], pred=[0, 1], score=[0.25, 0.75])

    def forge(head: dict[str, Any], _: Any) -> None:
        head["fields"] = [field for field in head["fields"] if field[0] != "y_score"]

    _refused(state, forge)
