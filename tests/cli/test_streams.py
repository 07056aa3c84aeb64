"""``certus evaluate`` of several files, of queries and of saved states: read in batches, evaluated as one table."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import certus
from certus.cli import app

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet")
NAMES = ["--truth", "y", "--score", "p", "-m", "AUC", "-m", "LogLoss"]


def columns() -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 900)
    return truth, np.clip(np.round(0.3 * truth + 0.6 * rng.random(900), 3), 0.01, 0.99)


@pytest.fixture(autouse=True)
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    truth, score = columns()
    for number in range(3):
        rows = slice(300 * number, 300 * number + 300)
        table = pa.table({"y": truth[rows], "p": score[rows]})
        parquet.write_table(table, tmp_path / f"part-{number}.parquet", row_group_size=100)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def close(rows: list[tuple[Any, ...]]) -> list[Any]:
    """The rows: values are the same digits, the ends of intervals from sums to 1e-12."""
    return [(*row[:2], *(pytest.approx(end, rel=1e-12) for end in row[2:4]), row[4]) for row in rows]


def values(capsys: pytest.CaptureFixture[str], *line: str) -> list[tuple[Any, ...]]:
    status = app.run(["evaluate", *line, "--format", "json"])
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    return [(row["metric"], row["value"], row["low"], row["high"], row["n"]) for row in json.loads(out)["rows"]]


def refusal(capsys: pytest.CaptureFixture[str], *line: str) -> tuple[int, str]:
    status = app.run(["evaluate", *line])
    out, err = capsys.readouterr()
    assert out == ""
    return status, " ".join(err.split())


def expected() -> list[tuple[Any, ...]]:
    truth, score = columns()
    table = certus.evaluate(truth, None, ["AUC", "LogLoss"], y_score=score, task="classification")
    return [(row.metric, row.value, row.low, row.high, row.n) for row in table]


def test_a_pattern_of_files_is_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert values(capsys, "part-*.parquet", *NAMES) == close(expected())
    assert values(capsys, "part-2.parquet", "part-0.parquet", "part-1.parquet", *NAMES) == close(expected())
    assert values(capsys, ".", *NAMES) == close(expected())


def test_files_of_several_formats_are_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    truth, score = columns()
    lines = "".join(f"{y},{p!r}\n" for y, p in zip(truth[:300].tolist(), score[:300].tolist(), strict=True))
    Path("part-0.csv").write_text("y,p\n" + lines)
    assert values(capsys, "part-0.csv", "part-1.parquet", "part-2.parquet", *NAMES) == close(expected())


def test_interrupted_work_goes_on_from_the_saved_state(capsys: pytest.CaptureFixture[str]) -> None:
    whole = Path("part-2.parquet").read_bytes()
    Path("part-2.parquet").write_bytes(whole[:-8])
    line = ["part-*.parquet", *NAMES, "--save-state", "all.state"]
    status, err = refusal(capsys, *line)
    assert status == 3
    assert "part-2.parquet" in err
    Path("part-2.parquet").write_bytes(whole)
    os.utime("part-0.parquet")
    before = Path("all.state").stat().st_size
    assert values(capsys, *line) == close(expected())
    assert Path("all.state").stat().st_size != before
    # What is read already is not read again, but its size is looked at.
    assert values(capsys, *line) == close(expected())
    Path("part-1.parquet").write_bytes(b"other")
    assert "part-1.parquet: may have changed" in refusal(capsys, *line)[1]


def test_states_of_several_runs_are_merged(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        values(capsys, f"part-{number}.parquet", *NAMES, "--save-state", f"{number}.state")
    states = [word for number in (2, 0, 1) for word in ("--state", f"{number}.state")]
    assert values(capsys, *states) == close(expected())
    assert values(capsys, "part-2.parquet", *NAMES, "--state", "0.state", "--state", "1.state") == close(expected())
    truth, score = columns()
    state = certus.State(["AUC", "LogLoss"])
    state.update(truth[:300], score=score[:300])
    Path("0.state").write_bytes(state.to_bytes())
    assert values(capsys, *states) == close(expected())


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        (
            ["--state", "0.state", "--state", "0.state"],
            3,
            "--state 0.state: has the rows of part-0.parquet, which another",
        ),
        (["--state", "0.state", "-m", "AUC"], 2, "it is in the states already"),
        (["--state", "0.state", "--truth", "y"], 2, "it is in the states already"),
        (["--state", "none.state"], 3, "none.state: no such file"),
        (["--state", "part-0.parquet"], 3, "part-0.parquet: these are not the bytes of a state"),
        (["part-1.parquet", "--truth", "y", "--score", "p", "-m", "AP", "--state", "0.state"], 3, "was made with"),
        (["part-*.parquet", *NAMES, "--save-state", "no/a.state"], 74, "no/a.state cannot be written"),
        (["part-*.parquet", *NAMES, "--per-query"], 2, "have no values of their own"),
        (["part-*.parquet", *NAMES, "--plot", "x"], 2, "has no meaning for rows that are read in batches"),
        (["part-0.parquet", "part-0.parquet", *NAMES], 3, "part-0.parquet: is given twice"),
        (["q-*.parquet", *NAMES], 3, "q-*.parquet: no file matches"),
        (["--save-state", "a.state"], 2, "give the tables whose rows are saved"),
        (["--database", "x.db"], 2, "give the query of its rows with --sql"),
        (["part-*.parquet", "--truth", "y", "--score", "q", "-m", "AUC"], 3, "part-0.parquet: there is no column 'q'"),
    ],
)
def test_what_makes_no_sense_is_refused(
    capsys: pytest.CaptureFixture[str], line: list[str], status: int, message: str
) -> None:
    values(capsys, "part-0.parquet", *NAMES, "--save-state", "0.state")
    found, err = refusal(capsys, *line)
    assert message in err
    assert found == status


def test_a_positive_class_and_classes_of_columns_are_those_of_the_files(capsys: pytest.CaptureFixture[str]) -> None:
    truth, score = columns()
    for number, rows in enumerate((slice(0, 500), slice(500, 900))):
        text = np.where(truth[rows] == 1, "yes", "no")
        parquet.write_table(pa.table({"y": text, "p": score[rows], "q": 1 - score[rows]}), f"t{number}.parquet")
    same = [row[1] for row in expected()]
    for more in (["--score", "p", "--positive", "yes"], ["--score", "yes=p"]):
        found = values(capsys, "t*.parquet", "--truth", "y", "-m", "AUC", "-m", "LogLoss", *more)
        assert [row[1] for row in found] == same
    both = ["--score", "yes=p", "--score", "no=q"]
    found = values(capsys, "t*.parquet", "--truth", "y", "-m", "LogLoss", *both)
    assert found[0][1] == pytest.approx(same[1], rel=1e-12)


def test_a_query_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    assert values(capsys, "--sql", "select * from 'part-*.parquet'", *NAMES) == close(expected())
    with duckdb.connect("predictions.db") as connection:
        connection.sql("create table preds as select *, 'today' as day from 'part-*.parquet'")
    query = ["--database", "predictions.db", *NAMES]
    assert values(capsys, "--sql", "select y, p from preds where day = 'today'", *query) == close(expected())
    assert "Catalog Error" in refusal(capsys, "--sql", "select * from nothing", *query)[1]
    assert "have no rows" in refusal(capsys, "--sql", "create table t (y int)", *NAMES)[1]
    assert "give no file" in refusal(capsys, "part-0.parquet", "--sql", "select 1", *NAMES)[1]
    assert "Conversion Error" in refusal(capsys, "--sql", "select y, 'x'::double as p from preds", *query)[1]


def test_a_terminal_shows_rows_and_rate() -> None:
    script = (
        "import sys, time; from certus.cli._progress import working\n"
        "with working('evaluating', patience=0.1) as work:\n"
        "    while not work.shown:\n        time.sleep(0.01)\n"
        "    work(3000); time.sleep(0.3); work(1000); time.sleep(0.3)\n"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", script], stderr=theirs, env={**os.environ, "COLUMNS": "100"}) as run:
        assert run.wait(60) == 0
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "evaluating, 4,000 rows," in shown
    assert "a second" in shown


def test_bounds_of_many_scores_hold_the_values(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 240_000)
    score = truth + rng.normal(size=len(truth))
    for number, rows in enumerate(np.array_split(np.arange(len(truth)), 2)):
        parquet.write_table(pa.table({"y": truth[rows], "p": score[rows]}), f"many-{number}.parquet")
    line = ["evaluate", "many-*.parquet", "--truth", "y", "--score", "p", "--bounds", "--save-state", "few.state"]
    assert app.run([*line, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    values = {
        row.metric: row.value
        for row in certus.evaluate(truth, None, ["AUC", "AP", "KS"], y_score=score, task="classification")
    }
    found = {row["metric"]: row for row in json.loads(out)}
    assert list(found) == list(values)
    for metric, value in values.items():
        row = found[metric]
        assert row["least"] <= value <= row["greatest"] < row["least"] + 1e-3
        assert row["least"] < row["greatest"]
        assert row["n"] == len(truth)
    assert Path("few.state").stat().st_size < 131_072 * 18
    # Of a saved state the same bounds; it gives no table.
    assert app.run(["evaluate", "--state", "few.state", "--bounds", "--format", "json"]) == 0
    assert capsys.readouterr().out == out
    status, err = refusal(capsys, "--state", "few.state")
    assert (status, "scores were rounded, as --bounds asks for" in err) == (3, True)


def test_bounds_of_few_scores_are_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["evaluate", "part-0.parquet", "--truth", "y", "--score", "p", "-m", "AUC", "--bounds"]) == 0
    truth, score = columns()
    value = certus.classification.roc_auc(truth[:300], score[:300]).value
    head, row = capsys.readouterr().out.splitlines()
    assert (head.split(), row.split()) == (
        ["metric", "least", "greatest", "n"],
        ["AUC", f"{value:.6f}", f"{value:.6f}", "300"],
    )


@pytest.mark.parametrize(
    ("more", "status", "message"),
    [
        (["-m", "LogLoss"], 2, "--bounds gives bounds of AUC, AP, KS, not of LogLoss; leave it out"),
        (["--groups", "y"], 3, "--bounds is for"),
        (["--by", "y"], 2, "has no meaning for bounds, which are certain"),
        (["--interval", "bca"], 2, "has no meaning for bounds, which are certain"),
        (["--level", "0.9"], 2, "has no meaning for bounds, which are certain"),
        (["--format", "latex"], 2, "bounds are written as text, json, csv, not as latex"),
        (["--sort", "AUC"], 2, "has no meaning for bounds, which are certain"),
    ],
)
def test_what_has_no_bounds_is_refused(
    capsys: pytest.CaptureFixture[str], more: list[str], status: int, message: str
) -> None:
    found, err = refusal(capsys, "part-*.parquet", "--truth", "y", "--score", "p", "--bounds", *more)
    assert (found, message in err) == (status, True), err
