"""Systems compared from states: the digits of `certus.compare` of all data, for any partition and order."""

import math
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_a_row import in_a_row

import certus
from certus import tasks
from certus.inference.tests.paired_scores import paired_scores
from certus.metrics import Metric, declared
from certus.states import State

N = 150
ONE_PASS = ("R2", "ExplainedVariance", "Silhouette")
"""Metrics of which the kernel over whole columns rounds differently by the order of rows, in the last digit."""
NUMBERS = ("value", "baseline_value", "difference", "low", "high", "p", "p_adjusted")
AT = {"q": 0.9, "beta": 2, "recall": 0.8, "precision": 0.6, "k": 2}


def samples(task: str) -> tuple[Any, dict[str, dict[str, Any]]]:
    """The truth, and the predictions of three systems."""
    rng = np.random.default_rng(23)
    if task == "clustering":
        points = rng.normal(size=(N, 2))
        return points, {name: {"labels_pred": (points + rng.random(2) > 0) @ [1, 2]} for name in "abc"}
    shape = (N, 3) if task == "multilabel" else N
    truth = rng.integers(0, 2, shape)
    if task == "regression":
        numbers = np.exp(rng.normal(size=N))
        return numbers, {name: {"y_pred": numbers * np.exp(rng.normal(size=N) / 2)} for name in "abc"}
    scores = {name: np.clip(np.round(0.3 * truth + 0.6 * rng.random(shape), 2), 0.01, 0.99) for name in "abc"}
    return truth, {name: {"y_pred": (p > 0.5).astype(int), "y_score": p} for name, p in scores.items()}


def metrics_of(task: str) -> list[Metric]:
    return [
        each.using(**{each.at_parameter: AT[each.at_parameter]}) if each.at_parameter in AT else each
        for each in declared(task)
    ]


def predicted(metric: Metric, task: str) -> list[str]:
    """The columns of each system that the metric is computed from."""
    arguments = [tasks.task(task).argument(name) for name in metric.arguments]
    return [each.name for each in arguments if each.predicted]


def state_of(
    metric: Metric, task: str, truth: Any, systems: dict[str, Any], more: dict[str, Any], parts: int, seed: int
) -> State:
    """The state of batches, each made on its own, sent as bytes and merged in another order."""
    order = np.random.default_rng(seed).permutation(len(truth))
    names = predicted(metric, task)
    first = "X" if task == "clustering" else "y_true"
    states = []
    for index in np.array_split(order, parts):
        state = State([metric], task=task, systems=list(systems))
        some = {name: {key: own[key][index] for key in names} for name, own in systems.items()}
        state.update(None, some, **{name: column[index] for name, column in {first: truth, **more}.items()})
        states.append(State.from_bytes(state.to_bytes()))
    whole = states.pop(parts // 2)
    for other in states:
        whole.merge(other)
    return whole


def assert_same(found: certus.Comparison, expected: certus.Comparison) -> None:
    for one, other in zip(found, expected, strict=True):
        for name in (
            "system",
            "baseline",
            "metric",
            "method",
            "interval",
            "method_note",
            "verdict",
            "n",
            "unit",
            "wins",
            "losses",
        ):
            assert getattr(one, name) == getattr(other, name), name
        if one.metric not in ONE_PASS:
            assert repr([one.value, one.baseline_value]) == repr([other.value, other.baseline_value])
        for name in NUMBERS:
            assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-12, abs=1e-12, nan_ok=True), name


PAIRED = [
    (task, metric, told)
    for told in ((), ("groups",), ("sample_weight",))
    for task in ("classification", "multilabel", "regression", "clustering")
    for metric in metrics_of(task)
    if task != "clustering" or metric.name == "Silhouette"
]


@in_a_row("task, metric, told", PAIRED, group=lambda task, metric, told: f"{task} {metric.name}")
def test_any_partition_compares_as_all_data(task: str, metric: Metric, told: tuple[str, ...]) -> None:
    """Metrics without a paired comparison are refused from states as from arrays, with the same words."""
    truth, systems = samples(task)
    systems = {name: systems[name] for name in "ab"}
    rng = np.random.default_rng(5)
    columns: dict[str, Any] = {"groups": rng.integers(0, 40, N), "sample_weight": rng.integers(1, 9, N) / 4}
    more = {name: columns[name] for name in told}
    predictions = {name: {key: own[key] for key in predicted(metric, task)} for name, own in systems.items()}
    found = [state_of(metric, task, truth, systems, more, parts, seed) for parts, seed in ((1, 1), (24, 3))]
    assert len({zlib.crc32(state.to_bytes()) for state in found}) == 1
    try:
        expected = certus.compare(truth, predictions, metric, task=task, **more)
    except certus.CertusError as error:
        with pytest.raises(type(error), match=re.escape(str(error).partition(";")[0])):
            found[0].compare()
    else:
        assert_same(found[-1].compare(), expected)


def test_all_pairs_of_three_systems_and_all_options() -> None:
    truth, systems = samples("classification")
    metrics = ["AUC", "AP"]
    scores = {name: own["y_score"] for name, own in systems.items()}
    state = State(metrics, systems=["a", "b", "c"])
    for index in np.array_split(np.random.default_rng(1).permutation(N), 4):
        state.update(truth[index], {name: p[index] for name, p in scores.items()})
    options: dict[str, Any]
    for options in (
        {},
        {"baseline": "b", "margin": 0.02},
        {"correction": "bonferroni", "level": 0.9},
        {"bayesian": True},
    ):
        expected = certus.compare(truth, scores, metrics, task="classification", **options)
        assert_same(state.compare(**options), expected)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6), st.integers(0, 6)), min_size=6, max_size=14))
def test_paired_areas_are_those_of_delong(rows: list[tuple[bool, int, int]]) -> None:
    """By the structural components of both scores, in ten slow lines; ties count half."""
    truth, a, b = (np.array(column) for column in zip(*rows, strict=True))
    positives, negatives = np.flatnonzero(truth), np.flatnonzero(~truth)
    state = State("AUC", systems=["a", "b"])
    for label, first, second in rows:
        state.update([label], {"a": [first], "b": [second]})
    if min(len(positives), len(negatives)) < 2:
        return

    def won(p: Any, i: Any, j: Any) -> float:
        return float(np.heaviside(p[i] - p[j], 0.5))

    def components(p: Any) -> tuple[Any, Any]:
        table = np.array([[won(p, i, j) for j in negatives] for i in positives])
        return table.mean(1), table.mean(0)

    (va, wa), (vb, wb) = components(a), components(b)
    error = math.sqrt(np.var(va - vb, ddof=1) / len(positives) + np.var(wa - wb, ddof=1) / len(negatives))
    (row,) = state.compare(baseline="b")
    assert row.difference == pytest.approx(va.mean() - vb.mean(), abs=1e-14)
    paired = paired_scores(truth, a, b)
    assert row.p == pytest.approx(paired.p, rel=1e-12, nan_ok=True)
    if error:
        assert paired.difference.standard_error == pytest.approx(error, rel=1e-9)


def test_scores_of_two_systems_take_two_floats_a_row_and_labels_a_cell() -> None:
    rng = np.random.default_rng(3)
    scores, labels = State("AUC", systems=["a", "b"]), State("Accuracy", systems=["a", "b"])
    for _ in range(4):
        truth = rng.integers(0, 2, 20_000)
        scores.update(truth, {"a": rng.random(20_000), "b": rng.random(20_000)})
        labels.update(truth, {"a": rng.integers(0, 2, 20_000), "b": rng.integers(0, 2, 20_000)})
    assert len(scores.to_bytes()) < 80_000 * 17 + 2_000
    assert len(labels.to_bytes()) < 1_000


def test_a_batch_without_a_system_is_refused_and_changes_nothing() -> None:
    state = State("AUC", systems=["old", "new"])
    state.update([1, 0], {"old": [0.7, 0.2], "new": [0.6, 0.1]})
    before = state.to_bytes()
    for predictions, message in (
        ({"old": [0.5, 0.1]}, "predictions has the systems 'old', but the state those 'old', 'new'"),
        ({"old": [0.5, 0.1], "new": [0.5]}, "y_score of new has 1 sample|y_score of old has 1|has 2 samples but"),
        ({"old": [0.5, 0.1], "new": [0.5, float("nan")]}, "y_score of new is NaN at index 1"),
        (None, "predictions is a NoneType; give those of the systems 'old', 'new' by name"),
        ({"old": [0.5, 0.1], "new": {"truth": [1, 0]}}, "new: 'truth' is not a prediction of classification"),
    ):
        with pytest.raises(certus.CertusError, match=message):
            state.update([1, 0], predictions)
        assert state.to_bytes() == before
    with pytest.raises(certus.MetricNameError, match="by does not apply to comparisons"):
        state.update([1, 0], {"old": [0.5, 0.1], "new": [0.5, 0.2]}, by=["x", "y"])
    with pytest.raises(certus.DataError, match="the state is of several systems"):
        state.evaluate()
    with pytest.raises(certus.DataError, match="the states differ in systems"):
        state.merge(State("AUC", systems=["new", "old"]))


def test_what_cannot_be_compared_from_a_state_is_refused() -> None:
    with pytest.raises(certus.DataError, match="make one with systems="):
        State("AUC").compare()
    with pytest.raises(certus.DataError, match="the state has no samples yet"):
        State("AUC", systems=["a", "b"]).compare()
    wrong: dict[str, Any]
    for metrics, wrong, message in (
        ("AUC", {"systems": ["a"]}, "give two or more names, each once"),
        ("AUC", {"systems": ["a", "a"]}, "give two or more names, each once"),
        ("AUC", {"systems": "ab"}, "give two or more names, each once"),
        (None, {"systems": ["a", "b"]}, "no metrics are named"),
        ("AUC", {"systems": ["a", "b"], "exact": False}, "exact=False does not apply to comparisons"),
        ("AUC", {"systems": ["a", "b"], "rows": True}, "rows=True does not apply to comparisons"),
        ("AP", {"systems": ["a", "b"], "task": "ranking"}, "a state compares no systems of ranking"),
        ("Mean", {"systems": ["a", "b"], "task": "values"}, "a state compares no systems of values"),
    ):
        with pytest.raises(certus.CertusError, match=message):
            State(metrics, **wrong)
    both = State(["AUC", "Accuracy"], systems=["a", "b"])
    with pytest.raises(certus.DataError, match="the metrics are computed from y_pred and y_score; give each system's"):
        both.update([1, 0], {"a": [0.7, 0.2], "b": [0.6, 0.1]})


def test_a_table_of_named_columns_is_a_batch_of_several_systems() -> None:
    truth, systems = samples("classification")
    table = {"y": truth, "pa": systems["a"]["y_score"], "pb": systems["b"]["y_score"], "user": np.arange(N) // 3}
    one, other = State("AUC", systems=["a", "b"]), State("AUC", systems=["a", "b"])
    one.update(table, {"a": "pa", "b": "pb"}, truth="y", groups="user")
    other.update(truth, {"a": table["pa"], "b": table["pb"]}, groups=table["user"])
    assert one.to_bytes() == other.to_bytes()


def test_every_task_with_comparisons_of_predictions_is_compared_from_states() -> None:
    listed = {each.name for each in tasks.tasks() if each.paired and each.name != "ranking"}
    assert listed == {task for task, _, _ in PAIRED}


def named_table(seed: int = 3, n: int = 600) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    p, q = (np.clip(np.round(0.3 * truth + 0.6 * rng.random(n), 2), 0.01, 0.99) for _ in range(2))
    return {
        "y": truth,
        "p": p,
        "q": q,
        "g": (p > 0.5).astype(int),
        "h": (q > 0.4).astype(int),
        "user": np.arange(n) // 4,
    }


def rows_of(table: dict[str, Any], parts: int) -> list[dict[str, Any]]:
    order = np.random.default_rng(parts).permutation(len(table["y"]))
    return [{name: column[index] for name, column in table.items()} for index in np.array_split(order, parts)]


@pytest.mark.parametrize("source", ["a table", "batches", "files"])
def test_columns_of_any_source_are_compared_as_arrays(source: str, tmp_path: Path) -> None:
    table = named_table()
    data: Any = table if source == "a table" else iter(rows_of(table, 5))
    if source == "files":
        pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        for number, part in enumerate(rows_of(table, 3)):
            parquet.write_table(pa.table(part), tmp_path / f"part-{number}.parquet")
        data = str(tmp_path / "part-*.parquet")
    both = {"old": {"pred": "g", "score": "p"}, "new": {"pred": "h", "score": "q"}}
    metrics = ["AUC", "Accuracy", "LogLoss"]
    found = certus.compare(data, both, metrics, truth="y", groups="user", margin=0.01)
    arrays = {
        "old": {"y_pred": table["g"], "y_score": table["p"]},
        "new": {"y_pred": table["h"], "y_score": table["q"]},
    }
    expected = certus.compare(table["y"], arrays, metrics, task="classification", groups=table["user"], margin=0.01)
    assert_same(found, expected)


def test_systems_may_be_a_list_of_columns_and_the_task_is_that_of_the_metrics() -> None:
    table = named_table()
    (row,) = certus.compare(iter(rows_of(table, 4)), ["p", "q"], "AUC", truth="y")
    (same,) = certus.compare(table["y"], {"p": table["p"], "q": table["q"]}, "AUC", task="classification")
    assert (row.system, row.value) == (same.system, same.value)
    assert row.p == pytest.approx(same.p, rel=1e-12)
    (error,) = certus.compare(iter(rows_of(table, 4)), ["p", "q"], "MAE", truth="y")
    assert error.value == certus.regression.mae(table["y"], table["q"]).value


def test_a_wrong_batch_of_a_comparison_is_named() -> None:
    parts = rows_of(named_table(), 3)
    parts[1]["q"] = parts[1]["q"].copy()
    parts[1]["q"][5] = np.nan
    with pytest.raises(certus.DataError, match=r"^batch 2: column 'q' is NaN at index 5"):
        certus.compare(iter(parts), ["p", "q"], "AUC", truth="y")
    parts = rows_of(named_table(), 3)
    with pytest.raises(
        certus.DataError, match=r"^batch 1: column 'user' is .* at index \d+; a probability is from 0 to 1"
    ):
        certus.compare(iter(parts), ["p", "user"], "LogLoss", truth="y")
    with pytest.raises(
        certus.DataError, match=r"^batch 1: column 'user' is .* at index \d+; a probability is from 0 to 1"
    ):
        certus.evaluate(iter(parts), metrics="Brier", truth="y", score="user", groups="y")
    wrong: dict[str, Any]
    for runs, wrong, message in (
        (["p", "r"], {}, "batch 1: there is no column 'r'"),
        ("p", {}, "predictions is a str; where columns are named give those of the systems"),
        (["p"], {}, "give two or more names, each once"),
        ({"a": "p", "b": 3}, {}, "b: 'y_score': 3 is not a column of predictions"),
        (
            ["p", "q"],
            {"groups": [1, 2]},
            "groups is a list, but other keywords name columns|there is no column|no column",
        ),
        (["p", "q"], {"queries": "judged"}, "does not take 'queries'"),
    ):
        with pytest.raises((certus.CertusError, TypeError), match=message):
            certus.compare(iter(rows_of(named_table(), 3)), runs, "AUC", truth="y", **wrong)
