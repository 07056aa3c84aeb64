"""A task is declared once: one package of somebody else's works in all that certus does."""

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from insides import forget_metrics, forget_tasks

import certus
from certus import tasks
from certus.cli import app
from certus.entry._evaluate import report_of
from certus.inference import mean_interval
from certus.metrics import declared

OBSERVED = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
LOWER = [0.5, 1.5, 3.5, 3.0, 4.0, 6.5, 6.0, 7.0]
UPPER = [2.0, 2.5, 4.0, 5.0, 5.5, 7.0, 7.5, 9.0]
WIDE_LOWER, WIDE_UPPER = [each - 1.5 for each in OBSERVED], [each + 1.25 + 0.1 * each for each in OBSERVED]
SYSTEMS = {"sharp": {"lower": LOWER, "upper": UPPER}, "wide": {"lower": WIDE_LOWER, "upper": WIDE_UPPER}}
SCORES = [
    1.5, 1.0, 0.5 + 20 * 0.5, 2.0, 1.5, 0.5 + 20 * 0.5, 1.5, 2.0
]  # width + 2 / 0.1 times what lies outside  # fmt: skip


@pytest.fixture(autouse=True)
def forecasts(monkeypatch: pytest.MonkeyPatch) -> Iterator[tasks.Task]:
    """The task, known for the time of a test."""
    forget_tasks(monkeypatch)
    forget_metrics(monkeypatch, "forecasts")
    import interval_forecasts

    yield tasks.register(interval_forecasts.TASK)
    for name in [name for name in sys.modules if name.startswith("interval_forecasts")]:
        del sys.modules[name]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    rows = zip(OBSERVED, LOWER, UPPER, WIDE_LOWER, WIDE_UPPER, strict=True)
    text = "y,lo,hi,wide_lo,wide_hi,g\n" + "".join(
        f"{','.join(map(str, row))},{i // 2}\n" for i, row in enumerate(rows)
    )
    (tmp_path / "t.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    return "t.csv"


def test_its_metrics_are_functions_of_its_columns() -> None:
    score = certus.parse("IntervalScore@0.9", task="forecasts")
    estimate = score(OBSERVED, LOWER, UPPER)
    assert estimate.value == pytest.approx(np.mean(SCORES), rel=1e-12)
    assert tuple(estimate.interval()) == pytest.approx(tuple(mean_interval(SCORES, bounds=(0, np.inf))), rel=1e-12)
    assert list(inspect.signature(score).parameters) == ["y_true", "lower", "upper", "level", "sample_weight", "groups"]
    assert score(OBSERVED, LOWER, UPPER, groups=[0, 0, 1, 1, 2, 2, 3, 3]).n == 4
    with pytest.raises(certus.DataError, match=r"^lower is 4 at index 0; it is above upper"):
        score(OBSERVED, [4.0] * 8, UPPER)


def test_evaluate_and_report_infer_it_from_the_names_of_its_columns() -> None:
    found = certus.evaluate(OBSERVED, SYSTEMS)
    assert [(row.run, row.metric) for row in found.rows] == [
        (system, metric) for system in ("sharp", "wide") for metric in ("Inside", "IntervalScore@0.9")
    ]
    assert found.rows[0].value == 6 / 8
    assert found.signature["task"] == "forecasts"
    alone = certus.report(OBSERVED, lower=LOWER, upper=UPPER, name="sharp")
    assert alone.rows == found.rows[:2]
    parts = certus.report(OBSERVED, SYSTEMS["sharp"], by=list("aabbaabb"))
    assert parts.rows[0].value == 3 / 4
    assert {row.among for row in parts.rows} == {None, "largest gap", "worst subgroup"}
    with pytest.raises(certus.DataError, match="forecasts takes lower and upper of each system; give them by name"):
        certus.evaluate(OBSERVED, LOWER, task="forecasts")
    own = report_of(tasks.task("forecasts"))
    assert own(OBSERVED, LOWER, UPPER, ["Inside"], name="sharp").rows == found.rows[:1]


def test_systems_are_compared_sample_by_sample() -> None:
    (row,) = certus.compare(OBSERVED, SYSTEMS, "IntervalScore@0.9", task="forecasts")
    widths = [2.75 + 0.1 * each for each in OBSERVED]
    (expected,) = certus.comparison.compare_values(
        {"sharp": SCORES, "wide": widths}, "IntervalScore@0.9", better="lower", value_range=(0, np.inf)
    )
    assert (row.difference, row.p, row.low, row.high) == pytest.approx(
        (expected.difference, expected.p, expected.low, expected.high), rel=1e-12
    )
    assert row.verdict == expected.verdict


def test_the_command_line_has_its_options(
    table: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # as in a process of its own, where only the plugin declares the task
    forget_tasks(monkeypatch, "forecasts")
    for name in [name for name in sys.modules if name.startswith("interval_forecasts")]:
        monkeypatch.delitem(sys.modules, name)
    plugin = ("--plugin", "interval_forecasts", "--format", "json")
    assert app.run(["evaluate", table, "--truth", "y", "--lower", "lo", "--upper", "hi", *plugin]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert (rows[0]["metric"], rows[0]["value"]) == ("Inside", 0.75)
    both = ("--lower", "lo", "--upper", "hi", "--lower", "wide_lo", "--upper", "wide_hi")
    assert app.run(["compare", table, "--truth", "y", *both, *plugin]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["metric"], row["system"], row["baseline"]) == ("IntervalScore@0.9", "wide_lo", "lo")
    assert app.run(["metrics", "--task", "forecasts", *plugin[:2]]) == 0
    listed = capsys.readouterr().out
    assert "Share of observations inside their interval." in listed
    assert app.run(["metrics", "Inside", *plugin[:2]]) == 0
    assert "Gneiting & Raftery (2007)" in capsys.readouterr().out
    missing = ["evaluate", table, "--truth", "y", "--lower", "lo", "--task", "forecasts", *plugin]
    assert app.run(missing) == 2
    assert "forecasts needs --truth and --lower and --upper" in capsys.readouterr().err


def test_only_tasks_of_estimators_have_scorers() -> None:
    with pytest.raises(certus.MetricNameError, match="scored by metrics of classification"):
        certus.scorer(declared("forecasts")[0])


@pytest.mark.parametrize("name", tasks.names())
def test_what_a_task_declares_is_there(name: str) -> None:
    task = tasks.task(name)
    known = {metric.name for metric in declared(name)}
    for text in (*task.usual, *task.compared):
        assert certus.parse(text, task=name).name in known
    arguments = {each for metric in declared(name) for each in metric.arguments}
    assert arguments <= {alias for each in task.data for alias in each.names}
    assert {each for way in task.needs for each in way} <= {each.name for each in task.data}
    options = [each.option for each in (*task.data, *task.conventions) if each.option]
    assert len(set(options)) == len(options)


def test_a_call_that_may_be_of_several_tasks_asks_for_one_where_the_values_do_not_decide() -> None:
    with pytest.raises(certus.MetricNameError, match="say which: task='classification' for labels or scores, task="):
        certus.evaluate([1, 0, 1], [1.5, 1, 0])
    assert certus.evaluate([1, 0, 1], [1, 1, 0]).signature["task"] == "classification"
    assert certus.evaluate([1, 0, 1], [1, 1, 0], "MAE").signature["task"] == "regression"
    assert certus.evaluate(["a", "b"], ["a", "a"]).signature["task"] == "classification"
    assert certus.evaluate([0.5, 1.5], [1, 1]).signature["task"] == "regression"
    assert certus.evaluate([1, 0, 1], [1, 1, 0], certus.clustering.rand).signature["task"] == "clustering"
    assert certus.evaluate([0.5, 0.25]).signature["task"] == "values"
    assert certus.evaluate([True, False]).signature["task"] == "values"
    assert certus.evaluate([0.5, 0.25], metrics="MeanLatency").signature["task"] == "efficiency"
    assert certus.evaluate([0.5, 0.25], units="ms").signature["task"] == "efficiency"
    assert certus.evaluate(timings=[0.5, 0.25]).signature["task"] == "efficiency"
    by_name = certus.evaluate(labels_true=[0, 0, 1, 1], labels_pred=[0, 1, 2, 2], X=[[0], [1], [5], [6]])
    assert {row.metric for row in by_name.rows} >= {"Rand", "Silhouette"}
    assert certus.evaluate([[1, 0], [0, 1]], [[1, 0], [1, 1]], "Jaccard").signature["task"] == "multilabel"
    with pytest.raises(TypeError, match="no task takes the argument 'pos_lable'; did you mean 'pos_label'"):
        certus.evaluate([1, 0], [1, 0], pos_lable=1)
    with pytest.raises(TypeError, match=r"regression does not take 'pos_label'"):
        certus.evaluate([0.5, 1.5], [1, 1], task="regression", pos_label=1)


def test_labels_and_scores_of_several_classifiers_are_evaluated_together() -> None:
    truth, labels, scores = [1, 0, 1, 0, 1], [1, 0, 0, 0, 1], [0.9, 0.4, 0.5, 0.1, 0.8]
    systems = {"both": {"y_pred": labels, "y_score": scores}, "scores": {"y_score": scores[::-1]}, "labels": labels}
    table = certus.report(truth, systems, task="classification")
    alone = certus.classification.report(truth, labels, scores, name="both")
    assert [row for row in table.rows if row.run == "both"] == list(alone.rows)
    assert {row.metric for row in table.rows if row.run == "scores"} == {"AUC", "AP", "LogLoss", "Brier", "ECE"}
    assert "Accuracy" in {row.metric for row in table.rows if row.run == "labels"}
    assert table.signature["said"][0] == "5 samples"


def test_every_task_of_samples_has_a_report_of_its_own_arguments() -> None:
    reports = {
        "multilabel": certus.multilabel.report([[1, 0], [0, 1], [1, 1]], [[1, 0], [1, 1], [1, 1]], metrics=["Jaccard"]),
        "regression": certus.regression.report([1, 2, 4], [1, 3, 4], ["MAE"], sample_weight=[1, 2, 1]),
        "clustering": certus.clustering.report(list("aabb"), [1, 1, 2, 1], metrics="ARI"),
        "efficiency": certus.efficiency.report([12, 15, 11], units="ms", metrics=["MeanLatency"]),
        "values": certus.values.report([1, 0, 1], groups=["a", "b", "b"]),
    }
    assert {name: table.signature["task"] for name, table in reports.items()} == {name: name for name in reports}
    for name, (value, said) in {
        "multilabel": (5 / 6, "3 samples"),
        "regression": (2 / 4, "3 samples of total weight 4"),
        "efficiency": (38 / 3, "3 requests in ms"),
        "values": (2 / 3, "3 items in 2 groups"),
    }.items():
        assert reports[name].rows[0].value == pytest.approx(value, rel=1e-15)
        assert reports[name].signature["said"] == [said]
    with pytest.raises(certus.MetricNameError, match="items is given, but nothing here counts items: MeanLatency"):
        certus.efficiency.report([12, 15, 11], metrics=["MeanLatency"], items=[1, 2, 1])
    with pytest.raises(certus.MetricNameError, match="average is 'macro', but no metric here leaves a choice: MAE"):
        certus.regression.report([1, 2], [1, 2], ["MAE"], average="macro")
    with pytest.raises(certus.DataError, match="Silhouette: it is computed from X and labels, not all of which"):
        certus.clustering.report([0, 0, 1], [0, 1, 1], metrics=["Silhouette"])


def test_runs_are_evaluated_by_name_and_refuse_what_is_for_samples() -> None:
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}}
    table = certus.report(qrels, {"mine": run, "yours": run})
    usual = tasks.task("ranking").usual
    assert [(row.run, row.metric) for row in table.rows] == [
        (name, each) for name in ("mine", "yours") for each in usual
    ]
    assert certus.evaluate(qrels=qrels, runs=run, metrics="RR").rows[0].value == 0.75
    assert certus.evaluate(qrels, run, "RR", name="mine").rows[0].run == "mine"
    with pytest.raises(certus.MetricNameError, match="by tells samples apart"):
        certus.evaluate(qrels, run, "RR", by=[1, 2])
    with pytest.raises(certus.MetricNameError, match="per_query is for queries, but regression has none"):
        certus.evaluate([1.5, 2], [1, 2], "MAE", per_query=True)
    with pytest.raises(certus.DataError, match="qrels is given twice"):
        certus.evaluate(qrels, run, "RR", task="ranking", qrels=qrels)
