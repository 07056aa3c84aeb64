"""``certus evaluate --plot``: one picture to a file, or those of a task to a folder."""

from pathlib import Path

import pytest

from certus import tasks
from certus.cli import app

pytest.importorskip("matplotlib")
RUNS = ["qrels", "a.run", "b.run", "-m", "AP"]
TABLE = ["t.csv", "--truth", "y", "--pred", "p", "-m", "Accuracy"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq1 0 d2 1\nq2 0 d1 1\n")
    for name, sign in (("a", 1), ("b", -1)):
        lines = [f"q{q} Q0 d{d} 1 {sign * (d + q)} {name}\n" for q in (1, 2) for d in (1, 2, 3)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    (tmp_path / "t.csv").write_text("y,p,g\n" + "1,1,u\n0,0,u\n1,0,v\n0,0,v\n" * 3)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = app.run(("evaluate", *arguments))
    return (status, *capsys.readouterr())


@pytest.mark.parametrize("picture", ["values", "per-query", *tasks.task("ranking").drawn])
def test_each_picture_of_runs_is_a_file_and_changes_no_output(
    files: Path, capsys: pytest.CaptureFixture[str], picture: str
) -> None:
    status, out, err = call(capsys, *RUNS, "--plot", "p.svg", "--picture", picture)
    assert (status, err) == (0, "")
    assert (files / "p.svg").stat().st_size > 2000
    assert out == call(capsys, *RUNS)[1]


def test_a_file_without_a_picture_named_has_the_values_and_a_folder_those_of_the_task(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, *TABLE, "--by", "g", "--plot", "p.png")[0] == 0
    assert (files / "p.png").read_bytes().startswith(b"\x89PNG")
    assert call(capsys, *RUNS, "--plot", "all")[0] == 0
    assert {path.stem for path in (files / "all").iterdir()} == set(tasks.task("ranking").drawn)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*RUNS, "--picture", "ndcg"), "--picture: says what --plot draws, which is not given"),
        ((*RUNS, "--plot", "p.png", "--picture", "ndgc"), "no picture is named 'ndgc'; did you mean 'ndcg'?"),
        (
            (*RUNS, "--plot", "p.png", "--picture", "roc"),
            "'roc' is not a picture of ranking; there are values, per-query,",
        ),
        (
            (*TABLE, "--plot", "p.png", "--picture", "per-query"),
            "'per-query' is not a picture of classification; there",
        ),
        (
            (*TABLE, "--plot", "p.png", "--picture", "roc"),
            "--picture is 'roc'; the pictures of this table are 'values',",
        ),
        ((*RUNS, "--plot", "p", "--picture", "ndcg"), "--plot: p must end in .pdf, .png, .svg"),
        ((*RUNS, "--plot", "p.png", "-o", "p.png"), "-o: p.png must end in .txt"),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    status, _, err = call(capsys, *arguments)
    assert status == 2, err
    assert said in err
