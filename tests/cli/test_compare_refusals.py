"""``certus compare`` refuses wrong input in one line, with its own exit status, and writes nothing."""

from pathlib import Path
from typing import Any

import pytest
from commands import caller, in_folder
from compared_files import write_compared, write_wide


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return write_compared(in_folder(tmp_path, monkeypatch))


call = caller("compare")


RUNS = ("qrels.txt", "good.run", "near.run", "bad.run")
LABELS = ("table.csv", "--truth", "truth", "--pred", "old", "--pred", "new")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "missing argument QRELS RUN... | FILE...;"),
        (["qrels.txt"], 2, "give qrels and two or more runs; or a table with --truth and --pred or --score, or"),
        (["qrels.txt", "good.run"], 2, "one run was given; a comparison needs two or more"),
        (["qrels.txt", "good.run", "good.run"], 2, "'good.run' is given twice; a run is compared with another one"),
        (["qrels.txt", "good.run", "none.run"], 3, "none.run: no such file"),
        (["none.txt", "good.run", "bad.run"], 3, "none.txt: no such file"),
        (["good.run", "good.run", "bad.run"], 3, "good.run: holds a run (TREC: query Q0 document rank score tag, six "),
        (["-", "-", "bad.run"], 2, "standard input can be read only once"),
        ([*RUNS, "--baseline", "god.run"], 2, "'god.run' is not one of the systems; did you mean 'good.run'?"),
        ([*RUNS, "--baseline", "x"], 2, "'x' is not one of the systems; there are good.run, near.run, bad.run"),
        ([*RUNS, "-m", "nDGC@10"], 2, "no metric is named 'nDGC'; did you mean 'nDCG@10'?"),
        ([*RUNS, "--margin", "-0.01"], 2, "--margin is -0.01; it must be a finite number above 0"),
        ([*RUNS, "--margin", "nan"], 2, "--margin is nan; it must be a finite number above 0"),
        ([*RUNS, "--margin", "a bit"], 2, "'a bit' is not a valid float"),
        ([*RUNS, "--level", "95"], 2, "95 is not between 0 and 1"),
        ([*RUNS, "--test", "anova"], 2, "no test is named 'anova'; there are permutation-hall, permutation, t"),
        ([*RUNS, "--correction", "hulm"], 2, "no correction is named 'hulm'; did you mean 'holm'? There are holm, "),
        ([*RUNS, "--alternative", "more"], 2, "alternative is 'more'; it must be 'two-sided', 'greater' or 'less'"),
        ([*RUNS, "--alternative", "less"], 2, "alternative is 'less', but of all pairs there is no side"),
        ([*RUNS, "--margin", "0.1", "--level", "0.5"], 2, "--level is 0.5; tests against a margin need one above 0.5"),
        (
            [*RUNS, "--baseline", "good.run", "--margin", "0.1", "--alternative", "less"],
            2,
            "--alternative is 'less', but a margin has two sides; take 'two-sided'",
        ),
        ([*RUNS, "--test", "mid-p"], 2, "the test 'mid-p' is for values that are all 0 or 1, without groups"),
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
        ([*RUNS, "--plot", "a.svg", "-o", "a.svg"], 2, "-o: a.svg must end in .txt"),
        ([*RUNS, "-o", "good.run", "--force"], 2, "-o: good.run is the file that is read; give another name"),
        ([*RUNS, "--picture", "critical-difference", "--plot", "p.png", "--baseline", "good.run"], 3, "without"),
        ([*RUNS, "--positive", "1"], 2, "--positive: it does not apply to ranking"),
        ([*RUNS, "--lower-is-better"], 2, "--lower-is-better: is for columns of values, with --value"),
        ([*RUNS, "--range", "0,1"], 2, "--range is for values whose range is not known, but nDCG@10 knows its own"),
        ([*RUNS, "--pred", "old"], 2, "--id: with --pred of several files, name the column of ids"),
        (["table.csv", "--value", "fast"], 2, "--value: give two or more columns to compare"),
        (["table.csv", "--value", "fast", "--value", "fast"], 2, "'fast' is given twice; a column is compared"),
        (["table.csv", "--value", "fast", "--value", "x"], 3, "table.csv: has no column 'x'"),
        (["table.csv", "--value", "fast", "--value", "slow", "-m", "x", "-m", "y"], 2, "values have one name"),
        (["table.csv", "--value", "fast", "--value", "slow", "--ties", "trec"], 2, "--ties: it does not apply"),
        (["table.csv", "--value", "fast", "--value", "slow", "--truth", "truth"], 2, "--truth: it does not apply"),
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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*RUNS, "--task", "regression"), "regression needs --truth and --pred"),
        ((*LABELS, "--task", "regression", "--positive", "1"), "--positive: it does not apply to regression"),
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


def test_a_row_without_a_group_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("gap.csv").write_text("a,b,g\n1,2,x\n2,3,\n3,5,y\n")
    status, out, err = call(capsys, "gap.csv", "--value", "a", "--value", "b", "--groups", "g")
    assert (status, out) == (3, "")
    assert "gap.csv" in err


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
    return write_wide(files)
