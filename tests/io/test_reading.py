"""Files in every form that is read, and every form that is refused: with the file, the line and what to do."""

import bz2
import gzip
import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from reader_files import Put, putter, ranks

import certus
from certus.io import as_qrels

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
    return putter(tmp_path, "in.txt")


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
        (b'{"1": {"a": 1.0, "a": 2}}', r"in\.txt: holds 'a' twice in one object"),
        (b'{"1": {"a": 1}, "1": {"b": 2}}', r"in\.txt: holds '1' twice in one object"),
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
        (b'{"1": {"\xff": 2}}', r"in\.txt: is not UTF-8 \(byte 0xff\)"),
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
    with pytest.raises(certus.DataError, match="is not UTF-8"):
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
