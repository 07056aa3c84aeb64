"""``certus evaluate --counts``: a confusion matrix as it is printed."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import caller

import certus
from certus.data import Labels

call = caller("evaluate")


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    status, out, err = call(capsys, *arguments, "--format", "json")
    assert status == 0, err
    found: list[dict[str, Any]] = json.loads(out)["rows"]
    return found


@pytest.mark.parametrize("text", ["15,10;5,20", "15, 10; 5, 20;", "15 10\n5 20\n", "0=15,10;1=5,20"])
def test_the_table_is_read_as_printed(capsys: pytest.CaptureFixture[str], text: str) -> None:
    more = ["--positive", "1"] if "=" in text else []
    found = {row["metric"]: row for row in rows(capsys, "--counts", text, "-m", "accuracy", "-m", "F1", *more)}
    labels = Labels.from_counts([[15, 10], [5, 20]])
    for name, metric in (("Accuracy", certus.classification.accuracy), ("F1", certus.classification.f1)):
        expected = metric(labels)
        assert (found[name]["value"], found[name]["low"]) == (expected.value, expected.interval().low)


def test_it_is_the_report_of_the_samples(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = [("cat", "cat", 3), ("cat", "dog", 1), ("dog", "cat", 0), ("dog", "dog", 4)]
    file = tmp_path / "samples.csv"
    lines = [f"{true},{predicted}\n" for true, predicted, count in table for _ in range(count)]
    file.write_text("truth,predicted\n" + "".join(lines))
    of_file = rows(capsys, str(file), "--truth", "truth", "--pred", "predicted", "--task", "classification")
    of_counts = rows(capsys, "--counts", "cat=3,1;dog=0,4")
    assert [{**row, "run": ""} for row in of_file] == [{**row, "run": ""} for row in of_counts]
    assert len(of_counts) > 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--counts", "15,10;5"), "2 rows of 2 and 1 counts; give a row and a column for each class"),
        (("--counts", "15"), "1 row of 1 count; give a row"),
        (("--counts", "1,2,3,4"), "1 row of 4 counts; give a row and a column for each class"),
        (("--counts", ""), "0 rows of no counts"),
        (("--counts", "1,2;3,-4"), "found '-4'; a count is a whole number"),
        (("--counts", "1,2;3,4.5"), "found '4.5'; a count is a whole number"),
        (("--counts", "1,2;3,"), "found ''; a count is a whole number"),
        (("--counts", "0,0;0,0"), "the counts sum to 0"),
        (("--counts", "99999999,0;0,1"), "the counts sum to 100000000; give between 1 and 10,000,000 samples"),
        (("--counts", "a=1,2;3,4"), "name every row or none"),
        (("--counts", "a=1,2;a=3,4"), "two rows have one name"),
        (("--counts", "1,2;3,4", "--truth", "x"), "--truth: it needs single samples; counts have none"),
        (("--counts", "1,2;3,4", "--by", "x"), "--by: it needs single samples"),
        (("--counts", "1,2;3,4", "--groups", "x"), "--groups: it needs single samples"),
        (("--counts", "1,2;3,4", "--task", "regression"), "it does not apply to regression"),
        (("file.csv", "--counts", "1,2;3,4"), "a file was given, too (file.csv); give one of them"),
        ((), "no file was given; give one, or --counts"),
    ],
)
def test_what_is_no_table_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("metric", ["AP", "AUC", "Brier", "LogLoss"])
def test_counts_are_no_scores(capsys: pytest.CaptureFixture[str], metric: str) -> None:
    status, out, err = call(capsys, "--counts", "15,10;5,20", "-m", metric)
    assert (status, out) == (2, "")
    assert f"{metric}: it is computed from --score" in err


def test_a_class_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "--counts", "cat=1,2;dog=3,4", "--positive", "dgo", "-m", "F1")
    assert status == 3
    assert "--positive is 'dgo', but the labels are 'cat', 'dog'; did you mean 'dog'?" in err


def test_the_matrix_itself_is_printed_and_drawn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, _ = call(capsys, "--counts", "15,10;5,20", "--confusion")
    assert status == 0
    assert [line.split() for line in out.splitlines()[-2:]] == [["0", "15", "10"], ["1", "5", "20"]]
    status, out, _ = call(capsys, "--counts", "15,10;5,20", "--confusion", "--format", "json", "--level", "0.9")
    cells = json.loads(out)
    assert [(cell["true"], cell["predicted"], cell["count"], cell["share"]) for cell in cells] == [
        ("0", "0", 15, 0.6),
        ("0", "1", 10, 0.4),
        ("1", "0", 5, 0.2),
        ("1", "1", 20, 0.8),
    ]
    matrix = certus.classification.confusion_matrix(Labels.from_counts([[15, 10], [5, 20]]), normalize="true")
    low, high = matrix.interval(0.9)
    assert [(cell["low"], cell["high"]) for cell in cells] == list(zip(low.ravel(), high.ravel(), strict=True))
    assert call(capsys, "--counts", "15,10;5,20", "--confusion", "-o", "cells.csv")[0] == 0
    assert Path("cells.csv").read_text().splitlines()[0] == "system,true,predicted,count,share,low,high"
    assert call(capsys, "--counts", "15,10;5,20", "--plot", "cells.svg", "--picture", "confusion")[0] == 0
    assert "Predicted class" in Path("cells.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "F1"), "-m: cannot be combined with --confusion"),
        (("--chance",), "--chance: cannot be combined with --confusion"),
        (("--format", "latex"), "--confusion: is written as text, json, csv, not as latex"),
    ],
)
def test_a_matrix_has_no_metrics(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    status, _, err = call(capsys, "--counts", "15,10;5,20", "--confusion", *arguments)
    assert status == 2
    assert message in err
