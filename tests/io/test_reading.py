"""Files in every form that is read, and every form that is refused: with the file, the line and what to do."""

import bz2
import gzip
import json
import lzma
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from itertools import chain, count, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

import certus
from certus.io import as_qrels, as_run
from certus.io.rank import rank

Put = Callable[..., Path]
QRELS = b"1 0 a 1\n1 0 b 0\n2 0 c 2\n"
RUN = b"1 Q0 a 1 2.5 tag\n1 Q0 x 2 1.5 tag\n2 Q0 c 1 7 tag\n2 Q0 b 2 -1e-3 tag\n"
RUN_DICT = {"1": {"a": 2.5, "x": 1.5}, "2": {"c": 7.0, "b": -0.001}}


def two_members(text: bytes) -> bytes:
    return gzip.compress(text[:20]) + gzip.compress(b"") + gzip.compress(text[20:])


COMPRESSED: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "gzip members": two_members,
    "bzip2": bz2.compress,
    "bzip2 streams": lambda text: bz2.compress(text[:9]) + bz2.compress(text[9:]),
    "xz": lzma.compress,
    "xz streams": lambda text: lzma.compress(text[:9]) + lzma.compress(text[9:]),
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
    "zstd frames": lambda text: zstandard.compress(text[:9]) + zstandard.compress(text[9:]),
}


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def write(text: bytes, name: str = "in.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(text)
        return path

    return write


def ranks(run: object, qrels: object = None) -> list[tuple[int, int]]:
    columns = rank(as_qrels(qrels or {"1": {"a": 1, "b": 0}, "2": {"c": 2}}), run).ranking.columns
    return list(zip(columns.ranks.tolist(), columns.grades.tolist(), strict=True))


@pytest.mark.parametrize("kind", COMPRESSED)
def test_compression_is_told_by_content_not_by_name(kind: str, put: Put) -> None:
    compress = COMPRESSED[kind]
    path = put(compress(RUN), "run.txt.wrong")
    assert certus.read_run(path).to_dict() == RUN_DICT
    assert ranks(path) == [(1, 1), (1, 2)]
    assert certus.read_qrels(put(compress(QRELS))).to_dict() == {"1": {"a": 1, "b": 0}, "2": {"c": 2}}
    as_json = put(compress(json.dumps(RUN_DICT).encode()))
    assert certus.read_run(as_json).to_dict() == RUN_DICT
    assert ranks(as_json) == [(1, 1), (1, 2)]


@pytest.mark.parametrize("kind", [kind for kind in COMPRESSED if kind != "plain"])
def test_a_compressed_file_cut_short_anywhere_is_refused(kind: str, put: Put) -> None:
    whole = COMPRESSED[kind](RUN * 1)
    starts = {0, *(i for i in range(1, len(whole)) if _is_whole(kind, whole[:i]))}
    for end in range(1, len(whole)):
        if end in starts:
            continue
        with pytest.raises(certus.DataError, match=r"in\.txt"):
            certus.read_run(put(whole[:end]))


def _is_whole(kind: str, data: bytes) -> bool:
    """True if a prefix ends where a member does, so that nothing shows the rest is missing."""
    try:
        if kind.startswith("gzip"):
            gzip.decompress(data)
        elif kind.startswith("bzip2"):
            bz2.decompress(data)
        elif kind.startswith("xz"):
            lzma.decompress(data)
        else:
            return data in (zstandard.compress(RUN[:9]),)
    except (EOFError, OSError, ValueError, lzma.LZMAError):
        return False
    return True


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zstd"])
def test_a_damaged_byte_is_an_error_or_changes_nothing(kind: str, put: Put) -> None:
    whole = COMPRESSED[kind](RUN * 1)
    for at in range(len(whole)):
        damaged = whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]
        try:
            read = certus.read_run(put(damaged)).to_dict()
        except certus.DataError:
            continue
        assert read == RUN_DICT, f"byte {at}"


def test_data_after_the_compressed_data_are_refused(put: Put) -> None:
    with pytest.raises(certus.DataError, match="truncated or damaged"):
        certus.read_run(put(gzip.compress(RUN) + b"rubbish"))


@pytest.mark.parametrize(
    "text",
    [
        RUN.replace(b"\n", b"\r\n"),
        RUN.replace(b" ", b"\t"),
        RUN.replace(b" ", b" \t  "),
        RUN[:-1],
        b"\xef\xbb\xbf" + RUN,
        b"\xef\xbb\xbf" + RUN.replace(b"\n", b"\r\n")[:-2],
        b"\n  \n" + RUN.replace(b"\n", b"\n\r\n\t\n"),
        RUN.replace(b"2.5", b"+2.5").replace(b"7", b"07.00").replace(b"-1e-3", b"-.001E0"),
    ],
    ids=["crlf", "tabs", "many blanks", "no last newline", "mark", "mark crlf", "blank lines", "spellings of numbers"],
)
def test_harmless_variety_is_read(text: bytes, put: Put) -> None:
    path = put(text)
    assert certus.read_run(path).to_dict() == RUN_DICT
    assert ranks(path) == [(1, 1), (1, 2)]


def test_lines_in_any_order_are_read(put: Put) -> None:
    lines = RUN.splitlines(keepends=True)
    path = put(b"".join([lines[0], lines[2], lines[1], lines[3]]))
    assert certus.read_run(path).to_dict() == RUN_DICT
    assert ranks(path) == [(1, 1), (1, 2)]


BAD_SCORES = [
    "8,5",
    "8_5",
    "0x1p4",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "Infinity",
    "1e400",
    "-1e999",
    "１２",
    "1.2.3",
    "1e",
    "--1",
    "",
    ".",
]


@pytest.mark.parametrize("score", [score for score in BAD_SCORES if score])
def test_a_score_that_is_not_a_plain_finite_decimal_is_refused(score: str, put: Put) -> None:
    text = RUN + f"3 Q0 d 1 {score} tag\n".encode() + RUN.replace(b"1 Q0", b"4 Q0").replace(b"2 Q0", b"5 Q0")
    for read in (certus.read_run, ranks):
        with pytest.raises(certus.DataError, match=r"in\.txt:5: the score is .*; it must be a finite decimal number"):
            read(put(text))


@pytest.mark.parametrize("score", ["9007199254740993", "-9007199254740993", "+00018014398509481985", "1" + "0" * 23])
def test_a_whole_number_that_no_double_holds_is_refused_as_in_every_format(score: str, put: Put) -> None:
    text = RUN + f"3 Q0 d 1 {score} tag\n".encode()
    for read in (certus.read_run, ranks, certus.io.read_runs):
        with pytest.raises(
            certus.DataError, match=r"in\.txt:5: the score is .*, which a double would round to -?\d+; "
        ):
            read(put(text))
    json_text, table = f'{{"3": {{"d": {score.lstrip("+0")}}}}}', f"qid,docno,score\n3,d,{score}\n"
    for other in (json_text, table):
        with pytest.raises(certus.DataError, match=r"would round to|cannot tell apart"):
            certus.read_run(put(other.encode()))


@pytest.mark.parametrize(
    "score", ["9007199254740992", "-18014398509481984", "1180591620717411303424", "9007199254740993.0"]
)
def test_a_whole_number_that_a_double_holds_is_read(score: str, put: Put) -> None:
    assert certus.read_run(put(f"3 Q0 d 1 {score} tag\n".encode())).to_dict() == {"3": {"d": float(score)}}


@pytest.mark.parametrize(
    "grade", ["1.0", "1e0", "x", "0x1", "1_0", "１", "2147483648", "-2147483649", "9" * 400, "+", "nan"]
)
def test_a_grade_that_is_not_a_whole_number_in_range_is_refused(grade: str, put: Put) -> None:
    with pytest.raises(certus.DataError, match=r"in\.txt:4: the grade is .*; it must be a whole number"):
        certus.read_qrels(put(QRELS + f"3 0 d {grade}\n".encode()))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RUN + b"3 Q0 d 1 2.5\n", r"in\.txt:5: the line has 5 columns; expected 6"),
        (RUN + b"3 Q0 d 1 2.5 tag more\n", r"in\.txt:5: the line has 7 columns; expected 6"),
        (b"3\n" + RUN, r"in\.txt:1: the line has 1 column; expected 6"),
        (RUN + b"3 Q0 d\0x 1 2.5 tag\n", r"in\.txt:5: the line holds a NUL byte"),
        (RUN + b"3 Q0 d 1 2.5 tag\0\n", r"in\.txt:5: the line holds a NUL byte"),
        (RUN + b"\0\0\0", r"in\.txt:5: the line holds a NUL byte"),
        (RUN + b"2 Q0 c 3 0.5 tag\n", r"in\.txt:5: document 'c' appears twice for query '2'; keep one"),
        (RUN + b"1 Q0 x 3 0.5 tag\n", r"in\.txt:5: document 'x' appears twice for query '1'; keep one"),
        (RUN + b"9 Q0 z 1 1 t\n9 Q0 z 1 1 t\n", r"in\.txt:6: document 'z' appears twice for query '9'"),
        (RUN.decode().encode("utf-16"), r"in\.txt: is UTF-16 text; convert it to UTF-8"),
        (RUN.decode().encode("utf-16-le"), r"in\.txt:1: the line holds a NUL byte"),
        (b"", r"in\.txt: holds no results"),
        (b"\n \n", r"in\.txt: holds no results"),
        (b"PK\x03\x04" + b"x" * 60, r"in\.txt: is a zip archive; unpack it"),
        (b'{"1": {"a": 1.0}', r"in\.txt:1: is not valid JSON"),
        (b'{"1": {"a": 1.0, "a": 2}}', r"in\.txt: 'a' appears twice in one JSON object"),
        (b'{"1": {"a": 1}, "1": {"b": 2}}', r"in\.txt: '1' appears twice in one JSON object"),
        (b'{"1": {"a": NaN}}', r"in\.txt: holds NaN, which is not a number in JSON"),
        (b'{"1": {"a": -Infinity}}', r"in\.txt: holds -Infinity"),
        (b'{"1": {"a": 1e999}}', r"in\.txt: the score of document 'a' for query '1' is inf; a score must be finite"),
        (b'{"1": {"a": "2"}}', r"in\.txt: the score of document 'a' for query '1' is '2'; a score must be a number"),
        (b'{"1": {"a": true}}', r"is True; a score must be a number"),
        (b'{"1": {"a": null}}', r"is None; a score must be a number"),
        (b'{"1": 2}', r"in\.txt: query '1' has an int; expected a mapping from document to score"),
        (b'{"1": ["a", "b", "a"]}', r"in\.txt: query '1' has document 'a' at place 1 and again at 3"),
        (b'[{"1": 2}]', r"in\.txt: is a list in JSON; expected an object"),
        (b'{"1": {"": 2}}', r"query '1': document id is empty"),
        (b"{" * 100_000, r"in\.txt"),
        (b'{"1": {"a": ' + b"9" * 5000 + b"}}", r"in\.txt"),
        (b'{"1": {"\xff": 2}}', r"in\.txt: is not valid UTF-8 at byte 8"),
    ],
)
def test_what_is_no_run_is_refused_with_its_place(text: bytes, message: str, put: Put) -> None:
    for read in (certus.read_run, ranks):
        with pytest.raises(certus.DataError, match=message):
            read(put(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (QRELS + b"1 a 1\n", r"in\.txt:4: the line has 3 columns; expected 4, .* query iteration document grade"),
        (QRELS + b"1 0 a 1 x\n", r"in\.txt:4: the line has 5 columns"),
        (QRELS + b"1 0 a 2\n", r"in\.txt:4: document 'a' is judged twice for query '1'; keep one line"),
        (b"", r"in\.txt: holds no judgments"),
        (b'{"1": {"a": 1.5}}', r"the grade of document 'a' for query '1' is 1.5; a grade must be a whole number"),
        (b'{"1": {"a": 3000000000}}', r"is 3000000000; a grade must lie between"),
    ],
)
def test_what_are_no_qrels_is_refused_with_its_place(text: bytes, message: str, put: Put) -> None:
    with pytest.raises(certus.DataError, match=message):
        certus.read_qrels(put(text))


def test_a_line_of_more_than_64_mb_is_refused(put: Put) -> None:
    with pytest.raises(certus.DataError, match=r"in\.txt:5: the line is longer than 64 MB"):
        ranks(put(RUN + b"3 Q0 " + b"d" * (65 << 20) + b" 1 1.5 t\n"))
    with pytest.raises(certus.DataError, match=r"in\.txt:5: the line is longer than 64 MB"):
        ranks(put(RUN + b"3 " * (33 << 20)))


def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    for read in (certus.read_run, certus.read_qrels, ranks):
        with pytest.raises(certus.DataError, match=r"nowhere\.run: no such file"):
            read(tmp_path / "nowhere.run")
        with pytest.raises(certus.DataError, match="is a directory; name a file in it"):
            read(tmp_path)
        with pytest.raises(certus.DataError, match="the file name is empty"):
            read("")
        with pytest.raises(certus.DataError, match="holds a NUL character"):
            read("a\0b")
    locked = tmp_path / "locked"
    locked.write_bytes(RUN)
    locked.chmod(0)
    if os.getuid() != 0:  # root may read everything
        with pytest.raises(certus.DataError, match="locked: cannot be read"):
            certus.read_run(locked)


def test_ids_are_opaque_bytes(put: Put) -> None:
    ids = [b"\xff\xfe\x80", b"a\x01\x1b[31mb", "é".encode(), "é".encode("latin-1"), b"x" * 5000, b"'\"\\%s{}", b"#1"]
    text = b"".join(b"#q\xff Q0 %s %d %d t\n" % (each, i, 10 - i) for i, each in enumerate(ids))
    path = put(text)
    qrels = put(b"".join(b"#q\xff 0 %s 1\n" % each for each in ids), "qrels")
    assert ranks(path, certus.read_qrels(qrels)) == [(i + 1, 1) for i in range(len(ids))]
    run = certus.read_run(path).to_dict()
    assert ranks(run, certus.read_qrels(qrels).to_dict()) == [(i + 1, 1) for i in range(len(ids))]
    assert [each.encode("utf-8", "surrogateescape") for each in run["#q\udcff"]] == ids


def test_errors_escape_what_could_disturb_a_terminal(put: Put) -> None:
    path = put(b"1 Q0 \x1b[31md 1 x\xe2\x80\xaey\x07\xff tag\n")
    with pytest.raises(certus.DataError) as error:
        certus.read_run(path)
    assert r"the score is 'x\u{202e}y\x07\xff'" in str(error.value)
    assert str(error.value).isprintable()


def test_json_numbers_may_be_whole(put: Put) -> None:
    assert ranks(put(b' {"1": {"a": 3, "x": 2.5}, "2": {"c": 1}}')) == [(1, 1), (1, 2)]


class TestPython:
    """Data in Python objects."""

    @pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
    @pytest.mark.parametrize("names", [("query_id", "doc_id", "score"), ("qid", "docno", "score")])
    def test_data_frames_are_read_by_the_usual_column_names(self, backend: str, names: tuple[str, str, str]) -> None:
        data: dict[str, list[Any]] = {
            names[0]: ["1", "1", "2"],
            names[1]: ["a", "x", "c"],
            names[2]: [2.5, 1.5, 7.0],
            "rank": [0, 1, 0],
        }
        assert ranks(_frame(backend, data)) == [(1, 1), (1, 2)]

    @pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
    def test_whole_number_ids_and_floating_whole_grades_are_taken_as_written(self, backend: str) -> None:
        qrels = _frame(backend, {"qid": [1, 1, 2], "docno": [10, 11, 12], "label": [1.0, 0.0, 2.0]})
        assert as_qrels(qrels).to_dict() == {"1": {"10": 1, "11": 0}, "2": {"12": 2}}

    @pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
    @pytest.mark.parametrize("kind", ["int8", "uint16", "int64", "uint64"])
    def test_ids_of_every_whole_type_are_written_in_full(self, backend: str, kind: str) -> None:
        limits = np.iinfo(kind)
        ids = np.array([limits.min, 7, limits.max], dtype=kind)
        qrels = _frame(backend, {"qid": ids, "docno": ids, "label": [1, 0, 2]})
        assert as_qrels(qrels).to_dict() == {
            str(limits.min): {str(limits.min): 1},
            "7": {"7": 0},
            str(limits.max): {str(limits.max): 2},
        }

    @pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
    @pytest.mark.parametrize(
        ("data", "message"),
        [
            ({"qid": ["1"], "docno": ["a"]}, "has none of 'score', 'sim', 'rank' as columns, but 'qid'"),
            ({"qid": ["1"], "query_id": ["1"], "docno": ["a"], "score": [1.0]}, "has both 'qid' and 'query_id'"),
            ({"qid": ["1", None], "docno": ["a", "b"], "score": [1.0, 2.0]}, "row 1 of column 'qid' is missing"),
            ({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, None]}, "'score'"),
            ({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, float("inf")]}, "row 1 of column 'score' is inf"),
            ({"qid": ["1", "1"], "docno": ["a", "a"], "score": [1.0, 2.0]}, "document 'a' appears twice for query '1'"),
            ({"qid": [1.5], "docno": ["a"], "score": [1.0]}, "is 1.5 of type float; ids are text or whole numbers"),
            ({"qid": ["1"], "docno": ["a"], "score": ["1.0"]}, "column 'score' is of type .*; it must hold numbers"),
        ],
    )
    def test_data_frames_that_are_no_runs_are_refused(
        self, backend: str, data: dict[str, list[Any]], message: str
    ) -> None:
        with pytest.raises(certus.DataError, match=message):
            ranks(_frame(backend, data))

    def test_columns_can_be_named(self) -> None:
        frame = _frame("polars", {"q": ["1"], "d": ["a"], "s": [1.0]})
        assert as_run(frame, query="q", doc="d", score="s").to_dict() == {"1": {"a": 1.0}}
        with pytest.raises(certus.DataError, match="has no column 'z'; it has 'q', 'd', 's'"):
            as_run(frame, query="z", doc="d", score="s")

    @pytest.mark.parametrize(
        ("run", "message"),
        [
            ({}, "holds no results"),
            ({"1": {"a\0b": 1.0}}, "holds a NUL character"),
            ({None: {"a": 1.0}}, "query id None is a NoneType; ids are text or whole numbers"),
            ({"1": {True: 1.0}}, "document id True is a bool; ids are text or whole numbers"),
            ({"1": {"a": float("nan")}}, "is nan; a score must be finite"),
            ({"1": {"a": 10**400}}, "is inf; a score must be finite"),
            ({"1": {"a": "1"}}, "is '1'; a score must be a number"),
            ({"1": None}, "query '1' has a NoneType; expected a mapping"),
            (3, "is of type int; expected a path, a dict of dicts, rows, a DataFrame"),
            (None, "is of type NoneType; expected a path"),
            ({"1": {"a": Decimal("sNaN")}}, "is nan; a score must be finite"),
            ({"1": {"\ud800": 1.0}}, "holds half of a surrogate pair"),
        ],
    )
    def test_what_is_no_run_is_refused(self, run: Any, message: str) -> None:
        with pytest.raises(certus.DataError, match=message):
            ranks(run)

    def test_decimal_scores_are_numbers(self) -> None:
        assert as_run({"1": {"a": Decimal("1.5")}}).to_dict() == {"1": {"a": 1.5}}

    def test_a_grade_too_long_to_print_is_refused(self) -> None:
        with pytest.raises(certus.DataError, match="is an int of 16610 bits; a grade must lie"):
            as_qrels({"1": {"a": 10**5000}})

    def test_two_columns_of_one_name_are_refused(self) -> None:
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame([["1", "a", 1.0, 2.0]], columns=["qid", "docno", "score", "score"])
        with pytest.raises(certus.DataError, match="has two columns of one name"):
            as_run(frame)

    @pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
    def test_lists_are_no_ids(self, backend: str) -> None:
        frame = _frame(backend, {"qid": ["1"], "docno": [["a"]], "score": [1.0]})
        with pytest.raises(certus.DataError, match=r"row 0 of column 'docno' is .* of type .*; ids are text"):
            as_run(frame)

    def test_what_is_read_can_be_used_again(self, put: Put) -> None:
        run, qrels = certus.read_run(put(RUN)), certus.read_qrels(put(QRELS, "qrels"))
        assert (len(run), len(qrels), run.tag, run.queries) == (4, 3, "tag", ("1", "2"))
        assert ranks(run, qrels) == ranks(run, qrels) == [(1, 1), (1, 2)]
        assert "4 documents for 2 queries" in repr(run)
        assert "3 judgments for 2 queries" in repr(qrels)


def _frame(backend: str, data: dict[str, Any]) -> Any:
    module = pytest.importorskip(backend)
    return module.table(data) if backend == "pyarrow" else module.DataFrame(data)


class TestStreams:
    """Input that can be read only once."""

    def test_a_pipe_is_read_like_a_file_even_when_queries_are_mixed(self, tmp_path: Path) -> None:
        lines = RUN.splitlines(keepends=True)
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=(b"".join([lines[0], lines[2], lines[1], lines[3]]),))
        writer.start()
        assert ranks(pipe) == [(1, 1), (1, 2)]
        writer.join()

    def test_standard_input_is_a_dash(self, put: Put) -> None:
        code = "import certus; print(certus.read_run('-').to_dict())"
        found = subprocess.run([sys.executable, "-c", code], input=gzip.compress(RUN), capture_output=True, check=True)
        assert found.stdout.decode().strip() == str(RUN_DICT)

    def test_closed_standard_input_is_refused(self) -> None:
        code = "import sys; sys.stdin = None; import certus; certus.read_run('-')"
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
        assert b"DataError: -: standard input is closed" in found.stderr

    def test_no_room_for_the_temporary_file_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tempfile.tempdir", "/nowhere")
        with pytest.raises(certus.DataError, match="/dev/null: cannot be copied to a temporary file: No such file"):
            certus.read_run("/dev/null")


ENDLESS: dict[str, tuple[Callable[[], Iterator[bytes]], str]] = {
    "NUL bytes": (lambda: repeat(bytes(1 << 16)), "pipe:1: the line holds a NUL byte"),
    "NUL bytes later": (
        lambda: chain([b"1 Q0 a 1 2.5 tag\n", b"#" * (2 << 20), b"\n"], repeat(bytes(99))),
        "pipe:3: the line holds a NUL byte",
    ),
    "a line without end": (lambda: repeat(b"y" * (1 << 16)), "pipe:1: the line is longer than 64 MB"),
    "yes": (lambda: repeat(b"y\n" * 999), "pipe:1: the line has 1 column; expected 6"),
    "one result": (lambda: repeat(b"1 Q0 a 1 2.5 tag\n" * 999), "pipe:2: document 'a' appears twice for query '1'"),
    "UTF-16": (lambda: chain([b"\xff\xfe"], repeat("é\n".encode("utf-16-le"))), "pipe: is UTF-16 text"),
    "results": (
        lambda: (f"1 Q0 d{i} 1 {1 / i:.9f} tag\n".encode() for i in count(1)),
        "pipe: does not end within 9,000,000 bytes, for which there is room",
    ),
    "results in gzip": (
        lambda: repeat(gzip.compress(b"1 Q0 a 1 2.5 tag\n")),
        "pipe: does not end within 9,000,000 bytes, for which there is room",
    ),
    "JSON": (lambda: repeat(b"{"), "pipe: does not end within 9,000,000 bytes, for which there is room"),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_a_stream_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr("certus.io._copy._room", lambda _: 200 << 20 if what == "a line without end" else 9_000_000)
    parts, said = ENDLESS[what]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with suppress(BrokenPipeError), pipe.open("wb") as file:
            file.writelines(parts())

    writer = threading.Thread(target=write)
    writer.start()
    with pytest.raises(certus.DataError, match=re.escape(said)):
        rank(as_qrels({"1": {"a": 1}}), pipe)
    writer.join()
    assert not list((tmp_path / "temporary").iterdir())


def test_a_long_stream_of_lines_that_are_all_right_is_read(tmp_path: Path) -> None:
    """The first lines are read by themselves too, unless there is nothing in them yet."""
    run = b"".join(b"%d Q0 d%d 1 %d.5 tag\n" % (i // 100, i % 100, i) for i in range(100_000))
    for start in (b"", b"\n" * (1 << 20), b"\xef\xbb\xbf"):
        for name, text in {"run": start + run, "run.gz": gzip.compress(start + run, 1)}.items():
            pipe = tmp_path / f"{len(start)}-{name}"
            os.mkfifo(pipe)
            writer = threading.Thread(target=pipe.write_bytes, args=(text,))
            writer.start()
            assert len(certus.read_run(pipe)) == 100_000
            writer.join()


def test_a_line_of_json_may_be_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("certus.io._copy.LONGEST_LINE", 1 << 20)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = json.dumps({"1": {f"d{i}": i for i in range(200_000)}}).encode()
    writer = threading.Thread(target=pipe.write_bytes, args=(text,))
    writer.start()
    assert len(certus.read_run(pipe)) == 200_000
    writer.join()


def test_a_gzip_file_padded_with_zeros_is_read(put: Put) -> None:
    packed = gzip.compress(RUN)
    for zeros in (1, 7, 511, 1 << 20):
        assert certus.read_run(put(packed + bytes(zeros))).to_dict() == RUN_DICT
    for behind in (b"\0\1", b"\0" + packed, b"x"):
        with pytest.raises(certus.DataError, match="cannot be read to its end"):
            certus.read_run(put(packed + behind))


def test_a_file_name_may_be_any_bytes(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/a\xff.run"
    Path(os.fsdecode(name)).write_bytes(RUN)
    assert certus.read_run(name).name.endswith(r"a\xff.run")
    assert ranks(os.fsdecode(name)) == [(1, 1), (1, 2)]
    table = certus.evaluate(as_qrels({"1": {"a": 1}}), name, ["AP"])
    assert table.to_dicts()[0]["run"] == r"a\xff.run"
    with pytest.raises(certus.DataError, match="holds half of a surrogate pair"):
        certus.read_run("a\ud800")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-32-le"])
def test_json_must_be_utf8(encoding: str, put: Put) -> None:
    with pytest.raises(certus.DataError):
        certus.read_run(put('{"1": {"a": 1}}'.encode(encoding)))
    with pytest.raises(certus.DataError, match="is not valid UTF-8"):
        certus.read_run(put(b'{"1": {"\xed\xb2\x80": 1}}'))


def test_the_tag_is_that_of_the_last_line_however_many_blank_ones_follow(put: Put) -> None:
    assert certus.read_run(put(RUN + b"\n" * (3 << 20))).tag == "tag"


@pytest.mark.parametrize(
    ("text", "hashed"),
    [
        (b"q 0 d 1\n", "524c3567e4b5736838fc546621460fd3"),
        (b'{"q": {"d": 1}}', "31601ae4dbc35d6e70ccc3619d87fe58"),
        (b"".join(b"q%d 0 d%d 1\n" % (k, k) for k in range(300_000)), "b8658f1f024aff37a2a445f73577e221"),
    ],
    ids=["columns", "json", "several blocks"],
)
def test_the_fingerprint_is_xxh3_of_the_raw_bytes(text: bytes, hashed: str, put: Put) -> None:
    """Expected values by ``xxhash.xxh3_128_hexdigest`` of the Python package xxhash (XXH3 4.1.0)."""
    assert certus.read_qrels(put(text)).fingerprint == hashed
    assert certus.read_qrels(put(gzip.compress(text))).fingerprint != hashed


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from Linux's /proc")
def test_memory_does_not_grow_with_a_run_whose_queries_stand_together(tmp_path: Path) -> None:
    """The process's own high-water mark: what getrusage tells begins at the parent's."""
    code = (
        "import sys, certus.io as io; from certus.io.rank import rank;"
        "rank(io.as_qrels({'q0': {'d0': 1}}), sys.argv[1]);"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )

    def peak(queries: int) -> int:
        path = tmp_path / f"{queries}.run"
        with path.open("w") as file:
            for query in range(queries):
                file.write("".join(f"q{query} Q0 d{doc} {doc + 1} {1000 - doc}.5 t\n" for doc in range(1000)))
        found = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=True, text=True)
        return int(found.stdout) * 1024

    small, large = peak(100), peak(1600)
    assert (tmp_path / "1600.run").stat().st_size > 35 << 20
    assert large - small < 8 << 20, (small, large)
