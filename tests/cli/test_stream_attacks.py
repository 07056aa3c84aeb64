"""``certus evaluate`` of several files, one of them wrong: the message names it, and nothing is printed or written."""

import datetime
import decimal
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from certus.cli import _streams, app

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet")
NAMES = ["--truth", "y", "--score", "p", "-m", "AUC", "-m", "LogLoss"]


def part(number: int = 0) -> Any:
    rng = np.random.default_rng(number)
    truth = rng.integers(0, 2, 300)
    return pa.table({"y": truth, "p": np.clip(0.3 * truth + 0.6 * rng.random(300), 0.01, 0.99)})


def with_column(name: str, values: Any) -> Any:
    table = part(2)
    return table.set_column(table.column_names.index(name), name, values)


def changed(name: str, index: int, value: Any) -> Any:
    """The column, one value of which is another."""
    values = part(2)[name].to_pylist()
    values[index] = value
    return with_column(name, pa.array(values))


def put(table: Any, **options: Any) -> None:
    parquet.write_table(table, "part-2.parquet", row_group_size=100, **options)


@pytest.fixture(autouse=True)
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        parquet.write_table(part(number), f"part-{number}.parquet", row_group_size=100)


def run(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str, str]:
    status = app.run(["evaluate", "part-*", *NAMES, *more])
    out, err = capsys.readouterr()
    return status, out, " ".join(err.split())


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "float32 after float64": (
        lambda: with_column("p", part(2)["p"].cast("float32")),
        "row group 0: column 'p' is float, but double in part-0.parquet, row group 0; give batches of one schema",
    ),
    "whole numbers after floats": (
        lambda: with_column("p", part(2)["y"]),
        "row group 0: column 'p' is int64, but double in part-0.parquet",
    ),
    "decimals after floats": (
        lambda: with_column("p", pa.array([decimal.Decimal("0.5")] * 300)),
        "row group 0: column 'p' is decimal128(1, 1), but double in part-0.parquet",
    ),
    "a narrower integer": (
        lambda: with_column("y", part(2)["y"].cast("int32")),
        "row group 0: column 'y' is int32, but int64 in part-0.parquet",
    ),
    "categories after numbers": (
        lambda: with_column("y", pa.array(["1"] * 300).dictionary_encode()),
        "row group 0: column 'y' is dictionary<values=string, indices=int32, ordered=0>, but int64 in part-0.parquet",
    ),
    "timestamps": (
        lambda: with_column("p", pa.array([datetime.datetime(2026, 11, 22)] * 300)),
        "row group 0: column 'p' is timestamp[us], but double in part-0.parquet",
    ),
    "a NaN": (lambda: changed("p", 250, float("nan")), "row group 2: column 'p' is NaN at index 50; leave out"),
    "a null score": (lambda: changed("p", 250, None), "row group 2: column 'p' is null at index 50; leave out"),
    "a null label": (lambda: changed("y", 250, None), "row group 2: column 'y' is null at index 50; leave out"),
    "an infinity": (lambda: changed("p", 250, float("inf")), "row group 2: column 'p' is inf at index 50"),
    "no such column": (lambda: part(2).select(["y"]), "there is no column 'p'; the columns are 'y'"),
    "no columns": (lambda: pa.table({}), "there is no column 'y'"),
    "a column twice": (
        lambda: pa.Table.from_arrays([part(2)["y"], part(2)["p"], part(2)["p"]], ["y", "p", "p"]),
        "row group 0: there are 2 columns 'p'; give them different names",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_is_named_and_nothing_is_given(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    make, message = WRONG[what]
    put(make())
    status, out, err = run(capsys, "-o", "table.json")
    assert (status, out) == (3, "")
    assert "part-2.parquet" in err
    assert message in err
    assert not Path("table.json").exists()


@pytest.mark.parametrize(
    ("bytes_of", "message"),
    [
        (lambda whole: b"", "part-2.parquet: is empty"),
        (lambda whole: b"PAR1", "part-2.parquet: Parquet file size is 4 bytes"),
        (lambda whole: whole[:-100], "part-2.parquet: Parquet magic bytes not found in footer"),
        (lambda whole: whole[:600] + whole[900:], "part-2.parquet: "),
    ],
    ids=["empty", "only magic", "cut off", "a hole"],
)
def test_a_damaged_file_is_named(
    bytes_of: Callable[[bytes], bytes], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path("part-2.parquet")
    path.write_bytes(bytes_of(path.read_bytes()))
    status, out, err = run(capsys)
    assert (status, out) == (3, "")
    assert message in err


def test_a_changed_byte_in_a_page_with_a_checksum_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    put(part(2), write_page_checksum=True, compression=None, use_dictionary=False)
    path = Path("part-2.parquet")
    whole = bytearray(path.read_bytes())
    position = whole.index(part(2)["p"].to_numpy()[123].tobytes())
    whole[position] ^= 1
    path.write_bytes(whole)
    status, out, err = run(capsys)
    assert (status, out) == (3, "")
    assert "part-2.parquet: " in err
    assert "CRC checksum" in err


def test_one_file_under_two_names_is_not_counted_twice(capsys: pytest.CaptureFixture[str]) -> None:
    Path("part-3.parquet").symlink_to("part-0.parquet")
    assert run(capsys) == (3, "", "certus: part-3.parquet: is the same file as part-0.parquet; give each file once")
    Path("part-3.parquet").unlink()
    Path("part-3.parquet").hardlink_to("part-1.parquet")
    assert run(capsys) == (3, "", "certus: part-3.parquet: is the same file as part-1.parquet; give each file once")


def test_files_without_rows_and_columns_in_another_order_are_the_same_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, expected, _ = run(capsys)
    put(part(2).select(["p", "y"]).append_column("more", part(2)["p"]))
    parquet.write_table(part().slice(0, 0), "part-3.parquet")
    status, out, err = run(capsys)
    assert (status, out, err) == (0, expected, "")
    Path("part-2.parquet").unlink()
    Path("part-1.parquet").unlink()
    Path("part-0.parquet").unlink()
    assert run(capsys)[0] == 3


def test_files_of_one_dictionary_type_are_read_as_their_values(capsys: pytest.CaptureFixture[str]) -> None:
    _, expected, _ = run(capsys)
    for number in range(3):
        table = part(number)
        words = pa.array(np.where(table["y"].to_numpy() == 1, "yes", "no")).dictionary_encode()
        parquet.write_table(table.set_column(0, "y", words), f"part-{number}.parquet", row_group_size=100)
    assert run(capsys, "--positive", "yes") == (0, expected, "")
    status, out, err = run(capsys)
    assert (status, out) == (3, "")
    assert "part-0.parquet, row group 0: the labels are 'no', 'yes'; say which is positive with --positive" in err


def test_labels_that_are_none_are_named_by_file_and_column(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        table = part(number)
        parquet.write_table(table.set_column(0, "y", table["p"]), f"part-{number}.parquet")
    status, out, err = run(capsys)
    assert (status, out) == (3, "")
    assert "part-0.parquet, row group 0: column 'y' is 0." in err


def test_a_file_that_goes_or_changes_while_others_are_read_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Path("part-2.parquet").read_bytes()
    sources = _streams.Streams._sources

    def gone(self: Any) -> Any:
        found = sources(self)
        Path("part-2.parquet").unlink()
        return found

    monkeypatch.setattr(_streams.Streams, "_sources", gone)
    assert run(capsys) == (3, "", "certus: part-2.parquet: no such file; did you mean 'part-1.parquet'?")

    def longer(self: Any) -> Any:
        Path("part-2.parquet").write_bytes(whole)
        found = sources(self)
        parquet.write_table(pa.concat_tables([part(2), part(3)]), "part-2.parquet")
        return found

    monkeypatch.setattr(_streams.Streams, "_sources", longer)
    status, out, err = run(capsys)
    assert (status, out) == (3, "")
    assert "part-2.parquet: has changed while it was read" in err


def test_types_are_remembered_with_a_saved_state(capsys: pytest.CaptureFixture[str]) -> None:
    status = app.run(["evaluate", "part-0.parquet", *NAMES, "--save-state", "all.state"])
    assert (status, capsys.readouterr().err) == (0, "")
    put(with_column("p", part(2)["p"].cast("float32")))
    before = Path("all.state").read_bytes()
    status, out, err = run(capsys, "--save-state", "all.state")
    assert (status, out) == (3, "")
    assert "part-2.parquet, row group 0: column 'p' is float, but double in part-0.parquet, row group 0" in err
    assert Path("all.state").read_bytes() != before  # part-1 was read and saved


FORGED: tuple[dict[str, Any], ...] = (
    {"sources": 1},
    {"sources": {"a.csv": "9"}},
    {"sources": {"a.csv": -1}},
    {"asked": 1},
    {"asked": "columns"},
    {"asked": {"columns": 1}},
    {"asked": {}},
    {"types": {"y": 1}},
    {"types": {"y": ["double"]}},
    {"types": {"y": ["double", 1]}},
)


@pytest.mark.parametrize(
    "line",
    [b"", b"[", b"null", b"[]", b"{}", b"\xff", b"[" * 100_000]
    + [json.dumps({"sources": {"a.csv": 9}, "asked": None, "types": {}} | wrong).encode() for wrong in FORGED],
)
def test_forged_heads_of_state_files_are_refused(line: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--save-state", "all.state")[0] == 0
    _, _, rest = Path("all.state").read_bytes().split(b"\n", 2)
    checksum = zlib.crc32(line).to_bytes(4, "little")
    Path("forged.state").write_bytes(b"certus-state-of\n" + line + b"\n" + checksum + rest[4:])
    for words in (["--state", "forged.state"], ["part-*", *NAMES, "--state", "forged.state"]):
        assert app.run(["evaluate", *words]) == 3
        assert "forged.state: the bytes are not those of a state" in " ".join(capsys.readouterr().err.split())


def test_text_has_no_types_that_could_change(capsys: pytest.CaptureFixture[str]) -> None:
    Path("part-3.csv").write_text("y,p\n1,1\n0,0\n")
    assert run(capsys)[0] == 0
    Path("part-3.csv").write_text("y,p\n1,0.5\n0,NaN\n")
    status, out, err = run(capsys)
    assert (status, out) == (3, "")
    assert "part-3.csv:3: column 'p' is 'NaN', a missing value" in err
