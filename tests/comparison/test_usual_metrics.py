"""A comparison that names no metric takes those of its task, in Python as on the command line."""

import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import certus
from certus import MetricNameError, tasks
from certus.cli.app import run
from certus.testing import assert_not_worse

RNG = np.random.default_rng(3)
TRUTH = [1, 0, 1, 1, 0, 0, 1, 0] * 4
LABELS = {name: [each if RNG.random() < 0.7 else 1 - each for each in TRUTH] for name in ("old", "new")}
SCORES = {name: [0.3 * each + 0.7 * RNG.random() for each in TRUTH] for name in ("old", "new")}


def compared(comparison: certus.Comparison) -> list[str]:
    return [row.metric for row in comparison.rows]


@pytest.mark.parametrize(
    ("truth", "systems", "role"),
    [(TRUTH, LABELS, ("classification", "pred")), (TRUTH, SCORES, ("classification", "score"))],
)
def test_the_command_line_and_python_compare_by_the_same_metrics(
    truth: Any,
    systems: dict[str, list[Any]],
    role: tuple[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    task, option = role
    pd.DataFrame({"y": truth, **systems}).to_csv(tmp_path / "t.csv", index=False)
    columns = [word for name in systems for word in (f"--{option}", name)]
    line = ["compare", str(tmp_path / "t.csv"), "--task", task, "--truth", "y", *columns, "--format", "json"]
    assert run(line) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    found = certus.compare(truth, systems, task=task)
    assert [row["metric"] for row in rows] == compared(found)
    assert [row["p"] for row in rows] == [row.p for row in found.rows]
    named = certus.compare(truth, systems, compared(found), task=task)
    assert named.rows == found.rows


def test_a_gate_without_a_metric_looks_at_the_usual_ones() -> None:
    qrels = {f"q{i}": {"a": 1} for i in range(9)}
    right, wrong = ({f"q{i}": {"a": float(i == 0 or good), "b": 0.5} for i in range(9)} for good in (True, False))
    assert_not_worse(right, right, qrels=qrels)
    with pytest.raises(AssertionError, match=r"nDCG@10(.|\n)*AP"):
        assert_not_worse(wrong, right, qrels=qrels)


def test_the_metrics_are_those_that_every_system_has_the_data_for() -> None:
    both = {name: {"y_pred": LABELS[name], "y_score": SCORES[name]} for name in LABELS}
    assert compared(certus.compare(TRUTH, both, task="classification")) == ["Accuracy", "MCC", "AUC", "AP"]
    uneven = {"old": both["old"], "new": {"y_score": SCORES["new"]}}
    assert compared(certus.compare(TRUTH, uneven, task="classification")) == ["AUC", "AP"]
    apart: dict[str, Any] = {"old": {"y_pred": LABELS["old"]}, "new": {"y_score": SCORES["new"]}}
    with pytest.raises(MetricNameError, match=r"name a metric; the usual ones \(Accuracy, MCC, AUC, AP\) are computed"):
        certus.compare(TRUTH, apart, task="classification")


def test_the_task_is_inferred_as_in_an_evaluation_or_asked_for() -> None:
    qrels = {f"q{i}": {"a": 1} for i in range(4)}
    runs = {name: {f"q{i}": {"a": 1.0, "b": float(i % 3)} for i in range(4)} for name in ("old", "new")}
    assert compared(certus.compare(qrels, runs)) == list(tasks.task("ranking").compared)
    numbers = [1.5, 2.5, 0.25, 4.0]
    assert compared(certus.compare(numbers, {"old": numbers[::-1], "new": [2.0, 2.0, 1.0, 4.0]})) == ["MAE", "R2"]
    assert compared(certus.compare(TRUTH, LABELS)) == ["Accuracy", "MCC"]


def test_a_comparison_names_its_data_as_an_evaluation_does() -> None:
    names = [list(inspect.signature(each).parameters)[:3] for each in (certus.evaluate, certus.compare)]
    assert names == [["data", "predictions", "metrics"]] * 2
    found = certus.compare(data=TRUTH, predictions=LABELS, metrics="MCC", task="classification")
    assert compared(found) == ["MCC"]


def test_columns_of_a_table_say_what_they_are_or_a_metric_is_named() -> None:
    table = pd.DataFrame({"y": TRUTH, **LABELS})
    named = {name: {"pred": name} for name in LABELS}
    assert compared(certus.compare(table, named, truth="y", task="classification")) == ["Accuracy", "MCC"]
    with pytest.raises(MetricNameError, match="name at least one metric, or say what the columns of each system are"):
        certus.compare(table, list(LABELS), truth="y", task="classification")
    with pytest.raises(MetricNameError, match="name at least one metric, or the task"):
        certus.compare(table, named, truth="y")
