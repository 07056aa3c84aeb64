"""``certus compare``: what it prints, its exit status as a gate, and what it says of wrong input."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import caller, in_folder
from compared_files import QUERIES, write_compared

from certus.entry import compare as python_compare


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_compared(in_folder(tmp_path, monkeypatch))


call = caller("compare")


RUNS = ("qrels.txt", "good.run", "near.run", "bad.run")


def test_the_table_has_the_numbers_of_python_and_plain_words(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, *RUNS, "-m", "AP", "-m", "nDCG@10", "--baseline", "good.run")
    assert (status, err) == (0, "")
    expected = python_compare("qrels.txt", list(RUNS[1:]), ["AP", "nDCG@10"], baseline="good.run")
    assert out == expected.to_text(warnings=False) + "\n"
    row = expected.row("AP", "bad.run")
    assert f"{row.difference:+.4f}" in out
    assert "AP: good.run is significantly better than bad.run by" in out


def test_options_reach_the_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    options: dict[str, Any] = {
        "test": "t",
        "correction": "bonferroni",
        "level": 0.9,
        "alternative": "less",
        "baseline": "near.run",
        "interval": "bca",
        "seed": 3,
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    conventions = ["--queries", "judged", "--ties", "input", "--unjudged", "remove"]
    status, out, _ = call(capsys, *RUNS, "-m", "AP", *arguments, *conventions, "--format", "json")
    assert status == 0
    expected = python_compare(
        *("qrels.txt", list(RUNS[1:]), "AP"),
        **options,
        queries="judged",
        ties="input",
        unjudged="remove",
    )
    assert json.loads(out) == json.loads(expected.to_json())
    status, out, _ = call(capsys, *RUNS, "-m", "AP", "--margin", "0.05", "--format", "json")
    assert json.loads(out) == json.loads(python_compare("qrels.txt", list(RUNS[1:]), "AP", margin=0.05).to_json())


def test_metrics_have_a_default(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, *RUNS[:3], "--format", "csv")
    assert status == 0
    assert [row["metric"] for row in csv.DictReader(io.StringIO(out))] == ["nDCG@10", "AP"]


def test_the_baseline_may_be_a_path_and_a_file_of_its_own(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "runs").mkdir()
    (files / "good.run").rename(files / "runs" / "good.run")
    arguments = ["qrels.txt", "near.run", "bad.run", "--baseline", "runs/good.run", "-m", "AP", "--format", "csv"]
    status, out, _ = call(capsys, *arguments)
    assert status == 0
    assert [(row["system"], row["baseline"]) for row in csv.DictReader(io.StringIO(out))] == [
        ("near.run", "good.run"),
        ("bad.run", "good.run"),
    ]
    again = call(capsys, "qrels.txt", "runs/good.run", *arguments[1:])
    assert again[:2] == (status, out)


def test_values_of_a_table_are_compared_row_by_row(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["table.csv", "--value", "fast", "--value", "slow", "-m", "seconds", "--lower-is-better"]
    status, out, _ = call(capsys, *arguments, "--format", "json")
    assert status == 0
    (row,) = json.loads(out)["rows"]
    assert (row["metric"], row["system"], row["verdict"], row["n"], row["unit"]) == (
        *("seconds", "slow", "worse"),
        80,
        "row",
    )
    assert row["difference"] == pytest.approx(1.0, abs=0.1)
    assert (row["wins"], row["ties"], row["losses"]) == (0, 0, 80)  # a system with less error on a row wins there


def test_labels_and_scores_of_a_table_are_compared_as_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    with open("table.csv") as file:
        columns = list(zip(*csv.reader(file), strict=True))
    read = {name: np.array(values) for name, *values in columns}
    truth, keep = read["truth"].astype(int), ("difference", "low", "high", "p", "verdict", "n")
    cases: list[tuple[str, tuple[str, str], list[str], type]] = [
        ("--pred", ("old", "new"), ["Accuracy", "F1", "MCC"], int),
        ("--score", ("p_old", "p_new"), ["AUC", "AP"], float),
    ]
    for option, names, metrics, kind in cases:
        arguments = ["table.csv", "--truth", "truth", *(part for name in names for part in (option, name))]
        arguments += [part for metric in metrics for part in ("-m", metric)]
        for options, more in (
            ([], {}),
            (["--positive", "0"], {"pos_label": 0}),
            (["--weight", "fast"], {"sample_weight": read["fast"].astype(float)}),
        ):
            systems: dict[str, Any] = {name: read[name].astype(kind) for name in names}
            expected = python_compare(truth, systems, metrics, task="classification", **more)
            status, out, err = call(capsys, *arguments, *options, "--format", "json")
            assert (status, err) == (0, "")
            found = json.loads(out)
            for row, other in zip(found["rows"], expected.to_dicts(), strict=True):
                assert {key: row[key] for key in keep} == {key: other[key] for key in keep}


def test_classifiers_have_default_metrics_and_a_gate(capsys: pytest.CaptureFixture[str]) -> None:
    labels = ["table.csv", "--truth", "truth", "--pred", "new", "--pred", "old"]
    status, out, _ = call(capsys, *labels, "--format", "csv")
    assert status == 0
    assert [row["metric"] for row in csv.DictReader(io.StringIO(out))] == ["Accuracy", "MCC"]
    assert call(capsys, *labels, "--fail-if-worse", "--margin", "0.02")[0] == 1
    assert call(capsys, *labels, "--baseline", "old", "--fail-if-worse", "--margin", "0.02")[0] == 0
    status, out, _ = call(
        capsys, "table.csv", "--truth", "truth", "--score", "p_new", "--score", "p_old", "--format", "csv"
    )
    assert [row["metric"] for row in csv.DictReader(io.StringIO(out))] == ["AUC", "AP"]


def test_without_a_margin_the_gate_fails_only_for_what_is_shown_to_be_worse(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, err = call(capsys, "qrels.txt", "good.run", "bad.run", "-m", "AP", "--fail-if-worse")
    assert status == 1
    assert out.startswith("AP\n")
    assert err.startswith("certus: gate fails: bad.run is worse than good.run in AP: difference -0.")
    assert err.count("\n") == 1
    status, _, err = call(capsys, "qrels.txt", "good.run", "near.run", "-m", "AP", "--fail-if-worse")
    assert status == 0
    assert err.startswith("certus: gate holds: near.run is not significantly worse than good.run in AP: difference ")
    zero = call(capsys, "qrels.txt", "good.run", "near.run", "-m", "AP", "--fail-if-worse", "--margin", "0")
    assert zero[0] == 0
    assert zero[2] == err


def test_with_a_margin_the_gate_holds_only_for_what_is_shown_to_be_within_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["qrels.txt", "good.run", "near.run", "-m", "AP", "--fail-if-worse", "--margin"]
    low = python_compare("qrels.txt", ["good.run", "near.run"], "AP", margin=0.01).rows[0].low
    assert low < 0
    for margin, expected in ((-low * 0.999, 1), (-low * 1.001, 0)):
        status, _, err = call(capsys, *arguments, f"{margin:.8f}")
        assert status == expected
        assert err.startswith(
            f"certus: gate fails: near.run may be worse than good.run by {margin:.6g} or more in AP: difference "
            if expected
            else f"certus: gate holds: near.run is worse than good.run by less than {margin:.6g}, if at all, in AP: "
        )
    status, _, err = call(capsys, "qrels.txt", "good.run", "bad.run", "-m", "AP", "--fail-if-worse", "--margin", "0.01")
    assert status == 1
    assert "bad.run is worse than good.run by 0.01 or more in AP" in err


def test_the_gate_holds_for_a_run_that_is_the_baseline(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    (files / "same.run").write_bytes((files / "good.run").read_bytes())
    gate = ("qrels.txt", "good.run", "same.run", "-m", "AP", "--fail-if-worse")
    for margin in ([], ["--margin", "0.0001", "--identical-passes"]):
        status, _, err = call(capsys, *gate, *margin)
        assert status == 0
        assert err.startswith("certus: gate holds: same.run equals good.run in AP: difference 0.0000")
    status, _, err = call(capsys, *gate, "--margin", "0.0001")
    assert status == 1
    assert err.startswith("certus: gate fails: not shown at a margin of 0.0001: 0 of ")
    assert err.endswith(" equal queries would do\n")


def test_the_gate_fails_for_a_run_that_lacks_queries_unless_a_rule_is_chosen(
    capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    lines = (files / "good.run").read_text().splitlines(keepends=True)
    queries = sorted({line.split()[0] for line in lines})
    rest = queries[: 2 * len(queries) // 3]
    (files / "torn.run").write_text("".join(line for line in lines if line.split()[0] in rest))
    gate = ("qrels.txt", "good.run", "torn.run", "-m", "AP", "--fail-if-worse")
    status, _, err = call(capsys, *gate)
    assert status == 1
    assert f"gate fails: {len(queries) - len(rest)} queries left out of the comparison, missing from torn.run" in err
    assert err.endswith("; choose the queries: judged, which counts them, or intersection, which leaves them out\n")
    assert call(capsys, *gate, "--queries", "intersection")[0] == 0
    assert call(capsys, *gate[:-1])[0] == 0


def test_the_gate_fails_if_one_of_several_fails(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*RUNS, "-m", "AP", "-m", "RR", "--baseline", "good.run", "--fail-if-worse"]
    status, _, err = call(capsys, *arguments)
    assert status == 1
    assert err.endswith(" of 4 differences fail)\n")
    status, _, err = call(capsys, *arguments[:1], *arguments[1:3], *arguments[4:], "--margin", "0.9")
    assert status == 0
    assert err.endswith("(all 2 differences pass)\n")


def test_the_status_leaves_the_process(files: Path) -> None:
    command = [sys.executable, "-m", "certus", "compare", "qrels.txt", "good.run", "bad.run", "--fail-if-worse"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stderr.startswith("certus: gate fails: bad.run is worse than good.run")
    assert result.returncode == 1


def test_a_failing_gate_still_writes_the_table_and_the_picture(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    pytest.importorskip("matplotlib")
    arguments = ["qrels.txt", "good.run", "bad.run", "-m", "AP", "--fail-if-worse", "-o", "t.json", "--plot", "p.png"]
    status, out, _ = call(capsys, *arguments)
    assert (status, out) == (1, "")
    assert json.loads((files / "t.json").read_text())["rows"][0]["verdict"] == "worse"
    assert (files / "p.png").read_bytes().startswith(b"\x89PNG")
    assert call(capsys, *arguments)[0] == 2
    assert call(capsys, *arguments, "--force")[0] == 1


@pytest.mark.parametrize(
    ("picture", "suffix"), [("differences", "svg"), ("units", "pdf"), ("critical-difference", "svg")]
)
def test_pictures_are_files(capsys: pytest.CaptureFixture[str], files: Path, picture: str, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    name = f"p.{suffix}"
    assert call(capsys, *RUNS, "-m", "AP", "--picture", picture, "--plot", name)[0] == 0
    assert (files / name).stat().st_size > 2000


def test_regressors_are_compared_by_their_own_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    table = "y,a,b\n3.1,2.9,3.0\n0.4,0.1,0.9\n2.2,2.0,2.6\n7.5,8.0,7.1\n5.0,5.3,4.2\n"
    Path("houses.csv").write_text(table)
    columns = ("houses.csv", "--task", "regression", "--truth", "y", "--pred", "a", "--pred", "b")
    status, out, _ = call(capsys, *columns, "-m", "MAE", "--format", "csv")
    assert status == 0
    (row,) = csv.DictReader(io.StringIO(out))
    assert float(row["difference"]) == pytest.approx((0.1 + 0.5 + 0.4 + 0.4 + 0.8 - 0.2 - 0.3 - 0.2 - 0.5 - 0.3) / 5)
    assert {line.split()[0] for line in call(capsys, *columns)[1].splitlines() if line} >= {"MAE", "R2"}


def test_values_in_groups_and_with_weights_are_judged_by_them(capsys: pytest.CaptureFixture[str]) -> None:
    shifts = (0.4, -0.3, 0.5, 0.2, 0.6, -0.1, 0.3, 0.4)
    lines = [
        f"{0.1 * i},{0.1 * i + shift},g{g},{1 + (i * g + g) % 3}" for g, shift in enumerate(shifts) for i in range(10)
    ]
    Path("grouped.csv").write_text("\n".join(["a,b,g,w", *lines]) + "\n")
    columns = ("grouped.csv", "--value", "a", "--value", "b")
    rows = {}
    for options in ((), ("--weight", "w"), ("--groups", "g"), ("--groups", "g", "--weight", "w")):
        status, out, _ = call(capsys, *columns, *options, "--format", "csv")
        assert status == 0
        (rows[options],) = csv.DictReader(io.StringIO(out))
    assert [row["n"] for row in rows.values()] == ["80", "80", "8", "8"]
    assert len({row["p"] for row in rows.values()}) == 4
    assert (rows[()]["verdict"], rows["--groups", "g"]["verdict"]) == ("better", "not significant")
    assert rows["--groups", "g"]["unit"] == "group"
    status, out, err = call(capsys, *columns, "--labels", "1")
    assert (status, out) == (2, "")
    assert "--labels: it does not apply to columns of --value" in err
    status, out, err = call(capsys, *columns, "--positive", "1")
    assert (status, out) == (3, "")
    assert "--positive is '1', but the values are" in err


def test_queries_have_groups_from_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("groups.txt").write_text("".join(f"{query} g{i // 2}\n" for i in range(QUERIES) for query in [f"q{i:02}"]))
    status, out, _ = call(capsys, *RUNS, "-m", "AP", "--groups", "groups.txt", "--format", "csv")
    assert status == 0
    assert {row["unit"] for row in csv.DictReader(io.StringIO(out))} == {"group"}
    status, _, err = call(capsys, *RUNS, "-m", "AP", "--groups", "nothing.txt")
    assert (status, "nothing.txt is not a file" in err) == (3, True)


def test_the_layout_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    runs = ("qrels.txt", "good.run", "near.run", "bad.run", "-m", "AP")
    _, matrix, _ = call(capsys, *runs, "--layout", "matrix")
    _, rows, _ = call(capsys, *runs, "--layout", "rows")
    _, usual, _ = call(capsys, *runs)
    assert "\nminus " in matrix
    assert "\nminus " not in rows
    assert usual == rows
