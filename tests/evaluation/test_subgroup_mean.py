"""The mean over subgroups in the table of an evaluation, however the data come in."""

import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certus
from certus import DataError, MetricNameError
from certus.cli import app
from certus.table import Row

pd = pytest.importorskip("pandas")
N = 400
KINDS = ["random", "random-weighted", "fixed", "fixed-weighted"]


def columns() -> dict[str, Any]:
    rng = np.random.default_rng(12)
    truth = rng.integers(0, 2, N)
    score = np.clip(np.round(0.3 * truth + 0.6 * rng.random(N), 2), 0.01, 0.99)
    return {"y": truth, "p": score, "guess": (score > 0.5).astype(int), "user": rng.choice(list("abcdefg"), N)}


def means(table: Any) -> list[Row]:
    return [row for row in table if row.among is not None and "mean" in row.among]


def cells(table: Any) -> list[dict[str, Any]]:
    return [row.to_dict() for row in means(table)]


def alike(table: Any, kind: str) -> list[dict[str, Any]]:
    # The order of rows changes the standard error of a subgroup in the last digit, where it is a sum of products.
    reach = 1e-12 if kind.startswith("fixed") else 0.0
    return [
        {
            **row,
            "low": pytest.approx(row["low"], rel=reach, abs=0.0),
            "high": pytest.approx(row["high"], rel=reach, abs=0.0),
        }
        for row in cells(table)
    ]


def evaluated(kind: Any, index: Any = slice(None), **more: Any) -> Any:
    data = {name: column[index] for name, column in columns().items()}
    told: dict[str, Any] = {"metrics": ["Accuracy", "AUC", "LogLoss"], "task": "classification", **more}
    return certus.evaluate(
        data["y"], y_pred=data["guess"], y_score=data["p"], by=data["user"], subgroup_mean=kind, **told
    )


def test_the_mean_is_that_of_the_rows_of_subgroups() -> None:
    sizes = np.unique(columns()["user"], return_counts=True)[1]
    for kind in KINDS:
        table = evaluated(kind)
        for row in means(table):
            values = [each.value for each in table if each.group is not None and each.metric == row.metric]
            weights = sizes if kind.endswith("weighted") else np.ones(7)
            assert math.isclose(row.value, np.average(values, weights=weights), rel_tol=1e-14)
            assert (row.n, row.unit, row.subgroup, row.reason) == (7, "subgroup", None, "")
            assert row.among is not None
            assert kind.partition("-")[0] in row.among
            assert ("weighted" in row.among) == kind.endswith("weighted")
            assert row.low is not None
            assert row.high is not None
            assert row.low < row.value < row.high


def test_accuracy_weighted_by_samples_is_that_of_all_samples_and_its_error_that_of_strata() -> None:
    data = columns()
    row = means(evaluated("fixed-weighted", metrics=["Accuracy"]))[0]
    right = data["y"] == data["guess"]
    assert row.value == right.mean()
    sizes = np.unique(data["user"], return_counts=True)[1]
    shares = np.array([right[data["user"] == user].mean() for user in "abcdefg"])
    error = math.sqrt((sizes**2 * shares * (1 - shares) / (sizes - 1)).sum()) / N
    assert row.high is not None
    assert row.low is not None
    assert math.isclose(row.high - row.low, 2 * 1.96 * error, rel_tol=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_every_way_in_and_every_order_gives_the_same_bits(
    kind: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = evaluated(kind)
    order = np.random.default_rng(3).permutation(N)
    assert cells(evaluated(kind, order)) == alike(expected, kind)
    frame = pd.DataFrame(columns()).iloc[order]
    told: dict[str, Any] = {"truth": "y", "pred": "guess", "score": "p", "by": "user", "subgroup_mean": kind}
    metrics = ["Accuracy", "AUC", "LogLoss"]
    assert cells(certus.evaluate(frame, metrics=metrics, **told)) == alike(expected, kind)
    batches = iter([frame.iloc[:100], frame.iloc[100:]])
    assert cells(certus.evaluate(batches, metrics=metrics, **told)) == alike(expected, kind)
    one, other = (certus.State(metrics) for _ in range(2))
    names = {"truth": "y", "pred": "guess", "score": "p", "by": "user"}
    one.update(frame.iloc[:7], **names)
    other.update(frame.iloc[7:], **names)
    assert cells(one.merge(other).evaluate(subgroup_mean=kind)) == alike(expected, kind)
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for position, file in enumerate(files):
        frame.iloc[position::2].to_csv(file, index=False)
    whole = tmp_path / "all.csv"
    frame.to_csv(whole, index=False)
    for given in ([whole], files):
        asked = ["--truth", "y", "--pred", "guess", "--score", "p", "--by", "user", "--subgroup-mean", kind]
        asked += [part for metric in metrics for part in ("-m", metric)]
        assert app.run(["evaluate", *map(str, given), *asked, "--format", "json"]) == 0
        told_of_rows = [
            row for row in json.loads(capsys.readouterr().out)["rows"] if "mean" in (row.get("among") or "")
        ]
        assert [(row["value"], row["low"], row["high"], row["among"]) for row in told_of_rows] == [
            (row["value"], row["low"], row["high"], row["among"]) for row in alike(expected, kind)
        ]


def test_the_convention_stands_in_every_output() -> None:
    table = evaluated("random")
    text = str(table)
    assert "mean of random subgroups\n" in text
    assert "each counts the same" in text
    again = certus.Table.from_json(table.to_json())
    assert again.signature["subgroup_mean"] == "random"
    assert cells(again) == cells(table)
    assert str(again) == text
    frame = pd.read_csv(io.StringIO(table.to_csv()))
    assert (frame.among == "mean of random subgroups").sum() == 3
    assert "subgroup_mean" not in evaluated(None).signature
    assert not means(evaluated(None))


def test_subgroups_of_one_class_are_never_dropped_in_silence() -> None:
    data = columns()
    truth = np.where(data["user"] == "c", 1, data["y"])

    def auc(**more: Any) -> Any:
        return certus.evaluate(truth, y_score=data["p"], metrics="AUC", by=data["user"], subgroup_mean="random", **more)

    row = means(auc())[0]
    assert math.isnan(row.value)
    assert row.reason == "1 of 7 subgroups has no value"
    table = auc(undefined="skip")
    row = means(table)[0]
    values = [each.value for each in table if each.group is not None and each.value == each.value]
    assert (row.n, len(values), row.reason) == (6, 6, "left out: 1 of 7 subgroups has no value")
    assert math.isclose(row.value, float(np.mean(values)), rel_tol=1e-15)
    assert "left out: 1 of 7 subgroups has no value" in " ".join(str(table).split())
    assert "subgroups without a value are left out of their mean" in table.signature["said"]
    assert math.isclose(means(auc(undefined=0.5))[0].value, (sum(values) + 0.5) / 7, rel_tol=1e-15)
    by_name = certus.evaluate(
        truth, y_score=data["p"], metrics="AUC(undefined='skip')", by=data["user"], subgroup_mean="random"
    )
    assert means(by_name)[0].value == row.value


def test_a_metric_without_a_choice_of_its_own_can_skip_subgroups() -> None:
    data = [1.0, 2.0, 4.0, 3.0, 3.0, 3.0, 1.0, 5.0, 2.0]
    told: dict[str, Any] = {"metrics": "Pearson", "by": list("aaabbbccc"), "task": "regression"}
    guess = [1.0, 2.5, 3.0, 1.0, 2.0, 3.0, 2.0, 4.0, 1.0]
    found = certus.evaluate(data, guess, subgroup_mean="random", undefined="skip", **told)
    assert means(found)[0].n == 2
    with pytest.raises(MetricNameError, match="no metric here leaves a choice"):
        certus.evaluate(data, guess, undefined="skip", **told)


def test_classes_have_means_of_their_own() -> None:
    table = evaluated("fixed", metrics=["Recall(average=None)"])
    assert [row.label for row in means(table)] == ["0", "1"]


def test_weights_of_samples_weight_their_subgroups() -> None:
    data = columns()
    weights = np.random.default_rng(4).integers(1, 5, N).astype(float)
    table = evaluated("random-weighted", metrics=["Accuracy"], sample_weight=weights)
    right = data["y"] == data["guess"]
    assert math.isclose(means(table)[0].value, np.average(right, weights=weights), rel_tol=1e-14)


def test_groups_within_subgroups_are_honoured_and_across_them_refused() -> None:
    users = columns()["user"]
    inside = [f"{user}{position % 5}" for position, user in enumerate(users)]
    plain, grouped = (means(evaluated("fixed", metrics=["Accuracy"], **told))[0] for told in ({}, {"groups": inside}))
    assert grouped.value == plain.value
    assert grouped.low != plain.low
    across = [position % 50 for position in range(N)]
    with pytest.raises(MetricNameError, match="subgroup_mean is for independent subgroups, but the subgroups share 50"):
        evaluated("random", groups=across)


def test_a_mean_without_subgroups_or_of_another_name_is_refused() -> None:
    with pytest.raises(MetricNameError, match="subgroup_mean needs subgroups; give by"):
        certus.evaluate([1, 0], y_pred=[1, 1], metrics="Accuracy", subgroup_mean="random")
    wrong: Any = "macro"
    with pytest.raises(MetricNameError, match="subgroup_mean is 'macro'; it must be one of"):
        evaluated(wrong)
    with pytest.raises((MetricNameError, DataError)):
        certus.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, "AP", by=["a"], subgroup_mean="random")
    state = certus.State("Accuracy")
    state.update([1, 0], pred=[1, 1])
    with pytest.raises(MetricNameError, match="give by"):
        state.evaluate(subgroup_mean="fixed")


def test_a_method_that_is_asked_for_is_that_of_the_mean() -> None:
    row = means(evaluated("random", metrics=["LogLoss"], interval="percentile"))[0]
    assert row.method == "percentile"
    # The mean of values has no DeLong limits; it keeps its default.
    row = means(evaluated("random", metrics=["AUC"], interval="delong"))[0]
    assert row.method in ("t", "beta-moments")


def test_reports_of_a_task_and_of_a_classifier_have_the_mean() -> None:
    data = columns()
    found = certus.classification.report(data["y"], data["guess"], by=data["user"], subgroup_mean="random")
    assert {row.metric for row in means(found)} >= {"Accuracy", "F1"}
    found = certus.regression.report(data["p"], data["p"] ** 2, by=data["user"], subgroup_mean="fixed")
    assert {row.metric for row in means(found)} >= {"MAE", "RMSE"}
