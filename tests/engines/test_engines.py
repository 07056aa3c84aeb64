"""The examples of docs/engines.md: the digits of all rows at once."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certus

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet")
GUIDE = Path(__file__).parents[2] / "docs" / "engines.md"
METRICS = ["AUC", "LogLoss"]


def rows() -> Any:
    rng = np.random.default_rng(17)
    truth = rng.integers(0, 2, 600)
    score = np.clip(0.3 * truth + 0.6 * rng.random(600), 0.01, 0.99)
    return pa.table({"y": truth, "p": score, "country": rng.choice(["de", "fr"], 600)})


@pytest.fixture(autouse=True)
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        parquet.write_table(rows().slice(200 * number, 200), f"part-{number}.parquet")
    return [f"part-{number}.parquet" for number in range(3)]


def example(title: str, **given: Any) -> dict[str, Any]:
    """The names that the code below a title defines."""
    section = GUIDE.read_text(encoding="utf-8").partition(f"\n## {title}")[2].partition("\n## ")[0]
    code = section.partition("```python\n")[2].partition("```")[0]
    assert code
    exec(compile(code, f"docs/engines.md, {title}", "exec"), given)
    return given


def values(table: certus.Table) -> list[tuple[str, float]]:
    return [(row.metric, row.value) for row in table]


def expected(data: Any, metrics: Any = METRICS) -> list[tuple[str, float]]:
    return values(certus.evaluate(data["y"], None, metrics, y_score=data["p"], task="classification"))


def of_country(country: str) -> Any:
    return rows().filter(pa.compute.equal(rows()["country"], country))


def test_polars_gives_the_digits_of_all_rows_and_of_each_group() -> None:
    pytest.importorskip("polars", reason="polars is not installed")
    pytest.importorskip("pyarrow.compute")
    found = example("polars")
    assert values(found["table"]) == expected(rows())
    each = dict(zip(*found["by_country"].to_dict(as_series=False).values(), strict=True))
    assert each == {country: expected(of_country(country), "AUC")[0][1] for country in ("de", "fr")}


def test_a_relation_of_duckdb_gives_the_digits_of_its_rows() -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    pytest.importorskip("pyarrow.compute")
    assert values(example("DuckDB")["table"]) == expected(of_country("de"))


def test_states_of_dask_tasks_merge_to_the_digits_of_all_rows(parts: list[str]) -> None:
    pytest.importorskip("dask", reason="dask is not installed")
    pytest.importorskip("pandas", reason="pandas is not installed")
    assert values(example("Dask", paths=parts)["table"]) == expected(rows())


def test_states_of_ray_tasks_merge_to_the_digits_of_all_rows(parts: list[str]) -> None:
    """The example, run by tasks that are done at once: the wheel of Ray is too large for every run of the tests."""

    class Task:
        def __init__(self, function: Any) -> None:
            self.remote = function

    class Ray:
        remote = Task

        @staticmethod
        def get(results: list[Any]) -> list[Any]:
            return results

    pytest.importorskip("pandas", reason="pandas is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "ray", Ray)
        assert values(example("Ray", paths=parts)["table"]) == expected(rows())


@pytest.fixture
def uri() -> Iterator[str]:
    """A server of PostgreSQL of this test's own."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    control = str(found[-1]) if found else shutil.which("pg_ctl")
    if control is None:
        pytest.skip("PostgreSQL is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        root: dict[str, Any] = {}
        if os.geteuid() == 0:  # as whom no server of PostgreSQL runs
            shutil.chown(folder, "postgres")
            root = {"user": "postgres"}

        def run(*line: str) -> None:
            command = [control, "-D", f"{folder}/data", "-s", *line]
            subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, **root)

        run("initdb", "-o", "-A trust -U certus --no-sync")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        run("-w", "-t", "300", "-l", f"{folder}/log", "-o", options, "start")
        yield f"postgresql://certus@127.0.0.1:{port}/postgres"
        run("-m", "immediate", "stop")


@pytest.mark.engines
def test_a_query_of_postgresql_gives_the_digits_of_its_rows(uri: str) -> None:
    postgresql = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="adbc-driver-postgresql is not installed")
    data = rows().append_column("day", pa.array(["2026-11-01"] * 400 + ["2026-11-02"] * 200))
    with postgresql.connect(uri) as connection, connection.cursor() as cursor:
        cursor.adbc_ingest("predictions", data)
        connection.commit()
    found = example("PostgreSQL", uri=uri)
    assert values(found["table"]) == expected(rows().slice(0, 400))
    with postgresql.connect(uri) as connection, connection.cursor() as cursor:
        cursor.execute("select y, case when y = 1 then p end as p from predictions")
        with pytest.raises(certus.DataError, match="batch 1: column 'p' is null at index"):
            certus.evaluate(cursor.fetch_record_batch(), metrics="AUC", truth="y", score="p")
        cursor.execute("select y, p::numeric as p from predictions")
        with pytest.raises(certus.DataError, match="batch 1: column 'p' holds text; it must hold numbers"):
            certus.evaluate(cursor.fetch_record_batch(), metrics="AUC", truth="y", score="p")
