"""Files made to exhaust who reads them: an error in bounded memory, or what they hold."""

import gzip
import itertools
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certus import io
from certus.core import errors, kernels

BLANK = 70_000_000
"""Decompressed bytes, a thousand times those of the file."""


@pytest.fixture(scope="module")
def bombs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bombs")
    (folder / "lines.gz").write_bytes(gzip.compress(b"\n" * BLANK, 1))
    (folder / "json.gz").write_bytes(gzip.compress(b'{"q": {"d": 1' + b" " * BLANK + b"}}", 1))
    return folder


@pytest.mark.parametrize("name", ["lines.gz", "json.gz"])
@pytest.mark.parametrize("reader", [io.read_run, io.read_qrels, io.read_predictions])
def test_a_file_that_grows_without_measure_is_refused(bombs: Path, name: str, reader: Callable[[Path], Any]) -> None:
    with pytest.raises(errors.DataError, match=r"decompresses to more than 200 times its size; .*CERTUS_MAX_RATIO"):
        reader(bombs / name)


def test_the_limit_is_lifted_by_a_variable(bombs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for ratio in ("2000", "unlimited"):
        monkeypatch.setenv("CERTUS_MAX_RATIO", ratio)
        with pytest.raises(errors.DataError, match="holds no"):
            io.read_run(bombs / "lines.gz")
    for ratio in ("0", "-1", "many", "1.5"):
        monkeypatch.setenv("CERTUS_MAX_RATIO", ratio)
        with pytest.raises(errors.DataError, match=f"CERTUS_MAX_RATIO is '{ratio}'; it must be a whole number from 1"):
            io.read_run(bombs / "lines.gz")


def test_a_parquet_file_of_equal_rows_is_refused_by_its_footer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = 5_000_000
    table = pa.table({"y": np.zeros(rows, np.int64), "p": np.zeros(rows, np.int64), "b": np.zeros(rows, np.int8)})
    path = tmp_path / "zeros.parquet"
    parquet.write_table(table, path)
    source = io.read_predictions(path)
    with pytest.raises(errors.DataError, match=r"its 5000000 rows take 0.08 GB in memory, .*CERTUS_MAX_RATIO"):
        source.read(labels=["y", "p"])
    assert len(source.read(labels=["b"]).labels["b"]) == rows
    monkeypatch.setenv("CERTUS_MAX_RATIO", "unlimited")
    assert len(source.read(labels=["y", "p"]).labels["y"]) == rows
    monkeypatch.setenv("CERTUS_MAX_RATIO", "often")
    with pytest.raises(errors.DataError, match="CERTUS_MAX_RATIO is 'often'; it must be a whole number from 1"):
        source.read(labels=["b"])


def test_a_parquet_file_with_two_columns_of_one_name_is_refused(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table([[1], [2]], names=["y", "y"]), tmp_path / "twice.parquet")
    with pytest.raises(errors.DataError, match="has two columns of one name"):
        io.read_predictions(tmp_path / "twice.parquet")


def test_blank_lines_between_queries_and_within_them_change_nothing(tmp_path: Path) -> None:
    lines = [f"{query} Q0 d{doc} 1 {9 - doc}.5 t\n" for query in range(4) for doc in range(5)]
    plain, padded = tmp_path / "plain", tmp_path / "padded"
    plain.write_text("".join(lines))
    padded.write_text(("\n" * 700_000).join(lines))  # megabytes of them: blocks end within a query
    qrels = kernels.Qrels.from_cells("qrels", ["0", "1", "3"], ["d1", "d4", "d0"], [1, 1, 1])
    assert qrels is not None
    first, second = (kernels.rank_file(qrels, path, "run") for path in (plain, padded))
    assert [column.tolist() for column in first.columns] == [column.tolist() for column in second.columns]
    assert first.queries == second.queries == ["0", "1", "3"]


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text("".join(f"{query} Q0 d 1 1.0 t\n" for query in range(400_000)))
    done = threading.Event()

    def change() -> None:
        for tick in itertools.takewhile(lambda _: not done.is_set(), itertools.count()):
            os.utime(path, ns=(tick, tick))

    other = threading.Thread(target=change)
    other.start()
    try:
        with pytest.raises(errors.DataError, match="was changed while it was read; read it again once it is complete"):
            io.read_run(path)
    finally:
        done.set()
        other.join()


@pytest.mark.parametrize(
    "number",
    ["9" * 20_000_000, "0." + "9" * 20_000_000, "1" * 20_000_000 + ".5", "1e" + "9" * 5000],
)
def test_a_number_of_millions_of_digits_is_refused_at_once(tmp_path: Path, number: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(f'{{"q": {{"d": {number}}}}}')
    start = time.process_time()
    with pytest.raises(errors.DataError, match="holds a number that is too long; expected an object"):
        io.read_run(path)
    assert time.process_time() - start < 5


def test_numbers_of_many_digits_are_still_read(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(f'{{"q": {{"d": 0.{"5" * 4000}}}}}')
    assert len(io.read_run(path)) == 1
