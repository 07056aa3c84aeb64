"""Rankings from streams: pipes, standard input, streams without end."""

import gzip
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain, count, repeat
from pathlib import Path

import pytest
from reader_files import Put, putter, ranks

import certus
from certus.io import as_qrels
from certus.io.rank import rank

RUN = b"1 Q0 a 1 2.5 tag\n1 Q0 x 2 1.5 tag\n2 Q0 c 1 7 tag\n2 Q0 b 2 -1e-3 tag\n"
RUN_DICT = {"1": {"a": 2.5, "x": 1.5}, "2": {"c": 7.0, "b": -0.001}}


@pytest.fixture
def put(tmp_path: Path) -> Put:
    return putter(tmp_path, "in.txt")


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

    @pytest.mark.parametrize("command", ["evaluate", "compare"])
    def test_a_pipe_of_judgments_is_opened_once(self, tmp_path: Path, command: str) -> None:
        pipe, runs = tmp_path / "pipe", [tmp_path / "a.run", tmp_path / "b.run"]
        os.mkfifo(pipe)
        for run in runs:
            run.write_bytes(RUN)
        writer = threading.Thread(target=pipe.write_bytes, args=(b"1 0 a 1\n2 0 b 1\n",))
        writer.start()
        line = [sys.executable, "-m", "certus", command, str(pipe), *map(str, runs), "-m", "AP", "--format", "csv"]
        found = subprocess.run(line, capture_output=True, text=True, check=True, timeout=60)
        assert "0.75" in found.stdout
        writer.join()

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
    monkeypatch.setattr("certus.io.sources._room", lambda _: 200 << 20 if what == "a line without end" else 9_000_000)
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
    monkeypatch.setattr("certus.io.sources.LONGEST_LINE", 1 << 20)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = json.dumps({"1": {f"d{i}": i for i in range(200_000)}}).encode()
    writer = threading.Thread(target=pipe.write_bytes, args=(text,))
    writer.start()
    assert len(certus.read_run(pipe)) == 200_000
    writer.join()


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
