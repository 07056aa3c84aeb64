"""Any partition, any order of batches and of merging: the digits of all data at once."""

import copy
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from in_a_row import in_a_row
from numpy.typing import NDArray
from state_columns import N, columns

import certus
from certus import tasks
from certus.data.columns import as_array
from certus.metrics import Metric, declared
from certus.states import TASKS, State
from certus.table import Row

ONE_PASS = ("R2", "ExplainedVariance")
"""Metrics of which the kernel over whole columns rounds differently by the order of rows, in the last digit."""


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


AT = {"q": 0.9, "beta": 2, "recall": 0.8, "precision": 0.6, "k": 2}
"""For metrics that have no default of a parameter behind their name."""


def complete(metric: Metric) -> Metric:
    """The metric with a number behind the ``@`` of its name, if it needs one."""
    return metric.using(**{metric.at_parameter: AT[metric.at_parameter]}) if metric.at_parameter in AT else metric


METRICS = [
    (task, complete(metric), told)
    for told in ((), ("groups",), ("sample_weight",))
    for task in TASKS
    if {*told} <= tasks.task(task).keywords
    for metric in declared(task)
]


@in_a_row("task, metric, told", METRICS, group=lambda task, metric, told: f"{task} {metric.name}")
def test_any_partition_has_the_digits_of_all_data(task: str, metric: Metric, told: tuple[str, ...]) -> None:
    rng = np.random.default_rng(5)
    more = {"groups": rng.integers(0, 40, N), "sample_weight": rng.integers(1, 9, N) / 4}
    given = columns(task) | {name: more[name] for name in told}
    try:
        expected = together(metric, task, given)
    except certus.CertusError:
        return  # the metric is not computed from such columns
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
    with pytest.raises(certus.DataError, match="there is no column 'q'; the columns are 'label', 'p', 'country'"):
        one.update(frame, truth="label", score="q")


def test_a_table_of_one_column_is_that_column() -> None:
    truth, score = np.array([1, 0, 1, 0]), np.array([0.9, 0.2, 0.3, 0.4], dtype=np.float32)
    flat, tall = (State(["AUC", "LogLoss", "Brier"]) for _ in range(2))
    for part in (slice(1), slice(1, 4)):
        flat.update(truth[part], score=score[part])
        tall.update(truth[part, np.newaxis], score=score[part, np.newaxis])
    assert tall.to_bytes() == flat.to_bytes()


def test_an_empty_batch_of_text_of_any_kind_adds_nothing() -> None:
    for kind in ("<U1", "S3", "U0", object):
        state, none = State("Accuracy"), np.array([], dtype=kind)
        state.update(none, pred=none, by=none)
        state.update(np.array(["a", "b"]), pred=np.array(["a", "a"]), by=np.array(["x", "x"]))
        assert [row.value for row in state.evaluate()] == [0.5]
        assert certus.classification.accuracy(none, none).reason == certus.classification.accuracy([], []).reason


def test_an_empty_state_has_no_table() -> None:
    with pytest.raises(certus.DataError, match="the state has no samples yet"):
        State("AUC").evaluate()


def test_labels_keep_their_kind() -> None:
    for labels in ((True, False), ("yes", "no"), (b"a", b"b"), (3, -1)):
        state = State("Accuracy")
        state.update([labels[0], labels[1], labels[1]], pred=[labels[0], labels[0], labels[1]])
        again = State.from_bytes(copy.deepcopy(state).to_bytes())
        assert [row.value for row in again.evaluate()] == [2 / 3]


def test_columns_that_no_metric_needs_are_not_kept() -> None:
    given = columns("classification")
    more, fewer = State(["Accuracy", "LogLoss"]), State("Accuracy")
    for batch in batches(given, 6, 3):
        more.update(**batch)
        fewer.update(batch["y_true"], pred=batch["y_pred"])
    # Four cells of labels and four exact sums, whatever the number of scores.
    assert len(more.to_bytes()) < 3_000
    assert next(iter(more.evaluate())).value == next(iter(fewer.evaluate())).value


def test_scores_take_nine_bytes_a_row() -> None:
    rng = np.random.default_rng(3)
    sizes = []
    for kind in (np.float64, np.float32):
        state = State("AUC")
        for _ in range(4):
            state.update(rng.integers(0, 2, 50_000), score=rng.random(50_000).astype(kind))
        sizes.append(len(state.to_bytes()))
    assert sizes[0] < 200_000 * 9 + 2_000
    # Some of 200,000 floats of 24 bits are equal, so that each row has a count of one byte.
    assert sizes[1] < 200_000 * 6 + 2_000


def test_a_buffer_that_is_filled_again_does_not_change_earlier_batches() -> None:
    truth, score = np.array([1, 0, 1]), np.array([0.9, 0.2, 0.1])
    state = State(["AUC", "LogLoss"])
    state.update(truth, score=score)
    before = [row.value for row in state.evaluate()]
    truth[:], score[:] = 0, 0.5
    assert [row.value for row in state.evaluate()] == before


class Tensor:
    """An array that is reached by DLPack only, as a tensor of another library in the memory of the processor."""

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = values

    def __dlpack__(self, **asked: Any) -> Any:
        return self.values.__dlpack__(**asked)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.values.__dlpack_device__()


def test_tensors_are_read_where_they_lie() -> None:
    given = columns("classification")
    assert np.shares_memory(as_array(Tensor(given["y_score"]), "y_score"), given["y_score"])
    one, other = State(["Accuracy", "LogLoss", "AUC"]), State(["Accuracy", "LogLoss", "AUC"])
    for batch in batches(given, 4, 1):
        one.update(**batch)
        other.update(**{name: Tensor(values) for name, values in batch.items()})
    assert one.to_bytes() == other.to_bytes()


def test_a_rare_class_is_told_of_as_in_all_data() -> None:
    state = State("LogLoss")
    state.update([0] * 20, score=[0.1] * 20)
    state.update([1, 1], score=[0.1, 0.2])
    (row,) = certus.evaluate([0] * 20 + [1, 1], None, "LogLoss", y_score=[0.1] * 21 + [0.2], task="classification")
    assert "2 samples of class 1" in row.reason
    assert [each.reason for each in state.evaluate()] == [row.reason]


def test_several_labels_of_a_sample_take_a_byte_each() -> None:
    rng = np.random.default_rng(3)
    state = State("F1", task="multilabel")
    for _ in range(3):
        truth = rng.integers(0, 2, (400, 20))
        state.update(truth, pred=rng.integers(0, 2, (400, 20)))
    assert len(state.to_bytes()) < 1_200 * 41 + 2_000


@pytest.mark.parametrize(
    ("task", "given", "message"),
    [
        ("multilabel", {"y_pred": [[1, 0], [1, 2]]}, r"y_pred is 2 at index \(1, 1\); it must hold 0 and 1 only"),
        (
            "multilabel",
            {"y_pred": [[1, 0, 1], [1, 1, 1]]},
            r"has y_pred \(3 columns\), y_true \(2 columns\), but earlier",
        ),
        ("multilabel", {"y_true": [1, 0]}, r"y_true has shape \(2,\); it must have a row per sample"),
        ("efficiency", {"timings": [0.5, -1.0]}, "timings is -1 at index 1"),
        ("efficiency", {"timings": [0.5, float("nan")]}, "timings is NaN at index 1"),
    ],
)
def test_a_batch_of_labels_or_timings_is_checked_by_itself(task: str, given: dict[str, Any], message: str) -> None:
    right: dict[str, Any] = {"timings": [0.5, 0.1]}
    if task == "multilabel":
        right = {"y_true": [[1, 0], [0, 1]], "y_pred": [[1, 0], [1, 1]]}
    state = State("F1" if task == "multilabel" else "Latency@0.9", task=task)
    state.update(**right)
    before = state.to_bytes()
    with pytest.raises(certus.CertusError, match=message):
        state.update(**{**right, **given})
    assert state.to_bytes() == before


def test_names_of_labels_are_not_dropped_in_silence() -> None:
    pd = pytest.importorskip("pandas")
    truth = pd.DataFrame({"sports": [1, 0], "politics": [1, 1]})
    state = State("F1(average=None)", task="multilabel")
    with pytest.raises(
        certus.DataError, match="y_pred is a table with the columns 'sports', 'politics'; a state knows"
    ):
        state.update(truth, pred=truth)
    state.update(truth.to_numpy(), pred=truth.to_numpy())
    assert [row.label for row in state.evaluate()] == ["0", "1"]


def test_metrics_of_labels_come_from_their_numbers_and_not_from_samples() -> None:
    rng = np.random.default_rng(8)
    truth = rng.choice(["a", "b", "c", "A"], 500)
    guess = np.where(rng.random(500) < 0.6, truth, rng.choice(["a", "b", "c"], 500))
    metrics = ["Accuracy", "kappa", "F1(average='macro')", "MCC"]
    for labels, chance in ((None, True), (["c", "a", "b", "A"], False)):
        state = State(metrics, labels=labels)
        for part in np.array_split(np.arange(500), 7):
            state.update(truth[part], pred=guess[part])
        found = state.evaluate(chance=chance)
        expected = certus.evaluate(truth, guess, metrics, task="classification", chance=chance, labels=labels)
        assert [repr(row) for row in found] == [repr(row) for row in expected]
        assert [str(notice) for notice in found.warnings] == [str(notice) for notice in expected.warnings]
        assert found.signature["said"] == expected.signature["said"]


def test_many_labels_are_evaluated_from_samples() -> None:
    truth = np.arange(3000)
    state = State("Accuracy")
    state.update(truth, pred=np.roll(truth, 1))
    assert [row.value for row in state.evaluate()] == [0.0]
