"""``certus evaluate`` of classifiers: what it prints, what each option does, and what it says of wrong input."""

import contextlib
import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from commands import BINARY, CLASSIFIED, caller, in_folder
from insides import forget_metrics

from certus.classification import report

DEMO = Path(__file__).parents[2] / "src" / "certus" / "demo" / "predictions.csv"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch, CLASSIFIED)


call = caller("evaluate", "--task", "classification")


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    status, out, err = call(capsys, *arguments, "--format", "json")
    assert (status, err) == (0, "")
    found: list[dict[str, object]] = json.loads(out)["rows"]
    return found


def test_the_whole_report(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, str(DEMO), "--truth", "truth", "--pred", "prediction", "--score", "type=score")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "predictions.csv"
    assert lines[2].split() == ["metric", "value", "95%", "interval", "n"]
    assert [line.split()[0] for line in lines[3:12]] == [
        *("Accuracy", "BalancedAccuracy", "MCC", "kappa", "AUC", "AP", "LogLoss", "Brier", "ECE")
    ]
    assert lines[3] == "Accuracy          0.8147  [0.7942, 0.8335]  1500"
    assert lines[13].split() == ["class", "Precision", "Recall", "F1", "Support"]
    assert [line.split()[0] for line in lines[14:18]] == ["function", "type", "macro", "weighted"]
    assert "1500 samples" in lines
    assert "scores lie between 0 and 1 and are treated as probabilities of class type" in lines
    assert max(map(len, lines[:18])) <= 100


def test_the_numbers_are_those_of_the_report_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    data = pd.read_csv(DEMO)
    expected = report(
        data["truth"], data["prediction"], data["score"], pos_label="type", groups=data["package"], name=DEMO.name
    )
    arguments = ["--pred", "prediction", "--score", "score", "--positive", "type", "--groups", "package"]
    assert rows(capsys, str(DEMO), "--truth", "truth", *arguments) == expected.to_dicts()


def test_metrics_are_chosen_by_name_and_options_reach_them(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, "b.csv", "--truth", "y", "--pred", "p", "-m", "f1", "-m", "Recall(average=None)")
    assert [(row["metric"], row["class"]) for row in found] == [("F1", None), ("Recall", "0"), ("Recall", "1")]
    (one,) = rows(capsys, "c.tsv", "--truth", "truth", "--pred", "guess", "-m", "F1", "--average", "macro")
    assert one["metric"] == "F1(average='macro')"
    options = ["--level", "0.8", "--method", "clopper-pearson", "--seed", "5"]
    status, out, _ = call(
        capsys, "b.csv", "--truth", "y", "--pred", "p", "-m", "accuracy", *options, "--format", "json"
    )
    document = json.loads(out)
    assert status == 0
    assert (document["rows"][0]["level"], document["rows"][0]["method"]) == (0.8, "clopper-pearson")
    assert document["signature"]["seed"] == 5
    assert document["signature"]["columns"] == {"truth": "y", "pred": "p"}
    assert document["signature"]["inputs"]["b.csv"].startswith("xxh3-128:")


def test_positive_says_which_label_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["b.csv", "--truth", "y", "--pred", "p", "-m", "Recall"]
    assert rows(capsys, *command) == rows(capsys, *command, "--positive", "1")
    assert rows(capsys, *command, "--positive", "0")[0]["value"] == 2 / 3
    scored = ["b.csv", "--truth", "y", "-m", "AUC"]
    assert rows(capsys, *scored, "--score", "1=q") == rows(capsys, *scored, "--score", "q")
    assert rows(capsys, *scored, "--score", "q", "--positive", "0")[0]["value"] == pytest.approx(1 / 9)


def test_truth_values_have_a_positive_one(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "t.csv").write_text("y,q\ntrue,0.9\nfalse,0.2\ntrue,0.6\n")
    (files / "t.jsonl").write_text('{"y": true, "q": 0.9}\n{"y": false, "q": 0.2}\n{"y": true, "q": 0.6}\n')
    for name in ("t.csv", "t.jsonl"):
        assert rows(capsys, name, "--truth", "y", "--score", "q", "-m", "AUC")[0]["value"] == 1.0
        turned = rows(capsys, name, "--truth", "y", "--score", "q", "-m", "AUC", "--positive", "False")
        assert turned[0]["value"] == 0.0


def test_scores_of_classes_are_named_by_column_or_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--score", "dog", "--score", "cat", "--score", "eel=p eel"]
    found = rows(capsys, "c.tsv", "--truth", "truth", *arguments)
    assert {row["metric"]: row["value"] for row in found}["TopK@1"] == 0.75
    status, out, _ = call(capsys, "c.tsv", "--truth", "truth", *arguments)
    assert status == 0
    assert "scores lie between 0 and 1 and are treated as probabilities" in out


def test_two_columns_of_scores_are_those_of_two_classes(capsys: pytest.CaptureFixture[str]) -> None:
    two = rows(capsys, "b.csv", "--truth", "y", "--score", "0=w", "--score", "1=q")
    assert two == rows(capsys, "b.csv", "--truth", "y", "--score", "q")


def test_a_column_whose_name_holds_an_equals_sign_is_found(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "e.csv").write_text("y,p=1\n1,0.9\n0,0.2\n")
    assert rows(capsys, "e.csv", "--truth", "y", "--score", "p=1", "-m", "AUC")[0]["value"] == 1.0


def test_each_subgroup_has_its_rows(capsys: pytest.CaptureFixture[str]) -> None:
    base = ("b.csv", "--truth", "y", "--pred", "p", "--by", "g", "-m", "Accuracy")
    found = rows(capsys, *base)
    *parts, gap, worst = found
    assert [(row["group"], row["value"], row["n"]) for row in parts] == [("a", 1.0, 2), ("b", 0.0, 2), ("c", 1.0, 2)]
    assert [gap[key] for key in ("among", "value", "subgroup", "versus", "n")] == ["largest gap", 1.0, "a", "b", 6]
    assert [worst[key] for key in ("among", "value", "subgroup", "versus")] == ["worst subgroup", 0.0, "b", None]
    _, out, _ = call(capsys, "b.csv", "--truth", "y", "--pred", "p", "--by", "g")
    assert out.splitlines()[2].split()[:3] == ["metric", "g", "value"]
    assert "g: a" in out.splitlines()
    assert {"largest gap between subgroups", "worst subgroup"} <= set(out.splitlines())
    header, *lines = call(capsys, *base, "--format", "csv")[1].splitlines()
    assert header.startswith("run,group,among,subgroup,versus,metric,")
    assert [line.split(",")[1:6] for line in lines[-2:]] == [
        ["", "largest gap", "a", "b", "Accuracy"],
        ["", "worst subgroup", "b", "", "Accuracy"],
    ]


def test_weights_and_groups(capsys: pytest.CaptureFixture[str]) -> None:
    (weighted,) = rows(capsys, "b.csv", "--truth", "y", "--pred", "p", "--weight", "w", "-m", "Accuracy")
    assert weighted["value"] == pytest.approx(7 / 9)
    (clustered,) = rows(capsys, "b.csv", "--truth", "y", "--pred", "p", "--groups", "g", "-m", "Accuracy")
    assert (clustered["n"], clustered["unit"]) == (3, "group")


def test_labels_and_undefined(capsys: pytest.CaptureFixture[str]) -> None:
    base = ["c.tsv", "--truth", "truth", "--pred", "guess", "-m", "F1", "--average", "macro"]
    assert rows(capsys, *base, "--labels", "cat, eel")[0]["value"] == pytest.approx((2 / 3 + 1) / 2)
    (extra,) = rows(capsys, *base, "--labels", 'cat,"a, b"', "--undefined", "0")
    assert extra["value"] == pytest.approx(1 / 3)
    (skipped,) = rows(capsys, *base, "--labels", "cat,cow", "--undefined", "skip")
    assert skipped["value"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "QRELS RUN... | FILE: no file was given; give one, or --counts"),
        (["b.csv"], "classification needs --truth and --pred, or --truth and --score"),
        (["b.csv", "--truth", "y"], "classification needs --truth and --pred, or --truth and --score"),
        (["b.csv", "--truth", "y", "--pred", "p", "-m", "F11"], "no metric is named 'F11'; did you mean 'F1'?"),
        (
            ["b.csv", "--truth", "y", "--pred", "p", "-m", "nDCG"],
            "no classification metric is named 'nDCG'; nDCG is a metric of ranking and multilabel",
        ),
        (["b.csv", "--truth", "y", "--pred", "p", "-m", "F1(avg=macro)"], "avg"),
        (["b.csv", "--truth", "y", "--pred", "p", "--level", "95"], "95 is not between 0 and 1"),
        (["b.csv", "--truth", "y", "--pred", "p", "--method", "magic"], "no interval method is named 'magic'"),
        (["b.csv", "--truth", "y", "--pred", "p", "--method", "delong"], "'delong' is not one for a proportion"),
        (["b.csv", "--truth", "y", "--pred", "p", "--average", "mean"], "'mean' is not one of 'binary', 'macro'"),
        (["b.csv", "--truth", "y", "--pred", "p", "--undefined", "zero"], "'zero' is not nan, skip or a number"),
        (["b.csv", "--truth", "y", "--pred", "p", "--undefined", "7"], "undefined of"),
        (["b.csv", "--truth", "y", "--pred", "p", "--labels", ""], "--labels: name at least one"),
        (["b.csv", "--truth", "y", "--score", "1=q", "--positive", "1"], "here or with --positive, not both"),
        (
            ["b.csv", "--truth", "y", "--pred", "p", "--score", "1=q", "-m", "Accuracy"],
            "Accuracy is not computed from --score; leave it out",
        ),
        (
            ["b.csv", "--truth", "y", "--pred", "p", "--score", "1=q", "-m", "Accuracy", "--plot", "new"],
            "the class of --score is 1, but nothing here has a positive class",
        ),
        (
            ["b.csv", "--truth", "y", "--pred", "p", "--score", "1=q", "-m", "Accuracy", "--memory", "1GB"],
            "Accuracy is not computed from --score; leave it out",
        ),
        (["b.csv", "--truth", "y", "--pred", "p", "-o", "no/x.json"], "no is not a directory"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err


def test_standard_input_and_compressed_files_are_read(files: Path) -> None:
    start = [sys.executable, "-m", "certus", "evaluate", "--task", "classification"]
    columns = ["--truth", "y", "--pred", "p", "--score", "q"]
    plain = subprocess.run([*start, "b.csv", *columns], capture_output=True, text=True, check=True)
    piped = subprocess.run([*start, "-", *columns], input=BINARY, capture_output=True, text=True, check=True)
    assert piped.stdout.replace(" of -:", " of b.csv:").splitlines()[1:] == plain.stdout.splitlines()[1:]
    (files / "b.csv.gz").write_bytes(gzip.compress(BINARY.encode()))
    packed = subprocess.run([*start, "b.csv.gz", *columns], capture_output=True, text=True, check=True)
    assert packed.stdout.replace(" of b.csv.gz:", " of b.csv:").splitlines()[1:] == plain.stdout.splitlines()[1:]


def test_a_parquet_file_gives_the_same_report(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pd.read_csv(files / "b.csv").to_parquet(files / "b.parquet")
    columns = ["--truth", "y", "--pred", "p", "--score", "q", "--by", "g", "--weight", "w"]
    from_csv = [{**row, "run": ""} for row in rows(capsys, "b.csv", *columns)]
    assert [{**row, "run": ""} for row in rows(capsys, "b.parquet", *columns)] == from_csv


def test_plugins_add_metrics_of_classification(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_metrics(monkeypatch, "classification")
    (files / "mine.py").write_text(
        "import certus\n"
        "from certus.data import Labels\n"
        "@certus.metric('FirstClass', task='classification')\n"
        "def first_class(data: Labels):\n"
        "    'Share of samples predicted to be of the first class.'\n"
        "    return data.predicted == 0\n"
        "@certus.metric('Untold', task='classification')\n"
        "def untold(data):\n"
        "    'A metric that does not say what it takes.'\n"
        "    return data.predicted == 0\n"
    )
    base = ["b.csv", "--truth", "y", "--pred", "p", "--plugin", "mine.py", "-m"]
    (row,) = rows(capsys, *base, "FirstClass")
    assert (row["value"], row["n"], row["unit"]) == (0.5, 6, "sample")
    (row,) = rows(capsys, *base, "FirstClass", "--weight", "w", "--groups", "g")
    assert (row["value"], row["n"], row["unit"]) == (pytest.approx(4 / 9), 3, "group")
    status, _, err = call(capsys, *base, "Untold")
    assert status == 3
    assert "Untold: its function does not say which data it takes" in err


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent there")
def test_ctrl_c_ends_the_reading_of_rows_without_end(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "certus",
        "evaluate",
        "-",
        "--task",
        "classification",
        "--truth",
        "a",
        "--pred",
        "b",
    ]
    folder = tmp_path / "temporary"
    folder.mkdir()
    environment = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdin is not None
        for _ in range(200):
            process.stdin.write(b"a,b\n" * 10_000)
        process.send_signal(signal.SIGINT)
        # Far more rows than are read in a second: it ends while they are written, however busy the machine is.
        written = 0
        with contextlib.suppress(BrokenPipeError):
            while written < 10**9:
                written += process.stdin.write(b"a,b\n" * 10_000)
        assert written < 10**9
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        assert process.wait(10) == 130
    assert not list(folder.iterdir())


@pytest.mark.parametrize("form", ["text", "csv", "json"])
def test_half_of_a_surrogate_pair_is_written_as_json_writes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f'{{"y": {n % 2}, "s": 0.{n}, "g": "{"ab"[n // 4]}\\ud800"}}\n' for n in range(8)))
    found = call(capsys, str(path), "--truth", "y", "--score", "s", "--by", "g", "-m", "AUC", "--format", form)
    assert found[0] == 0
    assert "a\\ud800" in found[1]
    path.write_text('{"\\ud800y": 1, "s": 0.5}\n{"y": 0, "s": 0.2}\n')
    status, _, error = call(capsys, str(path), "--truth", "y", "--score", "s")
    assert status == 3
    assert "has no" in error
