"""Binary files: their first bytes end the guessing, and text in them that is not UTF-8 is refused with the file."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import certus
from certus.cli import app
from certus.io import read_predictions
from certus.io.batches import batches_of
from certus.io.columns import Wanted
from certus.states import fill

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet")
feather = pytest.importorskip("pyarrow.feather")


def write(table: Any, path: Path) -> str:
    """The table as Parquet, Feather or a stream of Arrow, all bytes of its text plain."""
    if path.suffix == ".parquet":
        parquet.write_table(table, path, compression="none", use_dictionary=False)
    elif path.suffix == ".feather":
        feather.write_feather(table, path, compression="uncompressed")
    else:
        with pa.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table)
    return str(path)


def broken(path: str, before: bytes) -> str:
    """The file with bytes that are not UTF-8 instead of these two."""
    data = Path(path).read_bytes()
    assert before in data
    Path(path).write_bytes(data.replace(before, b"\xff\xfe"))
    return path


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrows"])
@pytest.mark.parametrize("first", [list(range(2314, 2314 + 300)), [0.1 * i for i in range(300)]])
def test_numbers_that_look_like_lines_and_tabs_are_no_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str, first: list[Any]
) -> None:
    truth = [i % 2 for i in range(300)]
    table = pa.table({"id": first, "tab": [0x0A09] * 300, "y": truth, "p": [0.25 + 0.5 * i for i in truth]})
    path = write(table, tmp_path / f"rows.{suffix}")
    assert b"\x09\x0a" in Path(path).read_bytes()[: 1 << 14]
    assert app.run(["evaluate", path, "--truth", "y", "--score", "p", "-m", "AUC"]) == 0
    assert "1.0000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"\x93NUMPY\x01\0", "an array of NumPy"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"SQLite format 3\0", "a database of SQLite"),
        (b"PK\x03\x04", "a zip archive"),
        (b"ORC\x08", "an ORC file"),
        (b"Obj\x01", "an Avro file"),
        (b"%PDF-1.7", "a PDF document"),
        (b"\x80\x04\x95", "a pickle"),
    ],
)
def test_other_binary_files_are_named(tmp_path: Path, start: bytes, kind: str) -> None:
    path = tmp_path / "rows"
    path.write_bytes(start + b"a\tb\n1 2 3\n" * 20)
    with pytest.raises(certus.DataError, match=rf"rows: is {kind}; "):
        read_predictions(path)
    with pytest.raises(certus.DataError, match=rf"rows: is {kind}; "):
        certus.read_run(path)


def test_a_real_array_of_numpy_is_named(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.arange(3))
    with pytest.raises(certus.DataError, match="is an array of NumPy; write it as CSV or Parquet"):
        read_predictions(tmp_path / "rows.npy")


def test_tabs_in_json_lines_are_no_columns(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"y":\t1}\n{"y":\t0}\n')
    assert read_predictions(path).read(labels=["y"]).labels["y"].tolist() == [1, 0]


@pytest.mark.parametrize("suffix", ["parquet", "feather", "arrows"])
class TestText:
    """Names and values that are not UTF-8."""

    def test_names_are_refused_with_the_file(self, tmp_path: Path, suffix: str) -> None:
        path = broken(write(pa.table({"ab": [1, 2], "y": [0, 1]}), tmp_path / f"t.{suffix}"), b"ab")
        with pytest.raises(certus.DataError, match=rf"t\.{suffix}: the name of a column is not UTF-8 \(byte 0xff\)"):
            read_predictions(path)
        with pytest.raises(certus.DataError, match=rf"t\.{suffix}.*: the name .* is not UTF-8 \(byte 0xff\)"):
            list(batches_of(path, Wanted(labels=("y",))))

    def test_values_are_refused_with_file_and_column(self, tmp_path: Path, suffix: str) -> None:
        table = pa.table({"y": ["ab", "cd"], "p": ["cd", "cd"]})
        path = broken(write(table, tmp_path / f"t.{suffix}"), b"ab")
        for wanted in (Wanted(labels=("p", "y")), Wanted(keys=("y",))):
            with pytest.raises(certus.DataError, match=rf"t\.{suffix}: column 'y' is not UTF-8 \(byte 0xff\); save"):
                read_predictions(path).read(wanted.labels, wanted.numbers, wanted.keys)
        batches, state = batches_of(path, Wanted(labels=("y", "p"))), certus.State(["Accuracy"])
        with pytest.raises(certus.DataError, match=rf"t\.{suffix}.* is not UTF-8 \(byte 0xff\)"):
            fill(state, batches, {"y_true": "y", "y_pred": "p"})
