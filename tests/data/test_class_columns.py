"""Columns of class scores belong to the classes they are named after."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import certus
from certus import DataError
from certus.classification import (
    brier,
    calibration_curve,
    expected_calibration_error,
    hinge_loss,
    log_loss,
    report,
    roc_auc,
    roc_curve,
    top_k_accuracy,
)
from certus.cli.app import run
from certus.data import ClassScores

TRUTH = ["dog", "cat", "eel", "cat", "dog", "eel"]
CLASSES = ["cat", "dog", "eel"]
PROB = np.array(
    [[0.1, 0.8, 0.1], [0.7, 0.2, 0.1], [0.2, 0.2, 0.6], [0.5, 0.3, 0.2], [0.4, 0.5, 0.1], [0.25, 0.25, 0.5]]
)
ORDERS = [[0, 1, 2], [2, 0, 1], [1, 0, 2]]
FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "record-batch": pa.record_batch,
    "narwhals": lambda columns: nw.from_native(pl.DataFrame(columns)),
}
METRICS = [log_loss, brier, expected_calibration_error, hinge_loss, top_k_accuracy.using(k=1)]
METRICS += [roc_auc.using(multi_class="ovr"), roc_auc.using(multi_class="ovo")]


def framed(kind: str, names: list[str], values: Any = PROB) -> Any:
    return FRAMES[kind]({name: values[:, position] for position, name in enumerate(names)})


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_names_decide_in_any_order_for_every_metric(kind: str, order: list[int]) -> None:
    frame = framed(kind, [CLASSES[position] for position in order], PROB[:, order])
    for metric in METRICS:
        expected = metric(TRUTH, PROB)
        assert metric(TRUTH, frame).value == expected.value
        assert metric(TRUTH, frame, labels=["eel", "cat", "dog"]).value == pytest.approx(expected.value, rel=1e-14)


def test_the_value_is_that_of_the_definition() -> None:
    frame = framed("pandas", ["eel", "cat", "dog"], PROB[:, [2, 0, 1]])
    expected = -np.mean(np.log([0.8, 0.7, 0.6, 0.5, 0.5, 0.5]))
    assert log_loss(TRUTH, frame).value == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("kind", FRAMES)
def test_names_decide_for_two_classes(kind: str) -> None:
    truth, score = [1, 0, 1, 0], np.array([0.9, 0.2, 0.6, 0.7])
    two = np.column_stack([score, 1 - score])
    frame = framed(kind, ["1", "0"], two)
    assert roc_auc(truth, frame).value == roc_auc(truth, score).value == 0.75
    assert log_loss(truth, frame).value == pytest.approx(log_loss(truth, score).value, rel=1e-15)
    assert certus.classification.report(truth, y_score=frame, metrics=["AUC"]).rows[0].value == 0.75


@pytest.mark.parametrize(
    ("truth", "names"),
    [
        ([0, 1, 2], [2, 1, 0]),
        ([0, 1, 2], ["2", "1", "0"]),
        (["0", "1", "2"], [2, 1, 0]),
        ([0, 1, 2], np.array(["2", "1", "0"])),
        ([0, 1, 2], [2.0, 1.0, 0.0]),
        (np.array(["a", "b", "c"]), [np.str_("c"), np.str_("b"), np.str_("a")]),
        (["0.5", "1", "2"], [2.0, 1.0, 0.5]),
        (pd.Categorical(["a", "b", "c"]), pd.CategoricalIndex(["c", "b", "a"])),
        (pd.to_datetime(["2026-01-01", "2026-01-02", "2026-01-03"]), pd.date_range("2026-01-01", periods=3)[::-1]),
    ],
)
def test_a_name_is_a_class_if_it_equals_it_or_is_its_text(truth: Any, names: Any) -> None:
    frame = pd.DataFrame(PROB[:3, ::-1], columns=names)
    assert ClassScores.from_arrays(truth, frame).scores.tolist() == PROB[:3].tolist()


@pytest.mark.parametrize("names", [[True, False], ["True", "False"], ["true", "false"], [1, 0], ["yes", "no"]])
def test_truth_values_name_columns(names: list[Any]) -> None:
    truth: list[Any] = [True, False] if "yes" not in names else ["yes", "no"]
    frame = pd.DataFrame([[0.9, 0.1], [0.3, 0.7]], columns=names)
    assert ClassScores.from_arrays(truth, frame, pos_label=truth[0]).scores.tolist() == [[0.1, 0.9], [0.7, 0.3]]


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame(PROB), pl.DataFrame(PROB), pd.DataFrame(PROB, columns=["0", "1", "2"]), PROB, PROB.tolist()],
    ids=["pandas", "polars", "text", "numpy", "list"],
)
def test_columns_that_are_only_numbered_are_taken_by_their_places(frame: Any) -> None:
    assert log_loss(TRUTH, frame).value == log_loss(TRUTH, PROB).value
    assert log_loss(TRUTH, frame, labels=["dog", "cat", "eel"]).value == log_loss(TRUTH, PROB[:, [1, 0, 2]]).value * 1


def test_numbers_that_pandas_gave_are_not_the_classes() -> None:
    truth = [3, 2, 1, 2]
    by_place = ClassScores.from_arrays(truth, pd.DataFrame(PROB[:4]))
    assert (by_place.classes, by_place.scores.tolist()) == ((1, 2, 3), PROB[:4].tolist())
    signed = ClassScores.from_arrays([1, -1], pd.DataFrame(PROB[:2, :2]))
    assert signed.scores.tolist() == PROB[:2, :2].tolist()


def test_names_that_are_not_the_classes_need_labels() -> None:
    frame = pd.DataFrame(PROB, columns=["p_dog", "p_cat", "p_eel"])
    match = (
        "y_prob has the columns 'p_dog', 'p_cat', 'p_eel', but the classes are 'cat', 'dog', 'eel'; name each column "
        "after its class, or list the class of each column with labels="
    )
    with pytest.raises(DataError, match=match):
        log_loss(TRUTH, frame)
    expected = log_loss(TRUTH, PROB, labels=["dog", "cat", "eel"]).value
    assert log_loss(TRUTH, frame, labels=["dog", "cat", "eel"]).value == expected


@pytest.mark.parametrize(
    ("names", "labels", "match"),
    [
        (["cat", "dog", "id"], None, "has a column 'id' and none for the class 'eel', but y_true holds the classes"),
        (["cat", "dog", "eel", "id"], None, "has a column 'id', but y_true holds the classes 'cat', 'dog', 'eel'"),
        (["cat", "dog", "eel", "id"], CLASSES, "has a column 'id', but labels holds the classes"),
        (["cat", "dog"], None, "has no column for the class 'eel'; its columns are 'cat', 'dog'; give each class one"),
        (["cat", "cat", "dog"], None, "has two columns named after the class 'cat'; give each class one column"),
        ([("m", "cat"), ("m", "dog"), ("m", "eel")], None, r"has the columns \('m', 'cat'\)"),
        ([None, float("nan"), pd.NA], None, "has the columns None, nan, <NA>, but the classes are"),
    ],
)
def test_anything_between_is_refused(names: list[Any], labels: Any, match: str) -> None:
    values = np.column_stack([PROB, PROB[:, 0]])[:, : len(names)]
    frame = pd.DataFrame(values)
    frame.columns = pd.MultiIndex.from_tuples(names) if isinstance(names[0], tuple) else pd.Index(names, dtype=object)
    with pytest.raises(DataError, match=match):
        top_k_accuracy(TRUTH, frame, k=1, labels=labels)


def test_a_class_without_samples_is_listed_by_labels() -> None:
    frame = framed("polars", ["eel", "dog", "cat"], PROB[:, [2, 1, 0]])
    few = [0, 1, 3, 4]
    truth, rows = [TRUTH[position] for position in few], frame[few]
    with pytest.raises(DataError, match=r"has a column 'eel', but y_true holds the classes 'cat', 'dog'; .*labels="):
        log_loss(truth, rows)
    assert log_loss(truth, rows, labels=CLASSES).value == log_loss(truth, PROB[few], labels=CLASSES).value


def test_numbered_columns_that_are_the_classes_in_another_order_are_refused() -> None:
    frame = pd.DataFrame(PROB)
    with pytest.raises(DataError, match="has columns numbered 0, 1, 2, but the classes are 2, 1, 0 in this order"):
        ClassScores.from_arrays([0, 1, 2, 0, 1, 2], frame, labels=[2, 1, 0])
    frame.columns = pd.Index([0, 1, 2])
    assert (
        ClassScores.from_arrays([0, 1, 2, 0, 1, 2], frame, labels=[2, 1, 0]).scores.tolist() == PROB[:, ::-1].tolist()
    )


@pytest.mark.parametrize(
    "column", [pd.Series([0.2, 0.9], name="ham"), pl.Series("ham", [0.2, 0.9])], ids=["pandas", "polars"]
)
@pytest.mark.parametrize(
    "call", [roc_auc, roc_curve, log_loss, calibration_curve, report], ids=["AUC", "ROC", "log loss", "bins", "report"]
)
def test_scores_of_the_class_that_is_not_positive_are_refused(column: Any, call: Any) -> None:
    truth = ["ham", "spam"]
    given = {"y_score": column} if call is report else {}
    match = "is named 'ham' after a class, but the positive class is 'spam'; give the scores of that class, or say pos"
    for scores in (column, column.to_frame()):
        if call is roc_curve and scores is not column:
            continue
        given = {"y_score": scores} if call is report else {}
        with pytest.raises(DataError, match=match):
            call(truth, *([] if given else [scores]), **given, pos_label="spam")
    call(truth, *([] if given else [column]), **given, pos_label="ham")


def test_a_number_names_no_single_column() -> None:
    truth, frame = [0, 1], pd.DataFrame([[0.1], [0.8]])
    assert roc_auc(truth, frame).value == roc_auc(truth, frame[0]).value == 1.0


def test_a_report_takes_columns_by_name_also_of_subgroups_and_some_labels() -> None:
    frame = framed("pandas", ["eel", "cat", "dog"], PROB[:, [2, 0, 1]])
    expected = {row.metric: row.value for row in report(TRUTH, y_score=PROB).summary}
    for labels in (None, ["cat", "dog"], ["eel", "dog", "cat"]):
        found = {row.metric: row.value for row in report(TRUTH, y_score=frame, labels=labels).summary}
        assert found == pytest.approx(expected, rel=1e-14, nan_ok=True)
    by = ["u", "u", "v", "v", "u", "v"]
    parts = [(row.group, row.value) for row in report(TRUTH, y_score=frame, metrics="LogLoss", by=by).rows]
    first = [position for position, part in enumerate(by) if part == "u"]
    alone = log_loss([TRUTH[position] for position in first], PROB[first], labels=CLASSES).value
    assert parts[0][0] == "u"
    assert parts[0][1] == pytest.approx(alone, rel=1e-15)


def test_systems_are_compared_by_the_names_of_their_columns() -> None:
    other = np.roll(PROB, 1, axis=0) * 0.5 + PROB * 0.5
    systems = {"a": PROB, "b": other}
    frames = {
        "a": framed("pandas", ["dog", "cat", "eel"], PROB[:, [1, 0, 2]]),
        "b": framed("polars", ["eel", "dog", "cat"], other[:, [2, 1, 0]]),
    }
    expected, found = (
        certus.compare(TRUTH, each, "LogLoss", task="classification").rows[0] for each in (systems, frames)
    )
    assert (found.difference, found.p) == (expected.difference, expected.p)


def test_a_scorer_takes_the_columns_that_an_estimator_names() -> None:
    class Named:
        classes_ = np.array(CLASSES)

        def predict_proba(self, rows: Any) -> Any:
            return framed("pandas", ["dog", "eel", "cat"], PROB[:, [1, 2, 0]])

    assert certus.scorer("log_loss")(Named(), PROB, TRUTH) == -log_loss(TRUTH, PROB).value


def test_labels_without_an_order_are_ordered_by_the_columns() -> None:
    truth = [("a", 1), ("a", "x"), ("a", 1)]  # tuples that do not compare
    frame = pd.DataFrame(PROB[:3, :2])
    frame.columns = pd.Index([("a", "x"), ("a", 1)], tupleize_cols=False)
    objects = np.empty(3, dtype=object)
    objects[:] = truth
    assert ClassScores.from_arrays(objects, frame).classes == (("a", "x"), ("a", 1))


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_python_and_the_command_line_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: list[int]
) -> None:
    names = [CLASSES[position] for position in order]
    frame = pd.DataFrame(PROB[:, order], columns=names)
    path = tmp_path / "p.csv"
    frame.assign(truth=TRUTH).to_csv(path, index=False)
    scores = [part for name in names for part in ("--score", name)]
    assert (
        run(
            [
                "evaluate",
                "--task",
                "classification",
                str(path),
                "--truth",
                "truth",
                *scores,
                "-m",
                "LogLoss",
                "--format",
                "csv",
            ]
        )
        == 0
    )
    value = float(capsys.readouterr().out.splitlines()[1].split(",")[2])
    assert value == pytest.approx(log_loss(TRUTH, frame).value, rel=1e-12)


@pytest.mark.parametrize(
    "command",
    [["evaluate", "--task", "classification", "--score", "ham"], ["compare", "--score", "ham", "--score", "b"]],
    ids=str,
)
def test_the_command_line_refuses_scores_of_the_class_that_is_not_positive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    path = tmp_path / "p.csv"
    path.write_text("truth,ham,b\nham,0.9,1\nspam,0.2,0\n")
    called = [command[0], str(path), "--truth", "truth", *command[1:], "--positive", "spam", "-m", "AUC"]
    assert run(called) == 3
    assert "named 'ham' after a class, but the positive class is 'spam'" in capsys.readouterr().err
