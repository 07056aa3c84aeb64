"""Subgroups whose rows are in a file, one of them in memory at a time: the digits of all rows in memory."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from insides import in_a_file
from state_columns import of_batches

import certus
from certus.states import State

N = 600
CALLS: dict[str, tuple[str, list[str]]] = {
    "scores": ("classification", ["AUC", "AP", "KS", "Brier", "ECE", "LogLoss", "PrecisionAtRecall@0.8"]),
    "labels": ("classification", ["Accuracy", "F1(average='macro')", "kappa", "MCC"]),
    "numbers": ("regression", ["MAE", "RMSE", "R2", "Spearman", "MedAE", "Pearson"]),
    "clusters": ("clustering", ["ARI", "NMI"]),
    "values": ("values", ["Mean", "Median"]),
}


def columns_of(kind: str, n: int = N, seed: int = 4) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    score = np.clip(np.round(0.3 * truth + 0.6 * rng.random(n), 2), 0.01, 0.99)
    if kind == "scores":
        return {"y_true": truth, "y_score": score}
    if kind == "labels":
        words = np.array(["no", "maybe", "yes"], dtype=object)
        return {"y_true": words[2 * truth], "y_pred": words[rng.integers(0, 3, n)]}
    if kind == "numbers":
        return {"y_true": score, "y_pred": score + rng.normal(size=n) / 10}
    if kind == "clusters":
        return {"labels_true": rng.integers(0, 4, n), "labels_pred": rng.integers(0, 3, n)}
    return {"values": rng.random(n)}


def more_of(told: tuple[str, ...], n: int = N) -> dict[str, Any]:
    rng = np.random.default_rng(9)
    known = {
        "groups": np.array([f"u{rank}" for rank in rng.integers(0, 60, n)], dtype=object),
        "sample_weight": rng.integers(1, 9, n) / 4,
    }
    return {name: known[name] for name in told}


def approximate(row: Any) -> list[Any]:
    found = row.to_dict()
    return [
        (name, pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True) if isinstance(value, float) else value)
        for name, value in found.items()
    ]


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (kind, told)
        for kind in CALLS
        for told in ((), ("groups",), ("sample_weight",), ("groups", "sample_weight"))
        if kind != "clusters" or not told  # partitions have neither weights nor groups
    ],
)
def test_subgroups_in_a_file_have_the_rows_that_they_have_in_memory(kind: str, told: tuple[str, ...]) -> None:
    task, metrics = CALLS[kind]
    by = np.array(["de", "at", "ch"], dtype=object)[np.random.default_rng(2).integers(0, 3, N)]
    given = columns_of(kind) | more_of(told) | {"by": by}
    # Subgroups that share groups have no mean.
    mean: Any = None if "groups" in told else "fixed-weighted" if "sample_weight" in told else "fixed"
    try:
        expected = certus.evaluate(None, None, metrics, task=task, subgroup_mean=mean, **given)
        rows = list(expected)
    except certus.CertusError:
        metrics = metrics[:1]
        expected = certus.evaluate(None, None, metrics, task=task, subgroup_mean=mean, **given)
        rows = list(expected)
    floats = sum(column.dtype.kind == "f" for column in given.values())
    memory = 550 * (8 * floats + 2 * (len(given) - floats))
    states = [of_batches(metrics, given, parts, seed, memory, task=task) for parts, seed in ((40, 1), (23, 2), (16, 4))]
    assert len({state.to_bytes() for state in states}) == 1
    assert states[0].to_bytes() == of_batches(metrics, given, 3, 5, None, task=task).to_bytes()
    for state in states:
        assert in_a_file(state).spill() or (kind in ("labels", "clusters") and not told)
        found = state.evaluate(subgroup_mean=mean)
        assert found.signature["said"] == expected.signature["said"]
        assert [str(each) for each in found.warnings] == [str(each) for each in expected.warnings]
        for row, want in zip(found, rows, strict=True):
            assert row.to_dict() == dict(approximate(want))
            assert row.value == want.value or row.value != row.value or row.metric == "R2"


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 5), st.integers(2, 40), st.integers(1, 9), st.integers(20_000, 60_000), st.booleans())
def test_no_partition_order_or_limit_changes_a_byte(
    seed: int, parts: int, groups: int, memory: int, text: bool
) -> None:
    rng = np.random.default_rng(seed)
    by = rng.integers(0, groups, 400)
    given = columns_of("labels" if text else "scores", 400, seed) | {
        "by": by.astype(str).astype(object) if text else by
    }
    given |= more_of(("groups",), 400)
    metrics = ["Accuracy" if text else "AP"]
    whole = State(metrics)
    whole.update(**given)
    state = of_batches(metrics, given, parts, seed, str(memory))
    assert state.to_bytes() == whole.to_bytes()
    assert [row.value for row in state.evaluate()] == [row.value for row in whole.evaluate()]


def test_a_state_without_a_limit_takes_the_rows_that_another_has_in_a_file() -> None:
    for kind, (task, metrics) in CALLS.items():
        given = columns_of(kind) | {"by": np.array(["b", "a", "c"], dtype=object)[np.arange(N) % 3]}
        given |= more_of(("groups",)) if kind != "clusters" else {}
        whole = State(metrics, task=task)
        whole.update(**given)
        halves = [{name: column[part] for name, column in given.items()} for part in (slice(200), slice(200, N))]
        one, other = State(metrics, task=task), State(metrics, task=task, memory="1kB")
        one.update(**halves[0])
        for index in np.array_split(np.arange(N - 200), 4):
            other.update(**{name: column[index] for name, column in halves[1].items()})
        assert in_a_file(other).cells or kind == "clusters"
        sent = other.to_bytes()
        assert one.merge(other).to_bytes() == whole.to_bytes()
        assert other.to_bytes() == sent


def test_a_subgroup_that_is_too_large_is_named() -> None:
    given = columns_of("scores") | {"by": np.repeat(["few", "many"], [20, N - 20])}
    state = of_batches(["KS"], given, 30, 1, "2kB")
    with pytest.raises(certus.DataError, match="580 samples of subgroup 'many' do not fit into 2 kB of memory"):
        state.evaluate()


@pytest.mark.parametrize("told", [{"chance": True}, {"interval": "bca"}])
def test_what_needs_the_rows_of_all_subgroups_is_refused(told: dict[str, Any]) -> None:
    given = columns_of("scores") | {"by": np.arange(N) % 3}
    state = of_batches(["AUC"], given, 30, 1, "4kB")
    with pytest.raises(certus.DataError, match=f"{next(iter(told))} needs every row of all subgroups"):
        state.evaluate(**told)


def test_conventions_without_use_are_refused() -> None:
    given = columns_of("labels") | {"by": np.arange(N) % 3}
    state = of_batches(["Accuracy"], given, 30, 1, "4kB", pos_label="yes")
    with pytest.raises(certus.MetricNameError, match="pos_label is 'yes', but nothing here"):
        state.evaluate()
