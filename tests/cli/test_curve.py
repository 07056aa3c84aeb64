"""``certus curve``: metrics by rank and precision by recall."""

import json
from pathlib import Path

import pytest

from certus.cli import app


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "qrels").write_text("".join(f"abc 0 u{i} {grade}\n" for i, grade in enumerate([5, 2, 4, 4, 4, 4])))
    (tmp_path / "a.run").write_text("".join(f"abc Q0 u{i} {i} {-i} a\n" for i in range(5)))
    (tmp_path / "b.run").write_text("".join(f"abc Q0 u{i} {i} {i} b\n" for i in range(5)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = app.run(("curve", *arguments))
    return (status, *capsys.readouterr())


def test_precision_by_recall_is_what_is_shown_without_a_metric(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = call(capsys, "qrels", "*.run", "--at", "0,0.5,1", "--format", "json")
    rows = json.loads(out)
    assert [(row["run"], row["recall"]) for row in rows] == [
        (run, level) for run in ("a.run", "b.run") for level in (0, 0.5, 1)
    ]
    assert rows[0]["IPrec"] == 1
    assert rows[0]["IPrec low"] is None  # one query has no interval


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--at", "1-x"], "--at: '1-x' is neither a rank nor a level of recall"),
        (["--at", "1-999999999", "-m", "P"], "--at: there are more than 1000 places"),
        (["--at", "5-1", "-m", "P"], "--at: '5-1' does not rise from place to place"),
        (["--at", "1,1", "-m", "P"], "--at: '1,1' does not rise from place to place"),
        (["--plot", "p.png", "-o", "p.png"], "-o: p.png must end in .txt, .text, .json, .csv"),
        (["--plot", "p.avif"], "--plot: p.avif must end in .pdf, .png, .svg"),
        (["-o", "p.csv.gz"], "-o: p.csv.gz would be compressed; files are written plain, leave the .gz out"),
        (["-m", "Rprec"], "-m: Rprec has neither a cutoff nor a level of recall"),
        (["--query", "abc", "--level", "0.9"], "--level: is for means over queries, not for one query"),
    ],
)
def test_what_makes_no_curve_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    status, out, err = call(capsys, "qrels", "a.run", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert sorted(each.name for each in folder.iterdir()) == ["a.run", "b.run", "qrels"]
