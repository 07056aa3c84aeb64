"""`--sql` takes one SELECT, which reads the database and the files that it names, and nothing else."""

from pathlib import Path
from typing import Any

import pytest

from certus.cli.app import run

duckdb: Any = pytest.importorskip("duckdb", reason="duckdb is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

ROWS = "select i % 2 as y, (i % 3 = 0)::int as p from range(12) t(i)"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    duckdb.sql(f"copy ({ROWS}) to 'part-1.parquet'")
    duckdb.sql(f"copy ({ROWS}) to 'part-2.parquet'")
    Path("it's.csv").write_text("y,p\n" + "1,1\n0,1\n" * 6)
    Path("secret.csv").write_text("y,p\n1,0\n")
    with duckdb.connect("rows.duckdb") as database:
        database.sql(f"create table preds as {ROWS}")
    return tmp_path


def answered(sql: str, *more: str) -> int:
    return run(["evaluate", "--sql", sql, *more, "--truth", "y", "--pred", "p", "-m", "Accuracy"])


@pytest.mark.parametrize(
    "sql",
    [
        ROWS,
        f"with t as ({ROWS}) select * from t",
        "from 'part-1.parquet'",
        "select * from 'part-*.parquet' where y is not null",
        "select * from './part-?.parquet'",
        "select * from read_parquet(['part-1.parquet', 'part-2.parquet'])",
        "select * from 'it''s.csv' -- 'secret.csv",
        'select * from "part-1.parquet"',
        "select * from read_csv($$it's.csv$$)",
        "select * from read_parquet($tag$part-?.parquet$tag$) where y >= 0",
        "select 1 as y, 1 as p union all /* ünïcode */ select * from 'part-2.parquet'",
    ],
)
def test_one_select_reads_the_files_that_it_names(sql: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(sql) == 0, capsys.readouterr().err
    assert "Accuracy" in capsys.readouterr().out


def test_a_table_is_named_after_the_whole_query(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sql = f"from '{folder}/part-1.parquet' /* of two */"
    assert answered(sql) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"--sql {sql}"


def test_one_select_reads_the_database(capsys: pytest.CaptureFixture[str]) -> None:
    assert answered("select * from preds", "--database", "rows.duckdb") == 0
    assert "Accuracy" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        (f"{ROWS}; {ROWS}", "holds 2 statements; write one SELECT"),
        ("", "holds 0 statements; write one SELECT"),
        (f"copy ({ROWS}) to 'out.csv'", "holds COPY; write one SELECT"),
        ("attach 'other.duckdb'", "holds ATTACH; write one SELECT"),
        ("install httpfs", "holds INSTALL; write one SELECT"),
        ("/* SELECT */ force install httpfs", "holds FORCE; write one SELECT"),
        ("load httpfs", "holds LOAD; write one SELECT"),
        ("pragma version", "holds PRAGMA; write one SELECT"),
        ("set enable_external_access = true", "holds SET; write one SELECT"),
        ("call pragma_version()", "holds CALL; write one SELECT"),
        ("create table t as select 1 as y, 1 as p", "holds CREATE; write one SELECT"),
        (f"explain {ROWS}", "holds EXPLAIN; write one SELECT"),
        ("select * from 'https://example.org/a.parquet'", "names the address 'https://example.org/a.parquet'"),
        ("select * from read_csv('S3://bucket/a.csv')", "names the address 'S3://bucket/a.csv'"),
        ("select * from read_text('secret' || '.csv')", "reads 'secret.csv'; name a file that is there"),
        ("select * from read_csv('sec' || 'ret.csv')", "reads 'secret.csv'; name a file that is there"),
        (
            "select content as y, 1 as p from read_text('secr' || 'et.csv') where exists (from 'part-*.parquet')",
            "reads 'secret.csv'; name a file that is there",
        ),
        ("select getenv('HOME') as y, 1 as p", "getenv does not exist"),
        ("select * from duckdb", "duckdb does not exist"),
        ("select * from 'none.parquet'", "reads 'none.parquet'; name a file that is there"),
    ],
)
def test_everything_else_is_refused(sql: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(Path().iterdir())
    assert answered(sql) in (2, 3)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("certus: --sql: ")
    assert reason in err
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize("sql", ["insert into preds values (1, 1)", "drop table preds", "delete from preds"])
def test_a_database_is_not_changed(sql: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "rows.duckdb").read_bytes()
    assert answered(sql, "--database", "rows.duckdb") == 3
    assert "write one SELECT" in capsys.readouterr().err
    assert (folder / "rows.duckdb").read_bytes() == before
