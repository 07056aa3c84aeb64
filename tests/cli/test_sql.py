"""Statements of `--sql`: one SELECT, which reads the named files and nothing else."""

from pathlib import Path

import pytest

from certus.cli import app

COLUMNS = ("--truth", "y", "--score", "p", "-m", "AUC")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("part-1.csv", "part-2.csv", "secret.csv"):
        (tmp_path / name).write_text("y,p\n0,0.25\n1,0.75\n0,0.5\n1,0.625\n")
    return tmp_path


def evaluated(capsys: pytest.CaptureFixture[str], *given: str) -> tuple[int, str]:
    status = app.run(["evaluate", *given, *COLUMNS])
    return status, " ".join("".join(capsys.readouterr()).split())


@pytest.mark.parametrize("table", ["part-1.csv", "part-*.csv", "{folder}/part-2.csv"])
def test_a_statement_reads_the_files_that_are_named(
    folder: Path, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    code, text = evaluated(capsys, "part-*.csv", "--sql", f"select * from '{table.format(folder=folder)}'; -- all")
    assert code == 0, text
    assert "1.0000" in text


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("select 0 as y, .5 as p; select 1 as y, .5 as p", "is 2 statements; write one SELECT"),
        ("-- select 1\n", "is empty; write one SELECT"),
        ("copy (select 1) to 'out.csv'", "is a statement of type COPY"),
        ("/* select */ attach 'other.db'", "is a statement of type ATTACH"),
        ("install httpfs", "is a statement of type LOAD"),
        ("load 'code.so'", "is a statement of type LOAD"),
        ("pragma version", "is a statement of type PRAGMA"),
        ("set enable_external_access = true", "is a statement of type SET"),
        ("call pragma_version()", "is a statement of type CALL"),
        ("create table t as select 1", "is a statement of type CREATE"),
        ("explain select 1", "is a statement of type EXPLAIN"),
        ("with a as (insert into t values (1) returning *) select * from a", "Catalog Error"),
        ("select * from 'secret.csv'", "named before --sql"),
        ("with a as (select * from read_csv('secret.csv')) select * from a", "named before --sql"),
        ("select * from read_text('part-1.csv/../secret.csv')", "named before --sql"),
        ("select * from glob('/etc/*')", "named before --sql"),
        ("select * from '/etc/passwd'", "Catalog Error"),
        ("select 1 as y, getenv('HOME') as p", "Catalog Error"),
        ("select * from 'https://example.invalid/rows.csv'", "named before --sql"),
        ("select * from COLUMNS", "Catalog Error"),
    ],
)
def test_a_hostile_statement_is_refused(
    folder: Path, statement: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("duckdb")
    before = sorted(folder.iterdir())
    code, text = evaluated(capsys, "part-1.csv", "--sql", statement)
    assert code == 3, text
    assert "--sql" in text
    assert message in text
    assert sorted(folder.iterdir()) == before
