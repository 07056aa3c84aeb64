"""The layout and the order of what ``certus evaluate`` prints."""

from pathlib import Path

import pytest
from commands import caller

from certus.cli import app

DOCS = {"best.run": ("d1", "d2", "d3"), "mid.run": ("d3", "d1", "d2"), "worst.run": ("d3", "d4", "d2")}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queries = [f"{i}" for i in range(1, 6)]
    (tmp_path / "qrels.txt").write_text("".join(f"{query} 0 d1 1\n{query} 0 d2 1\n" for query in queries))
    for name, docs in DOCS.items():
        lines = [f"{query} Q0 {doc} {rank} {9 - rank} t\n" for query in queries for rank, doc in enumerate(docs, 1)]
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "t.csv").write_text("y,p\n" + "1,1\n0,1\n0,0\n1,1\n" * 5)
    monkeypatch.chdir(tmp_path)


call = caller("evaluate")


RUNS = ("qrels.txt", "worst.run", "best.run", "mid.run", "-m", "AP", "-m", "P@1")


def test_the_layout_of_an_evaluation_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    _, usual, _ = call(capsys, *RUNS)
    _, matrix, _ = call(capsys, *RUNS, "--layout", "matrix")
    _, rows, _ = call(capsys, *RUNS, "--layout", "rows")
    assert usual == matrix
    assert usual.splitlines()[0].split() == ["run", "AP", "P@1"]
    assert rows.splitlines()[0].split() == ["metric", "run", "value", "95%", "interval", "n"]


@pytest.mark.parametrize("by", ["AP", "map", "P@1"])
def test_runs_are_sorted_by_a_metric_in_any_spelling(capsys: pytest.CaptureFixture[str], by: str) -> None:
    _, out, _ = call(capsys, *RUNS, "--sort", by)
    order = [line.split()[0] for line in out.splitlines()[1:4]]
    expected = ["best.run", "worst.run", "mid.run"] if by == "P@1" else ["best.run", "mid.run", "worst.run"]
    assert order == expected
    _, written, _ = call(capsys, *RUNS, "--sort", by, "--format", "csv")
    assert list(dict.fromkeys(line.split(",")[0] for line in written.splitlines()[1:])) == expected


def test_runs_are_sorted_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, *RUNS, "--sort", "name")
    assert [line.split()[0] for line in out.splitlines()[1:4]] == ["best.run", "mid.run", "worst.run"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*RUNS, "--sort", "RR"), "no metric 'RR' to sort by"),
        ((*RUNS, "--sort", "nmae"), "no metric is named 'nmae'; did you mean"),
        (("qrels.txt", "mid.run", "-m", "AP", "--sort", "AP"), "there is one run, so nothing to sort"),
        ((*RUNS, "--layout", "matrix", "--format", "json"), "json has a row for each value"),
    ],
)
def test_what_cannot_be_sorted_or_laid_out_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert said in err.replace("\n", " ")


def test_a_matrix_of_subgroups_is_an_error_in_the_words_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(
        capsys, *("t.csv", "--task", "classification", "--truth", "y", "--pred", "p", "-m", "Accuracy"),
        *("--by", "y", "--layout", "matrix"),
    )  # fmt: skip
    assert (status, out) == (2, "")
    assert "invalid value for --layout" in err
    assert "the table has several values of one metric and run" in err


def test_a_pattern_of_runs_is_counted_by_its_files(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["compare", "qrels.txt", "*.run", "-m", "AP", "--layout", "matrix"]
    assert app.run(line) == 0
    assert "mid.run" in capsys.readouterr().out
    assert app.run([*line, "--baseline", "best.run"]) == 2
    assert "all pairs of three or more systems" in capsys.readouterr().err
