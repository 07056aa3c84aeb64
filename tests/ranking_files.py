"""The same rankings in every format of files, and in DataFrames."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from pyarrow import feather, parquet

from certus.io import as_qrels
from certus.io.rank import rank

Row = tuple[str, str, float]
QRELS = {"1": {"a": 2, "b": 0}, "007": {"c": 1}}
RUN: list[Row] = [("1", "a", 2.5), ("1", "x", 1.5), ("007", "b", 7.0), ("007", "c", -0.001)]
MANY = "run,qid,docno,score\nbm25,1,a,2\ndpr,1,x,3\nbm25,007,c,1\ndpr,1,a,2\ndpr,007,c,9\n"
"""Two runs in one table."""
NESTED = {"1": {"a": 2.5, "x": 1.5}, "007": {"b": 7.0, "c": -0.001}}


def columns_of(rows: Sequence[Row]) -> dict[str, list[Any]]:
    queries, docs, values = map(list, zip(*rows, strict=True))
    return {"query_id": queries, "doc_id": docs, "value": values}


def delimited(rows: list[Row], value: str, separator: str) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(["query_id", "doc_id", value])
    writer.writerows((query, doc, repr(number)) for query, doc, number in rows)
    return out.getvalue().encode()


def nested_json(rows: list[Row]) -> bytes:
    nested: dict[str, dict[str, float]] = {}
    for query, doc, number in rows:
        nested.setdefault(query, {})[doc] = number
    return json.dumps(nested).encode()


def json_lines(rows: list[Row], value: str) -> bytes:
    objects = [{"query_id": query, "doc_id": doc, value: number} for query, doc, number in rows]
    return b"".join(json.dumps(each).encode() + b"\n" for each in objects)


def arrow(rows: list[Row], value: str, write: Callable[[Any, Any], object]) -> bytes:
    columns = columns_of(rows)
    columns[value] = columns.pop("value")
    out = io.BytesIO()
    write(pa.table(columns), out)
    return out.getvalue()


def arrow_stream(table: Any, out: Any) -> None:
    with pa.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)


def trec(rows: list[Row], value: str) -> bytes:
    if value == "score":
        return b"".join(f"{query} Q0 {doc} 1 {number!r} t\n".encode() for query, doc, number in rows)
    return b"".join(f"{query} 0 {doc} {number}\n".encode() for query, doc, number in rows)


WRITERS: dict[str, Callable[[list[Row], str], bytes]] = {
    "trec": trec,
    "json": lambda rows, value: nested_json(rows),
    "csv": lambda rows, value: delimited(rows, value, ","),
    "tsv": lambda rows, value: delimited(rows, value, "\t"),
    "jsonl": json_lines,
    "parquet": lambda rows, value: arrow(rows, value, parquet.write_table),
    "arrow": lambda rows, value: arrow(rows, value, arrow_stream),
    "Feather": lambda rows, value: arrow(rows, value, feather.write_feather),
    "CSV by pandas": lambda rows, value: renamed(rows, value).to_csv(index=False).encode(),
    "JSON Lines by polars": lambda rows, value: (
        pl.DataFrame(columns_of(rows)).rename({"value": value}).write_ndjson().encode()
    ),
    "Parquet by polars": lambda rows, value: parquet_by_polars(rows, value),
}
FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas of objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "polars": pl.DataFrame,
    "polars, lazy": pl.LazyFrame,
    "pyarrow": pa.table,
}


def renamed(rows: list[Row], value: str) -> Any:
    return pd.DataFrame(columns_of(rows)).rename(columns={"value": value})


def parquet_by_polars(rows: list[Row], value: str) -> bytes:
    out = io.BytesIO()
    pl.DataFrame(columns_of(rows)).rename({"value": value}).write_parquet(out)
    return out.getvalue()


def ranked(run: Any, qrels: Any) -> list[list[Any]]:
    """All that metrics see of a run."""
    columns = rank(as_qrels(qrels), run).ranking.columns
    return [np.asarray(each).tolist() for each in columns]
