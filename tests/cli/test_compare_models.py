"""``certus compare`` of files with the predictions of one model each, paired by ids."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certus
from certus.cli import app

N = 60
RNG = np.random.default_rng(3)
TRUTH = RNG.choice(["cat", "dog", "eel"], N)
CLASSES = ["cat", "dog", "eel"]
SCORES = {
    name: RNG.dirichlet([1, 1, 1], N) + (TRUTH[:, None] == CLASSES) * gain for name, gain in (("a", 0.2), ("b", 0.9))
}
SCORES = {name: scores / scores.sum(axis=1, keepdims=True) for name, scores in SCORES.items()}
GUESSED = {name: np.array(CLASSES)[scores.argmax(axis=1)] for name, scores in SCORES.items()}
USER = RNG.integers(0, 12, N)
ERROR = {name: RNG.normal(0, spread, N) for name, spread in (("a", 1.0), ("b", 0.3))}
BY_CLASS = ("--score", "cat", "--score", "dog", "--score", "eel")
PAIR = ("a.csv", "b.csv", "--id", "id")


def write(name: str, rows: Any, **changed: str) -> None:
    lines = ["id,y,cat,dog,eel,guess,user,t,p"]
    for i in rows:
        scores = ",".join(map(repr, SCORES[name][i].tolist()))
        truth = changed.get(f"s{i}", TRUTH[i])
        lines.append(f"s{i},{truth},{scores},{GUESSED[name][i]},u{USER[i]},{i},{float(i + ERROR[name][i])!r}")
    Path(f"{name}.csv").write_text("\n".join([*lines, ""]))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("a", range(N))
    write("b", RNG.permutation(N).tolist())


def compared(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert app.run(["compare", *arguments, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 3) -> str:
    assert app.run(["compare", *arguments]) == status
    out, err = capsys.readouterr()
    assert out == ""
    return str(err)


def same(found: dict[str, Any], expected: certus.comparison.Comparison) -> None:
    of_file, python_only = found["rows"][0], expected.to_dicts()[0]
    for key in ("difference", "low", "high", "p"):
        assert of_file[key] == pytest.approx(python_only[key], rel=1e-9)


@pytest.mark.parametrize("asked", [BY_CLASS, ("--score", "eel=eel", "--score", "cat=cat", "--score", "dog=dog")])
def test_probabilities_of_several_classes_are_compared_as_in_python(
    asked: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    found = compared(capsys, *PAIR, "--truth", "y", *asked, "-m", "LogLoss")
    by_model = {f"{name}.csv": {"y_score": scores} for name, scores in SCORES.items()}
    same(found, certus.compare(TRUTH, by_model, ["LogLoss"], task="classification", labels=CLASSES))


def test_labels_and_their_groups_are_compared_as_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    found = compared(capsys, *PAIR, "--truth", "y", "--pred", "guess", "--groups", "user", "-m", "Accuracy")
    by_model = {f"{name}.csv": labels for name, labels in GUESSED.items()}
    same(found, certus.compare(TRUTH, by_model, ["Accuracy"], task="classification", groups=USER))


def test_regressions_are_compared_as_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    found = compared(capsys, *PAIR, "--truth", "t", "--pred", "p", "-m", "MAE", "--task", "regression")
    by_model = {f"{name}.csv": np.arange(N) + error for name, error in ERROR.items()}
    same(found, certus.compare(np.arange(N), by_model, ["MAE"], task="regression"))


def test_the_order_of_rows_changes_no_digit(capsys: pytest.CaptureFixture[str]) -> None:
    asked = (*PAIR, "--truth", "y", "--pred", "guess", "-m", "F1(average='macro')")
    first = compared(capsys, *asked)["rows"]
    write("a", reversed(range(N)))
    write("b", range(N))
    assert compared(capsys, *asked)["rows"] == first


def test_what_only_some_files_have_is_refused_or_left_out_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    write("b", range(1, N))
    asked = (*PAIR, "--truth", "y", "--pred", "guess")
    err = refused(capsys, *asked)
    assert "a.csv:2: id 's0' is not in b.csv; predict every sample with each model, or compare" in err
    found = compared(capsys, *asked, "--ids", "intersection")
    assert found["warnings"][0]["kind"] == "unpaired-items"
    assert found["values"][0]["n"] == N - 1


def test_files_that_disagree_are_refused_with_their_lines(capsys: pytest.CaptureFixture[str]) -> None:
    asked = (*PAIR, "--truth", "y", "--pred", "guess")
    other = next(name for name in CLASSES if name != TRUTH[7])
    write("b", range(N), s7=other)
    assert "b.csv:9: --truth of id 's7' is not that of a.csv:9; models are compared" in refused(capsys, *asked)
    write("b", [*range(N), 4])
    assert "b.csv:62: id 's4' is that of b.csv:6, too; keep one" in refused(capsys, *asked)
    write("b", range(N))
    text = Path("b.csv").read_text().replace("u", "v")
    Path("b.csv").write_text(text.replace("gvess,vser", "guess,user"))
    assert "--groups of id 's0' is not that of a.csv:2" in refused(capsys, *asked, "--groups", "user")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("a.csv", "b.csv", "--truth", "y", "--pred", "guess"), "--id: with --truth of several files, name the"),
        (("a.csv", "a.csv", "--id", "id", "--truth", "y", "--pred", "guess"), "FILE: 'a.csv' is given twice"),
        (
            ("a.csv", "./a.csv", "--id", "id", "--truth", "y", "--pred", "guess"),
            "'./a.csv' is the same file as 'a.csv'",
        ),
        (
            (*PAIR, "--truth", "y", "--pred", "guess", "--lower-is-better"),
            "--lower-is-better: is for columns of values",
        ),
        ((*PAIR, "--truth", "y", "--pred", "guess", "--ids", "union", "--missing", "0"), "a file that lacks a sample"),
        ((*PAIR, "--truth", "y", "--pred", "guess", "--pred", "cat"), "--pred: give one column"),
        ((*PAIR, "--truth", "y", "--pred", "guess", "--baseline", "x"), "--baseline: 'x' is not one of the systems"),
        (("a.csv", "--id", "id", "--truth", "y", "--pred", "guess"), "--id: is for tables of several files"),
    ],
)
def test_wrong_usage_is_refused(asked: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in refused(capsys, *asked, status=2)


def test_the_gate_judges_the_others_by_a_baseline_that_is_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--id", "id", "--truth", "y", "--pred", "guess", "-m", "Accuracy", "--fail-if-worse"]
    assert app.run(["compare", "a.csv", "--baseline", "b.csv", *asked]) == 1
    assert app.run(["compare", "b.csv", "--baseline", "a.csv", *asked]) == 0
