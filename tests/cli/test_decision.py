"""``--budget Q`` and ``--threshold T``: the first Q items, or those of at least T, are called positive."""

import json
from pathlib import Path

import pytest

from certus.classification import at_budget, at_threshold, f1
from certus.cli.app import run

TRUTH, SCORES = [1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = zip(TRUTH, SCORES, strict=True)
    Path("scores.csv").write_text("y,s,w\n" + "".join(f"{y},{s},1\n" for y, s in rows))
    Path("qrels").write_text("".join(f"q 0 {doc} 1\n" for doc in "abd"))
    Path("run").write_text("".join(f"q Q0 {doc} {i} {9 - i} r\n" for i, doc in enumerate("abcdefgh", 1)))


@pytest.mark.parametrize("files", [["scores.csv", "--truth", "y", "--score", "s"], ["qrels", "run"]])
def test_the_first_items_are_called_positive(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--budget", "4", "-m", "Precision", "-m", "Recall", "-m", "F1", "--format", "json"]
    assert run(["evaluate", *files, *asked]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["value"] for row in found["rows"]] == [0.75, 1.0, pytest.approx(6 / 7)]
    own = f1(at_budget(TRUTH, SCORES, budget=4))
    assert (found["rows"][2]["low"], found["rows"][2]["high"]) == (own.low, own.high)
    assert found["signature"]["columns"]["budget"] == ["4"]
    assert len(found["signature"]["inputs"]) == len([each for each in files if each in ("scores.csv", "qrels", "run")])


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("qrels run run --budget 3", 2, "2 runs were given; give one"),
        ("qrels run --budget 3 --truth y", 2, "--budget --truth: does not apply to rows that are read in batches"),
        ("qrels run --budget 3 --ties average", 2, "--ties: it cannot be combined with --budget"),
        ("scores.csv --budget 3", 2, "give qrels and a run; or a table, --truth and --score"),
        ("scores.csv --truth y --score s --threshold 3,x", 2, "'x' is not a number"),
        ("scores.csv --truth y --score s --budget 3 -m AUC", 2, "AUC is computed from scores, but a budget leaves"),
        ("scores.csv --truth y --score s --budget 3 --threshold 2", 2, "--threshold does not go with --budget"),
        ("scores.csv --truth y --score s --budget 3 --task regression", 2, "it does not apply to regression"),
        ("scores.csv --truth y --score s --budget 9", 3, "scores.csv: --budget is 9, but there are 8 samples"),
        ("scores.csv --truth y --score w --budget 3", 3, "8 samples have the score 1 of the last one"),
        ("--counts 1,2;3,4 --budget 3", 2, "--budget: it needs single samples; counts have none"),
        ("qrels run --budget 0", 3, "--budget is 0; it must be at least 1"),
    ],
)
def test_what_has_no_meaning_is_refused(
    line: str, status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate", *line.split()]) == status
    assert message in " ".join(capsys.readouterr().err.split())


def test_several_thresholds_have_a_row_each(capsys: pytest.CaptureFixture[str]) -> None:
    line = "scores.csv --truth y --score s --threshold 7,5 --threshold 2 -m Recall --format json"
    assert run(["evaluate", *line.split()]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["run"], row["value"]) for row in rows] == [
        ("scores.csv at threshold 7", 2 / 3),
        ("scores.csv at threshold 5", 1.0),
        ("scores.csv at threshold 2", 1.0),
    ]


def test_batches_and_states_have_a_threshold(capsys: pytest.CaptureFixture[str]) -> None:
    line = "scores.csv --truth y --score s --threshold 5 -m F1 --format json --save-state f1.state"
    assert run(["evaluate", *line.split()]) == 0
    first = json.loads(capsys.readouterr().out)["rows"]
    assert run(["evaluate", "--state", "f1.state", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == first
    assert first[0]["value"] == f1(at_threshold(TRUTH, SCORES, threshold=5)).value


def test_columns_are_compared_at_a_threshold(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "scores.csv", "--truth", "y", "--score", "s", "--score", "w", "--threshold", "5"]) == 0
    assert "scores of at least 5 are predicted positive" in capsys.readouterr().out
    assert run(["compare", "scores.csv", "--truth", "y", "--score", "s", "--threshold", "5,7", "-m", "F1"]) == 0
    assert "s at threshold 7" in capsys.readouterr().out


@pytest.mark.parametrize("files", [["scores.csv", "--truth", "y", "--score", "s"], ["qrels", "run"]])
def test_the_confusion_matrix_of_a_budget_is_drawn(files: list[str]) -> None:
    assert run(["evaluate", *files, "--budget", "3", "--plot", "cells.svg", "--picture", "confusion"]) == 0
    assert "Predicted class" in Path("cells.svg").read_text()
