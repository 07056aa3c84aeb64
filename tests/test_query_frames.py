"""Frames of the values of single queries: one row for each query, run and metric, and nothing else."""

from typing import Any

import polars as pl
import pytest

import certus
from certus.table import PerQuery, Row, Table

BACKENDS = ["pandas", "polars", "pyarrow"]


def evaluated(ids: list[str]) -> Table:
    qrels = {query: {"d1": 1} for query in ids}
    runs: Any = {
        "a": {query: {"d1": 2.0, "d2": 1.0} for query in ids},
        "b": {query: {"d1": 1.0, "d2": 2.0} for query in ids},
    }
    return certus.evaluate(qrels, runs, ["AP", "P@1"], per_query=True)


def plain(frame: Any) -> pl.DataFrame:
    found = pl.from_arrow(frame) if type(frame).__module__.startswith("pyarrow") else pl.DataFrame(frame)
    assert isinstance(found, pl.DataFrame)
    return found


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_frame_of_queries_has_no_rows_of_whole_runs_and_no_empty_columns(backend: str) -> None:
    table = evaluated(["q1", "q2", "q3"])
    frame = plain(getattr(table, f"to_{backend.removeprefix('py')}")())
    assert frame.columns == ["run", "query", "metric", "value", "n", "unit"]
    expected = [
        {"run": row.run, "query": row.query, "metric": row.metric, "value": row.value, "n": 1, "unit": "query"}
        for row in table.per_query()
    ]
    assert len(expected) == 12
    assert frame.to_dicts() == expected
    assert plain(getattr(table.per_query(), f"to_{backend.removeprefix('py')}")()).equals(frame)
    assert plain(getattr(table.overall(), f"to_{backend.removeprefix('py')}")())["value"].to_list() == [
        row.value for row in table.overall()
    ]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("ids", [["301", "9", "0"], ["-5", "12"], [str(2**63 - 1)]])
def test_ids_that_are_integers_stay_integers(backend: str, ids: list[str]) -> None:
    frame = getattr(evaluated(ids), f"to_{backend.removeprefix('py')}")()
    assert sorted(set(plain(frame)["query"].to_list())) == sorted(map(int, ids))
    if backend == "pandas":
        assert str(frame["query"].dtype) == "int64"


@pytest.mark.parametrize("other", ["007", "+5", "1.0", "1e3", " 1", "-0", "q1", "٣", str(2**63), "1_000", "-"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_one_id_that_an_integer_would_change_keeps_all_as_text(backend: str, other: str) -> None:
    table = Table([], per_query=[PerQuery("a", "AP", ["301", other], [0.5, 1.0])])
    assert plain(getattr(table, f"to_{backend.removeprefix('py')}")())["query"].to_list() == ["301", other]


def test_an_undefined_value_has_its_reason() -> None:
    table = Table([Row("a", "AP", 0.5)], per_query=[PerQuery("a", "AP", ["1", "2"], [0.5, float("nan")])])
    frame = table.to_pandas()
    assert frame["reason"].tolist()[1] == "the value is undefined"
    assert frame["value"].isna().tolist() == [False, True]


@pytest.mark.parametrize("ids", [["301", "9", "0"], ["q1", "007", "2"]])
def test_csv_and_tsv_have_the_rows_and_columns_of_the_frame(ids: list[str]) -> None:
    table = evaluated(ids)
    frame = plain(table.to_polars()).with_columns(pl.col("query").cast(pl.String))
    types = {"query": pl.String}
    for text, separator in ((table.to_csv(), ","), (table.to_tsv(), "\t")):
        assert pl.read_csv(text.encode(), separator=separator, schema_overrides=types).equals(frame)
    assert len(table.overall().to_csv().splitlines()) == 1 + 4
    assert [row["query"] for row in table.to_dicts()].count(None) == 4  # JSON keeps all


def test_an_undefined_value_of_a_query_is_an_empty_cell_of_csv() -> None:
    table = Table([Row("a", "AP", 0.5)], per_query=[PerQuery("a", "AP", ["1", "2"], [0.5, float("nan")])])
    lines = ["run,query,metric,value,n,unit,reason", "a,1,AP,0.5,1,query,", "a,2,AP,,1,query,the value is undefined"]
    assert table.to_csv().splitlines() == lines


def test_a_table_of_no_queries_is_an_empty_frame() -> None:
    assert len(Table([], per_query=[PerQuery("a", "AP", [], [])]).to_pandas()) == 0
