"""``certus pool``: the file of documents to be judged, which is never replaced."""

import json
from pathlib import Path

import pytest

import certus
from certus.cli import app


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.run").write_text("q1 Q0 d1 1 3 a\nq1 Q0 d2 2 2 a\nq1 Q0 d3 3 1 a\n")
    (tmp_path / "runs" / "b.run").write_text("q1 Q0 d5 1 3 b\nq1 Q0 d1 2 2 b\nq2 Q0 e1 1 1 b\n")
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq1 0 d2 1\nq1 0 d5 0\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = app.run(("pool", *arguments))
    return (status, *capsys.readouterr())


def test_the_pool_is_printed_or_written_with_what_each_run_adds(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = call(capsys, "runs/*.run", "--depth", "2")
    assert (status, out, err) == (0, "q1 0 d1 -1\nq1 0 d2 -1\nq1 0 d5 -1\nq2 0 e1 -1\n", "")
    status, table, _ = call(capsys, "runs", "--depth", "2", "-o", "pool.qrels", "--format", "json")
    assert (folder / "pool.qrels").read_text() == out
    assert json.loads(table) == [
        {"run": "a.run", "documents": 2, "alone": 1},
        {"run": "b.run", "documents": 3, "alone": 2},
        {"run": "pool", "documents": 4, "alone": None},
    ]


def test_a_pool_is_never_replaced_and_is_read_back_as_qrels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "runs", "-o", "pool.qrels")[0] == 0
    text = (folder / "pool.qrels").read_text().replace("d1 -1", "d1 1")
    (folder / "pool.qrels").write_text(text)
    status, _, err = call(capsys, "runs", "-o", "pool.qrels")
    assert status == 2
    assert "pool.qrels exists and may hold judgments; give a new name" in err
    assert (folder / "pool.qrels").read_text() == text
    assert certus.read_qrels("pool.qrels").to_dict()["q1"]["d1"] == 1
    for command in (["evaluate", "pool.qrels", "runs/a.run", "-m", "infAP"], ["audit", "ranking", "pool.qrels"]):
        line = command if command[0] == "evaluate" else [*command, "runs/a.run", "-m", "statAP"]
        assert app.run([*line, "--format", "csv"]) == 0
        assert "a.run" in capsys.readouterr().out


def test_the_bias_of_the_pool_is_shown_run_by_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "runs", "--depth", "2", "--judged", "qrels", "-m", "P@2", "-m", "AP")
    assert status == 0
    assert out.splitlines() == [
        "run    metric   value  without   percent  alone",
        "a.run  P@2     1.0000   0.5000  -50.0000      1",
        "a.run  AP      1.0000   1.0000    0.0000      1",
        "b.run  P@2     0.5000   0.5000    0.0000      1",
        "b.run  AP      0.2500   0.2500    0.0000      1",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "3"], "--size does not apply to method 'depth', which takes all; use 'rrf' or 'mtf'"),
        (["--method", "rrf"], "--size: rrf needs the number of documents of a query"),
        (["-m", "AP"], "-m: needs judgments; give --judged, too"),
        (["--rel", "2"], "--rel: is for judgments; give --judged, too"),
        (["--format", "json"], "--format: is for the tables of -o and -m; a pool is TREC qrels"),
        (["-m", "AP", "--judged", "qrels", "--seed", "1"], "--seed: is for a pool, and -m makes none"),
        (["runs/a.run"], "a.run is given twice"),
    ],
)
def test_what_makes_no_pool_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    status, out, err = call(capsys, "runs", *arguments)
    assert (status, out) == (2, "")
    assert message in err.replace("invalid value for ", "")
