"""Errors on the command line name its options, and leave a user's own words alone."""

from pathlib import Path

import pytest

from certus.classification import accuracy
from certus.cli.app import run
from certus.core.errors import DataError, keyword, mention, options_for, shown_in_python


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        # labels that are called as arguments are
        (
            "t,p\ny_pred,sample_weight\ny_true,y_pred\n",
            ["evaluate", "--task", "classification", "--truth", "t", "--pred", "p", "-m", "F1"],
            "--truth and --pred have 3 classes ('sample_weight', 'y_pred', 'y_true'); --average binary is for two",
        ),
        (
            "t,s\ny_pred,1\ny_score,0\n",
            ["evaluate", "--task", "classification", "--truth", "t", "--score", "s"],
            "the labels of --truth are 'y_pred', 'y_score'; say which is positive with --positive",
        ),
        (
            "t,p\ny_pred,pos_label\nlabels lists,y_pred\n",
            ["evaluate", "--task", "classification", "--truth", "t", "--pred", "p", "-m", "MCC", "--labels", "y_pred"],
            "--labels leaves out 'labels lists', but the correlation is of all classes; list them all or leave out "
            "--labels",
        ),
        (
            "t,y_pred,b\ny_pred,1,2\nx,0,0\n",
            ["evaluate", "--task", "classification", "--truth", "t", "--score", "y_pred", "--positive", "x"],
            "--score is named 'y_pred' after a class, but the positive class is 'x'; give the scores of that class, or "
            "say --positive y_pred",
        ),
        (
            "t,p,w\na,b,1\na,b,-1\n",
            ["evaluate", "--task", "classification", "--truth", "t", "--pred", "p", "--weight", "w"],
            "y_true.csv:3: column 'w' is -1; it must be at least 0",
        ),
        (
            "t,p\n1,2\n2,-3\n",
            ["evaluate", "--task", "regression", "--truth", "t", "--pred", "p", "-m", "MSLE"],
            "y_true.csv:3: column 'p' is -3; the logarithm of 1 + it needs more than -1",
        ),
        (
            "t,a,b\ny_true,labels is,y_pred\ny_pred,y_pred,y_true\n",
            ["compare", "--truth", "t", "--pred", "a", "--pred", "b", "-m", "F1"],
            "a: --truth and --pred have 3 classes ('labels is', 'y_pred', 'y_true'); average='binary' is for two",
        ),
    ],
)
def test_a_text_names_options_and_keeps_what_it_quotes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, arguments: list[str], message: str
) -> None:
    path = tmp_path / "y_true.csv"
    path.write_text(content)
    assert run([arguments[0], str(path), *arguments[1:]]) == 3
    assert f"certus: {path}:" in (err := capsys.readouterr().err)
    assert message in err


def test_a_reason_below_a_table_keeps_what_it_quotes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.csv"
    path.write_text("t,p\nundefined= is,y_pred\ny_pred,y_pred\n")
    run(
        [
            "evaluate",
            "--task",
            "classification",
            str(path),
            "--truth",
            "t",
            "--pred",
            "p",
            "-m",
            "Precision(average='macro')",
        ]
    )
    out = " ".join(capsys.readouterr().out.split())
    assert "of class 'undefined= is'; the convention undefined says what such a class counts as" in out


def test_words_change_only_while_a_command_runs() -> None:
    with (
        pytest.raises(DataError, match=r"^--truth has 1 sample but y_pred has 2;"),
        options_for({"y_true": "--truth"}),
    ):
        accuracy([1], [1, 0])
    with pytest.raises(DataError, match=r"^y_true has 1 sample but y_pred has 2;"):
        accuracy([1], [1, 0])
    mentions = (mention("y_true"), keyword("labels"), keyword("pos_label", "x"))
    assert tuple(map(shown_in_python, mentions)) == ("y_true", "labels=", "pos_label='x'")
