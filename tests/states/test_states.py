"""Any partition, any order of batches and of merging: the digits of all data at once."""

import copy
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import certus
from certus.metrics import Metric, declared
from certus.states import State
from certus.table import Row

N = 240
ONE_PASS = ("R2", "ExplainedVariance")
"""Metrics of which the kernel over whole columns rounds differently by the order of rows, in the last digit."""


def columns(task: str) -> dict[str, Any]:
    rng = np.random.default_rng(17)
    if task == "classification":
        truth = rng.integers(0, 2, N)
        score = np.clip(np.round(0.3 * truth + 0.6 * rng.random(N), 2), 0.01, 0.99)
        return {"y_true": truth, "y_pred": (score > 0.5).astype(int), "y_score": score}
    if task == "regression":
        truth = np.exp(rng.normal(size=N))
        return {"y_true": truth, "y_pred": truth * np.exp(rng.normal(size=N) / 2)}
    if task == "clustering":
        truth = rng.integers(0, 4, N)
        return {"labels_true": truth, "labels_pred": np.where(rng.random(N) < 0.6, truth, rng.integers(0, 5, N))}
    return {"values": np.round(rng.random(N), 2)}


def batches(given: dict[str, Any], parts: int, seed: int) -> Iterator[dict[str, NDArray[Any]]]:
    order = np.random.default_rng(seed).permutation(N)
    for index in np.array_split(order, parts):
        yield {name: values[index] for name, values in given.items()}


def merged(metrics: list[Metric], task: str, given: dict[str, Any], parts: int, seed: int) -> State:
    """The state of some batches, each made on its own, sent as bytes and merged in another order."""
    states = []
    for batch in batches(given, parts, seed):
        state = State(metrics, task=task)
        state.update(**batch)
        states.append(State.from_bytes(state.to_bytes()))
    whole = states.pop(parts // 2)
    for other in states:
        assert whole.merge(other) is whole
    return whole


def together(metric: Metric, task: str, given: dict[str, Any]) -> list[Row]:
    return list(certus.evaluate(None, None, metric, task=task, **given))


METRICS = [
    (task, metric) for task in ("classification", "regression", "clustering", "values") for metric in declared(task)
]


@pytest.mark.parametrize(("task", "metric"), METRICS, ids=lambda each: str(each))
@pytest.mark.parametrize("told", [(), ("groups",), ("sample_weight",)], ids=["plain", "groups", "weights"])
def test_any_partition_has_the_digits_of_all_data(task: str, metric: Metric, told: tuple[str, ...]) -> None:
    rng = np.random.default_rng(5)
    more = {"groups": rng.integers(0, 40, N), "sample_weight": rng.integers(1, 9, N) / 4}
    given = columns(task) | {name: more[name] for name in told}
    try:
        expected = together(metric, task, given)
    except certus.CertusError:
        pytest.skip("the metric is not computed from such columns")
    found = [merged([metric], task, given, parts, seed) for parts, seed in ((1, 1), (3, 2), (24, 3))]
    assert len({zlib.crc32(state.to_bytes()) for state in found}) == 1
    for state in found:
        assert len(state) == N
        for row, want in zip(state.evaluate(), expected, strict=True):
            assert (row.metric, row.label, row.n, row.unit, row.method) == (
                *(want.metric, want.label, want.n, want.unit, want.method),
            )
            if metric.name in ONE_PASS and not told:
                assert row.value == pytest.approx(want.value, rel=1e-15, abs=1e-15)
            else:
                assert row.value == want.value or (row.value != row.value and want.value != want.value)
            assert [row.low, row.high] == pytest.approx([want.low, want.high], rel=1e-12, abs=1e-12, nan_ok=True)


def test_a_mean_of_losses_takes_no_more_room_with_more_samples() -> None:
    given = columns("regression")
    sizes = []
    state = State(["MAE", "MSE"], task="regression")
    for batch in batches(given, 8, 1):
        state.update(**batch)
        sizes.append(len(state.to_bytes()))
    assert max(sizes) - min(sizes) < 20


def test_subgroups_are_those_of_all_data() -> None:
    given = columns("classification")
    by = np.random.default_rng(1).choice(["north", "south", "west"], N)
    state = State(["AUC", "F1"])
    for batch in batches({**given, "by": by}, 5, 2):
        state.update(**batch)
    expected = certus.evaluate(None, None, ["AUC", "F1"], task="classification", by=by, **given)
    assert [(r.metric, r.group, r.value, r.low) for r in state.evaluate()] == [
        (r.metric, r.group, r.value, r.low) for r in expected
    ]


def test_a_batch_may_be_a_table_whose_columns_are_named() -> None:
    pd = pytest.importorskip("pandas")
    given = columns("classification")
    frame = pd.DataFrame({"label": given["y_true"], "p": given["y_score"], "country": "x"})
    one, other = State("AUC"), State("AUC")
    one.update(frame, truth="label", score="p")
    other.update({"label": given["y_true"], "p": given["y_score"]}, y_true="label", y_score="p")
    assert one.to_bytes() == other.to_bytes()
    with pytest.raises(certus.DataError, match="the batch has no column 'q'; it has 'label', 'p', 'country'"):
        one.update(frame, truth="label", score="q")


def test_a_batch_that_is_refused_changes_nothing() -> None:
    given = columns("classification")
    state = State(["LogLoss", "Accuracy"])
    state.update(**given)
    before = state.to_bytes()
    for wrong, message in (
        ({"y_true": [1, 0], "y_pred": [1, 0], "y_score": [0.5, 1.5]}, "y_prob is 1.5 at index 1"),
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
    for place in range(13, len(data), 7):
        wrong = bytearray(data)
        wrong[place] ^= 64
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


def test_an_empty_state_has_no_table() -> None:
    with pytest.raises(certus.DataError, match="the state has no samples yet"):
        State("AUC").evaluate()


def test_labels_keep_their_kind() -> None:
    for labels in ((True, False), ("yes", "no"), (b"a", b"b"), (3, -1)):
        state = State("Accuracy")
        state.update([labels[0], labels[1], labels[1]], pred=[labels[0], labels[0], labels[1]])
        again = State.from_bytes(copy.deepcopy(state).to_bytes())
        assert [row.value for row in again.evaluate()] == [2 / 3]
