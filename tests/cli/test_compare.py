"""``certus compare``: what it prints, its exit status as a gate, and what it says of wrong input."""

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certus.cli import app
from certus.comparison import compare as python_compare

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^```console\n\$ certus (.*)\n((?:.*\n)*?)```", GUIDE, re.MULTILINE)
QUERIES = 30


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Judgments; a good run, one a little worse, one much worse; a table of values, labels and scores."""
    generator = np.random.default_rng(5)
    queries = [f"q{i:02}" for i in range(QUERIES)]
    (tmp_path / "qrels.txt").write_text("".join(f"{query} 0 d{d} 1\n" for query in queries for d in (0, 1, 2)))
    for name, noise in (("good", 0.5), ("near", 0.6), ("bad", 3.0)):
        lines = []
        for query in queries:
            scores = (np.arange(12) < 3) + generator.normal(0, noise, 12)
            order = np.argsort(-scores)
            lines += [f"{query} Q0 d{d} {rank} {scores[d]:.6f} {name}\n" for rank, d in enumerate(order, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    truth = generator.integers(0, 2, 80)
    columns: dict[str, Any] = {
        "truth": truth,
        "old": np.where(generator.uniform(size=80) < 0.25, 1 - truth, truth),
        "new": np.where(generator.uniform(size=80) < 0.05, 1 - truth, truth),
        "p_old": (0.3 * truth + generator.uniform(size=80)).round(3),
        "p_new": (0.9 * truth + generator.uniform(size=80)).round(3),
        "fast": generator.normal(2, 0.1, 80).round(4),
        "slow": generator.normal(3, 0.1, 80).round(4),
    }
    rows = zip(*columns.values(), strict=True)
    (tmp_path / "table.csv").write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The command in this process: exit status, stdout and stderr."""
    status = app.run(["compare", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


RUNS = ("qrels.txt", "good.run", "near.run", "bad.run")
LABELS = ("table.csv", "--truth", "truth", "--pred", "old", "--pred", "new")


def test_the_table_has_the_numbers_of_python_and_plain_words(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, *RUNS, "-m", "AP", "-m", "nDCG@10", "--baseline", "good.run")
    assert (status, err) == (0, "")
    expected = python_compare("qrels.txt", list(RUNS[1:]), ["AP", "nDCG@10"], baseline="good.run")
    assert out == expected.to_text(warnings=False) + "\n"
    row = expected.row("AP", "bad.run")
    assert f"{row.difference:+.4f}" in out
    assert "AP: good.run is better than bad.run by" in out


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "tsv", "markdown", "latex"])
def test_every_format_is_that_of_python(capsys: pytest.CaptureFixture[str], form: str) -> None:
    status, out, err = call(capsys, *RUNS, "-m", "AP", "--test", "t", "--format", form)
    assert (status, err) == (0, "")
    assert out == getattr(python_compare("qrels.txt", list(RUNS[1:]), "AP", test="t"), f"to_{form}")()


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
    low = python_compare("qrels.txt", ["good.run", "near.run"], "AP").rows[0].low
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
    for margin in ([], ["--margin", "0.0001"]):
        status, _, err = call(capsys, "qrels.txt", "good.run", "same.run", "-m", "AP", "--fail-if-worse", *margin)
        assert status == 0
        assert err.startswith("certus: gate holds: same.run equals good.run in AP: difference 0.0000")


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


@pytest.mark.parametrize("picture", ["differences", "units", "critical-difference"])
@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_pictures_are_files(capsys: pytest.CaptureFixture[str], files: Path, picture: str, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    name = f"p.{suffix}"
    assert call(capsys, *RUNS, "-m", "AP", "--picture", picture, "--plot", name)[0] == 0
    assert (files / name).stat().st_size > 2000


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "missing argument 'QRELS RUN... | FILE...'"),
        (["qrels.txt"], 2, "give qrels and two or more runs; or a table with --truth and --pred or --score, or"),
        (["qrels.txt", "good.run"], 2, "one run was given; a comparison needs two or more"),
        (["qrels.txt", "good.run", "good.run"], 2, "'good.run' is given twice; a run is compared with another one"),
        (["qrels.txt", "good.run", "none.run"], 3, "none.run: no such file"),
        (["none.txt", "good.run", "bad.run"], 3, "none.txt: no such file"),
        (["good.run", "good.run", "bad.run"], 3, "good.run: holds a run (TREC: query Q0 document rank score tag, six "),
        (["-", "-", "bad.run"], 2, "standard input can be read only once"),
        ([*RUNS, "--baseline", "god.run"], 2, "'god.run' is none of the systems; did you mean 'good.run'?"),
        ([*RUNS, "--baseline", "x"], 2, "'x' is none of the systems; there are good.run, near.run, bad.run"),
        ([*RUNS, "-m", "nDGC@10"], 2, "no metric is named 'nDGC'; did you mean 'nDCG'?"),
        ([*RUNS, "--margin", "-0.01"], 2, "-0.01 is not 0 or a finite number above it"),
        ([*RUNS, "--margin", "nan"], 2, "nan is not 0 or a finite number above it"),
        ([*RUNS, "--margin", "a bit"], 2, "'a bit' is not a valid float"),
        ([*RUNS, "--level", "95"], 2, "95 is not between 0 and 1"),
        ([*RUNS, "--test", "anova"], 2, "no test is named 'anova'; there are permutation, t, "),
        ([*RUNS, "--correction", "hulm"], 2, "no correction is named 'hulm'; did you mean 'holm'?; there are holm, "),
        ([*RUNS, "--alternative", "more"], 2, "alternative is 'more'; it must be 'two-sided', 'greater' or 'less'"),
        ([*RUNS, "--alternative", "less"], 2, "alternative is 'less', but of all pairs there is no side"),
        ([*RUNS, "--margin", "0.1", "--level", "0.5"], 2, "--level: 0.5 is too low for tests against a margin"),
        (
            [*RUNS, "--baseline", "good.run", "--margin", "0.1", "--alternative", "less"],
            2,
            "--alternative: 'less' does not go with --margin, which has two sides",
        ),
        ([*RUNS, "--test", "mid-p"], 2, "the test 'mid-p' is not for means; there are permutation, t, "),
        ([*RUNS[:3], "--baseline", "bad.run", "-o", "bad.run", "--force"], 2, "-o: bad.run is the file that is read"),
        ([*RUNS, "--interval", "wide"], 2, "no interval method is named 'wide'"),
        ([*RUNS, "--ties", "range"], 2, "--ties range leaves the values open"),
        ([*RUNS, "--fail-if-worse"], 2, "--baseline: say which system the others must not be worse than"),
        (
            [*RUNS[:3], "--fail-if-worse", "--alternative", "greater"],
            2,
            "alternative is 'greater', which asks whether nDCG@10 is better; a gate asks whether it is worse",
        ),
        ([*RUNS, "--plot", "p.bmp"], 2, "--plot: p.bmp must end in .pdf, .png, .svg"),
        ([*RUNS, "--plot", "no/p.png"], 2, "--plot: no is not a directory"),
        ([*RUNS, "--plot", "a.svg", "-o", "a.svg"], 2, "--plot: a.svg is the file of the table; give another name"),
        ([*RUNS, "-o", "good.run", "--force"], 2, "-o: good.run is the file that is read; give another name"),
        ([*RUNS, "--picture", "critical-difference", "--plot", "p.png", "--baseline", "good.run"], 3, "without"),
        ([*RUNS, "--positive", "1"], 2, "--positive: it has no meaning for ranking"),
        ([*RUNS, "--lower-is-better"], 2, "--lower-is-better: is for columns of values, with --value"),
        ([*RUNS, "--pred", "old"], 2, "--id: with --pred of several files, name the column of ids"),
        (["table.csv", "--value", "fast"], 2, "--value: give two or more columns to compare"),
        (["table.csv", "--value", "fast", "--value", "fast"], 2, "'fast' is given twice; a column is compared"),
        (["table.csv", "--value", "fast", "--value", "x"], 3, "table.csv: has no column 'x'"),
        (["table.csv", "--value", "fast", "--value", "slow", "-m", "x", "-m", "y"], 2, "values have one name"),
        (["table.csv", "--value", "fast", "--value", "slow", "--ties", "trec"], 2, "--ties: it has no meaning"),
        (["table.csv", "--value", "fast", "--value", "slow", "--truth", "truth"], 2, "--truth: it has no meaning"),
        (["table.csv", "--pred", "old", "--pred", "new"], 2, "a table needs --truth and --pred, "),
        (["table.csv", "--truth", "truth", "--pred", "old"], 2, "--pred: give two or more columns to compare"),
        (["table.csv", "--truth", "truth", "--pred", "old", "--score", "p_new"], 2, "compare one kind"),
        (["table.csv", "--truth", "truth", "--pred", "old", "--pred", "nwe"], 3, "has no column 'nwe'"),
        (
            [*LABELS, "--positive", "2"],
            3,
            "certus: table.csv: --positive is '2', but the labels are '0', '1'",
        ),
        (
            [*LABELS, "-m", "Prevalence", "--fail-if-worse"],
            2,
            "neither higher nor lower values of Prevalence are better, so none can be worse",
        ),
        (
            [*LABELS, "-m", "F1", "--plot", "p.png", "--picture", "units"],
            3,
            "F1 has no value for each unit, so there are no differences to sort",
        ),
    ],
)  # fmt: skip
def test_wrong_input_is_one_line_and_the_right_status(
    capsys: pytest.CaptureFixture[str], files: Path, arguments: list[str], status: int, message: str
) -> None:
    before = {file.name: file.read_bytes() for file in files.iterdir()}
    found, out, err = call(capsys, *arguments)
    assert (found, out) == (status, "")
    assert message in err
    assert err.startswith("certus: ")
    assert err.count("\n") == 1
    assert {file.name: file.read_bytes() for file in files.iterdir()} == before


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[command.split(" ", 4)[-1] for command, _ in SHOWN])
def test_the_guide_shows_what_the_command_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str, shown: str
) -> None:
    monkeypatch.chdir(ROOT / "src" / "certus" / "demo")
    app.run(shlex.split(command))
    out, err = capsys.readouterr()
    assert out + "".join(line for line in err.splitlines(keepends=True) if "certus: warning: " not in line) == shown


def test_the_guide_shows_the_commands() -> None:
    assert len(SHOWN) >= 4


def test_regressors_are_compared_by_their_own_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    table = "y,a,b\n3.1,2.9,3.0\n0.4,0.1,0.9\n2.2,2.0,2.6\n7.5,8.0,7.1\n5.0,5.3,4.2\n"
    Path("houses.csv").write_text(table)
    columns = ("houses.csv", "--task", "regression", "--truth", "y", "--pred", "a", "--pred", "b")
    status, out, _ = call(capsys, *columns, "-m", "MAE", "--format", "csv")
    assert status == 0
    (row,) = csv.DictReader(io.StringIO(out))
    assert float(row["difference"]) == pytest.approx((0.1 + 0.5 + 0.4 + 0.4 + 0.8 - 0.2 - 0.3 - 0.2 - 0.5 - 0.3) / 5)
    assert {line.split()[0] for line in call(capsys, *columns)[1].splitlines() if line} >= {"MAE", "R2"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*RUNS, "--task", "regression"), "regression needs --truth and --pred"),
        ((*LABELS, "--task", "regression", "--positive", "1"), "--positive: it has no meaning for regression"),
        (
            ("table.csv", "--value", "old", "--value", "new", "--task", "regression"),
            "--task: is for predictions, not for columns of --value",
        ),
    ],
)
def test_tasks_that_do_not_fit_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert words in err


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
    assert (rows[()]["verdict"], rows["--groups", "g"]["verdict"]) == ("better", "not separable")
    assert rows["--groups", "g"]["unit"] == "group"
    for option in ("--labels", "--positive"):
        status, out, err = call(capsys, *columns, option, "1")
        assert (status, out) == (2, "")
        assert f"{option}: it has no meaning for columns of --value" in err


def test_a_row_without_a_group_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("gap.csv").write_text("a,b,g\n1,2,x\n2,3,\n3,5,y\n")
    status, out, err = call(capsys, "gap.csv", "--value", "a", "--value", "b", "--groups", "g")
    assert (status, out) == (3, "")
    assert "gap.csv" in err


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
    assert "\nless " in matrix
    assert "\nless " not in rows
    assert usual == rows


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("good.run", "bad.run", "--layout", "matrix"), "'matrix' is for all pairs of three or more systems"),
        (("good.run", "near.run", "bad.run", "--layout", "rows", "--format", "csv"), "csv has a row for each value"),
        (("good.run", "bad.run", "--plot", "x.png", "--picture", "matrix"), "is for all pairs of three or more"),
    ],
)
def test_a_layout_that_does_nothing_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    status, out, err = call(capsys, "qrels.txt", *arguments, "-m", "AP")
    assert (status, out) == (2, "")
    assert said in err


@pytest.fixture
def wide(files: Path) -> dict[str, Any]:
    """A table of three labels, the predictions and scores of two systems for them, and two numbers."""
    generator = np.random.default_rng(8)
    truth = generator.integers(0, 2, (60, 3))
    columns: dict[str, Any] = {"truth": truth}
    for name, error in (("a", 0.1), ("b", 0.3)):
        columns[name] = np.where(generator.uniform(size=truth.shape) < error, 1 - truth, truth)
        columns[f"{name}_score"] = (truth + generator.normal(0, 4 * error, truth.shape)).round(3)
    names = [f"{name}{place}" for name in columns for place in range(3)]
    rows = np.column_stack(list(columns.values()))
    (files / "wide.csv").write_text("\n".join([",".join(names), *(",".join(f"{x:g}" for x in row) for row in rows)]))
    return columns


class TestSystemsOfSeveralColumns:
    """Multilabel tables and regressions with several outputs: each system is named once, with its columns."""

    TRUTH = ("--truth", "truth0,truth1,truth2")
    PRED = ("--pred", "a=a0,a1,a2", "--pred", "b=b0,b1,b2")
    SCORE = ("--score", "a=a_score0,a_score1,a_score2", "--score", "b_score0,b_score1,b_score2")

    def test_multilabel_predictions_are_compared_as_in_python(
        self, capsys: pytest.CaptureFixture[str], wide: dict[str, Any]
    ) -> None:
        options = ("--task", "multilabel", "-m", "F1(average=macro)", "-m", "SubsetAccuracy", "--format", "json")
        status, out, _ = call(capsys, "wide.csv", *self.TRUTH, *self.PRED, *options)
        expected = python_compare(
            wide["truth"],
            {"a": wide["a"], "b": wide["b"]},
            ["F1(average=macro)", "SubsetAccuracy"],
            task="multilabel",
        )
        found = json.loads(out)
        assert status == 0
        assert found["systems"] == ["a", "b"]
        assert [row["difference"] for row in found["rows"]] == [row.difference for row in expected.rows]
        assert found["signature"]["columns"]["pred"] == ["a=a0,a1,a2", "b=b0,b1,b2"]

    def test_repeated_truth_needs_no_task(self, capsys: pytest.CaptureFixture[str], wide: dict[str, Any]) -> None:
        truth = ("--truth", "truth0", "--truth", "truth1", "--truth", "truth2")
        one = call(capsys, "wide.csv", *truth, *self.PRED, "-m", "Jaccard(average=macro)")
        assert one == call(
            capsys, "wide.csv", "--task", "multilabel", *self.TRUTH, *self.PRED, "-m", "Jaccard(average=macro)"
        )
        assert one[0] == 0

    def test_scores_without_a_name_are_called_by_their_columns(
        self, capsys: pytest.CaptureFixture[str], wide: dict[str, Any]
    ) -> None:
        status, out, _ = call(capsys, "wide.csv", "--task", "multilabel", *self.TRUTH, *self.SCORE, "--baseline", "a")
        assert status == 0
        assert "b_score0,b_score1,b_score2" in out

    def test_regressions_of_several_outputs_are_compared(
        self, capsys: pytest.CaptureFixture[str], wide: dict[str, Any]
    ) -> None:
        options = ("--task", "regression", "-m", "MAE", "--format", "json")
        status, out, _ = call(capsys, "wide.csv", *self.TRUTH, *self.SCORE_AS_NUMBERS, *options)
        expected = [np.abs(wide["truth"] - wide[name]).mean() for name in ("b_score", "a_score")]
        (row,) = json.loads(out)["rows"]
        assert status == 0
        assert row["difference"] == pytest.approx(expected[0] - expected[1], rel=1e-12)

    SCORE_AS_NUMBERS = ("--pred", "x=a_score0,a_score1,a_score2", "--pred", "y=b_score0,b_score1,b_score2")

    @pytest.mark.parametrize(
        ("columns", "status", "said"),
        [
            (("--pred", "a=a0,a1,a2", "--pred", "b0,b1"), 2, "'b0,b1' has 2 columns for 3 of --truth"),
            (("--pred", "a=a0,a1,a2", "--pred", "a=b0,b1,b2"), 2, "two systems are called 'a'"),
            ((*PRED, "--baseline", "c"), 2, "'c' is none of the systems; there are a, b"),
            ((*PRED, *SCORE), 2, "compare one kind of predictions at a time"),
            (("--pred", "a=a0,a1,nope", "--pred", "b0,b1,b2"), 3, "has no column 'nope'"),
            (("--pred", "a=a0,a1,a_score1", "--pred", "b0,b1,b2"), 3, "it must hold 0 and 1 only"),
        ],
    )
    def test_columns_that_do_not_fit_are_named(
        self, columns: tuple[str, ...], status: int, said: str, capsys: pytest.CaptureFixture[str], wide: dict[str, Any]
    ) -> None:
        found, _, err = call(capsys, "wide.csv", "--task", "multilabel", *self.TRUTH, *columns)
        assert (found, said in err) == (status, True), err


def test_wins_are_better_values_where_lower_is_better(capsys: pytest.CaptureFixture[str]) -> None:
    """A system with less error on a sample wins there."""
    _, out, _ = call(capsys, "table.csv", "--value", "fast", "--value", "slow", "--lower-is-better", "--format", "json")
    (row,) = json.loads(out)["rows"]
    assert (row["system"], row["verdict"]) == ("slow", "worse")
    assert (row["wins"], row["ties"], row["losses"]) == (0, 0, 80)
