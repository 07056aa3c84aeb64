"""Tables of predictions in files of pyarrow and in frames, and what is refused of them."""

import gzip
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet
from reader_files import Put, labels, putter

import certus
from certus.io import read_predictions
from certus.io.predictions import as_predictions


@pytest.fixture
def put(tmp_path: Path) -> Put:
    return putter(tmp_path, "in.csv")


FRAME = {"t": ["a", "b", "a"], "p": [0.5, 1.5, -1.0], "i": [0, 1, 1], "b": [True, False, True]}


def as_bytes(kind: str) -> bytes:
    table, out = pa.table(FRAME), io.BytesIO()
    if kind == "parquet":
        parquet.write_table(table, out)
    elif kind == "feather":
        feather.write_feather(table, out)
    else:
        with (pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file)(out, table.schema) as writer:
            writer.write_table(table)
    return out.getvalue()


@pytest.mark.parametrize(
    "kind", ["parquet", "feather", "stream", "arrow", "gzip", "pandas", "polars", "lazy", "pyarrow"]
)
def test_files_of_pyarrow_and_frames_give_the_same_columns(kind: str, put: Put) -> None:
    frames = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "lazy": pl.LazyFrame, "pyarrow": pa.table}
    if kind in frames:
        data: Any = frames[kind](FRAME)
    else:
        data = put(gzip.compress(as_bytes("parquet")) if kind == "gzip" else as_bytes(kind), "in.bin")
    found = as_predictions(data).read(["t", "i", "b"], ["p", "i"], ["b"])
    assert {name: column.tolist() for name, column in found.labels.items()} == {name: FRAME[name] for name in "tib"}
    assert found.numbers["p"].tolist() == FRAME["p"]
    assert found.numbers["i"].tolist() == [0.0, 1.0, 1.0]
    assert found.keys["b"].tolist() == FRAME["b"]


def test_single_precision_stays_single_precision() -> None:
    frame = pa.table({"p": pa.array([0.1, 0.2], pa.float32())})
    assert as_predictions(frame).read(numbers=["p"]).numbers["p"].dtype == np.float32


def test_categories_are_labels_and_whole_floats_are_whole_numbers() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["x", "y", "x"]), "f": [1.0, 0.0, 1.0], "h": [0.5, 1.0, 1.0]})
    assert labels(frame, "c", "f", "h") == [["x", "y", "x"], [1, 0, 1], [0.5, 1.0, 1.0]]
    assert labels(pl.from_pandas(frame), "c") == [["x", "y", "x"]]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.DataFrame({"t": ["a", None], "p": [1, 2]}),
            "data: row 1 of column 't' is missing; fill it or drop the row",
        ),
        (pl.DataFrame({"t": ["a", "b"], "p": [float("nan"), 2]}), "data: row 0 of column 'p' is missing"),
        (pd.DataFrame({"t": ["a", "b"], "p": [1.0, None]}), "data: row 1 of column 'p' is missing"),
        (pd.DataFrame({"t": ["a", ""], "p": [1, 2]}), "data: row 1 of column 't' is empty"),
        (
            pd.DataFrame({"t": ["a", 1], "p": [1, 2]}),
            "data: column 't' holds values of type int and str; labels are all",
        ),
        (pl.DataFrame({"t": [[1], [2]], "p": [1, 2]}), "data: column 't' holds values of type list"),
        (pd.DataFrame({"t": ["a", "b"], "p": ["1", "2"]}), "data: column 'p' is of type String; it must hold numbers"),
        (pd.DataFrame({"t": ["a"], "score": [1]}), "data: has no column 'p'; it has 't', 'score'"),
        (pd.DataFrame({"t": [], "p": []}), "data: names its columns but has no rows"),
        (pd.DataFrame([["a", "b", 1]], columns=["t", "t", "p"]), "data: has two columns of one name"),
        ({"t": ["a"]}, "data: is of type dict; expected a path or a DataFrame"),
        (None, "data: is of type NoneType"),
    ],
)
def test_frames_that_cannot_be_read_name_their_place(frame: Any, message: str) -> None:
    with pytest.raises(certus.DataError, match=message):
        as_predictions(frame, "data").read(labels=["t"], numbers=["p"])


@pytest.mark.parametrize("kind", ["parquet", "feather", "stream"])
def test_a_damaged_arrow_file_is_refused(kind: str, put: Put) -> None:
    whole = as_bytes(kind)
    for end in (8, len(whole) // 2, len(whole) - 9):
        with pytest.raises(certus.DataError, match=r"in\.bin: "):
            read_predictions(put(whole[:end], "in.bin")).read(labels=["t"], numbers=["p"])


def test_without_pyarrow_the_error_names_the_extra(put: Put) -> None:
    path = put(as_bytes("parquet"), "in.parquet")
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from certus.io import read_predictions\n"
        "try: read_predictions(sys.argv[1])\n"
        "except ValueError as error: print(error)"
    )
    result = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert result.stdout.strip().endswith("in.parquet: is a Parquet file; to read it: pip install 'certus[arrow]'")


def test_columns_within_objects_are_named_by_all_names(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(
        '{"a": {"b": 1, "c": {"d": "x"}}, "a.b": 5, "e": [[1, 2]], "f": []}\n'
        '{"a": {"c": {"d": "y"}, "b": 2}, "a.b": 6, "e": [], "f": {}}\n'
    )
    table = as_predictions(file)
    assert table.columns == ("a.b", "e", "f", "a.c.d")
    found = table.read(numbers=["a.b"], keys=["a.c.d"])
    assert (found.numbers["a.b"].tolist(), found.keys["a.c.d"].tolist()) == ([5.0, 6.0], ["x", "y"])
    for line in ('{"a": {"c": 1}, "a.b": 1}', '{"a": 3, "a.b": 1}', '{"a": {"c": {"d": 1, "d": 2}}, "a.b": 1}'):
        file.write_text('{"a": {"c": {"d": "x"}}, "a.b": 1}\n' + line + "\n")
        with pytest.raises(certus.DataError, match=r"t\.jsonl:2: has no 'a\.c\.d'; every row must have it, once"):
            as_predictions(file).read(keys=["a.c.d"])
    with pytest.raises(certus.DataError, match=r"has no column 'a'; it has 'a\.b', 'a\.c\.d'"):
        as_predictions(file).read(keys=["a"])


def test_columns_named_by_numbers_are_a_table(put: Put) -> None:
    assert read_predictions(put("0\t1\t2\t3\n1\t0\t2\t3\n")).columns == ("0", "1", "2", "3")
