"""Weights and groups of more rows than memory: the table of all rows in memory."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from insides import in_a_file
from state_columns import assert_same, of_batches

import certus
from certus.states import State

METRICS = {
    "classification": ["LogLoss", "Brier", "TopK(k=1)", "AUC", "Gini", "Accuracy", "F1"],
    "regression": ["MAE", "RMSE", "RMSLE", "MAPE", "sMAPE", "Pinball"],
    "values": ["Mean"],
}


def columns_of(task: str, rng: np.random.Generator, n: int, *, rounded: bool) -> dict[str, Any]:
    truth = rng.integers(0, 2, n)
    truth[:2] = 0, 1
    score = np.clip(0.3 * truth + 0.7 * rng.random(n), 0.001, 0.999)
    if rounded:
        score = np.round(0.9 * score, 1) + 0.05
    if task == "classification":
        return {"y_true": truth, "y_pred": (score > 0.5).astype(int), "y_score": score}
    number = np.exp(rng.normal(size=n))
    if task == "values":
        return {"values": number if not rounded else np.round(number, 1)}
    return {"y_true": number, "y_pred": number * np.exp(rng.normal(size=n) / 4)}


def units_of(kind: str, rng: np.random.Generator, n: int) -> dict[str, Any]:
    weight = rng.lognormal(size=n)
    weight[rng.random(n) < 0.1] = 0.0
    group = rng.integers(-3, n // 4, n)
    if "few" in kind:
        weight, group = np.round(weight) + 1, group % 3
    if "ones" in kind:
        weight = np.where(weight > 0, 1.0, 0.0)
    found: dict[str, Any] = {}
    if "weights" in kind:
        found["sample_weight"] = weight
    if "groups" in kind:
        found["groups"] = np.array([f"user {each}" for each in group]) if "named" in kind else group
    return found


def same(state: State, task: str, metrics: Any, columns: dict[str, Any]) -> None:
    names = [name for name in columns if name in ("y_true", "values")]
    told = {name: column for name, column in columns.items() if name not in names}
    expected = certus.evaluate(columns[names[0]], None, metrics, task=task, **told)
    found = state.evaluate()
    assert found.signature["said"] == expected.signature["said"]
    assert_same(found, expected)


KINDS = ["weights", "groups", "weights and groups", "few weights", "few groups", "weights of ones", "named groups"]


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(sorted(METRICS)),
    st.sampled_from(KINDS),
    st.booleans(),
    st.integers(0, 2**32 - 1),
    st.integers(100, 200),
    st.sampled_from([1, 1500, 4000]),
    st.sampled_from([5, 17]),
)
def test_no_partition_order_or_limit_changes_a_digit_of_weights_and_groups(
    task: str, kind: str, rounded: bool, seed: int, n: int, memory: int, parts: int
) -> None:
    rng = np.random.default_rng(seed)
    columns = {**columns_of(task, rng, n, rounded=rounded), **units_of(kind, rng, n)}
    state = of_batches(METRICS[task], columns, parts, seed, memory, task=task)
    assert in_a_file(state).spill() or memory > 1
    same(state, task, METRICS[task], columns)
    same(state, task, METRICS[task], columns)  # the rows are still there


@settings(max_examples=7, deadline=None)
@given(st.sampled_from(KINDS), st.integers(0, 2**32 - 1))
def test_chance_corrected_metrics_of_three_classes(kind: str, seed: int) -> None:
    rng, n = np.random.default_rng(seed), 400
    truth = np.array(["ant", "bee", "cat"])[rng.integers(0, 3, n)]
    columns = {"y_true": truth, "y_pred": np.where(rng.random(n) < 0.7, truth, "bee"), **units_of(kind, rng, n)}
    metrics = ["kappa", "MCC", "Jaccard(average='micro')", "F1(average=None)"]
    same(of_batches(metrics, columns, 9, seed, 1), "classification", metrics, columns)


@pytest.mark.parametrize("kind", ["weights", "groups", "weights and groups"])
def test_values_without_spread_and_perfect_orders_have_the_reasons_that_they_have_in_memory(kind: str) -> None:
    rng, n = np.random.default_rng(1), 200
    units = units_of(kind, rng, n)
    number, truth = rng.normal(size=n), np.arange(n) % 2
    perfect = {"y_true": truth, "y_pred": truth, "y_score": truth * 0.8 + 0.1, **units}
    for task, metrics, columns in (
        ("regression", ["MAE", "RMSE"], {"y_true": number, "y_pred": number, **units}),
        ("regression", ["MAE", "RMSE"], {"y_true": np.zeros(n), "y_pred": np.full(n, 0.1), **units}),
        ("classification", ["AUC", "LogLoss", "Brier", "Accuracy"], perfect),
        ("classification", ["AUC", "Accuracy"], {**perfect, "y_true": np.ones(n, dtype=int)}),
    ):
        same(of_batches(metrics, columns, 9, 1, 1, task=task), task, metrics, columns)


def test_an_infinite_loss_and_a_single_group() -> None:
    truth, score = np.arange(60) % 2, np.linspace(0, 1, 60)
    for units in ({"sample_weight": np.arange(60) / 7}, {"groups": np.zeros(60, dtype=int)}):
        columns = {"y_true": truth, "y_score": score, **units}
        same(of_batches(["LogLoss", "AUC"], columns, 9, 1, 1), "classification", ["LogLoss", "AUC"], columns)


def test_what_needs_every_weighted_row_is_refused() -> None:
    columns = columns_of("classification", np.random.default_rng(1), 500, rounded=False)
    columns |= units_of("weights and groups", np.random.default_rng(2), 500)
    for metrics in ("KS", "ECE", "AUC(max_fpr=0.1)", "LogLoss(normalize=False)"):
        with pytest.raises(
            certus.DataError, match=r"the rows do not fit into 1 kB of memory, and .* needs all of them"
        ):
            of_batches(metrics, columns, 50, 1, 1000)
    state = of_batches(["LogLoss", "AUC", "Accuracy"], columns, 50, 2, 1000)
    for method in ("bca", "percentile"):
        with pytest.raises(certus.DataError, match=r"do not fit into memory; take .*, or give more with memory="):
            state.evaluate(interval=method)
    with pytest.raises(certus.DataError, match="sample_weight"):
        of_batches(["LogLoss"], {**columns, "sample_weight": np.zeros(500)}, 50, 2, 1000).evaluate()
