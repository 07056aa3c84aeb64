"""Wrong usage has status 2 and names its option, and notes below tables tell what is there."""

import re
import shlex
from pathlib import Path

import pytest

from certus.cli.app import run

QUERIES = [str(position) for position in range(8)]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text("y,p,g\n" + "1,.9,a\n0,.2,a\n1,.4,b\n0,.6,b\n" * 5)
    (tmp_path / "u.csv").write_text("i,y,p,g\n" + "".join(f"{row},{row % 2},.9,{row % 3 % 2}\n" for row in range(9)))
    (tmp_path / "topics.csv").write_text("t,a,b\n1,.5,.6\n2,.3,.4\n")
    (tmp_path / "qrels").write_text("".join(f"{query} 0 a 1\n{query} 0 b 0\n" for query in QUERIES))
    for step in (1, 2, 3):
        first = ["ab"[position % (step + 1) == 0] for position in range(8)]
        lines = [f"{query} Q0 {doc} 1 2 t\n" for query, doc in zip(QUERIES, first, strict=True)]
        (tmp_path / f"run{step}").write_text("".join(lines))
    (tmp_path / "one").write_text("3 Q0 a 1 2 t\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("topics topics.csv --topic t --value a --value b --floor 0", "--floor: 0 is not above 0 and below 1"),
        ("evaluate t.csv --truth y --score p -m Accuracy", "Accuracy: it is computed from --pred, which is not given"),
        ("evaluate t.csv --truth y --pred y -m AUC", "AUC: it is computed from --score, which is not given"),
        (
            "evaluate t.csv --truth y --pred g --score p -m Accuracy -m F1",
            "--score -m: Accuracy, F1 are not computed from --score; leave it out, or name a metric that is: AP, AUC,",
        ),
        (
            "evaluate t.csv --truth y --pred g --score p -m AUC",
            "--pred -m: AUC is not computed from --pred",
        ),
        ("evaluate t.csv t.csv --truth y --pred g --score p -m AUC", "--pred -m: AUC is not computed from --pred"),
        (
            "compare u.csv t.csv --id i --truth y --pred g --score p -m F1",
            "--score -m: F1 is not computed",
        ),
        (
            "evaluate t.csv --truth y --pred g --plot x.txt",
            "--plot: x.txt must end in .pdf, .png, .svg, or be a folder",
        ),
        ("curve qrels run1 -m P -m P", "-m: P is asked for twice; name each metric once"),
        ("curve qrels run1 -m P -m Precision", "-m: P is asked for twice; name each metric once"),
        ("evaluate t.csv --truth y --score p -m AUC --groups g --chance", "(AUC was computed with groups; samples"),
    ],
)
def test_wrong_usage_names_the_option_and_has_status_2(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = run(line.split())
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_suggestion_ends_the_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evalute"]) == 2
    assert capsys.readouterr().err == "certus: no such command 'evalute'; did you mean 'evaluate'?\n"
    assert run(["evaluate", "t.csv", "--plot", "p.png", "--picture", "rac"]) == 2
    assert capsys.readouterr().err.endswith("did you mean 'roc'?\n")


def test_a_column_that_only_the_report_shows_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    columns = ["--truth", "y", "--pred", "y", "--score", "p"]
    assert run(["evaluate", "t.csv", *columns, "-m", "Accuracy", "--format", "report"]) == 0
    assert "ROC" in capsys.readouterr().out


def test_a_comparison_tells_of_labels_that_the_truth_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "t.csv", "--truth", "y", "--pred", "y", "--pred", "g", "-m", "Accuracy"]) == 0
    said = "t.csv: g: truth and prediction have no label in common: the truth has '0', the prediction has 'a'"
    err = " ".join(capsys.readouterr().err.split())
    assert err == f"certus: warning: {said}; are they the columns that were meant?"
    assert err.count("warning") == 1


def test_a_table_without_an_interval_names_no_method(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "qrels", "one", "-m", "AP"]) == 0
    out = capsys.readouterr().out
    assert "1 query alone has no variance" in out
    assert "intervals:" not in out


def test_a_remark_on_all_pairs_names_each_pair_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "qrels", "run1", "run2", "run3", "-m", "AP", "--test", "sign"]) == 0
    remark = next(line for line in capsys.readouterr().out.splitlines() if "limits of the median" in line)
    pairs = remark.partition(":")[0].split(", ")
    assert len(set(pairs)) == len(pairs) == 3
    assert all(" minus " in pair for pair in pairs)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--simultaneous --correction holm", "with --simultaneous take 'max-t' or 'bonferroni', or no --correction"),
        (
            "--correction max-t --test sign",
            "max-t compares means, but --test sign does not; take --correction holm, or",
        ),
        ("--correction tukey-hsd --baseline run1", "leave out --baseline, or take --correction max-t"),
        (
            "--correction tukey-hsd --alternative less --baseline run1",
            "tukey-hsd has two sides; take --correction max-t for one",
        ),
        ("--simultaneous --correction max-t --test sign", "take --correction bonferroni"),
        ("--margin .1 --assume symmetric --test t", "--assume"),
    ],
)
def test_an_error_names_options_where_python_has_keywords(
    options: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = ["run1", "run2", "run3"][: 2 if "less" in options else 3]
    assert run(["compare", "qrels", *runs, "-m", "AP", *options.split()]) in (2, 3)
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
    assert re.search(r"\b[a-z_]+=", err) is None


def test_a_warning_names_options_where_python_has_keywords(capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(
        f"{position % 2},{position % 2 + position % 5 / 50},{100 * (-1) ** (position // 2)}\n" for position in range(40)
    )
    Path("uneven.csv").write_text(f"a,b,c\n{rows}")
    columns = ["--value", "a", "--value", "b", "--value", "c", "--correction", "tukey-hsd"]
    assert run(["compare", "uneven.csv", *columns]) == 0
    assert "than its level says, take --correction max-t" in " ".join(capsys.readouterr().err.split())


def test_what_a_user_calls_his_own_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    Path("k.csv").write_text("y,p\ntest='sign',a\nb,correction=holm\n")
    assert run(["evaluate", "k.csv", "--truth", "y", "--pred", "p", "-m", "F1"]) == 3
    err = capsys.readouterr().err
    assert "correction=holm" in err
    assert "test='sign'" in err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "evaluate t.csv --truth y --pred g --task classification --missing-values ''",
            "--missing-values is ['']; give words, such as 'NA'",
        ),
        ("hits 1,2 --population -5", "--population is -5; it must be a whole number of at least 2"),
        ("audit plan --positives 9 --recall 1.8 --half-width .1", "--recall is 1.8"),
        ("chance ap --items 5 --relevant 7", "--relevant is 7, but there are only 5 items"),
        ("evaluate t.csv --truth y --score p -m AUC --level 0", "invalid value for --level: 0 is not between 0 and 1"),
    ],
)
def test_a_wrong_value_of_an_option_has_status_2_in_every_command(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = run(shlex.split(line))
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.startswith(f"certus: {said}")


@pytest.mark.parametrize("line", ["evaluate t.csv --level x", "evaluate t.csv --level", "evaluate --seed -1", "pool"])
def test_messages_name_options_without_quotes(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(line.split()) == 2
    start = capsys.readouterr().err.removeprefix("certus: ").partition(": ")[0]
    assert start.startswith(("invalid value for --", "option --level requires", "missing argument "))
    assert "'" not in start


def test_a_label_with_a_line_end_is_named_in_quotes_and_escaped_once(capsys: pytest.CaptureFixture[str]) -> None:
    Path("lines.csv").write_text('y,p\n"a\nb",c\n"a\nb",d\n')
    line = ["evaluate", "lines.csv", "--truth", "y", "--pred", "p", "-m"]
    assert run([*line, "Accuracy"]) == 0
    assert r"the truth has 'a\nb', the prediction has 'c'" in capsys.readouterr().err
    assert run([*line, "Precision", "--average", "macro", "--labels", '"a\nb",c']) == 0
    capsys.readouterr()
    assert run([*line, "Precision", "--average", "macro", "--labels", "a\nb,c"]) == 2
    assert r"'a\nb,c' has a line end outside of quotes" in capsys.readouterr().err
