"""``certus evaluate`` of classifiers: bad data, odd labels, and remarks on what looks wrong."""

from pathlib import Path

import pandas as pd
import pytest
from commands import CLASSIFIED, caller, in_folder
from terminal_output import every_format_on_terminal

from certus.cli import app


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return in_folder(tmp_path, monkeypatch, CLASSIFIED)


call = caller("evaluate", "--task", "classification")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.csv", "--truth", "y", "--pred", "p"], "none.csv: no such file"),
        (["b.csv", "--truth", "Y", "--pred", "p"], "b.csv: has no column 'Y'; did you mean 'y'? it has 'y', 'p', 'q'"),
        (["b.csv", "--truth", "y", "--pred", "q"], "b.csv: column 'q' holds numbers such as '0.9'; labels are whole"),
        (["b.csv", "--truth", "y", "--score", "g"], "b.csv:2: column 'g' is 'a', which is not a number"),
        (["b.csv", "--truth", "y", "--score", "q", "--positive", "yes"], "b.csv: --positive is 'yes', but the labels"),
        (["b.csv", "--truth", "y", "--score", "yes=q"], "b.csv: the class of --score is 'yes', but the labels"),
        (["b.csv", "--truth", "y", "--score", "q", "--score", "w"], "has no class named 'q'"),
        (["b.csv", "--truth", "y", "--score", "0=q", "--score", "w"], "b.csv: "),
        (
            ["u.csv", "--truth", "y", "--score", "q", "--positive", "Spam"],
            "'Spam', but the labels are 'ham', 'spam'; did",
        ),
        (["b.csv", "--truth", "g", "--score", "q"], "--truth has 3 labels ('a', 'b', 'c')"),
        (["c.tsv", "--truth", "truth", "--pred", "guess", "-m", "F1"], "--truth and --pred have 3 classes"),
        (["c.tsv", "--truth", "truth", "--score", "cat", "--score", "dog"], "c.tsv: "),
        (
            ["c.tsv", "--truth", "truth", "--pred", "guess", "-m", "Accuracy", "--labels", "cat"],
            "--labels leaves out 'dog'",
        ),
        (["c.tsv", "--truth", "truth", "--pred", "guess", "--labels", "cat,cat"], "--labels lists 'cat' twice"),
        (["c.tsv", "--truth", "truth", "--pred", "guess", "--weight", "guess"], "c.tsv:2: column 'guess' is 'dog'"),
        (["n.csv", "--truth", "y", "--pred", "p", "--weight", "w"], "n.csv:2: column 'w' is -1; it must be at least 0"),
        (["u.csv", "--truth", "y", "--score", "q"], "say which is positive with --positive"),
        (["u.csv", "--truth", "y", "--pred", "y", "-m", "F1"], "say which is positive with --positive"),
    ],
)
def test_bad_data_is_one_line_and_status_3(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    (files / "n.csv").write_text("y,p,w\n1,1,-1\n0,0,1\n")
    (files / "u.csv").write_text("y,q\nspam,0.9\nham,0.2\n")
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (3, "")
    assert err.count("\n") == 1
    assert said in err
    assert "y_true" not in err
    assert err.count("csv:") + err.count("tsv:") <= 1 + err.count("none.csv")


def test_a_column_that_is_not_there_is_said_before_values_are_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--truth", "--groups"):
        asked = {"--truth": "y", "--pred": "p", option: "nope"}
        assert app.run(["evaluate", "b.csv", *(each for pair in asked.items() for each in pair)]) == 3
        assert "b.csv: has no column 'nope'" in capsys.readouterr().err
    assert app.run(["evaluate", "none.csv", "--truth", "y", "--pred", "p"]) == 3
    assert "none.csv: no such file" in capsys.readouterr().err


def test_what_looks_wrong_is_a_warning(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "s.csv").write_text("y,p\nspam,Spam\nham,ham \n")
    status, _, err = call(capsys, "s.csv", "--truth", "y", "--pred", "p")
    assert status == 0
    assert "certus: warning: s.csv: 2 labels differ only by blanks, case or Unicode form" in err
    assert "truth and prediction have no label in common" in err


def test_remarks_name_the_option_and_not_the_argument(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "m.csv").write_text("y,p\na,b\nb,b\nb,b\n")
    _, out, _ = call(capsys, "m.csv", "--truth", "y", "--pred", "p")
    assert "the convention undefined says what such a class counts as" in " ".join(out.split())
    assert "undefined=" not in out


def test_odd_labels_break_no_output(files: Path) -> None:
    odd = [
        "a",
        "x\x1b[31m",
        "\u202etrap",
        "L" * 300,
        "日本語",
        "multi\nline",
        'q"uo,te',
        "|pipe|",
        "<b>",
        "=1+1",
        "שלום",
    ]
    pd.DataFrame({"y": odd * 2, "p": odd + odd[1:] + odd[:1]}).to_csv(files / "odd.csv", index=False)
    line = ["evaluate", "--task", "classification", "odd.csv", "--truth", "y", "--pred", "p"]
    seen = every_format_on_terminal(*line)
    assert "\x1b[31m" not in seen
    assert "\u202e" not in seen


def test_without_a_positive_class_no_class_is_named(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "n.csv").write_text("y,s,g\n0,.2,a\n0,.3,a\n0,.4,b\n")
    for more in ((), ("--by", "g"), ("--memory", "1GB"), ("--format", "html"), ("--format", "markdown")):
        _, out, _ = call(capsys, "n.csv", "--truth", "y", "--score", "s", *more)
        assert "treated as probabilities" in out.replace("<br>", " ")
        assert "None" not in out
